package preview_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/contract"
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
	pg := page.Prepare(page.Page{Doc: tuitest.Parse("p.md", src), Source: []byte(src)})
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

	// Only what is visible and a screen ahead is rendered, one at a time.
	cmd := p.Render()
	if cmd == nil || p.Render() != nil {
		t.Fatal("not exactly one rendering is under way")
	}
	n := 0
	for ; cmd != nil; n++ {
		cmd = p.Update(cmd())
	}
	if n == 0 || n >= pg.Pieces() {
		t.Errorf("%d of %d pieces were rendered", n, pg.Pieces())
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
