package domain

import (
	"cmp"

	"docent/store"
	"docent/store/doc"
)

// The sharings of an index.
const (
	SharingPerRepo = "per-repo" // each doc set has an index of its own
	SharingShared  = "shared"   // all doc sets of a route have one
)

// Sharings lists them.
func Sharings() []string { return []string{SharingShared, SharingPerRepo} }

// The slice types that documents get.
const (
	sliceCode         = "code"
	sliceManual       = "tech_manual"
	sliceAPIReference = "tech_api_reference"
	sliceContract     = "legal_contract"
	sliceRegulation   = "legal_regulation"
	sliceClinical     = "medical_clinical"
	sliceResearch     = "medical_research"
)

// SliceTypes lists them.
func SliceTypes() []string {
	return []string{sliceCode, sliceManual, sliceAPIReference, sliceContract, sliceRegulation, sliceClinical, sliceResearch}
}

// Route is one of [embeddings.routes].
type Route struct {
	Profile string // an embedding profile, "" for the default one
	Index   string // the first part of the index's name; "": emb_ and the route's name
	Sharing string // "": SharingPerRepo
	Suffix  string // index_name_suffix
}

// Routing is what the configuration says of routes.
type Routing struct {
	SliceTypes map[string]string // [routing.slice_type_to_route]
	Routes     map[string]Route  // [embeddings.routes]
}

// IndexName is the name of an index: base itself where all doc sets share it, else
// base_repo and the suffix.
func IndexName(base, repo, sharing, suffix string) string {
	if sharing == SharingShared {
		return base
	}
	return base + "_" + repo + suffix
}

// routeOf is the name of the route of a slice type of a domain: the configured one, or
// the domain's name.
func (r Routing) routeOf(sliceType, domain string) string {
	return cmp.Or(r.SliceTypes[sliceType], domain)
}

// RouteFor gives a document of a doc set its slice type, its index and its profile.
func (r Routing) RouteFor(d Decision, sliceType string, set doc.Ref) store.Routing {
	name := r.routeOf(sliceType, d.Domain)
	route := r.Routes[name]
	return store.Routing{
		Reason: d.Reason, SliceType: sliceType, Route: name, Profile: route.Profile,
		Index: IndexName(cmp.Or(route.Index, "emb_"+name), set.String(), route.Sharing, route.Suffix),
	}
}
