// Package versioning compares the versions of doc sets: what changed between two of them,
// which newer page or section an answer of an older one has, and what replaces a page that
// is deprecated.
//
// It refuses to compare texts itself: docent/pipeline/knowledge/versions does.
package versioning

import (
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
)

// Service compares versions of the doc sets of an opened home.
type Service struct {
	home   *home.Home
	locate *locate.Service
	graph  *graph.Service
}

// New makes the service of a home.
func New(h *home.Home, pages *locate.Service, relations *graph.Service) *Service {
	return &Service{home: h, locate: pages, graph: relations}
}
