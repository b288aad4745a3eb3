package backend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/store"
	"docent/tui"
	lib "docent/tui/pane/shelf"
)

// A doc set without its index, as adding leaves it that was broken off, does not keep
// questions about the others: it is mended when the home is open, with its progress. Where
// nothing else could be searched, it is mended before.
func TestADocSetIsMendedBehindTheOpening(t *testing.T) {
	t.Parallel()
	b, lamps := opened(t, 4)
	dir := filepath.Dir(lamps)
	boats := filepath.Join(dir, "boats")
	write(t, filepath.Join(boats, "oars.md"), "# Oars\n\nAn oar is made of ash.\n")
	for _, folder := range []string{lamps, boats} {
		if _, err := b.Add(t.Context(), lib.AddWanted{Path: folder, Name: filepath.Base(folder), Version: "1"}, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again := func(lost ...string) (*Backend, []string) {
		t.Helper()
		for _, id := range lost {
			if err := os.RemoveAll(filepath.Join(dir, "home", "index", id)); err != nil {
				t.Fatal(err)
			}
		}
		b := New(app.Options{Home: filepath.Join(dir, "home"), Engine: config.EngineBuiltin})
		behind, err := b.Ready(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return b, behind
	}

	b, behind := again("2")
	same(t, "left for later", behind, "boats@1")
	if got := found(t, b, "which lamp burns oil"); !strings.Contains(got, "page-") {
		t.Errorf("before it is mended: %q", got)
	}
	// Another program is at it: the app leaves it alone, without a fault.
	held, err := b.Current().Home.Indexes.LockSet(t.Context(), 2, store.Updating, "update boats@1", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.Mend(t.Context(), func(tui.WorkProgress) {})
	if err != nil || text != "another program makes the index of boats@1, which is searched when it is done" {
		t.Errorf("while another program mends it: %q, %v", text, err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	var stages []string
	text, err = b.Mend(t.Context(), func(p tui.WorkProgress) { stages = append(stages, p.Stage) })
	if err != nil || text != "searched too by now: boats@1" || !slices.Contains(stages, "reading pages") {
		t.Errorf("mended: %q, %v, %q", text, err, stages)
	}
	if got := found(t, b, "what is an oar made of"); !strings.Contains(got, "oars.md") {
		t.Errorf("after it was mended: %q", got)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}

	b, behind = again("1", "2")
	same(t, "left for later where nothing is whole", behind)
	if got := found(t, b, "what is an oar made of"); !strings.Contains(got, "oars.md") {
		t.Errorf("mended before: %q", got)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}
