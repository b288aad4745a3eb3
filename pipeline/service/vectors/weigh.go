package vectors

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/knowledge/graph"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/phase/search"
	"docent/store"
)

// The weight of a model's vectors, relative to the words, is measured for each doc set
// and model. Documentation links to itself: a link's text is a question, and its target
// is the known answer. The page with the link is left out of the ranking. The chosen
// weight is the greatest that does not lower the MRR on these questions. Words find such
// targets well, so a good model still gets a high weight, and a model that is worse than
// the words a low one.

// Weight is the measured weight of a model's vectors of a doc set.
type Weight struct {
	Model     string    `json:"model"`
	Passages  int       `json:"passages"` // that had vectors
	Questions int       `json:"questions"`
	Weight    float64   `json:"weight"`
	MRR       []float64 `json:"mrr"` // at each of Weights
}

// Weights are the weights that are tried.
func Weights() []float64 { return []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5} }

const (
	mostLinks  = 120   // questions at most
	leastLinks = 20    // questions that a measurement needs
	costless   = 0.005 // loss of MRR that is ignored: less than one question in a hundred
	linkWords  = 2     // words of a link's text at least: "here" is no question
	movedOn    = 0.2   // share of new passages at which it is measured again
	tryWeight  = 0.3   // weight with which the candidates are found
)

// ReadWeight gives the measured weight of a doc set; false where none was measured,
// or that of another model.
func (svc *Service) ReadWeight(set store.Set, model string) (Weight, bool) {
	var w Weight
	raw, err := svc.home.Indexes.ReadRecord(set.ID, store.WeightRecord)
	if err != nil || json.Unmarshal(raw, &w) != nil || w.Model != model || !(w.Weight >= 0 && w.Weight < 1) {
		return Weight{}, false
	}
	return w, true
}

// WeightOf is the weight of a model's vectors of a doc set: the configured, the measured or
// the default one.
func (svc *Service) WeightOf(set store.Set, by embed.By) float64 {
	if svc.home.Settings.DenseGiven {
		return svc.home.Settings.DenseWeight
	}
	if w, ok := svc.ReadWeight(set, by.Model); ok && w.Questions >= leastLinks {
		return w.Weight
	}
	return svc.home.Settings.DenseWeight
}

// VectorWeight is the measured weight of a model's vectors of a doc set, relative to the
// words, and the number of questions it was measured with; 0: there were no questions.
func (svc *Service) VectorWeight(set store.Set, by embed.By) (weight float64, questions int) {
	w, _ := svc.ReadWeight(set, by.Model)
	return svc.WeightOf(set, by), w.Questions
}

// weighSet measures the weight of a doc set's vectors, unless that was done with about
// the same vectors.
func (svc *Service) weighSet(ctx context.Context, set store.Set) error {
	by, err := svc.home.Corpus.VectorsBy(ctx, set)
	if err != nil {
		return err
	}
	if w, ok := svc.ReadWeight(set, by.Model); ok && math.Abs(float64(w.Passages-by.Passages)) <= movedOn*float64(w.Passages) {
		return nil
	}
	questions, err := linkQuestions(ctx, svc.home.Corpus, set)
	if err != nil {
		return err
	}
	w := Weight{Model: by.Model, Passages: by.Passages, Questions: len(questions), MRR: make([]float64, len(Weights()))}
	if len(questions) >= leastLinks {
		if err := svc.measure(ctx, set, questions, &w); err != nil {
			return err
		}
	}
	raw, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return svc.home.Indexes.WriteRecord(set.ID, store.WeightRecord, append(raw, '\n'))
}

// linkQuestion is a link's text and where it leads.
type linkQuestion struct {
	text, from   string
	path, anchor string
}

// linkQuestions are links between the pages of a doc set, each text once, at most
// mostLinks. They are chosen by their texts, so that the same documentation has the
// same questions in any order of its addition.
func linkQuestions(ctx context.Context, lib *corpus.Corpus, set store.Set) ([]linkQuestion, error) {
	docs, err := lib.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	refs := make([]graph.Ref, len(docs))
	for i, d := range docs {
		refs[i] = graph.Ref{Path: d.Path, Title: d.Title, URL: d.URL}
	}
	list := graph.NewList(refs)
	var out []linkQuestion
	leads := map[string]string{} // "" for a text that leads to two places
	for _, d := range docs {
		p, err := lib.Page(ctx, set, d.Path)
		if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, l := range p.Doc.Links {
			text := strings.Join(strings.Fields(l.Text), " ")
			to := list.Resolve(d.Path, d.URL, l.Target)
			if !to.Found || to.Ref.Path == d.Path || len(strings.Fields(text)) < linkWords || strings.Contains(text, "://") {
				continue
			}
			place := to.Ref.Path + "#" + to.Anchor
			if known, ok := leads[text]; ok {
				if known != place {
					leads[text] = ""
				}
				continue
			}
			leads[text] = place
			out = append(out, linkQuestion{text, d.Path, to.Ref.Path, graph.Unescape(to.Anchor)})
		}
	}
	out = slices.DeleteFunc(out, func(q linkQuestion) bool { return leads[q.text] == "" })
	order := func(q linkQuestion) uint64 {
		h := fnv.New64a()
		h.Write([]byte(q.text))
		return h.Sum64()
	}
	slices.SortFunc(out, func(x, y linkQuestion) int {
		return cmp.Or(cmp.Compare(order(x), order(y)), strings.Compare(x.text, y.text))
	})
	return out[:min(mostLinks, len(out))], nil
}

// measure asks the questions and chooses the weight.
func (svc *Service) measure(ctx context.Context, set store.Set, questions []linkQuestion, w *Weight) error {
	p := svc.weighing(tryWeight)
	zero := 0.0
	asked := 0
	for _, q := range questions {
		res, err := p.NewSession(pipeline.Request{Question: q.text, DocSets: []string{set.Ref.String()}, Threshold: &zero}).RunTo(ctx,
			contract.PhaseSearch, nil)
		if err != nil {
			return err
		}
		if len(res.Degraded) > 0 {
			return fmt.Errorf("weighing: %s", res.Degraded[0].Reason)
		}
		in := pipeline.RerankInput(*res.Phases.Search)
		c := *in.Context
		c.DenseWeight = 0
		in.Context = &c
		out, _, err := p.Reranker.Rerank(ctx, in, p.Policy)
		if err != nil {
			return err
		}
		asked++
		for i, weight := range Weights() {
			w.MRR[i] += q.reciprocalRank(rerank.WeighVectors(out.Results, weight))
		}
	}
	best := 0.0
	for i := range w.MRR {
		w.MRR[i] = math.Round(1e4*w.MRR[i]/float64(asked)) / 1e4
		best = max(best, w.MRR[i])
	}
	for i, weight := range Weights() {
		if w.MRR[i] >= best-costless {
			w.Weight = weight
		}
	}
	return nil
}

// reciprocalRank is one over the place of the page that a link leads to, and where
// it leads to a section, the mean of that and the same of the section. The page
// with the link is passed over.
func (q linkQuestion) reciprocalRank(results []contract.Result) float64 {
	page, section := 0.0, 0.0
	place, seen := 0, map[string]bool{}
	pages := 0
	for _, p := range search.FlatPlaces(results) {
		if p.FilePath == q.from {
			continue
		}
		place++
		if !seen[p.FilePath] {
			seen[p.FilePath] = true
			pages++
			if p.FilePath == q.path {
				page = 1 / float64(pages)
			}
		}
		if section == 0 && p.FilePath == q.path && p.Anchor == q.anchor {
			section = 1 / float64(place)
		}
	}
	if q.anchor == "" {
		return page
	}
	return (page + section) / 2
}
