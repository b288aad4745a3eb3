package graph

import (
	"context"
	"net/http"

	"docent/pipeline/service/operation"
)

// RelationsRequest asks for the relations of a page or a section.
type RelationsRequest struct {
	Set       string   `json:"doc_set" path:"set" doc:"Name@version, or Name for the newest version"`
	Page      string   `json:"page" path:"page" doc:"its path in the doc set, or its title"`
	Section   string   `json:"section,omitempty" query:"section" doc:"only the section under this heading, or #anchor"`
	Threshold *float64 `json:"threshold,omitempty" query:"threshold" minimum:"0" maximum:"1" doc:"the score from which relations are given; without it the configuration's"`
	Limit     int      `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000000000" doc:"relations at most, of those from here and of those to here"`
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("relations", "what a page or section refers to, requires and warns of",
			func(ctx context.Context, svc *Service, req RelationsRequest) (References, error) {
				at, err := svc.locate.Named(ctx, req.Set, req.Page)
				if err != nil {
					return References{}, err
				}
				at.Section = req.Section
				out, err := svc.References(ctx, ReferencesRequest{ReadRequest: at, Threshold: req.Threshold})
				if err == nil && req.Limit > 0 {
					out.From, out.To = out.From[:min(req.Limit, len(out.From))], out.To[:min(req.Limit, len(out.To))]
				}
				return out, err
			}).
			Over(operation.Route{Method: http.MethodGet, Path: "/api/docsets/{set}/references/{page}", ID: "references",
				Prints: "graph --json",
				About:  "what a page or a section of it requires, warns of, replaces and refers to, and what leads there"}),
	}
}
