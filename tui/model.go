package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/check"
	"docent/tui/pane/extract"
	"docent/tui/pane/final"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/help"
	"docent/tui/pane/hits"
	"docent/tui/pane/merge"
	"docent/tui/pane/optimize"
	"docent/tui/pane/picker"
	"docent/tui/pane/preview"
	"docent/tui/pane/reader"
	"docent/tui/pane/rerank"
	"docent/tui/pane/route"
	"docent/tui/pane/sets"
	"docent/tui/pane/shelf"
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
	pickerOverlay
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
	prompt  *prompt // nil: none
	keys    *keymap.Map
	changes changes
	theme   style.Theme
	dark    bool // the terminal's background is

	mouseOff   bool
	stopping   bool // the run was told to end
	beside     *background
	besideText string
	explaining int // the run whose scores the rerank pane asked for

	underMode, underModes keymap.Mode // of what lies under a list
	ready                 bool
	opening               bool
	openBuf               *latest[progress]
	openAt                progress

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
	reader   *reader.Pane
	rerank   *rerank.Pane
	extract  *extract.Pane
	check    *check.Pane
	final    *final.Pane
	sets     *sets.Pane
	help     *help.Pane
	picker   *picker.Pane
	library  *shelf.Pane
	first    *firstrun.Pane
	tour     *tour.Pane

	shelf   shelfState
	inFirst bool // the first-run screen is shown
	greeted bool // it was decided whether it is

	pages   map[string]*page.Prepared // pages that were read
	order   []string                  // the same, oldest first
	loading map[string]bool
}

// New is the app before its first frame. It does no slow work: no page is
// read, nothing is rendered, no command runs before Init.
func New(opt Options) *Model {
	dark := opt.Dark == nil || *opt.Dark
	if opt.Theme == "" {
		opt.Theme = style.Auto
	}
	if opt.NoColor {
		opt.Theme = style.Plain
	}
	st := style.Of(opt.Theme, dark)
	if opt.Tick == nil {
		opt.Tick = tea.Tick
	}
	if opt.Keys == nil {
		opt.Keys = keymap.Default()
	}
	m := &Model{opt: opt, st: st, w: 80, h: 24, opening: true, // Init opens
		req: opt.Request, runner: &runner{backend: opt.Backend}, events: &eventBuffer{}, openBuf: &latest[progress]{}, beside: &background{},
		steps: stepper.New(st), optimize: optimize.New(st), route: route.New(st), merge: merge.New(st),
		hits: hits.New(st), preview: preview.New(st), reader: reader.New(st), rerank: rerank.New(st), extract: extract.New(st),
		check: check.New(st), final: final.New(st), sets: sets.New(st), help: help.New(st), picker: picker.New(st), keys: opt.Keys, theme: opt.Theme, dark: dark, mouseOff: opt.MouseOff,
		library: shelf.New(st), first: firstrun.New(st, sample), tour: tour.New(st),
		pages: map[string]*page.Prepared{}, loading: map[string]bool{},
	}
	m.ctx, m.stop = context.WithCancel(context.Background())
	m.req.Question = ""
	m.steps.Select(contract.PhaseSearch)
	m.show(false)
	m.hits.SetHint(m.hint())
	if opt.Question != "" && opt.Saved == nil {
		m.input.SetValue(opt.Question)
		m.queued = true
	}
	m.layout()
	return m
}

// Init opens the doc sets and asks the terminal for its background.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.open(), m.recollect()}
	if m.opt.Dark == nil && m.theme != style.Plain {
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
		return m.redraw()
	case tea.BackgroundColorMsg:
		if m.opt.Dark == nil {
			m.dark = msg.IsDark()
			return m.restyle()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.PasteMsg:
		switch m.mode() {
		case keymap.InQuestion:
			m.input.Insert(msg.Content)
			return m.typed()
		case keymap.InPrompt:
			m.prompt.input.Insert(msg.Content)
		case keymap.InPicker:
			m.picker.Paste(msg.Content)
		case keymap.InEntry:
			return m.library.Update(msg)
		case keymap.InFind, keymap.InOutline:
			return m.reader.Paste(msg.Content)
		default:
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
	case page.Rendered:
		return tea.Batch(m.preview.Update(msg), m.reader.Update(msg))
	case hits.Toggled:
		return m.toggle(msg.Hit)
	case hits.Opened:
		return m.openReader()
	case sets.Applied:
		return m.narrow(msg.Names)
	case picker.Picked:
		return m.picked(msg)
	case picker.Deleted:
		return m.removed(msg)
	case optimize.Changed:
		return m.setQueries(msg)
	case route.Changed:
		return m.setRoute(msg)
	case beatMsg:
		return m.beaten()
	case backgroundMsg:
		return m.backgroundEnded(msg)
	case explainedMsg:
		return m.explained(msg)
	case questionsMsg:
		m.gotQuestions(msg)
	case sessionsMsg:
		m.gotSessions(msg)
	case loadedMsg:
		return m.loaded(msg)
	case keptMsg:
		m.kept(msg)
	case copiedMsg:
		m.copied(msg)
		m.tourNext(m.tour.Did(tour.Copied))
	case pausedMsg:
		return m.paused(msg)
	case suggestedMsg:
		m.suggested(msg)
	default:
		if cmd, ok := m.libraryMsg(msg); ok {
			return cmd
		}
		cmd, _ := m.read(msg)
		return cmd
	}
	return nil
}

// mode is what has the keyboard.
func (m *Model) mode() keymap.Mode {
	switch {
	case m.prompt != nil:
		return keymap.InPrompt
	case m.over == pickerOverlay:
		return keymap.InPicker
	case m.over == helpOverlay:
		return keymap.InHelp
	case m.over == setsOverlay:
		return keymap.InSets
	case m.over == readerOverlay:
		return m.reader.Mode()
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

// modes is the mode, and in a pane that pane's own too.
func (m *Model) modes() keymap.Mode {
	mode := m.mode()
	if mode != keymap.InPane {
		return mode
	}
	switch m.steps.Selected() {
	case contract.PhaseSearch:
		mode |= keymap.InHits
	case contract.PhaseOptimize:
		mode |= keymap.InQueries
	case contract.PhaseRoute:
		mode |= keymap.InRoute
	case contract.PhaseRerank:
		mode |= keymap.InRerank
	case contract.PhaseExtract:
		mode |= keymap.InExtract
	case contract.PhaseCite:
		mode |= keymap.InFinal
	}
	return mode
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
	if _, ok := m.hits.Selected(); ok && m.onHits() {
		n |= keymap.NeedHit | keymap.NeedSection
	}
	if m.over == readerOverlay {
		n |= keymap.NeedSection
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
	if len(m.changes.past) > 0 {
		n |= keymap.NeedUndo
	}
	if len(m.changes.future) > 0 {
		n |= keymap.NeedRedo
	}
	if m.opt.Keeper != nil {
		n |= keymap.NeedHome
	}
	if _, ok := m.sourceUnderCursor(); ok {
		n |= keymap.NeedSource
	}
	if _, ok := m.library.Selected(); ok {
		n |= keymap.NeedSet
	}
	if m.shelf.on {
		n |= keymap.NeedWork
	}
	return n | m.readingNeeds()
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
	m.optimize.SetResult(m.res, m.req)
	m.route.SetResult(m.res, m.req)
	m.merge.SetResult(m.res)
	m.hits.SetResult(m.res, m.req.Exclude, keep)
	m.showHits()
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
	row, ok := m.hits.Selected()
	if !ok {
		m.preview.Clear()
		return nil
	}
	t := page.Target{DocSet: row.Page.DocSet, FilePath: row.Page.FilePath, Title: row.Page.PageTitle, Heading: row.Heading}
	if m.preview.SetTarget(t) {
		if pg, ok := m.pages[t.ID()]; ok {
			m.preview.SetPage(t.ID(), pg)
		} else {
			return m.load(t)
		}
	}
	if !m.previewSeen() {
		return nil
	}
	return m.preview.Render()
}

// redraw is what must be rendered anew for another width or another look.
func (m *Model) redraw() tea.Cmd {
	if slices.Contains(append(m.under, m.over), readerOverlay) {
		return tea.Batch(m.look(), m.reader.Render())
	}
	return m.look()
}

// previewSeen says whether the preview is on the screen: what is not looked at
// is not rendered.
func (m *Model) previewSeen() bool {
	return m.over == noOverlay && m.onHits() && m.geometry().previewH > 0
}

type pageMsg struct {
	id   string
	page *page.Prepared
	err  error
}

// keepPages bounds the pages that are kept in memory.
const keepPages = 24

func (m *Model) load(t page.Target) tea.Cmd {
	id := t.ID()
	if m.loading[id] {
		return nil
	}
	m.loading[id] = true
	ctx, backend := m.ctx, m.opt.Backend
	return func() tea.Msg {
		pg, err := backend.Page(ctx, t.DocSet, t.FilePath)
		if err != nil {
			return pageMsg{id: id, err: err}
		}
		return pageMsg{id: id, page: page.Prepare(pg)}
	}
}

func (m *Model) gotPage(msg pageMsg) tea.Cmd {
	delete(m.loading, msg.id)
	if msg.err != nil {
		m.preview.SetError(msg.id, msg.err)
		m.reader.SetError(msg.id, msg.err)
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
	return tea.Batch(m.reader.SetPage(msg.id, msg.page), m.look())
}
