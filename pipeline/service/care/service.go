// Package care looks after a home: its content, its faults and their repair.
//
// It refuses to guess: a repair follows from a finding.
package care

import (
	"context"
	"time"

	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
	"docent/store"
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
	Graph   *graph.Service
	Inbox   *inbox.Service
	Intake  *intake.Service
	// Additions are of the features that need not be there.
	Additions
}

// Additions are what features add to the care of a home; none need be there.
type Additions struct {
	// Examiners look at a doc set; nil: there is nothing to be looked at.
	Examiners []func(store.Set) *finding.Finding
	// Keepers look at what other packages keep in the home; nil: there is nothing.
	Keepers []func(context.Context) *finding.Finding
	// Tasks are done in the background, in this order.
	Tasks []Task
	// Totals are counted since the home was opened.
	Totals []func() []Total
	// Servers, unless nil, gives figures of the servers that have the stores, and whether that of the
	// catalog answers. It takes a second at most.
	Servers func(context.Context) (figures []Total, alive bool)
	// Rows say how the doc sets stand with a feature, for status; nil: nothing is to be said.
	Rows []func([]library.SetInfo) *Row
}

// Row is a name with a text for people.
type Row struct{ Name, Text string }

// Task is work that a program which runs on does in the background.
type Task struct {
	Label string // of its progress: "vectors"
	Phase string // of its events
	// Work goes on with all doc sets, and returns after a turn; 0: when all is done.
	Work func(ctx context.Context, turn time.Duration, w home.Watch) error
}

// Total is a figure: one that only rises, or of Servers.
type Total struct {
	Name, Help string
	Value      float64
	Labels     []string // a name and its value
}

// Service looks after an opened home.
type Service struct {
	home    *home.Home
	models  Models
	lacks   []Lack // programs that read a format and are not installed
	library *library.Service
	vectors *vectors.Service
	added   Additions
	graph   *graph.Service
	inbox   *inbox.Service
	intake  *intake.Service
}

// New makes the service of a home.
func New(h *home.Home, models Models, lacks []Lack, p Parts) *Service {
	return &Service{home: h, models: models, lacks: lacks, library: p.Library, vectors: p.Vectors, added: p.Additions, graph: p.Graph,
		inbox: p.Inbox, intake: p.Intake}
}
