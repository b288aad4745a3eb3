package texinfo_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/texinfo"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, texinfo.Parser{}, parsetest.Sources(t, "testdata/*.texi"), *update)
	parsetest.Golden(t, texinfo.Info{}, parsetest.Sources(t, "testdata/*.info"), *update)
}

// A file with macros or texts stands in its place, one with nodes is a page of its own; a file
// that is not there, and one that includes itself, have a warning.
func TestIncludes(t *testing.T) {
	t.Parallel()
	set := map[string]string{
		"doc/a.texi":       "@settitle A\n@include version.texi\n@include part.texi\n@include gone.texi\n@include loop.texi\nIt is @value{V}, @say{well}.\n@verbatiminclude x.c\n",
		"doc/version.texi": "@set V 2.1\n@macro say{x}\n@strong{\\x\\}\n@end macro\n", "doc/part.texi": "@node Part\n@chapter Part\n", "doc/x.c": "int @x;",
		"doc/loop.texi": "round and\n@include loop.texi\n",
	}
	d, err := texinfo.Parser{}.Parse(t.Context(), []byte(set["doc/a.texi"]), parse.Options{Path: "doc/a.texi", Open: func(name string) ([]byte, error) {
		if text, ok := set[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[part.texi](part.texi)", "It is 2.1,\n**well**\n.", "int @x;", "round and"} {
		if !strings.Contains(strings.ReplaceAll(string(d.Text), "\n.", "\n."), strings.ReplaceAll(want, ",\n**well**\n.", ", **well**.")) {
			t.Errorf("%q is not in\n%s", want, d.Text)
		}
	}
	if len(d.Warnings) != 2 || !strings.Contains(d.Warnings[0], "gone.texi") || !strings.Contains(d.Warnings[1], "loop.texi") {
		t.Errorf("the warnings are %q", d.Warnings)
	}
}

// The main file of a manual links to all of its chapters, however large they are: of a manual of 3 MB the
// chapters behind the first two megabytes were "not in the doc set, or too large".
func TestLargeChaptersAreLinked(t *testing.T) {
	t.Parallel()
	chapter := "@node Wicks\n@chapter Wicks\n" + strings.Repeat("A wick draws oil.\n", 50_000)
	src := ""
	for i := range 4 {
		src += fmt.Sprintf("@include wicks%d.texi\n", i)
	}
	d, err := texinfo.Parser{}.Parse(t.Context(), []byte("@settitle Lamps\n"+src+"@include oil.texi\n"), parse.Options{Path: "lamps.texi",
		Open: func(name string) ([]byte, error) {
			if name == "oil.texi" {
				return []byte("Oil burns.\n"), nil
			}
			return []byte(chapter), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[wicks0.texi](wicks0.texi)", "[wicks3.texi](wicks3.texi)", "Oil burns."} {
		if !strings.Contains(string(d.Text), want) {
			t.Errorf("%q is not in\n%s", want, d.Text)
		}
	}
	if len(d.Warnings) > 0 {
		t.Errorf("the warnings are %q", d.Warnings)
	}
}

// folder has the files of a doc set by their paths.
type folder map[string]string

func (f folder) Open(name string) (parse.Opened, error) {
	text, ok := f[name]
	if !ok {
		return parse.Opened{}, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return parse.Opened{Data: []byte(text)}, nil
}

func (f folder) List(...string) []string { return slices.Sorted(maps.Keys(f)) }

// A chapter in a file of its own has the macros and values that the main file of its manual defines
// before it: all options of a manual were "–version", with the names of macros between them.
func TestChaptersHaveTheMacrosOfTheirManual(t *testing.T) {
	t.Parallel()
	table := func(format string) string { return "@table " + format + "\n@item --oil\nFills.\n@end table\n" }
	set := map[string]string{
		"doc/lamp.texi": "@include defs.texi\n@macro lampopt{body}\n@code{\\body\\}\n@end macro\n@alias lampsame = lampopt\n@alias strongly = strong\n@node Top\n@top Lamps\n" +
			"@include part.texi\n@set KIND late\n",
		"doc/defs.texi": "@set KIND flat\n@macro hidden {a}\n@end macro\n",
		"doc/part.texi": "@node Part\n@chapter Part\n@hidden part.1\n\nA @value{KIND} wick, @strongly{hot}.\n@include deep.texi\n\n" + table("@lampopt") + table("@lampsame") + table("@nosuch"),
		"doc/deep.texi": "@node Deep\n@chapter Deep\n@hidden deep.1\n\n" + table("@lampopt"),
	}
	var files parse.Files = folder(set)
	surveys := map[string]any{}
	read := func(name string) string {
		d, err := texinfo.Parser{}.Parse(t.Context(), []byte(set[name]), parse.Options{Path: name,
			Open: func(name string) ([]byte, error) { o, err := files.Open(name); return o.Data, err },
			Survey: func(name string, of func(parse.Files) any) any {
				if surveys[name] == nil {
					surveys[name] = of(files)
				}
				return surveys[name]
			}})
		if err != nil {
			t.Fatal(err)
		}
		return string(d.Text)
	}
	option := "- **`--oil`**\n  Fills.\n"
	if got, want := read("doc/part.texi"), "# Part\n\nA flat wick, **hot**.\n\n[deep.texi](deep.texi)\n\n"+option+option+option; got != want {
		t.Errorf("the part is\n%s", got)
	}
	if got, want := read("doc/deep.texi"), "# Deep\n\n"+option; got != want {
		t.Errorf("the chapter in it is\n%s", got)
	}
}

// What a manual includes from a folder that only its build names is found by its name, where one
// file alone has it: the chapters of Bash's manual about editing were missing. An option in a text
// keeps its two dashes.
func TestIncludesOfOtherFolders(t *testing.T) {
	t.Parallel()
	files := folder{"doc/a.texi": "@chapter A\n@include wick.texi\n@include oil.texi\n@include two.texi\nUse --trim, 1--2 (--oil) a -- b.\n",
		"lib/doc/wick.texi": "A wick.\n", "lib/doc/oil.texi": "@node Oil\n@chapter Oil\n", "x/two.texi": "x\n", "y/two.texi": "y\n"}
	d, err := texinfo.Parser{}.Parse(t.Context(), []byte(files["doc/a.texi"]), parse.Options{Path: "doc/a.texi", Files: files.List,
		Open: func(name string) ([]byte, error) { o, err := files.Open(name); return o.Data, err }})
	want := "# A\n\nA wick.\n\n[oil.texi](../lib/doc/oil.texi)\n\nUse --trim, 1–2 (--oil) a – b.\n"
	if got := string(d.Text); err != nil || got != want || len(d.Warnings) != 1 {
		t.Errorf("%v, %q\n%s\nwant\n%s", err, d.Warnings, got, want)
	}
}

// Lists of Info are lists, also within each other: they were code. References may take two lines,
// and what a menu says of a node too.
func TestListsAndReferencesOfInfo(t *testing.T) {
	t.Parallel()
	src := "This is lamps.info, produced by makeinfo version 6.8.\n\n\x1f\nFile: lamps.info,  Node: Oil of Lamps,  Up: Top\n\n1 Oil\n*****\n\n" +
		"* Menu:\n\n* Wicks::\tHow a wick is\n\t\ttrimmed.\n\nThe oil is poured (*note Oil\nof Lamps::), as told in *note Wicks: (wicks)Top.  *Note Oil of Lamps::.\n\n" +
		"  1. Open the lamp, with care,\n     by its lid.\n\n     It opens easily.\n\n  2. Pour:\n\n        * whale oil\n        * rape oil\n\n" +
		"  3. Close it\n\n   \u2022 It burns\n   \u2022 It gives\n     light\n\nDone.\n"
	d, err := texinfo.Info{}.Parse(t.Context(), []byte(src), parse.Options{Path: "lamps.info"})
	want := "## 1 Oil\n\nThe oil is poured (see\n[Oil of Lamps](#Oil-of-Lamps)), as told in Wicks. See [Oil of Lamps](#Oil-of-Lamps).\n\n" +
		"1. Open the lamp, with care,\n   by its lid.\n\n   It opens easily.\n\n2. Pour:\n   - whale oil\n   - rape oil\n" +
		"3. Close it\n\n- It burns\n- It gives\n  light\n\nDone.\n"
	if got := string(d.Text); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// Marks that a reader of info knows indexes and pictures by were shown as "[index]" in signs.
func TestMarksOfInfo(t *testing.T) {
	t.Parallel()
	src := "This is lamps.info, produced by makeinfo version 6.8.\n\n\x1f\nFile: lamps.info,  Node: Index,  Up: Top\n\n1 Index\n*******\n\n" +
		"\x00\x08[index\x00\x08]\n* Menu:\n\n* wick: Wick. (line 3)\n\nText \x00\x08[image src=\"a.png\" text=\"x\"\x00\x08] here.\n"
	d, err := texinfo.Info{}.Parse(t.Context(), []byte(src), parse.Options{Path: "lamps.info"})
	if err != nil || strings.ContainsAny(string(d.Text), "[]\x00\x08\ufffd") || !strings.Contains(string(d.Text), "Text here.") {
		t.Errorf("%v: %q", err, d.Text)
	}
}

func hostile(n int) map[string]string {
	return map[string]string{
		"nested tables":  strings.Repeat("@table @code\n@item a\n", n),
		"nested lists":   strings.Repeat("@itemize\n@item\nx\n", n) + strings.Repeat("@end itemize\n", n),
		"nested braces":  strings.Repeat("@emph{", n) + "x" + strings.Repeat("}", n),
		"nested codes":   strings.Repeat("@code{", n) + "x",
		"footnotes":      strings.Repeat("@footnote{", n) + "x" + strings.Repeat("}", n),
		"braces":         strings.Repeat("{", n) + strings.Repeat("}}", n),
		"ends":           strings.Repeat("@end table\n@end example\n@item\n", n),
		"open blocks":    strings.Repeat("@quotation\n@example\n", n),
		"a macro bomb":   "@macro a\n@b{}@b{}\n@end macro\n@macro b\n@a{}@a{}\n@end macro\n" + strings.Repeat("@a{}\n", n),
		"a large macro":  "@macro a{x}\n" + strings.Repeat(`\x\`, 1000) + "\n@end macro\n" + strings.Repeat("@a{"+strings.Repeat("y", 1000)+"}\n", n/10+1),
		"open macros":    strings.Repeat("@macro a{\n", n),
		"open calls":     "@macro a{x}\n\\x\\\n@end macro\n" + strings.Repeat("@a{ x\n", n),
		"values":         "@set a @value{a} @value{a}\n" + strings.Repeat("@value{a} ", n),
		"ignored":        strings.Repeat("@ignore\n", n),
		"signs":          strings.Repeat(`@'e @"{u} @,c @* @@ @{ @- @:`+"\n", n),
		"verbs":          strings.Repeat("@verb{|a", n),
		"commas":         "@ref{" + strings.Repeat("a,", n) + "}",
		"many cells":     "@multitable\n@item " + strings.Repeat("a @tab ", n) + "\n",
		"many sections":  parsetest.Numbered(n, "\n", "@node N%d\n@chapter N"),
		"definitions":    strings.Repeat("@deffn {a\n@deffnx b\n", n),
		"control":        "a\x00\x1b[31m\x07 @U{1b} @U{41}\n",
		"not UTF-8":      "f\xfcr @'{e}\n",
		"accents at end": "x @'", "one sign": "@", "a name": "@ref{", "lines in code": "@code{a\n" + strings.Repeat("b\n", n) + "}",
	}
}

func hostileInfo(n int) map[string]string {
	node := "\x1f\nFile: a.info,  Node: Top,  Up: (dir)\n\n"
	return map[string]string{
		"many nodes":  strings.Repeat(node+"A\n*\n\ntext\n\n", n),
		"headings":    node + strings.Repeat("Title\n*****\n\n", n),
		"terms":       node + strings.Repeat("-x\n     text.\n\n", n),
		"code":        node + strings.Repeat("          code   x\n", n),
		"menus":       node + strings.Repeat("* a::\n", n),
		"references":  node + strings.Repeat("*note a: b. *note c:: ", n),
		"only titles": node + strings.Repeat("****\n====\n", n),
		"control":     node + "a\x00\x1b[31m\x07\n",
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, texinfo.Parser{}, "a.texi", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if len(d.Text) > 8*len(src)+4<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	})
	parsetest.Hostile(t, texinfo.Info{}, "a.info", hostileInfo, nil)
	parsetest.Canceled(t, texinfo.Parser{}, "a.texi", "@chapter A\n")
	parsetest.Canceled(t, texinfo.Info{}, "a.info", hostileInfo(1)["terms"])
	if _, err := (texinfo.Info{}).Parse(t.Context(), []byte("This is a.info, produced by makeinfo.\n\n\x1f\nIndirect:\na.info-1: 9\n"), parse.Options{Path: "a.info"}); err == nil {
		t.Error("a list of files is a page")
	}
	for head, want := range map[string]bool{"This is a.info, produced by makeinfo": true, "\x1f\nFile: a.info, Node: B": true, "name = Module\n": false, "": false} {
		if (texinfo.Info{}).Info().Sniff([]byte(head)) != want {
			t.Errorf("%q is an Info manual: %v", head, !want)
		}
	}
}

func FuzzTexinfo(f *testing.F) {
	parsetest.FuzzParser(f, texinfo.Parser{}, parse.Options{Path: "a.texi"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.texi"), hostile(4))...)
}

func FuzzInfo(f *testing.F) {
	parsetest.FuzzParser(f, texinfo.Info{}, parse.Options{Path: "a.info"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.info"), hostileInfo(4))...)
}

// The category of a definition may follow its command without a blank.
func TestDefinitionWithoutBlank(t *testing.T) {
	t.Parallel()
	d := parsetest.Document(t, texinfo.Parser{}, "@chapter Lamps\n\n@deffn{Variable} *wick*\nHow long it is.\n@end deffn\n@code{x} burns.\n", parse.Options{Path: "a.texi"})
	if want := "# Lamps\n\n- **`*wick*` (Variable)**\n  How long it is.\n\n`x` burns.\n"; string(d.Text) != want {
		t.Errorf("%s", d.Text)
	}
}

// A chapter that several manuals include, from another folder, is read as the one shows it that
// defines the most: what is for the shell alone was not on any page. References between the files of
// a manual lead to the other file, but not to a node that several files have.
func TestChaptersOfSeveralManuals(t *testing.T) {
	t.Parallel()
	files := folder{
		"lib/lib.texi":   "@top Library\n@include edit.texi\n@node Index\n@chapter Index\n",
		"lib/edit.texi":  "@node Editing\n@chapter Editing\n@ifset Shell\nIn the @value{Shell}, @pxref{Job Control} and @pxref{Index}.\n@end ifset\n@ifclear Shell\nIn the library.\n@end ifclear\n",
		"doc/shell.texi": "@top Shell\n@set Shell lamp shell\n@include edit.texi\n@node Job Control\n@chapter Jobs\n@xref{Editing}, @ref{Index}.\n@node Index\n@chapter Index\n",
	}
	for page, want := range map[string]string{
		"lib/edit.texi":  "In the lamp shell, see [Job Control](../doc/shell.texi#Job-Control) and see Index.",
		"doc/shell.texi": "See [Editing](../lib/edit.texi#Editing), [Index](#Index).",
	} {
		d, err := texinfo.Parser{}.Parse(t.Context(), []byte(files[page]), parse.Options{Path: page,
			Open: func(name string) ([]byte, error) {
				o, err := files.Open(name)
				return o.Data, err
			},
			Files: files.List, Survey: func(_ string, of func(parse.Files) any) any { return of(files) }})
		if err != nil || !strings.Contains(string(d.Text), want) || strings.Contains(string(d.Text), "library") {
			t.Errorf("%s: %v\n%s", page, err, d.Text)
		}
	}
}
