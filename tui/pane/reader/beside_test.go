package reader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/reader"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// wide is a reader of a page with many headings.
func wide(t *testing.T, w, h int) *reader.Pane {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Harbour\n\nText.\n\n")
	for i := range 60 {
		fmt.Fprintf(&b, "## Berth %d\n\nText of berth %d.\n\n", i, i)
	}
	src := b.String()
	p := reader.New(style.New(true, true))
	p.SetSize(w, h)
	at := page.Target{DocSet: "a@1", FilePath: "h.md", Title: "Harbour"}
	p.Open(at)
	p.SetPage(at.ID(), page.PreparePage(page.Page{Doc: tuitest.Parse("h.md", src), Source: []byte(src)}))
	return p
}

// From 160 columns of the screen on the outline stands next to the text and follows
// it; a click goes to a heading, and back leads back.
func TestOutlineBeside(t *testing.T) {
	t.Parallel()
	if v := wide(t, 157, 20).View(); strings.Contains(v, "│") {
		t.Error("the outline stands beside the text on a narrow screen")
	}
	p := wide(t, 158, 20)
	p.SetMarked(func(at pipeline.Place) bool { return at.Anchor == "berth-3" })
	lines := strings.Split(tuitest.View(t, p.View(), 158, 20), "\n")
	if len(lines) != 20 || !strings.Contains(lines[0], "│▎ Harbour") || !strings.Contains(lines[1], "Berth 0") ||
		!strings.Contains(lines[4], "Berth 3 ★") {
		t.Errorf("it shows\n%s", strings.Join(lines, "\n"))
	}
	for range 40 {
		p.Update(keymap.NextSection)
	}
	v := ansi.Strip(p.View())
	if !strings.Contains(v, "│▎   Berth 39") || strings.Contains(v, "│    Berth 3 ★") {
		t.Errorf("it does not follow:\n%s", v)
	}
	if p.Click(20, 3) != nil {
		t.Error("a click on the text goes elsewhere")
	}
	p.Click(140, 0)
	if title := p.Title(); title != "Harbour › Berth 29" {
		t.Errorf("a click leads to %q", title)
	}
	p.Update(keymap.GoBack)
	if title := p.Title(); title != "Harbour › Berth 39" {
		t.Errorf("back leads to %q", title)
	}
	// The outline that is typed in stands alone.
	p.Update(keymap.Outline)
	if v := ansi.Strip(p.View()); strings.Contains(v, "│") || !strings.Contains(v, "61 headings") {
		t.Errorf("it shows\n%s", v)
	}
}

// A find in a text opens its section at the first line with the most of its words.
func TestAFindOpensAtItsLine(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Harbour\n\n## Berths\n\n")
	for i := range 60 {
		fmt.Fprintf(&b, "Berth %d is free.\n\n", i)
	}
	b.WriteString("The harbour master keeps a Lantern burning.\n\nA lantern.\n\n## Piers\n\n")
	b.WriteString(strings.Repeat("A pier.\n\n", 40))
	src := b.String()
	p := reader.New(style.New(true, true))
	p.SetSize(80, 10)
	at := pipeline.Place{DocSet: "a@1", FilePath: "h.md", Title: "Harbour", Path: []string{"Harbour", "Berths"}, Anchor: "berths"}
	p.Open(page.Target{DocSet: "a@1", FilePath: "h.md", Title: "Harbour"})
	p.SetPage(page.Target{DocSet: "a@1", FilePath: "h.md", Title: "Harbour"}.ID(),
		page.PreparePage(page.Page{Doc: tuitest.Parse("h.md", src), Source: []byte(src)}))
	for text, want := range map[string]int{"lantern master": 125, "LANT": 125, "berth 41": 87, "berths": 3, "tide": 3, "pier": 3} {
		p.OpenAt(at, text)
		if now, ok := p.Place(); !ok || now.Line != want || !now.SameSection(at) {
			t.Errorf("%q opens at %+v, want line %d", text, now, want)
		}
	}
}

// A place that was left is found again: at its line, or at its section where the
// page has changed since.
func TestPlaces(t *testing.T) {
	t.Parallel()
	p := wide(t, 80, 10)
	p.Update(keymap.PageDown)
	p.Update(keymap.PageDown)
	at, ok := p.Place()
	if !ok || at.DocSet != "a@1" || at.FilePath != "h.md" || at.Line < 10 || len(at.Path) == 0 {
		t.Fatalf("the place is %+v, %v", at, ok)
	}
	at.At = tuitest.Now
	p.Update(keymap.Top)
	p.OpenAt(at, "")
	if now, _ := p.Place(); now.Line != at.Line || !now.SameSection(at) {
		t.Errorf("it opens at %+v, not at %+v", now, at)
	}
	moved := at
	moved.Line = 200
	p.OpenAt(moved, "")
	if now, _ := p.Place(); !now.SameSection(at) {
		t.Errorf("it opens at %+v, not in the section of %+v", now, at)
	}
	if left, ok := tuitest.Intent(p.Close()).(reader.At); !ok || left.Place.FilePath != "h.md" {
		t.Errorf("it is left at %+v", left)
	}
	if p.Close() != nil {
		t.Error("it is left twice")
	}
}
