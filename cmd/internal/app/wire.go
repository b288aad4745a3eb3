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
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/care"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/measure"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/params"
	"docent/pipeline/service/synonyms"
	"docent/pipeline/service/vectors"
	"docent/pipeline/service/versioning"
	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
)

// services makes the services of an opened home, each of those before it.
func (a *App) services(h *home.Home, lacks []care.Lack) *service.Services {
	s := &service.Services{Home: h}
	s.Locate = locate.New(h)
	s.Records = records.New(h)
	s.Synonyms = synonyms.New(h)
	s.Inbox = inbox.New(h)
	s.Graph = graph.New(h, s.Locate, s.Records)
	s.Enrichment = enrichment.New(h, s.Locate, s.Records, s.Graph, a.Models)
	s.Versioning = versioning.New(h, s.Locate, s.Graph)
	s.Params = params.New(h, s.Graph)
	phases := &phases{app: a, home: h, synonyms: s.Synonyms, params: s.Params}
	s.Vectors = vectors.New(h, a.Models, phases.weighing)
	s.Library = library.New(h, s.Vectors, s.Records, s.Versioning, s.Inbox)
	s.Pages = pages.New(h, s.Locate, s.Records, s.Graph, s.Versioning)
	s.Intake = intake.New(h, s.Inbox, s.Library, s.Vectors)
	s.Answers = answers.New(h, phases.pipelines(s.Vectors.Dense), a.Models, s.Versioning, s.Graph, s.Inbox)
	s.Measure = measure.New(h, a.Models, s.Answers, s.Vectors)
	s.Care = care.New(h, a.Models, lacks, care.Parts{Library: s.Library, Vectors: s.Vectors, Records: s.Records, Graph: s.Graph, Inbox: s.Inbox, Intake: s.Intake})
	return s
}

// phases makes pipelines over a home.
type phases struct {
	app      *App
	home     *home.Home
	synonyms *synonyms.Service
	params   *params.Service
}

// weigher gives the weight of a model's vectors of a doc set, from 0 to 1.
type weigher func(store.Set, embed.By) float64

// pipelines makes the pipelines of each use.
func (f *phases) pipelines(dense weigher) answers.Pipelines {
	var p answers.Pipelines
	var first *search.Builtin
	models := f.app.Models
	p.Ask, first = f.pipeline(models, dense, models.Phase)
	p.Ask.Recalled, _ = f.pipeline(recalledQuestions{models}, dense, models.Recalled)
	p.Stages = first.Stages
	p.Search, _ = f.pipeline(models, dense, func(phase string) model.Source {
		if phase == contract.PhaseRerank {
			return models.Phase(phase)
		}
		return nil
	})
	p.Typing, _ = f.pipeline(nil, dense, noModel)
	return p
}

// weighing makes a pipeline without models in which a model's vectors have this weight.
func (f *phases) weighing(weight float64) *pipeline.Pipeline {
	p, first := f.pipeline(f.app.Models, nil, noModel)
	first.Dense = func(store.Set, embed.By) float64 { return weight }
	return p
}

// noModel has no model answer any phase.
func noModel(string) model.Source { return nil }

// pipeline makes a pipeline, and gives its first stage with it. questions makes the
// vectors of questions; nil: vectors by a model are not searched. models gives the
// model that answers a phase, nil for none.
func (f *phases) pipeline(questions search.QuestionEmbedder, dense weigher, models func(phase string) model.Source) (*pipeline.Pipeline, *search.Builtin) {
	sets, cfg, h := f.home.SetNames(), f.app.Config, f.home
	start := time.Now()
	first := &search.Builtin{Corpus: h.Corpus, Params: bm25f.Defaults(), Headings: max(contract.DefaultRerankPolicy().CandidateLimit, cfg.RerankerTopK),
		Now: time.Now, Synonyms: f.synonyms.Synonyms, Parameters: f.params.Documenting, NoBuiltinSynonyms: !cfg.BuiltinSynonyms}
	if cfg.Hybrid && questions != nil {
		first.Embedder, first.Dense = questions, dense
	}
	shorten := process.New(process.Options{Preference: question.Preference, Structure: h.Parsers.Structure, Terms: analysisTerms(),
		Overhead: func(docs []contract.Extracted) int { return process.Tokens(cite.Frame(docs)) }})
	return &pipeline.Pipeline{
		Optimizer: &optimize.Model{Builtin: optimize.New(sets), Source: models(contract.PhaseOptimize), Hypothetical: cfg.Hypothetical},
		Router: &route.Model{Builtin: route.New(sets, route.Options{Threshold: &cfg.RerankerThreshold, NoRerank: !cfg.RerankerEnabled}),
			Source: models(contract.PhaseRoute)},
		Merger:   merge.Builtin{},
		Searcher: first,
		Reranker: &rerank.Judge{Builtin: &rerank.Builtin{Texts: h.Corpus, Now: time.Now}, Source: models(contract.PhaseRerank),
			Intents: cfg.RerankerIntents, TopK: min(rerank.ModelTopK, cfg.RerankerTopK), Counters: &f.app.Reranked},
		Extractor: &extract.Builtin{Corpus: h.Corpus},
		Processor: &process.Model{Builtin: shorten, Source: models(contract.PhaseProcess)},
		Citer:     cite.Builtin{},
		Policy:    cfg.Policy(),
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
