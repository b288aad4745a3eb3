package references_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"docent/pipeline/knowledge/references"
)

// A doc set with more pages than are decoded at once has the edges that it would have if all were:
// links lead to sections of pages far away, names and labels to the only page that has them.
func TestMorePagesThanAreHeld(t *testing.T) {
	t.Parallel()
	const pages = 3000
	pathOf := func(i int) string { return fmt.Sprintf("p%04d.md", i) }
	s := set{}
	for i := range pages {
		far := (i + pages/2) % pages
		s[pathOf(i)] = fmt.Sprintf("# Page %d\n\n## Wick %d\n\nSee [far](%s#wick-%d). See \"Lamp oil %d\".\n\n## Lamp oil %d\n", i, i,
			pathOf(far), far, far, i)
	}
	kept := s.kept(t, references.Defaults())
	state := references.State{Generation: "g000001", Rules: references.Defaults().RulesName()}
	raw, err := resolve(state, kept, references.Before{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(kept)
	if again, err := resolve(state, kept, references.Before{}); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("in another order the graph has other bytes: %v", err)
	}
	g, err := references.OpenGraph(lamps, raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	led := map[string]map[string]bool{}
	err = g.EachEdge(func(_ references.Edge, from references.Node, to *references.Node) bool {
		if to == nil {
			t.Errorf("%s: an edge leads out of the doc set", from.Path)
			return false
		}
		if led[from.Path] == nil {
			led[from.Path] = map[string]bool{}
		}
		led[from.Path][to.Path+": "+to.Title] = true
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		far := (i + pages/2) % pages
		for _, title := range []string{"Wick", "Lamp oil"} {
			if want := fmt.Sprintf("%s: %s %d", pathOf(far), title, far); !led[pathOf(i)][want] {
				t.Fatalf("%s: no edge to %s, but to %v", pathOf(i), want, led[pathOf(i)])
			}
		}
	}
}
