// Package service has the services over an opened home, one for each subject. All doors
// use them.
//
// It refuses to do anything itself: a door asks the service of its subject, and the program
// wires them.
package service

import (
	"errors"

	"docent/pipeline/service/answers"
	"docent/pipeline/service/care"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/impact"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/measure"
	"docent/pipeline/service/packing"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/params"
	"docent/pipeline/service/sources"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/syncing"
	"docent/pipeline/service/synonyms"
	"docent/pipeline/service/vectors"
	"docent/pipeline/service/versioning"
)

// Services are the services of an opened home.
type Services struct {
	Home       *home.Home
	Locate     *locate.Service
	Graph      *graph.Service
	Enrichment *enrichment.Service
	Versioning *versioning.Service
	Impact     *impact.Service
	Params     *params.Service
	Synonyms   *synonyms.Service
	Vectors    *vectors.Service
	Inbox      *inbox.Service
	Library    *library.Service
	Sourcing   *sourcing.Service
	Syncing    *syncing.Service
	Packing    *packing.Service
	Pages      *pages.Service
	Answers    *answers.Service
	Intake     *intake.Service
	Measure    *measure.Service
	Care       *care.Service
	Sources    *sources.Service
}

// Close closes the home and what the services opened of it.
func (s *Services) Close() error { return errors.Join(s.Inbox.Close(), s.Home.Close()) }
