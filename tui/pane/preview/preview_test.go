package preview_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/chunk"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/preview"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// lines are n paragraphs.
func lines(n int, what string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n\n", what, i)
	}
	return b.String()
}

func TestPane(t *testing.T) {
	t.Parallel()
	p := preview.New(style.New(true, true))
	p.SetSize(40, 6)
	if !strings.Contains(p.View(), "is shown here") || p.Render() != nil {
		t.Error("an empty pane shows or renders something")
	}
	src := "## One\n\n" + lines(30, "one") + "## Two\n\n**two** is bold\n\n## Three\n\n" + lines(50, "three")
	pg := page.PreparePage(page.Page{Doc: tuitest.Parse("p.md", src), Source: []byte(src)})
	target := page.Target{DocSet: "s@1", FilePath: "p.md", Title: "Page", Heading: contract.Heading{Text: "## Two", Anchor: "two"}}
	if !p.SetTarget(target) {
		t.Fatal("the page is not asked for")
	}
	if !strings.Contains(p.View(), "reading") {
		t.Errorf("while reading it shows %q", p.View())
	}
	p.SetPage("s@1/other.md", pg)
	if !strings.Contains(p.View(), "reading") {
		t.Error("a page that nobody looks at any more is taken")
	}
	p.SetPage("s@1/p.md", pg)
	if lines := strings.Split(p.View(), "\n"); !strings.Contains(lines[0], "s@1 › p.md") || !strings.Contains(lines[1], "Two") {
		t.Errorf("it begins with %q", lines[:2])
	}
	if !strings.Contains(p.View(), "**two**") {
		t.Error("the source is not shown until the rendering is there")
	}

	// Only the visible lines and a screen ahead are rendered, one at a time.
	cmd := p.Render()
	if cmd == nil || p.Render() != nil {
		t.Fatal("not exactly one rendering is under way")
	}
	n := 0
	for ; cmd != nil; n++ {
		cmd = p.Update(cmd())
	}
	if n == 0 || n >= pg.PieceCount() {
		t.Errorf("%d of %d pieces were rendered", n, pg.PieceCount())
	}
	if view := ansi.Strip(p.View()); !strings.Contains(view, "▎ **two** is bold") || !strings.Contains(view, "  ## Three") {
		t.Errorf("rendered:\n%s", p.View())
	}
	if missing := p.SetTarget(target); missing || p.Render() != nil {
		t.Error("what is there is asked for again")
	}
	p.Update(keymap.Bottom)
	if !strings.Contains(p.Info(), "lines") || p.Title() != "Page › Two" {
		t.Errorf("title %q, info %q", p.Title(), p.Info())
	}
	p.SetSize(30, 4)
	p.Update(keymap.Top)
	if first, _, _ := strings.Cut(p.View(), "\n"); !strings.Contains(first, "One") {
		t.Errorf("the top is %q", first)
	}

	other := target
	other.FilePath = "q.md"
	p.SetTarget(other)
	p.SetError("s@1/q.md", errors.New("it is \x1b[31mgone"))
	if !strings.Contains(p.View(), "it is gone") {
		t.Errorf("the error is not shown: %q", p.View())
	}
	p.Clear()
	if _, ok := p.Target(); ok || p.Render() != nil {
		t.Error("it still has a target, or renders")
	}
}

// From a hit the preview steps to the passages next to it, and stops at the ends.
func TestSteps(t *testing.T) {
	t.Parallel()
	src := "# Rig\n\nBegin.\n\n## Step 6\n\nAssemble.\n\n## Step 7\n\nCalibrate.\n\n## Step 8\n\nHoist.\n" + lines(40, "rest")
	d := tuitest.Parse("rig.md", src)
	var spans []doc.Span
	for _, c := range chunk.SplitPage(*d, chunk.Options{}) {
		spans = append(spans, c.Span)
	}
	pg := page.PreparePage(page.Page{Doc: d, Source: []byte(src), Passages: spans})
	p := preview.New(style.New(true, true))
	p.SetSize(80, 9)
	target := page.Target{DocSet: "s@1", FilePath: "rig.md", Title: "Rig", Heading: contract.Heading{Text: "## Step 7", Anchor: "step-7",
		Section: [2]int{9, 12}, Lines: [2]int{9, 11}, ChunkIndex: 2}}
	p.SetTarget(target)
	if p.Step(1) {
		t.Error("it steps through a page that is not there yet")
	}
	p.SetPage("s@1/rig.md", pg)
	shows := func(title, info, text string) {
		t.Helper()
		if view := ansi.Strip(p.View()); p.Title() != title || !strings.HasPrefix(p.Info(), info) || !strings.Contains(view, "▎ "+text) {
			t.Errorf("%q, %q:\n%s", p.Title(), p.Info(), view)
		}
	}
	shows("Rig › Step 7", "lines", "Calibrate.")
	if !p.Step(1) {
		t.Fatal("there is none behind")
	}
	shows("Rig › Step 8", "passage 4 of 4 · lines 13–", "Hoist.")
	if p.Step(1) {
		t.Error("there is one behind the last")
	}
	if text, ok := p.Section(); !ok || !strings.HasPrefix(text, "## Step 8") {
		t.Errorf("the section that is copied is %.40q", text)
	}
	p.Step(-1)
	shows("Rig › Step 7", "lines", "Calibrate.")
	p.Step(-1)
	shows("Rig › Step 6", "passage 2 of 4 · lines 5–7", "Assemble.")
	p.Step(-1)
	if p.Step(-1) {
		t.Error("there is one before the first")
	}
	target.Heading.Text, target.Heading.Anchor, target.Heading.Section = "## Step 6", "step-6", [2]int{5, 8}
	p.SetTarget(target)
	shows("Rig › Step 6", "lines", "Assemble.")
}

// Of a passage that is longer than passages should be, the lines that the question is
// about are shown, with the lines around them folded, until a person unfolds it.
func TestFolds(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Rig\n\n")
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&b, "%d. Turn the winch by notch %d.\n", i, i)
	}
	b.WriteString("\n## After\n\nStow the tools.\n")
	pg := page.PreparePage(page.Page{Doc: tuitest.Parse("rig.md", b.String()), Source: []byte(b.String())})
	p := preview.New(style.New(true, true))
	p.SetSize(60, 14)
	p.SetTarget(page.Target{DocSet: "s@1", FilePath: "rig.md", Title: "Rig", Heading: contract.Heading{Text: "# Rig", Anchor: "rig",
		Section: [2]int{1, 63}, Lines: [2]int{1, 62},
		Neighbors: &contract.Neighbors{Focus: &contract.LineRange{30, 33}, Collapsed: &contract.Around{Before: &contract.LineRange{1, 29},
			After: &contract.LineRange{34, 62}}}}})
	p.SetPage("s@1/rig.md", pg)
	for cmd := p.Render(); cmd != nil; {
		cmd = p.Update(cmd())
	}
	view := ansi.Strip(p.View())
	for _, want := range []string{"# Rig", "⋯ lines 2–29; Z shows them", "28. Turn the winch by notch 28.", "31. Turn the winch by notch 31.",
		"⋯ lines 34–62; Z shows them", "## After"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
	if strings.Contains(view, "notch 27.") || strings.Contains(view, "notch 32.") {
		t.Errorf("more than what the question is about is shown:\n%s", view)
	}
	if !p.Fold() {
		t.Fatal("nothing is folded")
	}
	if view := ansi.Strip(p.View()); strings.Contains(view, "⋯") || !strings.Contains(view, "notch 29.") ||
		!strings.Contains(view, "notch 34.") {
		t.Errorf("unfolded it shows\n%s", view)
	}
	if p.Fold(); !strings.Contains(ansi.Strip(p.View()), "⋯ lines 2–29") {
		t.Errorf("folded again it shows\n%s", p.View())
	}
}

// A section that begins with its own summary has it once: the built-in summary of most is
// their first sentence.
func TestSummaryThatTheTextBeginsWith(t *testing.T) {
	t.Parallel()
	src := "## One\n\nA `wick` is [cotton](x.md). It burns.\n\n## Two\n\n- A list\n\nA wick is cotton. It burns.\n"
	d := tuitest.Parse("p.md", src)
	for i, b := range d.Blocks {
		d.Blocks[i].Text = map[byte]string{'A': "A wick is cotton. It burns.", '-': "A list"}[src[b.Span.Start]]
	}
	p := preview.New(style.New(true, true))
	p.SetSize(60, 40)
	for anchor, want := range map[string]bool{"one": false, "two": true} {
		p.SetTarget(page.Target{DocSet: "s@1", FilePath: "p.md", Title: "Page",
			Heading: contract.Heading{Text: "## " + strings.ToUpper(anchor[:1]) + anchor[1:], Anchor: anchor}})
		p.SetPage("s@1/p.md", page.PreparePage(page.Page{Doc: d, Source: []byte(src), Summary: func(int) string { return "A wick is cotton." }}))
		lines := strings.Split(ansi.Strip(p.View()), "\n")
		if got := strings.Contains(lines[1], "A wick is cotton."); got != want {
			t.Errorf("%s: the summary is shown: %v, want %v:\n%s", anchor, got, want, strings.Join(lines[:8], "\n"))
		}
		if anchor == "one" && !strings.Contains(lines[1], "One") {
			t.Errorf("the text begins with %q and leaves lines empty", lines[1])
		}
	}
}

// Where there are lines to spare, one says what the section is about, also of a section
// that was stepped to; elsewhere the page has them all.
func TestSummary(t *testing.T) {
	t.Parallel()
	src := "## One\n\nFirst.\n\n## Two\n\nSecond.\n"
	d := tuitest.Parse("p.md", src)
	pg := page.PreparePage(page.Page{Doc: d, Source: []byte(src), Summary: func(i int) string {
		return "about " + d.Sections[i].Text +
			"\x1b[31m"
	}})
	p := preview.New(style.New(true, true))
	p.SetSize(60, 40)
	p.SetTarget(page.Target{DocSet: "s@1", FilePath: "p.md", Title: "Page", Heading: contract.Heading{Text: "## Two", Anchor: "two"}})
	p.SetPage("s@1/p.md", pg)
	if lines := strings.Split(ansi.Strip(p.View()), "\n"); !strings.Contains(lines[1], "about Two") || strings.TrimSpace(lines[2]) != "" ||
		strings.Contains(p.View(), "\x1b[31m") {
		t.Errorf("it begins with %q", lines[:3])
	}
	p.SetTarget(page.Target{DocSet: "s@1", FilePath: "p.md", Title: "Page", Heading: contract.Heading{Text: "## One", Anchor: "one"}})
	if !strings.Contains(p.View(), "about One") {
		t.Errorf("after another hit it is %s", p.View())
	}
	p.SetSize(60, 16)
	if strings.Contains(p.View(), "about") {
		t.Errorf("in 16 lines it is %s", p.View())
	}
	if whole := page.PreparePage(page.Page{Doc: d, Source: []byte(src), Summary: func(int) string { return "One" }}); whole.Summary(0) != "" ||
		whole.Summary(5) != "" {
		t.Error("a heading is said twice")
	}
}
