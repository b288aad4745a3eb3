package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	if p, err := k.Places(ctx); err != nil || len(p.Read)+len(p.Marked) > 0 {
		t.Fatal(p, err)
	}
	wick := pipeline.Place{DocSet: "lantern@2.1", FilePath: "wicks.md", Title: "Wicks", Path: []string{"Wicks", "Trim"}, Anchor: "trim", Line: 12}
	oil := pipeline.Place{DocSet: "lantern@2.1", FilePath: "oil.md", Title: "Oil"}
	later := wick
	later.Path, later.Anchor, later.Line, later.At = []string{"Wicks"}, "wicks", 40, time.Date(2026, 5, 6, 7, 8, 9, 10, time.UTC)
	for _, err := range []error{k.Visit(ctx, wick), k.Visit(ctx, oil), k.Visit(ctx, later), k.Mark(ctx, wick, true), k.Mark(ctx, oil, true), k.Mark(ctx, wick, true)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	p, err := k.Places(ctx)
	if err != nil || len(p.Read) != 2 || p.Read[0].Line != 40 || p.Read[0].At.Nanosecond() != 0 || p.Read[1].Title != "Oil" {
		t.Errorf("read: %+v, %v", p.Read, err)
	}
	if len(p.Marked) != 2 || !p.IsMarked(wick) || p.IsMarked(later) || p.Marked[0].Anchor != "trim" || !p.Marked[0].At.Equal(k.Now()) {
		t.Errorf("marked: %+v", p.Marked)
	}
	if err := k.Mark(ctx, wick, false); err != nil {
		t.Fatal(err)
	}
	if p, _ := k.Places(ctx); len(p.Marked) != 1 || p.IsMarked(wick) {
		t.Errorf("marked: %+v", p.Marked)
	}
}

// Several windows of the app on one home lose no mark of each other.
func TestPlacesOfSeveralWriters(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 5 {
				if err := k.Mark(ctx, pipeline.Place{DocSet: "a@1", FilePath: fmt.Sprintf("%d-%d.md", i, n)}, true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if p, err := k.Places(ctx); err != nil || len(p.Marked) != 40 {
		t.Errorf("%d marks, %v", len(p.Marked), err)
	}
	for _, e := range ls(t, k.Home) {
		if e != placesName && e != placesLock {
			t.Errorf("%s was left behind", e)
		}
	}
}

// Unreadable places are reported and not overwritten.
func TestPlacesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	if err := os.MkdirAll(k.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(k.Home, placesName)
	for _, text := range []string{"{", `{"docent_places":99}`, ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Places(ctx); err == nil || !strings.Contains(err.Error(), "away") {
			t.Errorf("%q: %v", text, err)
		}
		if err := k.Visit(ctx, pipeline.Place{DocSet: "a@1", FilePath: "a.md"}); err == nil {
			t.Errorf("%q was written over", text)
		}
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("%q became %q", text, b)
		}
	}
}

func ls(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
