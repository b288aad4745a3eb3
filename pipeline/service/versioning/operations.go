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
	Names []string `json:"names,omitempty" arg:"NAME" doc:"two doc sets, or one for its two newest versions, and a page"`
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

// IsOfPage reports whether a page was asked for: its sections have their lines.
func (d Diff) IsOfPage() bool { return d.ofPage }

// withoutSecond is the request for the two newest versions of the first doc set where the second name
// is no doc set and has no version: it begins the name of a page of these.
func (svc *Service) withoutSecond(ctx context.Context, req DiffRequest) DiffRequest {
	if req.Before == "" || strings.Contains(req.After, "@") {
		return req
	}
	if _, err := svc.home.Corpus.Resolve(ctx, []string{req.After}); err == nil {
		return req
	}
	if sets, err := svc.newestTwo(ctx, req.Before); err == nil {
		return DiffRequest{Before: sets[0].Ref.String(), After: sets[1].Ref.String(), Page: strings.TrimSpace(req.After + " " + req.Page)}
	}
	return req
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
				return svc.CompareSets(ctx, svc.withoutSecond(ctx, named))
			}).
			OnCommandLine(),
	}
}
