package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/picker"
	"docent/tui/widget"
)

// The kinds of lists that the picker shows.
const (
	listActions  = "actions"
	listHistory  = "history"
	listSessions = "sessions"
	listBlocks   = "blocks"
)

// showActions lists the actions of the screen as it is now, by name.
func (m *Model) showActions() {
	modes, have := m.modes(), m.have()
	var items []picker.Item
	for _, b := range m.keys.In(modes) {
		if b.Action == keymap.Palette || b.Action == keymap.NthPhase || b.Moves() {
			continue
		}
		name := strings.ReplaceAll(string(b.Action), "-", " ")
		items = append(items, picker.Item{ID: string(b.Action), Text: b.Help, Known: name, Key: b.Label, Disabled: b.Disabled(have)})
	}
	// What the footer shows comes first, what does not work now last.
	rank := func(it picker.Item) int {
		switch {
		case it.Disabled != "":
			return 2
		case slices.ContainsFunc(m.keys.Footer(modes), func(b keymap.Binding) bool { return string(b.Action) == it.ID && !b.Pinned() }):
			return 0
		}
		return 1
	}
	slices.SortStableFunc(items, func(a, b picker.Item) int { return rank(a) - rank(b) })
	m.showList(listActions, "Actions", "", items)
}

// showList opens a list over the screen.
func (m *Model) showList(kind, title, empty string, items []picker.Item) {
	m.underMode = m.mode()
	m.underModes = m.modes()
	m.picker.Show(kind, title, empty, items)
	m.push(pickerOverlay)
}

// closeList goes back to the screen under the list.
func (m *Model) closeList() tea.Cmd {
	m.pop()
	return m.followCursor()
}

// picked acts on the chosen item of a list.
func (m *Model) picked(msg picker.Picked) tea.Cmd {
	if m.over != pickerOverlay || m.picker.Kind() != msg.Kind {
		return nil // the list was left meanwhile
	}
	if msg.Item.Disabled != "" {
		m.status.Say(msg.Item.Disabled)
		return nil
	}
	back := m.closeList()
	switch msg.Kind {
	case listActions:
		return tea.Batch(back, m.pickedAction(keymap.Action(msg.Item.ID)))
	case listHistory:
		m.over, m.focus = noOverlay, onQuestion
		cmd := m.ask.Choose(msg.Item.ID)
		m.layout()
		return tea.Batch(back, cmd)
	case listSessions:
		return tea.Batch(back, m.keep.Load(msg.Item.ID))
	case listBlocks:
		return tea.Batch(back, m.copyBlock(msg.Item.ID))
	case listMarks:
		return tea.Batch(back, m.pickedMark(msg.Item.ID))
	}
	return back
}

// pickedAction does an action as its first key would have under the list.
func (m *Model) pickedAction(a keymap.Action) tea.Cmd {
	for _, b := range m.keys.In(m.underModes) {
		if b.Action != a {
			continue
		}
		if why := b.Disabled(m.have()); why != "" {
			m.status.Say(why)
			return nil
		}
		key := ""
		if len(b.Keys) > 0 {
			key = b.Keys[0]
		}
		return m.do(b.Action, key, m.underMode)
	}
	return nil
}

// takes is what enter does in the list, for the footer.
func (m *Model) takes() string {
	switch m.picker.Kind() {
	case listActions:
		return "do it"
	case listBlocks:
		return "copy"
	case listSessions, listMarks:
		return "open"
	}
	return "take"
}

// picks says whether an item of the list is under the cursor.
func (m *Model) picks() bool {
	_, ok := m.picker.Selected()
	return ok
}

// removes says whether the list's items can be removed, and there is one.
func (m *Model) removes() bool {
	_, ok := m.picker.Selected()
	return ok && slices.Contains([]string{listHistory, listSessions, listMarks}, m.picker.Kind())
}

// deleted removes an item of a list for good.
func (m *Model) deleted(msg picker.Deleted) tea.Cmd {
	if m.over != pickerOverlay || m.picker.Kind() != msg.Kind {
		return nil
	}
	switch msg.Kind {
	case listHistory:
		m.ask.Forget(msg.Item.ID)
		m.picker.SetItems(listHistory, m.historyItems())
		return m.keep.Forget(msg.Item.ID)
	case listSessions:
		return m.keep.Remove(msg.Item.ID)
	case listMarks:
		at, _ := m.markAt(msg.Item.ID)
		cmd := m.browse.Mark(at)
		m.picker.SetItems(listMarks, m.markItems())
		return cmd
	}
	m.status.Say("nothing here can be removed")
	return nil
}

// showHistory lists the questions, the newest first.
func (m *Model) showHistory() {
	m.showList(listHistory, "Earlier questions", "no question was asked yet", m.historyItems())
}

func (m *Model) historyItems() []picker.Item {
	var items []picker.Item
	questions := m.ask.History()
	for i := len(questions) - 1; i >= 0; i-- {
		items = append(items, picker.Item{ID: questions[i], Text: sanitize.Line(questions[i])})
	}
	return items
}

// showSessions opens the list of saved sessions and reads them.
func (m *Model) showSessions() tea.Cmd {
	m.showList(listSessions, "Saved sessions", "reading …", nil)
	return m.keep.List()
}

// pickCode copies the section's code block. Where there are several, a list asks
// which.
func (m *Model) pickCode() tea.Cmd {
	blocks := m.read.CodeBlocks(m.over == readerOverlay)
	switch len(blocks) {
	case 0:
		m.status.Say("this section has no code block")
		return nil
	case 1:
		return m.read.Copy("code block", blocks[0])
	}
	var items []picker.Item
	for i, b := range blocks {
		lines := strings.Split(strings.TrimRight(b, "\n"), "\n")
		items = append(items, picker.Item{ID: strconv.Itoa(i), Text: fmt.Sprintf("%d %s", i+1, sanitize.Line(lines[0])), Detail: widget.Count(len(lines), "line")})
	}
	m.showList(listBlocks, "Which code block?", "", items)
	return nil
}

func (m *Model) copyBlock(id string) tea.Cmd {
	i, err := strconv.Atoi(id)
	if blocks := m.read.CodeBlocks(m.over == readerOverlay); err == nil && i < len(blocks) {
		return m.read.Copy("code block", blocks[i])
	}
	return nil
}

// prompt is a line in which text other than a question is typed. It stands in the
// place of the status line.
type prompt struct {
	label string
	input widget.Input
	take  func(text string) tea.Cmd // called by enter
}

// promptFor asks for a line; text stands in it at first.
func (m *Model) promptFor(label, text string, take func(string) tea.Cmd) {
	p := &prompt{label: label, take: take}
	p.input.SetValue(text)
	m.prompt = p
	m.status.Clear()
}

// accept ends the prompt. The prompt is closed before its text is taken, since
// that may open another one.
func (m *Model) accept() tea.Cmd {
	p := m.prompt
	m.prompt = nil
	return p.take(p.input.Value())
}

// promptLine is the prompt and the column of its cursor.
func (m *Model) promptLine() (string, int) {
	p := m.prompt
	label := widget.Cut(sanitize.Line(p.label), max(1, m.w/2))
	text, cursor := p.input.View(max(1, m.w-widget.Width(label)-5))
	return widget.Fit(" "+m.st.Accent.Render(label)+m.st.Title.Render(" ❯ ")+text, m.w), widget.Width(label) + 4 + cursor
}
