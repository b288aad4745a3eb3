// Package records keeps the enrichments of doc sets, a file of records for each, and gives
// what they say of sections.
//
// It refuses to ask a model: docent/pipeline/service/enrichment does, and adds the records.
package records

import "docent/pipeline/service/home"

// Service opens the files of records of an opened home.
type Service struct {
	home        *home.Home
	enrichments enrichedFiles
}

// New makes the service of a home.
func New(h *home.Home) *Service { return &Service{home: h} }
