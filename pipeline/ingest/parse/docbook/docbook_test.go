package docbook_test

import (
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/docbook"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, docbook.Parser{}, parsetest.Sources(t, "testdata/*.xml"), *update)
}

// Only what begins as DocBook is DocBook: XML is many things.
func TestSniff(t *testing.T) {
	t.Parallel()
	sniff := docbook.Parser{}.Info().Sniff
	for head, want := range map[string]bool{
		"<!DOCTYPE refentry PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\">\n<refentry>":                true,
		"<?xml version='1.0'?>\n<!-- c -->\n<section xmlns=\"http://docbook.org/ns/docbook\" version='5.0'>": true,
		"<db:article xmlns:db='http://docbook.org/ns/docbook'>":                                              false, // prefixes are rare: the root has none
		"<!-- doc/src/x.sgml -->\n\n<chapter id=\"wal\">\n <title>WAL</title>":                               true,
		"<sect1 id=\"a\"><title>x": true,
		"<refentry>\n<refmeta>":    true,
		"<?xml version='1.0'?>\n<lamp:setting name='oil' xmlns:lamp='http://example.org/lamp'>\n<description>\n<para>Which.</para>": true,
		"<doc><members><member name='M:Lamp'><summary><para>Lights.</para>":                                                         false,
		"<!DOCTYPE lamp [\n]>\n<lamp><para>x</para>":                                                                                false,
		"<chapter><verse n='1'>":        false,
		"<book><author>A</author>":      false,
		"<article><front><journal-meta": false,
		"<topic id='a'><title>x":        false, "<project><title>": false, "<html><body>": false, "": false, "text": false,
	} {
		if strings.HasPrefix(head, "<db:") {
			want = sniff([]byte(head)) // either is right
		}
		if sniff([]byte(head)) != want {
			t.Errorf("%q is DocBook: %v", head, !want)
		}
	}
}

// folder is a doc set in memory.
type folder map[string]string

func (f folder) Open(name string) (parse.Opened, error) {
	text, ok := f[name]
	if !ok {
		return parse.Opened{}, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return parse.Opened{Data: []byte(text)}, nil
}

func (f folder) List(...string) []string {
	var all []string
	for name := range f {
		all = append(all, name)
	}
	return all
}

func (f folder) read(t *testing.T, file string) doc.Document {
	t.Helper()
	d, err := docbook.Parser{}.Parse(t.Context(), []byte(f[file]), parse.Options{Path: file,
		Open:   func(name string) ([]byte, error) { o, err := f.Open(name); return o.Data, err },
		Survey: func(_ string, of func(parse.Files) any) any { return of(f) }})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const head = "<!DOCTYPE x PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\">\n"

// A reference to another manual page of the doc set is a link to it.
func TestReferencesToManualPages(t *testing.T) {
	t.Parallel()
	page := func(name, text string) string {
		return head + "<refentry id='" + name + "'><refmeta>\n<refentrytitle>" + name + "</refentrytitle>\n<manvolnum>8</manvolnum></refmeta>" +
			"<refnamediv><refname>" + name + "</refname><refpurpose>burns</refpurpose></refnamediv><refsect1><title>Use</title><para>" + text + "</para></refsect1></refentry>"
	}
	cited := func(name string) string {
		return "<citerefentry><refentrytitle>" + name + "</refentrytitle><manvolnum>8</manvolnum></citerefentry>"
	}
	set := folder{"man/lamp.xml": page("lamp", "See "+cited("wick")+", "+cited("lamp")+" and "+cited("gone")+"."), "sub/wick.xml": page("wick", "Text.")}
	if got, want := string(set.read(t, "man/lamp.xml").Text), "See [`wick(8)`](../sub/wick.xml), `lamp(8)` and `gone(8)`."; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// What XInclude takes from a fragment stands in its place, with its line; a chapter that is a
// page of its own is a link; a reference to another file shows the title there.
func TestIncludesAndReferences(t *testing.T) {
	t.Parallel()
	set := folder{
		"book.xml":          head + "<book><title>Lanterns</title>\n<xi:include href=\"sub/ch.xml\"/>\n<preface><para>See <xref linkend='trim'/> and <link linkend='opt-t'>it</link>.</para></preface></book>",
		"sub/ch.xml":        head + "<chapter id='ch'><title>Wicks</title>\n<sect1 id='trim'><title>Trim &amp; cut</title>\n<xi:include href='../parts.xml' xpointer='common'/>\n<variablelist><xi:include href='../parts.xml' xpointer='xpointer(id(\"opt-h\"))'/></variablelist><xi:include href='gone.xml'/><xi:include href='a.c' parse='text'/></sect1></chapter>",
		"parts.xml":         "<variablelist>\n<varlistentry id='opt-h'><term>-h</term><listitem><para>Helps.</para></listitem></varlistentry>\n<varlistentry id='opt-t'><term>-t</term></varlistentry><para id='common'>Common to all.</para></variablelist>",
		"sub/a.c":           "int wick;",
		"more/opts.docbook": "<variablelist><varlistentry id='opt-t'><term>-t</term></varlistentry></variablelist>",
	}
	d := set.read(t, "sub/ch.xml")
	for _, want := range []string{"Common to all.", "- **-h**\n  Helps.", "[gone.xml]", "int wick;"} {
		if !strings.Contains(string(d.Text), want) {
			t.Errorf("%q is not in\n%s", want, d.Text)
		}
	}
	if n := strings.Count(string(d.Text[:strings.Index(string(d.Text), "Common")]), "\n") + 1; d.Location(n).Line != 4 {
		t.Errorf("the included line stands at %+v", d.Location(n))
	}
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "gone.xml") {
		t.Errorf("the warnings are %q", d.Warnings)
	}
	book := string(set.read(t, "book.xml").Text)
	for _, want := range []string{"[Wicks](sub/ch.xml)", "[Trim & cut](sub/ch.xml#trim)"} {
		if !strings.Contains(book, want) {
			t.Errorf("%q is not in\n%s", want, book)
		}
	}
	loop := folder{"a.xml": head + "<para><xi:include href='b.inc'/></para>", "b.inc": "<phrase>x<xi:include href='b.inc'/><xi:include href='b.inc'/></phrase>"}
	if d := loop.read(t, "a.xml"); len(d.Text) > 10_000 || len(d.Warnings) == 0 {
		t.Errorf("an inclusion of itself has %d bytes, %q", len(d.Text), d.Warnings)
	}
}

// A section whose content is taken from another one has its title: the guides of PAM, made of
// their manual pages, had none of these sections.
func TestSectionsWhoseContentIsIncluded(t *testing.T) {
	t.Parallel()
	f := folder{
		"guide.xml": head + "<chapter><title>Wicks</title><section id='about'><xi:include href='wick.xml' " +
			"xpointer='xpointer(id(\"wick-about\")/*)'/></section></chapter>",
		"wick.xml": head + "<refentry><refsect1 id='wick-about'><title>ABOUT</title><para>It burns.</para></refsect1></refentry>",
	}
	d := f.read(t, "guide.xml")
	if want := "# Wicks\n\n## ABOUT\n\nIt burns.\n"; string(d.Text) != want || d.Sections[1].Anchor != "about" {
		t.Errorf("it is %v\n%s\nwant\n%s", d.Sections, d.Text, want)
	}
}

// Entities of files that lie in the doc set stand for their text, also in a page that a book takes
// in and that has no document type of its own.
func TestEntitiesOfOtherFiles(t *testing.T) {
	t.Parallel()
	const chapter = "<chapter><title>Oil</title><para>Of &lamp; &version;: &wide; &none;</para></chapter>"
	set := folder{
		"book.xml": "<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\" [\n<!ENTITY % names SYSTEM \"common/names.ent\">\n%names;\n" +
			"<!ENTITY % unused SYSTEM \"common/unused.ent\">\n<!ENTITY version \"2.1\">\n]>\n<book><title>&lamp;</title>" + chapter + "</book>",
		"ch/oil.xml":        chapter,
		"common/names.ent":  "<!ENTITY lamp \"<productname>Lantern</productname>\">\n<!-- <!ENTITY lamp \"no\"> -->\n<!ENTITY version \"9\">\n<!ENTITY wide 'All of &lamp;'>\n",
		"common/unused.ent": "<!ENTITY none \"no\">",
	}
	for _, file := range []string{"book.xml", "ch/oil.xml"} {
		if d := set.read(t, file); !strings.Contains(string(d.Text), "Of Lantern 2.1: All of Lantern none") {
			t.Errorf("%s:\n%s", file, d.Text)
		}
	}
	book := folder{
		"man/lamp.xml": "<!DOCTYPE refentry PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\" [\n<!ENTITY OIL SYSTEM \"parts/oil.inc\">\n<!ENTITY gone SYSTEM \"gone.xml\">\n<!ENTITY up SYSTEM \"../../etc/passwd\">\n<!ENTITY wick SYSTEM \"wick.xml\">\n<!ENTITY name \"lamp\">\n]>\n" +
			"<refentry><refnamediv><refname>lamp</refname><refpurpose>burns</refpurpose></refnamediv><refsect1><title>Oil</title>\n<para>Use it.</para>\n&OIL;&gone;&up;\n&wick;</refsect1></refentry>",
		"man/parts/oil.inc": "<para>The &name; burns oil.</para>",
		"man/wick.xml":      head + "<chapter><title>Wicks</title><para>Trim.</para></chapter>",
	}
	d := book.read(t, "man/lamp.xml")
	if text := string(d.Text); !strings.Contains(text, "Use it.\n\nThe lamp burns oil.") || !strings.Contains(text, "[Wicks](wick.xml)") ||
		strings.Contains(text, "gone") || strings.Contains(text, "passwd") {
		t.Errorf("parts that entities stand for:\n%s", text)
	}
	delete(set, "common/names.ent")
	if d := set.read(t, "book.xml"); !strings.Contains(string(d.Text), "Of lamp 2.1: wide none") {
		t.Errorf("without the file:\n%s", d.Text)
	}
}

// Files of entities take in others, and the title of a section in another file has entities. A guide
// of 128 files said "&ceph; CRD" in its links, and "cephfs" for CephFS.
func TestEntitiesOfTitlesAndOfFilesInFiles(t *testing.T) {
	t.Parallel()
	const kind = "<!DOCTYPE chapter [\n<!ENTITY % names SYSTEM \"names.ent\">\n%names;\n]>\n"
	set := folder{
		"a.xml": kind + "<chapter xmlns=\"http://docbook.org/ns/docbook\"><title>&lamp; care</title><para>See <xref linkend=\"wick\"/>. " +
			"By <personname><firstname>Ada</firstname><surname>Byron</surname></personname>.</para></chapter>",
		"b.xml": kind + "<chapter xmlns=\"http://docbook.org/ns/docbook\"><title>B</title>\n" +
			"<sect1 xml:id=\"wick\"><title>Wicks of a &lamp; &amp; others</title><para>Trim.</para></sect1></chapter>",
		"names.ent":   "<!ENTITY % product SYSTEM \"product.ent\">\n%product;\n<!ENTITY % names SYSTEM \"names.ent\">\n%names;\n",
		"product.ent": "<!ENTITY lamp \"&a;\">\n<!ENTITY a \"&b;\">\n<!ENTITY b \"&c;\">\n<!ENTITY c \"&d;\">\n<!ENTITY d \"&e;\">\n<!ENTITY e \"Lantern\">\n",
	}
	text := string(set.read(t, "a.xml").Text)
	for _, want := range []string{"# Lantern care", "[Wicks of a Lantern & others](b.xml#wick)", "By Ada Byron."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

// A part of a manual in an element of a project's own is called as its name says.
func TestElementsOfAProject(t *testing.T) {
	t.Parallel()
	set := folder{"a.xml": "<?xml version='1.0'?>\n<lamp:setting name='oil kind' xmlns:lamp='http://example.org/lamp'>\n<description>\n" +
		"<para>Which oil <literal>burns</literal> in <lampoption name='burner'>round</lampoption>\nburners, <lampoption name='wick'/>.</para>\n</description>\n<value type='default'>whale</value>\n</lamp:setting>\n"}
	d := set.read(t, "a.xml")
	if d.Title != "oil kind" || string(d.Text) != "# oil kind\n\nWhich oil `burns` in round\nburners, `wick`.\n\nwhale\n" {
		t.Errorf("%q: %q", d.Title, d.Text)
	}
}

// Settings that are described at length are sections, by their ids: their list of one block
// could only be cited as a whole.
func TestLongEntriesAreSections(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The oil burns for hours and hours. ", 12)
	entry := func(id string) string {
		return "<varlistentry id='" + id + "'><term><varname>" + id + "</varname> (<type>integer</type>)</term><listitem><para>" + long + "</para></listitem></varlistentry>\n"
	}
	d := folder{"a.sgml": "<sect1 id='s'><title>Oil</title><para>Text.</para><variablelist>" + entry("oil_mem") + entry("wick_mem") + "</variablelist></sect1>"}.read(t, "a.sgml")
	if len(d.Sections) != 3 || d.Sections[1].Anchor != "oil_mem" || d.Sections[1].Text != "oil_mem (integer)" || d.Sections[2].Level != 2 {
		t.Errorf("the sections are %+v", d.Sections)
	}
	d = folder{"a.sgml": "<sect1><title>Oil</title><variablelist>" + entry("a") + entry("b") + "</variablelist><para>More.</para></sect1>"}.read(t, "a.sgml")
	if len(d.Sections) != 1 {
		t.Errorf("text behind the list would be the last setting's: %+v", d.Sections)
	}
}

// Keys stand with the choice in a menu that they are short for, also where they are entities
// of a document type that is not in the doc set.
func TestKeys(t *testing.T) {
	t.Parallel()
	keys := func(s string) string { return "<keycombo action='simul'>" + s + "</keycombo>" }
	d := folder{"a.xml": head + "<article><title>Keys</title><para>Press " + keys("&Ctrl;&Shift;<keycap>O</keycap>") + keys("&Alt;&Home;") + ", or " +
		keys("<keycap>F1</keycap>") + ", see <refentrytitle>lamp</refentrytitle><manvolnum>1</manvolnum>.</para><variablelist><varlistentry><term><menuchoice><shortcut>\n" + keys("&Ctrl;<keycap>O</keycap>") + keys("&Meta;<keycap>O</keycap>") +
		"\n</shortcut><guimenu>Lamp</guimenu><guimenuitem>Oil...</guimenuitem></menuchoice></term><listitem><para>Opens it.</para></listitem></varlistentry></variablelist></article>"}.read(t, "a.xml")
	if want := "# Keys\n\nPress **Ctrl+Shift+O** **Alt+Home**, or **F1**, see lamp(1).\n\n- **Lamp > Oil... (Ctrl+O Meta+O)**\n  Opens it.\n"; string(d.Text) != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// A page may be made of any number of small files: of a reference of 70 settings, each of them
// an entity, 21 were missing.
func TestManyFilesAsEntities(t *testing.T) {
	t.Parallel()
	const n = 60
	set := folder{"a.xml": "<!DOCTYPE refentry PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\" [\n" + parsetest.Numbered(n, "\n", "<!ENTITY oil%d SYSTEM 'oil%[1]d.xml'>") +
		"\n]>\n<refentry><refsect1><title>Oils</title>" + parsetest.Numbered(n, "", "&oil%d;") + "</refsect1></refentry>\n"}
	for i := range n {
		set[fmt.Sprintf("oil%d.xml", i)] = fmt.Sprintf("<para>Oil number %d burns.</para>\n", i)
	}
	if got := strings.Count(string(set.read(t, "a.xml").Text), "burns."); got != n {
		t.Errorf("%d of %d files are there", got, n)
	}
}

// A build makes manual pages of templates, whose document type and folders it fills in: none of
// them was read. Parts with paragraphs stand in their places.
func TestTemplatesOfBuilds(t *testing.T) {
	t.Parallel()
	page := "<!DOCTYPE refentry PUBLIC @dtd@ [\n<!ENTITY oil SYSTEM \"@builddir@/oil.sgml\">\n]>\n<refentry><refsect1><title>Lamps</title>&oil;</refsect1></refentry>\n"
	if info := (docbook.Parser{}).Info(); !slices.Contains(info.Sniffed, ".in") || !info.Sniff([]byte(page)) || info.Sniff([]byte("#!@SHELL@\necho\n")) {
		t.Error("templates are not told apart")
	}
	set := folder{"doc/lamp.sgml.in": page, "doc/oil.sgml.in": "<para>Oil burns.</para>\n"}
	if got := string(set.read(t, "doc/lamp.sgml.in").Text); got != "# Lamps\n\nOil burns.\n" {
		t.Errorf("%q", got)
	}
}

func hostile(n int) map[string]string {
	return map[string]string{
		"nested sections": head + strings.Repeat("<section><title>a</title>", n),
		"nested lists":    head + "<article>" + strings.Repeat("<itemizedlist><listitem><para>a</para>", n),
		"closed twice":    head + "<para>a" + strings.Repeat("</para>", n),
		"broken":          head + strings.Repeat("<para><a <b>", n),
		"ampersands":      head + "<para>" + strings.Repeat("& &x &y; ", n) + "</para>",
		"many entities":   head + "<para>" + parsetest.Numbered(n, " ", "&e%d;") + "</para>",
		"a bomb": "<!DOCTYPE chapter PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\" [<!ENTITY a \"" + strings.Repeat("x", 1000) + "\"><!ENTITY b \"" + strings.Repeat("&a;", 10) + "\">" +
			"]><chapter><para>" + strings.Repeat("&b;", n) + "</para></chapter>",
		"entity loops":    "<!DOCTYPE chapter PUBLIC \"DocBook\" \"x\" [<!ENTITY a \"&b;&b;\"><!ENTITY b \"&a;&a;\">]><chapter><para>&a;</para></chapter>",
		"wide rows":       head + "<table><tgroup><tbody>" + strings.Repeat("<row><entry morerows='99999999'/><entry colspan='99999999'/></row>", n) + "</tbody></tgroup></table>",
		"many columns":    head + "<table><tgroup>" + parsetest.Numbered(n, "", "<colspec colname='c%d'/>") + "<row><entry namest='c0' nameend='c3999'/></row></tgroup></table>",
		"many ids":        head + "<chapter>" + parsetest.Numbered(n, "", "<sect1 id='a%d'><title>t</title><para><xref linkend='a0'/></para></sect1>") + "</chapter>",
		"a long title":    head + "<chapter><title>" + strings.Repeat("wick ", n) + "</title></chapter>",
		"footnotes":       head + "<para>" + strings.Repeat("<footnote><para>a", n) + "</para>",
		"control":         head + "<para>\x00\x1b[31m a\x07 &#1; &#x1b;</para>",
		"marks":           head + "<para>" + strings.Repeat("]]> <![%a;[ x ]]> <![CDATA[ <b> ]]>", n) + "</para>",
		"only an opening": head + "<programlisting>" + strings.Repeat("```\n", n),
		"not UTF-8":       head + "<para>f\xfcr</para>",
		"synopses":        head + strings.Repeat("<cmdsynopsis><arg><group><arg>x", n),
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, docbook.Parser{}, "a.xml", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if len(d.Text) > 8*len(src)+3<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	})
	parsetest.Canceled(t, docbook.Parser{}, "a.xml", hostile(4)["many ids"])
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, docbook.Parser{}, parse.Options{Path: "a.xml"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.xml"), hostile(4))...)
}

// An entry of a list of terms that has no term is an item: its paragraphs were lost.
func TestEntriesWithoutTerms(t *testing.T) {
	t.Parallel()
	d, err := docbook.Parser{}.Parse(t.Context(), []byte("<article><title>Lamps</title><variablelist><varlistentry><para>They smoke.</para></varlistentry>"+
		"<varlistentry><term>oil</term><para>It burns.</para></varlistentry></variablelist></article>"), parse.Options{Path: "a.xml"})
	if want := "# Lamps\n\n- They smoke.\n\n* **oil**\n  It burns.\n"; err != nil || string(d.Text) != want {
		t.Errorf("%q, %v, want %q", d.Text, err, want)
	}
}
