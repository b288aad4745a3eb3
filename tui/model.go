package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/asking"
	"docent/tui/browsing"
	"docent/tui/comparing"
	"docent/tui/keeping"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/help"
	"docent/tui/pane/hits"
	"docent/tui/pane/launcher"
	"docent/tui/pane/phase"
	"docent/tui/pane/picker"
	"docent/tui/pane/reader"
	"docent/tui/pane/sets"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/pane/start"
	"docent/tui/pane/tour"
	"docent/tui/pane/versions"
	"docent/tui/reading"
	"docent/tui/running"
	"docent/tui/shelf"
	"docent/tui/style"
)

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
	launcherOverlay
	versionsOverlay
)

// Model is the root model. It is used through a pointer by one program.
type Model struct {
	opt  Options
	stop context.CancelFunc
	ctx  context.Context
	st   *style.Styles

	w, h     int
	focus    focus
	from     focus // what had the keyboard before another question was begun; onQuestion: none
	over     overlay
	under    []overlay // the overlays under it, the topmost last
	status   status
	prompt   *prompt // nil: none
	keys     *keymap.Map
	theme    style.Theme
	kept     pipeline.AppState // as it was kept last
	dark     bool              // the terminal's background is
	themeSet bool              // by the configuration
	mouseOff bool
	ticking  bool // a frame was asked for
	ahead    ahead

	underMode, underModes keymap.Mode // before the picker was opened

	ask    *asking.Controller
	browse *browsing.Controller
	run    *running.Controller
	read   *reading.Controller
	shelf  *shelf.Controller
	keep   *keeping.Controller
	diff   *comparing.Controller

	help   *help.Pane
	picker *picker.Pane
	tour   *tour.Pane
}

// sample is the question that the manual is tried with.
const sample = "how do I add a doc set"

// New is the app before its first frame. It does no slow work: no page is
// read, nothing is rendered, no command runs before Init.
func New(opt Options) *Model { return newModel(context.Background(), opt) }

func newModel(ctx context.Context, opt Options) *Model {
	dark := opt.Dark == nil || *opt.Dark
	fixed := opt.Theme != ""
	if !fixed {
		opt.Theme = style.Auto
		if kept := style.Theme(opt.Kept.Theme); slices.Contains(style.Themes(), kept) {
			opt.Theme = kept
		}
	}
	if opt.NoColor {
		opt.Theme = style.Plain
	}
	if opt.Tick == nil {
		opt.Tick = tea.Tick
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Keys == nil {
		opt.Keys = keymap.Default()
	}
	if opt.Manual == "" {
		opt.Manual = "Docent_Manual"
	}
	st := style.Of(opt.Theme, dark)
	m := &Model{opt: opt, st: st, w: 80, h: 24, keys: opt.Keys, theme: opt.Theme, themeSet: fixed, kept: opt.Kept, dark: dark, mouseOff: opt.MouseOff,
		help: help.New(st), picker: picker.New(st), tour: tour.New(st)}
	m.ctx, m.stop = context.WithCancel(ctx)
	m.ask = asking.New(m.ctx, st, opt.Backend, askingHost{m}, &m.status, opt.Tick)
	m.run = running.New(m.ctx, st, opt.Backend, runningHost{m}, &m.status, opt.Request)
	m.read = reading.New(m.ctx, st, opt.Backend, reading.Tools{Edit: opt.Edit, Browse: opt.Browse, InTmux: opt.InTmux,
		InScreen: opt.InScreen, SSH: opt.SSH, CopyNative: opt.CopyNative, TmuxLoad: opt.TmuxLoad}, readingHost{m}, &m.status)
	m.shelf = shelf.New(m.ctx, st, opt.Backend, shelfHost{m}, &m.status,
		shelf.Options{Manual: opt.Manual, Sample: sample, Background: opt.Background, Follow: opt.Follow, Recheck: opt.Recheck, Tick: opt.Tick})
	m.keep = keeping.New(m.ctx, opt.Keeper, keepingHost{m}, &m.status)
	m.diff = comparing.New(m.ctx, st, opt.Backend, comparingHost{m})
	m.browse = browsing.New(m.ctx, st, opt.Backend, opt.Keeper, browsingHost{m}, &m.status, opt.Now)
	m.shelf.Library.SetFamiliar(m.browse.Familiar)
	m.read.Reader.SetMarked(m.browse.Marked)
	m.run.Hits.SetHint(m.shelf.Hint())
	if opt.Question != "" && opt.Saved == nil {
		m.ask.Set(opt.Question)
		m.ask.Queue()
	} else if opt.Saved == nil {
		m.ask.SetDraft(opt.Kept.Draft)
	}
	m.layout()
	m.browse.Refresh(m.startHint())
	return m
}

// Init opens the doc sets and asks the terminal for its background.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.shelf.Init(), m.keep.Recollect(), m.browse.Init()}
	if m.opt.Dark == nil && m.theme != style.Plain {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update takes a message in.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	reading := m.reading()
	cmd := m.update(msg)
	if c := m.come(); c != nil {
		cmd = tea.Batch(cmd, c)
	}
	if reading && !m.reading() {
		cmd = tea.Batch(cmd, m.read.Reader.Close())
	}
	if m.starting() {
		m.browse.Refresh(m.startHint())
	}
	return m, cmd
}

// update passes a message to the controller or the part of the root that it is
// for.
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
		return m.paste(msg)
	case frameMsg:
		return m.frame(msg.at)
	case impatientMsg:
		return m.impatient(msg)
	case tea.FocusMsg:
		return m.shelf.List() // another program may have changed the doc sets

	case asking.Msg:
		return m.ask.Update(msg)
	case running.Msg, hits.Toggled, phase.QueriesChanged, phase.SettingChanged:
		return m.run.Update(msg)
	case reading.Msg, reader.Intent, reader.Found, page.Rendered:
		return m.read.Update(msg)
	case shelf.Msg, shelfpane.Intent:
		return m.updateShelf(msg)
	case keeping.Msg:
		return m.keep.Update(msg)
	case browsing.Msg, launcher.Intent, start.Chosen:
		return m.updateBrowsing(msg)

	case comparing.Msg, versions.Intent:
		return m.diff.Update(msg)

	case hits.Opened:
		return m.openHit()
	case sets.Applied:
		m.over = noOverlay
		m.layout()
		return m.run.Narrow(msg.Names)
	case picker.Picked:
		return m.picked(msg)
	case picker.Deleted:
		return m.deleted(msg)
	case firstrun.Chosen:
		return m.chosen(msg)
	case tourMsg:
		m.tourRead(msg)
	case notKeptMsg:
		m.status.Warn(msg.err.Error())
	}
	return nil
}

// notKeptMsg says that the app's state could not be kept.
type notKeptMsg struct{ err error }

// keepState keeps the theme that was chosen, and the question that was begun.
func (m *Model) keepState(ctx context.Context) error {
	m.kept.Draft = m.ask.Draft()
	if m.opt.KeepState == nil || m.kept == m.opt.Kept {
		return nil
	}
	m.opt.Kept = m.kept
	return m.opt.KeepState(ctx, m.kept)
}

// updateShelf passes a message to the shelf. The first-run screen may come or go
// by it, and the empty pane of the hits speaks of the doc sets.
func (m *Model) updateShelf(msg tea.Msg) tea.Cmd {
	firstRun, listed := m.shelf.FirstRun(), slices.Clone(m.shelf.Sets.Sets())
	cmd := m.shelf.Update(msg)
	if !slices.Equal(listed, m.shelf.Sets.Sets()) {
		m.browse.Forget()
	}
	m.run.Hits.SetHint(m.shelf.Hint())
	if !m.shelf.Ready() && !m.shelf.Underway() {
		m.dropAhead() // no answer comes
	}
	if firstRun && !m.shelf.FirstRun() {
		m.leaveFirstRun()
	} else if firstRun != m.shelf.FirstRun() {
		m.layout()
	}
	if m.over == libraryOverlay {
		m.layout() // the preview beside it may come or go
		return tea.Batch(cmd, m.followCursor())
	}
	return cmd
}

// leaveFirstRun goes on to the normal screen, with the keyboard on the question.
func (m *Model) leaveFirstRun() {
	m.shelf.LeaveFirstRun()
	m.focus = onQuestion
	m.layout()
}

// frameTime is how long events are gathered before they become one message:
// one message an event would hold the pipeline up and redraw what nobody sees.
const frameTime = 33 * time.Millisecond

type frameMsg struct{ at time.Time }

// tick asks for a frame while something is under way; there is one at a time.
func (m *Model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.opt.Tick(frameTime, func(at time.Time) tea.Msg { return frameMsg{at} })
}

// frame takes in the events and the progress since the last frame.
func (m *Model) frame(at time.Time) tea.Cmd {
	m.ticking = false
	m.run.Frame()
	m.shelf.Frame(at)
	if m.run.Active() || m.shelf.Active() {
		return m.tick()
	}
	return nil
}

// followCursor makes the preview follow the cursor: of the hits, or of the list that
// it stands beside.
func (m *Model) followCursor() tea.Cmd {
	t, ok := m.beside()
	if m.over == noOverlay {
		var row hits.Row
		row, ok = m.run.Hits.Selected()
		t = reading.Target(row)
	}
	if !ok {
		m.read.Preview.Clear()
		return nil
	}
	return m.read.Follow(t, m.previewSeen())
}

// openHit opens the section of the hit under the cursor in the reader.
func (m *Model) openHit() tea.Cmd {
	row, ok := m.run.Hits.Selected()
	if !ok {
		return nil
	}
	return m.openPage(reading.Target(row))
}

// openPage opens a page in the reader.
func (m *Model) openPage(t page.Target) tea.Cmd {
	m.push(readerOverlay)
	return m.read.Reader.Open(t)
}

// push lays an overlay over the screen; the one before it comes back by pop.
func (m *Model) push(o overlay) {
	if m.over == noOverlay {
		m.under = nil
	} else {
		m.under = append(m.under, m.over)
	}
	m.over = o
	m.layout()
}

// pop takes the topmost overlay away.
func (m *Model) pop() {
	m.over = noOverlay
	if n := len(m.under); n > 0 {
		m.over, m.under = m.under[n-1], m.under[:n-1]
	}
	m.layout()
}
