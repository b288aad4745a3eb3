package finding_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/care/finding"
	"docent/store"
)

var errBroken = errors.New("broken")

// What an error means depends on its kind, however it is wrapped.
func TestErrorsOfStoresHaveAMeaning(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]finding.Repair{
		store.ErrDamaged:        finding.RepairIndex,
		store.ErrVectorsDamaged: finding.RepairVectorsAnew,
		store.ErrCatalogDamaged: finding.RepairCatalog,
	} {
		f, ok := finding.OfError(fmt.Errorf("doc set Lantern@1: %w", err))
		if !ok || f.OK || f.Repair != want || f.Text == "" {
			t.Errorf("%v: %+v, %v", err, f, ok)
		}
	}
	for _, err := range []error{nil, io.ErrUnexpectedEOF, context.Canceled, store.ErrNotFound} {
		if f, ok := finding.OfError(err); ok {
			t.Errorf("%v: %+v", err, f)
		}
	}
}

// Only damage that opening the home again repairs is kept, and of it the first.
func TestTheFirstDamageMetIsKept(t *testing.T) {
	t.Parallel()
	var m finding.Met
	if next := m.After(store.ErrCatalogDamaged); next != (finding.Next{}) || m.First() != nil {
		t.Errorf("nothing was met: %+v", next)
	}
	index, _ := finding.OfError(store.ErrDamaged)
	first, second := finding.DamagedCatalog(errBroken), finding.DamagedCatalog(io.EOF)
	if m.Note(index) || !m.Note(first) || m.Note(second) || m.First().Text != "broken" {
		t.Errorf("kept is %+v", m.First())
	}
	for err, want := range map[error]finding.Next{
		nil:       {Reopen: true},
		errBroken: {Reopen: true},
		fmt.Errorf("%w", store.ErrCatalogDamaged): {Reopen: true, Again: true},
	} {
		if next := m.After(err); next != want {
			t.Errorf("%v: %+v", err, next)
		}
	}
}

// mender writes down the repairs that it gets.
type mender []string

func (m *mender) Update(_ context.Context, rebuild, compare bool) error {
	*m = append(*m, fmt.Sprintf("update %v %v", rebuild, compare))
	return errBroken
}

func (m *mender) Learn(_ context.Context, anew bool) error {
	*m = append(*m, fmt.Sprintf("learn %v", anew))
	return nil
}

// Each repair of a doc set has one thing done; those of the home are its opener's.
func TestARepairIsAppliedOnce(t *testing.T) {
	t.Parallel()
	for r, want := range map[finding.Repair]string{
		finding.ByPerson: "", finding.RepairOwner: "", finding.RepairCatalog: "", finding.RepairList: "", finding.RepairKept: "",
		finding.RepairVectors: "learn false", finding.RepairVectorsAnew: "learn true", finding.RepairUpdate: "update false false",
		finding.RepairContents: "update false true", finding.RepairIndex: "update true false",
	} {
		var m mender
		err := finding.Apply(t.Context(), r, &m)
		if want == "" && len(m) > 0 || want != "" && !slices.Equal(m, []string{want}) {
			t.Errorf("%d: %q, want %q", r, m, want)
		}
		if (err != nil) != (len(m) > 0 && m[0][0] == 'u') {
			t.Errorf("%d: %v", r, err)
		}
	}
}

// A fault that the program can repair in a doc set names the command that does so too.
func TestRepairsOfADocSetHaveACommand(t *testing.T) {
	t.Parallel()
	for r, want := range map[finding.Repair][]string{
		finding.RepairUpdate: {"update", "Lantern@1"}, finding.RepairVectors: {"update", "Lantern@1"},
		finding.RepairContents: {"update", "--check", "Lantern@1"}, finding.RepairIndex: {"update", "--rebuild", "Lantern@1"},
		finding.RepairOwner: nil, finding.RepairCatalog: nil, finding.ByPerson: nil,
	} {
		f := finding.NoFault(finding.Index, "Lantern@1", "fine").Repairable(r, errBroken, "")
		if f.OK || f.Check != "index Lantern@1" || f.Text != "broken" || (f.Remedy == nil) != (want == nil) {
			t.Errorf("%d: %+v", r, f)
		}
		if f.Remedy != nil && (f.Remedy.Kind != contract.RemedyRun || !slices.Equal(f.Remedy.Command, want)) {
			t.Errorf("%d: %+v", r, f.Remedy)
		}
	}
}

// A doc set of which several things were found is updated once.
func TestADocSetIsPlannedOnce(t *testing.T) {
	t.Parallel()
	steps, left := finding.Plan([]finding.Finding{
		finding.NoFault(finding.Vectors, "Lantern@1", "").Repairable(finding.RepairUpdate, errBroken, ""),
		finding.NoFault(finding.Index, "Lantern@1", "").Repairable(finding.RepairIndex, errBroken, ""),
		finding.NoFault(finding.References, "Lantern@1", "fine"),
		finding.NoFault(finding.List, "", "").Repairable(finding.RepairList, errBroken, ""),
		finding.NoFault(finding.Files, "Oil@1", "").Failed(errBroken, "bring it back", nil),
	})
	if len(steps) != 2 || len(left) != 1 || !steps[0].Repair.Reopens() || steps[1].Check != "vectors Lantern@1, index Lantern@1" ||
		!steps[1].Rebuild || steps[1].Compare {
		t.Errorf("%+v, left %+v", steps, left)
	}
}
