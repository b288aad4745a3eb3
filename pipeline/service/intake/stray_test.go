package intake_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/servicetest"
)

// flip changes one bit in the middle of a file, and keeps its time.
func flip(t *testing.T, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// handIn hands files in and has them read.
func handIn(t *testing.T, dir string, texts map[string]string) (ids map[string]string) {
	t.Helper()
	a := openUploads(t, dir)
	ids = map[string]string{}
	for name, text := range texts {
		ids[name] = upload(t, a, name, text).ID
	}
	once(t, a)
	if err := a.Services.Close(); err != nil {
		t.Fatal(err)
	}
	return ids
}

func once(t *testing.T, a *servicetest.Home) {
	t.Helper()
	stop := work(t, a)
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		open := 0
		for _, d := range list.Documents {
			if d.Status != "COMPLETED" && d.Status != "FAILED" {
				open++
			}
		}
		if open == 0 || time.Now().After(end) {
			stop()
			return
		}
	}
}

// A record with one bad bit, and then the catalog lost: the worker once swept the home's
// copy away as a file of no document, and it was the only one. Now it is a document again.
func TestADamagedRecordLosesNoFile(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	dir := t.TempDir()
	ids := handIn(t, dir, map[string]string{"wick.txt": prose, "oil.md": "# Oil\n\n" + strings.Repeat(prose, 2)})
	record := filepath.Join(dir, "uploads", "records", ids["wick.txt"]+".json")
	whole, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	flip(t, record)

	// While the catalog has the row, doctor finds the record and writes it again.
	a := openUploads(t, dir)
	examine := func(faults int) care.Examination {
		t.Helper()
		e, err := a.Care.Doctor(t.Context(), nil)
		if err != nil || e.Faults != faults {
			t.Fatalf("%d faults, not %d: %+v, %v", e.Faults, faults, e.Findings, err)
		}
		return e
	}
	repairs, left := care.PlanRepairs(examine(1))
	if len(repairs) != 1 || len(left) != 0 {
		t.Fatalf("%+v, %+v", repairs, left)
	}
	if r, err := a.Care.Repair(t.Context(), repairs[0], home.Watch{}); err != nil || !r.Done {
		t.Fatalf("%+v, %v", r, err)
	}
	examine(0)
	if again, err := os.ReadFile(record); err != nil || !bytes.Contains(again, whole[bytes.Index(whole, []byte(`"Path"`)):bytes.Index(whole, []byte(`"Retries"`))]) {
		t.Errorf("written again: %s, %v; it was %s", again, err, whole)
	}
	if err := a.Services.Close(); err != nil {
		t.Fatal(err)
	}

	// The other way: the record is damaged, and then the catalog is lost.
	flip(t, record)
	for _, name := range []string{"catalog.db", "catalog.db-wal", "catalog.db-shm"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	a = openUploads(t, dir)
	once(t, a)
	list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{})
	if err != nil || len(list.Documents) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	found := false
	for _, d := range list.Documents {
		if d.Status != "COMPLETED" {
			t.Errorf("%+v", d)
		}
		found = found || d.Filename == "wick.txt" && d.ID != ids["wick.txt"]
	}
	if !found {
		t.Errorf("the file is no document: %+v", list)
	}
	examine(0)
}

// A file without a record that is not whole is put aside, and the copy of a document that
// rots is found by doctor.
func TestFilesThatAreNotWholeArePutAside(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t) // a copy of a file that PostgreSQL has is replaced
	dir := t.TempDir()
	ids := handIn(t, dir, map[string]string{"wick.txt": prose, "oil.txt": strings.Repeat(prose, 2)})
	pages, err := filepath.Glob(filepath.Join(dir, "uploads", "pages", "*", "*.txt"))
	if err != nil || len(pages) != 2 {
		t.Fatal(pages, err)
	}
	for _, p := range pages {
		flip(t, p)
	}
	a := openUploads(t, dir)
	e, err := a.Care.Doctor(t.Context(), nil)
	if err != nil || e.Faults != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	s, err := a.Inbox.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveUpload(context.WithoutCancel(t.Context()), ids["wick.txt"]); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "uploads", "records", ids["wick.txt"]+".json")); err != nil {
		t.Fatal(err)
	}
	stop := work(t, a)
	var aside []string
	for end := time.Now().Add(time.Minute); len(aside) == 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if aside, err = filepath.Glob(filepath.Join(dir, "uploads", "aside", "*", "pages", "wick.txt")); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if len(aside) != 1 {
		t.Errorf("%q", aside)
	}
	if list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{}); err != nil || len(list.Documents) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}
