package po_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/po"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, po.Parser{}, parsetest.Sources(t, "testdata/*.po"), *update)
}

// docSet opens files by their paths, and notes which were asked for.
type docSet struct {
	files map[string]string
	asked []string
}

func (s *docSet) open(name string) ([]byte, error) {
	s.asked = append(s.asked, name)
	if text, ok := s.files[name]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

func read(t *testing.T, path, src string, files map[string]string) doc.Document {
	t.Helper()
	s := &docSet{files: files}
	return parsetest.Document(t, po.Parser{}, src, parse.Options{Path: path, Open: s.open})
}

const lampPath = "docs/locale/de/LC_MESSAGES/lamp.po"

const lamp = `.. _top:

Lamps
=====

A *wick* that smokes is too long.
Trim it before dusk,
with the "small" scissors::

    lamp trim

1. Open the lamp.
2. Let it cool.

Oil of rape burns longest.

.. note::
   One drop

Lamps
`

// A page of the doc set is shown with the translations in the places of its texts: the title
// with its longer line below, paragraphs of several lines, items of lists, notes. Code stays,
// and texts whose translation is missing or unconfirmed.
func TestOriginalIsTranslated(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/lampe.po")
	if err != nil {
		t.Fatal(err)
	}
	d := read(t, lampPath, string(src), map[string]string{"docs/lamp.rst": lamp})
	want := "# Öllampen und ihre Dochte\n\nEin *Docht*, der rußt, ist zu lang. Kürze ihn vor der Dämmerung, mit der \"kleinen\" Schere:\n\n" +
		"```\nlamp trim\n```\n\n1. Öffne die Lampe.\n2. Let it cool.\n\nOil of rape burns longest.\n\n> [!NOTE]\n> Ein Tropfen\n\nLamps\n"
	if string(d.Text) != want || d.Title != "Öllampen und ihre Dochte" {
		t.Errorf("%q is\n%s, want\n%s", d.Title, d.Text, want)
	}
	if len(d.Sections) != 1 || d.Sections[0].Anchor != "top" || d.Location(1).Line != 8 || d.Location(3).Line != 12 || d.Location(6).Line != 0 {
		t.Errorf("sections %+v, places %v", d.Sections, d.Map)
	}
}

// Each form in which a text can stand in its page.
func TestPlacesOfTexts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, original, id, want string }{
		{"rst", "* Cut it\n  short\n\n* oil\n", "Cut it short", "- Neu\n- oil\n"},
		{"rst", "wick\n  Cut it.\n", "Cut it.", "- **wick**\n  Neu\n"},
		{"rst", ".. versionadded:: 2.0 Cut it.\n", "Cut it.", "*New in version 2.0*: Neu\n"},
		{"rst", ".. list-table::\n\n   * - Cut it\n     - oil\n", "Cut it", "| | |\n| --- | --- |\n| Neu | oil |\n"},
		{"rst", "==== ========\nno.  what\n==== ========\n1    Cut it\n     short.\n2    x\n==== ========\n", "Cut it short.", "| no. | what |\n| --- | --- |\n| 1 | Neu |\n| 2 | x |\n"},
		{"rst", "+----+--------+\n| x  | Cut it |\n|    | short. |\n+----+--------+\n| y  | z      |\n+----+--------+\n", "Cut it short.", "| | |\n| --- | --- |\n| x | Neu |\n| y | z |\n"},
		{"rst", "==== ========\n芯   what\n==== ========\nÖl   Cut it\n     short.\n2    x\n==== ========\n", "Cut it short.", "| 芯 | what |\n| --- | --- |\n| Öl | Neu |\n| 2 | x |\n"},
		{"rst", "==== ==== ====\na    b\n---- ---------\nx    y    z\n==== ==== ====\n1    Cut  3\n==== ==== ====\n", "Cut", "| a x | b y | z |\n| --- | --- | --- |\n| 1 | Neu | 3 |\n"},
		{"rst", "+----+--------+---+\n| x  | Cut it     |\n+====+========+===+\n| Öl | 油     | w |\n+----+--------+---+\n", "Cut it", "| x | Neu |  |\n| --- | --- | --- |\n| Öl | 油 | w |\n"},
		{"rst", "+----+--------+\n| x  | Cut it |\n|    +--------+\n|    | z      |\n+----+--------+\n", "Cut it", "| | |\n| --- | --- |\n| x | Neu |\n|  | z |\n"},
		{"rst", "+----+--------+---+\n| x  | Cut it | a |\n+----+        +---+\n| y  |        | b |\n+----+--------+---+\n| z  | on     | c |\n+----+--------+---+\n", "Cut it", "| | | |\n| --- | --- | --- |\n| x | Neu | a |\n| y |  | b |\n| z | on | c |\n"},
		{"rst", ".. csv-table:: Wicks\n   :header: \"no.\", \"what, then\"\n   :widths: 1, 2\n\n   1, \"Cut it\n   short.\"\n   2\n\nMore.\n", "Cut it short.", "| no. | what, then |\n| --- | --- |\n| 1 | Neu |\n| 2 |  |\n\nMore.\n"},
		{"rst", ".. note::\n\n   +----+--------+\n   | x  | Cut it |\n   +----+--------+\n", "Cut it", "> [!NOTE]\n>\n> | | |\n> | --- | --- |\n> | x | Neu |\n"},
		{"rst", "On\n\n::\n\n  +----+\n  | on |\n  +----+\n", "On", "Neu\n\n```\n+----+\n| on |\n+----+\n```\n"},
		{"rst", "===\nCut\n===\n\nx\n", "Cut", "# Neu\n\nx\n"},
		{"rst", "Cut it. And more.\n", "Cut it.", "Cut it. And more.\n"}, // not the whole of a block
		{"md", "# Cut it #\n\nx\n", "Cut it", "# Neu #\n\nx\n"},
		{"md", "> Cut\n> it\n\n- [ ] oil\n", "Cut it", "> Neu\n\n- [ ] oil\n"},
		{"md", "| a | b |\n|---|---|\n| oil | Cut it |\n", "Cut it", "| a | b |\n|---|---|\n| oil | Neu |\n"},
		{"md", "- [ ] oil\n", "oil", "- [ ] Neu\n"},
	} {
		src := "#: a." + tt.name + ":1\nmsgid \"" + tt.id + "\"\nmsgstr \"Neu\"\n"
		d := read(t, "a.po", src, map[string]string{"a." + tt.name: tt.original})
		if tt.want == tt.original { // read without the page, as nothing of it has a place
			tt.want = "# Neu\n"
		}
		if string(d.Text) != tt.want {
			t.Errorf("%q is\n%q, want\n%q", tt.original, d.Text, tt.want)
		}
	}
}

// Of equal texts the one near the message's line is its place.
func TestNearestPlaceIsTaken(t *testing.T) {
	t.Parallel()
	src := "#: a.md:5\nmsgctxt \"second\"\nmsgid \"oil\"\nmsgstr \"Öl\"\n\n#: a.md:9\nmsgctxt \"third\"\nmsgid \"oil\"\nmsgstr \"Erdöl\"\n\n" +
		"#: a.md:1\nmsgctxt \"first\"\nmsgid \"oil\"\nmsgstr \"\"\n"
	d := read(t, "a.po", src, map[string]string{"a.md": "oil\n\nx\n\noil\n\ny\n\noil\n"})
	if want := "oil\n\nx\n\nÖl\n\ny\n\nErdöl\n"; string(d.Text) != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// The original is found from the catalog's folder upwards, by the name in the references or by
// the catalog's own. Files outside of the doc set, other catalogs and formats are not opened.
func TestOriginalsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, ref, file string }{
		{"docs/locale/de/LC_MESSAGES/guide/a.po", "../../guide/a.rst", "docs/guide/a.rst"},
		{"locales/de/LC_MESSAGES/a.po", "../source/a.rst", "source/a.rst"},
		{"po/de/a.po", "a.md", "a.md"},
		{"docs/locale/de/LC_MESSAGES/guide/a.po", "moved/a.rst", "docs/guide/a.md"},
		{"a.po", "../../../etc/a.rst", ""},
		{"a.po", "/etc/a.rst", ""},
		{"a.po", "a.po", ""},
		{"b.po", "a.adoc", ""},
	} {
		s := &docSet{files: map[string]string{tt.file: "Oil burns.\n\nStill here.\n", "a.po": "Oil burns.\n\nWrong.\n", "a.adoc": "Oil burns.\n\nWrong.\n"}}
		d, err := po.Parser{}.Parse(t.Context(), []byte("#: "+tt.ref+":1\nmsgid \"Oil burns.\"\nmsgstr \"Öl brennt.\"\n"),
			parse.Options{Path: tt.path, Open: s.open, Wanted: true})
		if err != nil {
			t.Fatal(err)
		}
		want := "Öl brennt.\n"
		if tt.file != "" {
			want = "Öl brennt.\n\nStill here.\n"
		}
		if strings.TrimSpace(string(d.Text)) != strings.TrimSpace(want) {
			t.Errorf("%s of %s is %q, want %q", tt.path, tt.ref, d.Text, want)
		}
		for _, name := range s.asked {
			if !fs.ValidPath(name) || strings.HasSuffix(name, ".po") || strings.HasSuffix(name, ".adoc") {
				t.Errorf("%s of %s opens %s", tt.path, tt.ref, name)
			}
		}
	}
}

// A catalog that several pages share is all of them, one below the other. The sections keep
// the anchors that they have in their pages.
func TestSeveralOriginals(t *testing.T) {
	t.Parallel()
	src := "#: a.rst:3\nmsgid \"Lamps\"\nmsgstr \"Lampen\"\n\n#: b.md:1\nmsgid \"Oil\"\nmsgstr \"Öl\"\n\n#: c.rst:1\nmsgid \"Lost.\"\nmsgstr \"Verloren.\"\n"
	d := read(t, "all.po", src, map[string]string{"a.rst": ".. _l:\n\nLamps\n=====\n\nx\n", "b.md": "# Oil\n\ny\n"})
	if want := "# Lampen\n\nx\n\n# Öl\n\ny\n\nVerloren.\n"; string(d.Text) != want || d.Title != "Lampen" {
		t.Errorf("%q is\n%q, want\n%q", d.Title, d.Text, want)
	}
	if len(d.Sections) != 2 || d.Sections[0].Anchor != "l" || d.Location(1).Line != 2 || d.Location(5).Line != 6 || d.Location(9).Line != 10 {
		t.Errorf("%+v, %v", d.Sections, d.Map)
	}
}

// The text that a message stands for may have moved far away, among others that begin with the
// same word.
func TestOriginalThatGrew(t *testing.T) {
	t.Parallel()
	original := "The lamp burns for long.\n\n"
	for i := range 200 {
		original = fmt.Sprintf("The oil of kind %d burns.\n\n", i) + original
	}
	d := read(t, "a.po", "#: a.rst:1\nmsgid \"The lamp burns for long.\"\nmsgstr \"Die Lampe brennt lange.\"\n", map[string]string{"a.rst": original})
	if !strings.HasSuffix(string(d.Text), "burns.\n\nDie Lampe brennt lange.\n") {
		t.Errorf("the text ends in %.100q", d.Text[max(0, len(d.Text)-100):])
	}
}

// mdBook's catalogs have the targets of links in the texts, where the pages may define them
// elsewhere. Links lead from the folder of the catalog to where they led, and code stays.
func TestLinksOfMarkdown(t *testing.T) {
	t.Parallel()
	original := "See [the\noil][1] and [wicks].\n\n- [on](on.md#x) [web](https://a.example) [here](#x)\n\n```\n[a](b.md)\n```\n\n[1]: oil.md\n[Wicks]: ../wicks.md\n"
	src := "#: src/a/lamp.md\nmsgid \"See [the oil](oil.md) and [wicks](../wicks.md).\"\nmsgstr \"Siehe [Öl](oil.md), [Dochte](../wicks.md).\"\n"
	d := read(t, "po/de.po", src, map[string]string{"src/a/lamp.md": original})
	want := "Siehe [Öl](../src/a/oil.md), [Dochte](../src/a/../wicks.md).\n\n- [on](../src/a/on.md#x) [web](https://a.example) [here](#x)\n\n" +
		"```\n[a](b.md)\n```\n\n[1]: oil.md\n[Wicks]: ../wicks.md\n"
	if string(d.Text) != want {
		t.Errorf("the text is\n%s, want\n%s", d.Text, want)
	}
}

// Links of reStructuredText lead from the folder of the catalog to where they lead from the original,
// also where that is gone: they led to pages that no folder of catalogs has.
func TestLinksOfReStructuredText(t *testing.T) {
	t.Parallel()
	src := "#: ../../guide/lamp.rst:4\nmsgid \"See :doc:`oil`, :doc:`/top` and `this <https://a.example>`_.\"\n" +
		"msgstr \"Siehe :doc:`Öl <oil>`, :doc:`/top` und `dies <https://a.example>`_.\"\n"
	want := "Siehe [Öl](../../../../guide/oil), [top](/top) und [dies](https://a.example).\n"
	for name, files := range map[string]map[string]string{
		"with its original": {"guide/lamp.rst": "Lamps\n=====\n\nSee :doc:`oil`, :doc:`/top` and `this <https://a.example>`_.\n"},
		"alone":             {},
	} {
		d := read(t, "locale/de/LC_MESSAGES/guide/lamp.po", src, files)
		if !strings.HasSuffix(string(d.Text), want) || len(d.Links) != 3 || d.Links[0].Target != "../../../../guide/oil" {
			t.Errorf("%s: the text is\n%s, the links are %+v", name, d.Text, d.Links)
		}
	}
}

// Of a catalog that pages share, those with hardly a translation are left out: they would be
// copies of their originals. The words of their messages are not counted as lost.
func TestOriginalsWithoutTranslationsAreLeftOut(t *testing.T) {
	t.Parallel()
	src := "#: a.rst:3\nmsgid \"Lamps burn.\"\nmsgstr \"Lampen brennen.\"\n\n"
	for i := range 20 {
		src += fmt.Sprintf("#: b.md:%d\nmsgid \"Oil of kind %d.\"\nmsgstr \"\"\n\n", i, i)
	}
	d := read(t, "all.po", src, map[string]string{"a.rst": "Lamps burn.\n", "b.md": "# Oil\n"})
	if string(d.Text) != "Lampen brennen.\n" || d.Words != (doc.WordCount{Source: 2, Arrived: 2}) {
		t.Errorf("%q, %+v", d.Text, d.Words)
	}
}

// Catalogs of the texts of a program are no pages, nor are those with hardly a
// translation; one that a person hands in is.
func TestWhichCatalogsArePages(t *testing.T) {
	t.Parallel()
	message := func(ref, text string) string { return ref + "\nmsgid \"Oil\"\nmsgstr \"" + text + "\"\n\n" }
	for _, tt := range []struct {
		src         string
		sniffed, is bool
	}{
		{message("#: a.rst:1", "Öl"), true, true},
		{message("#: a.c:1", "Öl"), false, false},
		{message("#: app/templates/a.html:1", "Öl"), false, false},
		{message("#: res/values/strings.xml:1", "Öl"), false, false},
		{message("#: a.sgml.in:1", "Öl"), true, true},
		{message("#: lamp.py:docstring of lamp.trim:1", "Öl"), true, true},
		{message("#: lamp.trim:1 of", "Öl"), true, true},
		{message("#: \u2068a b.rst\u2069:1", "Öl"), true, true},
		{message("", "Öl"), false, false},
		{"msgid \"Trim the :ref:`wick <wick>` first.\"\nmsgstr \"Kürze den :ref:`Docht <wick>` zuerst.\"\n", true, true},
		{"msgid \"A lamp that smokes has a wick that is too long.\"\nmsgstr \"Der Docht ist zu lang.\"\n", true, true},
		{"#, c-format\nmsgid \"The lamp in the room %s does not have enough oil.\"\nmsgstr \"Öl fehlt: %s.\"\n", false, false},
		{message("#: a.rst:1", ""), true, false},
		{"# " + strings.Repeat("x", parse.HeadBytes) + "\nmsgid \"\"\n" + message("#: a.c:1", "Öl"), false, false},
		{"msgid \"\"\n\"" + strings.Repeat("x", parse.HeadBytes) + "\n" + message("#: a.rst:1", "Öl"), true, true},
	} {
		head, _ := parse.HeadOf([]byte(tt.src))()
		if got := (po.Parser{}).Info().Sniff(head); got != tt.sniffed {
			t.Errorf("%.60q is taken for a page by its beginning: %v", tt.src, got)
		}
		_, err := po.Parser{}.Parse(t.Context(), []byte(tt.src), parse.Options{Path: "a.po"})
		if _, left := errors.AsType[parse.LeftOut](err); left == tt.is || !left && err != nil {
			t.Errorf("%.60q: %v", tt.src, err)
		}
		if _, err := (po.Parser{}).Parse(t.Context(), []byte(tt.src), parse.Options{Path: "a.po", Wanted: true}); err != nil {
			t.Errorf("%.60q, handed in: %v", tt.src, err)
		}
	}
}

// A catalog that does not say where its messages come from has the markup that they show.
func TestMarkupOfUnreferencedMessages(t *testing.T) {
	t.Parallel()
	d := read(t, "lamp.po", "msgid \"Lamps\"\nmsgstr \"Lampen\"\n\nmsgid \"Trim the :term:`wick` by ``trim``.\"\n"+
		"msgstr \"Kürze den :term:`Docht <wick>` mit ``trim``.\"\n\n"+
		"msgid \"light() # it\\nburn()\\n\"\nmsgstr \"light() # sie\\nburn()\\n\"\n", nil)
	if want := "# Lampen\n\nKürze den Docht mit `trim`.\n\n```\nlight() # sie\nburn()\n```\n"; string(d.Text) != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// What a catalog's strings say: several lines, escapes, encodings, strings that are not closed.
func TestStrings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"msgid \"a\"\nmsgstr \"\"\n\"One \"\n\"two\\tthree.\"\n", "One two three."},
		{"msgid \"a\"\nmsgstr \"\\303\\\\ \\x41\\u \\\"q\\\".\"\n", "Ã\\ Au \"q\"."},
		{"msgid \"a\"\nmsgstr \"open.\n", "open."},
		{"msgid \"a\"\nmsgstr \"red \x1b[31m\\033[0m.\"\n", "red [31m[0m."},
		{"\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\nmsgid \"a\"\nmsgstr \"\xd6l.\"\n", "Öl."},
		{"\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\nmsgid \"a\"\nmsgstr \"Öl.\"\n", "Öl."}, // it is UTF-8, whatever it says
		{"\"Content-Type: text/plain; charset=none\\n\"\nmsgid \"a\"\nmsgstr \"\xd6l.\"\n", "\uFFFDl."},
	} {
		d := read(t, "a.po", "#: a.md:1\n"+tt.src, nil)
		if got := strings.Join(strings.Fields(string(d.Text)), " "); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.src, got, tt.want)
		}
	}
}

// A catalog that belongs to another version of its page is shown without it.
func TestOtherVersionOfTheOriginal(t *testing.T) {
	t.Parallel()
	src := "#: a.rst:1\nmsgid \"Gone.\"\nmsgstr \"Fort.\"\n\n#: a.rst:3\nmsgid \"Lost.\"\nmsgstr \"Weg.\"\n\n#: a.rst:5\nmsgid \"Oil.\"\nmsgstr \"Öl.\"\n"
	d := read(t, "a.po", src, map[string]string{"a.rst": "New text.\n\nOil.\n"})
	if string(d.Text) != "Fort.\n\nWeg.\n\nÖl.\n" || !slices.Contains(d.Warnings, "1 of 3 messages have a place in a.rst") {
		t.Errorf("%q, %q", d.Text, d.Warnings)
	}
}

func hostile(n int) map[string]string {
	head := "#: a.md:1\n"
	return map[string]string{
		"one line":      head + "msgid \"a\"\nmsgstr \"" + strings.Repeat("wick ", n),
		"escapes":       head + "msgid \"a\"\nmsgstr \"" + strings.Repeat("\\", n),
		"numbers":       head + "msgid \"a\"\nmsgstr \"" + strings.Repeat("\\x\\777\\8\\0", n),
		"references":    "#: " + strings.Repeat("a.md:99999999999999999999 ", n) + "\nmsgid \"a\"\nmsgstr \"b\"\n",
		"open names":    "#: " + strings.Repeat("\u2068a.md ", n) + "\nmsgid \"a\"\nmsgstr \"b\"\n",
		"many files":    head + parsetest.Numbered(n, "\n\n", "#: a.md:1\nmsgid \"a\"\nmsgstr \"b%d\""),
		"keywords":      head + "msgid \"a\"\n" + strings.Repeat("msgstr \"a\"\n", n),
		"plurals":       head + "msgid \"a\"\n" + strings.Repeat("msgstr[\"a\"\nmsgstr[9] \"c\"\n", n),
		"no keyword":    head + "msgid \"a\"\nmsgstr \"b\"\n" + strings.Repeat("x\n", n),
		"comments":      head + "msgid \"a\"\nmsgstr \"b\"\n" + strings.Repeat("#\n#~\n#,\n#:\n#|\n", n),
		"control":       head + "msgid \"a\"\nmsgstr \"\x00\x01\x1b[31m\x07 b\\\x00\\\x1b\"\n",
		"not UTF-8":     head + "msgid \"a\"\nmsgstr \"f\xfcr\"\n",
		"UTF-16":        "\xff\xfe" + strings.Repeat("a\x00", n),
		"binary":        strings.Repeat("\x00\xde\x12\x04\x95", n),
		"the catalog":   strings.ReplaceAll(head, "a.md", "a.po") + "msgid \"a\"\nmsgstr \"b\"\n",
		"marks":         head + "msgid \"a\"\nmsgstr \"" + strings.Repeat("`` :a:`", n) + "\"\n",
		"headings":      head + "msgid \"a\"\nmsgstr \"# a\"\n\n" + strings.Repeat("#: a.rst:1\nmsgid \"a\"\nmsgstr \"b\\n=\"\n\n", n),
		"other formats": "#: a.adoc:1\nmsgid \"a\"\nmsgstr \"include::a[]\"\n\n#: a.xml:1\nmsgid \"a\"\nmsgstr \"<b>\"\n",
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, po.Parser{}, "a.po", hostile, nil)
	parsetest.Canceled(t, po.Parser{}, "a.po", "#: a.md:1\nmsgid \"a\"\nmsgstr \"b\"\n")
}

// A page of one word in many places, and messages with long texts that almost stand there, cost
// no more than a bound, and a text that stands in many places does not fill the memory.
func TestHostileOriginals(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a ", 20_000)
	src := strings.Repeat("#: a.rst:1 a.rst:900 a.rst:5000\nmsgid \""+long+"b\"\nmsgstr \"c\"\n\n", 5) +
		strings.Repeat("#: a.rst:1 a.rst:2 a.rst:3\nmsgid \"a\"\nmsgstr \""+strings.Repeat("c", 100_000)+"\"\n\n", 5)
	d := read(t, "a.po", src, map[string]string{"a.rst": strings.Repeat("a\n\n", 40_000)})
	if len(d.Text) > 20*len(src) {
		t.Errorf("a text of %d bytes of a catalog of %d", len(d.Text), len(src))
	}
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, po.Parser{}, parse.Options{Path: "a.po", Wanted: true, Open: func(name string) ([]byte, error) {
		if name == "docs/lamp.rst" || name == "lamp.rst" {
			return []byte(lamp), nil
		}
		return nil, fs.ErrNotExist
	}}, parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.po"), hostile(3))...)
}

// Without its page a catalog says what it translates, and nothing in the language of the original:
// the English messages of a Swedish catalog led answers to English questions.
func TestACatalogAloneHasNoUntranslatedMessages(t *testing.T) {
	t.Parallel()
	src := "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n" +
		"#. (itstool) path: refsect1/para\nmsgid \"The lamp is lit with <_:command-1/> at dusk.\"\nmsgstr \"Lampan tänds med <_:command-1/> i skymningen.\"\n\n" +
		"#. (itstool) path: para/command\nmsgid \"<_:command-1/>\"\nmsgstr \"<_:command-1/>\"\n\n" +
		"#. (itstool) path: refsect1/para\nmsgid \"The wick is trimmed at dawn.\"\nmsgstr \"\"\n\n" +
		"#. (itstool) path: refsect1/para\n#, fuzzy\nmsgid \"The oil is whale oil.\"\nmsgstr \"Oljan är gammal.\"\n"
	d, err := po.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "po/sv.po", Wanted: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.TrimSpace(string(d.Text)), "Lampan tänds med … i skymningen."; got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
}
