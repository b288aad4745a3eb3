package graph

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"docent/pipeline/service/locate"
	"docent/pipeline/service/operation"
)

// RelationsRequest asks for the relations of a page or a section.
type RelationsRequest struct {
	Set       string   `json:"doc_set" path:"set"`
	Page      string   `json:"page" path:"page"`
	Section   string   `json:"section,omitempty" query:"section"`
	Threshold *float64 `json:"threshold,omitempty" query:"threshold" minimum:"0" maximum:"1"`
	Limit     int      `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000000000"`
}

// FieldTags are the texts of the fields.
func (RelationsRequest) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Set":       `doc:"Name@version, or Name for the newest version"`,
		"Page":      `doc:"its path in the doc set, or its title"`,
		"Section":   `doc:"only the section under this heading, or #anchor"`,
		"Threshold": `doc:"the score from which relations are given; without it the configuration's"`,
		"Limit":     `doc:"relations at most, of those from here and of those to here"`,
	}
}

// NamedRequest asks for the relations of a page or section as a person names it, or for the
// broken links of doc sets or pages.
type NamedRequest struct {
	Names     []string `json:"names,omitempty" arg:"SET/PAGE[#SECTION]" doc:"a page, or a section of it; doc sets or pages with broken"`
	Sets      []string `json:"doc_sets,omitempty" flag:"set" doc:"narrows to these doc sets"`
	Broken    bool     `json:"broken,omitempty" flag:"broken" doc:"list the links of doc sets or pages that lead nowhere"`
	Threshold *float64 `json:"threshold,omitempty" flag:"threshold" doc:"the score from which relations are shown"`
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
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/docsets/{set}/references/{page}", ID: "references",
				Prints: "graph --json",
				About:  "what a page or a section of it requires, warns of, replaces and refers to, and what leads there"}),
		operation.New("graph", "what a page or section refers to, requires and warns of",
			func(ctx context.Context, svc *Service, req NamedRequest) (any, error) {
				return svc.answerNamed(ctx, req)
			}).
			OnCommandLine(),
	}
}

// answerNamed gives References of a page or section, or BrokenLinks.
func (svc *Service) answerNamed(ctx context.Context, req NamedRequest) (any, error) {
	if req.Broken {
		return svc.Broken(ctx, req.Names, req.Sets)
	}
	at := locate.ReadRequest{Sets: req.Sets}
	at.Page, at.Section = svc.locate.PageAndSection(ctx, strings.Join(req.Names, " "), req.Sets)
	return svc.References(ctx, ReferencesRequest{ReadRequest: at, Threshold: req.Threshold})
}
