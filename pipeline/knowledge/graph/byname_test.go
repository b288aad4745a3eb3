package graph

import (
	"slices"
	"testing"
)

func TestByName(t *testing.T) {
	var b ByName
	if got := slices.Collect(b.All("wick")); len(got) > 0 {
		t.Errorf("an empty list has %v", got)
	}
	for page, name := range []string{"wick", "oil", "wick", "lamp", "wick"} {
		b.Add(name, page)
	}
	for name, want := range map[string][]int{"wick": {0, 2, 4}, "oil": {1}, "lamp": {3}, "trim": nil} {
		if got := slices.Collect(b.All(name)); !slices.Equal(got, want) {
			t.Errorf("%s: pages %v, want %v", name, got, want)
		}
		only, ok := b.Only(name)
		if ok != (len(want) == 1) || ok && only != want[0] {
			t.Errorf("%s: the only page is %d, %t; the pages are %v", name, only, ok, want)
		}
	}
	for page := range b.All("wick") { // an early end
		if page == 2 {
			break
		}
	}
}
