package versioning

import (
	"context"
	"errors"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
	"docent/store"
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
// is no doc set and has no version: it begins the name of a page of these. It fails where the name is
// neither a doc set nor a page, or a page of a doc set that has one version.
func (svc *Service) withoutSecond(ctx context.Context, req DiffRequest) (DiffRequest, error) {
	if req.Before == "" || strings.Contains(req.After, "@") {
		return req, nil
	}
	_, noSet := svc.home.Corpus.Resolve(ctx, []string{req.After})
	first, err := svc.home.Corpus.Resolve(ctx, []string{req.Before})
	if err != nil || !errors.Is(noSet, contract.ErrNotThere) {
		return req, nil // the comparison finds the doc sets, or says which is unknown
	}
	page := strings.TrimSpace(req.After + " " + req.Page)
	two, alone := svc.newestTwo(ctx, req.Before)
	sets := two[:]
	if alone != nil {
		sets = first
	}
	missing := true
	for _, set := range sets {
		_, _, err := svc.locate.FindPage(ctx, page, []string{set.Ref.String()})
		missing = missing && errors.Is(err, contract.ErrNotThere)
	}
	if missing {
		return req, neitherPageNorSet(noSet, page, sets)
	}
	if alone != nil {
		return req, alone
	}
	return DiffRequest{Before: two[0].Ref.String(), After: two[1].Ref.String(), Page: page}, nil
}

// neitherPageNorSet is the error of a name that could be a page of doc sets or another doc set, with
// the details and the remedy of the error of an unknown doc set.
func neitherPageNorSet(unknown error, name string, sets []store.Set) error {
	var refs []string
	for _, s := range sets {
		refs = append(refs, s.Ref.String())
	}
	e := contract.Invalid("doc_sets", "%q is neither a page of %s nor a doc set", name, strings.Join(refs, " or "))
	e.Err = contract.ErrNotThere
	if of, ok := errors.AsType[*contract.Error](unknown); ok {
		e.Details, e.Remedy = of.Details, of.Remedy
		if near, _ := of.Details["nearest"].([]string); len(near) > 0 {
			e.Message += "; did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return e
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
				named, err := svc.withoutSecond(ctx, named)
				if err != nil {
					return Diff{}, err
				}
				return svc.CompareSets(ctx, named)
			}).
			OnCommandLine(),
	}
}
