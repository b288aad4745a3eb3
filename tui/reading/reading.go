// Package reading is the app's controller of pages: the reader and the preview,
// the pages that they show, links between pages, the editor and the browser, and
// copying.
//
// It refuses to open a file or to parse: the Backend does, in commands. It
// refuses to decide which page the preview shows: the root follows the cursor.
//
// Terms. A prepared page is cut into pieces that can be rendered one by one.
package reading

import (
	"context"
	"os/exec"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/knowledge/graph"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/hits"
	"docent/tui/pane/preview"
	"docent/tui/pane/reader"
	"docent/tui/style"
)

// Backend reads pages.
type Backend interface {
	// Page is one page, parsed.
	Page(ctx context.Context, docSet, filePath string) (page.Page, error)
	// Pages are the pages of a doc set in its order, for links and neighbours.
	Pages(ctx context.Context, docSet string) ([]reader.Ref, error)
	// Quote is a section as a cited block, and its citation on one line.
	Quote(ctx context.Context, p page.Passage) (block, citation string, err error)
	// References are what leads to a section of a page and from there; section is its
	// number on the page.
	References(ctx context.Context, docSet, filePath string, section int) ([]reader.Reference, error)
}

// Tools are the programs around the app. A nil function is a tool that is not
// there.
type Tools struct {
	// Edit is the command that opens a page's file in an editor at a line.
	Edit func(ctx context.Context, docSet, filePath string, line int) (*exec.Cmd, error)
	// Browse opens an http or https URL in a browser.
	Browse func(ctx context.Context, url string) error

	InTmux     bool // TmuxLoad makes sense
	InScreen   bool // GNU screen lets OSC 52 through only where it is wrapped
	SSH        bool // a native clipboard would be another machine's
	CopyNative func(ctx context.Context, text string) (how string, err error)
	TmuxLoad   func(ctx context.Context, text string) error
}

// Host is the part of the app around the pages.
type Host interface {
	// FollowCursor makes the preview follow the cursor.
	FollowCursor() tea.Cmd
	// Copied tells that a text was copied.
	Copied()
	// Left tells that a person has left the reader by escape.
	Left()
	// At tells where a page is read.
	At(pipeline.Place) tea.Cmd
}

// Status is the status line.
type Status interface {
	Say(text string)
	Good(text string)
	Warn(text string)
	Fail(text string)
}

// Msg is a message of this controller's own commands.
type Msg interface{ reading() }

type (
	pageMsg struct {
		id   string
		page *page.Prepared
		err  error
	}
	// listedMsg is the pages of a doc set.
	listedMsg struct {
		docSet string
		list   *reader.List
		err    error
	}
	// referencesMsg is what leads to a section and from there.
	referencesMsg struct {
		id  string
		all []reader.Reference
		err error
	}
	// quotedMsg is a section as a block or its citation.
	quotedMsg struct {
		what, text string
		err        error
	}
	// editorMsg is an editor that is ready to be run, editedMsg says that it ended.
	editorMsg struct {
		target page.Target
		cmd    *exec.Cmd
		err    error
	}
	editedMsg struct {
		target page.Target
		err    error
	}
	// browsedMsg says that a URL was given to a browser.
	browsedMsg struct {
		url string
		err error
	}
)

func (pageMsg) reading()       {}
func (listedMsg) reading()     {}
func (editorMsg) reading()     {}
func (editedMsg) reading()     {}
func (browsedMsg) reading()    {}
func (copiedMsg) reading()     {}
func (quotedMsg) reading()     {}
func (referencesMsg) reading() {}

// Controller is the controller.
type Controller struct {
	ctx     context.Context
	backend Backend
	tools   Tools
	host    Host
	status  Status

	// Reader shows a page at full width, Preview the page under the cursor.
	Reader  *reader.Pane
	Preview *preview.Pane

	pages   map[string]*page.Prepared
	order   []string        // ids in pages, the oldest first
	found   map[string]bool // ids of the pages that the question found
	loading map[string]bool
}

// mostPages bounds the pages that are kept in memory.
const mostPages = 24

// New is a controller without pages. ctx ends its commands.
func New(ctx context.Context, st *style.Styles, backend Backend, tools Tools, host Host, status Status) *Controller {
	return &Controller{ctx: ctx, backend: backend, tools: tools, host: host, status: status,
		Reader: reader.New(st), Preview: preview.New(st), pages: map[string]*page.Prepared{}, loading: map[string]bool{}}
}

// Update takes in pages, and the intents of the reader.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pageMsg:
		return c.takePage(msg)
	case page.Rendered:
		return tea.Batch(c.Preview.Update(msg), c.Reader.Update(msg))
	case reader.Found:
		return c.Reader.Update(msg)
	case reader.PageWanted:
		if pg, ok := c.pages[msg.Target.ID()]; ok {
			return c.Reader.SetPage(msg.Target.ID(), pg)
		}
		return c.loadPage(msg.Target)
	case reader.ListWanted:
		return c.listPages(msg.DocSet)
	case listedMsg:
		return c.Reader.SetList(msg.docSet, msg.list, msg.err)
	case reader.ReferencesWanted:
		return func() tea.Msg {
			all, err := c.backend.References(c.ctx, msg.Target.DocSet, msg.Target.FilePath, msg.Section)
			return referencesMsg{id: msg.Target.ID(), all: all, err: err}
		}
	case referencesMsg:
		return c.Reader.SetReferences(msg.id, msg.all, msg.err)
	case reader.At:
		return c.host.At(msg.Place)
	case reader.Said:
		c.status.Say(msg.Text)
	case reader.EditWanted:
		return c.openInEditor(msg)
	case editorMsg:
		if msg.err != nil {
			c.status.Fail("the editor cannot be opened: " + msg.err.Error())
			return nil
		}
		return tea.ExecProcess(msg.cmd, func(err error) tea.Msg { return editedMsg{target: msg.target, err: err} })
	case editedMsg:
		if msg.err != nil {
			c.status.Fail("the editor failed: " + msg.err.Error())
		}
		delete(c.pages, msg.target.ID()) // the file may have changed
		return c.Reader.Reload(msg.target.ID())
	case reader.BrowseWanted:
		return c.openInBrowser(msg.URL)
	case browsedMsg:
		if msg.err != nil {
			c.status.Fail(msg.url + " was not opened: " + msg.err.Error())
		} else {
			c.status.Good("given to the browser: " + msg.url)
		}
	case copiedMsg:
		c.reportCopy(msg)
	case quotedMsg:
		if msg.err != nil {
			c.status.Fail("nothing was copied: " + msg.err.Error())
			return nil
		}
		return c.CopySized(msg.what, msg.text)
	}
	return nil
}

// TargetOfHit is the page and section of a hit.
func TargetOfHit(row hits.Row) page.Target {
	return page.Target{DocSet: row.Page.DocSet, FilePath: row.Page.FilePath, Title: row.Page.PageTitle, Heading: row.Heading}
}

// FollowTarget shows a section in the preview. It reads the page where it is not there
// yet, and renders it where the preview is on the screen.
func (c *Controller) FollowTarget(t page.Target, seen bool) tea.Cmd {
	if c.Preview.SetTarget(t) {
		pg, ok := c.pages[t.ID()]
		if !ok {
			return c.loadPage(t)
		}
		c.Preview.SetPage(t.ID(), pg)
	}
	if !seen {
		return nil
	}
	return c.Preview.Render()
}

// Step shows the passage before (-1) or behind (1) the shown one in the preview.
func (c *Controller) Step(d int) tea.Cmd {
	if !c.Preview.Step(d) {
		switch d {
		case 1:
			c.status.Say("this is the last passage of its page")
		default:
			c.status.Say("this is the first passage of its page")
		}
	}
	return c.Preview.Render()
}

// FoldPreview shows the lines of a long passage that are folded in the preview, or folds them.
func (c *Controller) FoldPreview() tea.Cmd {
	if !c.Preview.Fold() {
		c.status.Say("nothing of this passage is folded")
	}
	return c.Preview.Render()
}

// SetHits gives the reader the hits: page by page, as the hits stand.
func (c *Controller) SetHits(rows []hits.Row) {
	var out []reader.HitPage
	at := map[string]int{}
	for _, row := range rows {
		t := page.Target{DocSet: row.Page.DocSet, FilePath: row.Page.FilePath, Title: row.Page.PageTitle}
		i, ok := at[t.ID()]
		if !ok {
			i = len(out)
			at[t.ID()] = i
			out = append(out, reader.HitPage{Target: t})
		}
		out[i].Headings = append(out[i].Headings, row.Heading)
	}
	c.found = map[string]bool{}
	for id := range at {
		c.found[id] = true
	}
	c.Reader.SetHits(out)
}

// Forget forgets the pages that were read: files may have changed.
func (c *Controller) Forget() {
	c.pages, c.order = map[string]*page.Prepared{}, nil
	c.Preview.Clear()
}

// ForgetLists forgets the lists of doc sets' pages.
func (c *Controller) ForgetLists() { c.Reader.ForgetLists() }

// Restyle draws the pages anew in the styles that there are now.
func (c *Controller) Restyle() {
	c.Preview.Restyle()
	c.Reader.Restyle()
}

// Needs are the needs of keys that the tools meet.
func (c *Controller) Needs() keymap.Need {
	var n keymap.Need
	if c.tools.Edit != nil {
		n |= keymap.NeedEditor
	}
	if c.tools.Browse != nil {
		n |= keymap.NeedBrowser
	}
	return n
}

func (c *Controller) loadPage(t page.Target) tea.Cmd {
	id := t.ID()
	if c.loading[id] {
		return nil
	}
	c.loading[id] = true
	return func() tea.Msg {
		pg, err := c.backend.Page(c.ctx, t.DocSet, t.FilePath)
		if err != nil {
			return pageMsg{id: id, err: err}
		}
		return pageMsg{id: id, page: page.PreparePage(pg)}
	}
}

func (c *Controller) takePage(msg pageMsg) tea.Cmd {
	delete(c.loading, msg.id)
	if msg.err != nil {
		c.Preview.SetError(msg.id, msg.err)
		c.Reader.SetError(msg.id, msg.err)
		return nil
	}
	if _, ok := c.pages[msg.id]; !ok {
		c.order = append(c.order, msg.id)
	}
	c.pages[msg.id] = msg.page
	for len(c.order) > mostPages {
		delete(c.pages, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
	c.Preview.SetPage(msg.id, msg.page)
	return tea.Batch(c.Reader.SetPage(msg.id, msg.page), c.host.FollowCursor())
}

func (c *Controller) listPages(docSet string) tea.Cmd {
	return func() tea.Msg {
		refs, err := c.backend.Pages(c.ctx, docSet)
		if err != nil {
			return listedMsg{docSet: docSet, err: err}
		}
		return listedMsg{docSet: docSet, list: graph.NewList(refs)}
	}
}

func (c *Controller) openInEditor(want reader.EditWanted) tea.Cmd {
	if c.tools.Edit == nil {
		c.status.Say(keymap.NeedEditor.ReasonWithout(0))
		return nil
	}
	return func() tea.Msg {
		cmd, err := c.tools.Edit(c.ctx, want.Target.DocSet, want.Target.FilePath, want.Line)
		return editorMsg{target: want.Target, cmd: cmd, err: err}
	}
}

func (c *Controller) openInBrowser(url string) tea.Cmd {
	if c.tools.Browse == nil {
		c.status.Say(keymap.NeedBrowser.ReasonWithout(0) + ": " + url)
		return nil
	}
	c.status.Say("opening " + url + " …")
	return func() tea.Msg { return browsedMsg{url: url, err: c.tools.Browse(c.ctx, url)} }
}
