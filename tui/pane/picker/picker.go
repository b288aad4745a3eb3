// Package picker is a list that typing narrows, by fuzzy matching: of actions,
// earlier questions, saved sessions.
//
// It refuses to know what its items mean: a chosen item is sent to the root as an
// intent, with the kind of the list.
package picker

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/style"
	"docent/tui/widget"
)

// Item is one line.
type Item struct {
	ID       string
	Text     string // the text that is matched; clean
	Known    string // another name, which is matched and not shown
	Key      string // shown at the right end
	Detail   string // shown dimmed behind the text
	Disabled string // why it cannot be chosen now, "" if it can
}

// Picked is the intent to choose an item.
type Picked struct {
	Kind string
	Item Item
}

// Deleted is the intent to remove an item.
type Deleted struct {
	Kind string
	Item Item
}

// match is an item with the places of its characters that match the pattern.
type match struct {
	Item
	at []int
}

// Pane is the pane.
type Pane struct {
	st    *style.Styles
	kind  string
	title string
	empty string // shown when there is no item
	items []Item
	shown []match
	input widget.Input
	list  widget.Rows
	w, h  int
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// ShowItems begins a list with an empty pattern.
func (p *Pane) ShowItems(kind, title, empty string, items []Item) {
	p.kind, p.title, p.empty = kind, title, empty
	p.input.SetValue("")
	p.list.Reset(0)
	p.SetItems(kind, items)
}

// SetItems replaces the items of the shown list. Items of another kind are dropped:
// their list was left before.
func (p *Pane) SetItems(kind string, items []Item) {
	if kind != p.kind {
		return
	}
	p.items = items
	p.filterItems()
}

// SetEmpty sets the text of a list without items.
func (p *Pane) SetEmpty(text string) { p.empty = text }

// Kind is the kind of the list, as given to Show.
func (p *Pane) Kind() string { return p.kind }

// Title is the title of the frame.
func (p *Pane) Title() string { return p.title }

// source makes items matchable by package fuzzy.
type source []Item

func (s source) String(i int) string { return s[i].Text + " " + s[i].Known }
func (s source) Len() int            { return len(s) }

// maxPattern bounds the work of matching a pasted text.
const maxPattern = 64

func (p *Pane) filterItems() {
	p.shown = p.shown[:0]
	pattern := strings.ReplaceAll(strings.TrimSpace(p.input.Value()), " ", "")
	if rs := []rune(pattern); len(rs) > maxPattern {
		pattern = string(rs[:maxPattern])
	}
	switch p.shown = p.literalMatches(); {
	case len(p.shown) > 0:
	case pattern == "":
		for _, it := range p.items {
			p.shown = append(p.shown, match{Item: it})
		}
	default:
		for _, m := range fuzzy.FindFrom(pattern, source(p.items)) {
			if isLikely(m.Str, m.MatchedIndexes) {
				p.shown = append(p.shown, match{p.items[m.Index], m.MatchedIndexes})
			}
		}
	}
	p.list.SetCount(len(p.shown))
}

// isLikely reports whether letters of a text are likely to be meant: they stand close together, as
// those of a misspelled word do, or each run of them begins a word, as in an abbreviation. Others
// are there by chance: "sess" is in "suspend the app; fg in the shell goes on", which enter did.
func isLikely(text string, at []int) bool {
	if len(at) == 0 || at[len(at)-1]-at[0] < 2*len(at) {
		return true
	}
	for i, a := range at {
		before, size := utf8.DecodeLastRuneInString(text[:a])
		begins := !unicode.IsLetter(before) && !unicode.IsDigit(before)
		if goesOn := i > 0 && at[i-1] == a-size; !goesOn && !begins {
			return false
		}
	}
	return true
}

// literalMatches are the items that have all words of the pattern literally, those first
// that have them at the beginnings of words. Letters far apart, which are in most long
// lines somewhere, count only where there is no such item.
func (p *Pane) literalMatches() []match {
	words := strings.Fields(strings.ToLower(p.input.Value()))
	var begin, within []match
	for _, it := range p.items {
		text := strings.ToLower(it.Text + " " + it.Known)
		m, whole := match{Item: it}, true
		ok := len(words) > 0 && len(text) == len(it.Text)+1+len(it.Known) // else its places are not the item's
		for _, w := range words {
			at := strings.Index(" "+text, " "+w)
			if at < 0 {
				at, whole = strings.Index(text, w), false
			}
			if at < 0 {
				ok = false
				break
			}
			for i := range len(w) {
				m.at = append(m.at, at+i)
			}
		}
		slices.Sort(m.at)
		switch {
		case !ok:
		case whole:
			begin = append(begin, m)
		default:
			within = append(within, m)
		}
	}
	return append(begin, within...)
}

// Key types a key, and reports whether the pattern changed.
func (p *Pane) Key(k tea.KeyPressMsg) bool {
	before := p.input.Value()
	p.input.Key(k)
	return p.patternChanged(before)
}

// Paste puts text into the pattern.
func (p *Pane) Paste(text string) bool {
	before := p.input.Value()
	p.input.Insert(text)
	return p.patternChanged(before)
}

func (p *Pane) patternChanged(before string) bool {
	if p.input.Value() == before {
		return false
	}
	p.list.Reset(0)
	p.filterItems()
	return true
}

// Selected is the item under the cursor.
func (p *Pane) Selected() (Item, bool) {
	i, ok := p.list.Cursor()
	if !ok {
		return Item{}, false
	}
	return p.shown[i].Item, true
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.list.SetLines(h - head)
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return keymap.BindingsOf(keymap.PickUp, keymap.PickDown, keymap.TakeItem, keymap.RemoveItem)
}

const head = 2 // the pattern and an empty line

// Click puts the cursor on the item of a line; it reports whether there is one.
func (p *Pane) Click(y int) bool { return p.list.Click(y - head) }

// Mode is the mode of its keys.
func (p *Pane) Mode() keymap.Mode { return keymap.InPicker }

// Update moves the cursor, types, or sends the intent to choose or remove an item.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		p.Key(msg)
	case tea.PasteMsg:
		p.Paste(msg.Content)
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
	if p.list.Update(a) {
		return nil
	}
	switch a {
	case keymap.TakeItem:
		if it, ok := p.Selected(); ok {
			kind := p.kind
			return func() tea.Msg { return Picked{kind, it} }
		}
	case keymap.RemoveItem:
		if it, ok := p.Selected(); ok {
			kind := p.kind
			return func() tea.Msg { return Deleted{kind, it} }
		}
	}
	return nil
}

// Cursor is the place of the text cursor, in the first line of the view.
func (p *Pane) Cursor() (x, y int, ok bool) {
	_, c := p.input.View(max(1, p.w-4))
	return c + 3, 0, true
}

// View is the pattern and the items that match it.
func (p *Pane) View() string {
	text, _ := p.input.View(max(1, p.w-4))
	if text == "" {
		text = p.st.Dim.Render(widget.Cut("type to narrow", max(1, p.w-4)))
	}
	out := []string{" " + p.st.Accent.Render("›") + " " + text, ""}
	if len(p.shown) == 0 {
		say := "nothing matches"
		if len(p.items) == 0 {
			say = p.empty
		}
		for _, l := range widget.Wrap(say, max(1, p.w-2)) {
			out = append(out, " "+p.st.Dim.Render(l))
		}
	}
	for i, to := p.list.VisibleRows(); i < to; i++ {
		out = append(out, p.drawRow(i))
	}
	return strings.Join(widget.CutLines(out[:min(len(out), max(1, p.h))], p.w), "\n")
}

func (p *Pane) drawRow(i int) string {
	m := p.shown[i]
	detail := m.Detail
	if m.Disabled != "" {
		detail = "not now: " + m.Disabled
	}
	key := ""
	if m.Key != "" {
		key = " " + m.Key + " "
	}
	room := p.w - 2 - widget.Width(key)
	if p.list.OnCursor(i) {
		line := m.Text
		if detail != "" {
			line += "  " + detail
		}
		return p.st.Selected.Render(widget.Fit("▸ "+widget.Fit(widget.Cut(line, room), room)+key, p.w))
	}
	var b strings.Builder
	if m.Disabled != "" {
		b.WriteString(p.st.Dim.Render(m.Text))
	} else {
		b.WriteString(emphasizeAt(m.Text, m.at, p.st.Strong))
	}
	if detail != "" {
		b.WriteString("  " + p.st.Dim.Render(detail))
	}
	return "  " + widget.Fit(widget.Cut(b.String(), room), room) + p.st.Key.Render(key)
}

// emphasizeAt styles the bytes at the given places.
func emphasizeAt(text string, at []int, st style.Style) string {
	if len(at) == 0 {
		return text
	}
	var b strings.Builder
	k := 0
	for i, r := range text {
		for k < len(at) && at[k] < i {
			k++
		}
		if k < len(at) && at[k] == i {
			b.WriteString(st.Render(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
