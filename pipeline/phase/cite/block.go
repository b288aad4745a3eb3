package cite

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline/contract"
)

// Block is a parsed AOP-FINAL block. A page may contain citation lines of its own, so
// only a comparison with the pages tells which lines are content. A Block lists all
// possible citation lines, and Verify decides.
type Block struct {
	Lines     int    // of the header; -1 if the header has no valid number
	Source    string // the header's source=, unescaped
	StartLine int    // line of the header in the text, from 1
	EndLine   int    // line of the END line, or the text's last line
	Ended     bool   // the END line is there

	header    string
	body      []string // between the pass-through line and END, their blank lines excluded
	bodyLine  int      // line of body[0] in the text
	lines     []int    // of the body in the text; nil: one after the other from bodyLine
	citations []citation
	findings  []Finding // about the form
}

// citation is a place in the body that has the form of a part's citation lines.
type citation struct {
	content int // the part's content ends before this line of the body
	at      int // first citation line
	next    int // the next part's content begins here
	url     string
	path    string   // unescaped
	set     string   // unescaped
	lines   int      // number of citation lines in exactly the form that Cite writes
	section []string // the Section lines
	strict  bool     // in exactly the form that Cite writes
	faults  []Finding
}

// ParseBlock finds the block in a text, which may have other text around it. The block
// begins at the first header line and ends at the last END line, since a page may
// quote either. A text without a header line is an invalid request; all other faults
// of form are kept for Verify's report.
func ParseBlock(text string) (Block, error) {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	start := findHeader(lines)
	if start < 0 {
		return Block{}, invalidBlock("there is no AOP-FINAL block in the text; its first line begins with %q",
			strings.TrimSpace(headerStart))
	}
	b := Block{StartLine: start + 1, EndLine: len(lines), header: strings.TrimRight(lines[start], " \t")}
	b.readHeader()
	end := len(lines)
	for i := end - 1; i > start; i-- {
		if strings.TrimRight(lines[i], " \t") == endLine {
			end, b.Ended, b.EndLine = i, true, i+1
			break
		}
	}
	first := start + 1
	switch {
	case first < end && lines[first] == passThrough:
		first++
	case first < end && strings.HasPrefix(lines[first], "**Pass through"):
		b.faultAt(FindingPassThrough, first+1, "the pass-through line was changed")
		first++
	default:
		b.faultAt(FindingPassThrough, first+1, "the pass-through line is missing")
	}
	if first < end && lines[first] == "" {
		first++
	} else {
		b.faultAt(FindingForm, first+1, "the blank line before the content is missing")
	}
	if b.Ended {
		if end > first && lines[end-1] == "" {
			end--
		} else {
			b.faultAt(FindingForm, end, "the blank line before the END line is missing")
		}
	}
	b.body, b.bodyLine = lines[first:end], first+1
	b.findCitations()
	if !b.Ended {
		b.faultAt(FindingEnd, b.EndLine, "the END line is missing; the block may be cut off")
		if n := len(b.citations); n > 0 { // other text may follow the last citation
			last := &b.citations[n-1]
			stop := min(last.next, len(b.body))
			b.body = b.body[:stop]
			last.next = stop
		}
	}
	return b, nil
}

// SplitBlocks cuts a text into its consecutive blocks: each piece has one header line that
// follows an END line, or is the first. Pieces after the first begin with as many empty
// lines as there are lines before them, so that their line numbers are those of the text.
// A page may quote an END line and a header too, so callers try the text as one block
// first.
func SplitBlocks(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	begins, ended := []int{0}, false
	for i, l := range lines {
		l = strings.TrimRight(l, " \t\r\n")
		switch {
		case l == endLine:
			ended = true
		case ended && strings.HasPrefix(l, headerStart) && strings.HasSuffix(l, headerEnd):
			begins, ended = append(begins, i), false
		}
	}
	pieces := make([]string, len(begins))
	for k, first := range begins {
		end := len(lines)
		if k+1 < len(begins) {
			end = begins[k+1]
		}
		pieces[k] = strings.Repeat("\n", first) + strings.Join(lines[first:end], "")
	}
	return pieces
}

// TextBehind is the text after the block, with as many empty lines before it as the text has lines up to
// there, so that its line numbers are those of the text.
func (b Block) TextBehind(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Repeat("\n", b.EndLine) + strings.Join(lines[min(b.EndLine, len(lines)):], "")
}

func (b *Block) faultAt(kind string, line int, format string, args ...any) {
	b.findings = append(b.findings, Finding{Kind: kind, Line: line, Message: fmt.Sprintf(format, args...)})
}

// findHeader is the index of the first complete header line, else of the first line
// that begins like one, else -1.
func findHeader(lines []string) int {
	like := -1
	for i, l := range lines {
		if !strings.HasPrefix(l, strings.TrimSpace(headerStart)) {
			continue
		}
		if strings.HasPrefix(l, headerStart) && strings.HasSuffix(strings.TrimRight(l, " \t"), headerEnd) {
			return i
		}
		if like < 0 {
			like = i
		}
	}
	return like
}

func (b *Block) readHeader() {
	b.Lines = -1
	inner := strings.TrimSuffix(strings.TrimPrefix(b.header, headerStart), headerEnd)
	for field := range strings.SplitSeq(inner, " | ") {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "lines":
			if n, err := strconv.Atoi(value); err == nil && n >= 0 {
				b.Lines = n
			}
		case "source":
			b.Source = unescapeName(value)
		}
	}
}

// findCitations collects all places with the form of citation lines: a Path line next
// to a Source or a Document Set line.
func (b *Block) findCitations() {
	body := b.body
	has := func(i int, label string) bool { return i >= 0 && i < len(body) && strings.HasPrefix(body[i], label) }
	for i := range body {
		if !has(i, pathLabel) || !has(i-1, sourceLabel) && !has(i+1, docSetLabel) {
			continue
		}
		c := citation{at: i, path: unescapeName(labelValue(body[i], pathLabel))}
		end := i + 1
		if has(i-1, sourceLabel) {
			c.at = i - 1
			c.url = labelValue(body[i-1], sourceLabel)
		} else {
			c.faultAt(FindingCitation, b.placeOfLine(i), "the Source line is missing")
		}
		if has(i+1, docSetLabel) {
			c.set = unescapeName(labelValue(body[i+1], docSetLabel))
			end++
			for has(end, contract.SectionLabel) {
				c.section = append(c.section, body[end])
				end++
			}
		} else {
			c.faultAt(FindingCitation, b.placeOfLine(i), "the Document Set line is missing")
		}
		c.lines = 3 + len(c.section)
		c.content = c.at
		for _, want := range []string{"", ruleLine, ""} {
			if c.content > 0 && body[c.content-1] == want {
				c.content--
			} else {
				c.faultAt(FindingForm, b.placeOfLine(c.at), "the blank line, the rule and the blank line before the citation are not whole")
				break
			}
		}
		c.next = end
		if end < len(body) {
			if body[end] == "" {
				c.next++
			} else {
				c.faultAt(FindingForm, b.placeOfLine(end), "the blank line after the citation is missing")
			}
		}
		c.strict = len(c.faults) == 0
		b.citations = append(b.citations, c)
	}
}

func (c *citation) faultAt(kind string, line int, message string) {
	c.faults = append(c.faults, Finding{Kind: kind, Line: line, Message: message})
}

func labelValue(line, label string) string { return strings.TrimSpace(strings.TrimPrefix(line, label)) }

// placeOfLine is the place of a body line in the text.
func (b *Block) placeOfLine(i int) int {
	if i < len(b.lines) {
		return b.lines[i]
	}
	return b.bodyLine + i
}
