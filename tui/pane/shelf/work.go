package shelf

import (
	"fmt"
	"slices"
	"time"

	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// Progress is how far a piece of work is.
type Progress struct {
	Set        string // the doc set that is worked on now
	Nth, Of    int    // which one of several it is
	Stage      string
	Done       int           // pages
	Total      int           // 0: the stage counts nothing
	Elapsed    time.Duration // of the stage
	Cancelling bool
}

// Work is adding or updating, while it goes on.
type Work struct {
	What string   // "adding Kubernetes@1.31"; "" when nothing goes on
	Sets []string // which doc sets it may touch; none means all
	At   Progress
}

// isRunning reports whether it goes on.
func (w Work) isRunning() bool { return w.What != "" }

// worksOn reports whether a doc set is worked on.
func (w Work) worksOn(set string) bool { return len(w.Sets) == 0 || slices.Contains(w.Sets, set) }

// SetWork gives the work that goes on, the zero Work if none.
func (p *Pane) SetWork(w Work) {
	p.work = w
	p.moveCursor(0)
}

// pagesPerSecond is the pages a second, 0 where that is not known yet.
func (a Progress) pagesPerSecond() float64 {
	if a.Done == 0 || a.Elapsed < 200*time.Millisecond {
		return 0
	}
	return float64(a.Done) / a.Elapsed.Seconds()
}

// TimeLeft is an estimate of the time that the stage still takes, "" if
// that is not known.
func (a Progress) TimeLeft() string {
	r := a.pagesPerSecond()
	if r == 0 || a.Total == 0 {
		return ""
	}
	return DurationText(time.Duration(float64(a.Total-a.Done)/r*float64(time.Second))) + " left"
}

// DurationText is a time for a person: "3 s", "2 min 10 s", "1 h 5 min".
func DurationText(d time.Duration) string {
	s := int((d + time.Second/2) / time.Second)
	switch {
	case s < 1:
		return "< 1 s"
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
}

// shareDone is done of total.
func (a Progress) shareDone() float64 {
	if a.Total == 0 {
		return 0
	}
	return float64(a.Done) / float64(a.Total)
}

// ShortText is the work in a few words, for the status line.
func (w Work) ShortText() string {
	if !w.isRunning() {
		return ""
	}
	text := widget.Cut(sanitize.Line(w.What), 34)
	switch {
	case w.At.Cancelling:
		return text + ": cancelling …"
	case w.At.Total > 0:
		text += fmt.Sprintf(" %s %d%%", widget.ScoreBar(w.At.shareDone(), 8), int(w.At.shareDone()*100))
		if left := w.At.TimeLeft(); left != "" {
			text += " " + left
		}
		return text
	case w.At.Stage != "":
		return text + ": " + w.At.Stage + " …"
	}
	return text + " …"
}

// Lines are the work in two lines, none where nothing goes on.
func (w Work) Lines(st *style.Styles, width int) []string {
	if !w.isRunning() {
		return nil
	}
	what := sanitize.Line(w.What)
	if w.At.Of > 1 {
		what += fmt.Sprintf(" (%d of %d: %s)", w.At.Nth, w.At.Of, sanitize.Line(w.At.Set))
	}
	key := st.Key.Render("ctrl+x") + " " + st.Dim.Render("cancels")
	if w.At.Cancelling {
		key = st.Warn.Render("cancelling …")
	}
	first := widget.Sides(" "+st.Accent.Render("● "+widget.Cut(what, max(8, width-18))), key+" ", width)
	stage := w.At.Stage
	if stage == "" {
		stage = "starting"
	}
	if w.At.Total == 0 {
		text := "   " + stage + " …"
		if w.At.Elapsed >= time.Second {
			text += "  " + DurationText(w.At.Elapsed)
		}
		return []string{first, widget.Cut(st.Dim.Render(text), width)}
	}
	second := "   " + stage + " " + st.Accent.Render(widget.ScoreBar(w.At.shareDone(), max(4, min(30, width/4)))) +
		fmt.Sprintf(" %d/%d", w.At.Done, w.At.Total)
	if r := w.At.pagesPerSecond(); r > 0 {
		second += st.Dim.Render(fmt.Sprintf("  %.0f/s", r))
	}
	if left := w.At.TimeLeft(); left != "" {
		second += st.Dim.Render("  " + left)
	}
	return []string{first, widget.Cut(second, width)}
}
