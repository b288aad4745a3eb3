package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/firstrun"
	"docent/tui/pane/shelf"
)

// What the library pane shows.
type (
	LibrarySet   = shelf.Set
	LibraryPage  = shelf.Page
	Proposed     = shelf.Proposed
	AddRequest   = shelf.AddWanted
	WorkProgress = shelf.Progress
	LikelyFolder = firstrun.Folder
)

// librarian is what the library needs of the backend.
type librarian interface {
	// Library lists the doc sets with their freshness.
	Library(ctx context.Context) ([]LibrarySet, error)
	// NewerVersion says whether version a is newer than b.
	NewerVersion(a, b string) bool
	// PagesOf are the pages of a doc set.
	PagesOf(ctx context.Context, docSet string) ([]LibraryPage, error)
	// Folders are the folders whose paths begin with a text, as they would be
	// typed: what is typed stands before what is completed.
	Folders(ctx context.Context, typed string) ([]string, error)
	// Propose says what a folder would be added as.
	Propose(ctx context.Context, path string) ([]Proposed, error)
	// Likely are folders that look like documentation. It takes a short time.
	Likely(ctx context.Context) ([]LikelyFolder, error)
	// Add registers and indexes a folder. What is new is gone again when it fails
	// or ctx ends. The text says what came of it, also beside an error.
	Add(ctx context.Context, req AddRequest, progress func(WorkProgress)) (text string, err error)
	// Update brings doc sets up to date, all where none is named. A doc set for
	// which it fails or ctx ends is as it was before.
	Update(ctx context.Context, docSets []string, progress func(WorkProgress)) (text string, err error)
	// Remove forgets a doc set; its files stay.
	Remove(ctx context.Context, docSet string) error
}

// shelf is the root's part of the library: what goes on in the background.
type shelfState struct {
	id     int // of the newest piece of work
	on     bool
	work   shelf.Work
	add    *AddRequest // what is added, nil for an update
	cancel context.CancelFunc
	buf    *latest[WorkProgress]
	lists  int       // number of the newest listing of the doc sets
	looked int       // number of the newest look for a doc set's pages
	since  time.Time // when the first frame of the stage was
}

type (
	shelfMsg struct {
		id   int
		sets []LibrarySet
		err  error
	}
	treeMsg struct {
		id   int
		set  string
		tree *shelf.Tree
		err  error
	}
	foldersMsg struct {
		seq     int
		folders []string
	}
	proposalMsg struct {
		seq  int
		sets []Proposed
		err  error
	}
	workedMsg struct {
		id   int
		text string
		err  error
	}
	removedMsg struct {
		set string
		err error
	}
)

// openLibrary shows the library over the main area.
func (m *Model) openLibrary() tea.Cmd {
	m.push(libraryOverlay)
	return m.listShelf()
}

func (m *Model) listShelf() tea.Cmd {
	m.shelf.lists++
	id, ctx, backend := m.shelf.lists, m.ctx, m.opt.Backend
	return func() tea.Msg {
		sets, err := backend.Library(ctx)
		return shelfMsg{id, sets, err}
	}
}

// push lays something over the screen; what lies there is under it until pop.
func (m *Model) push(o overlay) {
	if m.over == noOverlay {
		m.under = nil
	} else {
		m.under = append(m.under, m.over)
	}
	m.over = o
	m.layout()
}

// pop takes away what lies on top.
func (m *Model) pop() {
	m.over = noOverlay
	if n := len(m.under); n > 0 {
		m.over, m.under = m.under[n-1], m.under[:n-1]
	}
	m.layout()
}

// openPage shows a page in the reader, whatever hit is under the cursor.
func (m *Model) openPage(t page.Target) tea.Cmd {
	m.push(readerOverlay)
	return m.reader.Open(t)
}

// libraryMsg takes in what concerns the library; false for other messages.
func (m *Model) libraryMsg(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case shelf.Intent:
		return m.libraryWants(msg), true
	case shelfMsg:
		switch {
		case msg.id != m.shelf.lists:
		case msg.err != nil:
			m.fail("the doc sets cannot be listed: " + msg.err.Error())
		default:
			m.library.SetSets(msg.sets, m.opt.Backend.NewerVersion)
		}
	case treeMsg:
		if msg.id == m.shelf.looked {
			m.library.SetTree(msg.set, msg.tree, msg.err)
		}
	case foldersMsg:
		m.library.SetFolders(msg.seq, msg.folders)
	case proposalMsg:
		m.library.SetProposal(msg.seq, msg.sets, msg.err)
	case workedMsg:
		return m.worked(msg), true
	case removedMsg:
		if msg.err != nil {
			m.fail(msg.set + " was not forgotten: " + msg.err.Error())
			return nil, true
		}
		m.req.DocSets = slices.DeleteFunc(slices.Clone(m.req.DocSets), func(n string) bool { return n == msg.set })
		m.good("forgot " + msg.set + "; its files were not touched")
		return m.refreshed(), true
	case firstrun.Chosen:
		return m.chosen(msg), true
	case likelyMsg:
		m.first.SetFolders(msg.folders)
	case tourMsg:
		m.tourRead(msg)
	default:
		return nil, false
	}
	return nil, true
}

func (m *Model) libraryWants(i shelf.Intent) tea.Cmd {
	ctx, backend := m.ctx, m.opt.Backend
	switch i := i.(type) {
	case shelf.PagesWanted:
		m.shelf.looked++
		id := m.shelf.looked
		return func() tea.Msg {
			pages, err := backend.PagesOf(ctx, i.Set)
			if err != nil {
				return treeMsg{id: id, set: i.Set, err: err}
			}
			return treeMsg{id: id, set: i.Set, tree: shelf.Plant(pages)}
		}
	case shelf.Opened:
		return m.openPage(page.Target{DocSet: i.Set, FilePath: i.Path, Title: i.Title})
	case shelf.FoldersWanted:
		return func() tea.Msg {
			// What cannot be read has no folders; entering it says why.
			folders, err := backend.Folders(ctx, i.Text)
			if err != nil {
				folders = nil
			}
			return foldersMsg{i.Seq, folders}
		}
	case shelf.ProposalWanted:
		return func() tea.Msg {
			sets, err := backend.Propose(ctx, i.Path)
			return proposalMsg{i.Seq, sets, err}
		}
	case shelf.AddWanted:
		return m.addFolder(i)
	case shelf.UpdateWanted:
		what := "updating all doc sets"
		if len(i.Sets) > 0 {
			what = "updating " + strings.Join(i.Sets, ", ")
		}
		return m.startWork(what, i.Sets, nil, func(ctx context.Context, progress func(WorkProgress)) (string, error) {
			return backend.Update(ctx, i.Sets, progress)
		})
	case shelf.RemoveWanted:
		return func() tea.Msg { return removedMsg{i.Set, backend.Remove(ctx, i.Set)} }
	case shelf.Said:
		m.say(i.Text)
	}
	return nil
}

func (m *Model) addFolder(req AddRequest) tea.Cmd {
	backend := m.opt.Backend
	what, sets := "adding "+req.Path, []string{""}
	if req.Name != "" {
		sets[0] = req.Name + "@" + req.Version
		what = "adding " + sets[0]
	}
	return m.startWork(what, sets, &req, func(ctx context.Context, progress func(WorkProgress)) (string, error) {
		return backend.Add(ctx, req, progress)
	})
}

// startWork begins a piece of work, unless one goes on.
func (m *Model) startWork(what string, sets []string, add *AddRequest, do func(context.Context, func(WorkProgress)) (string, error)) tea.Cmd {
	s := &m.shelf
	if s.on {
		m.say(s.work.What + " goes on: ctrl+x cancels it, or wait until it is done")
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	s.id++
	s.since = time.Time{}
	s.on, s.cancel, s.buf, s.add = true, cancel, &latest[WorkProgress]{}, add
	s.work = shelf.Work{What: sanitize.Line(what), Sets: sets}
	m.showWork()
	m.clearStatus()
	id, buf := s.id, s.buf
	return tea.Batch(func() tea.Msg {
		text, err := do(ctx, buf.set)
		return workedMsg{id, text, err}
	}, m.tick())
}

// showWork gives the panes what goes on.
func (m *Model) showWork() {
	m.library.SetWork(m.shelf.work)
	m.first.SetFoot(m.shelf.work.Lines(m.st, m.w-2))
}

// workFrame takes in the progress since the last frame. A stage that counts
// nothing says nothing while it goes on, so its time is taken here.
func (m *Model) workFrame(at time.Time) {
	s := &m.shelf
	if !s.on {
		return
	}
	was, now := s.work.At, s.buf.get()
	if now.Stage != was.Stage || now.Nth != was.Nth || s.since.IsZero() {
		s.since = at
	}
	if now.Total == 0 {
		now.Elapsed = at.Sub(s.since)
	}
	now.Cancelling = was.Cancelling
	s.work.At = now
	m.showWork()
}

func (m *Model) cancelWork() {
	m.shelf.cancel()
	m.shelf.work.At.Cancelling = true
	m.showWork()
}

// worked says what came of a piece of work.
func (m *Model) worked(msg workedMsg) tea.Cmd {
	s := &m.shelf
	if msg.id != s.id {
		return nil
	}
	s.cancel()
	s.on, s.work = false, shelf.Work{}
	m.showWork()
	text := sanitize.Line(msg.text)
	switch {
	case errors.Is(msg.err, context.Canceled):
		m.warn("cancelled: " + text)
	case msg.err != nil:
		if text != "" {
			text = "; " + text
		}
		m.fail(msg.err.Error() + text)
		if s.add != nil && m.over == libraryOverlay {
			m.library.AddFailed(msg.err.Error())
		}
	default:
		m.good(text)
		if m.inFirst && s.add != nil {
			m.leaveFirst()
			m.good(text + "; ask it a question")
		}
	}
	return m.refreshed()
}

// refreshed reads again what a change of the doc sets may have made old: pages
// that were read, the lists of doc sets, an open tree. The next question sees
// the new state by itself; what answers an earlier one stays on the screen.
func (m *Model) refreshed() tea.Cmd {
	m.pages, m.order = map[string]*page.Prepared{}, nil
	m.preview.Clear()
	return tea.Batch(m.listSets(), m.listShelf(), m.library.Stale(), m.look())
}

// libraryKey does an action of the library; false where it is none.
func (m *Model) libraryKey(a keymap.Action, key string, mode keymap.Mode) (tea.Cmd, bool) {
	switch a {
	case keymap.Library:
		return m.openLibrary(), true
	case keymap.CancelWork:
		m.cancelWork()
		return nil, true
	case keymap.Tour:
		return m.tourKey(), true
	case keymap.Question, keymap.EditQuestion:
		if m.inFirst {
			m.leaveFirst()
		}
	case keymap.NthFolder:
		f, ok := m.first.Nth(int(key[0] - '0'))
		if !ok {
			m.say(key + ": no such folder was found; a adds another one")
			return nil, true
		}
		return m.chosen(firstrun.Chosen{Action: a, Path: f.Path}), true
	case keymap.Sample:
		return m.chosen(firstrun.Chosen{Action: a}), true
	case keymap.AddSet:
		if mode == keymap.InFirst {
			return m.chosen(firstrun.Chosen{Action: a}), true
		}
	}
	return nil, false
}
