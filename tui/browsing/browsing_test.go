package browsing_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/store/doc"
	"docent/tui/browsing"
	"docent/tui/pane/launcher"
	"docent/tui/pane/shelf"
	"docent/tui/style"
	"docent/tui/titles"
	"docent/tui/tuitest"
)

// around is the app around the controller.
type around struct {
	pages  []titles.Page
	err    error
	loads  int
	places pipeline.Places
	keeps  error
	text   string
}

func (a *around) Titles(context.Context) ([]titles.Page, error) {
	a.loads++
	return a.pages, a.err
}
func (a *around) Places(context.Context) (pipeline.Places, error) { return a.places, a.keeps }
func (a *around) Visit(_ context.Context, at pipeline.Place) error {
	a.places = a.places.Visit(at)
	return a.keeps
}

func (a *around) Mark(_ context.Context, at pipeline.Place, on bool) error {
	a.places = a.places.Mark(at, on)
	return a.keeps
}
func (a *around) Questions() []string { return []string{"old", "new"} }
func (a *around) Sets() []shelf.Set {
	return []shelf.Set{{Ref: doc.Ref{Name: "a", Version: "1"}, Pages: 2}}
}
func (a *around) Say(text string)  { a.text = text }
func (a *around) Good(text string) { a.text = text }
func (a *around) Warn(text string) { a.text = "! " + text }

func begin(t *testing.T, a *around) *browsing.Controller {
	t.Helper()
	c := browsing.New(t.Context(), style.New(true, true), a, a, a, a, func() time.Time { return tuitest.Now })
	c.Launcher.SetSize(70, 12)
	c.Start.SetSize(70, 16)
	return c
}

func wicks() *around {
	return &around{pages: []titles.Page{{DocSet: "a@1", Path: "wicks.md", Title: "Wicks",
		Headings: []titles.Heading{{Path: []string{"Wicks", "Trim"}, Anchor: "trim", Line: 7}}}}}
}

// run runs a command and what follows from it.
func run(c *browsing.Controller, cmd tea.Cmd) {
	switch msg := tuitest.Intent(cmd).(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			run(c, one)
		}
	default:
		run(c, c.Update(msg))
	}
}

// The names are read once, and again when the doc sets have changed.
func TestNamesAreReadWhenTheyAreWanted(t *testing.T) {
	t.Parallel()
	a := wicks()
	c := begin(t, a)
	if c.Titled() != nil || a.loads > 0 {
		t.Error("names are there before they are wanted")
	}
	run(c, c.Begin())
	run(c, c.Launcher.Paste("trim"))
	if it, ok := c.Launcher.Selected(); !ok || it.Place.Anchor != "trim" || it.Place.Line != 7 || it.Name() != "Trim" {
		t.Errorf("trim finds %+v, %v", it, ok)
	}
	run(c, c.ReadTitles())
	if a.loads != 1 {
		t.Errorf("they were read %d times", a.loads)
	}
	found, err := c.Titled()(t.Context(), "wick", 5)
	if err != nil || len(found) != 2 || found[0].FilePath != "wicks.md" || len(found[0].Path) > 0 {
		t.Errorf("titled: %+v, %v", found, err)
	}
	c.Forget()
	run(c, c.ReadTitles())
	if a.loads != 2 {
		t.Errorf("they were read %d times", a.loads)
	}
}

// A text that was typed in one go may overtake the request with which the list begins:
// the typed text counts.
func TestOlderTextsAreNotFound(t *testing.T) {
	t.Parallel()
	c := begin(t, wicks())
	run(c, c.ReadTitles())
	first := c.Launcher.Begin()
	second := c.Launcher.Paste("trim")
	search := c.Update(tuitest.Intent(second))
	if late := c.Update(tuitest.Intent(first)); late != nil {
		t.Error("the older text is looked for")
	}
	run(c, search)
	if it, ok := c.Launcher.Selected(); !ok || it.Name() != "Trim" {
		t.Errorf("it finds %+v, %v", it, ok)
	}
}

// Before anything is typed, the list is what one knows: marks, pages read, doc sets.
func TestFamiliar(t *testing.T) {
	t.Parallel()
	a := wicks()
	c := begin(t, a)
	run(c, c.Init())
	at := pipeline.Place{DocSet: "a@1", FilePath: "wicks.md", Title: "Wicks", Path: []string{"Wicks", "Trim"}, Anchor: "trim", Line: 9}
	run(c, c.Visit(at))
	run(c, c.Mark(at))
	if a.text != "marked “Wicks › Trim”; ' lists the marks" || !c.IsMarked(at) || len(a.places.Marked) != 1 || len(a.places.Read) != 1 {
		t.Errorf("%q, kept %+v", a.text, a.places)
	}
	if read, marked := c.FamiliarPage("a@1", "wicks.md"); !read || !marked {
		t.Error("the page is not known")
	}
	run(c, c.Begin())
	v := tuitest.View(t, c.Launcher.View(), 70, 12)
	for _, want := range []string{"# Trim  Wicks", "marked", "Wicks", "just now", "a@1  doc set", "2 pages"} {
		if !strings.Contains(v, want) {
			t.Errorf("%q is not listed:\n%s", want, v)
		}
	}
	c.RefreshStart("hint")
	v = tuitest.View(t, c.Start.View(), 70, 16)
	for _, want := range []string{"Read last  ▸ Wicks › Trim", "Marked       Wicks › Trim", "Asked last   new", "old",
		"Doc sets     a@1  2 pages", "✓ fresh"} {
		if !strings.Contains(v, want) {
			t.Errorf("%q is not on the start screen:\n%s", want, v)
		}
	}
	run(c, c.Mark(at))
	if c.IsMarked(at) || a.text != "no longer marked: “Wicks › Trim”" {
		t.Error("the mark stays")
	}
}

// A page that cannot be read or kept is reported once.
func TestTroubles(t *testing.T) {
	t.Parallel()
	a := wicks()
	a.keeps, a.err = errors.New("the disk is full"), errors.New("the catalog is gone")
	c := begin(t, a)
	run(c, c.Init())
	if !strings.Contains(a.text, "cannot be read: the disk is full") || c.ReadingTrouble() == "" {
		t.Errorf("it says %q", a.text)
	}
	a.text = ""
	run(c, c.Visit(pipeline.Place{DocSet: "a@1", FilePath: "wicks.md"}))
	if a.text != "" {
		t.Errorf("it says again %q", a.text)
	}
	run(c, c.Begin())
	run(c, c.Launcher.Paste("x"))
	if v := c.Launcher.View(); !strings.Contains(v, "the catalog is gone") {
		t.Errorf("the launcher shows\n%s", v)
	}
	if got := tuitest.Intent(c.Launcher.Update("take-item")); got != nil {
		t.Errorf("enter gives %#v", got)
	}
	var _ launcher.Intent = launcher.Asked{}
}

// A mark that cannot be kept is reported each time, also where pages read could not be kept before.
func TestAMarkThatIsNotKept(t *testing.T) {
	t.Parallel()
	a := wicks()
	c := begin(t, a)
	run(c, c.Init())
	a.keeps = &fs.PathError{Op: "open", Path: "/home/places.lock", Err: errors.New("the home is read-only")}
	at := pipeline.Place{DocSet: "a@1", FilePath: "wicks.md", Title: "Wicks", Line: 9}
	run(c, c.Visit(at))
	for _, want := range []string{"! the mark is not kept when docent ends: the home is read-only: open /home/places.lock",
		"! the mark comes back when docent starts again: the home is read-only: open /home/places.lock"} {
		run(c, c.Mark(at))
		if a.text != want {
			t.Errorf("it says %q, want %q", a.text, want)
		}
	}
	// The write of a page read takes the mark with it: the mark's own command still knows.
	visit, mark := c.Visit(at), c.Mark(at)
	run(c, visit)
	run(c, mark)
	if want := "! the mark is not kept when docent ends: the home is read-only: open /home/places.lock"; a.text != want {
		t.Errorf("it says %q, want %q", a.text, want)
	}
}

func TestAgo(t *testing.T) {
	t.Parallel()
	now := tuitest.Now
	for d, want := range map[time.Duration]string{0: "just now", 5 * time.Minute: "5 min ago", 3 * time.Hour: "3 h ago",
		30 * time.Hour: "yesterday", 72 * time.Hour: "3 days ago", 1000 * time.Hour: "2026-01-21"} {
		if got := browsing.TimeAgo(now, now.Add(-d)); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := browsing.TimeAgo(now, time.Time{}); got != "" {
		t.Errorf("no time: %q", got)
	}
}
