package sources

import (
	"context"
	"net/http"

	"docent/pipeline/service/operation"
)

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("sources", "the names whose documentation is known: recipes",
			func(ctx context.Context, svc *Service, req Request) (SourceList, error) { return svc.List(ctx, req) }).
			OnCommandLine().WithWords(operation.Words{Seldom: true}).
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/sources", ID: "sources", Prints: "sources --json",
				About: "the recipes, narrowed by words: where the documentation of a name comes from"}),
	}
}
