package library_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/store"
	"docent/store/doc"
)

func pages() map[string]string {
	return map[string]string{"a.md": "# Wick\n\nTrim it.\n", "b/b.md": "# Oil\n\nFill it.\n", "c.md": "# Glass\n\nPolish it.\n"}
}

// state is the freshness of a doc set with its changes: "stale +1 ~2 -3".
func state(t *testing.T, h *servicetest.Home, ref string) string {
	t.Helper()
	fresh, changes, err := h.Library.Freshness(t.Context(), h.Set(ref))
	if err != nil {
		t.Fatal(err)
	}
	if changes != nil {
		fresh += fmt.Sprintf(" +%d ~%d -%d", changes.New, changes.Changed, changes.Gone)
	}
	return fresh
}

func TestADocSetIsComparedWithItsFolder(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	want := func(when, want string) {
		t.Helper()
		if got := state(t, h, "Lantern@1"); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	want("as it was added", "fresh")
	h.Write("Lantern@1", map[string]string{"d.md": "# New\n\nText.\n"})
	want("with a new file", "stale +1 ~0 -0")
	h.Write("Lantern@1", map[string]string{"a.md": "# Wick\n\nTrim it every evening.\n"})
	want("with a changed file", "stale +1 ~1 -0")
	h.Delete("Lantern@1", "c.md")
	want("without a file", "stale +1 ~1 -1")
	if rep := h.Update("Lantern"); len(rep) != 1 || rep[0].Added != 1 || rep[0].Changed != 1 || rep[0].Removed != 1 || rep[0].Unchanged != 1 {
		t.Errorf("the update: %+v", rep)
	}
	want("after the update", "fresh")
	if err := os.RemoveAll(h.Root("Lantern@1")); err != nil {
		t.Fatal(err)
	}
	want("without its folder", "missing")
}

// An update of a doc set whose folder is gone leaves it as it is, and goes on with others.
func TestAnUpdateOfAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Gone@1", pages())
	h.Add("Here@1", pages())
	if err := os.RemoveAll(h.Root("Gone@1")); err != nil {
		t.Fatal(err)
	}
	h.Delete("Here@1", "a.md")
	var notes []string
	out, err := h.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
	if err != nil || len(out.Sets) != 1 || out.Sets[0].Removed != 1 || len(out.Missing) != 1 || !errors.Is(out.Missing[0], ingest.ErrRootMissing) || len(notes) != 1 {
		t.Errorf("%+v, %v, %q", out, err, notes)
	}
	if info, err := h.Library.Sets(t.Context(), []string{"Gone"}); err != nil || info.Sets[0].Pages != 3 || info.Sets[0].Fresh != library.Missing {
		t.Errorf("%+v, %v", info, err)
	}
	d, err := h.Library.Diagnostics()
	if err != nil || d == nil || len(d.Sets) != 1 || d.Sets[0].Set != "Gone@1" || d.Sets[0].Error == "" || d.Purpose != "update" {
		t.Errorf("%+v, %v", d, err)
	}
	h.Write("Gone@1", pages())
	h.Update("Gone@1")
	if d, err := h.Library.Diagnostics(); err != nil || d != nil {
		t.Errorf("after it came back: %+v, %v", d, err)
	}
}

func TestWhatCannotBeAdded(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Write("Lantern@1", pages())
	h.Write("Other@1", pages())
	h.Write("Empty@1", map[string]string{"x.bin": "\x00\x01"})
	root := h.Root("Lantern@1")
	for _, tt := range []struct {
		what string
		req  library.AddRequest
		says []string
	}{
		{"an unknown domain", library.AddRequest{Paths: []string{root}, Domain: "nothing"}, []string{`the domain "nothing" is none of`, contract.DefaultDomain}},
		{"a name with signs", library.AddRequest{Paths: []string{root}, Name: "a/b"}, nil},
		{"a version with signs", library.AddRequest{Paths: []string{root}, Version: "1@2"}, nil},
		{"no such folder", library.AddRequest{Paths: []string{root + "x"}}, []string{"Lantern@1x"}},
		{"a folder without a page", library.AddRequest{Paths: []string{h.Root("Empty@1")}}, []string{"no page was found in", "there are 1 .bin"}},
	} {
		_, err := library.Discover(t.Context(), tt.req, h.Home.Parsers, home.Watch{})
		servicetest.WantError(t, tt.what, err, contract.CodeInvalidRequest, tt.says...)
	}
	plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{root, h.Root("Other@1")}, Name: "Both"}, h.Home.Parsers, home.Watch{})
	if !errors.Is(err, library.ErrSeveral) || len(plan.Sets) != 2 {
		t.Errorf("one name for two folders: %+v, %v", plan, err)
	}
	if names := h.Names(); len(names) != 0 {
		t.Errorf("added were %q", names)
	}
}

func TestNamesThatAreTaken(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	h.Write("other/Lantern@1", pages())
	add := func(dir string, as doc.Ref) (string, error) {
		t.Helper()
		plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{dir}}, h.Home.Parsers, home.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if as.Name != "" {
			plan = plan.Renamed(as)
		}
		var notes []string
		_, err = h.Library.Add(t.Context(), plan, home.Watch{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
		return strings.Join(notes, "\n"), err
	}
	_, err := add(h.Root("other/Lantern@1"), doc.Ref{})
	taken, ok := errors.AsType[*library.TakenError](err)
	if !ok || taken.Root != h.Root("Lantern@1") || taken.Manual() {
		t.Errorf("the name of another folder: %v", err)
	}
	servicetest.WantError(t, "the name of another folder", err, contract.CodeInvalidRequest, "Lantern@1 is already", "give it another name or version")
	_, err = add(h.Root("other/Lantern@1"), home.UploadsRef())
	servicetest.WantError(t, "the name of uploads", err, contract.CodeInvalidRequest, "is the name for files that are handed in one by one")
	if _, err := add(h.Root("Lantern@1"), doc.Ref{}); err != nil {
		t.Errorf("the same folder again: %v", err)
	}
	if notes, err := add(h.Root("Lantern@1"), doc.Ref{Name: "Lamp", Version: "2"}); err != nil || !strings.Contains(notes, "to forget the other: rm Lantern@1") {
		t.Errorf("the same folder under another name: %q, %v", notes, err)
	}
	if got := h.Names(); !slices.Equal(got, []string{"Lamp@2", "Lantern@1"}) && !slices.Equal(got, []string{"Lantern@1", "Lamp@2"}) {
		t.Errorf("the doc sets are %q", got)
	}
	// A folder that moved takes its name with it.
	if err := os.RemoveAll(h.Root("Lantern@1")); err != nil {
		t.Fatal(err)
	}
	if notes, err := add(h.Root("other/Lantern@1"), doc.Ref{}); err != nil || !strings.Contains(notes, "which is not there any more") {
		t.Errorf("a folder that moved: %q, %v", notes, err)
	}
	if state := state(t, h, "Lantern@1"); state != library.Fresh {
		t.Errorf("moved it is %s", state)
	}
}

// Who updates a doc set that another process removes meanwhile learns that, and what to do.
func TestADocSetThatIsRemovedDuringItsUpdate(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	other := servicetest.Open(t, servicetest.Options{Dir: h.Dir}).Home
	err := other.Write(t.Context(), "update", func(w *home.Writer) error {
		sets, err := other.Corpus.Sets(t.Context())
		if err != nil {
			return err
		}
		if _, err := h.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Lantern@1"}}); err != nil {
			t.Error(err)
		}
		_, err = w.Update(t.Context(), sets[0], false)
		return err
	})
	if servicetest.Code(err) != contract.CodeInvalidRequest || !errors.Is(err, store.ErrNotFound) ||
		err.Error() != "the doc set Lantern@1 was removed by another process; add it again" {
		t.Errorf("%v", err)
	}
}

func TestForgettingLeavesTheFilesAlone(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	h.Add("Lantern@2", pages())
	out, err := h.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Lantern@1", "Lantern@1"}})
	if err != nil || !slices.Contains(out.Removed, "Lantern@1") || !slices.Equal(h.Names(), []string{"Lantern@2"}) {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(h.Root("Lantern@1"), "a.md")); err != nil {
		t.Error(err)
	}
	for _, names := range [][]string{{"Lantern@1"}, {"Nothing"}, {"Lantern@2", "Nothing"}} {
		if _, err := h.Library.Remove(t.Context(), library.RemoveRequest{Sets: names}); servicetest.Code(err) != contract.CodeInvalidRequest {
			t.Errorf("%q: %v", names, err)
		}
	}
	if names := h.Names(); !slices.Equal(names, []string{"Lantern@2"}) {
		t.Errorf("left are %q", names)
	}
	if left, err := filepath.Glob(filepath.Join(h.Dir, "index", "1*")); err != nil || len(left) != 0 {
		t.Errorf("of the index are left %q, %v", left, err)
	}
}

func TestPagesAndTheirStates(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	h.Write("Lantern@1", map[string]string{"a.md": "# Wick\n\nChanged, and longer.\n", "new.md": "# New\n\nText.\n"})
	h.Delete("Lantern@1", "c.md")
	states, err := h.Library.PageStates(t.Context(), "Lantern")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range states {
		got = append(got, s.Path+" "+s.State+" "+s.Status)
	}
	want := []string{"a.md changed COMPLETED", "b/b.md fresh COMPLETED", "c.md gone COMPLETED", "new.md new PENDING"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := h.Library.PageStates(t.Context(), "Nothing"); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	if _, err := h.Library.PageStates(servicetest.Cancelled(t), "Lantern"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestListsOfDocSets(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	if out, err := h.Library.Sets(t.Context(), nil); err != nil || out.Sets == nil || len(out.Sets) != 0 {
		t.Errorf("of an empty home: %+v, %v", out, err)
	}
	if list, err := h.Library.SetList(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("of an empty home: %+v, %v", list, err)
	}
	before := time.Now().Add(-time.Minute)
	h.Add("Lantern@10", pages())
	h.Add("Lantern@9", pages())
	h.Add("Harbour@1", map[string]string{"a.md": "# A\n\nText.\n"})
	out, err := h.Library.Sets(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.Sets {
		got = append(got, s.Set)
		if s.Fresh != library.Fresh || s.Pages == 0 || s.Bytes == 0 || s.Lines == 0 || s.Chunks == 0 || s.ChunksPerDoc == 0 || s.DocID != s.Set || s.Root != h.Root(s.Set) {
			t.Errorf("%+v", s)
		}
	}
	if want := []string{"Harbour@1", "Lantern@9", "Lantern@10"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if s := out.Sets[2].Supersedes; !slices.Equal(s, []string{"Lantern@9"}) {
		t.Errorf("Lantern@10 takes the place of %q", s)
	}
	list, err := h.Library.SetList(t.Context())
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, s := range list {
		if s.Indexed.Before(before) || s.Fresh != library.Fresh || s.Pages == 0 {
			t.Errorf("%+v", s)
		}
	}
	if _, err := h.Library.Sets(t.Context(), []string{"Nothing"}); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	if _, err := h.Library.Sets(servicetest.Cancelled(t), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestProposalsForAFolder(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Write("Lantern@1", pages())
	p, err := h.Library.Propose(t.Context(), h.Root("Lantern@1"))
	if err != nil || len(p) != 1 || p[0].Ref.String() != "Lantern@1" || p[0].Pages != 3 || len(p[0].KnownAs) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	h.Add("Lantern@1", nil)
	if p, err := h.Library.Propose(t.Context(), h.Root("Lantern@1")); err != nil || len(p[0].KnownAs) != 1 || p[0].KnownAs[0].String() != "Lantern@1" {
		t.Errorf("of a doc set: %+v, %v", p, err)
	}
	if _, err := h.Library.Propose(t.Context(), filepath.Join(h.Docs, "nothing")); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("of no folder: %v", err)
	}
}

// Adding that is ended leaves no doc set behind.
func TestAddingThatIsEnded(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Write("Lantern@1", pages())
	plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{h.Root("Lantern@1")}}, h.Home.Parsers, home.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = h.Library.Add(ctx, plan, home.Watch{Events: func(contract.Event) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if names := h.Names(); len(names) != 0 {
		t.Errorf("left are %q", names)
	}
	if _, err := h.Library.Add(t.Context(), plan, home.Watch{}); err != nil || state(t, h, "Lantern@1") != library.Fresh {
		t.Errorf("added again: %v", err)
	}
}

// Two processes update the same doc sets at once: both end, and all pages are there.
func TestTwoProcessesUpdateAtOnce(t *testing.T) {
	t.Parallel()
	one := servicetest.New(t)
	one.Add("Lantern@1", pages())
	two := one.Beside()
	for round := range 3 {
		one.Write("Lantern@1", map[string]string{fmt.Sprintf("n%d.md", round): fmt.Sprintf("# Page %d\n\nText.\n", round)})
		var both sync.WaitGroup
		for _, h := range []*servicetest.Home{one, two} {
			both.Go(func() {
				if _, err := h.Library.Update(t.Context(), library.UpdateRequest{Settle: round == 1}, home.Watch{}); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		both.Wait()
	}
	for _, h := range []*servicetest.Home{one, two} {
		if out, err := h.Library.Sets(t.Context(), nil); err != nil || out.Sets[0].Pages != 6 || out.Sets[0].Fresh != library.Fresh {
			t.Errorf("%+v, %v", out, err)
		}
	}
}

// A summary is a line for a person.
func TestSummariesOfUpdates(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	h.Write("Lantern@1", map[string]string{"x.bin": "\x00"})
	for _, tt := range []struct {
		what string
		do   func()
		want string
	}{
		{"nothing", func() {}, "Lantern@1: 3 pages, nothing changed"},
		{"a new page", func() { h.Write("Lantern@1", map[string]string{"d.md": "# D\n\nText.\n"}) }, "Lantern@1: 4 pages (1 added, 3 unchanged); left out: 1 .bin"},
		{"a changed page", func() { h.Write("Lantern@1", map[string]string{"d.md": "# D\n\nOther text.\n"}) }, "Lantern@1: 4 pages (1 changed, 3 unchanged)"},
		{"pages that went", func() {
			for _, p := range []string{"a.md", "b/b.md", "c.md"} {
				h.Delete("Lantern@1", p)
			}
		}, "Lantern@1: 1 page (3 removed, 1 unchanged)"},
		{"the last page", func() { h.Delete("Lantern@1", "d.md") }, "Lantern@1: 0 pages (1 removed); no page is there any more"},
	} {
		tt.do()
		report := h.Update()[0]
		if want, _, _ := strings.Cut(tt.want, "; left out"); library.Note(report) != want {
			t.Errorf("%s: the changes are %q, want %q", tt.what, library.Note(report), want)
		}
		if got := library.Summary(report); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
	}
}

// A file of diagnostics that was damaged is written anew by the next update that fails.
func TestDamagedDiagnostics(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	servicetest.WriteFile(t, filepath.Join(h.Dir, library.DiagnosticsFile), "{half")
	if _, err := h.Library.Diagnostics(); err == nil {
		t.Error("it is read")
	}
	h.Update()
	if d, err := h.Library.Diagnostics(); err != nil || d != nil {
		t.Errorf("after an update without a fault: %+v, %v", d, err)
	}
}

// Following takes in what changed before it began, and ends with its context.
func TestFollowingADocSet(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	h.Write("Lantern@1", map[string]string{"d.md": "# D\n\nText.\n"})
	ctx, cancel := context.WithCancel(t.Context())
	added := 0
	err := h.Library.Follow(ctx, library.FollowRequest{Polling: true, Followed: func(f library.Followed) error {
		added += f.Added
		cancel()
		return nil
	}}, home.Watch{})
	if err != nil || added != 1 {
		t.Errorf("%d pages were added, %v", added, err)
	}
	if err := h.Library.Follow(t.Context(), library.FollowRequest{Sets: []string{"Nothing"}}, home.Watch{}); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
}

// Another process removes a doc set, and adds it again, while it is about to be updated:
// following once ended with that, and no page of the others was followed any more.
func TestFollowingGoesOnWhenADocSetIsRemoved(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", pages())
	h.Add("Beacon@1", pages())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	added := make(chan string, 100)
	h.Write("Lantern@1", map[string]string{"first.md": "# First\n\nText.\n"})
	go func() {
		done <- h.Library.Follow(ctx, library.FollowRequest{Polling: true, Sets: []string{"Lantern@1", "Beacon@1"},
			Followed: func(f library.Followed) error { added <- f.Set; return nil }}, home.Watch{})
	}()
	select { // both names were known when following began
	case <-added:
	case err := <-done:
		t.Fatalf("following ended: %v", err)
	}
	for i := range 6 {
		h.Write("Beacon@1", map[string]string{fmt.Sprintf("x%d.md", i): "# X\n\nText.\n"})
		if _, err := h.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Beacon@1"}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		if i < 5 {
			h.Add("Beacon@1", nil)
		}
	}
	h.Write("Lantern@1", map[string]string{"z.md": "# Z\n\nText.\n"})
	for end := time.After(time.Minute); ; {
		select {
		case err := <-done:
			t.Fatalf("following ended: %v", err)
		case set := <-added:
			if set != "Lantern@1" {
				continue
			}
		case <-end:
			t.Fatal("the other doc set is followed no more")
		}
		break
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
