// Package launcher is the list of pages, headings and doc sets that typing narrows:
// enter goes there.
//
// It refuses to search: the typed text is sent as an intent, and the finds are passed
// in, those of an older text dropped.
package launcher

import (
	"fmt"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/page"
	"docent/tui/style"
	"docent/tui/titles"
	"docent/tui/widget"
)

// Item is one line.
type Item struct {
	Kind  titles.Kind
	Place pipeline.Place // where it leads; of a doc set only its name
	Note  string         // in place of the doc set's name at the right end
}

// Name is what the item is called.
func (i Item) Name() string {
	switch n := len(i.Place.Path); {
	case i.Kind == titles.DocSet:
		return i.Place.DocSet
	case i.Kind == titles.HeadingKind && n > 0:
		return i.Place.Path[n-1]
	}
	return i.Place.Title
}

// containerText is where the item stands: a heading on its page, a page in its folder.
func (i Item) containerText() string {
	switch i.Kind {
	case titles.DocSet:
		return "doc set"
	case titles.HeadingKind:
		return i.Place.Title
	}
	if dir := path.Dir(i.Place.FilePath); dir != "." {
		return dir
	}
	return ""
}

// The intents of the pane.
type (
	// Intent is any of them.
	Intent interface{ intent() }
	// Typed asks for what a text finds: SetItems answers.
	Typed struct {
		Seq  int
		Text string
	}
	// Chosen asks for an item to be opened.
	Chosen struct{ Item Item }
	// Asked asks a text that no name has as a question.
	Asked struct{ Text string }
	// Moved says that the cursor is on another item.
	Moved struct{}
)

func (Typed) intent()  {}
func (Chosen) intent() {}
func (Asked) intent()  {}
func (Moved) intent()  {}

func sendIntent(i Intent) tea.Cmd { return func() tea.Msg { return i } }

// Pane is the pane.
type Pane struct {
	st    *style.Styles
	input widget.Input
	words []string // of the text that the items answer
	items []Item
	total int
	seq   int // of the newest text
	found int // of the text that the items answer
	state string
	list  widget.Rows
	w, h  int
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// Begin empties the line and asks for the rows that are listed before anything is typed.
func (p *Pane) Begin() tea.Cmd {
	p.input.SetValue("")
	p.items, p.total, p.words = nil, 0, nil
	p.list.Reset(0)
	return p.requestFinds()
}

func (p *Pane) requestFinds() tea.Cmd {
	p.seq++
	return sendIntent(Typed{Seq: p.seq, Text: p.input.Value()})
}

// SearchAgain asks once more for what the text finds: there is something new to find.
func (p *Pane) SearchAgain() tea.Cmd { return p.requestFinds() }

// SetMessage sets the message while nothing can be found: that titles are being read,
// or why they cannot be. "": they are there.
func (p *Pane) SetMessage(text string) { p.state = sanitize.Line(text) }

// SetItems sets what a text finds, best first, and how much there is in all.
func (p *Pane) SetItems(seq int, text string, items []Item, total int) tea.Cmd {
	if seq != p.seq {
		return nil
	}
	p.items, p.total, p.words, p.found = items, total, titles.WordsOf(text), seq
	p.list.Reset(len(items))
	return sendIntent(Moved{})
}

// Key types a key.
func (p *Pane) Key(k tea.KeyPressMsg) tea.Cmd {
	before := p.input.Value()
	p.input.Key(k)
	return p.textChanged(before)
}

// Paste puts text into the line.
func (p *Pane) Paste(text string) tea.Cmd {
	before := p.input.Value()
	p.input.Insert(text)
	return p.textChanged(before)
}

func (p *Pane) textChanged(before string) tea.Cmd {
	if p.input.Value() == before {
		return nil
	}
	return p.requestFinds()
}

// Selected is the item under the cursor.
func (p *Pane) Selected() (Item, bool) {
	i, ok := p.list.Cursor()
	if !ok {
		return Item{}, false
	}
	return p.items[i], true
}

// Searching reports whether the newest text is still being searched for: the items
// answer an older one.
func (p *Pane) Searching() bool { return p.found != p.seq }

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.list.SetLines(h - head)
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return keymap.BindingsOf(keymap.PickUp, keymap.PickDown, keymap.TakeItem)
}

const head = 2 // the text and an empty line

// Click puts the cursor on the item of a line; it reports whether there is one.
func (p *Pane) Click(y int) bool { return p.list.Click(y - head) }

// Mode is the mode of its keys.
func (p *Pane) Mode() keymap.Mode { return keymap.InGoTo }

// Update moves the cursor, types, or sends the intent to open an item.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.Key(msg)
	case tea.PasteMsg:
		return p.Paste(msg.Content)
	case overlay.Click:
		if p.Click(msg.Y) {
			return p.doAction(keymap.TakeItem)
		}
	case keymap.Action:
		return p.doAction(msg)
	}
	return nil
}

func (p *Pane) doAction(a keymap.Action) tea.Cmd {
	if a == keymap.TakeItem {
		if it, ok := p.Selected(); ok {
			return sendIntent(Chosen{it})
		}
		if p.asksQuestion() {
			return sendIntent(Asked{strings.TrimSpace(p.input.Value())})
		}
		return nil
	}
	if p.list.Update(a) {
		return sendIntent(Moved{})
	}
	return nil
}

// asksQuestion reports whether enter asks the text as a question: no name has it.
func (p *Pane) asksQuestion() bool {
	return strings.TrimSpace(p.input.Value()) != "" && p.state == "" && p.total == 0
}

// Title is the frame's title.
func (p *Pane) Title() string { return "Go to a page, a heading or a doc set" }

// Info is the frame's right end: how much was found.
func (p *Pane) Info() string {
	if p.total == 0 || len(p.words) == 0 {
		return ""
	}
	return fmt.Sprintf("%d found", p.total)
}

// Target is the page or heading under the cursor; false for a doc set.
func (p *Pane) Target() (page.Target, bool) {
	it, ok := p.Selected()
	if !ok || it.Kind == titles.DocSet {
		return page.Target{}, false
	}
	t := page.Target{DocSet: it.Place.DocSet, FilePath: it.Place.FilePath, Title: it.Place.Title}
	if n := len(it.Place.Path); n > 0 {
		t.Heading = contract.Heading{Text: it.Place.Path[n-1], Anchor: it.Place.Anchor}
	}
	return t, true
}

// Previewing reports that the preview stands next to the list.
func (p *Pane) Previewing() bool { return true }

// Footer says that enter asks a text that no name has.
func (p *Pane) Footer(b keymap.Binding) (keymap.Binding, bool) {
	if b.Action == keymap.TakeItem && p.asksQuestion() {
		b.Short = "ask"
	}
	return b, true
}

// Cursor is the place of the text cursor, in the first line.
func (p *Pane) Cursor() (x, y int, ok bool) {
	_, at := p.input.View(max(1, p.w-5))
	return 3 + at, 0, true
}

// View is the line and the list.
func (p *Pane) View() string {
	text, _ := p.input.View(max(1, p.w-5))
	if text == "" {
		text = p.st.Dim.Render(widget.Cut("type some of its name", p.w-5))
	}
	out := []string{" " + p.st.Accent.Render("❯") + " " + text, ""}
	if len(p.items) == 0 {
		say := p.state
		if say == "" {
			say = "no page, heading or doc set has that in its name; enter asks it as a question"
		}
		if len(p.words) == 0 && p.state == "" {
			say = "the pages that you read and mark are listed here"
		}
		for _, l := range widget.Wrap(say, max(1, p.w-4)) {
			out = append(out, "   "+p.st.Dim.Render(l))
		}
	}
	for i, to := p.list.VisibleRows(); i < to; i++ {
		out = append(out, p.drawRow(i))
	}
	return strings.Join(widget.CutLines(out[:min(len(out), max(1, p.h))], p.w), "\n")
}

func (p *Pane) drawRow(i int) string {
	it := p.items[i]
	name, in, right := sanitize.Line(it.Name()), sanitize.Line(it.containerText()), sanitize.Line(it.Note)
	if right == "" && it.Kind != titles.DocSet {
		right = sanitize.Line(it.Place.DocSet)
	}
	switch narrow := p.w < 60; { // there is room for one: the title has the doc set of the line under the cursor
	case narrow && in != "" && (it.Note == "" || it.Kind == titles.DocSet):
		in, right = "", in
	case narrow:
		in = ""
	}
	right = widget.Cut(right, p.w/3)
	room := p.w - 4 - widget.Width(right)
	if it.Kind == titles.HeadingKind {
		name = "# " + name
	}
	// A long name leaves a third of the room for where it stands.
	if widget.Width(name)+2+widget.Width(in) > room {
		name = widget.Cut(name, max(room-2-widget.Width(in), room*2/3))
	}
	in = widget.CutStart(in, max(0, room-2-widget.Width(name)))
	if p.list.OnCursor(i) {
		return p.st.Selected.Render(widget.Sides("▸ "+name+"  "+in, right+" ", p.w))
	}
	st := p.st.Plain
	if it.Kind != titles.HeadingKind {
		st = p.st.Strong
	}
	shown := p.markTyped(name, st)
	return widget.Sides("  "+shown+"  "+p.st.Dim.Render(in), p.st.Dim.Render(right)+" ", p.w)
}

// markTyped shows which characters of a name were typed.
func (p *Pane) markTyped(name string, st style.Style) string {
	at := titles.MarkedLetters(name, p.words)
	if len(at) == 0 {
		return st.Render(name)
	}
	var b, run strings.Builder
	on := false
	flush := func() {
		if run.Len() > 0 {
			if on {
				b.WriteString(p.st.Accent.Render(run.String()))
			} else {
				b.WriteString(st.Render(run.String()))
			}
			run.Reset()
		}
	}
	k, n := 0, 0
	for _, r := range name {
		hit := k < len(at) && at[k] == n
		if hit {
			k++
		}
		if hit != on {
			flush()
			on = hit
		}
		run.WriteRune(r)
		n++
	}
	flush()
	return b.String()
}
