package shelf

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/widget"
)

// work is the piece of work that goes on, one at a time.
type work struct {
	id     int // of the newest piece
	on     bool
	shown  shelfpane.Work
	adding bool // it adds a folder
	mends  bool // it makes doc sets ready that were not when they were opened
	cancel context.CancelFunc
	buf    *latest[shelfpane.Progress]
	since  time.Time // of the first frame of the stage
}

// intent does what the library asks for.
func (c *Controller) intent(i shelfpane.Intent) tea.Cmd {
	switch i := i.(type) {
	case shelfpane.PagesWanted:
		c.treeSeq++
		id := c.treeSeq
		return func() tea.Msg {
			pages, err := c.backend.PagesOf(c.ctx, i.Set)
			if err != nil {
				return treeMsg{id: id, set: i.Set, err: err}
			}
			return treeMsg{id: id, set: i.Set, tree: shelfpane.NewTree(pages)}
		}
	case shelfpane.Opened:
		return c.host.OpenPlace(pipeline.Place{DocSet: i.Set, FilePath: i.Path, Title: i.Title}, "")
	case shelfpane.SectionOpened:
		return c.host.OpenPlace(i.Place, i.Text)
	case shelfpane.TextWanted:
		return c.opt.Tick(typingPause, func(time.Time) tea.Msg { return pausedMsg{i} })
	case shelfpane.FoldersWanted:
		return func() tea.Msg {
			// A path that cannot be read has no folders; accepting it says why.
			folders, err := c.backend.Folders(c.ctx, i.Text)
			if err != nil {
				folders = nil
			}
			return foldersMsg{i.Seq, folders}
		}
	case shelfpane.ProposalWanted:
		return func() tea.Msg {
			proposed, err := c.backend.Propose(c.ctx, i.Path)
			return proposalMsg{i.Seq, proposed, err}
		}
	case shelfpane.AddWanted:
		return c.Add(i)
	case shelfpane.UpdateWanted:
		what := "updating all doc sets"
		if len(i.Sets) > 0 {
			what = "updating " + strings.Join(i.Sets, ", ")
		}
		return c.start(what, i.Sets, false, func(ctx context.Context, progress func(shelfpane.Progress)) (string, error) {
			return c.backend.Update(ctx, i.Sets, progress)
		})
	case shelfpane.RemoveWanted:
		return func() tea.Msg { return removedMsg{i.Set, c.backend.Remove(c.ctx, i.Set)} }
	case shelfpane.RetryWanted:
		return c.start("reading "+i.Name, nil, false, func(ctx context.Context, progress func(shelfpane.Progress)) (string, error) {
			return c.backend.Retry(ctx, i.Document, progress)
		})
	case shelfpane.CancelWanted:
		return func() tea.Msg { return cancelledMsg{sanitize.Line(i.Name), c.backend.CancelFile(c.ctx, i.Document)} }
	case shelfpane.Said:
		c.status.Say(i.Text)
	}
	return nil
}

// typingPause is how long nothing is typed before texts are searched.
const typingPause = 90 * time.Millisecond

// findInText searches the texts of a doc set for the typed text, unless that has
// changed since.
func (c *Controller) findInText(want shelfpane.TextWanted) tea.Cmd {
	if !c.Library.StillFinds(want.Seq) {
		return nil
	}
	return func() tea.Msg {
		sections, err := c.backend.Suggest(c.ctx, want.Text, []string{want.Set})
		return inTextMsg{want.Seq, sections, err}
	}
}

// Add begins to add a folder.
func (c *Controller) Add(req shelfpane.AddWanted) tea.Cmd {
	what, docSets := "adding "+req.Path, []string{""}
	switch {
	case req.Name != "" && req.Version != "":
		docSets[0] = req.Name + "@" + req.Version
		what = "adding " + docSets[0]
	case req.Name != "": // the source says its version
		what = "adding " + req.Name
	}
	return c.start(what, docSets, true, func(ctx context.Context, progress func(shelfpane.Progress)) (string, error) {
		return c.backend.Add(ctx, req, progress)
	})
}

// start begins a piece of work, unless one goes on.
func (c *Controller) start(what string, docSets []string, adding bool, do func(context.Context, func(shelfpane.Progress)) (string,
	error)) tea.Cmd {
	w := &c.work
	if w.on {
		c.status.Say(w.shown.What + " goes on: ctrl+x cancels it, or wait until it is done")
		return nil
	}
	ctx, cancel := context.WithCancel(c.ctx)
	*w = work{id: w.id + 1, on: true, adding: adding, cancel: cancel, buf: &latest[shelfpane.Progress]{},
		shown: shelfpane.Work{What: sanitize.Line(what), Sets: docSets}}
	c.showWork()
	c.status.Clear()
	id, buf := w.id, w.buf
	return tea.Batch(func() tea.Msg {
		text, err := do(ctx, buf.set)
		return workedMsg{id, text, err}
	}, c.host.Tick())
}

// showWork tells the panes what goes on.
func (c *Controller) showWork() {
	c.Library.SetWork(c.work.shown)
	c.First.SetFoot(c.work.shown.Lines(c.st, c.w))
}

// workFrame takes in the progress since the last frame. A stage without a count
// reports nothing while it goes on, so its time is taken here.
func (c *Controller) workFrame(at time.Time) {
	w := &c.work
	if !w.on {
		return
	}
	was, now := w.shown.At, w.buf.get()
	if now.Stage != was.Stage || now.Nth != was.Nth || w.since.IsZero() {
		w.since = at
	}
	if now.Total == 0 {
		now.Elapsed = at.Sub(w.since)
	}
	now.Cancelling = was.Cancelling
	w.shown.At = now
	c.showWork()
}

// Cancel cancels the work.
func (c *Controller) Cancel() {
	if !c.work.on {
		return
	}
	c.work.cancel()
	c.work.shown.At.Cancelling = true
	c.showWork()
}

// WorkText is the work that goes on in a few words, "" if none.
func (c *Controller) WorkText() string {
	if c.firstRun || c.host.Screen().Library {
		return ""
	}
	return c.work.shown.ShortText()
}

// takeOutcome reports the outcome of a piece of work.
func (c *Controller) takeOutcome(msg workedMsg) tea.Cmd {
	w := &c.work
	if msg.id != w.id {
		return nil
	}
	w.cancel()
	w.on, w.shown = false, shelfpane.Work{}
	c.showWork()
	text := sanitize.Line(msg.text)
	switch {
	case errors.Is(msg.err, context.Canceled):
		c.status.Warn("cancelled: " + text)
	case msg.err != nil:
		if text != "" {
			text = "; " + text
		}
		c.status.Fail(widget.ErrorText(msg.err) + text)
		if w.adding && c.host.Screen().Library {
			c.Library.AddFailed(widget.ErrorText(msg.err))
		}
	case c.firstRun && w.adding:
		c.firstRun = false
		c.status.Good(text + "; ask it a question")
	default:
		c.status.Good(text)
	}
	if w.mends {
		return tea.Batch(c.reloadChanged(""), c.asUpdates().beginUpdates(nil))
	}
	return c.reloadChanged("")
}

// reloadChanged reads again what a change of the doc sets may have made old. The next
// question sees the new state by itself; the answer to an earlier one stays on
// the screen.
func (c *Controller) reloadChanged(forgotten string) tea.Cmd {
	return tea.Batch(c.List(), c.ListLibrary(), c.Library.RequestPagesAgain(), c.host.Changed(forgotten))
}
