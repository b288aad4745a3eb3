package care

import (
	"errors"
	"slices"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// Repairs follow from the kinds of findings and never from their texts: the same faults in
// other words are repaired alike.
func TestRepairsFollowFromKinds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	faults := []home.Finding{
		home.FoundWell(home.FindConfiguration, "", "").Failed(broken, "", contract.RunDocent("config", "lint")),
		home.FoundWell(home.FindFolder, "", "").Repairable(home.RepairOwner, broken, ""),
		home.DamagedCatalog(broken),
		home.FoundWell(home.FindVectors, "Lamps@1", "").Repairable(home.RepairUpdate, broken, ""),
		home.FoundWell(home.FindIndex, "Oil@2", "").Repairable(home.RepairIndex, broken, ""),
		home.FoundWell(home.FindContents, "Lamps@1", "").Repairable(home.RepairContents, broken, ""),
		home.FoundWell(home.FindReferences, "Oil@2", "is well"),
		home.FoundWell(home.FindKeptVectors, "", "").Repairable(home.RepairKept, broken, ""),
		home.FoundWell(home.FindFiles, "Wicks@1", "").Failed(broken, "bring it back", contract.RunDocent("rm", "Wicks@1")),
	}
	plan := func() (planned, left []string) {
		repairs, faulty := PlanRepairs(Examination{Findings: faults})
		for _, r := range repairs {
			planned = append(planned, r.Action)
		}
		for _, f := range faulty {
			left = append(left, string(f.Kind))
		}
		return planned, left
	}
	planned, left := plan()
	want := []string{
		"make what lies in the home readable and writable for its owner",
		"read the damaged pages again, or make the catalog again from the list of doc sets",
		"put vectors.db aside and begin it anew",
		"compare every file of Lamps@1, and read those again that changed",
		"build the index and the vectors of Oil@2 again",
	}
	if !slices.Equal(planned, want) || !slices.Equal(left, []string{"configuration", "files"}) {
		t.Errorf("planned %q, left %q", planned, left)
	}
	for i := range faults {
		faults[i].Check, faults[i].Text, faults[i].Mend, faults[i].Remedy = "in other words", "in other words", "", nil
	}
	if again, also := plan(); !slices.Equal(again, planned) || !slices.Equal(also, left) {
		t.Errorf("in other words: planned %q, left %q", again, also)
	}
	repairs, _ := PlanRepairs(Examination{Findings: []home.Finding{home.DamagedCatalog(broken)}})
	if len(repairs) != 1 || !repairs[0].Reopen {
		t.Errorf("a damaged catalog: %+v", repairs)
	}
}

// What a person is told to run for a doc set is what the repair does.
func TestRemediesFitTheirRepairs(t *testing.T) {
	t.Parallel()
	for repair, command := range map[home.RepairKind][]string{
		home.RepairUpdate: {"update", "Lamps@1"}, home.RepairIndex: {"update", "--rebuild", "Lamps@1"}, home.RepairContents: {"update", "--check", "Lamps@1"},
	} {
		f := home.FoundWell(home.FindIndex, "Lamps@1", "").Repairable(repair, errors.New("broken"), "")
		if f.OK || f.Check != "index Lamps@1" || f.Remedy == nil || !slices.Equal(f.Remedy.Command, command) {
			t.Errorf("%d: %+v", repair, f)
		}
	}
	if f := home.DamagedCatalog(errors.New("broken")); f.Remedy != nil || f.Check != "catalog" || !f.Repair.Reopens() {
		t.Errorf("%+v", f)
	}
}
