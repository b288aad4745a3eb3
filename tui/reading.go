package tui

import (
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/graph"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/reader"
)

// listedMsg is the pages of a doc set.
type listedMsg struct {
	docSet string
	list   *reader.List
	err    error
}

// editorMsg is an editor that is ready to be run, editedMsg says that it ended.
type editorMsg struct {
	target page.Target
	cmd    *exec.Cmd
	err    error
}

type editedMsg struct {
	target page.Target
	err    error
}

// browsedMsg says that a URL was given to a browser.
type browsedMsg struct {
	url string
	err error
}

// read takes in the reader's intents and what became of them; ok is false for
// other messages.
func (m *Model) read(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case reader.PageWanted:
		if pg, ok := m.pages[msg.Target.ID()]; ok {
			return m.reader.SetPage(msg.Target.ID(), pg), true
		}
		return m.load(msg.Target), true
	case reader.ListWanted:
		ctx, backend := m.ctx, m.opt.Backend
		return func() tea.Msg {
			refs, err := backend.Pages(ctx, msg.DocSet)
			if err != nil {
				return listedMsg{docSet: msg.DocSet, err: err}
			}
			return listedMsg{docSet: msg.DocSet, list: graph.NewList(refs)}
		}, true
	case listedMsg:
		return m.reader.SetList(msg.docSet, msg.list, msg.err), true
	case reader.Found:
		return m.reader.Update(msg), true
	case reader.Said:
		m.say(msg.Text)
	case reader.EditWanted:
		ctx, edit := m.ctx, m.opt.Edit
		if edit == nil {
			m.say(keymap.NeedEditor.Reason(0))
			break
		}
		return func() tea.Msg {
			cmd, err := edit(ctx, msg.Target.DocSet, msg.Target.FilePath, msg.Line)
			return editorMsg{target: msg.Target, cmd: cmd, err: err}
		}, true
	case editorMsg:
		if msg.err != nil {
			m.fail("the editor cannot be opened: " + msg.err.Error())
			break
		}
		return tea.ExecProcess(msg.cmd, func(err error) tea.Msg { return editedMsg{target: msg.target, err: err} }), true
	case editedMsg:
		if msg.err != nil {
			m.fail("the editor failed: " + msg.err.Error())
		}
		// The page may be another one now.
		delete(m.pages, msg.target.ID())
		return m.reader.Reload(msg.target.ID()), true
	case reader.BrowseWanted:
		ctx, browse := m.ctx, m.opt.Browse
		if browse == nil {
			m.say(keymap.NeedBrowser.Reason(0) + ": " + msg.URL)
			break
		}
		m.say("opening " + msg.URL + " …")
		return func() tea.Msg { return browsedMsg{url: msg.URL, err: browse(ctx, msg.URL)} }, true
	case browsedMsg:
		if msg.err != nil {
			m.fail(msg.url + " was not opened: " + msg.err.Error())
		} else {
			m.good("given to the browser: " + msg.url)
		}
	default:
		return nil, false
	}
	return nil, true
}

// openReader begins to read the section of the hit under the cursor.
func (m *Model) openReader() tea.Cmd {
	row, ok := m.hits.Selected()
	if !ok {
		return nil
	}
	return m.openPage(page.Target{DocSet: row.Page.DocSet, FilePath: row.Page.FilePath, Title: row.Page.PageTitle, Heading: row.Heading})
}

// showHits tells the reader what was found: page by page, as the hits stand.
func (m *Model) showHits() {
	var out []reader.HitPage
	at := map[string]int{}
	for _, row := range m.hits.Rows() {
		t := page.Target{DocSet: row.Page.DocSet, FilePath: row.Page.FilePath, Title: row.Page.PageTitle}
		i, ok := at[t.ID()]
		if !ok {
			i = len(out)
			at[t.ID()] = i
			out = append(out, reader.HitPage{Target: t})
		}
		out[i].Headings = append(out[i].Headings, row.Heading)
	}
	m.reader.SetHits(out)
}

// readingNeeds is what is there of what the reader's keys need.
func (m *Model) readingNeeds() keymap.Need {
	var n keymap.Need
	if m.opt.Edit != nil {
		n |= keymap.NeedEditor
	}
	if m.opt.Browse != nil {
		n |= keymap.NeedBrowser
	}
	if m.over != readerOverlay && m.over != helpOverlay {
		return n
	}
	if m.reader.URL() != "" {
		n |= keymap.NeedURL
	}
	t, has := m.reader.Target()
	if row, ok := m.hits.Selected(); ok && has && t.DocSet == row.Page.DocSet && t.FilePath == row.Page.FilePath {
		n |= keymap.NeedHitPage
	}
	return n
}
