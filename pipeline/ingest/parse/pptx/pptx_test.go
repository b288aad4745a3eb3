package pptx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/pptx"
	"docent/store/doc"
)

// makeFile packs a presentation of slides; the first one has notes and a diagram.
func makeFile(tb testing.TB, slides ...string) []byte {
	tb.Helper()
	parts := map[string]string{
		"docProps/core.xml":                `<c><dc:title>Lamps</dc:title><cp:keywords>oil</cp:keywords></c>`,
		"ppt/slides/_rels/slide1.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/hyperlink" Target="https://lantern.example/a" TargetMode="External"/><Relationship Id="rId2" Type="x/notesSlide" Target="../notesSlides/notesSlide1.xml"/><Relationship Id="rId3" Type="x/diagramData" Target="/ppt/diagrams/data1.xml"/></Relationships>`,
		"ppt/notesSlides/notesSlide1.xml":  `<p:notes><p:cSld><p:spTree>` + shape("sldNum", paragraph("", "1")) + shape("body", paragraph("", "Say it slowly.")) + `</p:spTree></p:cSld></p:notes>`,
		"ppt/diagrams/data1.xml":           `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t>` + paragraph("", "Fill") + `</dgm:t></dgm:pt><dgm:pt/></dgm:ptLst></dgm:dataModel>`,
	}
	ids, rels := "", ""
	for i, s := range slides {
		parts[fmt.Sprintf("ppt/slides/slide%d.xml", i+1)] = `<p:sld><p:cSld><p:spTree>` + s + `</p:spTree></p:cSld></p:sld>`
		ids += fmt.Sprintf(`<p:sldId id="%d" r:id="rId%d"/>`, 256+i, i+7)
		rels += fmt.Sprintf(`<Relationship Id="rId%d" Type="x/slide" Target="slides/slide%d.xml"/>`, i+7, i+1)
	}
	parts["ppt/presentation.xml"] = `<p:presentation><p:sldIdLst>` + ids + `</p:sldIdLst></p:presentation>`
	parts["ppt/_rels/presentation.xml.rels"] = `<Relationships>` + rels + `</Relationships>`
	return parsetest.Archive(tb, parts)
}

// shape is a shape with a placeholder of a kind, or none.
func shape(kind, paras string) string {
	if kind != "" {
		kind = `<p:nvPr><p:ph type="` + kind + `"/></p:nvPr>`
	}
	return `<p:sp><p:nvSpPr>` + kind + `</p:nvSpPr><p:txBody>` + paras + `</p:txBody></p:sp>`
}

func paragraph(properties, text string) string {
	return `<a:p>` + properties + `<a:r><a:t>` + text + `</a:t></a:r></a:p>`
}

const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Oil</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Hours</a:t></a:r></a:p></a:txBody></a:tc></a:tr>` +
	`<a:tr><a:tc><a:txBody><a:p><a:r><a:t>rape</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>9</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`

func slides() []string {
	mono := `<a:p><a:r><a:rPr><a:latin typeface="Courier New"/></a:rPr><a:t>lantern trim</a:t></a:r></a:p>`
	return []string{
		shape("ftr", paragraph("", "Secret")) + shape("body", paragraph("", "Open it")+paragraph(`<a:pPr lvl="1"/>`, "with care")+
			`<a:p><a:r><a:rPr b="1"/><a:t>Cut</a:t></a:r><a:r><a:t> it, see </a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>the shop</a:t></a:r></a:p>`+mono) +
			shape("title", `<a:p><a:r><a:t>Trim</a:t></a:r><a:br/><a:r><a:t>the wick</a:t></a:r></a:p>`),
		`<p:grpSp>` + shape("", paragraph("", "A note")) + `</p:grpSp>` + table + `<p:pic><p:nvPicPr><p:cNvPr descr="A lamp"/></p:nvPicPr></p:pic>` +
			shape("", paragraph(`<a:pPr><a:buAutoNum/></a:pPr>`, "one")+paragraph(`<a:pPr><a:buAutoNum/></a:pPr>`, "two")),
	}
}

const want = "## Trim the wick\n\n- Open it\n  - with care\n- **Cut** it, see [the shop](https://lantern.example/a)\n\n```\nlantern trim\n```\n\n" +
	"> [!NOTE]\n> **Notes**\n>\n> Say it slowly.\n\n- Fill\n\n## Slide 2\n\nA note\n\n| Oil | Hours |\n| --- | --- |\n| rape | 9 |\n\n[A lamp]\n\n1. one\n2. two\n"

func TestRendition(t *testing.T) {
	t.Parallel()
	d, err := pptx.Parser{}.Parse(t.Context(), makeFile(t, slides()...), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if string(d.Text) != want {
		t.Errorf("the text is\n%s\nwant\n%s", d.Text, want)
	}
	if d.Title != "Lamps" || d.About != "oil" || len(d.Warnings) > 0 || d.Location(1) != (doc.Location{Page: 1}) || d.Location(doc.CountLines(d.Text)) != (doc.Location{Page: 2}) {
		t.Errorf("title %q, about %q, warnings %q, places %+v", d.Title, d.About, d.Warnings, d.Map)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, pptx.Parser{}, map[string][]byte{"a.pptx": makeFile(t, slides()...), "empty.pptx": makeFile(t)})
	parsetest.Canceled(t, pptx.Parser{}, "a.pptx", string(makeFile(t, slides()...)))
}

// A file that is no presentation fails with a code; a damaged one is read in part, with a
// warning, and a slide that is hidden is not read.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		src  []byte
		code parse.Code
	}{
		"no archive":        {[]byte("<html>"), parse.UnsupportedFormat},
		"an archive":        {parsetest.Archive(t, map[string]string{"a.txt": "a"}), parse.UnsupportedFormat},
		"a damaged archive": {makeFile(t, slides()...)[:300], parse.CorruptFile},
	} {
		_, err := pptx.Parser{}.Parse(t.Context(), tt.src, parse.Options{})
		if failed, ok := errors.AsType[*parse.Failed](err); !ok || failed.Code != tt.code || failed.Reason == "" {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	begins := shape("", paragraph("", "begins"))
	for name, body := range map[string]string{
		"cut":      begins + "<p:sp><p:txBody><a:p><a:r><a:t>and",
		"entities": begins + shape("", paragraph("", "&lol;")),
		"deep":     begins + strings.Repeat("<p:grpSp>", 50_000),
		"groups":   begins + strings.Repeat("<p:grpSp>", 100) + shape("", paragraph("", "x")) + strings.Repeat("</p:grpSp>", 100),
		"levels":   begins + shape("body", strings.Repeat(paragraph(`<a:pPr lvl="8"/>`, "x")+paragraph(`<a:pPr lvl="-1"/>`, "y"), 500)),
		"cells":    begins + strings.ReplaceAll(table, "<a:tr>", strings.Repeat("<a:tr>", 20)),
	} {
		d, err := pptx.Parser{}.Parse(t.Context(), makeFile(t, body), parse.Options{})
		if err != nil || !strings.Contains(string(d.Text), "begins") {
			t.Errorf("%s: %v, %.100q", name, err, d.Text)
		}
		if damaged := name == "cut" || name == "entities" || name == "deep" || name == "cells"; damaged != (len(d.Warnings) > 0) {
			t.Errorf("%s: warnings %q", name, d.Warnings)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range slides() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, slide string) {
		parsetest.Promises(t, pptx.Parser{}, makeFile(t, slide), parse.Options{Path: "a.pptx"})
	})
}
