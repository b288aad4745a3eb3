package invocation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/desktop"
)

// StandardInput is standard input for a command that reads it, until a signal ends the
// command.
func (c *Call) StandardInput(ctx context.Context) io.Reader {
	return console.ReadUntil(ctx, c.IO.In)
}

// PrintJSON writes one object a line.
func (c *Call) PrintJSON(v any) error {
	enc := json.NewEncoder(c.JSONOut())
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// WritePaged writes a text to standard output: through a pager where that is a terminal
// and the text is longer than the screen.
func (c *Call) WritePaged(text string, plain bool) error {
	if p, ok := c.choosePager(text); ok && !plain {
		started := false
		err := c.Ending.During(true, false, func() (err error) {
			started, err = p.Show(text)
			return err
		})
		if errors.Is(err, desktop.ErrTerminated) {
			return failure.ExitCode(failure.CodeTerminated)
		}
		if started {
			return nil
		}
		c.Note("the pager cannot be run: %v; --no-pager asks for none", err)
	}
	_, err := io.WriteString(c.IO.Out, text)
	return err
}

// choosePager is the pager for a text; ok is false where none is used.
func (c *Call) choosePager(text string) (p desktop.Pager, ok bool) {
	if !c.IO.OutTTY || c.IO.Screen == nil || c.IO.Look == nil {
		return desktop.Pager{}, false
	}
	if w, h := c.IO.Screen(); w < 1 || h < 1 || console.ScreenLines(text, w) < h {
		return desktop.Pager{}, false
	}
	return desktop.NewPager(c.IO.Look)
}

// Colour reports whether to colour standard output.
func (c *Call) Colour() bool {
	if c.NoColor {
		return false
	}
	return c.IO.OutTTY || c.IO.Env("CLICOLOR_FORCE") != "" && c.IO.Env("CLICOLOR_FORCE") != "0"
}

// ForTerminal cleans text where it goes to a terminal, and leaves it exact in a
// pipe.
func (c *Call) ForTerminal(s string) string {
	if c.IO.OutTTY {
		return console.Clean(s)
	}
	return s
}

// PrintMarkdown prints Markdown for a terminal.
func (c *Call) PrintMarkdown(text string) error {
	out, err := console.RenderMarkdown(text, c.NoColor)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.IO.Out, out)
	return err
}

// JSONOut is where JSON goes. On a terminal, what would steer it is written as
// JSON's escapes, which say the same.
func (c *Call) JSONOut() io.Writer {
	if c.IO.OutTTY {
		return console.EscapeControls(c.IO.Out)
	}
	return c.IO.Out
}

// TerminalWidth is the width of the terminal of the standard output, 0 for a pipe.
func (c *Call) TerminalWidth() int {
	if !c.IO.OutTTY || c.IO.Screen == nil {
		return 0
	}
	w, _ := c.IO.Screen()
	return w
}

// Wrapped is a line that begins with head. On a terminal its text is wrapped, and goes on
// below behind so many blanks.
func (c *Call) Wrapped(head, text string, indent int) string {
	if width := c.TerminalWidth(); width > 0 {
		text = strings.Join(console.WrapWords(text, width-indent), "\n"+strings.Repeat(" ", indent))
	}
	return head + text + "\n"
}
