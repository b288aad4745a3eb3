package phase

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
	Section                 string // contract.PathName of the quoted section; "" in a block of whole documents
}

// The block has headLines lines before the first document, and tailLines behind
// each document: an empty line, a rule, an empty line, three lines of citation, an
// empty line. Before the last one there is a line for each quoted section. See
// pipeline/phase/cite.
const (
	headLines = 3
	tailLines = 7
)

// sourcesOfLines are the places of a block's lines in their pages, the zero Source for a
// line of the block itself. A citation's lines have the place of the document's
// first quoted line.
func sourcesOfLines(res pipeline.Result, lines int) []Source {
	out := make([]Source, lines)
	if res.Phases.Extract == nil {
		return out
	}
	contents, docs := res.Phases.Extract.Contents, res.Phases.Extract.Documents
	if res.Phases.Process != nil {
		contents, docs = res.Phases.Process.Contents, res.Phases.Process.Documents
	}
	at := headLines
	put := func(s Source) {
		if at < len(out) {
			out[at] = s
		}
		at++
	}
	for _, d := range docs {
		content := strings.TrimSuffix(contents[d.ContentKey()], "\n")
		next, first := 1, 0
		var summary [2]int
		if content != "" || contents[d.ContentKey()] != "" {
			for l := range strings.SplitSeq(content, "\n") {
				s := PlaceOfLine(d, next)
				from, to, ok := contract.ParseOmission(l)
				if a, b, begins := contract.ParseSummary(l); begins && a == next {
					from, to, ok, summary = a, b, true, [2]int{a, b}
				}
				switch {
				case ok && from == next:
					s, next = PlaceOfLine(d, from), to+1
				case summary[0] > 0: // a model's words stand for the lines they are of
					s = PlaceOfLine(d, summary[0])
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
		for range tailLines - 1 {
			put(PlaceOfLine(d, max(1, first)))
		}
		for _, q := range d.Quoted {
			put(PlaceOfLine(d, q.Lines[0]))
		}
		put(PlaceOfLine(d, max(1, first)))
	}
	if n := len(out); n > 0 {
		out[n-1] = Source{}
	}
	return out
}

// PlaceOfLine is a line of a document, with the quoted section in which it stands. A line
// between two of them, which is left out, has none.
func PlaceOfLine(d contract.Extracted, line int) Source {
	s := Source{DocSet: d.DocSet, FilePath: d.FilePath, Title: d.Title, Line: line}
	for _, q := range d.Quoted {
		if q.Lines[0] <= line && line <= q.Lines[1] {
			s.Section = contract.PathName(q.Path)
		}
	}
	return s
}

// Source is the place of the line under the cursor in its page; false for a line of
// the block itself.
func (p *Final) Source() (Source, bool) {
	id, ok := p.Picked()
	if !ok {
		return Source{}, false
	}
	if rest, ok := strings.CutPrefix(id, "citation "); ok {
		if i, err := strconv.Atoi(rest); err == nil && i < len(p.citations) {
			c := p.citations[i]
			s := Source{DocSet: c.DocSet, FilePath: c.FilePath, Title: c.PageTitle, Line: max(1, c.Lines[0])}
			if p.sections {
				s.Section = contract.PathName(c.HeadingPath)
			}
			return s, true
		}
		return Source{}, false
	}
	i, err := strconv.Atoi(id)
	if err != nil || i >= len(p.sources) || p.sources[i].Line == 0 {
		return Source{}, false
	}
	return p.sources[i], true
}
