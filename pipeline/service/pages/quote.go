package pages

import (
	"context"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/cite"
	"docent/store/doc"
)

// QuoteRequest names a section of a page that a person reads.
type QuoteRequest struct {
	DocSet, FilePath string
	Section          contract.Quote // its headings, anchor and lines
	Text             string         // as it was read; the page may have changed since
}

// Quoted is a section as a block that Verify accepts, and its citation.
type Quoted struct {
	Block    string
	Citation contract.Citation
}

// Quote makes a cited block of one section. A page whose file has changed is
// INVALID_REQUEST: the citation would not match the text that was read.
func (svc *Service) Quote(ctx context.Context, req QuoteRequest) (Quoted, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{req.DocSet})
	if err != nil {
		return Quoted{}, err
	}
	p, err := svc.home.Corpus.Source(ctx, sets[0], req.FilePath)
	if err != nil {
		return Quoted{}, err
	}
	text := strings.ToValidUTF8(string(p.Doc.Text), "\uFFFD") // as phase 2 has it
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	q := req.Section
	first, last := q.Lines[0], q.Lines[1]
	if first < 1 || last < first || last > len(lines) || !sameText(strings.Join(lines[first-1:last], ""), req.Text) {
		return Quoted{}, contract.Invalid("section", "%s changed since it was read; open it again", p.Doc.Title)
	}
	for last > first && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	q.Lines, q.Whole = [2]int{first, last}, true

	e := contract.Extracted{Title: p.Doc.Title, DocSet: p.Set.Ref.String(), Version: p.Set.Ref.Version, FilePath: p.Path, URL: p.Doc.URL,
		Lines: len(lines), SHA256: p.SHA256, Changed: p.Changed, Layout: string(p.Set.Layout), Quoted: []contract.Quote{q},
		Generator: doc.GeneratorOf(p.Set.Site)}
	if p.Doc.Format != doc.FormatMarkdown {
		e.Format = p.Doc.Format
		e.Runs = contract.SourceRuns(p.Doc.Map)
	}
	var b strings.Builder
	if first > 1 {
		b.WriteString(contract.OmissionLine(1, first-1) + "\n")
	}
	b.WriteString(strings.Join(lines[first-1:last], ""))
	if last < len(lines) {
		b.WriteString(contract.OmissionLine(last+1, len(lines)) + "\n")
	}
	block, citations, err := cite.Builtin{}.Cite(map[string]string{e.ContentKey(): b.String()}, []contract.Extracted{e})
	if err != nil {
		return Quoted{}, err
	}
	return Quoted{Block: block, Citation: citations[0]}, nil
}

// sameText compares two texts, blank lines at their ends and bytes that are no UTF-8
// aside.
func sameText(a, b string) bool {
	same := func(s string) string { return strings.TrimRight(strings.ToValidUTF8(s, "\uFFFD"), "\r\n") }
	return same(a) == same(b)
}
