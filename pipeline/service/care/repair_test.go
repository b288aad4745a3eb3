package care

import (
	"errors"
	"slices"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/care/finding"
)

// Repairs follow from the kinds of findings and never from their texts: the same faults in
// other words are repaired alike.
func TestRepairsFollowFromKinds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	faults := []finding.Finding{
		finding.NoFault(finding.Configuration, "", "").Failed(broken, "", contract.RunDocent("config", "lint")),
		finding.NoFault(finding.Folder, "", "").Repairable(finding.RepairOwner, broken, ""),
		finding.DamagedCatalog(broken),
		finding.NoFault(finding.Vectors, "Lamps@1", "").Repairable(finding.RepairUpdate, broken, ""),
		finding.NoFault(finding.Index, "Oil@2", "").Repairable(finding.RepairIndex, broken, ""),
		finding.NoFault(finding.Contents, "Lamps@1", "").Repairable(finding.RepairContents, broken, ""),
		finding.NoFault(finding.References, "Oil@2", "is well"),
		finding.NoFault(finding.KeptVectors, "", "").Repairable(finding.RepairKept, broken, ""),
		finding.NoFault(finding.Files, "Wicks@1", "").Failed(broken, "bring it back", contract.RunDocent("rm", "Wicks@1")),
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
	repairs, _ := PlanRepairs(Examination{Findings: []finding.Finding{finding.DamagedCatalog(broken)}})
	if len(repairs) != 1 || !repairs[0].Reopen {
		t.Errorf("a damaged catalog: %+v", repairs)
	}
}

// The command that the advice names for a doc set does the repair.
func TestRemediesFitTheirRepairs(t *testing.T) {
	t.Parallel()
	for repair, command := range map[finding.Repair][]string{
		finding.RepairUpdate: {"update", "Lamps@1"}, finding.RepairIndex: {"update", "--rebuild", "Lamps@1"}, finding.RepairContents: {"update", "--check", "Lamps@1"},
	} {
		f := finding.NoFault(finding.Index, "Lamps@1", "").Repairable(repair, errors.New("broken"), "")
		if f.OK || f.Check != "index Lamps@1" || f.Remedy == nil || !slices.Equal(f.Remedy.Command, command) {
			t.Errorf("%d: %+v", repair, f)
		}
	}
	if f := finding.DamagedCatalog(errors.New("broken")); f.Remedy != nil || f.Check != "catalog" || !f.Repair.Reopens() {
		t.Errorf("%+v", f)
	}
}
