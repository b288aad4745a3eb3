package epub_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/epub"
	"docent/pipeline/ingest/parse/parsetest"
)

// book packs a book; parts replace its own, "" leaves one out.
func book(tb testing.TB, parts map[string]string) []byte {
	tb.Helper()
	all := map[string]string{
		"mimetype":               "application/epub+zip",
		"META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"OEBPS/book.opf": `<package xmlns:dc="d"><metadata><dc:title>The Lantern</dc:title><dc:creator>Ada</dc:creator><dc:subject>oil &amp; wicks</dc:subject></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="c" href="../cover.png" media-type="image/png"/></manifest>
<spine><itemref idref="n"/><itemref idref="c"/><itemref idref="a"/><itemref idref="b"/><itemref idref="a"/><itemref idref="gone"/></spine></package>`,
		"OEBPS/nav.xhtml":         `<html><body><nav><ol><li><a href="text/one.xhtml">First</a></li><li><a href="text/two%20b.xhtml#x">Of oil</a></li></ol></nav></body></html>`,
		"OEBPS/text/one.xhtml":    `<?xml version="1.0"?><html><head><title>no</title><style>p {}</style></head><body><h1 id="trim">Trimming</h1><p>A wick &#8212; trim <b>it</b>.</p><pre><code>lantern trim</code></pre></body></html>`,
		"OEBPS/text/two b.xhtml":  `<html><body><p>Olive oil burns well.</p><ol><li>Pour</li><li>Wait</li></ol></body></html>`,
		"OEBPS/text/unread.xhtml": `<html><body><p>Not in the spine.</p></body></html>`,
	}
	for name, text := range parts {
		if all[name] = text; text == "" {
			delete(all, name)
		}
	}
	return parsetest.Archive(tb, all)
}

const want = `# Trimming

A wick — trim **it**.

` + "```\nlantern trim\n```" + `

# Of oil

Olive oil burns well.

1. Pour
2. Wait
`

func TestRendition(t *testing.T) {
	t.Parallel()
	d, err := epub.Parser{}.Parse(context.Background(), book(t, nil), parse.Options{})
	if err != nil || len(d.Warnings) > 0 {
		t.Fatal(err, d.Warnings)
	}
	if d.Title != "The Lantern" || d.About != "Ada\noil & wicks" || string(d.Text) != want || d.Sections[0].Anchor != "trim" {
		t.Errorf("title %q, about %q, sections %+v, text\n%s", d.Title, d.About, d.Sections, d.Text)
	}
	if at := d.Location(1).Element; at != "OEBPS/text/one.xhtml" {
		t.Errorf("the first line stands in %q", at)
	}
	if at := d.Location(strings.Count(string(d.Text), "\n")).Element; at != "OEBPS/text/two b.xhtml" {
		t.Errorf("the last line stands in %q", at)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, epub.Parser{}, map[string][]byte{"a.epub": book(t, nil)})
}

func TestHostile(t *testing.T) {
	t.Parallel()
	size, code := parse.MaxFile, parse.CorruptFile
	if testing.Short() { // packing a bomb takes long
		size, code = 1, ""
	}
	for name, tt := range map[string]struct {
		src  []byte
		code parse.Code
	}{
		"no archive":   {[]byte("book"), parse.UnsupportedFormat},
		"no book":      {book(t, map[string]string{"META-INF/container.xml": ""}), parse.UnsupportedFormat},
		"no package":   {book(t, map[string]string{"OEBPS/book.opf": ""}), parse.CorruptFile},
		"cut":          {book(t, nil)[:700], parse.CorruptFile},
		"protected":    {book(t, map[string]string{"META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>`}), parse.PasswordProtected},
		"a bomb":       {book(t, map[string]string{"OEBPS/text/one.xhtml": strings.Repeat(" ", size)}), code},
		"another root": {book(t, map[string]string{"META-INF/container.xml": `<rootfile full-path="../../etc/passwd"/>`}), parse.CorruptFile},
	} {
		_, err := epub.Parser{}.Parse(context.Background(), tt.src, parse.Options{})
		if tt.code == "" && err == nil {
			continue
		}
		if failed, ok := errors.AsType[*parse.Failed](err); !ok || failed.Code != tt.code || failed.Reason == "" {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	// Fonts may be encrypted, chapters missing or malformed.
	d, err := epub.Parser{}.Parse(context.Background(), book(t, map[string]string{
		"META-INF/encryption.xml": `<CipherReference URI="OEBPS/font.otf"/>`, "OEBPS/text/one.xhtml": "",
		"OEBPS/text/two b.xhtml": strings.Repeat("<div>", 100_000) + "still here", "OEBPS/nav.xhtml": "<a <a <nav", "OEBPS/book.opf": "",
		"META-INF/container.xml": `<rootfile full-path="b.opf"/>`,
		"b.opf":                  `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><package><title>&b;</title><item id="a" href="OEBPS/text/one.xhtml" media-type="application/xhtml+xml"/><item id="b" href="OEBPS/text/two b.xhtml" media-type="text/html"/><itemref idref="a"/><itemref idref="b"/>`,
	}), parse.Options{})
	if err != nil || !strings.Contains(string(d.Text), "still here") || len(d.Warnings) == 0 {
		t.Errorf("%v, %q, %.200q", err, d.Warnings, d.Text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`<package><item id="a" href="OEBPS/text/one.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/></package>`, `<h1>A</h1><p>b`)
	f.Fuzz(func(t *testing.T, opf, chapter string) {
		_, err := epub.Parser{}.Parse(context.Background(), book(t, map[string]string{"OEBPS/book.opf": opf, "OEBPS/text/one.xhtml": chapter}), parse.Options{})
		if failed, ok := errors.AsType[*parse.Failed](err); err != nil && (!ok || failed.Code == "") {
			t.Error(err)
		}
	})
}
