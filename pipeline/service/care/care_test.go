package care_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/care"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/service/servicetest"
	"docent/store/doc"
)

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{"wick.md": "# Wick care\n\nTrim it.\n\n## Soak\n\nIn vinegar.\n", "oil.md": "# Oil\n\nFill it. See [wick](wick.md).\n"})
	return h
}

// faults are the checks that found something wrong.
func faults(t *testing.T, h *servicetest.Home) (out []string, e care.Examination) {
	t.Helper()
	e, err := h.Care.Doctor(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Findings {
		if f.Text == "" {
			t.Errorf("%s says nothing", f.Check)
		}
		if !f.OK {
			out = append(out, f.Check)
		}
	}
	if e.Faults != len(out) {
		t.Errorf("%d faults are counted of %q", e.Faults, out)
	}
	return out, e
}

func TestAHomeWithoutAFault(t *testing.T) {
	t.Parallel()
	for what, h := range map[string]*servicetest.Home{"empty": servicetest.New(t), "with a doc set": lantern(t)} {
		found, e := faults(t, h)
		if len(found) != 0 || len(e.Findings) < 4 {
			t.Errorf("%s: %q of %+v", what, found, e.Findings)
		}
		if repairs, left := care.PlanRepairs(e); len(repairs) != 0 || len(left) != 0 {
			t.Errorf("%s: %+v, %+v", what, repairs, left)
		}
	}
}

// What doctor finds is what a repair mends: after it nothing is found.
func TestWhatIsFoundIsRepaired(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		harm   func(*servicetest.Home)
		finds  string // begins a check
		action string
	}{
		"a page that changed": {func(h *servicetest.Home) {
			h.Write("Lantern@1", map[string]string{"oil.md": "# Oil\n\nOther oil, and more.\n"})
		}, "files ", "bring Lantern@1 up to date"},
		"a page that went":            {func(h *servicetest.Home) { h.Delete("Lantern@1", "oil.md") }, "files ", "bring Lantern@1 up to date"},
		"vectors without their files": {func(h *servicetest.Home) { h.RemoveAll("index/1.vectors") }, "vectors ", "bring Lantern@1 up to date"},
		"a graph with another byte": {func(h *servicetest.Home) {
			h.HarmIndexFile("1.references*", func(raw []byte) []byte { raw[len(raw)/2] ^= 1; return raw })
		}, "references ", "bring Lantern@1 up to date"},
		"an index file with another byte": {func(h *servicetest.Home) {
			h.HarmIndexFile("1/g*/*/*.zap", func(raw []byte) []byte { raw[len(raw)/2] ^= 1; return raw })
		}, "index ", "build the index and the vectors of Lantern@1 again"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(tt.finds, "index") || strings.Contains(tt.finds, "vectors") {
				servicetest.NeedsIndexFiles(t)
			}
			if strings.Contains(tt.finds, "references") {
				servicetest.NeedsCatalogFile(t)
			}
			h := lantern(t)
			tt.harm(h)
			found, e := faults(t, h)
			if !slices.ContainsFunc(found, func(check string) bool { return strings.HasPrefix(check, tt.finds) }) {
				t.Fatalf("found is %q, want %q", found, tt.finds)
			}
			repairs, left := care.PlanRepairs(e)
			if len(repairs) != 1 || len(left) != 0 || repairs[0].Action != tt.action {
				t.Fatalf("%+v, left %+v", repairs, left)
			}
			r, err := h.Care.Repair(t.Context(), repairs[0], home.Watch{})
			if err != nil || !r.Done || r.Error != "" {
				t.Errorf("%+v, %v", r, err)
			}
			if found, _ := faults(t, h.Reopen()); len(found) != 0 {
				t.Errorf("after the repair: %q", found)
			}
		})
	}
}

// A fault that only a person can mend is left to them, with what to do.
func TestAFolderThatIsGoneIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	if err := os.RemoveAll(h.Root("Lantern@1")); err != nil {
		t.Fatal(err)
	}
	found, e := faults(t, h)
	if len(found) != 1 {
		t.Errorf("found is %q", found)
	}
	repairs, left := care.PlanRepairs(e)
	if len(repairs)+len(left) != 1 {
		t.Errorf("%+v, %+v", repairs, left)
	}
	for _, r := range repairs {
		if done, err := h.Care.Repair(t.Context(), r, home.Watch{}); err != nil || done.Done || done.Error == "" {
			t.Errorf("a folder that is gone is mended: %+v, %v", done, err)
		}
	}
	if _, err := h.Care.Doctor(t.Context(), errors.New("a fault of the configuration")); err != nil {
		t.Error(err)
	}
}

func TestAFaultOfTheConfigurationIsAFinding(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	e, err := h.Care.Doctor(t.Context(), errors.New("line 3: no such key"))
	if err != nil || e.Faults != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	if f := e.Findings[0]; f.OK || !strings.Contains(f.Text, "line 3: no such key") {
		t.Errorf("%+v", f)
	}
	if _, left := care.PlanRepairs(e); len(left) != 1 {
		t.Errorf("left are %+v", left)
	}
}

// Files of a home that others can read are its owner's alone after the repair.
func TestPermissionsAreRestored(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	h := lantern(t)
	path := filepath.Join(h.Dir, "sets.json")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	repairs, _ := care.PlanRepairs(care.Examination{Findings: []finding.Finding{{Check: "home", Text: "others can read it", Repair: finding.RepairOwner}}})
	if len(repairs) != 1 {
		t.Fatalf("%+v", repairs)
	}
	if r, err := h.Care.Repair(t.Context(), repairs[0], home.Watch{}); err != nil || !r.Done {
		t.Errorf("%+v, %v", r, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

// A home that holds files of a person keeps its permissions, and doctor says what others can do there.
func TestAHomeThatOthersMayWriteInIsAFault(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	h := lantern(t)
	if err := os.WriteFile(filepath.Join(h.Dir, "notes.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode][]string{0o777: {"home"}, 0o770: {"home"}, 0o755: nil, 0o700: nil} {
		if err := os.Chmod(h.Dir, mode); err != nil {
			t.Fatal(err)
		}
		if found, e := faults(t, h); !slices.Equal(found, want) {
			t.Errorf("%v: %q of %+v", mode, found, e.Findings)
		}
	}
}

// A file that changed and kept its size and time is found by a deep look alone.
func TestADeepLookReadsEveryFile(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	path := filepath.Join(h.Root("Lantern@1"), "oil.md")
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	servicetest.WriteFile(t, path, strings.Replace(string(raw), "Fill", "Foll", 1))
	if err := os.Chtimes(path, st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
	found, e := faults(t, h)
	if len(found) != 0 {
		t.Errorf("at first sight: %q", found)
	}
	deep, err := h.Care.CompareContents(t.Context(), e)
	if err != nil || deep.Faults != 1 {
		t.Fatalf("%+v, %v", deep, err)
	}
	repairs, _ := care.PlanRepairs(deep)
	if len(repairs) != 1 || !strings.Contains(repairs[0].Action, "compare every file of Lantern@1") {
		t.Fatalf("%+v", repairs)
	}
	if r, err := h.Care.Repair(t.Context(), repairs[0], home.Watch{}); err != nil || !r.Done {
		t.Errorf("%+v, %v", r, err)
	}
	_, e = faults(t, h)
	if deep, err := h.Care.CompareContents(t.Context(), e); err != nil || deep.Faults != 0 {
		t.Errorf("after the repair: %+v, %v", deep, err)
	}
}

// Programs that are missing count only where a doc set has files for them.
func TestMissingProgramsCountWhereTheyAreNeeded(t *testing.T) {
	t.Parallel()
	lacks := []care.Lack{{Format: doc.FormatMarkdown, Program: "markdowner", For: "Markdown is read by it", Mend: "install it"},
		{Format: doc.FormatPDF, Program: "poppler", For: "PDF is read by it", Mend: "install it"}}
	h := servicetest.Open(t, servicetest.Options{Lacks: lacks})
	if all, err := h.Care.Lacking(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("in an empty home: %+v, %v", all, err)
	}
	h.Add("Lantern@1", map[string]string{"a.md": "# A\n\nText.\n", "b.md": "# B\n\nText.\n"})
	all, err := h.Care.Lacking(t.Context())
	if err != nil || len(all) != 1 || all[0].Program != "markdowner" || all[0].Files != 2 || all[0].Mend != "install it" {
		t.Errorf("%+v, %v", all, err)
	}
	st, err := h.Care.Status(t.Context())
	if err != nil || len(st.Missing) != 1 {
		t.Errorf("%+v, %v", st.Missing, err)
	}
}

func TestTheStatusOfAHome(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	st, err := h.Care.Status(t.Context())
	if err != nil || st.Home != h.Dir || st.Pages != 2 || len(st.Sets) != 1 || st.Bytes == 0 || st.Index == 0 || st.Sections == 0 || st.Passages == 0 || st.Version != home.Version || st.Stale != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	h.Write("Lantern@1", map[string]string{"new.md": "# New\n\nText.\n", "x.bin": "\x00"})
	if st, err := h.Care.Status(t.Context()); err != nil || st.Stale != 1 {
		t.Errorf("with a new page: %+v, %v", st, err)
	} else if unread, failed := st.LeftOut(); unread != 1 || failed != 0 {
		t.Errorf("left out are %d, failed %d", unread, failed)
	}
	pages, err := h.Care.SetStatus(t.Context(), "Lantern")
	if err != nil || pages.Set != "Lantern@1" || len(pages.Pages) != 3 {
		t.Errorf("%+v, %v", pages, err)
	}
	if _, err := h.Care.SetStatus(t.Context(), "Nothing"); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	if st, err := servicetest.New(t).Care.Status(t.Context()); err != nil || st.Pages != 0 || len(st.Sets) != 0 {
		t.Errorf("of an empty home: %+v, %v", st, err)
	}
}

func TestTheFiguresOfAServer(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	st, err := h.Care.ReadStats(t.Context())
	if err != nil || len(st.Sets) != 1 || st.Sets[0].Set != "Lantern@1" || st.Sets[0].Pages != 2 || st.Sets[0].Chunks == 0 || st.Sets[0].TokensPerChunk == 0 {
		t.Errorf("%+v, %v", st.Sets, err)
	}
	for _, counts := range [][]care.Count{st.Documents, st.Jobs} {
		if len(counts) == 0 {
			t.Error("no states are counted")
		}
		for _, c := range counts {
			if c.Name == "" || c.Count != 0 {
				t.Errorf("%+v", c)
			}
		}
	}
	// The figures are the catalog's: they stay where the folder is gone.
	if err := os.RemoveAll(h.Root("Lantern@1")); err != nil {
		t.Fatal(err)
	}
	if st, err := h.Care.ReadStats(t.Context()); err != nil || st.Sets[0].Pages != 2 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestCareEndsWithItsContext(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	ctx := servicetest.Cancelled(t)
	for what, do := range map[string]func() error{
		"doctor": func() error { _, err := h.Care.Doctor(ctx, nil); return err },
		"status": func() error { _, err := h.Care.Status(ctx); return err },
		"stats":  func() error { _, err := h.Care.ReadStats(ctx); return err },
		"mend":   func() error { return h.Care.MendData(ctx, true, home.Watch{}) },
		"repair": func() error { _, err := h.Care.Repair(ctx, care.Repair{}, home.Watch{}); return err },
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if found, _ := faults(t, h); len(found) != 0 {
		t.Errorf("afterwards: %q", found)
	}
}
