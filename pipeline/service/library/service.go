// Package library adds, updates, follows, describes and forgets doc sets.
//
// It refuses to read pages for people: docent/pipeline/service/pages does.
package library

import (
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/vectors"
	"docent/pipeline/service/versioning"
	"docent/store"
)

// Service keeps the doc sets of an opened home.
type Service struct {
	home       *home.Home
	vectors    *vectors.Service
	enriched   func(store.Set) *EnrichState
	versioning *versioning.Service
	inbox      *inbox.Service
}

// New makes the service of a home. enriched gives how far a doc set is enriched; nil: none
// is.
func New(h *home.Home, v *vectors.Service, versions *versioning.Service, handed *inbox.Service,
	enriched func(store.Set) *EnrichState) *Service {
	if enriched == nil {
		enriched = func(store.Set) *EnrichState { return nil }
	}
	return &Service{home: h, vectors: v, enriched: enriched, versioning: versions, inbox: handed}
}
