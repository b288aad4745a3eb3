// Package vectors has models make vectors of doc sets, keeps them, and measures how much
// they count next to the words. It knows the model servers of the configuration, and what a
// person said of sending texts to them.
//
// It refuses to search: the search takes the vectors from the indexes.
package vectors

import (
	"context"

	"docent/pipeline"
	"docent/pipeline/contract/model"
	"docent/pipeline/service/home"
)

// Models finds the models that make vectors.
type Models interface {
	// Vectors finds the model for the vectors of doc sets whose pages take a route; the
	// error wraps model.ErrNone where no model is wanted or available.
	Vectors(ctx context.Context, route string) (model.Vectors, error)
	// Required reports whether a missing model is an error.
	Required() bool
}

// Service makes and weighs the vectors of an opened home.
type Service struct {
	home   *home.Home
	models Models
	// weighing makes a pipeline without models in which a model's vectors have a weight.
	weighing func(weight float64) *pipeline.Pipeline
}

// New makes the service of a home. weighing makes a pipeline without models in which the
// vectors of a model have a weight, from 0 to 1.
func New(h *home.Home, models Models, weighing func(weight float64) *pipeline.Pipeline) *Service {
	return &Service{home: h, models: models, weighing: weighing}
}
