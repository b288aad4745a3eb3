// Package care looks after a home: its content, its faults and their repair.
//
// It refuses to guess: a repair follows from a finding.
package care

import (
	"docent/pipeline/service/enrichment/records"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
)

// Models are the model servers of the configuration.
type Models interface {
	// Required reports whether a missing model is an error.
	Required() bool
	// Servers opens the model servers of the configuration, to examine them.
	Servers() ([]*vectors.ModelServer, error)
}

// Parts are the services whose work is looked after.
type Parts struct {
	Library *library.Service
	Vectors *vectors.Service
	Records *records.Service
	Graph   *graph.Service
	Inbox   *inbox.Service
	Intake  *intake.Service
}

// Service looks after an opened home.
type Service struct {
	home    *home.Home
	models  Models
	lacks   []Lack // programs that read a format and are not installed
	library *library.Service
	vectors *vectors.Service
	records *records.Service
	graph   *graph.Service
	inbox   *inbox.Service
	intake  *intake.Service
}

// New makes the service of a home.
func New(h *home.Home, models Models, lacks []Lack, p Parts) *Service {
	return &Service{home: h, models: models, lacks: lacks, library: p.Library, vectors: p.Vectors, records: p.Records, graph: p.Graph,
		inbox: p.Inbox, intake: p.Intake}
}
