package intake_test

import (
	"os"
	"path/filepath"
	"testing"

	"docent/pipeline"
	"docent/pipeline/service/servicetest"
)

// A bit of the home's own copy that rots changes neither size nor time. The search once
// answered with the changed text and no mark.
func TestACopyThatRotsIsMarked(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t) // a copy of a file that PostgreSQL has is replaced
	dir := t.TempDir()
	handIn(t, dir, map[string]string{"wick.txt": prose})
	copies, err := filepath.Glob(filepath.Join(dir, "uploads", "pages", "*", "wick.txt"))
	if err != nil || len(copies) != 1 {
		t.Fatal(copies, err)
	}
	changed := func() bool {
		t.Helper()
		a := openUploads(t, dir)
		res, err := a.Answers.Ask(t.Context(), pipeline.Request{Question: "wick of the lantern"}, nil)
		if err != nil || len(res.Phases.Search.Results) != 1 {
			t.Fatalf("%+v, %v", res, err)
		}
		if err := a.Services.Close(); err != nil {
			t.Fatal(err)
		}
		return res.Phases.Search.Results[0].Changed
	}
	if changed() {
		t.Error("a whole copy is marked as changed")
	}
	flip(t, copies[0])
	if _, err := os.Stat(copies[0]); err != nil || !changed() {
		t.Errorf("a copy that rots is not marked: %v", err)
	}
}
