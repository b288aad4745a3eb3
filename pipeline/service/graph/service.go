// Package graph answers from the reference graphs of doc sets: what a page refers to,
// requires and warns of, what leads to it, and which links lead nowhere. A graph that is
// missing, damaged or older than its index is made when it is asked for.
//
// It refuses to find references: docent/pipeline/knowledge/references does.
package graph

import (
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
)

// Service holds the graphs of an opened home.
type Service struct {
	home    *home.Home
	locate  *locate.Service
	records *records.Service // relations that models found
	graphs  graphs
}

// New makes the service of a home.
func New(h *home.Home, pages *locate.Service, found *records.Service) *Service {
	return &Service{home: h, locate: pages, records: found}
}
