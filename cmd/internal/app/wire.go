package app

import (
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/phase/cite"
	"docent/pipeline/phase/extract"
	"docent/pipeline/phase/merge"
	"docent/pipeline/phase/optimize"
	"docent/pipeline/phase/process"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/phase/route"
	"docent/pipeline/phase/search"
	"docent/pipeline/question"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
)

// wire makes the pipelines of an opened home.
func (a *App) wire(h *home.Home) home.Pipelines {
	var p home.Pipelines
	var first *search.Builtin
	p.Ask, first = a.pipeline(h, a.Models, a.Models.Phase)
	p.Ask.Recalled, _ = a.pipeline(h, recalledQuestions{a.Models}, a.Models.Recalled)
	p.Stages = first.Stages
	p.Search, _ = a.pipeline(h, a.Models, func(phase string) model.Source {
		if phase == contract.PhaseRerank {
			return a.Models.Phase(phase)
		}
		return nil
	})
	p.Typing, _ = a.pipeline(h, nil, noModel)
	p.Weighing = func(weight float64) *pipeline.Pipeline {
		out, first := a.pipeline(h, a.Models, noModel)
		first.Dense = func(store.Set, embed.By) float64 { return weight }
		return out
	}
	return p
}

// noModel has no model answer any phase.
func noModel(string) model.Source { return nil }

// pipeline makes a pipeline, and its first stage beside it. questions makes the
// vectors of questions; nil: vectors by a model are not searched. models gives the
// model that answers a phase, nil for none.
func (a *App) pipeline(h *home.Home, questions search.QuestionEmbedder, models func(phase string) model.Source) (*pipeline.Pipeline, *search.Builtin) {
	sets := h.SetNames()
	start := time.Now()
	first := &search.Builtin{Corpus: h.Corpus, Params: bm25f.Defaults(), Headings: max(contract.DefaultRerankPolicy().CandidateLimit, a.Config.RerankerTopK), Now: time.Now, Synonyms: h.Synonyms, Parameters: h.Documenting, NoBuiltinSynonyms: !a.Config.BuiltinSynonyms}
	if a.Config.Hybrid && questions != nil {
		first.Embedder, first.Dense = questions, h.Dense
	}
	shorten := process.New(process.Options{Preference: question.Preference, Structure: h.Parsers.Structure, Terms: analysisTerms(),
		Overhead: func(docs []contract.Extracted) int { return process.Tokens(cite.Frame(docs)) }})
	return &pipeline.Pipeline{
		Optimizer: &optimize.Model{Builtin: optimize.New(sets), Source: models(contract.PhaseOptimize), Hypothetical: a.Config.Hypothetical},
		Router: &route.Model{Builtin: route.New(sets, route.Options{Threshold: &a.Config.RerankerThreshold, NoRerank: !a.Config.RerankerEnabled}),
			Source: models(contract.PhaseRoute)},
		Merger:   merge.Builtin{},
		Searcher: first,
		Reranker: &rerank.Judge{Builtin: &rerank.Builtin{Texts: h.Corpus, Now: time.Now}, Source: models(contract.PhaseRerank),
			Intents: a.Config.RerankerIntents, TopK: min(rerank.ModelTopK, a.Config.RerankerTopK), Counters: &a.Reranked},
		Extractor: &extract.Builtin{Corpus: h.Corpus},
		Processor: &process.Model{Builtin: shorten, Source: models(contract.PhaseProcess)},
		Citer:     cite.Builtin{},
		Policy:    a.Config.Policy(),
		Clock:     func() float64 { return float64(time.Since(start).Microseconds()) / 1000 },
	}, first
}

// analysisTerms gives the index's own terms, so that what was found is also what is
// kept. What stems the words of a page have is remembered from question to question.
func analysisTerms() func(text string) []string {
	pool := &analysis.Pool{}
	return func(text string) []string {
		a := pool.Get()
		defer pool.Put(a)
		return a.Terms(text)
	}
}
