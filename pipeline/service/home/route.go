package home

import (
	"cmp"
	"context"

	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/domain"
	"docent/store"
)

// routing is how the pages of a doc set are routed. An index never mixes the vectors of
// two models, so one route counts for a doc set.
type routing struct {
	route  string // the one that most pages take; before pages are there, the domain
	others int    // pages of routes with another embedding profile
}

func (h *Home) routing(ctx context.Context, s store.Set) (routing, error) {
	pages, err := h.Corpus.Catalog.Files(ctx, s.ID)
	return routingOf(h.domainOf(s), pages, h.Settings.Domains.Routing.Routes), err
}

// routingOf finds the route by whose profile a doc set's vectors are made: that of most of
// its pages, and of two that as many take, the first by name.
func routingOf(set string, pages []store.FileState, routes map[string]domain.Route) routing {
	out := routing{route: set}
	counts := map[string]int{}
	for _, p := range pages {
		counts[cmp.Or(p.Routing.Route, set)]++
	}
	for route, n := range counts {
		if most := counts[out.route]; n > most || n == most && route < out.route {
			out.route = route
		}
	}
	for route, n := range counts {
		if routes[route].Profile != routes[out.route].Profile {
			out.others += n
		}
	}
	return out
}

// wanted finds the model for the vectors of a doc set.
func (h *Home) wanted(ctx context.Context, s store.Set) (model.Vectors, error) {
	r, err := h.routing(ctx, s)
	if err != nil {
		return model.Vectors{}, err
	}
	return h.models.Vectors(ctx, r.route)
}
