package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	"docent/tui/browsing"
	"docent/tui/keymap"
	"docent/tui/listing"
	"docent/tui/overlay"
	"docent/tui/pane/picker"
	"docent/tui/reading"
	"docent/tui/widget"
)

// lists opens the lists that typing narrows, each as a listing.List.
type lists struct{ m *Model }

// The kinds of lists whose items are replaced while they are shown.
const (
	listHistory  = "history"
	listSessions = "sessions"
	listMarks    = "marks"
)

// listActions lists the actions of the screen as it is now, by name. A chosen one is done as
// its first key would do it under the list.
func (l lists) listActions() tea.Cmd {
	m := l.m
	mode, modes, needs := m.keyboardMode(), m.keyboardModes(), m.needsMet()
	var items []picker.Item
	for _, b := range m.keys.In(modes) {
		if b.Action == keymap.Palette || b.Action == keymap.NthPhase || b.OnlyMoves() {
			continue
		}
		name := strings.ReplaceAll(string(b.Action), "-", " ")
		items = append(items, picker.Item{ID: string(b.Action), Text: b.Help, Known: name, Key: b.Label, Disabled: b.Disabled(needs)})
	}
	ops := operations{m: m}
	if at, ok := m.placeAtHand(); ok {
		ops.page = at.DocSet + "/" + at.FilePath
	}
	items = append(items, ops.items()...)
	// The actions of the footer come first, those that do not work now last.
	footer := m.keys.Footer(modes)
	rank := func(it picker.Item) int {
		switch {
		case it.Disabled != "":
			return 2
		case slices.ContainsFunc(footer, func(b keymap.Binding) bool { return string(b.Action) == it.ID && !b.AlwaysShown() }):
			return 0
		}
		return 1
	}
	slices.SortStableFunc(items, func(a, b picker.Item) int { return rank(a) - rank(b) })
	m.listed.Open(listing.List{Kind: "actions", Title: "Actions", Taken: "do it", Items: items,
		Take: func(it picker.Item) tea.Cmd {
			if cmd, ok := ops.run(it.ID); ok {
				return cmd
			}
			return l.doListedAction(keymap.Action(it.ID), mode, modes)
		}})
	return nil
}

// doListedAction does an action in the modes that the keys had under the list.
func (l lists) doListedAction(a keymap.Action, mode, modes keymap.Mode) tea.Cmd {
	m := l.m
	for _, b := range m.keys.In(modes) {
		if b.Action != a {
			continue
		}
		if why := b.Disabled(m.needsMet()); why != "" {
			m.status.Say(why)
			return nil
		}
		key := ""
		if len(b.Keys) > 0 {
			key = b.Keys[0]
		}
		return keyboard{m}.doAction(b.Action, key, mode)
	}
	return nil
}

// listQuestions lists the questions, the newest first.
func (l lists) listQuestions() tea.Cmd {
	m := l.m
	items := func() []picker.Item {
		var items []picker.Item
		questions := m.ask.History()
		for i := len(questions) - 1; i >= 0; i-- {
			items = append(items, picker.Item{ID: questions[i], Text: sanitize.Line(questions[i])})
		}
		return items
	}
	m.listed.Open(listing.List{Kind: listHistory, Title: "Earlier questions", Empty: "no question was asked yet", Taken: "take",
		Items: items(),
		Take: func(it picker.Item) tea.Cmd {
			m.over.Clear()
			m.focus = onQuestion
			cmd := m.ask.Choose(it.ID)
			m.layOutPanes()
			return cmd
		},
		Remove: func(it picker.Item) tea.Cmd {
			m.ask.Forget(it.ID)
			m.listed.SetItems(listHistory, items())
			return m.keep.Forget(it.ID)
		}})
	return nil
}

// listSavedSessions opens the list of saved sessions and reads them.
func (l lists) listSavedSessions() tea.Cmd {
	m := l.m
	m.listed.Open(listing.List{Kind: listSessions, Title: "Saved sessions", Empty: "reading …", Taken: "open",
		Take:   func(it picker.Item) tea.Cmd { return m.keep.LoadSession(it.ID) },
		Remove: func(it picker.Item) tea.Cmd { return m.keep.Remove(it.ID) }})
	return m.keep.List()
}

// showSessions fills the list of saved sessions, and reports whether it is shown.
func (l lists) showSessions(sessions []pipeline.SavedInfo, err error) bool {
	m := l.m
	if !m.listed.Showing(listSessions) {
		return false
	}
	if err != nil {
		return true
	}
	items := make([]picker.Item, len(sessions))
	for i, s := range sessions {
		items[i] = picker.Item{ID: s.ID, Text: sanitize.Line(s.Question), Detail: sanitize.Line(s.When)}
		if s.Broken != "" {
			items[i].Text = sanitize.Line(s.ID + " is broken: " + s.Broken)
		}
	}
	m.listed.SetEmpty("no session was saved yet: ctrl+s saves one")
	m.listed.SetItems(listSessions, items)
	return true
}

// listMarkedPlaces lists the marked places. From the reader, going to one is a jump.
func (l lists) listMarkedPlaces() tea.Cmd {
	m := l.m
	items := func() []picker.Item {
		var items []picker.Item
		for i, p := range m.browse.MarkedPlaces() {
			items = append(items, picker.Item{ID: strconv.Itoa(i), Text: sanitize.Line(browsing.PlaceName(p)),
				Detail: sanitize.Line(p.DocSet)})
		}
		return items
	}
	marked := func(it picker.Item) (pipeline.Place, bool) {
		i, err := strconv.Atoi(it.ID)
		if marks := m.browse.MarkedPlaces(); err == nil && i >= 0 && i < len(marks) {
			return marks[i], true
		}
		return pipeline.Place{}, false
	}
	m.listed.Open(listing.List{Kind: listMarks, Title: "Marks", Taken: "open",
		Empty: "nothing is marked yet: m marks the section that is read, ctrl+d takes a mark away", Items: items(),
		Take: func(it picker.Item) tea.Cmd {
			if at, ok := marked(it); ok {
				return m.goToPlace(at)
			}
			return nil
		},
		Remove: func(it picker.Item) tea.Cmd {
			at, _ := marked(it)
			cmd := m.browse.Mark(at)
			m.listed.SetItems(listMarks, items())
			return cmd
		}})
	return nil
}

// copyCode copies the code block of the section that is read, or of the one in the
// preview. Where the section has several, a list asks which.
func (l lists) copyCode() tea.Cmd {
	m := l.m
	blocks := func() []string {
		text, _ := m.read.Preview.Section()
		if r, ok := overlay.TopAs[overlay.PageReader](&m.over); ok {
			text, _ = r.Section()
		}
		return reading.CodeBlocks(text)
	}
	all := blocks()
	switch len(all) {
	case 0:
		m.status.Say("this section has no code block")
		return nil
	case 1:
		return m.read.Copy("code block", all[0])
	}
	var items []picker.Item
	for i, b := range all {
		lines := strings.Split(strings.TrimRight(b, "\n"), "\n")
		items = append(items, picker.Item{ID: strconv.Itoa(i), Text: fmt.Sprintf("%d %s", i+1, sanitize.Line(lines[0])),
			Detail: widget.Count(len(lines), "line")})
	}
	m.listed.Open(listing.List{Kind: "blocks", Title: "Which code block?", Taken: "copy", Items: items,
		Take: func(it picker.Item) tea.Cmd {
			i, err := strconv.Atoi(it.ID)
			if now := blocks(); err == nil && i < len(now) {
				return m.read.Copy("code block", now[i])
			}
			return nil
		}})
	return nil
}

// Operation is something that the program answers without a question: how the home stands,
// the jobs. The list of actions offers it, and shows the lines of its answer as a list.
type Operation struct {
	Name, About string
	OnPage      bool // it is about a page: offered while one is on the screen
	// Run answers; page is the page on the screen, as DOCSET/PATH, "" where there is no page.
	Run func(ctx context.Context, page string) ([]string, error)
}

// operations are the operations of the app.
type operations struct {
	m    *Model
	page string // on the screen, when the list of actions was opened
}

// operationID begins the ids of operations in the list of actions.
const operationID = "operation "

// items are the operations as items of the list of actions.
func (o operations) items() []picker.Item {
	var items []picker.Item
	for _, op := range o.m.opt.Operations {
		if op.OnPage && o.page == "" {
			continue
		}
		items = append(items, picker.Item{ID: operationID + op.Name, Text: op.About, Known: op.Name, Detail: op.Name})
	}
	return items
}

// operationMsg is the answer of an operation.
type operationMsg struct {
	kind  string
	lines []string
	err   error
}

// run runs the operation of an item, if it is one, and opens the list of its answer.
func (o operations) run(id string) (cmd tea.Cmd, ok bool) {
	for _, op := range o.m.opt.Operations {
		if operationID+op.Name != id {
			continue
		}
		o.m.listed.Open(listing.List{Kind: id, Title: op.Name, Empty: "working …", Taken: "back",
			Take: func(picker.Item) tea.Cmd { return nil }})
		ctx, page := o.m.ctx, o.page
		return func() tea.Msg {
			lines, err := op.Run(ctx, page)
			return operationMsg{id, lines, err}
		}, true
	}
	return nil, false
}

// fillList fills the list of an answer, if it is still shown.
func (o operations) fillList(msg operationMsg) tea.Cmd {
	m := o.m
	if !m.listed.Showing(msg.kind) {
		return nil
	}
	if msg.err != nil {
		m.status.Fail(msg.err.Error())
		return m.popOverlay()
	}
	var items []picker.Item
	for _, line := range msg.lines {
		for _, part := range widget.Wrap(line, max(20, m.w-8)) {
			items = append(items, picker.Item{Text: part})
		}
	}
	m.listed.SetEmpty("there is nothing to say")
	m.listed.SetItems(msg.kind, items)
	return nil
}
