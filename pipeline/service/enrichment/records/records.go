package records

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
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
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
	mu      sync.Mutex
	of      map[int64]enrichedFile
	brought map[int64]time.Time // when they were compared with those of other machines
}

type enrichedFile struct {
	file  *enrich.File
	bytes int64
	time  time.Time
}

// folder is the home's folder of these files, and Enriching the work of writing them.
const (
	folder                  = home.EnrichmentFolder
	Enriching store.SetWork = "enriching"
)

// mostEnriched is how many are held open.
const mostEnriched = 8

// How long enrichments that were compared with those of other machines are not compared again, and how
// long a look at these may take.
const (
	broughtFor    = 10 * time.Second
	broughtWithin = 2 * time.Second
)

// bring brings the enrichments that other machines made. Where they cannot be read now, a later look
// brings them, and summaries come from the text until then.
func (svc *Service) bring(set store.Set) {
	svc.enrichments.mu.Lock()
	due := time.Since(svc.enrichments.brought[set.ID]) >= broughtFor
	if due {
		if svc.enrichments.brought == nil {
			svc.enrichments.brought = map[int64]time.Time{}
		}
		svc.enrichments.brought[set.ID] = time.Now()
	}
	svc.enrichments.mu.Unlock()
	if !due {
		return
	}
	ctx, done := context.WithTimeout(context.Background(), broughtWithin)
	defer done()
	_ = svc.home.Shared.FillEnrichment(ctx, set.Ref, false)
}

// Open opens the enrichments of a doc set; an empty one where nothing was enriched yet.
func (svc *Service) Open(set store.Set) (*enrich.File, error) {
	svc.bring(set)
	path := svc.home.SetFile(folder, set.Ref)
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return enrich.OpenFile(nil), nil
	}
	if err != nil {
		return nil, err
	}
	svc.enrichments.mu.Lock()
	defer svc.enrichments.mu.Unlock()
	if f, ok := svc.enrichments.of[set.ID]; ok && f.bytes == st.Size() && f.time.Equal(st.ModTime()) {
		return f.file, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if svc.enrichments.of == nil || len(svc.enrichments.of) >= mostEnriched {
		svc.enrichments.of = map[int64]enrichedFile{}
	}
	f := enrichedFile{file: enrich.OpenFile(raw), bytes: st.Size(), time: st.ModTime()}
	svc.enrichments.of[set.ID] = f
	return f.file, nil
}

// Append adds records to the file of a doc set.
func (svc *Service) Append(set store.Set, records []enrich.Record) error {
	if len(records) == 0 {
		return nil
	}
	raw, err := enrich.Encode(records...)
	if err != nil {
		return err
	}
	path := svc.home.SetFile(folder, set.Ref)
	if err := os.MkdirAll(filepath.Dir(path), home.FolderMode); err != nil {
		return svc.home.Unwritable(err)
	}
	if endsWithoutNewline(path) {
		raw = append([]byte{'\n'}, raw...)
	}
	return svc.writing(durable.Append(path, raw))
}

// endsWithoutNewline reports whether the last line of a file has no end: its writer was killed.
func endsWithoutNewline(path string) bool {
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

func (svc *Service) writing(err error) error {
	if err == nil {
		return nil
	}
	return svc.home.Unwritable(err)
}

// Compact writes a file anew that is mostly out of date, and reports whether it did. keep are the
// sections that there are.
func (svc *Service) Compact(set store.Set, keep map[string]bool) (compacted bool, err error) {
	f, err := svc.Open(set)
	if err != nil {
		return false, err
	}
	if raw, ok := f.Compact(keep); ok {
		return true, svc.writing(durable.WriteFile(svc.home.SetFile(folder, set.Ref), raw))
	}
	return false, nil
}

// State is how far a doc set is enriched, by its file alone; nil: not begun.
// Records of texts that have changed count too: the next enriching finds them.
func (svc *Service) State(set store.Set) *library.EnrichState {
	f, err := svc.Open(set)
	if err != nil || f.Len() == 0 {
		return nil
	}
	out := library.EnrichState{Sections: set.Documents + set.Sections}
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
func (svc *Service) Examine(s store.Set) *finding.Finding {
	f, err := svc.Open(s)
	if err == nil && f.Len() == 0 && f.Damaged() == 0 {
		return nil
	}
	name := s.Ref.String()
	out := finding.NoFault(enrichmentFinding, name, "")
	mend := contract.RunDocent("enrich", name)
	if err != nil {
		out = out.Failed(err, home.HomeAdvice(err), home.OtherHome(err))
		return &out
	}
	out.Text = plural.Count(f.Len(), "section", "sections") + ", every line has its checksum"
	if n := f.Damaged(); n > 0 {
		out = out.Failed(fmt.Errorf("%s cannot be read; what they say of sections comes from the text meanwhile",
			plural.Count(n, "line", "lines")), "", mend)
	}
	return &out
}

// enrichmentFinding is the kind of findings about the file of a doc set.
const enrichmentFinding finding.Kind = "enrichment"

// mostSummed is how much of a section of a page that was not parsed is parsed for its
// summary, in bytes.
const mostSummed = 32 << 10

// Summaries gives the summaries of a page's sections. What it gives reads no file, takes
// microseconds, of a page that was not parsed up to a millisecond, and is safe for
// concurrent use.
func (svc *Service) Summaries(ctx context.Context, p *corpus.Page) func(section int) string {
	page := enrich.ReadPage(p.Set.Ref.String(), p.Doc)
	unread := map[int]bool{} // sections with a block without its text
	for _, b := range p.Doc.Blocks {
		if b.Text == "" && b.Kind == doc.Paragraph {
			unread[b.Section] = true
		}
	}
	ctx = context.WithoutCancel(ctx) // the result outlives the call
	f, err := svc.Open(p.Set)
	if err != nil {
		f = enrich.OpenFile(nil) // doctor tells of the file
	}
	return func(section int) string {
		if f.Len() > 0 {
			s := page.SpanOf(section)
			if r, ok := f.Get(s.ID); ok && r.Prompt != "" && r.Hash == s.Hash {
				return r.Enrichment.Summary
			}
		}
		if unread[section] && section >= 0 && section < len(p.Doc.Sections) {
			return svc.summaryOf(ctx, p, section)
		}
		return page.Summary(section)
	}
}

// summaryOf reads one section of a page that was not parsed.
func (svc *Service) summaryOf(ctx context.Context, p *corpus.Page, section int) string {
	span := p.Doc.Sections[section].Span
	if span.Start < 0 || span.End > len(p.Doc.Text) || span.Start >= span.End {
		return ""
	}
	d, err := svc.home.Corpus.Parsers.Structure(ctx, p.Doc.Text[span.Start:min(span.End, span.Start+mostSummed)], p.Doc.Format)
	if err != nil || len(d.Sections) == 0 {
		return "" // the page is shown without it
	}
	return enrich.ReadPage(p.Set.Ref.String(), d).Summary(len(d.Sections) - 1)
}

// PageState names the state of a page that something was made of.
func PageState(f store.FileState) string { return fmt.Sprintf("%d/%.16s/%d", f.ID, f.SHA256, f.Parser) }

// Edition is graph.Relations': the opened file.
func (svc *Service) Edition(set store.Set) any {
	f, err := svc.Open(set)
	if err != nil || f.Len() == 0 {
		return nil
	}
	return f
}

// AddTo is graph.Relations': it adds to an opened graph what models found, where that is of
// the pages as they were indexed.
func (svc *Service) AddTo(ctx context.Context, set store.Set, g *references.Graph) error {
	f, err := svc.Open(set)
	if err != nil {
		return nil // doctor tells of the file; the graph is whole without it
	}
	records := f.WithEdges()
	if len(records) == 0 {
		return nil
	}
	known, err := svc.home.Corpus.Catalog.Files(ctx, set.ID)
	if err != nil {
		return err
	}
	states := make(map[string]string, len(known))
	for _, k := range known {
		states[k.Path] = PageState(k)
	}
	var all []references.Assisted
	for _, r := range records {
		if r.EdgesOf != states[r.FilePath] {
			continue
		}
		for _, x := range r.Edges {
			all = append(all, references.Assisted{Path: r.FilePath, Section: r.SectionPath, Type: references.Type(x.Type), Score: x.Score,
				ToPath: x.Path, ToSection: x.Section, Match: x.Match, TraceID: x.Trace, Model: x.Model})
		}
	}
	return g.Assist(all)
}
