// Package graph answers from the reference graphs of doc sets: what a page refers to,
// requires and warns of, what leads to it, and which links lead nowhere. A graph that is
// missing, damaged or older than its index is made when it is asked for.
//
// It refuses to find references: docent/pipeline/knowledge/references does.
package graph

import (
	"context"

	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/store"
)

// Service holds the graphs of an opened home.
type Service struct {
	home   *home.Home
	locate *locate.Service
	found  Relations
	graphs graphs
}

// New makes the service of a home.
func New(h *home.Home, pages *locate.Service, found Relations) *Service {
	if found == nil {
		found = noRelations{}
	}
	return &Service{home: h, locate: pages, found: found}
}

// Relations are relations of sections in addition to those that their text states.
type Relations interface {
	// Edition names what there is of a doc set, in a value that can be compared; nil:
	// nothing. Another edition has other relations.
	Edition(store.Set) any
	// AddTo adds them to the opened graph of a doc set.
	AddTo(context.Context, store.Set, *references.Graph) error
}

// noRelations has no relations.
type noRelations struct{}

// Edition is Relations'.
func (noRelations) Edition(store.Set) any { return nil }

// AddTo is Relations'.
func (noRelations) AddTo(context.Context, store.Set, *references.Graph) error { return nil }
