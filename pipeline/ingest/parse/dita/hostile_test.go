package dita_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/dita"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

// readFrom parses a page of a doc set that is given by its files.
func readFrom(t testing.TB, files map[string]string, file string) doc.Document {
	t.Helper()
	d, err := dita.New().Parse(context.Background(), []byte(files[file]), inDocSet(file, "x", fileSet(files)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// fileSet is a doc set that is given by its files.
type fileSet map[string]string

func (f fileSet) Open(p string) (parse.Opened, error) {
	if src, ok := f[p]; ok {
		return parse.Opened{Data: []byte(src)}, nil
	}
	return parse.Opened{}, fs.ErrNotExist
}

func (f fileSet) List(endings ...string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f)), func(p string) bool { return !slices.Contains(endings, path.Ext(p)) })
}

// alike is a doc set whose files are all the same; those that are called x.dita are missing.
type alike string

func (a alike) Open(p string) (parse.Opened, error) {
	if strings.HasSuffix(p, "x.dita") {
		return parse.Opened{}, fs.ErrNotExist
	}
	return parse.Opened{Data: []byte(a)}, nil
}

func (a alike) List(endings ...string) []string {
	if slices.Contains(endings, ".ditamap") {
		return []string{"m.ditamap"}
	}
	return []string{"a.dita"}
}

func one(t testing.TB, src string) doc.Document {
	t.Helper()
	return readFrom(t, map[string]string{"a.dita": src}, "a.dita")
}

// XML that is not well-formed keeps its text, and a warning names the line.
func TestBrokenXML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src string
		texts     []string
		warning   string
	}{
		{"an element that is not closed", "<topic id='a'><title>T</title><body>\n<p>one <b>two</p>\n<p>three</p></body></topic>", []string{"# T", "one **two**", "three"}, "line 2: <b> is not closed before </p>"},
		{"a tag that closes nothing", "<topic><title>T</title><body>\n\n<p>one</i> two</p></body></topic>", []string{"one two"}, "line 3: </i> closes nothing"},
		{"a file that ends early", "<topic><title>T</title><body><p>one</p>\n<p>two", []string{"one", "two"}, "line 2: the file ends before </p>"},
		{"a lesser-than sign", "<topic><title>T</title><body><p>\n1 < 2 & 3 &lt; 4</p><p>x</p></body></topic>", []string{"1 < 2 & 3 < 4"}, "line 2: the XML is not well-formed"},
		{"no XML at all", "just\ntext\n\nand more", []string{"just\ntext"}, ""},
		{"a tag in a tag", "<topic><title>T</title><body><p <b>one</b></p></body></topic>", []string{"# T", "one"}, "line 1: the XML is not well-formed"},
		{"an open comment", "<topic><title>T</title><body><p>one</p><!-- two <p>three</p></body></topic>", []string{"one", "three"}, "line 1: the XML is not well-formed"},
		{"two roots", "<topic id='a'><title>A</title></topic><topic id='b'><title>B</title></topic>", []string{"# A", "# B"}, ""},
		{"controls", "<topic><title>T</title><body><p>one\x00two\x1b[31m&#1;</p></body></topic>", []string{"one two [31m"}, "line 1: the XML is not well-formed"},
		{"only errors", strings.Repeat("< ", 500) + "words at the end", []string{"words at the end"}, "too many errors"},
	} {
		d := one(t, tt.src)
		for _, text := range tt.texts {
			if !strings.Contains(strings.ReplaceAll(string(d.Text), `\`, ""), text) {
				t.Errorf("%s: %q is not in %q", tt.name, text, d.Text)
			}
		}
		if all := strings.Join(d.Warnings, "\n"); tt.warning == "" && all != "" || !strings.Contains(all, tt.warning) {
			t.Errorf("%s: the warnings are %q, want %q", tt.name, all, tt.warning)
		}
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	page := "<?xml version=\"1.0\" encoding=\"%s\"?>\n<topic id=\"a\"><title>Café – ünï</title>\n<body><p>weiß</p></body></topic>"
	wide := func(order func(uint16) []byte, mark bool, s string) string {
		var b strings.Builder
		if mark {
			b.Write(order(0xfeff))
		}
		for _, u := range utf16.Encode([]rune(s)) {
			b.Write(order(u))
		}
		return b.String()
	}
	little := func(u uint16) []byte { return []byte{byte(u), byte(u >> 8)} }
	big := func(u uint16) []byte { return []byte{byte(u >> 8), byte(u)} }
	western := strings.NewReplacer("é", "\xe9", "–", "\x96", "ü", "\xfc", "ï", "\xef", "ß", "\xdf")
	for name, src := range map[string]string{
		"UTF-8":                 fmt.Sprintf(page, "UTF-8"),
		"UTF-8 with a mark":     "\ufeff" + fmt.Sprintf(page, "UTF-8"),
		"UTF-16LE":              wide(little, true, fmt.Sprintf(page, "UTF-16")),
		"UTF-16BE":              wide(big, true, fmt.Sprintf(page, "UTF-16")),
		"UTF-16 without a mark": wide(big, false, fmt.Sprintf(page, "UTF-16")),
		"ISO 8859-1":            western.Replace(fmt.Sprintf(page, "ISO-8859-1")),
		"said to be UTF-8":      western.Replace(fmt.Sprintf(page, "UTF-8")),
		"of an unknown name":    western.Replace(fmt.Sprintf(page, "EBCDIC")),
		"lines of Windows":      strings.ReplaceAll(fmt.Sprintf(page, "UTF-8"), "\n", "\r\n"),
	} {
		d := one(t, src)
		if d.Title != "Café – ünï" || !strings.Contains(string(d.Text), "weiß") {
			t.Errorf("%s: %q, %q", name, d.Title, d.Text)
		}
		warned := name == "said to be UTF-8" || name == "of an unknown name"
		if warned != (len(d.Warnings) > 0) {
			t.Errorf("%s: the warnings are %q", name, d.Warnings)
		}
		if got := d.Location(3).Line; got != 3 {
			t.Errorf("%s: the paragraph stands on line %d", name, got)
		}
	}
}

// Entities of a page stand for their text; external ones are never opened, and those
// that grow without end stay as they are.
func TestEntities(t *testing.T) {
	t.Parallel()
	opened := false
	src := `<!DOCTYPE topic [<!ENTITY a "one &b; <b>bold</b>"><!ENTITY b "two"><!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://example.org/x">%p;<!ENTITY loop "&loop2;"><!ENTITY loop2 "&loop;">]>
<topic id="t"><title>T</title><body><p>&a;, &nbsp;&eacute;, &file;, &loop;, &unknown;</p></body></topic>`
	d, err := dita.New().Parse(context.Background(), []byte(src), parse.Options{Path: "a.dita", FallbackTitle: "x", Open: func(string) ([]byte, error) {
		opened = true
		return nil, errors.New("opened")
	}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(d.Text)
	if opened || !strings.Contains(text, "one two bold, é, ") || !strings.Contains(text, "&file;") || !strings.Contains(text, "&unknown;") {
		t.Errorf("opened %v, %q", opened, text)
	}
	if all := strings.Join(d.Warnings, "\n"); !strings.Contains(all, "1 entity") && !strings.Contains(all, "2 entities") {
		t.Errorf("the warnings are %q", all)
	}
	var laughs strings.Builder
	laughs.WriteString(`<!DOCTYPE topic [<!ENTITY l0 "ha ha ha ha ha ha ha ha">`)
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&laughs, `<!ENTITY l%d "%s">`, i, strings.Repeat(fmt.Sprintf("&l%d;", i-1), 10))
	}
	laughs.WriteString(`]><topic id="t"><title>T</title><body><p>&l29;</p></body></topic>`)
	if d := one(t, laughs.String()); len(d.Text) > 10_000 || d.Title != "T" || len(d.Warnings) == 0 {
		t.Errorf("%d bytes, %q, %q", len(d.Text), d.Title, d.Warnings)
	}
	// One that is short, but used everywhere.
	many := `<!DOCTYPE topic [<!ENTITY long "` + strings.Repeat("x", 4000) + `">]><topic id="t"><title>T</title><body><p>` + strings.Repeat("&long; ", 100_000) + "</p></body></topic>"
	if d := one(t, many); len(d.Text) > 4*len(many) {
		t.Errorf("%d bytes of %d", len(d.Text), len(many))
	}
}

// References that lead in circles, or multiply, end.
func TestReferencesThatGrow(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.dita":    `<topic id="a"><title>A</title><body><p id="p">a <ph conref="b.dita#b/p"/></p></body></topic>`,
		"b.dita":    `<topic id="b"><title>B</title><body><p id="p">b <ph conref="a.dita#a/p"/></p></body></topic>`,
		"k.dita":    `<topic id="k"><title><keyword keyref="k1"/></title><body><p><xref keyref="k"/><xref href="k.dita"/></p></body></topic>`,
		"m.ditamap": `<map><keydef keys="k1" keyref="k2"/><keydef keys="k2" keyref="k1"/><keydef keys="k" href="k.dita"/><mapref href="m.ditamap"/></map>`,
	}
	if d := readFrom(t, files, "a.dita"); !strings.Contains(string(d.Text), "a b a [") || len(d.Warnings) != 1 {
		t.Errorf("%q, %q", d.Text, d.Warnings)
	}
	if d := readFrom(t, files, "k.dita"); len(d.Text) > 1000 || len(d.Warnings) == 0 {
		t.Errorf("%q, %q", d.Text, d.Warnings)
	}
	if d := readFrom(t, files, "m.ditamap"); len(d.Text) > 1000 {
		t.Errorf("%q", d.Text)
	}
	var b strings.Builder // each paragraph takes the one before it ten times
	b.WriteString(`<topic id="a"><title>A</title><body><p id="p0">` + strings.Repeat("word ", 100) + "</p>")
	for i := 1; i < 15; i++ {
		fmt.Fprintf(&b, `<p id="p%d">%s</p>`, i, strings.Repeat(fmt.Sprintf(`<ph conref="#a/p%d"/>`, i-1), 10))
	}
	b.WriteString("</body></topic>")
	if d := one(t, b.String()); len(d.Text) > 16<<20 || !strings.Contains(strings.Join(d.Warnings, "\n"), "from elsewhere") {
		t.Errorf("%d bytes, %q", len(d.Text), d.Warnings)
	}
}

// In a doc set where each file is as the page, references lead on without end, and each
// to several others.
func TestReferencesWithoutEnd(t *testing.T) {
	t.Parallel()
	src := `<topic id="a"><title><keyword keyref="k/a"/><keyword keyref="k/b"/></title><body><p id="p">` +
		strings.Repeat(`<ph conref="s/a.dita#a/p"/><xref href="s/a.dita"/>`, 5) + `</p><map><mapref href="s/m.ditamap"/><keydef keys="k" href="s/k.dita"/></map></body></topic>`
	d, err := dita.New().Parse(context.Background(), []byte(src), inDocSet("a.dita", "a", alike(src)))
	if err != nil || len(d.Text) > 16<<20 || !strings.Contains(strings.Join(d.Warnings, "\n"), "references stand in each other") {
		t.Errorf("%d bytes, %q, %v", len(d.Text), d.Warnings, err)
	}
}

// Files outside of the doc set are not asked for.
func TestOutside(t *testing.T) {
	t.Parallel()
	var asked []string
	src := `<topic id="a"><title>A</title><body><p conref="../../etc/passwd#x/y"/><p conref="file:///etc/passwd#x/y"/><p conref="/etc/passwd#x/y"/>
<codeblock><coderef href="../secret.txt"/></codeblock><xref href="../../b.dita"/><xref href="%2e%2e/%2e%2e/c.dita"/><xref href="javascript:alert(1)">x</xref></body></topic>`
	_, err := dita.New().Parse(context.Background(), []byte(src), parse.Options{Path: "sub/a.dita", FallbackTitle: "x", Open: func(p string) ([]byte, error) {
		asked = append(asked, p)
		return nil, fs.ErrNotExist
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range asked {
		if strings.HasPrefix(p, "..") || strings.HasPrefix(p, "/") {
			t.Errorf("%s was asked for", p)
		}
	}
}

// Pages of any shape stay within bounds.
func TestShapes(t *testing.T) {
	t.Parallel()
	open := "<topic id='a'><title>T</title><body>"
	for name, src := range map[string]string{
		"deep elements":    open + strings.Repeat("<ph>", 50_000) + "words",
		"deep divisions":   open + strings.Repeat("<div>", 20_000) + "words" + strings.Repeat("</div>", 20_000),
		"deep topics":      strings.Repeat("<topic><title>T</title>", 10_000) + "words",
		"deep lists":       open + strings.Repeat("<ul><li>x", 5_000) + "words",
		"deep steps":       "<task><title>T</title><taskbody>" + strings.Repeat("<steps><step><cmd>x</cmd>", 20_000) + "words",
		"many attributes":  open + "<p " + strings.Repeat("a='b' ", 100_000) + ">words</p>",
		"many sections":    open + strings.Repeat("<section><title>T</title></section>", 30_000) + "<p>words</p>",
		"a wide table":     open + "<table><tgroup>" + strings.Repeat("<colspec colname='a'/>", 10_000) + "<tbody><row>" + strings.Repeat("<entry>x</entry>", 20_000) + "</row></tbody></tgroup></table><p>words</p>",
		"a tall span":      open + "<table><tgroup><tbody>" + strings.Repeat("<row><entry morerows='99999999'>x</entry></row>", 3_000) + "</tbody></tgroup></table><p>words</p>",
		"open comments":    open + strings.Repeat("<!-- ", 20_000) + "words",
		"open data":        open + strings.Repeat("<![CDATA[ ", 20_000) + "words",
		"a long attribute": open + "<p id='" + strings.Repeat("x", 1<<20) + "'>words</p>",
		"closing tags":     open + strings.Repeat("</p>", 50_000) + "words",
		"many keys":        open + strings.Repeat("<keyword keyref='a'/>", 50_000) + "words",
		"empty elements":   open + "<p>" + strings.Repeat("<b/>", 250_000) + "words</p>",
	} {
		d := one(t, src)
		if !strings.Contains(string(d.Text), "words") || !utf8.Valid(d.Text) {
			t.Errorf("%s: the words are lost in %d bytes; %q", name, len(d.Text), d.Warnings)
		}
		if len(d.Text) > 12*len(src)+1<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	}
}

// A conversion that is no longer wanted ends.
func TestCanceled(t *testing.T) {
	t.Parallel()
	parsetest.Canceled(t, dita.New(), "a.dita", "<topic/>")
}

func FuzzParse(f *testing.F) {
	for _, file := range list(f, set) {
		src, err := fs.ReadFile(testdata, "testdata/set/"+file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte("\xff\xfe<\x00t\x00o\x00p\x00i\x00c\x00>\x00"))
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "&b;">]><topic id="a"><p id="b" conref="#a/b"/>&b;</topic>`))
	f.Add([]byte(`<topic id="a"><p id="b">c</p><p conaction="pushbefore">d</p><p conaction="mark" conref="#a/b"/><p conaction="pushafter">e</p><p conaction="pushreplace" conref="a.dita#a">f</p></topic>`))
	f.Add([]byte(`<map><keydef keys="a" href="a.dita"/><topicref keyref="a"/></map>`))
	f.Fuzz(func(t *testing.T, src []byte) {
		opt := inDocSet("a.dita", "a", alike(src))
		if _, ok := parsetest.Promises(t, dita.New(), src, opt); !ok {
			t.Error("it is left out")
		}
		dita.SniffDITA(src)
	})
}

// A page that asks for a key depends on all maps by one use, and on maps that have other endings by
// their paths; one that asks for none depends on no map.
func TestUsesOfKeys(t *testing.T) {
	t.Parallel()
	set := fileSet{
		"plain.dita":        `<topic id="p"><title>Plain</title><body><p>No keys.</p></body></topic>`,
		"deep/er/page.dita": `<topic id="t"><title>Page</title><body><p><keyword keyref="a"/>, <keyword keyref="b"/>, <keyword keyref="c"/>.</p></body></topic>`,
		"z.ditamap":         `<map><keydef keys="a"><topicmeta><keywords><keyword>outermost</keyword></keywords></topicmeta></keydef><mapref href="more.xml" format="ditamap"/></map>`,
		"deep/k.ditamap":    `<map><keydef keys="a b"><topicmeta><keywords><keyword>around</keyword></keywords></topicmeta></keydef></map>`,
		"a/far.ditamap":     `<map><keydef keys="b"><topicmeta><keywords><keyword>far</keyword></keywords></topicmeta></keydef></map>`,
		"more.xml":          `<map><keydef keys="c"><topicmeta><keywords><keyword>of a map with another ending</keyword></keywords></topicmeta></keydef></map>`,
	}
	for page, want := range map[string]string{"plain.dita": "", "deep/er/page.dita": ".ditamap .bookmap, more.xml"} {
		var used []string
		opt := inDocSet(page, "x", set)
		opt.UseAll = func(endings ...string) { used = append(used, strings.Join(endings, " ")) }
		open := opt.Open
		opt.Open = func(p string) ([]byte, error) {
			used = append(used, p)
			return open(p)
		}
		d, err := dita.New().Parse(t.Context(), []byte(set[page]), opt)
		if err != nil || strings.Join(used, ", ") != want {
			t.Errorf("%s: %q, %v", page, used, err)
		}
		if page != "plain.dita" && !strings.Contains(string(d.Text), "outermost, around, of a map with another ending.") {
			t.Errorf("%s: %s", page, d.Text)
		}
	}
}
