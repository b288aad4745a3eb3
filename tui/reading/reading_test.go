package reading_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/hits"
	"docent/tui/pane/reader"
	"docent/tui/reading"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// around is the app around the pages, and the pages.
type around struct {
	at     []string
	read   []string
	err    error
	looks  int
	copies int
	mark   string
	text   string
}

func (a *around) FollowCursor() tea.Cmd { a.looks++; return nil }
func (a *around) Copied()               { a.copies++ }
func (a *around) Left()                 {}

func (a *around) Say(text string)  { a.mark, a.text = " ", text }
func (a *around) Good(text string) { a.mark, a.text = "✓", text }
func (a *around) Warn(text string) { a.mark, a.text = "!", text }
func (a *around) Fail(text string) { a.mark, a.text = "✗", text }

const source = "# Wicks\n\nText.\n\n## Trim\n\n```sh\nlantern trim\n```\n\n> ~~~\n> quoted\n> ~~~\n\n```\nopen\n"

func (a *around) Page(_ context.Context, docSet, filePath string) (page.Page, error) {
	a.read = append(a.read, docSet+"/"+filePath)
	return page.Page{Doc: tuitest.Parse(filePath, source), Source: []byte(source)}, a.err
}

func (a *around) At(p pipeline.Place) tea.Cmd {
	a.at = append(a.at, fmt.Sprintf("%s:%d", p.FilePath, p.Line))
	return nil
}

func (a *around) Pages(context.Context, string) ([]reader.Ref, error) {
	return []reader.Ref{{Path: "a.md"}}, a.err
}

func (a *around) Quote(_ context.Context, p page.Passage) (block, citation string, err error) {
	return "block of " + p.FilePath + " " + p.Text, "citation of " + p.Name(), a.err
}

func (a *around) References(_ context.Context, docSet, filePath string, section int) ([]reader.Reference, error) {
	return []reader.Reference{{Says: "requires", Text: fmt.Sprintf("%s/%s %d", docSet, filePath, section)}}, a.err
}

func begin(t *testing.T, tools reading.Tools) (*reading.Controller, *around) {
	t.Helper()
	a := &around{}
	c := reading.New(t.Context(), style.New(true, true), a, tools, a, a)
	c.Reader.SetSize(60, 20)
	c.Preview.SetSize(60, 20)
	return c, a
}

// finish runs a command, and those that follow from it, to their end.
func finish(c *reading.Controller, cmd tea.Cmd) {
	switch msg := tuitest.Intent(cmd).(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			finish(c, one)
		}
	default:
		finish(c, c.Update(msg))
	}
}

func target(path string) page.Target {
	return page.Target{DocSet: "a@1", FilePath: path, Title: path}
}

// A page is read once while it is being read, kept, and read again when pages
// were forgotten.
func TestPagesAreReadOnce(t *testing.T) {
	t.Parallel()
	c, a := begin(t, reading.Tools{})
	first := c.FollowTarget(target("a.md"), true)
	c.Preview.Clear()
	if again := c.FollowTarget(target("a.md"), true); again != nil {
		t.Error("a page that is being read is read again")
	}
	finish(c, first)
	if v := c.Preview.View(); !strings.Contains(v, "Wicks") || a.looks != 1 {
		t.Errorf("%d looks; the preview shows\n%s", a.looks, v)
	}
	c.Preview.Clear()
	finish(c, c.FollowTarget(target("a.md"), true))
	if len(a.read) != 1 {
		t.Errorf("read: %q", a.read)
	}
	c.Forget()
	finish(c, c.FollowTarget(target("a.md"), true))
	if len(a.read) != 2 {
		t.Errorf("after Forget: %q", a.read)
	}
	// The oldest page goes when there are too many.
	for i := range 40 {
		finish(c, c.FollowTarget(target(fmt.Sprintf("%d.md", i)), false))
	}
	n := len(a.read)
	finish(c, c.FollowTarget(target("39.md"), false))
	if finish(c, c.FollowTarget(target("a.md"), false)); len(a.read) != n+1 {
		t.Errorf("%d pages were read for one that was dropped", len(a.read)-n)
	}
}

// A preview that is not on the screen is not rendered.
func TestUnseenPreviewIsNotRendered(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, reading.Tools{})
	load := c.FollowTarget(target("a.md"), false)
	c.Update(tuitest.Intent(load))
	if c.FollowTarget(target("a.md"), false) != nil {
		t.Error("it is rendered")
	}
	if c.FollowTarget(target("a.md"), true) == nil {
		t.Error("it is not rendered when it is seen")
	}
}

// An error is shown where the page would be, and the page is tried again.
func TestPageError(t *testing.T) {
	t.Parallel()
	c, a := begin(t, reading.Tools{})
	a.err = errors.New("the file is \x1b[31mgone")
	finish(c, c.Reader.Open(target("a.md")))
	if v := tuitest.View(t, c.Reader.View(), 60, 20); !strings.Contains(v, "the file is gone") {
		t.Errorf("it shows\n%s", v)
	}
	a.err = nil
	finish(c, c.Reader.Open(target("a.md")))
	if v := tuitest.View(t, c.Reader.View(), 60, 20); !strings.Contains(v, "Wicks") {
		t.Errorf("it shows\n%s", v)
	}
}

// Tools that are not there say so; those that fail say why.
func TestTools(t *testing.T) {
	t.Parallel()
	c, a := begin(t, reading.Tools{})
	c.Update(reader.EditWanted{})
	if a.text != keymap.NeedEditor.ReasonWithout(0) || c.Needs() != 0 {
		t.Errorf("without an editor: %q", a.text)
	}
	c.Update(reader.BrowseWanted{URL: "https://a.example"})
	if !strings.HasPrefix(a.text, keymap.NeedBrowser.ReasonWithout(0)) || !strings.Contains(a.text, "https://a.example") {
		t.Errorf("without a browser: %q", a.text)
	}
	var fail error
	c, a = begin(t, reading.Tools{
		Edit: func(_ context.Context, docSet, filePath string, line int) (*exec.Cmd, error) {
			return exec.Command("true"), fail
		},
		Browse: func(context.Context, string) error { return fail },
	})
	if want := keymap.NeedEditor | keymap.NeedBrowser; c.Needs() != want {
		t.Errorf("the needs are %b", c.Needs())
	}
	if finish(c, c.Update(reader.BrowseWanted{URL: "u"})); a.mark+a.text != "✓given to the browser: u" {
		t.Errorf("browsed: %s%s", a.mark, a.text)
	}
	fail = errors.New("no display")
	if finish(c, c.Update(reader.BrowseWanted{URL: "u"})); a.mark+a.text != "✗u was not opened: no display" {
		t.Errorf("not browsed: %s%s", a.mark, a.text)
	}
	if finish(c, c.Update(reader.EditWanted{})); a.mark+a.text != "✗the editor cannot be opened: no display" {
		t.Errorf("not edited: %s%s", a.mark, a.text)
	}
}

// Copying says which of its ways worked; what would steer a terminal is not copied.
func TestCopy(t *testing.T) {
	t.Parallel()
	var native, tmux string
	ways := func(how string, nativeErr, tmuxErr error) reading.Tools {
		return reading.Tools{InTmux: true,
			CopyNative: func(_ context.Context, text string) (string, error) { native = text; return how, nativeErr },
			TmuxLoad:   func(_ context.Context, text string) error { tmux = text; return tmuxErr }}
	}
	ssh := ways("wl-copy", nil, nil)
	ssh.SSH, ssh.InTmux = true, false
	long := strings.Repeat("x", 80_000)
	for _, tt := range []struct {
		name  string
		tools reading.Tools
		text  string
		want  string
	}{
		{"all ways", ways("wl-copy", nil, nil), "a\nb", "✓copied the block, 2 lines (terminal, tmux, wl-copy)"},
		{"no native clipboard", ways("", nil, nil), "a\n", "✓copied the block, 1 line (terminal, tmux)"},
		{"the native one fails", ways("", errors.New("no display"), nil), "a", "✓copied the block, 1 line (terminal, tmux)"},
		{"tmux fails", ways("", nil, errors.New("gone")), "a", "!tmux may not have copied the block, 1 line: w writes a file"},
		{"tmux fails and the native one does not", ways("wl-copy", nil, errors.New("gone")), "a", "✓copied the block, 1 line (terminal, wl-copy)"},
		{"by ssh", ssh, "a", "✓copied the block, 1 line (terminal)"},
		{"in screen", reading.Tools{InScreen: true}, "a", "✓copied the block, 1 line (terminal)"},
		{"much, by the terminal alone", reading.Tools{}, long, "!copied the block, 1 line, which some terminals cut: w writes a file"},
		{"nothing", reading.Tools{}, "", "✓copied the block, 0 lines (terminal)"},
	} {
		c, a := begin(t, tt.tools)
		if finish(c, c.Copy("block", tt.text)); a.mark+a.text != tt.want || a.copies != 1 {
			t.Errorf("%s: %s%s", tt.name, a.mark, a.text)
		}
	}
	c, _ := begin(t, ways("x", nil, nil))
	if finish(c, c.Copy("block", "a\x1b]52;c;eA==\x07\tb")); native != "a\tb" || tmux != "a\tb" {
		t.Errorf("copied %q and %q", native, tmux)
	}
}

// The section and its code blocks: fenced ones, quoted ones too, but none whose
// fence is not closed.
func TestSection(t *testing.T) {
	t.Parallel()
	c, a := begin(t, reading.Tools{})
	if c.CopySection(); a.text != "the page is still being read" {
		t.Errorf("without a page: %q", a.text)
	}
	finish(c, c.Reader.Open(target("a.md")))
	finish(c, c.Reader.Update(keymap.NextSection))
	text, ok := c.Reader.Section()
	if got := reading.CodeBlocks(text); !slices.Equal(got, []string{"lantern trim\n", "> quoted\n"}) {
		t.Errorf("the code blocks are %q", got)
	}
	if !ok || !strings.HasPrefix(text, "## Trim") {
		t.Errorf("the section is %q, %v", text, ok)
	}
	if c.CopyPreviewed(); a.text != "the page is still being read" {
		t.Errorf("the preview has a section without a page: %q", a.text)
	}
}

// The reader knows whether its page is one that the question found.
func TestPageNeeds(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, reading.Tools{})
	row := hits.Row{}
	row.Page.DocSet, row.Page.FilePath = "a@1", "a.md"
	other := hits.Row{}
	other.Page.DocSet, other.Page.FilePath = "a@1", "b.md"
	needs := func(found ...hits.Row) keymap.Need {
		c.SetHits(found)
		return c.ReaderOverlay().Needs() &^ keymap.NeedSection
	}
	finish(c, c.Reader.Open(reading.TargetOfHit(row)))
	if needs(other, row, row) != keymap.NeedHitPage {
		t.Errorf("a page that was found: %b", needs(other, row, row))
	}
	if needs() != 0 || needs(other) != 0 {
		t.Errorf("another page is taken for one that was found: %b", needs(other))
	}
}

// In the reader the section that is read is copied as a block or a citation, under its
// own name, which is shortened.
func TestCopyQuote(t *testing.T) {
	t.Parallel()
	var copied string
	c, a := begin(t, reading.Tools{CopyNative: func(_ context.Context, text string) (string, error) { copied = text; return "", nil }})
	if c.CopyQuote(false); a.text != "the page is still being read" {
		t.Errorf("without a page: %q", a.text)
	}
	finish(c, c.Reader.Open(target("a.md")))
	finish(c, c.Reader.Update(keymap.NextSection))
	if finish(c, c.CopyQuote(false)); !strings.HasPrefix(copied, "block of a.md ## Trim") || !strings.HasPrefix(a.text, "copied the section “Trim”, ") {
		t.Errorf("copied %q: %s", copied, a.text)
	}
	if finish(c, c.CopyQuote(true)); copied != "citation of Trim" || !strings.HasPrefix(a.text, "copied the source of “Trim”") {
		t.Errorf("copied %q: %s", copied, a.text)
	}
	if finish(c, c.CopySection()); !strings.HasPrefix(a.text, "copied the section “Trim”, ") {
		t.Errorf("the text: %s", a.text)
	}
	copied = ""
	a.err = errors.New("it changed since it was read")
	if finish(c, c.CopyQuote(false)); copied != "" || a.mark+a.text != "✗nothing was copied: it changed since it was read" {
		t.Errorf("copied %q: %s%s", copied, a.mark, a.text)
	}
}
