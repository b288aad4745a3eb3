package page

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
	"docent/tui/widget"
)

// The lines of an item hang below its first one, at every depth; its blocks stand
// apart, and the numbers below each other.
func TestListsHang(t *testing.T) {
	t.Parallel()
	src := "Text.\n\n" +
		"- one item that is too long for a line of forty columns, and [linked](a.md)\n" +
		"- two\n" +
		"  - nested, and too long for a line of forty columns\n\n" +
		"9. nine is too long for a line of forty columns\n" +
		"10. ten\n\n    its second paragraph is too long for a line of forty columns\n\n    ```sh\n    ls\n    ```\n\n" +
		"* [ ] a task that is too long for a line of forty columns\n" +
		"* [x] done\n\n" +
		"> - quoted, and too long for a line of forty columns\n"
	want := `Text.

• one item that is too long for a line
  of forty columns, and linked
• two
  • nested, and too long for a line of
    forty columns

 9. nine is too long for a line of forty
    columns

10. ten

    its second paragraph is too long for
    a line of forty columns

      ls

• [ ] a task that is too long for a line
  of forty columns
• [✓] done

|
| • quoted, and too long for a line of
|   forty columns`
	for _, wide := range []bool{false, true} {
		out, err := (&Renderer{}).renderMarkdown(src, 40, style.NoColor, wide)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(out.lines, "\n"); got != want {
			t.Errorf("wide %v:\n%s\nwant\n%s", wide, got, want)
		}
		if len(out.links) != 1 || !strings.HasPrefix(widget.Columns(out.lines[out.links[0].Line], out.links[0].Col, 40), "linked") {
			t.Errorf("the links are %v", out.links)
		}
	}
}

// Lists that are nested deeper than the screen is wide are drawn all the same.
func TestDeepListsAreDrawn(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 60 {
		b.WriteString(strings.Repeat("  ", i) + "- level\n")
	}
	b.WriteString("\n0. nought\n1. one\n")
	out, err := (&Renderer{}).renderMarkdown(b.String(), 20, style.Dark, true)
	if err != nil {
		t.Fatal(err)
	}
	text := ansi.Strip(strings.Join(out.lines, "\n"))
	if n := strings.Count(text, "level"); n != 60 || !strings.Contains(text, "0. nought\n1. one") {
		t.Errorf("%d levels:\n%s", n, text)
	}
}

// What names a heading's anchor is no part of its text.
func TestAnchorsAreNotShown(t *testing.T) {
	t.Parallel()
	out, err := (&Renderer{}).renderMarkdown("## What is a Pod? {#what-is-a_pod}\n\nText {#not-one}.\n\nSetext {#two}\n---\n", 60,
		style.NoColor,
		true)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(out.lines, "\n")
	if strings.Contains(text, "what-is") || strings.Contains(text, "#two") || !strings.Contains(text, "## What is a Pod?") ||
		!strings.Contains(text, "Text {#not-one}.") {
		t.Errorf("shown:\n%s", text)
	}
}
