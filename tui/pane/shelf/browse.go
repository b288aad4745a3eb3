package shelf

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/page"
)

// browser shows the tree of a doc set, and does its keys.
type browser struct{ p *Pane }

func (p *Pane) browser() browser { return browser{p} }

// Open shows the tree of a doc set.
func (p *Pane) Open(set string) tea.Cmd {
	p.browser().close()
	p.form, p.confirm = nil, ""
	p.SelectDocSet(set)
	p.open = set
	return sendIntent(PagesWanted{Set: set})
}

// openDocSet shows the tree of the doc set under the cursor.
func (b browser) openDocSet() tea.Cmd {
	p := b.p
	s, ok := p.Selected()
	if !ok || p.open != "" {
		return nil
	}
	p.open = s.Ref.String()
	p.row, p.rowTop = 0, 0
	return sendIntent(PagesWanted{Set: p.open})
}

// Previewing reports whether the pages of a doc set are shown, and nothing else.
func (p *Pane) Previewing() bool { return p.open != "" && p.form == nil && p.confirm == "" }

// Loading reports whether the pages of the opened doc set are being listed.
func (p *Pane) Loading(bool) bool {
	return p.Previewing() && p.tree == nil && p.treeErr == "" && p.Mode() == keymap.InLibrary
}

// Versioned is the doc set under the cursor, and the page where there is one.
func (p *Pane) Versioned() (docSet, path string, ok bool) {
	if s, ok := p.Selected(); ok {
		docSet = s.Ref.String()
	}
	if t, ok := p.Target(); ok {
		path = t.FilePath
	}
	return docSet, path, true
}

// pageUnderCursor is the index of the page under the cursor, -1 if none.
func (b browser) pageUnderCursor() int {
	p := b.p
	i := b.nodeAt(p.row)
	if !p.Previewing() || i < 0 {
		return -1
	}
	return p.tree.nodes[i].pageIndex()
}

// nodeAt is the node of a row, -1 where the row is a find in a text or there is none.
func (b browser) nodeAt(row int) int {
	p := b.p
	if row < len(p.rows) {
		return p.rows[row]
	}
	if row -= len(p.rows) + len(p.inText); row >= 0 && row < len(b.looseRows()) {
		return p.loose[row]
	}
	return -1
}

// looseRows are the nodes below the finds in the texts. They wait for these.
func (b browser) looseRows() []int {
	if b.p.looking {
		return nil
	}
	return b.p.loose
}

// findAt is the find in a text on a row.
func (b browser) findAt(row int) (pipeline.Place, bool) {
	p := b.p
	if row -= len(p.rows); row >= 0 && row < len(p.inText) {
		return p.inText[row], true
	}
	return pipeline.Place{}, false
}

// Target is the page or section under the cursor; false for a folder.
func (p *Pane) Target() (page.Target, bool) {
	if s, ok := p.browser().findAt(p.row); ok && p.Previewing() {
		t := page.Target{DocSet: s.DocSet, FilePath: s.FilePath, Title: s.Title}
		if n := len(s.Path); n > 0 {
			t.Heading = contract.Heading{Text: s.Path[n-1], Anchor: s.Anchor}
		}
		return t, true
	}
	i := p.browser().pageUnderCursor()
	if i < 0 {
		return page.Target{}, false
	}
	pg := p.tree.pages[i]
	if ok, _ := canBeRead(pg); !ok {
		return page.Target{}, false
	}
	return page.Target{DocSet: p.open, FilePath: pg.Path, Title: pg.Title}, true
}

// FileUnderCursor is the file under the cursor that was handed in and is no page; false: it is
// something else.
func (p *Pane) FileUnderCursor() (Page, bool) {
	i := p.browser().pageUnderCursor()
	if i < 0 || p.tree.pages[i].Document == "" {
		return Page{}, false
	}
	return p.tree.pages[i], true
}

// actOnFile has the file under the cursor read, or its job ended.
func (b browser) actOnFile(a keymap.Action) tea.Cmd {
	p := b.p
	f, ok := p.FileUnderCursor()
	switch {
	case !ok:
		return nil
	case a == keymap.RetryFile && f.BeingRead():
		return sendIntent(Said{sanitize.Line(f.Title) + " is being read: C cancels that"})
	case a == keymap.RetryFile:
		return sendIntent(RetryWanted{f.Document, f.Title})
	case f.State != library.PageWaiting:
		return sendIntent(Said{"nothing waits: " + sanitize.Line(f.Title) + " failed"})
	}
	return sendIntent(CancelWanted{f.Document, f.Title})
}

// readUnderCursor opens the doc set, or reads the page under the cursor. A folder is unfolded,
// and read when it is unfolded and has a page of its own.
func (b browser) readUnderCursor() tea.Cmd {
	p := b.p
	if p.open == "" {
		return b.openDocSet()
	}
	if find, ok := b.findAt(p.row); ok {
		return sendIntent(SectionOpened{find, p.find.Value()})
	}
	at := b.nodeAt(p.row)
	if at < 0 {
		p.awaited = p.looking
		return nil
	}
	n := p.tree.nodes[at]
	if n.page < 0 && (!p.finding || p.find.Value() == "") {
		if n.index < 0 || !p.folds[at] {
			return p.browser().unfoldFolder()
		}
	}
	pg := p.tree.pages[n.pageIndex()]
	if ok, why := canBeRead(pg); !ok {
		return sendIntent(Said{sanitize.Line(why)})
	}
	return sendIntent(Opened{Set: p.open, Path: pg.Path, Title: pg.Title})
}

// unfoldFolder unfolds the folder under the cursor, or folds it; it opens anything else.
func (b browser) unfoldFolder() tea.Cmd {
	p := b.p
	i := b.nodeAt(p.row)
	if p.open == "" || i < 0 || p.tree.nodes[i].page >= 0 {
		return p.browser().readUnderCursor()
	}
	p.folds[i] = !p.folds[i]
	p.browser().makeRows()
	return nil
}

// foldFolder closes the folder under the cursor, or the folder of the row. At the top
// level it goes back to the list.
func (b browser) foldFolder() {
	p := b.p
	if p.open == "" {
		return
	}
	if p.row >= len(p.rows) {
		p.browser().close()
		return
	}
	i := p.rows[p.row]
	n := p.tree.nodes[i]
	if n.page >= 0 || !p.folds[i] {
		if i = n.up; i < 0 {
			p.browser().close()
			return
		}
	}
	delete(p.folds, i)
	p.browser().makeRows()
	p.row = max(0, slices.Index(p.rows, i))
	p.moveCursor(0)
}

// makeRows makes the visible rows of the tree.
func (b browser) makeRows() {
	p := b.p
	p.rows, p.loose = nil, nil
	if p.tree != nil {
		if text := p.find.Value(); p.finding && text != "" {
			p.rows, p.loose = p.tree.findPages(text)
		} else {
			p.rows = p.tree.visibleNodes(p.folds)
		}
	}
	p.moveCursor(0)
}

// searchTyped looks for the typed text: at once in the names, and in the texts when the
// answer comes.
func (b browser) searchTyped() tea.Cmd {
	p := b.p
	p.findSeq++
	p.row, p.rowTop, p.inText = 0, 0, nil
	p.looking, p.awaited = p.find.Value() != "", false
	p.browser().makeRows()
	if !p.looking {
		return nil
	}
	return sendIntent(TextWanted{Seq: p.findSeq, Set: p.open, Text: p.find.Value()})
}

// StillFinds reports whether a text is still the one to find.
func (p *Pane) StillFinds(seq int) bool { return p.finding && seq == p.findSeq }

// SetInText sets the sections whose texts have the typed text, best first. It opens the first where
// enter was pressed before they were there.
func (p *Pane) SetInText(seq int, sections []pipeline.Place) tea.Cmd {
	if !p.StillFinds(seq) {
		return nil
	}
	awaited := p.awaited
	p.inText, p.looking, p.awaited = sections, false, false
	p.moveCursor(0)
	if awaited && p.row == 0 && len(p.rows) == 0 && p.rowCount() > 0 {
		return p.browser().readUnderCursor()
	}
	return nil
}

func (b browser) stopFinding() {
	p := b.p
	p.finding, p.inText, p.loose = false, nil, nil
	p.looking, p.awaited = false, false
	p.findSeq++
	p.find.SetValue("")
	p.browser().makeRows()
}

// Click puts the cursor on the line of the view that was clicked; a second click on a
// page opens it.
func (p *Pane) Click(y int) tea.Cmd {
	if p.form != nil || p.confirm != "" || y < headLines || y >= headLines+p.listHeight() {
		return nil
	}
	if p.open != "" {
		i := p.rowTop + y - headLines
		if i >= p.rowCount() {
			return nil
		}
		if i == p.row {
			return p.browser().readUnderCursor()
		}
		p.moveCursor(i - p.row)
		return nil
	}
	for i := range p.sets {
		if p.setList().lineOfDocSet(i)-p.top == y-headLines {
			if i == p.cursor {
				return p.browser().readUnderCursor()
			}
			p.moveCursor(i - p.cursor)
		}
	}
	return nil
}
