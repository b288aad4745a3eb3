package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/enrich"
	"docent/pipeline/knowledge/references"
	"docent/store"
	"docent/store/doc"
	"docent/store/durable"
)

// The enrichments of a doc set are a file of their own in the home, named by the doc set.
// They are not in the folder of indexes, which goes when the catalog is made again: what a
// model took hours for stays. Each record has the hash of its text, so that one of another
// text never counts.

// enrichedFiles are the opened files of enrichments of a home.
type enrichedFiles struct {
	mu sync.Mutex
	of map[int64]enrichedFile
}

type enrichedFile struct {
	file  *enrich.File
	bytes int64
	time  time.Time
}

// mostEnriched is how many are held open.
const mostEnriched = 8

// enriched opens the enrichments of a doc set; an empty one where nothing was enriched yet.
func (h *Home) enriched(set store.Set) (*enrich.File, error) {
	path := h.EnrichmentPath(set.Ref)
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return enrich.Open(nil), nil
	}
	if err != nil {
		return nil, err
	}
	h.enrichments.mu.Lock()
	defer h.enrichments.mu.Unlock()
	if f, ok := h.enrichments.of[set.ID]; ok && f.bytes == st.Size() && f.time.Equal(st.ModTime()) {
		return f.file, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if h.enrichments.of == nil || len(h.enrichments.of) >= mostEnriched {
		h.enrichments.of = map[int64]enrichedFile{}
	}
	f := enrichedFile{file: enrich.Open(raw), bytes: st.Size(), time: st.ModTime()}
	h.enrichments.of[set.ID] = f
	return f.file, nil
}

// keepEnrichments adds records to the file of a doc set.
func (h *Home) keepEnrichments(set store.Set, records []enrich.Record) error {
	if len(records) == 0 {
		return nil
	}
	raw, err := enrich.Encode(records...)
	if err != nil {
		return err
	}
	path := h.EnrichmentPath(set.Ref)
	if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return h.unwritable(err)
	}
	if torn(path) {
		raw = append([]byte{'\n'}, raw...)
	}
	return h.writing(durable.Append(path, raw))
}

// torn reports whether the last line of a file has no end: its writer was killed.
func torn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, st.Size()-1)
	return err == nil && last[0] != '\n'
}

func (h *Home) writing(err error) error {
	if err == nil {
		return nil
	}
	return h.unwritable(err)
}

// compactEnrichments writes a file anew that is mostly out of date. keep are the sections
// that there are.
func (h *Home) compactEnrichments(set store.Set, keep map[string]bool) error {
	f, err := h.enriched(set)
	if err != nil {
		return err
	}
	if raw, ok := f.Compact(keep); ok {
		return h.writing(durable.WriteFile(h.EnrichmentPath(set.Ref), raw))
	}
	return nil
}

// enrichState is how far a doc set is enriched, by its file alone; nil: not begun.
// Records of texts that have changed count too: the next enriching finds them.
func (h *Home) enrichState(set store.Set) *EnrichState {
	f, err := h.enriched(set)
	if err != nil || f.Len() == 0 {
		return nil
	}
	out := EnrichState{Sections: set.Documents + set.Sections}
	t := f.Totals()
	for _, x := range []struct {
		to *int
		n  int
	}{{&out.Enriched, f.Len()}, {&out.ByModel, t.ByModel}, {&out.Cut, t.Truncated}, {&out.Refusals, t.Refused}} {
		*x.to = min(x.n, out.Sections)
	}
	return &out
}

// examineEnrichment looks for lines of the file that cannot be read; nil: there is no file.
func (h *Home) examineEnrichment(s store.Set) *Finding {
	f, err := h.enriched(s)
	if err == nil && f.Len() == 0 && f.Damaged() == 0 {
		return nil
	}
	name := s.Ref.String()
	out := Finding{Check: "enrichment " + name, OK: true}
	mend := contract.Run("enrich", name)
	if err != nil {
		out = out.failed(err, HomeAdvice(err), nil)
		return &out
	}
	out.Text = plural(f.Len(), "section", "sections") + ", every line has its checksum"
	if n := f.Damaged(); n > 0 {
		out = out.failed(fmt.Errorf("%s cannot be read; what they say of sections comes from the text meanwhile", plural(n, "line", "lines")), "", mend)
	}
	return &out
}

// mostSummed is how much of a section of a page that was not parsed is parsed for its
// summary, in bytes.
const mostSummed = 32 << 10

// Summaries gives the summaries of a page's sections. What it gives reads no file, takes
// microseconds, of a page that was not parsed up to a millisecond, and is safe for
// concurrent use.
func (h *Home) Summaries(ctx context.Context, p *corpus.Page) func(section int) string {
	page := enrich.Of(p.Set.Ref.String(), p.Doc)
	unread := map[int]bool{} // sections with a block without its text
	for _, b := range p.Doc.Blocks {
		if b.Text == "" && b.Kind == doc.Paragraph {
			unread[b.Section] = true
		}
	}
	ctx = context.WithoutCancel(ctx) // the result outlives the call
	f, err := h.enriched(p.Set)
	if err != nil {
		f = enrich.Open(nil) // doctor tells of the file
	}
	return func(section int) string {
		if f.Len() > 0 {
			s := page.Span(section)
			if r, ok := f.Get(s.ID); ok && r.Prompt != "" && r.Hash == s.Hash {
				return r.Enrichment.Summary
			}
		}
		if unread[section] && section >= 0 && section < len(p.Doc.Sections) {
			return h.summaryOf(ctx, p, section)
		}
		return page.Summary(section)
	}
}

// summaryOf reads one section of a page that was not parsed.
func (h *Home) summaryOf(ctx context.Context, p *corpus.Page, section int) string {
	span := p.Doc.Sections[section].Span
	if span.Start < 0 || span.End > len(p.Doc.Text) || span.Start >= span.End {
		return ""
	}
	d, err := h.Corpus.Parsers.Structure(ctx, p.Doc.Text[span.Start:min(span.End, span.Start+mostSummed)], p.Doc.Format)
	if err != nil || len(d.Sections) == 0 {
		return "" // the page is shown without it
	}
	return enrich.Of(p.Set.Ref.String(), d).Summary(len(d.Sections) - 1)
}

// pageState names the state of a page that something was made of.
func pageState(f store.FileState) string { return fmt.Sprintf("%d/%.16s/%d", f.ID, f.SHA256, f.Parser) }

// assist adds to an opened graph what models found, where it is of the pages as they were
// indexed.
func (h *Home) assist(ctx context.Context, set store.Set, g *references.Graph) error {
	f, err := h.enriched(set)
	if err != nil {
		return nil // doctor tells of the file; the graph is whole without it
	}
	records := f.WithEdges()
	if len(records) == 0 {
		return nil
	}
	known, err := h.Corpus.Catalog.Files(ctx, set.ID)
	if err != nil {
		return err
	}
	states := make(map[string]string, len(known))
	for _, k := range known {
		states[k.Path] = pageState(k)
	}
	var all []references.Assisted
	for _, r := range records {
		if r.EdgesOf != states[r.FilePath] {
			continue
		}
		for _, x := range r.Edges {
			all = append(all, references.Assisted{Path: r.FilePath, Section: r.SectionPath, Type: references.Type(x.Type), Score: x.Score, ToPath: x.Path, ToSection: x.Section, Match: x.Match, TraceID: x.Trace, Model: x.Model})
		}
	}
	return g.Assist(all)
}

// EnrichState is how far a doc set is enriched.
type EnrichState struct {
	Sections int `json:"sections"` // pages included
	Enriched int `json:"enriched"`
	ByModel  int `json:"by_model"`
	// Cut counts those of which a field was cut, Refusals those about which an answer
	// of a model did not count.
	Cut      int `json:"truncated"`
	Refusals int `json:"with_refused_answers"`
}

func (s *EnrichState) add(o EnrichState) {
	s.Sections, s.Enriched, s.ByModel = s.Sections+o.Sections, s.Enriched+o.Enriched, s.ByModel+o.ByModel
	s.Cut, s.Refusals = s.Cut+o.Cut, s.Refusals+o.Refusals
}
