package enrichment

import (
	"context"
	"errors"

	"docent/pipeline/contract/model"
	"docent/pipeline/knowledge/enrich"
	"docent/pipeline/knowledge/references"
)

// assisting is what finding relations by a model needs of a doc set.
type assisting struct {
	source  model.Source // nil: none is asked
	id      string       // of the asked section, or ""
	targets *enrich.Targets
	down    bool // the model cannot be reached
}

// assists reports whether a model is to find relations.
func (svc *Service) assists() bool {
	if svc.enrichers == nil {
		return false
	}
	source, _ := svc.enrichers.Assist()
	return source != nil
}

// beginAssist gathers the places of the doc set that its sections may name.
func (e *enriching) beginAssist(ctx context.Context) error {
	if !e.svc.assists() {
		return nil
	}
	source, name := e.svc.enrichers.Assist()
	docs, err := e.svc.home.Corpus.Catalog.Documents(ctx, e.set.ID)
	if err != nil {
		return err
	}
	var all []enrich.Target
	for _, d := range docs {
		all = append(all, enrich.Target{Title: d.Title, Path: d.Path})
	}
	e.assist = assisting{source: source, id: "+" + enrich.AskedBy(name), targets: enrich.NewTargets(all)}
	return nil
}

// related has a model find the relations of a section, where the graph has none and the
// section names other pages. changed says that the record is another one, left that the
// section is to be asked about the next time.
func (e *enriching) related(ctx context.Context, p *enrich.Page, s enrich.Span, state string, r *enrich.Record) (changed, left bool,
	err error) {
	if e.assist.source == nil || s.Section == enrich.Whole {
		return false, false, nil
	}
	if r.Asked == e.assist.id {
		if len(r.Edges) > 0 && r.EdgesOf != state { // another part of the page changed
			r.EdgesOf = state
			return true, false, nil
		}
		return false, false, nil
	}
	places := p.Suggests(s, e.assist.targets)
	if len(places) == 0 {
		return false, false, nil
	}
	stated := true
	err = e.svc.graph.WithGraph(ctx, e.set, func(g *references.Graph) (err error) {
		stated, err = g.States(r.FilePath, s.SectionPath)
		return err
	})
	if err != nil || stated {
		return false, false, err
	}
	if e.assist.down || e.isSpent() {
		return false, true, nil
	}
	counts := enrich.Counts{}
	edges, err := p.Relate(ctx, s, e.assist.source, places, &counts)
	if errors.Is(err, enrich.ErrStopped) {
		e.assist.down = true
		e.watch.Notef("%s: the model that finds relations of the reference graph cannot be reached; the next run goes on", e.set.Ref)
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	*e.asked++
	e.report.Counts.Add(counts)
	e.svc.enrichCounts.addCounts(counts)
	e.report.Edges += len(edges)
	r.Edges, r.EdgesOf, r.Asked = edges, state, e.assist.id
	return true, false, nil
}
