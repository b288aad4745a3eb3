package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/store"
)

// searchWider searches the doc sets too that the question does not imply, where those that it
// does have nothing better than a text. The run is nil where they are not searched, or have
// nothing better either.
func searchWider(ctx context.Context, r *run, results []contract.Result, sets, all []store.Set, explicit bool, names []string) (
	*run, []contract.Result, error) {
	if explicit || len(results) > 0 && !r.nearest && results[0].Level != contract.LevelContent {
		return nil, nil, nil
	}
	if len(results) > 0 && !r.nearest && knowsMost(r, results) {
		all = ofTheirNames(all, sets)
	}
	if len(sets) >= len(all) {
		return nil, nil, nil
	}
	wide := r.b.newRun(r.In, r.opt, sets, r.Empty)
	more, err := wide.searchSets(ctx, all)
	if err != nil || len(more) == 0 || wide.nearest || len(results) > 0 && !r.nearest && more[0].Level == contract.LevelContent {
		wide.close()
		return nil, nil, err
	}
	wide.note("%s; the other doc sets were searched too", fmt.Sprintf(widened(results, r.nearest), strings.Join(names, ", ")))
	return wide, more, nil
}

// knowsMost reports whether more than half of the question's words stand in the best hits.
func knowsMost(r *run, results []contract.Result) bool {
	c := r.resultMaker().coverage(results)
	return 2*len(c.Missing) < len(c.Terms)
}

// ofTheirNames are those of all doc sets that are versions of some. The others are what no
// question is about that does not name them: they were searched for “delete everything” too,
// and had it in a heading.
func ofTheirNames(all, some []store.Set) []store.Set {
	names := map[string]bool{}
	for _, s := range some {
		names[s.Ref.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(s store.Set) bool { return !names[s.Ref.Name] })
}

// widened says why the other doc sets were searched too; %s stands for those that were
// asked.
func widened(results []contract.Result, nearest bool) string {
	titled := func(r contract.Result) bool { return r.Level != contract.LevelContent }
	switch {
	case len(results) == 0 || nearest:
		return "nothing was found in %s"
	case slices.ContainsFunc(results, titled):
		return "the best page in %s has this in its text only"
	}
	return "nothing in %s has this in a title or table of contents"
}
