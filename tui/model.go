package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/check"
	"docent/tui/pane/extract"
	"docent/tui/pane/final"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/help"
	"docent/tui/pane/hits"
	"docent/tui/pane/library"
	"docent/tui/pane/merge"
	"docent/tui/pane/optimize"
	"docent/tui/pane/preview"
	"docent/tui/pane/rerank"
	"docent/tui/pane/route"
	"docent/tui/pane/sets"
	"docent/tui/pane/stepper"
	"docent/tui/pane/tour"
	"docent/tui/style"
	"docent/tui/widget"
)

// pane is what the root needs of a pane.
type pane interface {
	Update(tea.Msg) tea.Cmd
	SetSize(w, h int)
	View() string
	Bindings() []keymap.Binding
}

// focus is which part of the screen has the keyboard.
type focus int

const (
	onQuestion focus = iota
	onPane
	onPreview
)

// overlay is what lies over the main area.
type overlay int

const (
	noOverlay overlay = iota
	readerOverlay
	setsOverlay
	libraryOverlay
	helpOverlay
)

// Model is the root model. It is used through a pointer by one program.
type Model struct {
	opt  Options
	ctx  context.Context
	stop context.CancelFunc
	st   *style.Styles

	w, h    int
	focus   focus
	over    overlay
	under   []overlay // what lies under it, the topmost last
	status  status
	ready   bool
	opening bool
	openBuf *progressBuffer
	openAt  progress

	input   widget.Input
	history []string
	histAt  int
	draft   string // what was typed before history was looked at
	found   suggestions
	from    focus // what had the keyboard before another question was begun; onQuestion: none

	req     pipeline.Request
	own     []string // what was narrowed to before the manual
	toAsk   bool     // narrowed to the manual, but no question was run there yet
	ran     bool     // a question has been run, to its end or not
	queued  bool     // run as soon as the doc sets are open
	runner  *runner
	run     int // number of the newest run
	running bool
	cancel  context.CancelFunc
	events  *eventBuffer
	ticking bool
	res     pipeline.Result

	steps    *stepper.Pane
	optimize *optimize.Pane
	route    *route.Pane
	merge    *merge.Pane
	hits     *hits.Pane
	preview  *preview.Pane
	rerank   *rerank.Pane
	extract  *extract.Pane
	check    *check.Pane
	final    *final.Pane
	sets     *sets.Pane
	help     *help.Pane
	library  *library.Pane
	first    *firstrun.Pane
	tour     *tour.Pane

	shelf   shelf
	reading *preview.Target // a page in the reader that is no hit
	inFirst bool            // the first-run screen is shown
	greeted bool            // it was decided whether it is

	pages   map[string]*preview.Prepared // pages that were read
	order   []string                     // the same, oldest first
	loading map[string]bool
}

// New is the app before its first frame. It does no slow work: no page is
// read, nothing is rendered, no command runs before Init.
func New(opt Options) *Model {
	dark := opt.Dark == nil || *opt.Dark
	st := style.New(dark, opt.NoColor)
	if opt.Tick == nil {
		opt.Tick = tea.Tick
	}
	m := &Model{opt: opt, st: st, w: 80, h: 24, opening: true, // Init opens
		req: opt.Request, runner: &runner{backend: opt.Backend}, events: &eventBuffer{}, openBuf: &progressBuffer{},
		steps: stepper.New(st), optimize: optimize.New(st), route: route.New(st), merge: merge.New(st),
		hits: hits.New(st), preview: preview.New(st), rerank: rerank.New(st), extract: extract.New(st),
		check: check.New(st), final: final.New(st), sets: sets.New(st), help: help.New(st),
		library: library.New(st), first: firstrun.New(st, sample), tour: tour.New(st),
		pages: map[string]*preview.Prepared{}, loading: map[string]bool{},
	}
	m.ctx, m.stop = context.WithCancel(context.Background())
	m.req.Question = ""
	m.steps.Select(contract.PhaseSearch)
	m.show(false)
	m.hits.SetHint(m.hint())
	if opt.Question != "" {
		m.input.SetValue(opt.Question)
		m.queued = true
	}
	m.layout()
	return m
}

// Init opens the doc sets and asks the terminal for its background.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.open()}
	if m.opt.Dark == nil && !m.opt.NoColor {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update takes a message in.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	return m, cmd
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.layout()
		return m.look()
	case tea.BackgroundColorMsg:
		if m.opt.Dark == nil && !m.opt.NoColor {
			*m.st = *style.New(msg.IsDark(), false)
			m.show(true)
			m.preview.Restyle()
			return m.look()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.mode() == keymap.InQuestion {
			m.input.Insert(msg.Content)
			return m.typed()
		} else if m.mode() == keymap.InEntry {
			return m.library.Update(msg)
		} else {
			m.say("press / for the question line, then paste")
		}
	case openedMsg:
		return m.opened(msg)
	case setsMsg:
		if msg.err != nil {
			m.fail("the doc sets cannot be listed: " + msg.err.Error())
		} else {
			m.sets.SetSets(msg.sets)
			m.sets.SetManual(m.manual())
			m.hits.SetHint(m.hint())
			return m.newcomer()
		}
	case frameMsg:
		return m.frame(msg.at)
	case ranMsg:
		return m.ended(msg)
	case pageMsg:
		return m.gotPage(msg)
	case preview.Rendered:
		return m.preview.Update(msg)
	case hits.Toggled:
		return m.toggle(msg.Hit)
	case hits.Opened:
		m.reading = nil
		m.push(readerOverlay)
		return m.look()
	case sets.Applied:
		return m.narrow(msg.Names)
	case copiedMsg:
		m.copied(msg)
		m.tourNext(m.tour.Did(tour.Copied))
	case pausedMsg:
		return m.paused(msg)
	case suggestedMsg:
		m.suggested(msg)
	default:
		cmd, _ := m.libraryMsg(msg)
		return cmd
	}
	return nil
}

// mode is what has the keyboard.
func (m *Model) mode() keymap.Mode {
	switch {
	case m.over == helpOverlay:
		return keymap.InHelp
	case m.over == setsOverlay:
		return keymap.InSets
	case m.over == readerOverlay:
		return keymap.InReader
	case m.over == libraryOverlay:
		return m.library.Mode()
	case m.inFirst:
		return keymap.InFirst
	case m.focus == onQuestion:
		return keymap.InQuestion
	case m.focus == onPreview:
		return keymap.InPreview
	}
	return keymap.InPane
}

// have is what is there now, for the reasons of disabled keys.
func (m *Model) have() keymap.Need {
	var n keymap.Need
	if m.ready {
		n |= keymap.NeedReady
	}
	if m.ran {
		n |= keymap.NeedResult
	}
	if _, ok := m.hits.Selected(); ok && m.onHits() && !m.elsewhere() {
		n |= keymap.NeedHit
	}
	// While another question runs, the block on the screen answers the old one.
	if m.res.Final != "" && m.res.Query == m.req.Question {
		n |= keymap.NeedFinal
	}
	if len(m.sets.Sets()) > 0 {
		n |= keymap.NeedSets
	}
	if m.manual() != "" {
		n |= keymap.NeedManual
	}
	if _, ok := m.library.Selected(); ok {
		n |= keymap.NeedSet
	}
	if m.shelf.on {
		n |= keymap.NeedWork
	}
	return n
}

// onHits says whether the main area shows the hits.
func (m *Model) onHits() bool { return m.steps.Selected() == contract.PhaseSearch }

// current is the pane of the selected phase.
func (m *Model) current() pane {
	switch m.steps.Selected() {
	case contract.PhaseOptimize:
		return m.optimize
	case contract.PhaseRoute:
		return m.route
	case contract.PhaseMerge:
		return m.merge
	case contract.PhaseRerank:
		return m.rerank
	case contract.PhaseExtract:
		return m.extract
	case contract.PhaseCheck, contract.PhaseProcess:
		return m.check
	case contract.PhaseCite:
		return m.final
	}
	return m.hits
}

// show gives the result to all panes; keep leaves cursors where they are.
func (m *Model) show(keep bool) {
	m.optimize.SetResult(m.res)
	m.route.SetResult(m.res, m.req)
	m.merge.SetResult(m.res)
	m.hits.SetResult(m.res, m.req.Exclude, keep)
	m.rerank.SetResult(m.res)
	m.extract.SetResult(m.res)
	m.check.SetResult(m.res, m.req)
	m.final.SetResult(m.res)
	if !keep {
		for _, p := range []interface{ Rewind() }{m.optimize, m.route, m.merge, m.rerank, m.extract, m.check, m.final} {
			p.Rewind()
		}
	}
}

// look makes the preview follow the cursor: it asks for the page when it is not
// there, and for what has to be rendered.
func (m *Model) look() tea.Cmd {
	var t preview.Target
	if row, ok := m.hits.Selected(); m.elsewhere() {
		t = *m.reading
	} else if ok {
		t = preview.Target{DocSet: row.Page.DocSet, FilePath: row.Page.FilePath, Title: row.Page.PageTitle, Heading: row.Heading}
	} else {
		m.preview.Clear()
		return nil
	}
	if m.preview.SetTarget(t) {
		if page, ok := m.pages[t.ID()]; ok {
			m.preview.SetPage(t.ID(), page)
		} else {
			return m.load(t)
		}
	}
	if !m.previewSeen() {
		return nil
	}
	return m.preview.Render()
}

// previewSeen says whether the preview is on the screen: what is not looked at
// is not rendered.
func (m *Model) previewSeen() bool {
	return m.over == readerOverlay || m.over == noOverlay && m.onHits() && m.geometry().previewH > 0
}

type pageMsg struct {
	id   string
	page *preview.Prepared
	err  error
}

// keepPages bounds the pages that are kept in memory.
const keepPages = 24

func (m *Model) load(t preview.Target) tea.Cmd {
	id := t.ID()
	if m.loading[id] {
		return nil
	}
	m.loading[id] = true
	ctx, backend := m.ctx, m.opt.Backend
	return func() tea.Msg {
		page, err := backend.Page(ctx, t.DocSet, t.FilePath)
		if err != nil {
			return pageMsg{id: id, err: err}
		}
		return pageMsg{id: id, page: preview.Prepare(page)}
	}
}

func (m *Model) gotPage(msg pageMsg) tea.Cmd {
	delete(m.loading, msg.id)
	if msg.err != nil {
		m.preview.SetError(msg.id, msg.err)
		return nil
	}
	if _, ok := m.pages[msg.id]; !ok {
		m.order = append(m.order, msg.id)
	}
	m.pages[msg.id] = msg.page
	for len(m.order) > keepPages {
		delete(m.pages, m.order[0])
		m.order = slices.Delete(m.order, 0, 1)
	}
	m.preview.SetPage(msg.id, msg.page)
	return m.look()
}
