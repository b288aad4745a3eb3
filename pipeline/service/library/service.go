// Package library adds, updates, follows, describes and forgets doc sets.
//
// It refuses to read pages for people: docent/pipeline/service/pages does.
package library

import (
	"docent/pipeline/contract"
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
	known      Known
	versioning *versioning.Service
	inbox      *inbox.Service
}

// Known is what other services know of a doc set; a function may be nil.
type Known struct {
	Enriched func(store.Set) *EnrichState     // how far it is enriched; nil: it is not
	Origin   func(store.Set) *contract.Origin // where its documents were fetched from; nil: they were not
}

// New makes the service of a home.
func New(h *home.Home, v *vectors.Service, versions *versioning.Service, handed *inbox.Service, known Known) *Service {
	if known.Enriched == nil {
		known.Enriched = func(store.Set) *EnrichState { return nil }
	}
	if known.Origin == nil {
		known.Origin = func(store.Set) *contract.Origin { return nil }
	}
	return &Service{home: h, vectors: v, known: known, versioning: versions, inbox: handed}
}

// Origin is where the documents of a doc set were fetched from; nil: they lie in a person's
// folder.
func (svc *Service) Origin(s store.Set) *contract.Origin { return svc.known.Origin(s) }
