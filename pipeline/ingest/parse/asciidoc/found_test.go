package asciidoc_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
	"docent/pipeline/ingest/parse/files"
)

// A condition is decided by what the page sets, terms stand at their own level, and
// repeated titles have the ids that Asciidoctor gives them.
func TestWhatRealPagesTaught(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"conditions", ":lit: 1\n\nwick::\n\tBurns.\nifdef::dark[]\n\tNot this.\nendif::dark[]\nifdef::lit[]\n\tAnd this.\nendif::lit[]\n",
			"- **wick**\n  Burns.\n  And this.\n"},
		{"a term after a list of another kind", "a::\n\tOne.\n+\nx;;\n\tTwo.\n+\ny;;\n\tThree.\n\nb::\n\tFour.\n",
			"- **a**\n  One.\n  - **x**\n    Two.\n  - **y**\n    Three.\n- **b**\n  Four.\n"},
		{"a term after callouts", "a::\n+\n----\ntrim <1>\n----\n+\n<1> Gently.\n\nb::\n\tFour.\n",
			"- **a**\n\n  ```\n  trim\n  ```\n\n  1. Gently.\n\n- **b**\n  Four.\n"},
		{"references with an empty text", "See <<wick,>>.\n\n[#wick]\n== Flat wick\n", "See [Flat wick](#wick).\n\n## Flat wick\n"},
		{"entities and dashes", "Size &#8805; 2 &lt; `&lt;=`, ann&#64;x and &nosuch; `+&lt;+`.\n\n`\\--`:: Ends it, \\-- does.\n\n{litdd}all\n",
			"Size ≥ 2 \\< `<=`, ann@x and &nosuch; `&lt;`.\n\n- **`--`**\n  Ends it, -- does.\n\n--all\n"},
		{"quotes", "The \"`wick`\" and '`oil`', but \"` this\" x`\".\n", "The “wick” and ‘oil’, but \"\\` this\" x\\`\".\n"},
		{"macros of extensions", "See javadoc:org.lamps.Wick[], configprop:lamp.oil[], javadoc:a/b.C[the class] and a:b[], note: x, at 10:30 [x].\n",
			"See `Wick`, `lamp.oil`, the class and a:b[], note: x, at 10:30 [x].\n"},
		{"macros of extensions that open a window", "A term:wick-oil[^] and term:wick[flat wick,window=_blank].\n", "A `wick-oil` and flat wick.\n"},
		{"brackets around code", "[`-5`, `4`]\n\n|===\na|Range a|[`-5`, `4`]\n|===\n\n[.small]\nOil.\n", "[`-5`, `4`]\n\n| | |\n| --- | --- |\n| Range | [`-5`, `4`] |\n\nOil.\n"},
		{"comments in a paragraph", "Fill it.\n//end::fill[]\nLight it.\n\n* Trim.\n// hourly\nTwice.\n\n....\n// kept\n....\n",
			"Fill it.\nLight it.\n\n- Trim.\n  Twice.\n\n```\n// kept\n```\n"},
	} {
		if got := string(parsed(t, tt.src).Text); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Files .txt with terms alone are AsciiDoc too: settings that other pages include. The text
// of a literal block of reStructuredText stands below an empty line.
func TestTermsAreAsciiDoc(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{"lamp.oil::\n\tThe oil.\n+\nMore.\n\nlamp.wick::\n\tThe wick.\n": true, "lamp.oil::\n\tThe oil.\n": true, "`-q`::\n`--quiet`::\n\tSays less.\n": true,
		"Oil.\n\nlamp.oil::\n\tThe oil.\n": false, "Write::\n\n    oil\n\nand::\n\n    wick\n": false, "std::lamp::\nstd::oil::\n": false,
		"Lamp 2 Release Notes\n====================\n\nIt mends a fault.\n\n * A wick that `lamp trim` cut twice is cut once.\n": true,
		"Lamp 2 Release Notes\n====================\n\n * A wick that ``lamp trim`` cut twice.\n":                                false,
		"Lamp 2 Release Notes\n====================\n\n * A wick, see `the list`_.\n":                                            false} {
		if got := (asciidoc.Parser{}).Info().Sniff([]byte(src)); got != want {
			t.Errorf("%q is AsciiDoc: %v", src, got)
		}
	}
}

// Resources of Antora are found by module and family, with the attributes of antora.yml.
func TestAntora(t *testing.T) {
	t.Parallel()
	files := map[string]string{"docs/antora.yml": "name: lamps\nasciidoc:\n  attributes:\n    oil: whale oil@\n", "docs/modules/care/partials/trim.adoc": "Trim it.\n"}
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte("= T\n\ninclude::care:partial$trim.adoc[]\n\nBurns {oil}.\n"), parse.Options{Path: "docs/modules/ROOT/pages/a.adoc",
		Open: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}})
	if err != nil || !strings.Contains(string(d.Text), "Trim it.\n\nBurns whale oil.") {
		t.Errorf("%s, %v", d.Text, err)
	}
}

// A page that two sites share includes parts of itself.
func TestPartsOfThePageItself(t *testing.T) {
	t.Parallel()
	src := "= T\n\n// tag::fill[]\nFill the lamp.\n// end::fill[]\n\n== Again\n\ninclude::a.adoc[tag=fill]\n\ninclude::a.adoc[]\n"
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "a.adoc", Open: func(string) ([]byte, error) { return []byte(src), nil }})
	if err != nil || strings.Count(string(d.Text), "Fill the lamp.") != 2 || len(d.Warnings) != 1 {
		t.Errorf("%v, %q\n%s", err, d.Warnings, d.Text)
	}
}

// An id may be made of an attribute.
func TestAttributesInIDs(t *testing.T) {
	t.Parallel()
	d := parsed(t, "= T\n:of: lamp\n\nSee <<{of}-oil>>.\n\n[id=\"{of}-oil\"]\n== The oil\n\nBurns.\n")
	if len(d.Sections) != 2 || d.Sections[1].Anchor != "lamp-oil" || !strings.Contains(string(d.Text), "[The oil](#lamp-oil)") {
		t.Errorf("%+v\n%s", d.Sections, d.Text)
	}
}

// A discrete heading is a section here; within a block it is a bold line.
func TestDiscreteHeadings(t *testing.T) {
	t.Parallel()
	d := parsed(t, "= Lamps\n\n== Oil\n\na\n\n[[fill]]\n[discrete]\n=== Filling\n\nb\n\n[discrete]\n=== Wicks\n\nc\n\n====\n[discrete]\n=== Inside\n\nd\n====\n")
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Anchor)
	}
	if want := "lamps _oil fill _wicks"; strings.Join(got, " ") != want || !strings.Contains(string(d.Text), "**Inside**") {
		t.Errorf("the anchors are %q, want %s:\n%s", got, want, d.Text)
	}
}

// A title that is a link has the id of its text, and an attribute with a blank is no id.
func TestIDsOfTitles(t *testing.T) {
	t.Parallel()
	d := parsed(t, "= Lamps\n\n== link:oil.html[Whale oil] and <<wick,the wick>>\n\n[#flat wick]\n== Flat wicks\n\n[#wick]\n== Wick\n")
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Anchor)
	}
	if want := "lamps _whale_oil_and_the_wick _flat_wicks wick"; strings.Join(got, " ") != want {
		t.Errorf("the anchors are %q, want %s", got, want)
	}
}

// Builds that set a base directory find the files that a page includes in a folder above the page's; the files that
// these include are relative to them. The nearest folder holds, and the page's own before all.
func TestIncludesFromTheBaseDirectory(t *testing.T) {
	t.Parallel()
	docs := map[string]string{
		"tools/lamp/lamp.adoc":  "= lamp(1)\n\ninclude::common/help.adoc[]\n\ninclude::near.adoc[]\n\ninclude::common/gone.adoc[]\n",
		"common/help.adoc":      "Prints help.\n\ninclude::version.adoc[]\n\ninclude::common/help-more.adoc[]\n",
		"common/version.adoc":   "Prints the version.\n",
		"common/help-more.adoc": "Is not there: common/common.\n",
		"near.adoc":             "Far.\n",
		"tools/near.adoc":       "Near.\n",
	}
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(docs["tools/lamp/lamp.adoc"]), parse.Options{Path: "tools/lamp/lamp.adoc",
		Open: func(name string) ([]byte, error) {
			if text, ok := docs[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}})
	if err != nil {
		t.Fatal(err)
	}
	want := "# lamp(1)\n\nPrints help.\n\nPrints the version.\n\n`include::common/help-more.adoc[]`\n\nNear.\n\n`include::common/gone.adoc[]`\n"
	if string(d.Text) != want || len(d.Warnings) != 2 {
		t.Errorf("the page is\n%s\nwith warnings %q, want\n%s", d.Text, d.Warnings, want)
	}
}

// Manual pages refer to each other by name and number, which Asciidoctor leaves as text. Names below NAME are names of the
// page too. Other pages keep the text.
func TestManualPagesReferToEachOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	docs := map[string]string{
		"lamp.1.adoc":     "= lamp(1)\n:doctype: manpage\n\n== NAME\n\nlamp - gives light\n\n== SEE ALSO\n\n*wick*(5),\n`oil`(5), _wax_(5), *lamp*(1), *lamp*(8), *gone*(1)\n\nterm::\n  See *wick*(5).\n",
		"sub/wick.5.adoc": "// comment\n= wick(5)\n:doctype: manpage\n\n== Name\n\nwick, oil,\nwax - what burns\n\n== DESCRIPTION\n\nwax,not - a name\n",
		"guide.adoc":      "= Guide\n\nSee *wick*(5).\n",
	}
	for file, text := range docs {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, path.Dir(file)), 0o777), os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	folder := files.InFolder(dir, func() []string { return []string{"guide.adoc", "lamp.1.adoc", "sub/wick.5.adoc"} })
	for file, want := range map[string]string{
		"lamp.1.adoc": "[**wick**(5)](sub/wick.5.adoc),\n[`oil`(5)](sub/wick.5.adoc), [*wax*(5)](sub/wick.5.adoc), **lamp**(1), **lamp**(8), **gone**(1)\n\n" +
			"- **term**\n  See [**wick**(5)](sub/wick.5.adoc).\n",
		"guide.adoc": "See **wick**(5).\n",
	} {
		d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(docs[file]), parse.Options{Path: file,
			Survey: func(_ string, of func(parse.Files) any) any { return of(folder) }})
		if err != nil || !strings.HasSuffix(string(d.Text), want) {
			t.Errorf("%s is\n%s\n%v, want\n%s", file, d.Text, err, want)
		}
	}
}
