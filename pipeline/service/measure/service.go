// Package measure asks questions with known answers for package eval, through the phases as
// they are configured.
//
// It refuses to compute measures: docent/pipeline/eval does.
package measure

import (
	"context"

	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
	"docent/pipeline/service/vectors"
)

// Models are the models that answer phases.
type Models interface {
	// Ready is the error of the server of a required model; nil where it answers, or where
	// none is required.
	Ready(ctx context.Context) error
}

// Service evaluates an opened home.
type Service struct {
	Pipelines answers.Pipelines

	home    *home.Home
	models  Models
	answers *answers.Service
	vectors *vectors.Service
}

// New makes the service of a home.
func New(h *home.Home, models Models, asked *answers.Service, v *vectors.Service) *Service {
	return &Service{Pipelines: asked.Pipelines, home: h, models: models, answers: asked, vectors: v}
}
