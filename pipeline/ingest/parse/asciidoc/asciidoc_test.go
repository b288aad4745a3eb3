package asciidoc_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/asciidoc"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

func parsed(t testing.TB, src string) doc.Document {
	t.Helper()
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "guide/a.adoc", Open: func(name string) ([]byte, error) {
		if name == "guide/oil.adoc" {
			return []byte("Oil burns.\n\n* whale\n"), nil
		}
		return nil, fs.ErrNotExist
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A page with most of what AsciiDoc has.
func TestPage(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/lantern.adoc")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/lantern.md")
	if err != nil {
		t.Fatal(err)
	}
	d := parsed(t, string(src))
	if string(d.Text) != string(want) {
		t.Errorf("the page is\n%s", d.Text)
	}
	var anchors []string
	for _, s := range d.Sections {
		anchors = append(anchors, s.Anchor)
	}
	if got, want := strings.Join(anchors, " "), "the-lantern _before_you_light_it the-wick _tables older"; got != want {
		t.Errorf("the anchors are %s", got)
	}
	lines := strings.Split(string(src), "\n")
	for i, l := range strings.Split(string(d.Text), "\n") {
		at := d.Location(i + 1).Line
		if strings.Contains(l, "Trim") && !strings.Contains(lines[at-1], "Trim") {
			t.Errorf("line %d, %q, is said to stand on line %d, %q", i+1, l, at, lines[at-1])
		}
	}
	if d.Title != "The Lantern" || !strings.Contains(d.About, "How lanterns work") || len(d.Warnings) != 1 {
		t.Errorf("%q, %q, %q", d.Title, d.About, d.Warnings)
	}
	parsetest.TestParser(t, asciidoc.Parser{}, map[string][]byte{"a.adoc": src, "b.adoc": []byte(git)})
}

const git = "git-lamp(1)\n===========\n\nNAME\n----\ngit-lamp - Light a lamp\n\nSYNOPSIS\n--------\n[verse]\n'git lamp' [<options>]\n\t[--] <path>...\n\nOPTIONS\n-------\n-l::\n--long=<n>::\n\tHow long. See linkgit:git-log[1].\n+\n----\n$ git lamp -l\n----\n\n--off::\n\tPut it out.\n"

// The manual of git is written with titles of two lines.
func TestGit(t *testing.T) {
	t.Parallel()
	d := parsed(t, git)
	want := "# git-lamp(1)\n\n## NAME\n\ngit-lamp - Light a lamp\n\n## SYNOPSIS\n\n'git lamp' [\\<options>\\]\\\n[--] \\<path>...\n\n## OPTIONS\n\n- **-l**\n- **--long=\\<n>**\n  How long. See `git-log(1)`.\n\n  ```\n  $ git lamp -l\n  ```\n\n- **--off**\n  Put it out.\n"
	if string(d.Text) != want {
		t.Errorf("the page is\n%s\nwant\n%s", d.Text, want)
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	info := asciidoc.Parser{}.Info()
	for src, want := range map[string]bool{
		git: true, "= Lantern\n\nText.\n": true, "// c\n:toc:\n\n= Lantern\n": true, "Lamp\n====\n\ninclude::oil.txt[]\n": true,
		"Lamp\n====\n\nText. More text.\n": true, "Lamp\n====\n\nText of `oil`.\n": false, "Lamp\n=======\n\nText.\n": false,
		"Lamp\n====\n\n" + strings.Repeat("Text. ", 400): false, "Lamp\n====\n\n.. note:: x\n\n[[a]]\n": false, "a = b\n": false, "": false, "= a\n\n:ref:`x`\n": false, "text\n\n----\n": false,
	} {
		if got := info.Sniff([]byte(src)); got != want {
			t.Errorf("%.30q is AsciiDoc: %v", src, got)
		}
	}
}

func hostile(n int) map[string]string {
	r := strings.Repeat
	return map[string]string{
		"items": r("* a\n", n), "deeper": r("*", n) + " a", "terms": r("a::\n", n), "plus": "* a\n" + r("+\n", n), "plus blocks": "* a\n" + r("+\n----\n", n), "fences": r("====\n", n), "open": r("----\n.....\n", n),
		"quotes in quotes": r("____\n", n), "examples": r("====\n=====\n======\n", n/3), "cells": "|===\n" + r("|", n), "rows": "|===\n" + r("|a |b\n", n), "columns": "[cols=\"9999999*\"]\n|===\n|a\n|===\n", "cols": "[cols=\"" + r("1,", n) + "\"]\n|===\n|a\n|===",
		"attributes": ":a: {b}{b}\n:b: " + r("{a}", n) + "\n\n" + r("{a}{b}", n), "headings": r("== a\n\n", n), "ids": r("[[a]]\n", n), "titles": r(".a\n", n), "stars": r("*a ", n), "ticks": r("`", n), "refs": r("<<a", n),
		"links": r("https://a[", n), "macros": r("link:a[", n), "includes": r("include::oil.adoc[]\n", n), "self": "include::a.adoc[]\n", "underlines": r("ab\n--\n", n), "one line": r("word ", n), "blank": "a::\n" + r("\n", n) + "b",
		"notes": r("afootnote:[b", n), "terms of the index": r("(((a", n), "closed terms": r("((a", n) + r("))", n), "passed": r("+++a ", n), "dollars": r("$$a ", n),
		"looks": r("[.a]*b", n), "spans": "|===\n" + r("9.9+|a\n", n), "values": ",===\n" + r("\"a,", n) + "\n,===",
		"controls": r("a\x1b[31m\x00\n", n), "not UTF-8": r("\xff", n), "styles": r("[source,a]\n", n), "comments": r("// a\n", n), "roles": r("[a]#b", n), "nested items": r("* a\n** b\n. c\n.. d\n- e\n1. f\n", n/6),
	}
}

// Whatever a page is, it is read, in time and memory that are linear in its size.
func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, asciidoc.Parser{}, "a.adoc", hostile, nil)
}

// What a page says of itself has a bound: a title may be followed by any number of descriptions.
func TestAboutIsBounded(t *testing.T) {
	t.Parallel()
	d := parsed(t, "= Wicks\n"+strings.Repeat(":description: Ann Lamplighter and others\n", 10_000)+"\nTrim them.\n")
	if len(d.About) > 16<<10 || !strings.Contains(d.About, "Ann Lamplighter") {
		t.Errorf("the page says %d bytes of itself: %.60q", len(d.About), d.About)
	}
}

// Files that include each other are included once, and the line that would repeat it has
// a warning; a file's includes are relative to it.
func TestIncludesInACircle(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.adoc": "= A\n\nOne.\n\ninclude::parts/b.adoc[]\n", "parts/b.adoc": "Two.\n\ninclude::c.adoc[]\n", "parts/c.adoc": "Three.\n\ninclude::b.adoc[]\n\ninclude::../a.adoc[]\n"}
	d, err := asciidoc.Parser{}.Parse(t.Context(), []byte(files["a.adoc"]), parse.Options{Path: "a.adoc", Open: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"line 5: b.adoc is not included: it includes itself", "line 5: ../a.adoc is not included: it includes itself"}; !slices.Equal(d.Warnings, want) {
		t.Errorf("warnings are %q, want %q", d.Warnings, want)
	}
	for _, once := range []string{"One.", "Two.", "Three."} {
		if strings.Count(string(d.Text), once) != 1 {
			t.Errorf("%s stands %d times in\n%s", once, strings.Count(string(d.Text), once), d.Text)
		}
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	parsetest.Canceled(t, asciidoc.Parser{}, "a.adoc", "= a\n")
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, asciidoc.Parser{}, parse.Options{Path: "a.adoc"}, append(parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.adoc"), hostile(3)), []byte(git))...)
}

func BenchmarkParse(b *testing.B) {
	one, err := os.ReadFile("testdata/lantern.adoc")
	if err != nil {
		b.Fatal(err)
	}
	src := []byte(strings.Repeat(string(one), 100))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (asciidoc.Parser{}).Parse(b.Context(), src, parse.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The ids of repeated titles and of the parts of a book are those of Asciidoctor, since the
// addresses of citations have them.
func TestIdsOfRepeatedTitlesAndParts(t *testing.T) {
	t.Parallel()
	d := parsed(t, "= Lamps\n:doctype: book\n\n== Examples\n\na\n\n== Oil\n\nb\n\n=== Examples\n\nc\n\n[#_oil_2]\n== Wicks\n\nd\n\n== Oil\n\ne\n\n= Part Two 2.0\n\n== Examples\n\nf\n")
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Anchor)
	}
	if want := "lamps _examples _oil _examples_2 _oil_2 _oil_3 _part_two_2_0 _examples_3"; strings.Join(got, " ") != want {
		t.Errorf("the anchors are %q, want %s", got, want)
	}
}
