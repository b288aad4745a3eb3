// Package assembly makes the services of an opened home, and the pipelines of phases that
// they answer questions with: each is made from those before it, in one line of sight.
//
// It refuses to open a home, to choose stores and to read a configuration: whatever starts
// docent does, and names here what services need of it.
package assembly

import (
	"docent/pipeline/contract/model"
	"docent/pipeline/phase/search"
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
)

// Models are the models that services and phases ask. It has more than five methods because
// each service declares those that it needs, and one object answers them all.
type Models interface {
	answers.Models
	care.Models
	vectors.Models
	enrichment.Enrichers
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
}

// Services makes the services of an opened home. Closing them closes the home.
func Services(h *home.Home, opt Options) *service.Services {
	s := &service.Services{Home: h}
	s.Locate = locate.New(h)
	s.Records = records.New(h)
	s.Synonyms = synonyms.New(h)
	s.Inbox = inbox.New(h)
	s.Graph = graph.New(h, s.Locate, s.Records)
	s.Enrichment = enrichment.New(h, s.Locate, s.Records, s.Graph, opt.Models)
	s.Versioning = versioning.New(h, s.Locate, s.Graph)
	s.Params = params.New(h, s.Graph)
	phases := &phases{Phases: opt.Phases, home: h, models: opt.Models, synonyms: s.Synonyms, params: s.Params}
	s.Vectors = vectors.New(h, opt.Models, phases.weighing)
	s.Library = library.New(h, s.Vectors, s.Records, s.Versioning, s.Inbox)
	s.Pages = pages.New(h, s.Locate, s.Records, s.Graph, s.Versioning)
	s.Intake = intake.New(h, s.Inbox, s.Library, s.Vectors)
	s.Answers = answers.New(h, phases.pipelines(s.Vectors.WeightOf), opt.Models, s.Versioning, s.Graph, s.Inbox)
	s.Measure = measure.New(h, opt.Models, s.Answers, s.Vectors)
	s.Care = care.New(h, opt.Models, opt.Lacks, care.Parts{Library: s.Library, Vectors: s.Vectors, Records: s.Records, Graph: s.Graph,
		Inbox: s.Inbox, Intake: s.Intake})
	return s
}
