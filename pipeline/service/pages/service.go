// Package pages reads pages, sections and parts of them for people and programs,
// unchanged, and lists their headings and titles.
//
// It refuses to rank: docent/pipeline/service/answers does.
package pages

import (
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/versioning"
)

// Service reads the pages of an opened home.
type Service struct {
	home       *home.Home
	locate     *locate.Service
	records    *records.Service
	graph      *graph.Service
	versioning *versioning.Service
}

// New makes the service of a home.
func New(h *home.Home, places *locate.Service, kept *records.Service, relations *graph.Service, versions *versioning.Service) *Service {
	return &Service{home: h, locate: places, records: kept, graph: relations, versioning: versions}
}
