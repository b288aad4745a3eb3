package app

import (
	"slices"

	"docent/pipeline/service/home"
	"docent/pipeline/service/operation"
)

// Operations are those of all features, one line a feature: what the command line, the HTTP
// interface and the tools for agents are made from.
func Operations() []operation.Operation[*home.Home] {
	return slices.Concat(
		home.ParameterOperations(),
	)
}
