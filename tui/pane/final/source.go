package final

import (
	"strconv"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
)

// Source is a line of a page.
type Source struct {
	DocSet, FilePath, Title string
	Line                    int
}

// The block has headLines lines before the first document, and tailLines behind
// each document: an empty line, a rule, an empty line, three lines of citation, an
// empty line. See pipeline/cite.
const (
	headLines = 3
	tailLines = 7
)

// sources are the places of a block's lines in their pages, the zero Source for a
// line of the block itself. A citation's lines have the place of the document's
// first quoted line.
func sources(res pipeline.Result, lines int) []Source {
	out := make([]Source, lines)
	if res.Phases.Extract == nil {
		return out
	}
	contents := res.Phases.Extract.Contents
	if res.Phases.Process != nil {
		contents = res.Phases.Process.Contents
	}
	at := headLines
	put := func(s Source) {
		if at < len(out) {
			out[at] = s
		}
		at++
	}
	for _, d := range res.Phases.Extract.Documents {
		content := strings.TrimSuffix(contents[d.ContentKey()], "\n")
		next, first := 1, 0
		var summary [2]int
		if content != "" || contents[d.ContentKey()] != "" {
			for l := range strings.SplitSeq(content, "\n") {
				s := Source{d.DocSet, d.FilePath, d.Title, next}
				from, to, ok := contract.ParseOmission(l)
				if a, b, begins := contract.ParseSummary(l); begins && a == next {
					from, to, ok, summary = a, b, true, [2]int{a, b}
				}
				switch {
				case ok && from == next:
					s.Line, next = from, to+1
				case summary[0] > 0: // a model's words stand for the lines they are of
					s.Line = summary[0]
					if a, b, ends := contract.ParseSummaryEnd(l); ends && summary == [2]int{a, b} {
						summary = [2]int{}
					}
				default:
					if first == 0 {
						first = next
					}
					next++
				}
				put(s)
			}
		}
		for range tailLines {
			put(Source{d.DocSet, d.FilePath, d.Title, max(1, first)})
		}
	}
	if n := len(out); n > 0 {
		out[n-1] = Source{}
	}
	return out
}

// Source is the place of the line under the cursor in its page; false for a line of
// the block itself.
func (p *Pane) Source() (Source, bool) {
	id, ok := p.Picked()
	if !ok {
		return Source{}, false
	}
	if rest, ok := strings.CutPrefix(id, "citation "); ok {
		if i, err := strconv.Atoi(rest); err == nil && i < len(p.citations) {
			c := p.citations[i]
			return Source{c.DocSet, c.FilePath, c.PageTitle, max(1, c.Lines[0])}, true
		}
		return Source{}, false
	}
	i, err := strconv.Atoi(id)
	if err != nil || i >= len(p.sources) || p.sources[i].Line == 0 {
		return Source{}, false
	}
	return p.sources[i], true
}
