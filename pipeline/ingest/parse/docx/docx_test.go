package docx_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/docx"
	"docent/pipeline/ingest/parse/parsetest"
)

// file packs a document of the text of its body, with styles as a German Word writes
// them.
func file(tb testing.TB, body string) []byte {
	tb.Helper()
	return parsetest.Archive(tb, map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"docProps/core.xml":   `<cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:title>Draft 7</dc:title><cp:keywords>wick, soot</cp:keywords></cp:coreProperties>`,
		"word/styles.xml": `<w:styles xmlns:w="w">
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Tief"><w:name w:val="Tief"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Listenabsatz"><w:name w:val="List Paragraph"/></w:style>
<w:style w:type="paragraph" w:styleId="Aufz"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Quelltext"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="character" w:styleId="CodeZchn"><w:name w:val="Code Zchn"/></w:style></w:styles>`,
		"word/numbering.xml": `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="6"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="6"/></w:num></w:numbering>`,
		"word/_rels/document.xml.rels": `<Relationships><Relationship Id="rId4" Type="hyperlink" Target="https://lantern.example/oil" TargetMode="External"/></Relationships>`,
		"word/footnotes.xml":           `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="-1"/><w:footnote w:id="2"><w:p><w:r><w:t>Rape seed smokes.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/document.xml":            `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w" xmlns:r="r" xmlns:mc="m"><w:body>` + body + `</w:body></w:document>`,
	})
}

// p is a paragraph with a style, or "".
func p(style, runs string) string {
	if style != "" {
		style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return "<w:p>" + style + runs + "</w:p>"
}

func r(text string) string { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }

func num(id, level int, text string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:pStyle w:val="Listenabsatz"/><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr></w:pPr>%s</w:p>`, level, id, r(text))
}

const brk = `<w:r><w:lastRenderedPageBreak/></w:r>`

var handbook = p("Titel", r("Lantern ")+r("Handbook")) + p("Verzeichnis1", r("Trimming 1")) +
	p("Kapitel", `<w:bookmarkStart w:id="0" w:name="_Toc1"/><w:bookmarkStart w:id="1" w:name="trimming"/>`+r("Trimming")) +
	p("", r("A wick is ")+`<w:r><w:rPr><w:b/></w:rPr><w:t>too </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>long</w:t></w:r>`+r(" when it smokes. Run ")+
		`<w:r><w:rPr><w:rStyle w:val="CodeZchn"/></w:rPr><w:t>lantern trim</w:t></w:r>`+r(".")+`<w:del><w:r><w:delText>Never.</w:delText></w:r></w:del><w:ins>`+r(" Daily.")+`</w:ins>`) +
	p("Aufz", r("scissors")) + p("Aufz", r("a cloth")) +
	num(2, 0, "Open it.") + p("Quelltext", r("for lamp in lamps:")) + p("Quelltext", r("    trim(lamp)")) + num(2, 0, "Trim it:") + num(2, 1, "the left side") + num(2, 1, "the right side") + num(2, 0, "Close it.") +
	p("Tief", brk+r("Oil")) +
	p("", r("See ")+`<w:hyperlink r:id="rId4">`+r("the shop")+`</w:hyperlink>`+r(".")+`<w:r><w:footnoteReference w:id="2"/></w:r>`) +
	`<w:tbl><w:tblPr/><w:tr><w:tc>` + p("", r("Lantern")) + `</w:tc><w:tc>` + p("", r("Oil")) + p("", r("and hours")) + `</w:tc></w:tr><w:tr><w:tc>` + p("", r("Small")) + `</w:tc><w:tc>` + p("", r("olive | rape")) + `</w:tc></w:tr></w:tbl>` +
	p("", `<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>`+p("", r("In a frame."))+`</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>`+p("", r("In a frame."))+`</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`)

const want = `# Lantern Handbook

## Trimming

A wick is **too long** when it smokes. Run ` + "`lantern trim`" + `. Daily.

- scissors
- a cloth

1. Open it.

   ` + "```" + `
   for lamp in lamps:
       trim(lamp)
   ` + "```" + `

2. Trim it:

   1. the left side
   2. the right side

3. Close it.

### Oil

See [the shop](https://lantern.example/oil). [1\]

[1\] Rape seed smokes.

| Lantern | Oil<br>and hours |
| --- | --- |
| Small | olive \| rape |

In a frame.
`

func TestRendition(t *testing.T) {
	t.Parallel()
	d, err := docx.Parser{}.Parse(context.Background(), file(t, handbook), parse.Options{})
	if err != nil || len(d.Warnings) > 0 {
		t.Fatal(err, d.Warnings)
	}
	if d.Title != "Lantern Handbook" || d.About != "wick, soot" || d.Sections[1].Anchor != "trimming" {
		t.Errorf("title %q, about %q, sections %+v", d.Title, d.About, d.Sections)
	}
	for i, line := range strings.Split(string(d.Text), "\n") {
		if at := d.Location(i + 1); line == "## Trimming" && at.Page != 1 || line == "### Oil" && at.Page != 2 {
			t.Errorf("%q stands at %+v", line, at)
		}
	}
	if string(d.Text) != want {
		t.Errorf("the rendition is\n%s\nwant\n%s", d.Text, want)
	}
}

// A note that the text refers to many times is written once: a small file would be a page
// of any size otherwise.
func TestNotesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	body := p("", r("begins")) + strings.Repeat(p("", r("again")+`<w:r><w:footnoteReference w:id="2"/></w:r>`), 100)
	d, err := docx.Parser{}.Parse(context.Background(), file(t, body), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if notes, marks := strings.Count(string(d.Text), "Rape seed smokes"), strings.Count(string(d.Text), "again"); notes != 1 || marks != 100 {
		t.Errorf("the note is written %d times, the text %d times", notes, marks)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, docx.Parser{}, map[string][]byte{"a.docx": file(t, handbook), "empty.docx": file(t, "")})
}

// A file that is not a document, is locked or unpacks to too much fails with a code; one
// that is damaged or nests too deeply is read in part, with a warning.
func TestHostile(t *testing.T) {
	t.Parallel()
	bomb := []byte("no archive")
	code := parse.UnsupportedFormat
	if !testing.Short() { // packing it takes long
		bomb, code = parsetest.Archive(t, map[string]string{"word/document.xml": "<w:document><w:body>" + strings.Repeat(" ", parse.MaxFile) + "</w:body></w:document>"}), parse.CorruptFile
	}
	locked := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Join(strings.Split("EncryptedPackage", ""), "\x00") + "\x00"
	for name, tt := range map[string]struct {
		src  []byte
		code parse.Code
	}{
		"no archive":        {[]byte("<html>"), parse.UnsupportedFormat},
		"empty":             {nil, parse.UnsupportedFormat},
		"Word 97":           {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 etc"), parse.UnsupportedFormat},
		"a password":        {[]byte(locked), parse.PasswordProtected},
		"an archive":        {parsetest.Archive(t, map[string]string{"a.txt": "a"}), parse.UnsupportedFormat},
		"a damaged archive": {file(t, handbook)[:500], parse.CorruptFile},
		"a bomb":            {bomb, code},
	} {
		_, err := docx.Parser{}.Parse(context.Background(), tt.src, parse.Options{})
		if failed, ok := errors.AsType[*parse.Failed](err); !ok || failed.Code != tt.code || failed.Reason == "" {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	many := strings.Repeat(`<w:r><w:t>x </w:t></w:r>`, 50_000)
	for name, body := range map[string]string{
		"cut":          p("", r("begins")) + "<w:p><w:r><w:t>and never",
		"entities":     p("", r("begins")) + "<w:p><w:r><w:t>&lol;&lol;</w:t></w:r></w:p>",
		"deep":         p("", r("begins")) + strings.Repeat("<w:tbl><w:tr><w:tc>", 50_000),
		"deep tables":  p("", r("begins")) + strings.Repeat("<w:tbl><w:tr><w:tc>", 90) + p("", r("x")) + strings.Repeat("</w:tc></w:tr></w:tbl>", 90),
		"runs":         p("", r("begins")+many),
		"wide":         p("", r("begins")) + "<w:tbl><w:tr>" + strings.Repeat("<w:tc><w:tcPr><w:gridSpan w:val=\"1000000000\"/></w:tcPr></w:tc>", 1000) + "</w:tr></w:tbl>",
		"odd numbers":  p("", r("begins")) + num(2, 2_000_000_000, "x") + num(99, -1, "y") + `<w:p><w:pPr><w:outlineLvl w:val="-5"/></w:pPr>` + r("z") + "</w:p>",
		"frame within": p("", r("begins")) + strings.Repeat("<w:p><w:r><w:drawing><w:txbxContent>", 70) + p("", r("x")) + strings.Repeat("</w:txbxContent></w:drawing></w:r></w:p>", 70),
	} {
		d, err := docx.Parser{}.Parse(context.Background(), file(t, body), parse.Options{})
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
	f.Add(`<w:p><w:pPr><w:numPr><w:ilvl w:val="9"/><w:numId w:val="2"/></w:numPr></w:pPr><w:r><w:t>*</w:t><w:br/><w:tab/></w:r></w:p>`)
	f.Fuzz(func(t *testing.T, body string) {
		d, err := docx.Parser{}.Parse(context.Background(), file(t, body), parse.Options{})
		if err != nil {
			t.Error(err)
		}
		if d.Text != nil && d.Map == nil {
			t.Error("no map")
		}
	})
}

func BenchmarkParse(b *testing.B) {
	src := file(b, strings.Repeat(handbook, 2000))
	b.SetBytes(int64(2000 * len(handbook)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (docx.Parser{}).Parse(b.Context(), src, parse.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
