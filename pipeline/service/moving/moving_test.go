package moving_test

import (
	"testing"

	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/moving"
	"docent/pipeline/service/servicetest"
)

// Two homes with the same pages are the same, whatever numbers their catalogs gave; one changed
// page is seen.
func TestCompare(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"wick.md": "# Trimming the wick\n\nTrim the wick once a week with sharp scissors, and turn it low before you light it.\n",
		"oil.md":  "# Filling the tank\n\nFill the tank with whale oil to the mark, and wipe the rim with a cloth.\n",
	}
	from, to := servicetest.New(t), servicetest.New(t)
	to.Add("Other@1", pages)
	to.Add("Lantern@1", pages)
	from.Add("Lantern@1", pages)
	m, err := moving.Compare(t.Context(), from.Services, to.Services, 50)
	if err != nil || len(m.Sets) != 2 || !m.Sets[0].Whole || m.Sets[0].Pages != 2 || m.Asked != 2 || m.Same != 2 || len(m.Other) != 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	if m.Whole() || m.Sets[1].Set != "Other@1" {
		t.Errorf("a doc set that only the new place has is not told: %+v", m)
	}
	if _, err := to.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Other@1"}}); err != nil {
		t.Fatal(err)
	}
	if m, err = moving.Compare(t.Context(), from.Services, to.Services, 0); err != nil || !m.Whole() || m.Asked != 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	to.Write("Lantern@1", map[string]string{"oil.md": "# Polishing the glass\n\nPolish the glass with vinegar and old newspaper every evening.\n"})
	if _, err := to.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	m, err = moving.Compare(t.Context(), from.Services, to.Services, 1)
	if err != nil || m.Whole() || m.Asked != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}
