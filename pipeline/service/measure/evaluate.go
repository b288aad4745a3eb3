package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/phase/search"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/doc"
)

// Evaluation asks questions of one doc set for eval, through phases 0a to 1.5
// as they are configured, but for the threshold: everything is ranked.
type Evaluation struct {
	svc *Service
	set store.Set
	ids map[string]string // page → document, of a judged collection
	has map[string]bool   // documents
}

// evalDepth is how many passages down the first stage's rankings are looked at:
// enough for the 100 pages of Recall@100.
const evalDepth = 1000

// Evaluate prepares to evaluate a doc set of this home.
func (svc *Service) Evaluate(ctx context.Context, name string) (*Evaluation, error) {
	if err := svc.models.Ready(ctx); err != nil {
		return nil, err
	}
	sets, err := svc.home.Corpus.Resolve(ctx, []string{name})
	if err != nil {
		return nil, err
	}
	files, err := svc.home.Catalog.Files(ctx, sets[0].ID)
	if err != nil {
		return nil, err
	}
	e := &Evaluation{svc: svc, set: sets[0], has: map[string]bool{}}
	for _, f := range files {
		e.has[f.Path] = true
	}
	return e, nil
}

// Has reports whether a document is there.
func (e *Evaluation) Has(id string) bool { return e.has[id] }

// Set is the doc set's name.
func (e *Evaluation) Set() string { return e.set.Ref.String() }

// Run measures the ranking of questions whose answers are known. Queries on
// unknown documents, none at all, and none that finds anything are
// INVALID_REQUEST.
func (e *Evaluation) Run(ctx context.Context, queries []eval.Query, opt eval.Options) (eval.Report, error) {
	var unknown []string
	for _, q := range queries {
		for d := range q.Documents {
			if !e.has[d] {
				unknown = append(unknown, d)
			}
		}
	}
	if err := eval.UnknownDocuments(unknown); err != nil {
		return eval.Report{}, contract.Invalid("", "%v; \"doc\" is a page's path inside %s", err, e.Set())
	}
	rep, err := eval.RunQueries(ctx, queries, e, opt)
	if errors.Is(err, eval.ErrEmpty) || errors.Is(err, eval.ErrAllZero) {
		return rep, contract.Invalid("", "%v", err)
	}
	return rep, err
}

// Ask is eval.Searcher's.
func (e *Evaluation) Ask(ctx context.Context, question string) ([]eval.Stage, time.Duration, error) {
	zero := 0.0
	s := e.svc.Pipelines.Ask.NewSession(pipeline.Request{Question: question, DocSets: []string{e.Set()}, Threshold: &zero})
	start := time.Now()
	res, err := s.RunTo(ctx, contract.PhaseRerank, nil)
	took := time.Since(start)
	if err != nil {
		return nil, took, err
	}
	rankings, err := e.svc.Pipelines.Stages(ctx, *res.Phases.Merge, evalDepth)
	if err != nil {
		return nil, took, err
	}
	var out []eval.Stage
	for _, r := range rankings {
		st := eval.Stage{Name: r.Stage}
		for _, p := range r.Places {
			st.Hits = append(st.Hits, eval.Hit{Doc: e.documentID(p.FilePath), Heading: p.Heading, Anchor: p.Anchor})
		}
		out = append(out, st)
	}
	answer := eval.Stage{Name: "reranked"}
	for _, h := range search.FlatPlaces(res.Phases.Rerank.Results) {
		answer.Hits = append(answer.Hits, eval.Hit{Doc: e.documentID(h.FilePath), Heading: strings.TrimLeft(h.Heading, "# "),
			Anchor: h.Anchor})
	}
	if len(answer.Hits) > 0 && len(out) > 0 {
		// Hits that were no candidates follow the candidates, in the first stage's order.
		answer.Hits = append(answer.Hits, out[len(out)-1].Hits...)
	}
	return append(out, answer), took, nil
}

func (e *Evaluation) documentID(path string) string {
	if id, ok := e.ids[path]; ok {
		return id
	}
	return path
}

// OpenCollection indexes a judged collection in a temporary home, which open
// opens and close closes and removes.
func OpenCollection(ctx context.Context, c eval.Collection, w home.Watch,
	open func(dir string) (h *Service, closeHome func() error, err error)) (e *Evaluation, remove func() error, err error) {
	tmp, err := os.MkdirTemp("", "docent-eval")
	if err != nil {
		return nil, nil, &home.UnavailableError{What: "a temporary home", Err: err}
	}
	closeHome := func() error { return nil }
	clean := func() error { return errors.Join(closeHome(), os.RemoveAll(tmp)) }
	defer func() {
		if err != nil {
			err = errors.Join(err, clean())
		}
	}()
	root := filepath.Join(tmp, "collection")
	ids, err := layOut(c, root)
	if err != nil {
		return nil, nil, err
	}
	h, closeOpened, err := open(filepath.Join(tmp, "home"))
	if err != nil {
		return nil, nil, err
	}
	closeHome = closeOpened
	if err := h.models.Ready(ctx); err != nil { // before what takes minutes
		return nil, nil, err
	}
	ref := doc.Ref{Name: "collection", Version: doc.DefaultVersion}
	err = h.home.Write(ctx, "evaluate", func(w *home.Writer) error {
		sets, err := w.Add(ctx, []store.Set{{Ref: ref, Root: root, Layout: doc.LayoutText, Domain: "tech_docs"}})
		if err != nil {
			return err
		}
		_, err = w.Update(ctx, sets[0], true)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	sets, err := h.home.Corpus.Resolve(ctx, []string{ref.String()})
	if err != nil {
		return nil, nil, err
	}
	if _, err := h.vectors.Embed(ctx, sets, false, w); err != nil {
		return nil, nil, err
	}
	if e, err = h.Evaluate(ctx, ref.String()); err != nil {
		return nil, nil, err
	}
	e.ids, e.has = ids, map[string]bool{}
	for _, id := range ids {
		e.has[id] = true
	}
	return e, clean, nil
}

// layOut writes the documents as files of doc.LayoutText and gives page →
// document. Files are numbered: a document's id may be anything.
func layOut(c eval.Collection, root string) (map[string]string, error) {
	ids := map[string]string{}
	seen := map[string]bool{}
	err := c.Documents(func(d eval.Document) error {
		if seen[d.ID] {
			return fmt.Errorf("the document %q is there twice", d.ID)
		}
		seen[d.ID] = true
		n := len(ids)
		path := fmt.Sprintf("%03d/%06d.txt", n/1000, n)
		ids[path] = d.ID
		file := filepath.Join(root, filepath.FromSlash(path))
		if n%1000 == 0 {
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				return err
			}
		}
		title := strings.Join(strings.Fields(d.Title), " ")
		return os.WriteFile(file, []byte(title+"\n\n"+d.Text+"\n"), 0o600)
	})
	if err == nil && len(ids) == 0 {
		err = fmt.Errorf("%s: corpus.jsonl has no documents", c.Dir)
	}
	return ids, err
}

// Candidates gives what phase 1.5 would rank, with its features, and the
// question's documents by their ids.
func (e *Evaluation) Candidates(ctx context.Context, question string, limit int) ([]rerank.Candidate, error) {
	out, err := e.svc.candidates(ctx, pipeline.Request{Question: question, DocSets: []string{e.Set()}}, limit)
	for i := range out {
		out[i].FilePath = e.documentID(out[i].FilePath)
	}
	return out, err
}

// candidates gives what phase 1.5 would rank for a request, with its features.
func (svc *Service) candidates(ctx context.Context, req pipeline.Request, limit int) ([]rerank.Candidate, error) {
	res, err := svc.Pipelines.Ask.NewSession(req).RunTo(ctx, contract.PhaseSearch, nil)
	if err != nil {
		return nil, err
	}
	b := rerank.Builtin{Texts: svc.home.Corpus}
	return b.Features(ctx, pipeline.RerankInput(*res.Phases.Search), limit)
}
