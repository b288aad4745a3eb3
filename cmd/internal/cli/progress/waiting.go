package progress

import (
	"fmt"
	"io"
	"strings"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// Waiting shows on a terminal's standard error that a model is at work, and the end of
// its answer so far: one line, which disappears when the phase is done.
type Waiting struct {
	to     io.Writer
	hidden bool
	doing  string
	text   string
	shown  bool
}

// NewWaiting is such a line on a terminal's standard error.
func NewWaiting(to io.Writer, hidden bool) *Waiting { return &Waiting{to: to, hidden: hidden} }

// waitingWidth is how wide its line is at most: a line that is broken by the
// terminal could not be taken back.
const waitingWidth = 76

// ShowEvent shows the end of an answer that a model is writing.
func (w *Waiting) ShowEvent(e pipeline.Event) {
	if w.hidden {
		return
	}
	switch e.Kind {
	case pipeline.PhaseProgress:
		if e.Engine == "" {
			return
		}
		w.doing, w.text = e.Phase+" "+e.Text, ""
		if e.Total > 0 {
			w.doing += fmt.Sprintf(" %d of %d", e.Done, e.Total)
		}
	case pipeline.PhaseText:
		w.text += e.Text
		if n := len(w.text); n > 4*waitingWidth {
			w.text = strings.ToValidUTF8(w.text[n-4*waitingWidth:], "")
		}
	default:
		if w.shown {
			fmt.Fprint(w.to, "\r\x1b[K")
			w.shown = false
		}
		return
	}
	line := sanitize.Line(w.doing + " … ")
	if tail := strings.Join(strings.Fields(sanitize.Line(w.text)), " "); tail != "" {
		line = widget.Cut(line, waitingWidth/2)
		line += widget.CutStart(tail, waitingWidth-widget.Width(line))
	}
	fmt.Fprintf(w.to, "\r\x1b[K%s", widget.Cut(line, waitingWidth))
	w.shown = true
}
