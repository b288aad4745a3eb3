package rst

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

func read(t testing.TB, src string, opt parse.Options) doc.Document {
	t.Helper()
	d, err := Parser{}.Parse(context.Background(), []byte(src), opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hostile are pages that take too long, or too much, where a reader is not careful.
func hostile(n int) map[string]string {
	deep := func(open, indent string) string {
		var b strings.Builder
		for i := range min(n, 2000) {
			b.WriteString(strings.Repeat(indent, i) + open + "\n\n")
		}
		return b.String() + strings.Repeat(indent, min(n, 2000)) + "lantern\n"
	}
	many := func(format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
		}
		return b.String() + "\n\nlantern\n"
	}
	return map[string]string{
		"headings":           many("Wick %d\n=======\n\n"),
		"styles":             many("W%d\n!!!!!!!\n\nW%d\n\"\"\"\"\"\"\"\"\n\nW%d\n#######\n\n"),
		"quotes":             deep("quoted", " "),
		"bullets":            deep("- x", "  "),
		"bullets on a line":  strings.Repeat("- ", n) + "lantern",
		"numbers on a line":  strings.Repeat("1. ", n) + "lantern",
		"notes":              deep(".. note::", "   "),
		"notes on a line":    strings.Repeat(".. note:: ", n) + "lantern",
		"fields on a line":   strings.Repeat(":a: ", n) + "lantern",
		"objects":            deep(".. class:: A", "   "),
		"one line":           strings.Repeat("lantern wick ", n),
		"stars":              strings.Repeat("*a ", n) + "lantern",
		"double stars":       strings.Repeat("**a ", n) + "lantern",
		"ticks":              strings.Repeat("`a ", n) + "lantern",
		"double ticks":       strings.Repeat("``a ", n) + "lantern",
		"bars":               strings.Repeat("|a ", n) + "lantern",
		"brackets":           strings.Repeat("[a ", n) + "lantern",
		"roles":              strings.Repeat(":a:", n) + "lantern",
		"open roles":         strings.Repeat(":a:`b ", n) + "lantern",
		"references":         strings.Repeat("a_ ", n) + "lantern",
		"underscores":        strings.Repeat("a_-", n) + " lantern",
		"phrases":            strings.Repeat("`a <b>`_ ", n) + "lantern",
		"angles":             "`" + strings.Repeat("<", n) + "`_ lantern",
		"backslashes":        strings.Repeat("\\", n) + " lantern",
		"colons":             strings.Repeat("://", n) + " lantern",
		"addresses":          strings.Repeat("http://a.b ", n) + "lantern",
		"targets":            many(".. _a%d: a%d_\n"),
		"target of lines":    ".. _a:" + strings.Repeat("\n   b", n) + "\n\nlantern\n",
		"labels":             many(".. _a%d:\n\n"),
		"anonymous":          many("__ b%d\n"),
		"footnotes":          many(".. [#] a [#]_\n"),
		"substitution":       ".. |a| replace:: |a| |a|\n\n" + strings.Repeat("|a| ", n) + "lantern",
		"substitutions":      bomb(n),
		"simple tables":      many("=== ===\na   b\n\n"),
		"simple table":       "=== ===\n" + strings.Repeat("a   b\n", n) + "=== ===\n\nlantern\n",
		"continued table":    "=== ===\na   b\n" + strings.Repeat("    b\n", n) + "=== ===\n\nlantern\n",
		"wide table":         strings.Repeat("= ", n) + "\nlantern\n" + strings.Repeat("= ", n) + "\n",
		"grid":               strings.Repeat("+-+-+\n|a|b|\n", n/2) + "+-+-+\n\nlantern\n",
		"grid of corners":    strings.Repeat(strings.Repeat("+", 200)+"\n", n/200) + "\nlantern\n",
		"grid that is open":  "+-+-+\n" + strings.Repeat("|a|b|\n+-+-+\n", n/2) + "|a|\n\nlantern\n",
		"list table":         ".. list-table::\n\n" + strings.Repeat("   * - a\n     - b\n", n/2) + "\nlantern\n",
		"csv table":          ".. csv-table::\n\n" + strings.Repeat("   a,\"b\n", n) + "\nlantern\n",
		"toctree":            ".. toctree::\n\n" + strings.Repeat("   a/b\n", n) + "\nlantern\n",
		"option of lines":    ".. note::\n   :class: a" + strings.Repeat("\n     b", n) + "\n\nlantern\n",
		"literal":            "a::\n\n" + strings.Repeat("    b\n", n) + "\nlantern\n",
		"definitions":        many("t%d\n  d\n"),
		"definitions inside": deep("t", " "),
		"blank lines":        strings.Repeat("\n", n) + "lantern",
		"tabs":               strings.Repeat("\t", n) + "lantern",
		"signatures":         ".. function:: f(" + strings.Repeat("a, \\\n   ", n) + ")\n\n   lantern\n",
		"glossary":           ".. glossary::\n\n" + strings.Repeat("   a\n     b\n", n/2) + "\nlantern\n",
		"versions":           strings.Repeat(".. versionadded:: 1 ", n) + "\n\nlantern\n",
		"bytes":              strings.Repeat("\xff\x00\x1b[2J", n) + "lantern",
	}
}

// bomb is substitutions each of which doubles the one before.
func bomb(n int) string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, ".. |a%d| replace:: |a%d| |a%d|\n", i+1, i, i)
	}
	return ".. |a0| replace:: wick\n" + b.String() + "\n" + strings.Repeat("|a30| ", n) + "lantern\n"
}

// What a page is made of, it is read in time that grows with its length, and its words
// are found.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	for name, src := range hostile(8_000) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := read(t, src, parse.Options{Path: "a.rst", FallbackTitle: "a"})
			if !strings.Contains(string(d.Text), "lantern") && !strings.Contains(d.H1, "lantern") {
				t.Errorf("the page does not say lantern any more: %.200q", d.Text)
			}
			if len(d.Text) > 20*len(src)+(4<<20) {
				t.Errorf("%d bytes became %d", len(src), len(d.Text))
			}
		})
	}
}

func TestHostilePagesKeepThePromises(t *testing.T) {
	t.Parallel()
	sources := map[string][]byte{}
	for name, src := range hostile(200) {
		sources[name] = []byte(src)
	}
	parsetest.TestParser(t, Parser{}, sources)
}

func TestIncludesEnd(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"self.rst":  ".. include:: self.rst\n\nself\n",
		"ping.rst":  ".. include:: pong.rst\n",
		"pong.rst":  ".. include:: ping.rst\n\npong\n",
		"twice.rst": ".. include:: big.rst\n" + strings.Repeat("\n.. include:: big.rst\n", 50),
		"part.rst":  "Top\n\n.. begin\n\nshared\n\n.. end\n\n.. include:: part.rst\n   :start-after: .. begin\n   :end-before: .. end\n",
		"big.rst":   strings.Repeat("lantern\n\n", 60_000),
	}
	for i := range 20 {
		files[fmt.Sprintf("deep%d.rst", i)] = fmt.Sprintf(".. include:: deep%d.rst\n\ndeep%d\n", i+1, i)
	}
	open := func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("it is not there")
	}
	for page, want := range map[string][2]string{
		"self.rst":   {"self", "self.rst includes itself"},
		"ping.rst":   {"pong", "ping.rst includes itself"},
		"deep0.rst":  {"deep8", "more than 8 deep"},
		"twice.rst":  {"lantern", "have more than"},
		"absent.rst": {"", "line 1: nowhere.rst is not included: it is not there"},
	} {
		src := files[page]
		if page == "absent.rst" {
			src = ".. include:: nowhere.rst\n"
		}
		d := read(t, src, parse.Options{Path: page, Open: open})
		if !strings.Contains(string(d.Text), want[0]) || !strings.Contains(strings.Join(d.Warnings, "\n"), want[1]) {
			t.Errorf("%s: %.100q, warnings %q", page, d.Text, d.Warnings)
		}
		if len(d.Text) > 8<<20 {
			t.Errorf("%s: a text of %d bytes", page, len(d.Text))
		}
	}
	if d := read(t, files["part.rst"], parse.Options{Path: "part.rst", Open: open}); strings.Count(string(d.Text), "shared") != 2 || len(d.Warnings) > 0 {
		t.Errorf("a page that includes a part of itself: %q, warnings %q", d.Text, d.Warnings)
	}
	if d := read(t, ".. include:: a.rst\n\nafter\n", parse.Options{}); len(d.Warnings) != 1 || !strings.Contains(string(d.Text), "after") {
		t.Errorf("without a doc set: %q, warnings %q", d.Text, d.Warnings)
	}
}

// Whatever it is, it becomes a page whose lines stand in the source.
func FuzzParse(f *testing.F) {
	for _, src := range hostile(3) {
		f.Add([]byte(src))
	}
	for _, tt := range renditions() {
		f.Add([]byte(tt.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		files := func(string) ([]byte, error) { return src, nil }
		if _, ok := parsetest.Promises(t, Parser{}, src, parse.Options{Path: "a.rst", FallbackTitle: "a", Open: files}); !ok {
			t.Error("it is left out")
		}
		sniffRST(src)
	})
}
