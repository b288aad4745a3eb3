package impact

import (
	"context"
	"net/http"
	"reflect"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/versioning"
)

// Request asks for the changes between two versions that concern a project.
type Request struct {
	Names []string `json:"doc_sets,omitempty" arg:"NAME" tool:"versions"`
	Sets  []string `json:"-" flag:"set" doc:"doc sets, in place of the names"`
	// In is the project's folder, "" where there is none. Only the command line takes one: a
	// server reads no folder that somebody names.
	In   string   `json:"in,omitempty" flag:"in" default:"." doc:"the project's folder"`
	Also []string `json:"also,omitempty" flag:"also" doc:"other words by which the project names the product"`
	All  bool     `json:"all,omitempty" flag:"all" doc:"also changes of names that the project does not use"`
	// Of are the names to report on, without a folder; none: all.
	Of    []string `json:"names,omitempty" tool:"names"`
	Limit int      `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000000000" doc:"changes at most, the gravest first"`
}

// FieldTags are the texts of the fields.
func (Request) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Names": `query:"doc_set,a doc set, Name or Name@version; given twice, or once for its two newest versions"` +
			` doc:"two doc sets, or one that has two versions"`,
		"Of": `query:"name,only changes of this name; may be repeated"` +
			` doc:"only changes of these names, such as those that a project uses"`,
	}
}

// Named are the doc sets of a request; ok is false where they are neither two nor one.
func (r Request) Named() (versioning.DiffRequest, bool) {
	named, ok := versioning.NamedRequest{Names: r.Names, Sets: r.Sets}.Named()
	return named, ok && named.Page == ""
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("impact", "which names that a project uses are documented otherwise in a newer version",
			func(ctx context.Context, svc *Service, req Request) (Answer, error) { return svc.Impact(ctx, req) }).
			OnCommandLine().WithWords(operation.Words{Seldom: true}).
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/impact", ID: "impact",
				About: "the options, settings and functions that a newer version of a doc set removes, renames or deprecates, or " +
					"gives another default or type"}).
			ForAgents(operation.Shortened("list_changed_names", "List what a new version changes",
				"Lists the options, flags, settings, fields and functions that a newer version of a documentation removes, renames or "+
					"deprecates, or gives another default or type, with the page and lines of both versions. "+
					"Give the names that the code uses to hear of these alone.", listForAgent)),
	}
}

// checkNamed is an error unless a request names two doc sets, or one.
func (r Request) checkNamed() (versioning.DiffRequest, error) {
	named, ok := r.Named()
	if !ok {
		return named, contract.Invalid("doc_sets", "two doc sets are compared; name two, or one that has two versions")
	}
	return named, nil
}
