package reading

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/sanitize"
	"docent/tui/widget"
)

// copiedMsg says which ways of copying worked.
type copiedMsg struct {
	what  string
	lines int
	how   []string
	bad   []string
	// failed says that an error occurred. A machine without a native clipboard
	// is no error.
	failed bool
	large  bool
}

// oscLimit is the size at which some terminals begin to cut a text copied by
// OSC 52 (xterm: 100 000 bytes of base64).
const oscLimit = 74_994

// Copy copies a text in three ways, since none works everywhere: the terminal's
// OSC 52 (which tmux's default setting drops without a word), tmux's own
// buffer, and a native clipboard.
func (c *Controller) Copy(what, text string) tea.Cmd {
	text = sanitize.Plain(text)
	c.status.Say("copying …")
	rest := func() tea.Msg {
		out := copiedMsg{what: what, lines: countLines(text), how: []string{"OSC 52"}, large: len(text) > oscLimit}
		if c.tools.InTmux && c.tools.TmuxLoad != nil {
			if err := c.tools.TmuxLoad(c.ctx, text); err != nil {
				out.bad, out.failed = append(out.bad, "tmux: "+err.Error()), true
			} else {
				out.how = append(out.how, "tmux")
			}
		}
		if !c.tools.SSH && c.tools.CopyNative != nil {
			how, err := c.tools.CopyNative(c.ctx, text)
			switch {
			case err != nil:
				out.bad = append(out.bad, err.Error())
			case how != "":
				out.how = append(out.how, how)
			}
		}
		return out
	}
	return tea.Batch(c.osc52(text), rest)
}

// screenChunk is the longest string that GNU screen hands on at once: 256 bytes
// in its older versions, including the bytes around the string.
const screenChunk = 240

// osc52 gives the text to the terminal. GNU screen has no OSC 52 of its own and
// drops it, but hands on the contents of a DCS string.
func (c *Controller) osc52(text string) tea.Cmd {
	if c.tools.InScreen {
		return tea.Raw(ansi.ScreenPassthrough(ansi.SetSystemClipboard(text), screenChunk))
	}
	return tea.SetClipboard(text)
}

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func (c *Controller) copied(msg copiedMsg) {
	// The message must fit into one line of 80 columns.
	text := fmt.Sprintf("copied the %s, %s, by %s", msg.what, widget.Count(msg.lines, "line"), widget.List(msg.how))
	failures := ""
	if len(msg.bad) > 0 {
		failures = " (" + strings.Join(msg.bad, "; ") + ")"
	}
	switch {
	case msg.failed:
		c.status.Warn(text + failures)
	case msg.large && len(msg.how) == 1:
		c.status.Warn(text + "; some terminals cut so much: w writes a file")
	default:
		c.status.Good(text + failures)
	}
	c.host.Copied()
}

// CopyQuote copies the section that is read in the reader as a cited block; only its
// citation where citation is set.
func (c *Controller) CopyQuote(citation bool) tea.Cmd {
	p, ok := c.Reader.Passage()
	if !ok {
		c.status.Say("the page is still being read")
		return nil
	}
	what := "block of"
	if citation {
		what = "citation of"
	}
	what += " " + named(p.Name())
	return func() tea.Msg {
		block, line, err := c.backend.Quote(c.ctx, p)
		if citation {
			block = line
		}
		return quotedMsg{what: what, text: block, err: err}
	}
}

// nameWidth is how much of a heading the status line has room for.
const nameWidth = 28

// named is a heading in quotation marks, shortened.
func named(heading string) string {
	return "“" + widget.Cut(sanitize.Line(heading), nameWidth) + "”"
}

// CopySection copies the section that is read, or the one in the preview.
func (c *Controller) CopySection(inReader bool) tea.Cmd {
	text, ok := c.Section(inReader)
	if !ok {
		c.status.Say("the page is still being read")
		return nil
	}
	what := "section"
	if p, ok := c.Reader.Passage(); ok && inReader {
		what += " " + named(p.Name())
	}
	return c.Copy(what, text)
}

// CodeBlocks are the code blocks of the section that is read, or of the one in
// the preview.
func (c *Controller) CodeBlocks(inReader bool) []string {
	text, ok := c.Section(inReader)
	if !ok {
		return nil
	}
	return codeBlocks(text)
}

// codeBlocks are the contents of the fenced code blocks of a Markdown text.
func codeBlocks(text string) []string {
	var out []string
	var b strings.Builder
	open := ""
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t>")
		switch {
		case open == "":
			for _, c := range []string{"`", "~"} {
				if n := len(body) - len(strings.TrimLeft(body, c)); n >= 3 {
					open = body[:n]
				}
			}
			b.Reset()
		case strings.HasPrefix(body, open) && strings.TrimSpace(strings.TrimLeft(body, open[:1])) == "":
			out, open = append(out, b.String()), ""
		default:
			b.WriteString(line)
		}
	}
	return out
}
