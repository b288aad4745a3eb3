package versioning_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/versioning"
)

// lantern is two versions of a doc set, of which each page tells a part of the story.
func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1.9", map[string]string{
		"same.md":    "# Same\n\nNothing happens here, in no version of it.\n",
		"wick.md":    "# Wick care\n\nA wick draws oil.\n\n## Trim\n\nTrim the wick to six millimetres every evening.\n\n## Soak\n\nSoak a new wick in vinegar for one night.\n",
		"removed.md": "# Candles\n\nCandles are of tallow and of beeswax, and they are dipped by hand.\n",
		"oldname.md": "# Storm glass\n\nThe glass is cleaned with chalk, and it is dried with a linen cloth. Then it is put into its frame again, which has four screws.\n",
	})
	h.Add("Lantern@1.10", map[string]string{
		"same.md":    "# Same\n\nNothing happens here, in no version of it.\n",
		"wick.md":    "# Wick care\n\nA wick draws oil.\n\n## Trim\n\nTrim the wick to nine millimetres every evening.\n\n## Colour\n\nWicks are white.\n",
		"added.md":   "# Electric light\n\nA switch is turned, and there is light.\n",
		"newname.md": "# Storm glass\n\nThe glass is cleaned with chalk, and it is dried with a linen cloth. Then it is put into its frame again, which has four screws.\n",
	})
	return h
}

func TestWhatBecameOfThePagesOfAVersion(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	d, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range d.Pages {
		name := ""
		if p.Before != nil {
			name = p.Before.Path
		}
		if p.After != nil {
			name += ">" + p.After.Path
		}
		got = append(got, string(p.Status)+" "+name)
	}
	slices.Sort(got)
	want := []string{"added >added.md", "changed wick.md>wick.md", "removed removed.md", "renamed oldname.md>newname.md"}
	if !slices.Equal(got, want) {
		t.Errorf("the pages are %q, want %q", got, want)
	}
	if d.Before.DocSet != "Lantern@1.9" || d.After.DocSet != "Lantern@1.10" || d.Before.Pages != 4 || d.After.Pages != 4 || d.NothingInCommon || len(d.Unread) != 0 {
		t.Errorf("%+v", d)
	}
	if c := d.Counts.Pages; c.Added != 1 || c.Removed != 1 || c.Changed != 1 || c.Unchanged != 1 {
		t.Errorf("the counts are %+v", c)
	}
}

// Turned round, what was added was removed.
func TestADiffTurnedRound(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	one, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10"})
	if err != nil {
		t.Fatal(err)
	}
	two, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.10", After: "Lantern@1.9"})
	if err != nil {
		t.Fatal(err)
	}
	a, b := one.Counts.Pages, two.Counts.Pages
	if a.Added != b.Removed || a.Removed != b.Added || a.Changed != b.Changed || a.Unchanged != b.Unchanged || len(one.Pages) != len(two.Pages) {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestOnePageOfADiffHasItsLines(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, name := range []string{"wick.md", "Wick care", "Lantern@1.9/wick.md"} {
		d, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10", Page: name})
		if err != nil || len(d.Pages) != 1 {
			t.Errorf("%s: %+v, %v", name, d, err)
			continue
		}
		var got []string
		for _, s := range d.Pages[0].Sections {
			heading := ""
			if s.Before != nil {
				heading = s.Before.Heading
			} else {
				heading = s.After.Heading
			}
			for _, c := range s.Changes {
				heading += " -" + strings.Join(c.Removed, "|") + " +" + strings.Join(c.Added, "|")
			}
			got = append(got, string(s.Status)+" "+heading)
		}
		all := strings.Join(got, "\n")
		for _, part := range []string{"changed ", "-Trim the wick to six millimetres every evening.", "+Trim the wick to nine millimetres every evening.", "removed ", "added "} {
			if !strings.Contains(all, part) {
				t.Errorf("%s lacks %q:\n%s", name, part, all)
			}
		}
	}
	same, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10", Page: "same.md"})
	if err != nil || len(same.Pages) != 1 || same.Pages[0].Status != versions.Same || len(same.Pages[0].Sections) != 0 {
		t.Errorf("a page that is the same: %+v, %v", same.Pages, err)
	}
}

func TestDiffsThatCannotBe(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.Add("Alone@1", map[string]string{"a.md": "# A\n\nText.\n"})
	for _, tt := range []struct {
		what string
		req  versioning.DiffRequest
		says []string
	}{
		{"the same twice", versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.9"}, []string{"both doc sets are Lantern@1.9", "Lantern@1.10"}},
		{"two names of one", versioning.DiffRequest{Before: "Alone", After: "Alone@1"}, []string{"Alone and Alone@1 are both Alone@1", "no other version here", "docent add"}},
		{"an unknown one", versioning.DiffRequest{Before: "Lantern@1.9", After: "Nothing"}, []string{"Nothing"}},
		{"no name", versioning.DiffRequest{Before: "", After: "Lantern@1.9"}, nil},
		{"no page", versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10", Page: "nothing.md"}, []string{"nothing.md"}},
	} {
		_, err := h.Versioning.CompareSets(t.Context(), tt.req)
		servicetest.WantError(t, tt.what, err, contract.CodeInvalidRequest, tt.says...)
	}
	if _, err := h.Versioning.CompareSets(servicetest.Cancelled(t), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestDocSetsWithNothingInCommon(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.Add("Harbour@1", map[string]string{"pilot.md": "# The pilot\n\nBoards ships at dawn, when the tide is high enough for them.\n"})
	d, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Harbour@1"})
	if err != nil || !d.NothingInCommon || len(d.Pages) != 0 || d.Pages == nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// Pages that cannot be read are listed, and the others are compared as they are now.
func TestADiffOfFilesThatChangedOrWent(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.Delete("Lantern@1.9", "wick.md")
	h.Write("Lantern@1.10", map[string]string{"same.md": "# Same\n\nSomething happened.\n"})
	d, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10"})
	if err != nil || len(d.Unread) != 1 || d.Unread[0].DocSet != "Lantern@1.9" || d.Unread[0].Path != "wick.md" || d.Unread[0].Reason == "" {
		t.Errorf("%+v, %v", d.Unread, err)
	}
	if !slices.ContainsFunc(d.Pages, func(p versioning.DiffPage) bool {
		return p.Before != nil && p.Before.Path == "same.md" && p.Status == versions.Changed
	}) {
		t.Errorf("the page that changed on disk is not among %+v", d.Pages)
	}
	if slices.ContainsFunc(d.Pages, func(p versioning.DiffPage) bool { return p.Before != nil && p.Before.Path == "wick.md" }) {
		t.Error("a page that cannot be read is compared")
	}
}

// An answer from an older version says what the newest version says otherwise.
func TestWhatANewerVersionSays(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		what  string
		place graph.Place
		want  []string
	}{
		{"a changed section", graph.Place{DocSet: "Lantern@1.9", FilePath: "wick.md", Lines: [2]int{5, 7}}, []string{"changed Trim"}},
		{"a removed section", graph.Place{DocSet: "Lantern@1.9", FilePath: "wick.md", Lines: [2]int{9, 11}}, []string{"removed Soak"}},
		{"both", graph.Place{DocSet: "Lantern@1.9", FilePath: "wick.md", Lines: [2]int{1, 11}}, []string{"changed Trim", "removed Soak"}},
		{"a removed page", graph.Place{DocSet: "Lantern@1.9", FilePath: "removed.md", Lines: [2]int{1, 3}}, []string{"removed "}},
		{"an unchanged page", graph.Place{DocSet: "Lantern@1.9", FilePath: "same.md", Lines: [2]int{1, 3}}, nil},
		{"a renamed page", graph.Place{DocSet: "Lantern@1.9", FilePath: "oldname.md", Lines: [2]int{1, 3}}, nil},
		{"the newest version", graph.Place{DocSet: "Lantern@1.10", FilePath: "wick.md", Lines: [2]int{1, 11}}, nil},
	} {
		var got []string
		for _, n := range h.Versioning.NewerPlaces(t.Context(), []graph.Place{tt.place}) {
			got = append(got, string(n.Status)+" "+n.Before.Heading)
			if n.DocSet != "Lantern@1.9" || n.Newer != "Lantern@1.10" {
				t.Errorf("%s: %+v", tt.what, n)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
	if said := h.Said(); len(said) != 0 {
		t.Errorf("it says %q", said)
	}
	if got := h.Versioning.NewerPlaces(t.Context(), []graph.Place{{DocSet: "Lantern@1.9", FilePath: "nothing.md"}}); len(got) != 0 || len(h.Said()) != 1 {
		t.Errorf("of a page that is not there: %+v, said %q", got, h.Said())
	}
	res := pipeline.Result{Citations: []contract.Citation{{DocSet: "Lantern@1.9", FilePath: "wick.md", Lines: [2]int{5, 7}}}}
	if got := h.Versioning.NewerThan(t.Context(), res); len(got) != 1 {
		t.Errorf("of an answer: %+v", got)
	}
}

func TestNewerVersionsInALine(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	at := func(path string, first, last int) []versioning.NewerSection {
		return h.Versioning.NewerPlaces(t.Context(), []graph.Place{{DocSet: "Lantern@1.9", FilePath: path, Lines: [2]int{first, last}}})
	}
	show := func(r *contract.Remedy) string { return strings.Join(r.Command, " ") }
	for _, tt := range []struct {
		what string
		all  []versioning.NewerSection
		want string
	}{
		{"nothing", nil, ""},
		{"a page", at("removed.md", 1, 3), "Lantern@1.10 is newer than Lantern@1.9 and has no page removed.md"},
		{"one changed", at("wick.md", 5, 7), `Lantern@1.10 is newer than Lantern@1.9 and differs in "Trim" of wick.md (diff Lantern@1.9 Lantern@1.10 wick.md)`},
		{"one removed", at("wick.md", 9, 11), `Lantern@1.10 is newer than Lantern@1.9 and has no section "Soak" on wick.md (diff Lantern@1.9 Lantern@1.10 wick.md)`},
		{"several", at("wick.md", 1, 11), `Lantern@1.10 is newer than Lantern@1.9 and differs in 2 sections of wick.md, of which it lacks 1 (diff Lantern@1.9 Lantern@1.10 wick.md)`},
	} {
		if got := strings.Join(versioning.NewerLines(tt.all, show), "\n"); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.what, got, tt.want)
		}
		if got := strings.Join(versioning.NewerLines(tt.all, nil), "\n"); strings.Contains(got, "(diff") {
			t.Errorf("%s without commands: %s", tt.what, got)
		}
	}
}

// Versions are in the order of their numbers: 1.10 follows 1.9.
func TestVersionsInTheirOrder(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.Add("Lantern@1.2", map[string]string{"same.md": "# Same\n\nText.\n"})
	want := []string{"Lantern@1.2", "Lantern@1.9", "Lantern@1.10"}
	for _, name := range append(want, "Lantern") {
		if got, err := h.Versioning.Versions(t.Context(), name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := h.Versioning.Versions(t.Context(), "Nothing"); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	older, err := h.Versioning.OlderSets(t.Context(), h.Set("Lantern@1.10"))
	if err != nil || len(older) != 2 || older[0].Ref.Version != "1.9" || older[1].Ref.Version != "1.2" {
		t.Errorf("%+v, %v", older, err)
	}
	if older, err := h.Versioning.OlderSets(t.Context(), h.Set("Lantern@1.2")); err != nil || len(older) != 0 {
		t.Errorf("older than the oldest: %+v, %v", older, err)
	}
}

func TestAPageAsAVersionOfADocument(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.Add("Lantern@2", map[string]string{
		"same.md":   "---\ndeprecated: true\n---\n# Same\n\nText.\n",
		"said.md":   "# Said\n\n> **Deprecated:** use the other page.\n\nText.\n",
		"new.md":    "# New\n\nText.\n",
		"wick.md":   "# Wick care\n\nText.\n\n## Old\n\nDeprecated since 1.0. Text.\n",
		"empty.md":  "",
		"binary.md": strings.Repeat("é", 9000),
	})
	for _, tt := range []struct {
		path       string
		supersedes []string
		deprecated bool
	}{
		{"same.md", []string{"Lantern@1.10/same.md", "Lantern@1.9/same.md"}, true},
		{"said.md", nil, true},
		{"new.md", nil, false},
		{"wick.md", []string{"Lantern@1.10/wick.md", "Lantern@1.9/wick.md"}, false},
		{"binary.md", nil, false},
	} {
		p, err := h.Locate.Page(t.Context(), locate.ReadRequest{Page: "Lantern@2/" + tt.path})
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		v, err := h.Versioning.DocVersion(t.Context(), p)
		if err != nil || v.DocID != "Lantern@2/"+tt.path || v.Version != "2" || v.Deprecated != tt.deprecated || !slices.Equal(v.Supersedes, slices.Concat([]string{}, tt.supersedes)) {
			t.Errorf("%s: %+v, %v", tt.path, v, err)
		}
	}
}

// A doc set whose folder is gone is compared as far as it can be: nothing of it is read,
// and it is no fault of the other.
func TestADiffOfAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	if err := os.RemoveAll(h.Root("Lantern@1.9")); err != nil {
		t.Fatal(err)
	}
	d, err := h.Versioning.CompareSets(t.Context(), versioning.DiffRequest{Before: "Lantern@1.9", After: "Lantern@1.10"})
	if err != nil || len(d.Unread) != 4 {
		t.Errorf("%+v, %v", d.Unread, err)
	}
}
