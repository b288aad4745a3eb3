package app

import (
	"slices"

	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/care"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/impact"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/params"
	"docent/pipeline/service/sources"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/versioning"
)

// Operations are those of all features, one line a feature: what the command line, the HTTP
// interface and the tools for agents are made from.
func Operations() []operation.Operation[*service.Services] {
	return slices.Concat(
		operation.Through(func(s *service.Services) *answers.Service { return s.Answers }, answers.Operations()),
		operation.Through(func(s *service.Services) *pages.Service { return s.Pages }, pages.Operations()),
		operation.Through(func(s *service.Services) *library.Service { return s.Library }, library.Operations()),
		operation.Through(func(s *service.Services) *sourcing.Service { return s.Sourcing }, sourcing.Operations()),
		operation.Through(func(s *service.Services) *intake.Service { return s.Intake }, intake.Operations()),
		operation.Through(func(s *service.Services) *graph.Service { return s.Graph }, graph.Operations()),
		operation.Through(func(s *service.Services) *params.Service { return s.Params }, params.Operations()),
		operation.Through(func(s *service.Services) *versioning.Service { return s.Versioning }, versioning.Operations()),
		operation.Through(func(s *service.Services) *impact.Service { return s.Impact }, impact.Operations()),
		operation.Through(func(s *service.Services) *care.Service { return s.Care }, care.Operations()),
		operation.Through(func(s *service.Services) *enrichment.Service { return s.Enrichment }, enrichment.Operations()),
		operation.Through(func(s *service.Services) *sources.Service { return s.Sources }, sources.Operations()),
	)
}
