package build_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

func document(t interface {
	Helper()
	Fatal(...any)
}, w *build.Writer,
) doc.Document {
	t.Helper()
	d, err := w.Document(context.Background(), []byte(strings.Repeat("the source\n", 100)))
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.CountLines(d.Text); len(d.Map) != n {
		t.Fatal(fmt.Sprintf("a map of %d lines for %d of text", len(d.Map), n))
	}
	return d
}

// A page with one of everything, as it is written.
func TestPage(t *testing.T) {
	t.Parallel()
	w := build.New()
	w.Title("The lamp")
	w.AddMetadata("light, oil")
	w.URL("https://example.org/lamp")
	w.At(doc.Location{Line: 1, Element: "lamp"})
	w.Heading(1, build.TextInline("The lamp"), "lamp")
	w.FromLine(doc.Location{Line: 4})
	w.Paragraph(build.TextInline("It burns *oil*,\nsee ") + build.LinkInline(build.TextInline("oil"), "oil.html#kinds") + build.TextInline("."))
	w.Open(build.NoteContainer("warning", ""))
	w.Paragraph("Hot.")
	w.Close()
	w.Open(build.NoteContainer("danger", build.TextInline("Very hot")))
	w.Paragraph("Burns.")
	w.WriteCode("sh", "rm -rf /\n")
	w.Close()
	for i, s := range []string{"Fill it.", "Trim the wick.", "Light it."} {
		w.At(doc.Location{Line: 20 + i})
		w.Open(build.Number(i + 1))
		w.Paragraph(s)
		if i == 1 {
			w.WriteCode("", "trim\n\n--now")
			w.Open(build.Bullet)
			w.Paragraph("Not too short.")
			w.Close()
		}
		w.Close()
	}
	w.At(doc.Location{Line: 30})
	w.Definition(build.CodeInline("--oil"))
	w.Paragraph("What it burns.")
	w.Close()
	w.Definition("wick")
	w.Paragraph("What burns.")
	w.Open(build.Bullet)
	w.Paragraph("cotton")
	w.Close()
	w.Close()
	w.WriteRule()
	w.At(doc.Location{Line: 40, Page: 2})
	w.WriteTable([]string{"a", build.CodeInline("x|y")}, [][]string{{build.TextInline("1\n2"), "p|q"}, {"short"}}, doc.Location{Line: 41}, doc.Location{Line: 42})
	w.At(doc.Location{Line: 50})
	w.Open(build.Quote)
	w.Paragraph("said")
	w.Open(build.Bullet)
	w.Paragraph("a list")
	w.Close()
	w.Close()
	w.Heading(9, "Last", "")
	const want = "# The lamp\n\nIt burns \\*oil\\*,\nsee [oil](oil.html#kinds).\n\n> [!WARNING]\n> Hot.\n\n> [!CAUTION]\n> **Very hot**\n>\n> Burns.\n>\n> ```sh\n> rm -rf /\n> ```\n\n" +
		"1. Fill it.\n2. Trim the wick.\n\n   ```\n   trim\n\n   --now\n   ```\n\n   - Not too short.\n\n3. Light it.\n\n- **`--oil`**\n  What it burns.\n- **wick**\n  What burns.\n  - cotton\n\n***\n\n" +
		"| a | `x\\|y` |\n| --- | --- |\n| 1 2 | p\\|q |\n| short | |\n\n> said\n> - a list\n\n###### Last\n"
	d := document(t, w)
	if string(d.Text) != want {
		for i, line := range strings.Split(string(d.Text), "\n") {
			if lines := strings.Split(want, "\n"); i >= len(lines) || line != lines[i] {
				t.Errorf("line %d is %q; written is\n%s\nwant\n%s", i+1, line, d.Text, want)
				break
			}
		}
	}
	if d.Title != "The lamp" || d.About != "light, oil" || d.URL != "https://example.org/lamp" || len(d.Links) != 1 || d.Links[0].Target != "oil.html#kinds" {
		t.Errorf("title %q, about %q, URL %q, links %+v", d.Title, d.About, d.URL, d.Links)
	}
	var kinds []string
	for _, b := range d.Blocks {
		kinds = append(kinds, string(b.Kind))
	}
	if got, want := strings.Join(kinds, " "), "heading paragraph admonition admonition procedure list rule table quote heading"; got != want {
		t.Errorf("the blocks are %s, want %s", got, want)
	}
	for line, want := range map[int]doc.Location{1: {Line: 1, Element: "lamp"}, 3: {Line: 4}, 4: {Line: 5}, 18: {Line: 20}, 19: {Line: 21}, 41: {Line: 41}, 42: {Line: 42}} {
		if got := d.Location(line); got != want {
			t.Errorf("line %d, %q, stands at %+v, want %+v", line, strings.Split(string(d.Text), "\n")[line-1], got, want)
		}
	}
}

// Anchors of the source are kept, repeats are numbered, and slugs give way to them.
func TestAnchors(t *testing.T) {
	t.Parallel()
	w := build.New()
	for _, h := range [][2]string{{"Use", ""}, {"Use", "std:option--use"}, {"Use", ""}, {"Other", "use"}, {"Third", "use"}, {"Bad", "two words"}, {"", "none"}, {build.CodeInline("") + " ", "none"}, {"C {#sharp}", ""}, {"C #", ""}} {
		w.Heading(2, h[0], h[1])
	}
	d := document(t, w)
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Text+"="+s.Anchor)
	}
	if want := "Use=use-2 Use=std:option--use Use=use-3 Other=use Third=use-1 Bad=bad C { #sharp}=c--sharp C #=c-"; strings.Join(got, " ") != want {
		t.Errorf("the anchors are %q, want %q", strings.Join(got, " "), want)
	}
	w = build.New()
	w.Open(build.Bullet)
	w.Heading(2, "In a list", "x")
	w.Close()
	if d := document(t, w); string(d.Text) != "- **In a list**\n" {
		t.Errorf("a heading in a list is %q", d.Text)
	}
}

// A text that is given to Text is the same when it is read again, at any place.
func TestTextSurvives(t *testing.T) {
	t.Parallel()
	odd := rapid.SampledFrom([]string{"*", "_", "`", "~", "~~~", "```", "\\", "<", ">", "[", "]", "(", ")", "!", "&", "&amp;", "&copy", ";", "#", "# ", "- ", "-", "--", "---", "+ ", "+++", "1. ", "12) ", "=", "===", "=== \"tab\"", "|", "|-|", ":-:", "| a |\n|---|\n",
		":::note", "!!! note\n", "??? x\n    y", "[a]: b", "[a](b)", "![a](b)", "[^1]", "{{< note >}}", "{{%", "{{", "{", "}", "{%raw%}", "{/*", "{#id}", "{.c}", "{: .c}", "{ .c }", "{: #id a=\"b\"}", "<Note>", "</Note>", "<div>", "<!--", "-->", "<br>", "<https://a.b>", "import a from 'b'", "export const a = 1", "export default x", "title: t", "\n", "\n\n", " ", "\t", "    ", "  \n", "\r\n", "\r", "\x00", "\xff", "\ufeff", "\u00a0", "\x1b[31m",
		"word", "foo_bar", "a", "文字", "é", "https://a.b/c_d*e?f=1&lt=2", "$x$", "Source: https://e.org", "Warning: x", "[ ] ", "[x] "})
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case unicode.IsSpace(r) || r == 0xfeff || unicode.IsControl(r) && r != 0:
				return -1
			case r == 0:
				return 0xfffd
			}
			return r
		}, s)
	}
	places := map[string]func(w *build.Writer, inline string){
		"paragraph":  func(w *build.Writer, in string) { w.Paragraph(in) },
		"second":     func(w *build.Writer, in string) { w.Paragraph("x\n" + in); w.Paragraph("end") },
		"heading":    func(w *build.Writer, in string) { w.Heading(2, in, "") },
		"item":       func(w *build.Writer, in string) { w.Open(build.Bullet); w.Paragraph(in); w.Close() },
		"number":     func(w *build.Writer, in string) { w.Open(build.Number(7)); w.Paragraph(in); w.Close() },
		"quote":      func(w *build.Writer, in string) { w.Open(build.Quote); w.Paragraph("y"); w.Paragraph(in); w.Close() },
		"note":       func(w *build.Writer, in string) { w.Open(build.NoteContainer("tip", in)); w.Paragraph(in); w.Close() },
		"definition": func(w *build.Writer, in string) { w.Definition(in); w.Paragraph(in); w.Close() },
		"cell":       func(w *build.Writer, in string) { w.WriteTable([]string{"h"}, [][]string{{in, "b"}}) },
		"link":       func(w *build.Writer, in string) { w.Paragraph("see " + build.LinkInline(in, "x(y).html") + "!") },
		"strong": func(w *build.Writer, in string) {
			w.Paragraph("x " + build.Strong("y"+in+"z") + " " + build.Emphasis("a"+in+"b"))
		},
		"pieces": func(w *build.Writer, in string) {
			w.Paragraph(in + build.CodeInline("c") + in + build.LinkInline("l", "u") + in)
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.OneOf(odd, rapid.String()), 0, 8).Draw(t, "pieces"), "")
		name := rapid.SampledFrom([]string{"paragraph", "second", "heading", "item", "number", "quote", "note", "definition", "cell", "link", "strong", "pieces"}).Draw(t, "place")
		if name == "heading" { // the writer parts these
			s = strings.ReplaceAll(strings.ReplaceAll(s, "{#", "{ #"), "{.", "{ .")
		}
		in := build.TextInline(s)
		want := plain(s)
		switch name {
		case "second":
			want = "x" + want + "end"
		case "quote":
			want = "y" + want
		case "note", "definition":
			want += want
		case "cell":
			want = "h" + want + "b"
		case "link":
			if want == "" {
				want = "x%28y%29.html"
			}
			want = "see" + want + "!"
		case "strong":
			want = "xy" + want + "za" + want + "b"
		case "pieces":
			want += "c" + want + "l" + want
		}
		w := build.New()
		places[name](w, in)
		d := document(t, w)
		var got strings.Builder
		for _, b := range d.Blocks {
			got.WriteString(b.Text)
		}
		if g := plain(got.String()); g != want {
			t.Fatalf("%s: %q is read as %q, want %q; written is\n%s", name, s, g, want, d.Text)
		}
	})
}

// An asterisk at an end of bold or emphasised text stays a character.
func TestAsterisksAtTheEndsOfBoldText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{" * ": `\*`, "# *": `# \*`, "* a": `\* a`, "a*": `a\*`, "2 * 3": "2 * 3"} {
		if got := build.Strong(strings.TrimSpace(build.TextInline(text))); got != "**"+want+"**" {
			t.Errorf("%q is written as %s, want **%s**", text, got, want)
		}
	}
	if got := build.Strong(build.Emphasis("a")); got != "***a***" {
		t.Errorf("both are %s", got)
	}
}

// Code is what it was, in any container.
func TestCodeSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"```", "~~~~", "````", "x", "  y", "\t", "\n", "\n", "> ", "- ", "# c", "<!--", "{{< a >}}", "{{% b %}}", "</Note>", "\\", "|", ":::", "1. "}), 1, 12).Draw(t, "code"), "")
		w := build.New()
		depth := rapid.IntRange(0, 4).Draw(t, "depth")
		for range depth {
			w.Open(rapid.SampledFrom([]build.Container{build.Bullet, build.Quote, build.Number(1), build.Number(10), build.NoteContainer("note", ""), build.NoteContainer("note", "T")}).Draw(t, "container"))
			if rapid.Bool().Draw(t, "text before") {
				w.Paragraph("before")
			}
		}
		w.WriteCode("go", s)
		for range depth {
			w.Close()
		}
		w.Paragraph("after <b>, " + build.TextInline("# not a heading"))
		d := document(t, w)
		trim := func(s string) string {
			var lines []string
			for l := range strings.SplitSeq(s, "\n") {
				lines = append(lines, strings.TrimRight(l, " \t"))
			}
			return strings.Trim(strings.Join(lines, "\n"), " \t\n")
		}
		var got strings.Builder
		for _, b := range d.Blocks {
			got.WriteString(b.Code)
		}
		if trim(got.String()) != trim(s) {
			t.Fatalf("%q is read as %q; written is\n%s", s, got.String(), d.Text)
		}
		if last := d.Blocks[len(d.Blocks)-1]; last.Kind != doc.Paragraph || !strings.HasPrefix(last.Text, "after") {
			t.Fatalf("what follows the code is %s %q:\n%s", last.Kind, last.Text, d.Text)
		}
	})
}

// Any calls in any order make a page whose map has a place for each line and whose
// anchors are unique.
func TestAnyCalls(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := build.New()
		for i := range rapid.IntRange(0, 60).Draw(t, "calls") {
			w.At(doc.Location{Line: i + 1})
			s := build.TextInline(rapid.SampledFrom([]string{"a", "b\nc", "", "- x", "T", "T"}).Draw(t, "text"))
			switch rapid.IntRange(0, 11).Draw(t, "call") {
			case 0:
				w.Heading(rapid.IntRange(-1, 8).Draw(t, "level"), s, rapid.SampledFrom([]string{"", "t", "u"}).Draw(t, "anchor"))
			case 1, 2:
				w.Paragraph(s)
			case 3:
				w.WriteCode("", s)
			case 4:
				w.WriteTable(nil, [][]string{{s}, {s, s}})
			case 5, 6:
				w.Open(rapid.SampledFrom([]build.Container{build.Bullet, build.Quote, build.Number(i), build.NoteContainer("x", "y"), build.NoteContainer("note", "")}).Draw(t, "container"))
			case 7:
				w.Definition(s)
			case 8, 9, 10:
				w.Close()
			case 11:
				w.WriteRule()
			}
		}
		d := document(t, w)
		seen := map[string]bool{}
		for _, s := range d.Sections {
			if s.Level > 0 && (s.Anchor == "" || seen[s.Anchor]) {
				t.Fatalf("the anchor %q of %q is empty or stands twice:\n%s", s.Anchor, s.Text, d.Text)
			}
			seen[s.Anchor] = true
		}
		at := 0
		for i, p := range d.Map {
			if p.Line < at {
				t.Fatalf("line %d stands at %d, the one before at %d", i+1, p.Line, at)
			}
			at = p.Line
		}
		for line := range strings.Lines(string(d.Text)) {
			if strings.HasSuffix(line, " \n") {
				t.Fatalf("%q ends in a blank", line)
			}
		}
	})
}

// Containers nested without end are cut off, and their text stays.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	w := build.New()
	const n = 10_000
	for i := range n {
		w.Open(build.Bullet)
		w.Paragraph(fmt.Sprint("word", i))
	}
	for range n + 5 {
		w.Close()
	}
	w.Heading(2, "After", "")
	d := document(t, w)
	if !strings.Contains(string(d.Text), "word9999\n") || d.Sections[len(d.Sections)-1].Text != "After" {
		t.Error("text is lost")
	}
	if len(d.Text) > 200*n {
		t.Errorf("%d bytes were written", len(d.Text))
	}
}

// One wide row does not make all rows wide.
func TestWideTable(t *testing.T) {
	t.Parallel()
	w := build.New()
	rows := make([][]string, 5000)
	for i := range rows {
		rows[i] = []string{"a"}
	}
	w.WriteTable(make([]string, 5000), rows)
	if d := document(t, w); len(d.Text) > 5000*(64*3+20) {
		t.Errorf("%d bytes were written", len(d.Text))
	}
}

func BenchmarkWriter(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := build.New()
				for i := range n {
					w.FromLine(doc.Location{Line: i + 1})
					if i%20 == 0 {
						w.Heading(2, build.TextInline(fmt.Sprint("Section ", i)), "")
					}
					w.Open(build.Bullet)
					w.Paragraph(build.TextInline("Some text with a_name and * stars *,\non two lines: ") + build.CodeInline("code") + " " + build.LinkInline("link", "x.html"))
					w.Close()
				}
				b.SetBytes(int64(len(document(b, w).Text)))
			}
		})
	}
}
