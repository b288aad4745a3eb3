package reading

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// copiedMsg says which ways of copying worked.
type copiedMsg struct {
	what string // with its size
	how  []string
	// dropped says that a tmux may have dropped what the terminal was given: its own
	// way failed.
	dropped bool
	large   bool
}

// oscLimit is the size at which some terminals begin to cut a text copied by
// OSC 52 (xterm: 100 000 bytes of base64).
const oscLimit = 74_994

// Copy copies a text in three ways, since none works everywhere: the terminal's
// OSC 52 (which tmux's default setting drops without a word), tmux's own
// buffer, and a native clipboard. what says what it is; its lines are counted.
func (c *Controller) Copy(what, text string) tea.Cmd {
	return c.CopySized(what+", "+widget.Count(countLines(text), "line"), text)
}

// CopySized is Copy of a text whose size what says already: that of an answer, without
// the lines that frame it.
func (c *Controller) CopySized(what, text string) tea.Cmd {
	text = sanitize.Plain(text)
	c.status.Say("copying …")
	rest := func() tea.Msg {
		out := copiedMsg{what: what, how: []string{"terminal"}, large: len(text) > oscLimit}
		if c.tools.InTmux && c.tools.TmuxLoad != nil {
			if err := c.tools.TmuxLoad(c.ctx, text); err != nil {
				out.dropped = true
			} else {
				out.how = append(out.how, "tmux")
			}
		}
		if !c.tools.SSH && c.tools.CopyNative != nil {
			// A machine without a clipboard of its own is no error.
			if how, err := c.tools.CopyNative(c.ctx, text); err == nil && how != "" {
				out.how = append(out.how, how)
			}
		}
		return out
	}
	return tea.Batch(c.copyByOSC52(text), rest)
}

// screenChunk is the longest string that GNU screen hands on at once: 256 bytes
// in its older versions, including the bytes around the string.
const screenChunk = 240

// copyByOSC52 gives the text to the terminal. GNU screen has no OSC 52 of its own and
// drops it, but hands on the contents of a DCS string.
func (c *Controller) copyByOSC52(text string) tea.Cmd {
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

func (c *Controller) reportCopy(msg copiedMsg) {
	// The message must fit into one line of 80 columns.
	switch one := len(msg.how) == 1; {
	case one && msg.dropped:
		c.status.Warn("tmux may not have copied the " + msg.what + ": w writes a file")
	case one && msg.large:
		c.status.Warn("copied the " + msg.what + ", which some terminals cut: w writes a file")
	default:
		c.status.Good(fmt.Sprintf("copied the %s (%s)", msg.what, strings.Join(msg.how, ", ")))
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
	what := fmt.Sprintf("section %s, %s", quotedHeading(p.Name()), widget.Count(countLines(p.Text), "line"))
	if citation {
		what = "source of " + quotedHeading(p.Name())
	}
	return func() tea.Msg {
		block, line, err := c.backend.Quote(c.ctx, p)
		if citation {
			block = line
		}
		return quotedMsg{what: what, text: block, err: err}
	}
}

// nameWidth is how much of a heading the status line has room for.
const nameWidth = 24

// quotedHeading is a heading in quotation marks, shortened.
func quotedHeading(heading string) string {
	return "“" + widget.Cut(sanitize.Line(heading), nameWidth) + "”"
}

// CopySection copies the text of the section that is read in the reader.
func (c *Controller) CopySection() tea.Cmd {
	text, ok := c.Reader.Section()
	what := "section"
	if p, ok := c.Reader.Passage(); ok {
		what += " " + quotedHeading(p.Name())
	}
	return c.copyText(what, text, ok)
}

// CopyPreviewed copies the text of the section in the preview.
func (c *Controller) CopyPreviewed() tea.Cmd {
	text, ok := c.Preview.Section()
	return c.copyText("section", text, ok)
}

func (c *Controller) copyText(what, text string, ok bool) tea.Cmd {
	if !ok {
		c.status.Say("the page is still being read")
		return nil
	}
	return c.Copy(what, text)
}

// CodeBlocks are the contents of the fenced code blocks of a Markdown text.
func CodeBlocks(text string) []string {
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
