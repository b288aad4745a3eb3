package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/service/library"
	"docent/tui/asking"
	"docent/tui/browsing"
	"docent/tui/comparing"
	"docent/tui/keeping"
	"docent/tui/keymap"
	"docent/tui/listing"
	"docent/tui/overlay"
	"docent/tui/page"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/help"
	"docent/tui/pane/hits"
	"docent/tui/pane/launcher"
	"docent/tui/pane/phase"
	"docent/tui/pane/reader"
	"docent/tui/pane/sets"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/pane/start"
	"docent/tui/reading"
	"docent/tui/running"
	"docent/tui/shelf"
	"docent/tui/style"
	"docent/tui/touring"
	"docent/tui/typeahead"
)

// focus is which part of the screen has the keyboard.
type focus int

const (
	onQuestion focus = iota
	onPane
	onPreview
)

// Model is the root model. It is used through a pointer by one program.
type Model struct {
	opt  Options
	stop context.CancelFunc
	ctx  context.Context
	st   *style.Styles

	w, h     int
	focus    focus
	returnTo focus         // the part that had the keyboard before another question was started; onQuestion: none
	over     overlay.Stack // the overlays
	status   status
	prompt   *prompt // nil: none
	keys     *keymap.Map
	theme    style.Theme
	kept     pipeline.AppState // as it was kept last
	dark     bool              // the terminal's background is dark
	themeSet bool              // by the configuration
	mouseOff bool
	ticking  bool // a frame was asked for
	ahead    *typeahead.Buffer
	words    *typeahead.Words
	resume   *start.Chosen // waits until the doc sets are open; nil: none

	ask    *asking.Controller
	browse *browsing.Controller
	run    *running.Controller
	read   *reading.Controller
	shelf  *shelf.Controller
	keep   *keeping.Controller
	diff   *comparing.Controller
	tour   *touring.Controller
	listed *listing.Controller
	help   *help.Pane

	project shelf.Project // that the app was started in

	openers map[keymap.Action]func() tea.Cmd
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
		opt.Keys = keymap.DefaultMap()
	}
	if opt.Manual == "" {
		opt.Manual = "Docent_Manual"
	}
	st := style.StylesOf(opt.Theme, dark)
	m := &Model{opt: opt, st: st, w: 80, h: 24, keys: opt.Keys, theme: opt.Theme, themeSet: fixed, kept: opt.Kept, dark: dark,
		mouseOff: opt.MouseOff, help: help.New(st)}
	m.ctx, m.stop = context.WithCancel(ctx)
	m.ask = asking.New(m.ctx, st, opt.Backend, askingHost{m}, &m.status, opt.Tick)
	m.run = running.New(m.ctx, st, opt.Backend, runningHost{m}, &m.status, opt.Request)
	m.read = reading.New(m.ctx, st, opt.Backend, reading.Tools{Edit: opt.Edit, Browse: opt.Browse, InTmux: opt.InTmux,
		InScreen: opt.InScreen, SSH: opt.SSH, CopyNative: opt.CopyNative, TmuxLoad: opt.TmuxLoad}, readingHost{m}, &m.status)
	m.shelf = shelf.New(m.ctx, st, opt.Backend, shelfHost{m}, &m.status,
		shelf.Options{Manual: opt.Manual, Sample: sample, Background: opt.Background,
			Project: opt.Project, Follow: opt.Follow, Recheck: opt.Recheck,
			Tick: opt.Tick})
	m.keep = keeping.New(m.ctx, opt.Keeper, keepingHost{m}, &m.status)
	m.diff = comparing.New(m.ctx, st, opt.Backend, comparingHost{m})
	m.browse = browsing.New(m.ctx, st, opt.Backend, opt.Keeper, browsingHost{m}, &m.status, opt.Now)
	m.tour = touring.New(m.ctx, st, opt.Backend, touringHost{m}, &m.status)
	m.listed = listing.New(st, listingHost{m}, &m.status)
	m.ahead = typeahead.New(opt.Keys, aheadHost{m}, &m.status, opt.Tick)
	m.words = typeahead.NewWords(opt.Keys, wordsHost{m}, opt.Tick)
	m.openers = opener{m}.openersByKey()
	m.shelf.Library.SetFamiliar(m.browse.FamiliarPage)
	m.read.Reader.SetMarked(m.browse.IsMarked)
	m.run.Hits.SetHint(m.shelf.EmptyHint())
	if opt.Question != "" && opt.Saved == nil {
		m.ask.Set(opt.Question)
		m.ask.QueueQuestion()
	} else if opt.Saved == nil {
		m.ask.SetDraft(opt.Kept.Draft)
	}
	m.layOutPanes()
	m.browse.RefreshStart(browsingHost{m}.startHint())
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
	before := m.over.All()
	cmd := m.routeMessage(msg)
	if released := m.ahead.Release(); released != nil {
		cmd = tea.Batch(cmd, released)
	}
	for _, o := range before {
		if !m.over.Has(o) {
			cmd = tea.Batch(cmd, o.Update(overlay.Closed{}))
		}
	}
	if m.onStartScreen() {
		m.browse.RefreshStart(browsingHost{m}.startHint())
	}
	return m, tea.Batch(cmd, m.run.Answer.Render())
}

// View is one frame.
func (m *Model) View() tea.View { return painter{m}.drawFrame() }

// routeMessage passes a message to the controller or the part of the root that it is
// for.
func (m *Model) routeMessage(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.layOutPanes()
		return m.redrawPages()
	case tea.BackgroundColorMsg:
		if m.opt.Dark == nil {
			m.dark = msg.IsDark()
			return m.changeStyles()
		}
	case tea.KeyPressMsg:
		return keyboard{m}.pressKey(msg)
	case tea.MouseMsg:
		return mouse{m}.takeEvent(msg)
	case tea.PasteMsg:
		return keyboard{m}.pasteText(msg)
	case frameMsg:
		return m.takeEvents(msg.at)
	case typeahead.Msg:
		return tea.Batch(m.ahead.Update(msg), m.words.Update(msg))
	case tea.FocusMsg:
		return m.shelf.List() // another program may have changed the doc sets

	case asking.Msg:
		return m.ask.Update(msg)
	case running.Msg, hits.Toggled, phase.QueriesChanged, phase.SettingChanged:
		return m.run.Update(msg)
	case reader.Found, page.Rendered: // each reader takes its own
		return tea.Batch(m.read.Update(msg), m.run.Update(msg))
	case reader.LinkWanted:
		m.pushOverlay(m.read.ReaderOverlay())
		return reader.OpenLink(m.read.Reader, msg.From, msg.Link)
	case reading.Msg, reader.Intent:
		return m.read.Update(msg)
	case shelf.Msg, shelfpane.Intent:
		return m.updateShelf(msg)
	case keeping.Msg:
		return m.keep.Update(msg)
	case browsing.Msg, launcher.Intent, start.Chosen:
		return browsingHost{m}.takeMessage(msg)
	case touring.Msg:
		return m.tour.Update(msg)

	case hits.Opened:
		if row, ok := m.run.Hits.Selected(); ok {
			return m.openInReader(reading.TargetOfHit(row))
		}
	case sets.Applied:
		m.over.Clear()
		m.layOutPanes()
		return m.run.NarrowTo(msg.Names)
	case firstrun.Chosen:
		return shelfHost{m}.doFirstChoice(msg)
	case operationMsg:
		return operations{m: m}.fillList(msg)
	case notKeptMsg:
		m.status.Warn(msg.err.Error())
	case allowedMsg:
		msg.show(&m.status)
	default: // of an overlay's own
		return m.over.SendToAll(msg)
	}
	return nil
}

// notKeptMsg says that the app's state could not be kept.
type notKeptMsg struct{ err error }

// keepState keeps the theme that was chosen, and the question that was started.
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
	firstRun, listed := m.shelf.OnFirstRun(), slices.Clone(m.shelf.Sets.Sets())
	cmd := m.shelf.Update(msg)
	if !slices.EqualFunc(listed, m.shelf.Sets.Sets(), isSameDocSet) {
		m.browse.Forget()
	}
	m.run.Hits.SetHint(m.shelf.EmptyHint())
	if !m.shelf.Ready() && !m.shelf.IsOpening() {
		m.ahead.DropKeys() // no answer comes
	}
	if firstRun && !m.shelf.OnFirstRun() {
		m.leaveFirstRun()
	} else if firstRun != m.shelf.OnFirstRun() {
		m.layOutPanes()
	}
	return tea.Batch(cmd, m.followList())
}

// isSameDocSet reports whether a doc set has the pages that it had before.
func isSameDocSet(a, b library.ListedSet) bool {
	return a.Ref == b.Ref && a.Pages == b.Pages && a.Fresh == b.Fresh
}

// leaveFirstRun goes on to the normal screen, with the keyboard on the question.
func (m *Model) leaveFirstRun() {
	m.shelf.LeaveFirstRun()
	m.focus = onQuestion
	m.layOutPanes()
}

// frameTime is how long events are gathered before they become one message:
// one message an event would hold the pipeline up and redraw changes that are never on the screen.
const frameTime = 33 * time.Millisecond

type frameMsg struct{ at time.Time }

// askForFrame asks for a frame while something is under way; there is one at a time.
func (m *Model) askForFrame() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.opt.Tick(frameTime, func(at time.Time) tea.Msg { return frameMsg{at} })
}

// takeEvents takes in the events and the progress since the last frame.
func (m *Model) takeEvents(at time.Time) tea.Cmd {
	m.ticking = false
	m.run.Frame()
	m.shelf.Frame(at)
	if m.run.Active() || m.shelf.WantsFrames() {
		return m.askForFrame()
	}
	return nil
}

// followCursor makes the preview follow the cursor: of the hits, or of the list at whose
// right it stands.
func (m *Model) followCursor() tea.Cmd {
	var t page.Target
	ok := false
	switch p, previews := overlay.TopAs[overlay.Previewer](&m.over); {
	case previews:
		t, ok = p.Target()
	case m.over.Empty():
		var row hits.Row
		row, ok = m.run.Hits.Selected()
		t = reading.TargetOfHit(row)
	}
	if !ok {
		m.read.Preview.Clear()
		return nil
	}
	return m.read.FollowTarget(t, m.previewShown())
}

// followList gives an overlay with a preview its width again, since the preview may come
// or go, and shows the page under its cursor.
func (m *Model) followList() tea.Cmd {
	if _, ok := overlay.TopAs[overlay.Previewer](&m.over); !ok {
		return nil
	}
	m.layOutPanes()
	return m.followCursor()
}

// openInReader opens a page in the reader.
func (m *Model) openInReader(t page.Target) tea.Cmd {
	m.pushOverlay(m.read.ReaderOverlay())
	return m.read.Reader.Open(t)
}

// pushOverlay lays an overlay over the screen.
func (m *Model) pushOverlay(o overlay.Overlay) {
	m.over.Push(o)
	m.layOutPanes()
}

// removeTop takes the topmost overlay away.
func (m *Model) removeTop() {
	m.over.Pop()
	m.layOutPanes()
}

// popOverlay takes the topmost overlay away and shows the page under the cursor below it.
func (m *Model) popOverlay() tea.Cmd {
	m.removeTop()
	return m.followCursor()
}

// toOverlay passes an action, a digit or a click to the topmost overlay.
func (m *Model) toOverlay(msg tea.Msg) tea.Cmd {
	top := m.over.Top()
	cmd := top.Update(msg)
	if _, works := top.(overlay.Worker); !works {
		cmd = m.carryOutIntent(cmd)
	}
	return tea.Batch(cmd, m.followList())
}

// passActionOn passes an action to the part of the screen that has the keyboard.
func (m *Model) passActionOn(a keymap.Action, mode keymap.Mode) tea.Cmd {
	switch {
	case !m.over.Empty() && m.prompt == nil:
		return m.toOverlay(a)
	case mode == keymap.InFirst:
		return m.shelf.First.Update(a)
	case mode == keymap.InPreview:
		return m.read.Preview.Update(a)
	case m.onStartScreen():
		return m.carryOutIntent(m.browse.Start.Update(a))
	}
	if (keyboard{m}).answerRead() != nil { // its commands render and search
		return m.run.Pane().Update(a)
	}
	cmd := m.carryOutIntent(m.run.Pane().Update(a))
	if m.run.OnHits() {
		return tea.Batch(cmd, m.followCursor())
	}
	return cmd
}

// carryOutIntent carries out a pane's intent at once. As a command it would be carried out
// after the keys that were typed behind its key.
func (m *Model) carryOutIntent(intent tea.Cmd) tea.Cmd {
	if intent == nil {
		return nil
	}
	switch msg := intent().(type) {
	case tea.BatchMsg:
		var cmds []tea.Cmd
		for _, one := range msg {
			cmds = append(cmds, m.carryOutIntent(one))
		}
		return tea.Batch(cmds...)
	default:
		return m.routeMessage(msg)
	}
}

// quitKeepingPlace leaves the app. Where a page is read, that is kept: by this command, or by
// Run, if the program ends before.
func (m *Model) quitKeepingPlace() tea.Cmd {
	var keep tea.Cmd
	for _, o := range m.over.All() {
		if r, ok := o.(overlay.PageReader); ok {
			if at, ok := r.Place(); ok {
				keep = m.browse.Visit(at)
			}
		}
	}
	m.stop()
	return tea.Batch(keep, tea.Quit)
}

// promptFor asks for a line; text stands in it at first.
func (m *Model) promptFor(label, text string, take func(string) tea.Cmd) {
	p := &prompt{label: label, take: take}
	p.input.SetValue(text)
	m.prompt = p
	m.status.Clear()
}

// acceptPrompt ends the prompt. The prompt is closed before its text is taken, since
// that may open another one.
func (m *Model) acceptPrompt() tea.Cmd {
	p := m.prompt
	m.prompt = nil
	return p.take(p.input.Value())
}
