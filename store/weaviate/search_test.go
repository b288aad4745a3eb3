package weaviate

import (
	"maps"
	"slices"
	"testing"

	"docent/store"
	"docent/store/weaviate/wire"
)

// A search finds the same whatever it gives of the objects, under the same conditions, and nothing of an earlier
// generation or a later one by ids alone.
func finds(t *testing.T, fresh func() conforming) {
	c := conformingWords{fresh()}
	const documents = 3
	find := func(x *index, want want, where *wire.Filter) []found {
		t.Helper()
		list, err := x.c.find(t.Context(), request{kind: words, tenant: x.state.Tenant, limit: 10, want: want, where: where,
			ranking: &wire.Ranking{Query: tokenOf("pod"), Property: termsProperty}})
		if err != nil {
			t.Fatal(err)
		}
		if want == wantIDs && x.c.HasRemote() {
			list = x.memory.named(x.opened, list)
		}
		return x.living(list)
	}
	var earlier *index
	for round := range int64(2) {
		if err := c.Publish(t.Context(), roundOf(round, documents)); err != nil {
			t.Fatal(err)
		}
		x, err := c.c.openWords(t.Context(), c.set)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, of := range []*index{x, earlier} {
			if of == nil {
				continue
			}
			whole := keysOf(find(of, wantWhole, nil))
			if len(whole) != documents {
				t.Fatalf("%d documents are found", len(whole))
			}
			for _, want := range []want{wantNames, wantIDs} {
				if got := keysOf(find(of, want, nil)); !slices.Equal(got, whole) {
					t.Errorf("want %d gives %v, not %v", want, got, whole)
				}
			}
		}
		for _, k := range keysOf(find(x, wantWhole, nil))[:2] {
			ids = append(ids, passageID(x.state.Tenant, k, x.has.documents[k.Doc].born))
		}
		for _, condition := range []struct {
			born int64
			want int
		}{{x.state.Change, 2}, {x.state.Change - 1, 0}} {
			where := allHold(anyText(wire.IDProperty, ids),
				&wire.Filter{Operator: wire.LessThanEqual, Property: bornProperty, Number: condition.born})
			if got := find(x, wantWhole, where); len(got) != condition.want {
				t.Errorf("%d objects fulfil the condition, not %d", len(got), condition.want)
			}
		}
		earlier = x
	}
	warms(t, earlier)
}

func keysOf(list []found) []store.Key {
	keys := map[store.Key]bool{}
	for _, f := range list {
		keys[f.key()] = true
	}
	return slices.SortedFunc(maps.Keys(keys), store.Key.Compare)
}

// Once answers bring nothing new, only ids are asked for; a passage that is not in memory changes that.
func warms(t *testing.T, x *index) {
	t.Helper()
	r := &store.Ranking{Stages: []store.Stage{{Terms: []store.WeightedTerm{{Term: "pod", Weight: 1}}}}}
	for range coldFor + 1 {
		if want := x.wantFor(3); want != wantWhole {
			t.Fatalf("want %d before enough answers brought nothing new", want)
		}
		if _, err := x.Candidates(t.Context(), r, 3); err != nil {
			t.Fatal(err)
		}
	}
	if want := x.wantFor(3); want != wantIDs {
		t.Errorf("want %d though answers bring nothing new", want)
	}
	list, err := x.Candidates(t.Context(), r, 3)
	if err != nil || len(list) != 3 {
		t.Errorf("%d candidates, %v", len(list), err)
	}
	x.memory.passages = newMemory().passages
	evidence, err := x.Evidence(t.Context(), []string{"pod"}, []store.Key{list[0].Key})
	if err != nil || len(evidence) != 1 || len(evidence[0].Occurrences) == 0 {
		t.Errorf("%v, %v", evidence, err)
	}
	if want := x.wantFor(3); want != wantWhole {
		t.Errorf("want %d though a passage was not in memory", want)
	}
}
