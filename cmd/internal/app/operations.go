package app

import (
	"slices"

	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/params"
)

// Operations are those of all features, one line a feature: what the command line, the HTTP
// interface and the tools for agents are made from.
func Operations() []operation.Operation[*service.Services] {
	return slices.Concat(
		operation.Through(func(s *service.Services) *answers.Service { return s.Answers }, answers.Operations()),
		operation.Through(func(s *service.Services) *params.Service { return s.Params }, params.Operations()),
	)
}
