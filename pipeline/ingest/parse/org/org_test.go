package org_test

import (
	"flag"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/org"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, org.Parser{}, parsetest.Sources(t, "testdata/*.org"), *update)
}

func parsePage(t *testing.T, src string, opt parse.Options) doc.Document {
	t.Helper()
	return parsetest.Document(t, org.Parser{}, src, opt)
}

// Marks are markup only where Org says so, and marks that are left open are text.
func TestInline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"a*b*c 2*3 */both/*, (=x=) and ~a=b~.", "a\\*b\\*c 2\\*3 ***both***, (`x`) and `a=b`."},
		{"*open and /this\nnext", "\\*open and /this\nnext"},
		{"*over\ntwo* lines", "**over two** lines"},
		{"/usr/bin and and/or =C:\\=", "/usr/bin and and/or `C:\\`"},
		{"[[https://a.example/x_y][*the* site]] [[https://a.example]]", "[**the** site](https://a.example/x_y) [https://a.example](https://a.example)"},
		{"[[nowhere]] [[nowhere][shown]] [[open and [fn:x", "nowhere shown [[open and [fn:x"},
		{"[[./lamp.png]] <<here>> <2024-05-03> [1/2]", "![](./lamp.png) <2024-05-03> [1/2\\]"},
		{"one[fn:a: with [brackets]] two[fn:a]", "one[a] two[a]\n\n[a] with [brackets]"},
		{"one[fn:: x] two[fn:: y] three[fn:1] four[fn:: z]\n\n[fn:1] w", "one[2] two[3] three[1] four[4]\n\n[1] w\n\n[2] x\n\n[3] y\n\n[4] z"},
		{"a @@latex:\\x@@b src_sh{ls -l} \\ldots snake_case x^2", "a b `ls -l` … snake_case x^2"},
		{"line \\\\\nnext", "line\nnext"},
		{"- a\n\n\n- b", "- a\n- b"},
		{"- a\n  - b\n    more\n  text\n- c", "- a\n  - b\n    more\n\n  text\n\n- c"},
		{"- a\n\n  #+begin_src sh\nlight\n  #+end_src\n\n  more\n- b", "- a\n\n  ```sh\n  light\n  ```\n\n  more\n\n- b"},
		{"- a\n  #+begin_src sh\n- b", "- a\n- b"},
		{"+ a\n+ b :: c", "- a\n\n* **b**\n  c"},
		{"#+begin_src sh\nopen\n\n* Next\ntext", "open\n\n# Next\n\ntext"},
		{":DRAWER:\ninside\n:END:\n:NOTE: not one", "inside\n\n:NOTE: not one"},
		{"| a | b |\n| c", "| | |\n| --- | --- |\n| a | b |\n| c | |"},
		{"#+unknown: x\n#+caption: Seen\ntext", "**Seen**\n\ntext"},
		{"* A\n** DONE B :x:\n* REVIEW C", "# A\n\n## B\n\n# REVIEW C"},
	} {
		d := parsePage(t, tt.src, parse.Options{Path: "a.org"})
		if got := strings.TrimSuffix(string(d.Text), "\n"); got != tt.want {
			t.Errorf("%q is read as\n%q, want\n%q", tt.src, got, tt.want)
		}
	}
}

// What a page includes stands in its place, with the line of the inclusion; macros of a file
// of settings are known; files that are missing, and those that include themselves, have a
// warning.
func TestIncludes(t *testing.T) {
	t.Parallel()
	set := map[string]string{
		"doc/setup.org": "#+macro: lamp *the $1 lamp*\n#+todo: REVIEW | OK\n", "doc/part.org": "* Part\nIt is {{{lamp(big)}}}.\n",
		"doc/x.py": "# one\ntrim()\nlast\n", "doc/loop.org": "round\n#+include: \"loop.org\"\n",
	}
	src := "#+setupfile: setup.org\nA\n#+include: \"part.org\"\n#+INCLUDE: \"x.py\" src python :lines \"2-3\"\n#+include: \"gone.org\"\n#+include: loop.org\n* REVIEW B\n"
	d := parsePage(t, src, parse.Options{Path: "doc/a.org", Open: func(name string) ([]byte, error) {
		if text, ok := set[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}})
	want := "A\n\n# Part\n\nIt is **the big lamp**.\n\n```python\ntrim()\n```\n\nround\nround\nround\nround\nround\nround\n\n# B\n"
	if string(d.Text) != want || d.Location(3).Line != 3 || d.Location(8).Line != 4 {
		t.Errorf("the page is %q, want %q, with the places %v", d.Text, want, d.Map)
	}
	if len(d.Warnings) != 2 || !strings.Contains(d.Warnings[0], "gone.org") || !strings.Contains(d.Warnings[1], "loop.org") {
		t.Errorf("the warnings are %q", d.Warnings)
	}
}

func hostile(n int) map[string]string {
	nested := ""
	for i := range min(n, 300) {
		nested += strings.Repeat(" ", i) + "- a\n"
	}
	return map[string]string{
		"emphasis":       strings.Repeat("*a /b _c ", n),
		"nested":         strings.Repeat("*/_", n) + "x" + strings.Repeat("_/*", n),
		"open blocks":    strings.Repeat("#+begin_quote\n", n),
		"nested blocks":  strings.Repeat("#+begin_quote\n#+begin_note\n", n/40) + "x\n" + strings.Repeat("#+end_note\n#+end_quote\n", n/40),
		"other blocks":   parsetest.Numbered(n, "\n", "#+begin_a%d"),
		"ends":           strings.Repeat("#+end_quote\n:END:\n", n),
		"drawers":        strings.Repeat(":A:\n", n),
		"lists":          strings.Repeat("- a\n  1. b\n\n     c\n", n),
		"nested lists":   nested,
		"headlines":      parsetest.Numbered(n, "\n", "* H %d :a:b:\n:PROPERTIES:"),
		"deep headlines": strings.Repeat("*", n) + " x\n",
		"links":          strings.Repeat("[[a][", n) + strings.Repeat("]]", n),
		"open links":     strings.Repeat("[[a", n),
		"notes":          strings.Repeat("[fn::a", n) + strings.Repeat("]", n),
		"many notes":     strings.Repeat("x[fn:: a]", n),
		"macros":         "#+macro: a {{{a}}}{{{a}}}\n" + strings.Repeat("{{{a}}}", n),
		"large macros":   "#+macro: a " + strings.Repeat("$1", 500) + "\n" + strings.Repeat("{{{a("+strings.Repeat("y", 500)+")}}}\n", n/40+1),
		"cells":          "|" + strings.Repeat(" a |", n) + "\n|-\n",
		"rows":           strings.Repeat("| a |\n|-\n", n),
		"dollars":        strings.Repeat("$a ", n) + strings.Repeat("\\(", n),
		"snippets":       strings.Repeat("@@a:", n),
		"entities":       strings.Repeat("\\alpha{}\\x", n),
		"scripts":        strings.Repeat("a_{", n),
		"latex":          strings.Repeat("\\begin{a}\n", n),
		"a long line":    strings.Repeat("wick =a ", n),
		"titles":         strings.Repeat("#+title: a\n", n),
		"control":        "a\x00\x01 \x1b[31m\x07 *b\x00c*\n",
		"not UTF-8":      "f\xfcr /x/\n",
		"planning":       "* a\n" + strings.Repeat("SCHEDULED: <2024>\n", n),
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, org.Parser{}, "a.org", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if len(d.Text) > 8*len(src)+4<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	})
	parsetest.Canceled(t, org.Parser{}, "a.org", "* A\n")
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, org.Parser{}, parse.Options{Path: "a.org"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.org"), hostile(4))...)
}
