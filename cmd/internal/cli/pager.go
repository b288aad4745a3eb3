package cli

import (
	"errors"
	"io"
	"strings"

	"docent/cmd/internal/desktop"
	"docent/tui/widget"
)

// writePaged writes a text to standard output: through a pager where that is a terminal
// and the text is longer than the screen.
func (c *command) writePaged(text string, plain bool) error {
	if p, ok := c.choosePager(text); ok && !plain {
		started := false
		err := c.ending.during(true, false, func() (err error) {
			started, err = p.Show(text)
			return err
		})
		if errors.Is(err, desktop.ErrTerminated) {
			return exitCode(codeTerminated)
		}
		if started {
			return nil
		}
		c.note("the pager cannot be run: %v; --no-pager asks for none", err)
	}
	_, err := io.WriteString(c.io.Out, text)
	return err
}

// choosePager is the pager for a text; ok is false where none is used.
func (c *command) choosePager(text string) (p desktop.Pager, ok bool) {
	if !c.io.OutTTY || c.io.Screen == nil || c.io.Look == nil {
		return desktop.Pager{}, false
	}
	if w, h := c.io.Screen(); w < 1 || h < 1 || screenLines(text, w) < h {
		return desktop.Pager{}, false
	}
	return desktop.NewPager(c.io.Look)
}

// screenLines is how many lines of a terminal of w columns a text takes.
func screenLines(text string, w int) int {
	n := 0
	for line := range strings.Lines(text) {
		n += max(1, (widget.Width(strings.TrimRight(line, "\n"))+w-1)/w)
	}
	return n
}
