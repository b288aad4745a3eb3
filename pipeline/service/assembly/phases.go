package assembly

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
	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/params"
	"docent/pipeline/service/synonyms"
	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
)

// Phases are the settings of the phases of a question.
type Phases struct {
	Policy       contract.RerankPolicy
	Threshold    float64          // similarity at which a heading is kept, from 0 to 1
	Intents      []string         // of questions that a model reranks
	Hybrid       bool             // the vectors of a model are searched in addition to the words
	Hypothetical bool             // a model writes a passage that the vectors are searched with
	Counters     *rerank.Counters // count what models reranked
}

// phases makes pipelines over a home.
type phases struct {
	Phases
	home     *home.Home
	places   *locate.Service
	models   Models
	synonyms *synonyms.Service
	params   *params.Service
}

// weigher gives the weight of a model's vectors of a doc set, from 0 to 1.
type weigher func(store.Set, embed.By) float64

// pipelines makes the pipelines of each use.
func (f *phases) pipelines(dense weigher) answers.Pipelines {
	var p answers.Pipelines
	var first *search.Builtin
	p.Ask, first = f.pipeline(f.models, dense, f.models.Phase)
	p.Ask.Recalled, _ = f.pipeline(f.models.RecalledQuestions(), dense, f.models.Recalled)
	p.Stages = first.Stages
	p.Search, _ = f.pipeline(f.models, dense, func(phase string) model.Source {
		if phase == contract.PhaseRerank {
			return f.models.Phase(phase)
		}
		return nil
	})
	p.Typing, _ = f.pipeline(nil, dense, noModel)
	return p
}

// weighing makes a pipeline without models in which a model's vectors have this weight.
func (f *phases) weighing(weight float64) *pipeline.Pipeline {
	p, first := f.pipeline(f.models, nil, noModel)
	first.Dense = func(store.Set, embed.By) float64 { return weight }
	return p
}

// noModel has no model answer any phase.
func noModel(string) model.Source { return nil }

// pipeline makes a pipeline, and gives its first stage with it. questions makes the
// vectors of questions; nil: vectors by a model are not searched. models returns the
// model that answers a phase, or nil.
func (f *phases) pipeline(questions search.QuestionEmbedder, dense weigher, models func(phase string) model.Source) (*pipeline.Pipeline,
	*search.Builtin) {
	sets, h := f.places.SetNames(), f.home
	start := time.Now()
	first := &search.Builtin{Corpus: h.Corpus, Params: bm25f.Defaults(),
		Headings: max(contract.DefaultRerankPolicy().CandidateLimit, f.Policy.CandidateLimit),
		Now:      time.Now, Synonyms: f.synonyms.Synonyms, Parameters: f.params.Documenting}
	if f.Hybrid && questions != nil {
		first.Embedder, first.Dense = questions, dense
	}
	shorten := process.New(process.Options{Preference: question.Preference, Structure: h.Parsers.Structure, Terms: analysisTerms(),
		Overhead: func(docs []contract.Extracted) int { return process.Tokens(cite.FrameOf(docs)) }})
	return &pipeline.Pipeline{
		Optimizer: &optimize.Model{Builtin: optimize.New(sets), Source: models(contract.PhaseOptimize), Hypothetical: f.Hypothetical},
		Router: &route.Model{Builtin: route.New(sets, route.Options{Threshold: &f.Threshold, NoRerank: !f.Policy.Enabled}),
			Source: models(contract.PhaseRoute)},
		Merger:   merge.Builtin{},
		Searcher: first,
		Reranker: &rerank.Judge{Builtin: &rerank.Builtin{Texts: h.Corpus, Now: time.Now}, Source: models(contract.PhaseRerank),
			Intents: f.Intents, TopK: min(rerank.ModelTopK, f.Policy.CandidateLimit), Counters: f.Counters},
		Extractor: &extract.Builtin{Corpus: h.Corpus},
		Processor: &process.Model{Builtin: shorten, Source: models(contract.PhaseProcess)},
		Citer:     cite.Builtin{},
		Policy:    f.Policy,
		Clock:     func() float64 { return float64(time.Since(start).Microseconds()) / 1000 },
	}, first
}

// analysisTerms returns the index's own terms, so that the kept lines have the found
// words. The stems of a page's words are remembered between questions.
func analysisTerms() func(text string) []string {
	pool := &analysis.Pool{}
	return func(text string) []string {
		a := pool.Get()
		defer pool.Put(a)
		return a.Terms(text)
	}
}
