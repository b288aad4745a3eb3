package enrichment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/enrich"
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/text/plural"
	"docent/store"
	"docent/store/doc"
)

// phaseEnrich is the phase of the events of enriching.
const phaseEnrich = "enrich"

// Enrichers finds the models that enrich sections.
type Enrichers interface {
	// Enrichers is the chain of a domain; empty where none is configured, or no model is
	// wanted.
	Enrichers(domain string) []model.Link
	// Assist is the model that finds relations of the reference graph, and its name; nil:
	// none is wanted.
	Assist() (model.Source, string)
}

// EnrichRequest selects the sections to enrich.
type EnrichRequest struct {
	Sets []string // none: all
	// Most is how many sections models are asked about; 0: any number. Time limits the
	// whole call. The next call does the rest.
	Most int
	Time time.Duration
	// Again enriches sections again whose records are those of the text as it is.
	Again bool
}

// EnrichReport says how the enrichment of a doc set stands after a call.
type EnrichReport struct {
	Set string `json:"set"`
	library.EnrichState
	Made   int      `json:"made"` // now
	Models []string `json:"models,omitempty"`
	enrich.Counts
	// Stopped is why sections are left; "": none is.
	Stopped string `json:"stopped,omitempty"`
	// Refused are some of the answers that did not count, by section.
	Refused []RefusedSection `json:"refused,omitempty"`
	// Edges is how many relations models found.
	Edges int `json:"edges,omitempty"`
}

// RefusedSection is an answer that did not count.
type RefusedSection struct {
	FilePath    string `json:"file_path"`
	SectionPath string `json:"section_path"`
	enrich.Refusal
}

// mostRefused is how many of them are reported.
const mostRefused = 50

// chainOf is that of a page's domain.
func (svc *Service) chainOf(domain string) enrich.Chain {
	if svc.enrichers == nil {
		return nil
	}
	if domain == "" {
		domain = contract.DefaultDomain
	}
	return svc.enrichers.Enrichers(domain)
}

// Enrich enriches the sections of doc sets that lack it: by the chain of models of their
// domain, or without a chain by the built-in engine. Finished records stay when it ends
// early.
func (svc *Service) Enrich(ctx context.Context, req EnrichRequest, w home.Watch) ([]EnrichReport, error) {
	sets, err := svc.home.ResolveOrAll(ctx, req.Sets)
	if err != nil {
		return nil, err
	}
	reports := []EnrichReport{}
	asked, began := 0, time.Now()
	for _, s := range sets {
		e := &enriching{svc: svc, set: s, watch: w, req: req, asked: &asked, began: began, wait: home.Forever}
		err := e.runEnriching(ctx)
		reports = append(reports, e.report)
		if err != nil {
			return reports, err
		}
	}
	return reports, nil
}

// keepEnriched goes on with the enrichment by models of all doc sets, for a program that
// runs on. Where no chain of models is configured it does nothing: the built-in engine
// answers when it is asked. Doc sets that another process is enriching are left to it. It
// returns after a turn, 0: when all is done; it may then be called again.
func (svc *Service) keepEnriched(ctx context.Context, turn time.Duration, w home.Watch) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	asked, began := 0, time.Now()
	for _, s := range sets {
		if s.Ref == home.ManualRef() || !svc.assists() && !svc.enrichesByModel(ctx, s) {
			continue
		}
		e := &enriching{svc: svc, set: s, watch: w, req: EnrichRequest{Time: turn}, asked: &asked, began: began}
		if err := e.runEnriching(ctx); err != nil {
			return err
		}
	}
	return nil
}

// enrichesByModel reports whether a chain of models is there for one of a doc set's pages.
func (svc *Service) enrichesByModel(ctx context.Context, s store.Set) bool {
	known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, f := range known {
		if !seen[f.Domain] && len(svc.chainOf(f.Domain)) > 0 {
			return true
		}
		seen[f.Domain] = true
	}
	return false
}

// enriching is the work on one doc set.
type enriching struct {
	svc   *Service
	set   store.Set
	watch home.Watch
	req   EnrichRequest
	asked *int // of all doc sets of the call
	began time.Time
	wait  time.Duration // for another process that is at work on it

	report EnrichReport
	file   *enrich.File
	ready  []enrich.Record // not written yet
	keep   map[string]bool
	seq    int
	down   bool // no model can be reached
	part   bool // pages were left out: keep has not all sections that there are
	wrote  bool // records that other machines do not have yet
	shared time.Time
	assist assisting
}

// recordsAtOnce is how many records are written together.
const recordsAtOnce = 500

func (e *enriching) runEnriching(ctx context.Context) (err error) {
	h := e.svc
	e.report = EnrichReport{Set: e.set.Ref.String(), Counts: enrich.Counts{Rejected: map[enrich.Reason]int{}}}
	held, err := h.home.Indexes.LockSet(ctx, e.set.ID, records.Enriching, "enrich "+e.set.Ref.String(), e.wait, func(holder string) {
		e.watch.Notef("waiting for %s to finish enriching %s", holder, e.set.Ref)
	})
	if home.LockedByAnother(err) {
		e.report.Stopped = "another process is at work on it"
		return nil
	}
	if err != nil {
		return h.home.Unwritable(err)
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if err := h.home.Shared.FillEnrichment(ctx, e.set.Ref, true); err != nil {
		return err
	}
	e.shared = time.Now()
	defer func() { err = errors.Join(err, e.share(context.WithoutCancel(ctx))) }()
	if e.file, err = h.records.Open(e.set); err != nil {
		return err
	}
	if damaged := e.file.Damaged(); damaged > 0 {
		e.watch.Notef("%s: %s of its enrichments cannot be read; they are made again", e.set.Ref, plural.Count(damaged, "line", "lines"))
	}
	known, err := h.home.Corpus.Catalog.Files(ctx, e.set.ID)
	if err != nil {
		return err
	}
	slices.SortFunc(known, func(a, b store.FileState) int { return strings.Compare(a.Path, b.Path) })
	e.keep = map[string]bool{}
	if err := e.beginAssist(ctx); err != nil {
		return err
	}
	for i, f := range known {
		if err = e.enrichPage(ctx, f); err != nil {
			break
		}
		if e.wait == 0 && (e.down || e.isSpent()) { // the figures of the rest are not needed
			e.part = true
			break
		}
		if e.seq++; e.watch.Events != nil {
			e.watch.Events(contract.Event{Run: "enrich", Seq: e.seq, Phase: phaseEnrich, Kind: contract.PhaseProgress, Done: i + 1,
				Total: len(known), Text: e.set.Ref.String()})
		}
	}
	if e.watch.Events != nil {
		e.watch.Events(contract.Event{Run: "enrich", Seq: e.seq + 1, Phase: phaseEnrich, Kind: contract.PhaseDone, Done: len(known),
			Total: len(known), Text: e.set.Ref.String()})
	}
	if err = errors.Join(err, e.writeRecords(ctx)); err != nil {
		return err
	}
	if e.part {
		e.keep = nil
	}
	compacted, err := h.records.Compact(e.set, e.keep)
	e.wrote = e.wrote || compacted
	if err != nil {
		return err
	}
	if st := h.records.State(e.set); st != nil {
		e.report.Cut, e.report.Refusals = st.Cut, st.Refusals
	}
	return nil
}

func (e *enriching) writeRecords(ctx context.Context) error {
	err := e.svc.records.Append(e.set, e.ready)
	e.wrote = e.wrote || len(e.ready) > 0
	e.ready = e.ready[:0]
	if err != nil || time.Since(e.shared) < shareEvery {
		return err
	}
	return e.share(ctx)
}

// shareEvery is how often the other machines get new records while enriching goes on. A machine that is
// lost takes the records of this time along, which a model has to make again.
const shareEvery = time.Minute

// share gives all machines the records, if some were written since the last time.
func (e *enriching) share(ctx context.Context) error {
	if !e.wrote {
		return nil
	}
	e.wrote, e.shared = false, time.Now()
	return e.svc.home.Shared.ShareEnrichment(ctx, e.set.Ref)
}

// enrichPage enriches the sections of a page, and then the page as a whole, whose record says
// that all of it is done.
func (e *enriching) enrichPage(ctx context.Context, f store.FileState) error {
	chain := e.svc.chainOf(f.Domain)
	state := records.PageState(f)
	done := state + e.assist.id
	name := e.set.Ref.String() + "/" + f.Path
	if err, ok := e.unchanged(ctx, name, f, done, chain); ok {
		return err
	}
	p, err := e.svc.home.Corpus.Page(ctx, e.set, f.Path)
	if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
		e.part = true
		return nil
	}
	if err != nil {
		return err
	}
	if p.Changed {
		e.part = true
		return nil // the next update reads it
	}
	page := enrich.ReadPage(e.set.Ref.String(), p.Doc)
	spans := page.AllSpans()
	spans = append(spans[1:], spans[0])
	left := false
	for _, s := range spans {
		e.keep[s.ID] = true
		e.report.Sections++
		old, ok := e.file.Get(s.ID)
		if ok && chain.Current(old, s.Hash) && !e.req.Again {
			e.countRecord(old)
			again, more, err := e.related(ctx, page, s, state, &old)
			if err != nil {
				return err
			}
			left = left || more
			if s.Section == enrich.Whole && !left {
				old.Page, again = done, true
			}
			if again {
				e.ready = append(e.ready, old)
			}
			continue
		}
		if e.stopped(chain) {
			left = true
			continue
		}
		counts := enrich.Counts{}
		r, err := page.MakeRecord(ctx, s, chain, &counts)
		if errors.Is(err, enrich.ErrStopped) {
			e.down, left = true, true
			e.report.Stopped = err.Error()
			e.watch.Notef("%s: %v; what there is stays, and the next run goes on", e.set.Ref, err)
			continue
		}
		if err != nil {
			return err
		}
		_, more, err := e.related(ctx, page, s, state, &r)
		if err != nil {
			return err
		}
		if left = left || more; s.Section == enrich.Whole && !left {
			r.Page = done
		}
		e.tookResult(r, counts)
		if e.ready = append(e.ready, r); counts.Asked > 0 || len(e.ready) >= recordsAtOnce {
			if err := e.writeRecords(ctx); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// unchanged counts the sections of a page that was gone through before and is the same.
func (e *enriching) unchanged(ctx context.Context, name string, f store.FileState, state string, chain enrich.Chain) (error, bool) {
	whole, ok := e.file.Get(doc.SectionID(name, ""))
	if !ok || whole.Page != state || e.req.Again || !chain.Current(whole, whole.Hash) {
		return nil, false
	}
	d, err := e.svc.home.Corpus.Catalog.ByPath(ctx, e.set.ID, f.Path)
	if err != nil {
		return err, !errors.Is(err, store.ErrNotFound)
	}
	for _, id := range enrich.SpanIDs(name, d.Outline.Sections) {
		e.keep[id] = true
		e.report.Sections++
		if engine, ok := e.file.EngineOf(id); ok {
			e.countBy(engine)
		}
	}
	return ctx.Err(), true
}

// stopped reports whether models are asked no more.
func (e *enriching) stopped(chain enrich.Chain) bool {
	if len(chain) == 0 {
		return false
	}
	return e.down || e.isSpent()
}

// isSpent reports whether the bounds of the request are reached.
func (e *enriching) isSpent() bool {
	switch {
	case e.req.Most > 0 && *e.asked >= e.req.Most:
		e.report.Stopped = fmt.Sprintf("models were asked about %s, as was wanted", plural.Count(*e.asked, "section", "sections"))
	case e.req.Time > 0 && time.Since(e.began) > e.req.Time:
		e.report.Stopped = fmt.Sprintf("the %v were over", e.req.Time)
	default:
		return false
	}
	return true
}

func (e *enriching) countRecord(r enrich.Record) {
	if r.Prompt == "" {
		r.Engine = ""
	}
	e.countBy(r.Engine)
}

// countBy counts a section that a model enriched, "" is none.
func (e *enriching) countBy(engine string) {
	e.report.Enriched++
	if engine == "" {
		return
	}
	if e.report.ByModel++; !slices.Contains(e.report.Models, engine) {
		e.report.Models = append(e.report.Models, engine)
	}
}

// tookResult stores the result of a section.
func (e *enriching) tookResult(r enrich.Record, counts enrich.Counts) {
	e.countRecord(r)
	e.report.Made++
	*e.asked += min(counts.Asked, 1)
	e.report.Counts.Add(counts)
	e.svc.enrichCounts.addCounts(counts)
	for _, x := range r.Refused {
		if len(e.report.Refused) < mostRefused {
			e.report.Refused = append(e.report.Refused, RefusedSection{r.FilePath, r.SectionPath, x})
		}
	}
}

// Enriched is the record of a section: a model's if its answer belongs to the current
// text, else the built-in engine's.
type Enriched struct {
	DocSet      string            `json:"doc_set"`
	FilePath    string            `json:"file_path"`
	Title       string            `json:"page_title"`
	SectionPath string            `json:"section_path"`
	Engine      string            `json:"engine"`
	Prompt      string            `json:"prompt,omitempty"`
	Refused     []enrich.Refusal  `json:"refused,omitempty"`
	Enrichment  enrich.Enrichment `json:"enrichment"`
}

// Enrichment returns the record of a page or of one of its sections.
func (svc *Service) Enrichment(ctx context.Context, req locate.ReadRequest) (Enriched, error) {
	p, err := svc.locate.Page(ctx, req)
	if err != nil {
		return Enriched{}, err
	}
	section := enrich.Whole
	if req.Section != "" {
		s, err := locate.FindSection(p, req.Section)
		if err != nil {
			return Enriched{}, err
		}
		section = s.Index
	}
	f, err := svc.records.Open(p.Set)
	if err != nil {
		return Enriched{}, err
	}
	page := enrich.ReadPage(p.Set.Ref.String(), p.Doc)
	return enrichedSpan(p, page, page.SpanOf(section), f), nil
}

// enrichedSpan is the record of a span.
func enrichedSpan(p *corpus.Page, page *enrich.Page, s enrich.Span, f *enrich.File) Enriched {
	out := Enriched{DocSet: p.Set.Ref.String(), FilePath: p.Path, Title: p.Doc.Title, SectionPath: s.SectionPath, Engine: "builtin"}
	if r, ok := f.Get(s.ID); ok && r.Hash == s.Hash {
		out.Refused = r.Refused
		if r.Prompt != "" {
			out.Engine, out.Prompt, out.Enrichment = r.Engine, r.Prompt, r.Enrichment
			return out
		}
	}
	out.Enrichment = page.Builtin(s.Section)
	return out
}
