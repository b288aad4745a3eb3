// Package assembly makes the services of an opened home, and the pipelines of phases that
// they answer questions with: each is made from those before it, in one line of sight.
//
// It refuses to open a home, to choose stores and to read a configuration: whatever starts
// docent does, and names here what services need of it.
package assembly

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/phase/search"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/care"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/impact"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/measure"
	"docent/pipeline/service/packing"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/params"
	"docent/pipeline/service/sources"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/service/syncing"
	"docent/pipeline/service/synonyms"
	"docent/pipeline/service/vectors"
	"docent/pipeline/service/versioning"
	"docent/pipeline/source/planning"
	"docent/store"
)

// Models are the models that services and phases ask. It has more than five methods because
// each service declares those that it needs, and one object answers them all.
type Models interface {
	answers.Models
	care.Models
	vectors.Models
	// Enrichers is the chain of models that enrich the sections of a domain's pages; empty:
	// none does.
	Enrichers(domain string) []model.Link
	// Assist is the model that finds relations of the reference graph, and its name; nil:
	// none does.
	Assist() (model.Source, string)
	search.QuestionEmbedder
	// Phase is the model that answers a phase; nil: no model does.
	Phase(phase string) model.Source
	// Recalled is as Phase, for models that only repeat what they answered before.
	Recalled(phase string) model.Source
	// RecalledQuestions gives the vectors of questions that were asked before.
	RecalledQuestions() search.QuestionEmbedder
}

// Options are what services need besides the home.
type Options struct {
	Models Models
	Lacks  []care.Lack // programs that read a format and are not installed
	Phases Phases
	// Stores gives the stores of another home in a folder, in which a package's index is made.
	Stores func(dir string) (home.Stores, home.Indexes)
	// Sources fetch documentation; the zero value fetches none.
	Sources sourcing.Options
	// Packages is where the documentation of packages is looked for; the recipes are the home's.
	Packages syncing.Known
	// Keepers look at what other packages keep in the home, for doctor.
	Keepers []func(context.Context) *finding.Finding
	// Servers are care.Additions'.
	Servers func(context.Context) (figures []care.Total, alive bool)
}

// Services makes the services of an opened home. Closing them closes the home.
func Services(h *home.Home, opt Options) *service.Services {
	s := &service.Services{Home: h}
	s.Locate = locate.New(h)
	enriched := records.New(h)
	s.Synonyms = synonyms.New(h)
	s.Inbox = inbox.New(h)
	s.Graph = graph.New(h, s.Locate, enriched)
	s.Enrichment = enrichment.New(h, s.Locate, enriched, s.Graph, opt.Models)
	s.Sources = sources.New(os.DirFS(filepath.Join(h.Dir, sources.Folder)))
	s.Versioning = versioning.New(h, s.Locate, s.Graph)
	s.Impact = impact.New(h, s.Versioning, s.Graph)
	s.Params = params.New(h, s.Graph)
	phases := &phases{Phases: opt.Phases, home: h, places: s.Locate, models: opt.Models, synonyms: s.Synonyms, params: s.Params}
	s.Vectors = vectors.New(h, opt.Models, phases.weighing)
	s.Packing = packing.New(h, packing.Options{Stores: opt.Stores})
	s.Library = library.New(h, s.Vectors, s.Versioning, s.Inbox, library.Known{Enriched: enriched.State, Ready: s.Packing.Ready,
		Origin: func(ctx context.Context, set store.Set) *contract.Origin { return kept.Origin(ctx, h, set) }})
	if opt.Sources.Explain == nil {
		opt.Sources.Explain = s.Sources.Explain
	}
	if opt.Packages.Listed != nil {
		opt.Sources.Instead = syncing.Instead(opt.Packages.Listed)
	}
	s.Sourcing = sourcing.New(h, s.Library, opt.Sources)
	opt.Packages.Recipes = func(ctx context.Context) (planning.Recipes, error) { return s.Sources.Recipes(ctx) }
	s.Syncing = syncing.New(h, s.Sourcing, opt.Packages)
	s.Pages = pages.New(h, s.Locate, s.Graph, s.Versioning, enriched.Summaries)
	s.Intake = intake.New(h, s.Inbox, s.Library, s.Vectors)
	s.Care = care.New(h, opt.Models, opt.Lacks, care.Parts{Library: s.Library, Vectors: s.Vectors, Graph: s.Graph,
		Inbox: s.Inbox, Intake: s.Intake, Additions: care.Additions{
			Tasks:     []care.Task{embedding(s.Vectors), s.Enrichment.BackgroundTask()},
			Examiners: []func(store.Set) *finding.Finding{enriched.Examine},
			Keepers:   opt.Keepers,
			Servers:   opt.Servers,
			Totals:    []func() []care.Total{s.Enrichment.Totals},
			Rows:      []func([]library.SetInfo) *care.Row{enrichment.StatusRow},
		}})
	s.Answers = answers.New(h, phases.pipelines(s.Vectors.WeightOf), opt.Models, s.Care, s.Versioning, s.Graph, s.Inbox)
	s.Measure = measure.New(h, opt.Models, s.Answers, s.Vectors)
	return s
}

// embedding is the making of vectors by a model in the background.
func embedding(v *vectors.Service) care.Task {
	return care.Task{Label: "vectors", Phase: embed.Phase, Work: func(ctx context.Context, _ time.Duration, w home.Watch) error {
		return v.KeepEmbedded(ctx, w)
	}}
}
