package tui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/page"
	"docent/tui/pane/final"
	"docent/tui/pane/picker"
)

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// sourceUnderCursor is the line of a page that the cursor of a pane means.
func (m *Model) sourceUnderCursor() (final.Source, bool) {
	switch m.steps.Selected() {
	case contract.PhaseRerank:
		if r, h, ok := m.rerank.Selected(); ok {
			return final.Source{DocSet: r.DocSet, FilePath: r.FilePath, Title: r.PageTitle, Line: h.Lines[0]}, true
		}
	case contract.PhaseExtract:
		if d, ok := m.extract.Selected(); ok {
			return final.Source{DocSet: d.DocSet, FilePath: d.FilePath, Title: d.Title, Line: 1}, true
		}
	case contract.PhaseCite:
		return m.final.Source()
	}
	return final.Source{}, false
}

// openSource opens the page of what is under the cursor at its line.
func (m *Model) openSource() tea.Cmd {
	s, ok := m.sourceUnderCursor()
	if !ok {
		return nil
	}
	t := page.Target{DocSet: s.DocSet, FilePath: s.FilePath, Title: s.Title, Heading: contract.Heading{Lines: [2]int{s.Line, s.Line}}}
	return m.openPage(t)
}

// sectionText is the section that is read, or that of the hit under the cursor.
func (m *Model) sectionText() (string, bool) {
	if m.over == readerOverlay {
		return m.reader.Section()
	}
	return m.preview.Section()
}

func (m *Model) copySection() tea.Cmd {
	text, ok := m.sectionText()
	if !ok {
		m.say("the page is still being read")
		return nil
	}
	return m.copyText("section", text)
}

// codeBlocks are the code blocks of the section under the cursor.
func (m *Model) codeBlocks() []string {
	text, ok := m.sectionText()
	if !ok {
		return nil
	}
	return fences(text)
}

// pickCode copies the section's code block; of several one is chosen by its
// number or by typing.
func (m *Model) pickCode() tea.Cmd {
	blocks := m.codeBlocks()
	switch len(blocks) {
	case 0:
		m.say("this section has no code block")
		return nil
	case 1:
		return m.copyText("code block", blocks[0])
	}
	var items []picker.Item
	for i, b := range blocks {
		lines := strings.Split(strings.TrimRight(b, "\n"), "\n")
		items = append(items, picker.Item{ID: strconv.Itoa(i), Text: fmt.Sprintf("%d %s", i+1, sanitize.Line(lines[0])), Detail: count(len(lines), "line")})
	}
	m.pickFrom(listBlocks, "Which code block?", "", items)
	return nil
}

func (m *Model) copyBlock(id string) tea.Cmd {
	i, err := strconv.Atoi(id)
	if blocks := m.codeBlocks(); err == nil && i < len(blocks) {
		return m.copyText("code block", blocks[i])
	}
	return nil
}

// copyCommand copies the command that gives this result, and says what it cannot.
func (m *Model) copyCommand() tea.Cmd {
	what := "command"
	if not := beyond(m.req); len(not) > 0 {
		what = "command (without " + join(not) + ")"
	}
	return m.copyText(what, command(m.req))
}

// fences are the contents of the fenced code blocks of a Markdown text.
func fences(text string) []string {
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
