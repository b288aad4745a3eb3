// Package pages reads pages, sections and parts of them for people and programs,
// unchanged, and lists their headings and titles.
//
// It refuses to rank: docent/pipeline/service/answers does.
package pages

import (
	"context"

	"docent/pipeline/corpus"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/versioning"
)

// Service reads the pages of an opened home.
type Service struct {
	home       *home.Home
	locate     *locate.Service
	summaries  Summaries
	graph      *graph.Service
	versioning *versioning.Service
}

// wholePage stands for the page where the number of a section is asked for.
const wholePage = -1

// Summaries gives the summaries of a page's sections by their numbers, -1 the whole page's.
// The function that it gives is safe for concurrent use, and may outlive the call.
type Summaries func(context.Context, *corpus.Page) func(section int) string

// noSummaries has no summaries.
func noSummaries(context.Context, *corpus.Page) func(int) string {
	return func(int) string { return "" }
}

// New makes the service of a home. summaries may be nil: there are none then.
func New(h *home.Home, places *locate.Service, relations *graph.Service, versions *versioning.Service, summaries Summaries) *Service {
	if summaries == nil {
		summaries = noSummaries
	}
	return &Service{home: h, locate: places, summaries: summaries, graph: relations, versioning: versions}
}

// Summaries gives the summaries of a page's sections.
func (svc *Service) Summaries(ctx context.Context, p *corpus.Page) func(section int) string {
	return svc.summaries(ctx, p)
}
