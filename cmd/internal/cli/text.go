package cli

import (
	"fmt"
	"io"
	"strings"

	"docent/pipeline"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// cleanForTerminal makes text safe to print on a terminal: text from documents must not
// steer it. Newlines and tabs stay.
func cleanForTerminal(s string) string { return sanitize.Visible(s) }

// oneLine is as clean for a part of a line: the name of a folder may have a newline,
// which would begin a row of its own.
func oneLine(s string) string { return cleanForTerminal(breaks.Replace(s)) }

var breaks = strings.NewReplacer("\n", " ", "\t", " ")

// cleanArgs makes the values of a line safe.
func cleanArgs(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case string:
			out[i] = oneLine(v)
		case error:
			out[i] = oneLine(strings.ReplaceAll(v.Error(), "\n", "; "))
		default:
			out[i] = a
		}
	}
	return out
}

// forTerminal cleans text where it goes to a terminal, and leaves it exact in a
// pipe.
func (c *command) forTerminal(s string) string {
	if c.io.OutTTY {
		return cleanForTerminal(s)
	}
	return s
}

// jsonOut is where JSON goes. On a terminal, what would steer it is written as
// JSON's escapes, which say the same.
func (c *command) jsonOut() io.Writer {
	if c.io.OutTTY {
		return escaping{c.io.Out}
	}
	return c.io.Out
}

// escaping writes whole JSON values.
type escaping struct{ to io.Writer }

func (e escaping) Write(raw []byte) (int, error) {
	var b strings.Builder
	for _, r := range string(raw) {
		if sanitize.Unsafe(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	if _, err := io.WriteString(e.to, b.String()); err != nil {
		return 0, err
	}
	return len(raw), nil
}

// bar draws the progress of indexing on a terminal's standard error.
type bar struct {
	c    *command
	last int
}

func newBar(c *command) *bar { return &bar{c: c, last: -1} }

const (
	barWidth = 30
	shortBar = 12 // next to a text
)

func (b *bar) showEvent(e pipeline.Event) {
	if b.c.quiet || b.c.verbose > 0 || b.c.decisions || !b.c.io.ErrTTY || e.Total == 0 {
		return
	}
	doing := "indexing"
	switch e.Phase {
	case ingest.PhaseIngest:
	case evalPhase:
		doing = "asking"
	case embed.Phase:
	default:
		if doing = operation.DoingAt(b.c.operations, e.Phase); doing == "" {
			return
		}
	}
	if e.Kind == pipeline.PhaseDone || e.Kind == pipeline.PhaseFailed {
		fmt.Fprint(b.c.io.Err, "\r\x1b[K")
		b.last = -1
		return
	}
	if e.Phase == embed.Phase { // each batch takes its time, and the text says all
		full := e.Done * shortBar / e.Total
		fmt.Fprintf(b.c.io.Err, "\r\x1b[K%s%s %s", strings.Repeat("█", full), strings.Repeat("░", shortBar-full), cleanForTerminal(e.Text))
		return
	}
	full := e.Done * barWidth / e.Total
	percent := e.Done * 100 / e.Total
	if percent == b.last {
		return
	}
	b.last = percent
	fmt.Fprintf(b.c.io.Err, "\r\x1b[K%s %s %s%s %3d%% %d/%d", doing, cleanForTerminal(e.Text),
		strings.Repeat("█", full), strings.Repeat("░", barWidth-full), percent, e.Done, e.Total)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func bytesText(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// terminalWidth is the width of the terminal of the standard output, 0 for a pipe.
func (c *command) terminalWidth() int {
	if !c.io.OutTTY || c.io.Screen == nil {
		return 0
	}
	w, _ := c.io.Screen()
	return w
}

// wrapWords wraps a text at its blanks alone, so that a path stays one word.
func wrapWords(text string, width int) []string {
	var out []string
	line := ""
	for w := range strings.SplitSeq(text, " ") {
		switch {
		case line == "":
			line = w
		case widget.Width(line)+1+widget.Width(w) > width:
			out, line = append(out, strings.TrimRight(line, " ")), w
		default:
			line += " " + w
		}
	}
	return append(out, line)
}

// wrapped is a line that begins with head. On a terminal its text is wrapped, and goes on
// below behind so many blanks.
func (c *command) wrapped(head, text string, indent int) string {
	if width := c.terminalWidth(); width > 0 {
		text = strings.Join(wrapWords(text, width-indent), "\n"+strings.Repeat(" ", indent))
	}
	return head + text + "\n"
}

// widest is the width of the longest line.
func widest(text string) int {
	n := 0
	for l := range strings.Lines(text) {
		n = max(n, widget.Width(strings.TrimSuffix(l, "\n")))
	}
	return n
}
