package versioning

import (
	"context"
	"strings"

	"docent/pipeline/contract"
	"docent/store"
	"docent/store/doc"
)

// newestTwo are a doc set and the version before it. A name without a version is its newest
// one.
func (svc *Service) newestTwo(ctx context.Context, name string) ([2]store.Set, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{name})
	if err != nil {
		return [2]store.Set{}, err
	}
	others, err := svc.siblings(ctx, sets[0])
	if err != nil {
		return [2]store.Set{}, err
	}
	newest := sets[0]
	if !strings.Contains(strings.ReplaceAll(name, ":", "@"), "@") && len(others) > 0 {
		if last := others[len(others)-1]; doc.CompareVersions(last.Ref.Version, newest.Ref.Version) > 0 {
			others[len(others)-1], newest = newest, last
		}
	}
	for i := len(others) - 1; i >= 0; i-- {
		if doc.CompareVersions(others[i].Ref.Version, newest.Ref.Version) < 0 {
			return [2]store.Set{others[i], newest}, nil
		}
	}
	return [2]store.Set{}, contract.Invalid("doc_sets", "%s has no older version here; add one, or name two doc sets", newest.Ref)
}
