package formats_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

// fixture is a page that is damaged.
type fixture struct {
	format doc.Format
	file   string // in the folder of the parsers, or a name
	src    []byte // nil: the file's
	// said says that the parser knows a page that ends early, and warns of it.
	said bool
	// packed says that a damaged file cannot be looked into: it may be left out, with a
	// reason.
	packed bool
}

func fixtures(t *testing.T) []fixture {
	list := []fixture{
		{format: doc.FormatMarkdown, file: "lantern.md", src: []byte("---\ntitle: Wicks\n---\n\n# Wicks\n\nTrim *them* before dusk.\n\n1. Open the lantern.\n\n   ```sh\n   lantern open\n   ```\n2. Cut the wick.\n\n| size | oil |\n|---|---|\n| small | olive |\n\n> [!WARNING]\n> Let it cool.\n")},
		{format: doc.FormatMarkdown, file: "lantern.mdx", src: []byte("import Note from 'note'\n\n# Wicks\n\n<Note>\n\nTrim them before dusk.\n\n</Note>\n\nOil comes last.\n")},
		{format: doc.FormatProse, file: "guide.txt", src: []byte("The lantern\n\nLight it at dusk. It burns until dawn.\n\nPut it out before you sleep. Never leave it alone.\n")},
		{format: doc.FormatMan, file: "wick.1", src: []byte(".TH WICK 1\n.SH NAME\nwick \\- trim the wick\n.SH OPTIONS\n.TP\n\\fB\\-l\\fR \\fIlength\\fR\nHow long it stays.\n.PP\nSee\n.BR lantern (1).\n")},
		{format: doc.FormatMan, file: "oil.8", src: []byte(".Dd May 1, 2026\n.Dt OIL 8\n.Os\n.Sh NAME\n.Nm oil\n.Nd fill a lantern\n.Sh DESCRIPTION\nThe\n.Nm\nutility fills a lantern with olive oil.\n.Bl -tag -width Ds\n.It Fl v\nSays what it does.\n.El\n")},
		{format: doc.FormatRST, file: "wick.rst", src: []byte("Wicks\n=====\n\n.. _trim:\n\nTrimming\n--------\n\nTrim *them* before dusk::\n\n    lantern trim\n\n#. Open it.\n#. Cut it.\n\n.. note:: Let it cool.\n\n+------+-----+\n| size | oil |\n+======+=====+\n| big  | rye |\n+------+-----+\n\n.. setting:: WICK_LENGTH\n\nHow long it stays.\n")},
		{format: doc.FormatDITA, file: "a.dita", src: []byte("<?xml version=\"1.0\"?>\n<task id=\"a\">\n<title>Trimming</title>\n<shortdesc>Trim it before dusk.</shortdesc>\n<taskbody><steps>\n<step><cmd>Open the lantern.</cmd></step>\n<step><cmd>Cut the wick.</cmd></step>\n</steps></taskbody>\n</task>\n"), said: true},
		{format: doc.FormatDITA, file: "dita/testdata/set/tools.dita", said: true},
		{format: doc.FormatAsciiDoc, file: "asciidoc/testdata/lantern.adoc"},
		{format: doc.FormatJSON, file: "json/testdata/lamps.yaml"},
		{format: doc.FormatJSON, file: "json/testdata/lantern-crd.yaml"},
		{format: doc.FormatDocBook, file: "docbook/testdata/lantern.xml", said: true},
		{format: doc.FormatTexinfo, file: "texinfo/testdata/lantern.texi"},
		{format: doc.FormatInfo, file: "texinfo/testdata/lamp.info", packed: true},
		{format: doc.FormatMediaWiki, file: "mediawiki/testdata/lantern.mediawiki"},
		{format: doc.FormatOrg, file: "org/testdata/lantern.org"},
		{format: doc.FormatPOD, file: "pod/testdata/lantern.pod"},
		{format: doc.FormatPO, file: "a.po", src: []byte(strings.Repeat("#: a.rst:1\nmsgid \"a\"\nmsgstr \"Kürze den Docht vor der Dämmerung.\"\n\n", 20))},
		{format: doc.FormatYAML, file: "settings/testdata/values.yaml"},
		{format: doc.FormatNotebook, file: "notebook/testdata/lantern.ipynb", said: true},
		{format: doc.FormatJSON, file: "json/testdata/settings.json", said: true},
		{format: doc.FormatJSON, file: "json/testdata/other.json", said: true},
		{format: doc.FormatDOCX, file: "a.docx", packed: true, src: parsetest.Archive(t, map[string]string{"word/document.xml": "<w:document><w:body>" + strings.Repeat("<w:p><w:r><w:t>Trim it before dusk.</w:t></w:r></w:p>", 40) + "</w:body></w:document>"})},
		{format: doc.FormatODT, file: "a.odt", packed: true, src: parsetest.Archive(t, map[string]string{"content.xml": "<d><body><text>" + strings.Repeat("<p>Trim it before dusk.</p>", 40) + "</text></body></d>"})},
		{format: doc.FormatRTF, file: "a.rtf", src: []byte(`{\rtf1 ` + strings.Repeat(`Trim it before dusk.\par `, 40) + "}")},
		{format: doc.FormatPPTX, file: "a.pptx", packed: true, src: parsetest.Archive(t, map[string]string{"ppt/presentation.xml": `<p><sldIdLst><sldId id="rId1"/></sldIdLst></p>`,
			"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/></Relationships>`,
			"ppt/slides/slide1.xml":           `<sld><cSld><spTree><sp><txBody>` + strings.Repeat("<p><r><t>Trim it before dusk.</t></r></p>", 40) + `</txBody></sp></spTree></cSld></sld>`})},
		{format: doc.FormatXLSX, file: "a.xlsx", packed: true, src: parsetest.Archive(t, map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="Wicks" id="rId1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml":   `<worksheet><sheetData>` + strings.Repeat(`<row><c t="inlineStr"><is><t>Trim it before dusk.</t></is></c></row>`, 40) + `</sheetData></worksheet>`})},
		{format: doc.FormatEPUB, file: "a.epub", packed: true, src: parsetest.Archive(t, map[string]string{"META-INF/container.xml": `<rootfile full-path="b.opf"/>`, "a.xhtml": `<body><h1>Wicks</h1><p>Trim them before dusk.</p></body>`,
			"b.opf": `<title>Wicks</title><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/>`})},
	}
	for pattern, format := range map[string]doc.Format{"html/testdata/*.html": doc.FormatHTML, "code/testdata/*.*": doc.FormatCode} {
		files, err := filepath.Glob("../" + pattern)
		if err != nil || len(files) < 10 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			list = append(list, fixture{format: format, file: strings.TrimPrefix(filepath.ToSlash(file), "../")})
		}
	}
	for i := range list {
		if list[i].src == nil {
			src, err := os.ReadFile("../" + list[i].file)
			if err != nil {
				t.Fatal(err)
			}
			list[i].src = src
		}
	}
	return list
}

// damages are what disks, networks and editors do to a page, by name.
func damages(src []byte) map[string][]byte {
	out := map[string][]byte{}
	for i := 1; i < 12; i++ {
		out[fmt.Sprintf("the first %d/12", i)] = src[:len(src)*i/12]
	}
	r := rand.New(rand.NewPCG(1, uint64(len(src))))
	for i := range 8 {
		flipped := bytes.Clone(src)
		for range 1 + len(src)/300 {
			flipped[r.IntN(len(src))] ^= 1 << r.IntN(8)
		}
		out[fmt.Sprint("flipped bits ", i)] = flipped
	}
	third := len(src) / 3
	zeros := bytes.Clone(src)
	clear(zeros[third : third+third/8+1])
	out["zeros"] = zeros
	out["a part missing"] = slices.Concat(src[:third], src[third+third/8+1:])
	out["a part twice"] = slices.Concat(src[:2*third], src[third:])
	out["bytes of another encoding"] = slices.Concat(src[:third], []byte("\xe9\xe8 \xff\xfe\n"), src[third:])
	return out
}

// words are the words of a text that are long enough to be distinct.
func words(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }), func(w string) bool { return len(w) < 4 })
}

// left are the words of a page that stand on lines of its source which the damage spared.
func left(whole doc.Document, damaged []byte) []string {
	spared := map[string]bool{}
	for line := range strings.Lines(string(damaged)) {
		spared[line] = true
	}
	source := slices.Collect(strings.Lines(string(whole.Source)))
	var all []string
	n := 0
	for line := range strings.Lines(string(whole.Text)) {
		n++
		if at := whole.Location(n).Line; at > 0 && at <= len(source) && spared[source[at-1]] {
			all = append(all, words(line)...)
		}
	}
	return all
}

// share is how many of some words are in a text.
func share(some []string, text string) float64 {
	in := map[string]bool{}
	for _, w := range words(text) {
		in[w] = true
	}
	found := 0
	for _, w := range some {
		if in[w] {
			found++
		}
	}
	return float64(found) / float64(max(1, len(some)))
}

// A damaged page is read as far as it can be, keeps what every page promises, and most of
// the words that it has left are found; unreadable parts have a warning. Only packed
// formats may be left out, with the reason.
func TestDamage(t *testing.T) {
	t.Parallel()
	r, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fixtures(t) {
		t.Run(string(f.format)+"/"+filepath.Base(f.file), func(t *testing.T) {
			t.Parallel()
			p, err := r.ParserOf(f.format)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := p.Parse(t.Context(), f.src, parse.Options{Path: f.file, FallbackTitle: "x", Wanted: true})
			if err != nil {
				t.Fatal(err)
			}
			for name, src := range damages(f.src) {
				opt := parse.Options{Path: f.file, FallbackTitle: "x", Wanted: true}
				left := left(whole, src)
				d, ok := parsetest.Promises(t, p, src, opt)
				if !ok {
					_, err := p.Parse(t.Context(), src, opt)
					if !f.packed && len(left) >= 8 {
						t.Errorf("%s: it is left out: %v", name, err)
					}
					continue
				}
				if f.packed {
					continue
				}
				if got := share(left, string(d.Text)); len(left) >= 8 && got < .5 {
					t.Errorf("%s: %.2f of its %d words are found in\n%.2000s", name, got, len(left), d.Text)
				}
				cut := f.said && strings.HasPrefix(name, "the first")
				if (cut || utf8.Valid(f.src) && !utf8.Valid(src)) && len(d.Warnings) == 0 {
					t.Errorf("%s: nothing is said of it\n%.300q", name, src)
				}
			}
		})
	}
}
