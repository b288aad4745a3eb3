package reading

import (
	"fmt"
	"testing"

	"docent/pipeline/knowledge/references"
)

// A package of SQLite's pages lacks one folder, and 6 995 links into it hid the six other broken
// links of the list. Links that miss the same page or folder are one line; others stay as they are.
func TestLinksIntoAMissingFolderAreOneLine(t *testing.T) {
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
	lines, single := groupMissing(all)
	want := []string{"s/gone/: no such page, 30 links, as in a.html:1 and a.html:2",
		"s/sub/one.html: no such page, 4 links, as in sub/b.html:1 and sub/b.html:2"}
	if fmt.Sprint(lines) != fmt.Sprint(want) || len(single) != 2 {
		t.Errorf("lines are %q, %d links stay, want %q and 2", lines, len(single), want)
	}
}

// Twenty pages that are missing from the doc set's own folder have nothing in common.
func TestPagesMissingFromTheTopStayApart(t *testing.T) {
	t.Parallel()
	var all []references.Broken
	for i := range 30 {
		all = append(all, references.Broken{DocSet: "s", Path: "a.html", Line: i + 1, Target: fmt.Sprintf("p%d.html", i)})
	}
	if lines, single := groupMissing(all); len(lines) > 0 || len(single) != 30 {
		t.Errorf("lines are %q, %d links stay, want none and 30", lines, len(single))
	}
}
