// Package impact says which names that a project uses have other documentation in a newer
// version of a doc set: removed, renamed or deprecated, with another default or type.
//
// It refuses to compare what pages say of names, which docent/pipeline/knowledge/changes does,
// and to look for names in projects: docent/pipeline/source/usage does.
package impact

import (
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/versioning"
)

// Service compares the names of the doc sets of an opened home.
type Service struct {
	home       *home.Home
	versioning *versioning.Service
	graph      *graph.Service
}

// New makes the service of a home.
func New(h *home.Home, versions *versioning.Service, names *graph.Service) *Service {
	return &Service{home: h, versioning: versions, graph: names}
}
