package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// For each kind of damage that doctor finds there is a repair: one command mends it, says
// what it did, and finds nothing then. --dry-run changes nothing.
func TestDoctorRepairsWhatItFinds(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home") // in a new home the doc set has the number 2
	docs := filepath.Join(t.TempDir(), "Lamps@1")
	page := filepath.Join(docs, "wick.md")
	put := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put(page, "# Wicks\n\nTrim the wick level.\n")
	one := runner{home: home}.inOneProcess(t)
	one.require(t, 0, "add", docs)
	// flip changes a byte of the first file that has this ending, below a folder.
	flip := func(folder, ending string, at func(size int) int) {
		t.Helper()
		done := false
		err := filepath.WalkDir(filepath.Join(home, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || done || d.IsDir() || !strings.HasSuffix(path, ending) {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			raw[at(len(raw))] ^= 0x55
			done = true
			return os.WriteFile(path, raw, 0o600)
		})
		if err != nil || !done {
			t.Fatalf("no %s in %s: %v", ending, folder, err)
		}
	}
	half := func(size int) int { return size / 2 }
	last := func(size int) int { return size - 2 }
	for _, tt := range []struct {
		name   string
		damage func()
		says   string // part of the message; "": the start repairs it before doctor looks
	}{
		{"the words", func() { flip("index/2", ".zap", half) }, ""},
		{"the documents of the words", func() { flip("index/2", "docs.bin", half) }, ""},
		{"a manifest", func() { flip("index/2", "manifest.json", half) }, ""},
		{"the vectors", func() { flip("index/2.vectors", "vectors.bin", half) }, "vectors Lamps@1: bring Lamps@1 up to date"},
		{"the list", func() { flip(".", "sets.json", last) }, ""},
		{"the catalog", func() {
			raw, err := os.ReadFile(filepath.Join(home, "catalog.db"))
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(string(raw), "wick.md")
			raw[at] = 'W' // in the row of the page
			put(filepath.Join(home, "catalog.db"), string(raw))
		}, "catalog: read the damaged pages again"},
		{"a page that changed", func() { put(page, "# Wicks\n\nTrim the wick level, and often.\n") }, "files Lamps@1: bring Lamps@1 up to date"},
		{"a page that changed and kept its size and time", func() {
			st, err := os.Stat(page)
			if err != nil {
				t.Fatal(err)
			}
			put(page, "# Wicks\n\nTrim the wick bevel, and often.\n")
			if err := os.Chtimes(page, st.ModTime(), st.ModTime()); err != nil {
				t.Fatal(err)
			}
		}, "contents Lamps@1: compare every file of Lamps@1"},
		{"the models' vectors", func() { put(filepath.Join(home, "vectors.db"), "no database at all") }, "vectors by models: put vectors.db aside"},
	} {
		tt.damage()
		if tt.says != "" && tt.name != "the catalog" { // that the next start mends, which a dry run is too
			out, _ := one.require(t, 1, "doctor", "--deep", "--repair", "--dry-run")
			if !strings.Contains(out, "WOULD  "+tt.says) || !strings.Contains(out, "FAULT") {
				t.Errorf("%s: doctor would do this:\n%s", tt.name, out)
			}
			var found struct {
				Faults  int
				Repairs []struct{ Done bool }
			}
			out, _ = one.require(t, 1, "doctor", "--deep", "--repair", "--dry-run", "--json")
			if err := json.Unmarshal([]byte(out), &found); err != nil || found.Faults == 0 || len(found.Repairs) == 0 || found.Repairs[0].Done {
				t.Errorf("%s: %s, %v", tt.name, out, err)
			}
		}
		out, errs := one.require(t, 0, "doctor", "--deep", "--repair")
		if tt.says != "" && !strings.Contains(out, "DONE   "+tt.says) || tt.says == "" && !strings.Contains(errs, "damaged") {
			t.Errorf("%s: the repair says\n%s%s", tt.name, out, errs)
		}
		out, errs = one.require(t, 0, "doctor", "--deep")
		checkOutput(t, out, "^0 faults$")
		if strings.Contains(out+errs, "damaged") {
			t.Errorf("%s: after the repair doctor says\n%s%s", tt.name, out, errs)
		}
	}
	if out, _ := one.require(t, 0, "search", "--json", "bevel"); !strings.Contains(out, "bevel") {
		t.Errorf("the page is not found by its new word:\n%s", out)
	}
	_, errs := one.require(t, 2, "doctor", "--dry-run")
	checkOutput(t, errs, "give both")
}
