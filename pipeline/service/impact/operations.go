package impact

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
	"docent/pipeline/service/versioning"
)

// Request asks for the changes between two versions that concern a project.
type Request struct {
	Names []string `json:"doc_sets,omitempty" arg:"NAME" doc:"two doc sets, or one that has two versions"`
	Sets  []string `json:"-" flag:"set" doc:"doc sets, in place of the names"`
	// In is the project's folder. No door but the command line takes one.
	In   string   `json:"in,omitempty" flag:"in" default:"." doc:"the project's folder"`
	Also []string `json:"also,omitempty" flag:"also" doc:"other words by which the project names the product"`
	All  bool     `json:"all,omitempty" flag:"all" doc:"also changes of names that the project does not use"`
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
			func(ctx context.Context, svc *Service, req Request) (Answer, error) {
				if _, ok := req.Named(); !ok {
					return Answer{}, contract.Invalid("doc_sets", "two doc sets are compared; name two, or one that has two versions")
				}
				return svc.Impact(ctx, req)
			}).
			OnCommandLine().WithWords(operation.Words{Seldom: true}),
	}
}
