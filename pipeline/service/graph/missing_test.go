package graph

import (
	"fmt"
	"reflect"
	"testing"

	"docent/pipeline/knowledge/references"
)

// A package of SQLite's pages lacks one folder, and 6 995 links into it hid the six other broken
// links of the list. Links that miss the same page or folder are one group; others stay as they are.
func TestLinksIntoAMissingFolderAreOneGroup(t *testing.T) {
	t.Parallel()
	var all []references.Broken
	for i := range 30 {
		all = append(all, references.Broken{DocSet: "s", Path: "a.html", Line: i + 1, Target: fmt.Sprintf("gone/p%d.html#x", i)})
	}
	for i := range 4 {
		all = append(all, references.Broken{DocSet: "s", Path: "sub/b.html", Line: i + 1, Target: "one.html"})
	}
	all = append(all, references.Broken{DocSet: "s", Path: "c.html", Line: 9, Target: "alone.html"},
		references.Broken{DocSet: "s", Path: "c.html", Line: 10, Target: "a.html#no", Missing: references.NoAnchor.String()})
	places, single := GroupMissing(all)
	want := []MissingPlace{{"s/gone/", 30, all[:2]}, {"s/sub/one.html", 4, all[30:32]}}
	if !reflect.DeepEqual(places, want) || len(single) != 2 {
		t.Errorf("places are %+v, %d links stay, want %+v and 2", places, len(single), want)
	}
}

// Twenty pages that are missing from the doc set's own folder have nothing in common.
func TestPagesMissingFromTheTopStayApart(t *testing.T) {
	t.Parallel()
	var all []references.Broken
	for i := range 30 {
		all = append(all, references.Broken{DocSet: "s", Path: "a.html", Line: i + 1, Target: fmt.Sprintf("p%d.html", i)})
	}
	if lines, single := GroupMissing(all); len(lines) > 0 || len(single) != 30 {
		t.Errorf("places are %+v, %d links stay, want none and 30", lines, len(single))
	}
}
