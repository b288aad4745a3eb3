package vectors

import (
	"cmp"
	"context"

	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/domain"
	"docent/store"
)

// Routing is how the pages of a doc set are routed. An index never mixes the vectors of
// two models, so one route counts for a doc set.
type Routing struct {
	route  string // the one that most pages take; before pages are there, the domain
	Others int    // pages of routes with another embedding profile
}

func (svc *Service) RoutingOf(ctx context.Context, s store.Set) (Routing, error) {
	pages, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
	return routingOf(svc.home.DomainOf(s), pages, svc.home.Settings.Domains.Routing.Routes), err
}

// routingOf finds the route by whose profile a doc set's vectors are made: that of most of
// its pages, and of two that as many take, the first by name.
func routingOf(set string, pages []store.FileState, routes map[string]domain.Route) Routing {
	out := Routing{route: set}
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
			out.Others += n
		}
	}
	return out
}

// Wanted finds the model for the vectors of a doc set.
func (svc *Service) Wanted(ctx context.Context, s store.Set) (model.Vectors, error) {
	if !anyProfile(svc.home.Settings.Domains.Routing.Routes) {
		return svc.models.Vectors(ctx, svc.home.DomainOf(s)) // as for any route, without a look at the pages
	}
	r, err := svc.RoutingOf(ctx, s)
	if err != nil {
		return model.Vectors{}, err
	}
	return svc.models.Vectors(ctx, r.route)
}

// anyProfile reports whether a route has a profile: without one the same model makes the vectors of
// all.
func anyProfile(routes map[string]domain.Route) bool {
	for _, r := range routes {
		if r.Profile != "" {
			return true
		}
	}
	return false
}
