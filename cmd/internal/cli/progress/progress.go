// Package progress shows on a terminal that long work goes on: a bar that fills, or the end
// of a model's answer so far.
//
// It refuses to be the only place of a message: its line disappears when the work is done.
package progress

import (
	"fmt"
	"io"
	"strings"

	"docent/cmd/internal/cli/console"
	"docent/pipeline"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/sourcing"
)

// Bar draws the progress of long work on a terminal's standard error.
type Bar struct {
	to     io.Writer
	hidden func() bool               // reports whether other lines go there
	doing  func(phase string) string // names the work of operations, "" where it is not shown
	last   int
}

// NewBar is a bar on a terminal's standard error.
func NewBar(to io.Writer, hidden func() bool, doing func(phase string) string) *Bar {
	return &Bar{to: to, hidden: hidden, doing: doing, last: -1}
}

// Widths of bars.
const (
	BarWidth = 30
	shortBar = 12 // next to a text
)

// ShowEvent draws how far the work of an event is.
func (b *Bar) ShowEvent(e pipeline.Event) {
	if b.hidden() {
		return
	}
	if e.Phase == sourcing.PhaseFetch {
		b.showFetch(e)
		return
	}
	if e.Total == 0 {
		return
	}
	doing := "indexing"
	switch e.Phase {
	case ingest.PhaseIngest:
	case EvalPhase:
		doing = "asking"
	case embed.Phase:
	default:
		if doing = b.doing(e.Phase); doing == "" {
			return
		}
	}
	if e.Kind == pipeline.PhaseDone || e.Kind == pipeline.PhaseFailed {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.last = -1
		return
	}
	if e.Phase == embed.Phase { // each batch takes its time, and the text says all
		full := e.Done * shortBar / e.Total
		fmt.Fprintf(b.to, "\r\x1b[K%s%s %s", strings.Repeat("█", full), strings.Repeat("░", shortBar-full), console.Clean(e.Text))
		return
	}
	full := e.Done * BarWidth / e.Total
	percent := e.Done * 100 / e.Total
	if percent == b.last {
		return
	}
	b.last = percent
	fmt.Fprintf(b.to, "\r\x1b[K%s %s %s%s %3d%% %d/%d", doing, console.Clean(e.Text),
		strings.Repeat("█", full), strings.Repeat("░", BarWidth-full), percent, e.Done, e.Total)
}

// showFetch draws how far a fetch is: its size is often not known.
func (b *Bar) showFetch(e pipeline.Event) {
	b.last = -1
	if e.Kind != pipeline.PhaseStarted && e.Kind != pipeline.PhaseProgress {
		fmt.Fprint(b.to, "\r\x1b[K")
		return
	}
	line := "fetching: " + console.OneLine(e.Text)
	switch {
	case e.Total > 0:
		full := min(shortBar, e.Done*shortBar/e.Total)
		line = fmt.Sprintf("%s%s %s %d/%d", strings.Repeat("█", full), strings.Repeat("░", shortBar-full), line, e.Done, e.Total)
	case e.Done > 0:
		line = fmt.Sprintf("%s %d", line, e.Done)
	}
	fmt.Fprintf(b.to, "\r\x1b[K%s", line)
}

// EvalPhase is the phase of the events of a measurement.
const EvalPhase = "eval"
