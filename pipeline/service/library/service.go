// Package library adds, updates, follows, describes and forgets doc sets.
//
// It refuses to read pages for people: docent/pipeline/service/pages does.
package library

import (
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/vectors"
	"docent/pipeline/service/versioning"
)

// Service keeps the doc sets of an opened home.
type Service struct {
	home       *home.Home
	vectors    *vectors.Service
	records    *records.Service
	versioning *versioning.Service
	inbox      *inbox.Service
}

// New makes the service of a home.
func New(h *home.Home, v *vectors.Service, kept *records.Service, versions *versioning.Service, handed *inbox.Service) *Service {
	return &Service{home: h, vectors: v, records: kept, versioning: versions, inbox: handed}
}
