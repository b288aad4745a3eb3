// Package answers answers questions through the pipelines: whole answers, searches, single
// phases, sessions, and the proof of a cited block.
//
// It refuses to print an answer: each door words it.
package answers

import (
	"context"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/search"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/versioning"
)

// Models are the models that answer phases.
type Models interface {
	// Ready is the error of the server of a required model; nil where it answers, or where
	// none is required.
	Ready(ctx context.Context) error
	// Preload loads the models of the next question in the background.
	Preload()
}

// Mender repairs damage that was met.
type Mender interface {
	// MendMet repairs what an error tells of, and reports whether that was done. Its own
	// error wraps the given one.
	MendMet(ctx context.Context, err error) (bool, error)
}

// Pipelines are the phases, wired for each use.
type Pipelines struct {
	Ask    *pipeline.Pipeline // every phase may ask a model
	Search *pipeline.Pipeline // a model reranks at most
	Typing *pipeline.Pipeline // for a question that is being typed: no model
	// Stages gives the rankings of the stages of phase 1.
	Stages func(context.Context, contract.SearchInput, int) ([]search.Ranking, error)
}

// Service answers from an opened home.
type Service struct {
	Pipelines Pipelines

	home       *home.Home
	models     Models
	mender     Mender
	versioning *versioning.Service
	graph      *graph.Service
	inbox      *inbox.Service
}

// New makes the service of a home.
func New(h *home.Home, p Pipelines, models Models, mender Mender, versions *versioning.Service, relations *graph.Service,
	handed *inbox.Service) *Service {
	return &Service{Pipelines: p, home: h, models: models, mender: mender, versioning: versions, graph: relations, inbox: handed}
}
