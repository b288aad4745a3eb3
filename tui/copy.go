package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/pane/stepper"
)

// copiedMsg says which ways of copying worked.
type copiedMsg struct {
	what  string
	lines int
	how   []string
	bad   []string
	// failed: a way that should have worked did not; a machine without a
	// native clipboard is no failure.
	failed bool
	large  bool
}

// oscLimit is where some terminals begin to cut what OSC 52 carries (xterm:
// 100 000 bytes of base64).
const oscLimit = 74_994

// copyText copies in three ways, since none works everywhere: the terminal's
// OSC 52 (which tmux's default setting drops without a word), tmux's own
// buffer, and a native clipboard.
func (m *Model) copyText(what, text string) tea.Cmd {
	text = sanitize.Plain(text)
	opt, ctx := m.opt, m.ctx
	m.say("copying …")
	rest := func() tea.Msg {
		out := copiedMsg{what: what, lines: countLines(text), how: []string{"OSC 52"}, large: len(text) > oscLimit}
		if opt.InTmux && opt.TmuxLoad != nil {
			if err := opt.TmuxLoad(ctx, text); err != nil {
				out.bad, out.failed = append(out.bad, "tmux: "+err.Error()), true
			} else {
				out.how = append(out.how, "tmux")
			}
		}
		if !opt.SSH && opt.CopyNative != nil {
			how, err := opt.CopyNative(ctx, text)
			switch {
			case err != nil:
				out.bad = append(out.bad, err.Error())
			case how != "":
				out.how = append(out.how, how)
			}
		}
		return out
	}
	return tea.Batch(m.osc52(text), rest)
}

// screenChunk is the longest string that GNU screen hands on at once: 256 bytes
// with what is around it, in its older versions.
const screenChunk = 240

// osc52 gives the text to the terminal. GNU screen knows no OSC 52 of its own and
// drops it, but hands on what is wrapped in a DCS string.
func (m *Model) osc52(text string) tea.Cmd {
	if m.opt.InScreen {
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

func (m *Model) copied(msg copiedMsg) {
	// One line of 80 columns must hold it, so only what matters most is said.
	text := fmt.Sprintf("copied the %s, %s, by %s", msg.what, count(msg.lines, "line"), join(msg.how))
	only := ""
	if len(msg.bad) > 0 {
		only = " (" + strings.Join(msg.bad, "; ") + ")"
	}
	switch {
	case msg.failed:
		m.warn(text + only)
	case msg.large && len(msg.how) == 1:
		m.warn(text + "; some terminals cut so much: w writes a file")
	default:
		m.good(text + only)
	}
}

// join is "a", "a and b", "a, b and c".
func join(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

func (m *Model) copyFinal() tea.Cmd {
	what := "block"
	if m.steps.Step(contract.PhaseCite).State != stepper.Done {
		what = "old block (R runs what is stale)"
	}
	return m.copyText(what, m.res.Final)
}

// copyCitation copies the citation of the hit under the cursor, or all of them
// where there is no hit on the screen.
func (m *Model) copyCitation() tea.Cmd {
	if row, ok := m.hits.Selected(); ok && m.onHits() {
		for _, c := range m.res.Citations {
			if c.DocSet == row.Page.DocSet && c.FilePath == row.Page.FilePath {
				return m.copyText("citation", citation(c))
			}
		}
		m.say("this page is not in the final block, so there is no citation of it")
		return nil
	}
	var lines []string
	for _, c := range m.res.Citations {
		lines = append(lines, citation(c))
	}
	if len(lines) == 0 {
		m.say("the final block has no citation")
		return nil
	}
	what := "citation"
	if len(lines) > 1 {
		what = "citations"
	}
	return m.copyText(what, strings.Join(lines, "\n"))
}

// citation is one citation on one line.
func citation(c contract.Citation) string {
	out := fmt.Sprintf("%s, %s/%s, lines %d–%d", c.PageTitle, c.DocSet, c.FilePath, c.Lines[0], c.Lines[1])
	if c.URL != "" {
		out += ", " + c.URL
	}
	return sanitize.Line(out)
}
