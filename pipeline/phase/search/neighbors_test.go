package search_test

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// best gives the first heading that a question finds.
func best(t *testing.T, h *corpustest.Home, query string) contract.Heading {
	t.Helper()
	out := find(t, h, contract.SearchInput{Query: []string{query}})
	if len(out.Results) == 0 {
		t.Fatalf("%q finds nothing", query)
	}
	return out.Results[0].Headings[0]
}

// A question that finds step 7 has steps 6 and 8 as its neighbors:
// test_neighbor_retrieval of the domain specification.
func TestNeighborRetrieval(t *testing.T) {
	t.Parallel()
	work := []string{"unpack", "inspect", "clean", "fill", "trim", "assemble", "calibrate the photometer", "hoist", "light", "log"}
	var page strings.Builder
	page.WriteString("# Rigging\n\n")
	for i, w := range work {
		fmt.Fprintf(&page, "## Step %d\n\nNow %s.\n\n", i+1, w)
	}
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{"rig.md": page.String()})
	hit := best(t, h, "calibrate photometer")
	n := hit.Neighbors
	if hit.Text != "## Step 7" || n == nil || n.Prev == nil || n.Next == nil {
		t.Fatalf("%+v", hit)
	}
	for _, tt := range []struct {
		beside *contract.Neighbor
		query  string
	}{{n.Prev, "assemble"}, {n.Next, "hoist"}} {
		other := best(t, h, tt.query)
		if tt.beside.SpanID != other.SpanID || tt.beside.Lines != other.Lines || tt.beside.Path[1] != other.Path[1] {
			t.Errorf("beside it stands %+v, and %q finds %+v", tt.beside, tt.query, other)
		}
	}
	if hit.SpanID == n.Prev.SpanID || len(hit.SpanID) != 16 || hit.SpanType != "paragraph" {
		t.Errorf("%+v", hit)
	}
	if first := best(t, h, "unpack"); first.Neighbors.Prev == nil || first.Neighbors.Prev.Lines != [2]int{1, 1} {
		t.Errorf("before step 1 stands %+v", first.Neighbors.Prev)
	}
	if last := best(t, h, "log"); last.Neighbors.Next != nil {
		t.Errorf("behind the last step stands %+v", last.Neighbors.Next)
	}
}

// A procedure that is longer than a chunk should be stays whole, and says which of its
// lines the question is about and which may be collapsed: test_large_chunk_adjacency.
func TestLargeChunkAdjacency(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("# Rigging\n\n")
	for i := 1; i <= 60; i++ {
		work := "turn the winch by one notch and look whether the lamp hangs level, which it should do at any height of the mast"
		if i == 30 {
			work = "calibrate the photometer"
		}
		fmt.Fprintf(&page, "%d. Now %s.\n", i, work)
	}
	page.WriteString("\n## After\n\nStow the tools.\n")
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{"rig.md": page.String()})
	hit := best(t, h, "calibrate photometer")
	const step = 32 // its line
	n := hit.Neighbors
	if hit.Lines != [2]int{1, 62} || n == nil || n.Focus == nil || n.Collapsed == nil || n.Collapsed.Before == nil || n.Collapsed.After == nil {
		t.Fatalf("%+v, %+v", hit, n)
	}
	if f := *n.Focus; f[0] >= step || f[1] <= step || f[1]-f[0] > 30 {
		t.Errorf("the lines %v are about line %d", f, step)
	}
	if b, a := *n.Collapsed.Before, *n.Collapsed.After; b != (contract.LineRange{1, n.Focus[0] - 1}) || a != (contract.LineRange{n.Focus[1] + 1, 62}) {
		t.Errorf("around %v: %v, %v", *n.Focus, b, a)
	}
	if n.Next == nil || n.Next.Path[1] != "After" {
		t.Errorf("behind it stands %+v", n.Next)
	}
	if short := best(t, h, "stow the tools"); short.Neighbors.Focus != nil || short.Neighbors.Collapsed != nil {
		t.Errorf("a short one has %+v", short.Neighbors)
	}
}
