package versioning

import (
	"context"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// NamedRequest asks for the differences of two doc sets, in the order in which a person names
// them: the doc sets that narrow, then the other words, of which the last may be a page.
type NamedRequest struct {
	Names []string `json:"names,omitempty" arg:"NAME" doc:"two doc sets, and a page"`
	Sets  []string `json:"doc_sets,omitempty" flag:"set" doc:"doc sets, in place of the first names"`
}

// Named is the request for the doc sets and the page that were named, or for the two newest
// versions of the doc set that is named alone; ok is false where these are neither.
func (r NamedRequest) Named() (req DiffRequest, ok bool) {
	all := slices.Concat(r.Sets, r.Names)
	if len(all) == 1 {
		return DiffRequest{After: all[0]}, true
	}
	if len(all) < 2 || len(r.Sets) > 2 {
		return DiffRequest{}, false
	}
	return DiffRequest{Before: all[0], After: all[1], Page: strings.Join(all[2:], " ")}, true
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("diff", "what differs between two versions of a doc set",
			func(ctx context.Context, svc *Service, req NamedRequest) (Diff, error) {
				named, ok := req.Named()
				if !ok {
					return Diff{}, contract.Invalid("names",
						"two doc sets are compared, or a page of them; name two, or one that has two versions")
				}
				return svc.CompareSets(ctx, named)
			}).
			OnCommandLine(),
	}
}
