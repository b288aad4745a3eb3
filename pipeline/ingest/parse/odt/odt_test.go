package odt_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/odt"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

// makeFile packs a document of the text of its body, with styles as LibreOffice writes them.
func makeFile(tb testing.TB, body string) []byte {
	tb.Helper()
	return parsetest.Archive(tb, map[string]string{
		"mimetype": "application/vnd.oasis.opendocument.text",
		"meta.xml": `<office:document-meta xmlns:office="o"><office:meta><dc:title>Draft 7</dc:title><meta:keyword>wick</meta:keyword></office:meta></office:document-meta>`,
		"styles.xml": `<office:document-styles><office:styles><style:style style:name="Title" style:family="paragraph"/>
<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"><style:text-properties style:font-name="Liberation Mono"/></style:style>
<style:style style:name="Source_20_Text" style:display-name="Source Text" style:family="text"/></office:styles></office:document-styles>`,
		"content.xml": `<?xml version="1.0"?><office:document-content><office:automatic-styles>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/><style:style style:name="P2" style:parent-style-name="Title"/>
<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" text:start-value="3"/><text:list-level-style-bullet text:level="2"/></text:list-style>
</office:automatic-styles><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`,
	})
}

const handbook = `<text:tracked-changes><text:changed-region><text:deletion><text:p>Never.</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p text:style-name="P2">Lantern<text:s text:c="2"/>Handbook</text:p>
<text:table-of-content><text:index-body><text:p>Trimming 1</text:p></text:index-body></text:table-of-content>
<text:h text:outline-level="1"><text:bookmark text:name="trimming"/>Trimming</text:h>
<text:p>A wick is <text:span text:style-name="T1">too
  long</text:span> when it smokes.<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Rape seed smokes.</text:p></text:note-body></text:note> Run
<text:span text:style-name="Source_20_Text">lantern trim</text:span>, see <text:a xlink:href="https://lantern.example/oil">the shop</text:a>.<office:annotation><text:p>No.</text:p></office:annotation></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>Open it.</text:p><text:list><text:list-item><text:p>with care</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Cut it.</text:p></text:list-item></text:list>
<text:p text:style-name="P1">for lamp in lamps:</text:p><text:p text:style-name="P1"><text:s text:c="4"/>trim(lamp)</text:p>
<text:p><text:soft-page-break/>Next page.</text:p>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Oil</text:p></table:table-cell><table:table-cell><text:p>Hours</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>rape</text:p><text:p>or olive</text:p></table:table-cell></table:table-row></table:table>
<text:h text:outline-level="2">Oil</text:h><text:p><draw:frame><draw:text-box><text:p>In a frame.</text:p></draw:text-box></draw:frame><draw:frame><draw:image/><svg:desc>A lamp</svg:desc></draw:frame></text:p>`

const want = "# Lantern Handbook\n\n## Trimming\n\nA wick is **too long** when it smokes. [1] Run `lantern trim`, see [the shop](https://lantern.example/oil).\n\n" +
	"[1] Rape seed smokes.\n\n3. Open it.\n   - with care\n4. Cut it.\n\n```\nfor lamp in lamps:\n    trim(lamp)\n```\n\nNext page.\n\n" +
	"| Oil | Hours |\n| --- | --- |\n| rape<br>or olive | rape<br>or olive |\n\n### Oil\n\nIn a frame.\n\n[A lamp]\n"

func TestRendition(t *testing.T) {
	t.Parallel()
	d, err := odt.Parser{}.Parse(t.Context(), makeFile(t, handbook), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if string(d.Text) != want {
		t.Errorf("the text is\n%s\nwant\n%s", d.Text, want)
	}
	if d.Title != "Lantern Handbook" || d.About != "wick" || len(d.Warnings) > 0 || d.Sections[1].Anchor != "trimming" {
		t.Errorf("title %q, about %q, warnings %q, sections %+v", d.Title, d.About, d.Warnings, d.Sections)
	}
	if d.Location(1) != (doc.Location{Page: 1}) || d.Location(doc.CountLines(d.Text)) != (doc.Location{Page: 2}) {
		t.Errorf("the places are %+v", d.Map)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, odt.Parser{}, map[string][]byte{"a.odt": makeFile(t, handbook), "empty.odt": makeFile(t, "")})
	parsetest.Canceled(t, odt.Parser{}, "a.odt", string(makeFile(t, handbook)))
}

// A file that is no text or is locked fails with a code; a damaged one is read in part, with
// a warning.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		src  []byte
		code parse.Code
	}{
		"no archive":        {[]byte("<html>"), parse.UnsupportedFormat},
		"an archive":        {parsetest.Archive(t, map[string]string{"a.txt": "a"}), parse.UnsupportedFormat},
		"a spreadsheet":     {parsetest.Archive(t, map[string]string{"content.xml": "<a><body><spreadsheet/></body></a>"}), parse.UnsupportedFormat},
		"a password":        {parsetest.Archive(t, map[string]string{"META-INF/manifest.xml": "<m><encryption-data/></m>", "content.xml": "x"}), parse.PasswordProtected},
		"a damaged archive": {makeFile(t, handbook)[:300], parse.CorruptFile},
	} {
		_, err := odt.Parser{}.Parse(t.Context(), tt.src, parse.Options{})
		if failed, ok := errors.AsType[*parse.Failed](err); !ok || failed.Code != tt.code || failed.Reason == "" {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	const begins = "<text:p>begins</text:p>"
	for name, body := range map[string]string{
		"cut":        begins + "<text:p>and never",
		"entities":   begins + "<text:p>&lol;</text:p>",
		"deep":       begins + strings.Repeat("<text:section>", 50_000),
		"deep lists": begins + strings.Repeat("<text:list><text:list-item>", 100) + "<text:p>x</text:p>" + strings.Repeat("</text:list-item></text:list>", 100),
		"deep cells": begins + strings.Repeat("<table:table><table:table-row><table:table-cell>", 90) + "x" + strings.Repeat("</table:table-cell></table:table-row></table:table>", 90),
		"spans":      begins + "<text:p>" + strings.Repeat("<text:span>x", 200) + strings.Repeat("</text:span>", 200) + "</text:p>",
		"wide":       begins + `<table:table><table:table-row>` + strings.Repeat(`<table:table-cell table:number-columns-repeated="1000000000"/>`, 1000) + "</table:table-row></table:table>",
		"blanks":     begins + `<text:p>a<text:s text:c="2000000000"/>b</text:p><text:h text:outline-level="99">c</text:h>`,
		"own parent": begins + `<text:p text:style-name="P9">x</text:p><style:style style:name="P9" style:parent-style-name="P9"/>`,
		"notes":      begins + "<text:p>" + strings.Repeat("<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body></text:note>", 5000) + "</text:p>",
	} {
		d, err := odt.Parser{}.Parse(context.Background(), makeFile(t, body), parse.Options{})
		if err != nil || !strings.Contains(string(d.Text), "begins") {
			t.Errorf("%s: %v, %.100q", name, err, d.Text)
		}
		if damaged := name == "cut" || name == "entities" || name == "deep"; damaged != (len(d.Warnings) > 0) {
			t.Errorf("%s: warnings %q", name, d.Warnings)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(handbook)
	f.Add(`<text:list text:continue-numbering="true"><text:list-item text:start-value="9"><text:h>x</text:h></text:list-item></text:list>`)
	f.Fuzz(func(t *testing.T, body string) {
		parsetest.Promises(t, odt.Parser{}, makeFile(t, body), parse.Options{Path: "a.odt"})
	})
}
