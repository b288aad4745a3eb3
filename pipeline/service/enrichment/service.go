// Package enrichment has models say what sections are about, section by section, and keeps
// it: docent enrich, and the work in the background.
//
// It refuses to change the searched text: records are an addition to the pages.
package enrichment

import (
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
)

// Service enriches the doc sets of an opened home.
type Service struct {
	home         *home.Home
	locate       *locate.Service
	records      *records.Service
	graph        *graph.Service
	enrichers    Enrichers // nil: no model enriches
	enrichCounts enrichCounts
}

// New makes the service of a home.
func New(h *home.Home, pages *locate.Service, kept *records.Service, relations *graph.Service, models Enrichers) *Service {
	return &Service{home: h, locate: pages, records: kept, graph: relations, enrichers: models}
}
