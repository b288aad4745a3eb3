// Package params finds every place that documents an option, field or setting by its name.
//
// It refuses to read parameters from pages: docent/pipeline/knowledge/parameters does, and
// the reference graphs hold them.
package params

import (
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
)

// Service finds parameters in the doc sets of an opened home.
type Service struct {
	home  *home.Home
	graph *graph.Service
}

// New makes the service of a home.
func New(h *home.Home, names *graph.Service) *Service { return &Service{home: h, graph: names} }
