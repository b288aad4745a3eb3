// Package library adds, updates, follows, describes and forgets doc sets.
//
// It refuses to read pages for people: docent/pipeline/service/pages does.
package library

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
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
	// Ready puts in place the index that came with a doc set's documents, before an update of it, which with
	// anew reads every page; it gives the doc set as it is then, and which pages came and went.
	Ready    func(ctx context.Context, w *home.Writer, s store.Set, anew bool, watch home.Watch) (store.Set, ingest.Report, error)
	Enriched func(store.Set) *EnrichState                      // how far it is enriched; nil: it is not
	Origin   func(context.Context, store.Set) *contract.Origin // where its documents were fetched from; nil: they were not
}

// New makes the service of a home.
func New(h *home.Home, v *vectors.Service, versions *versioning.Service, handed *inbox.Service, known Known) *Service {
	if known.Enriched == nil {
		known.Enriched = func(store.Set) *EnrichState { return nil }
	}
	if known.Origin == nil {
		known.Origin = func(context.Context, store.Set) *contract.Origin { return nil }
	}
	if known.Ready == nil {
		known.Ready = func(_ context.Context, _ *home.Writer, s store.Set, _ bool, _ home.Watch) (store.Set, ingest.Report, error) {
			return s, ingest.Report{}, nil
		}
	}
	return &Service{home: h, vectors: v, known: known, versioning: versions, inbox: handed}
}

// Origin is where the documents of a doc set were fetched from; nil: they lie in a person's
// folder.
func (svc *Service) Origin(ctx context.Context, s store.Set) *contract.Origin {
	return svc.known.Origin(ctx, s)
}
