package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/filetree"
)

// RunTrees runs the cases of trees. fresh makes an empty store.
func RunTrees(t *testing.T, fresh func(testing.TB) filetree.Store) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, filetree.Store)
	}{
		{"changed and listed", treesChanged},
		{"changes since a state", treesSince},
		{"contents", treesContents},
		{"wrong contents", treesWrong},
		{"removed and made again", treesAgain},
		{"swept under use", treesSwept},
		{"random changes", treesRandom},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, fresh(t))
		})
	}
}

// tree is a tree of a test: contents by path.
type tree map[string]string

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (x tree) files() (out []filetree.File) {
	for _, path := range slices.Sorted(maps.Keys(x)) {
		out = append(out, filetree.File{Path: path, Bytes: int64(len(x[path])), ModTime: 7, SHA256: sumOf(x[path])})
	}
	return out
}

func (x tree) read(f filetree.File) ([]byte, error) { return []byte(x[f.Path]), nil }

// put changes a tree, or what lies within paths of it.
func (x tree) put(t *testing.T, s filetree.Store, name string, within ...string) {
	t.Helper()
	if err := s.Change(context.Background(), name, within, x.files(), x.read); err != nil {
		t.Fatal(err)
	}
}

// loaded are the files of a tree with their contents.
func loaded(t *testing.T, s filetree.Store, files []filetree.File) tree {
	t.Helper()
	sums, texts, out := []string{}, map[string]string{}, tree{}
	for _, f := range files {
		sums = append(sums, f.SHA256)
	}
	slices.Sort(sums)
	err := s.Contents(context.Background(), slices.Compact(sums), func(sum string, content []byte, err error) error {
		texts[sum] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if out[f.Path] = texts[f.SHA256]; f.Bytes != int64(len(out[f.Path])) {
			t.Errorf("%s has %d bytes, its row says %d", f.Path, len(out[f.Path]), f.Bytes)
		}
	}
	return out
}

// requireTree compares the files of a tree with those that it should have.
func requireTree(t *testing.T, what string, got, want tree) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func listed(t *testing.T, s filetree.Store, name string, within ...string) tree {
	t.Helper()
	files, err := s.Files(context.Background(), name, within...)
	if err != nil {
		t.Fatal(err)
	}
	return loaded(t, s, files)
}

func treesChanged(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	if state, err := s.State(ctx, "lamps"); state != (filetree.State{}) || err != nil {
		t.Errorf("before there is any: %+v, %v", state, err)
	}
	requireTree(t, "before there is any", listed(t, s, "lamps"), tree{})
	all := tree{"a.md": "one", "b/c.md": "two", "b/d.md": "one", "b0": "three", "odd \xff\n": "odd"}
	all.put(t, s, "lamps")
	tree{"a.md": "other"}.put(t, s, "oil")
	requireTree(t, "all", listed(t, s, "lamps"), all)
	requireTree(t, "a folder", listed(t, s, "lamps", "b"), tree{"b/c.md": "two", "b/d.md": "one"})
	requireTree(t, "two places", listed(t, s, "lamps", "a.md", "b0", "none"), tree{"a.md": "one", "b0": "three"})
	tree{"b/e.md": "new"}.put(t, s, "lamps", "b", "none")
	requireTree(t, "a folder was replaced", listed(t, s, "lamps"), tree{"a.md": "one", "b/e.md": "new", "b0": "three", "odd \xff\n": "odd"})
	tree{"z.md": "last"}.put(t, s, "lamps")
	requireTree(t, "all was replaced", listed(t, s, "lamps"), tree{"z.md": "last"})
	requireTree(t, "another tree", listed(t, s, "oil"), tree{"a.md": "other"})
	if names, err := s.List(ctx); !slices.Equal(names, []string{"lamps", "oil"}) || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

func treesSince(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	tree{"a": "1", "b": "2", "c": "3"}.put(t, s, "lamps")
	all, err := s.Changes(ctx, "lamps", filetree.State{})
	if err != nil || !all.Whole || len(all.Files) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	tree{"a": "1", "b": "20", "d": "4"}.put(t, s, "lamps")
	now, err := s.Changes(ctx, "lamps", all.State)
	if err != nil || now.Whole || now.State.Revision <= all.State.Revision || !slices.Equal(now.Gone, []string{"c"}) {
		t.Errorf("%+v, %v", now, err)
	}
	requireTree(t, "changed files", loaded(t, s, now.Files), tree{"b": "20", "d": "4"})
	tree{"b": "20"}.put(t, s, "lamps", "b")
	if again, err := s.Changes(ctx, "lamps", now.State); err != nil || again.State != now.State || len(again.Files)+len(again.Gone) > 0 {
		t.Errorf("nothing changed: %+v, %v", again, err)
	}
	for name, state := range map[string]filetree.State{
		"a later state": {Born: now.State.Born, Revision: now.State.Revision + 1}, "another tree's": {Born: "x", Revision: now.State.Revision},
	} {
		if c, err := s.Changes(ctx, "lamps", state); err != nil || !c.Whole || len(c.Files) != 3 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func treesContents(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	large := tree{"empty": "", "small": "x", "large": strings.Repeat("a long text ", 1<<20), "rand": randomText(1 << 20)}
	for i := range 1200 {
		large[fmt.Sprintf("many/%d", i)] = fmt.Sprint("text ", i/2)
	}
	large.put(t, s, "lamps")
	requireTree(t, "contents", listed(t, s, "lamps"), large)
	reads := 0
	err := s.Change(ctx, "copy", nil, large.files(), func(filetree.File) ([]byte, error) { reads++; return nil, errors.New("read again") })
	if err != nil || reads > 0 {
		t.Errorf("a content that is kept was asked for %d times: %v", reads, err)
	}
	err = s.Contents(ctx, []string{sumOf("nowhere")}, func(_ string, content []byte, err error) error {
		if content != nil || !errors.Is(err, store.ErrNoBlob) {
			t.Errorf("%q, %v", content, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if f, err := s.Check(ctx, true); err != nil || f.Files != 2*len(large) || len(f.Missing)+len(f.Damaged)+f.Unused > 0 {
		t.Errorf("%d files, %d missing, %d damaged, %d unused, %v", f.Files, len(f.Missing), len(f.Damaged), f.Unused, err)
	}
}

func randomText(n int) string {
	rnd := rand.New(rand.NewPCG(29, 3))
	var b bytes.Buffer
	for range n {
		b.WriteByte(byte(rnd.Uint32()))
	}
	return b.String()
}

// A file that changes while it is read, or that cannot be read, changes nothing.
func treesWrong(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	tree{"a": "1"}.put(t, s, "lamps")
	broken := errors.New("broken")
	next := tree{"a": "2", "b": "3"}
	err := s.Change(ctx, "lamps", nil, next.files(), func(filetree.File) ([]byte, error) { return []byte("other"), nil })
	if err == nil {
		t.Error("another content was taken")
	}
	err = s.Change(ctx, "lamps", nil, next.files(), func(f filetree.File) ([]byte, error) {
		if f.Path == "b" {
			return nil, broken
		}
		return next.read(f)
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	requireTree(t, "after that", listed(t, s, "lamps"), tree{"a": "1"})
	if err := s.Restore(ctx, sumOf("1"), []byte("2")); !errors.Is(err, store.ErrBlobDamaged) {
		t.Errorf("another content was restored: %v", err)
	}
	if err := s.Restore(ctx, sumOf("1"), []byte("1")); err != nil {
		t.Error(err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := s.Change(ended, "lamps", nil, next.files(), next.read); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A tree that is made again under its name is another one: a machine that has the old files learns
// that it has to compare all of them.
func treesAgain(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	if err := s.Remove(ctx, "lamps"); err != nil {
		t.Errorf("before there is any: %v", err)
	}
	tree{"a": "1", "b": "2"}.put(t, s, "lamps")
	old, err := s.State(ctx, "lamps")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(ctx, "lamps"); err != nil {
		t.Fatal(err)
	}
	requireTree(t, "removed", listed(t, s, "lamps"), tree{})
	tree{"b": "2"}.put(t, s, "lamps")
	c, err := s.Changes(ctx, "lamps", old)
	if err != nil || !c.Whole || c.State.Born == old.Born || c.State.Revision <= old.Revision {
		t.Errorf("%+v after %+v, %v", c, old, err)
	}
	if n, err := s.Sweep(ctx, 0); n != 1 || err != nil {
		t.Errorf("%d were swept, %v", n, err)
	}
	requireTree(t, "swept", listed(t, s, "lamps"), tree{"b": "2"})
}

// While files come and go, sweeps take only what no file has.
func treesSwept(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			name := fmt.Sprint("tree ", w)
			for i := range 15 {
				// All four have the same contents in turn, and drop them again.
				x := tree{"a": fmt.Sprint("text ", i), "b": fmt.Sprint("text ", i+1)}
				if err := s.Change(ctx, name, nil, x.files(), x.read); err != nil {
					t.Error(err)
					return
				}
				requireTree(t, name, listed(t, s, name), x)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for swept := 0; ; {
		n, err := s.Sweep(ctx, 0)
		if err != nil {
			t.Error(err)
		}
		swept += n
		select {
		case <-done:
			if n, err = s.Sweep(ctx, 0); err != nil || swept+n == 0 {
				t.Errorf("nothing was swept: %v", err)
			}
			if f, err := s.Check(ctx, true); err != nil || len(f.Missing)+len(f.Damaged)+f.Unused > 0 {
				t.Errorf("%+v, %v", f, err)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// Another machine that hears of the changes has the same files at every moment.
func treesRandom(t *testing.T, s filetree.Store) {
	ctx := context.Background()
	rnd := rand.New(rand.NewPCG(29, 4))
	here, there := tree{}, tree{}
	var state filetree.State
	for range 60 {
		folder := fmt.Sprint("f", rnd.IntN(4))
		part := tree{}
		for range rnd.IntN(4) {
			part[fmt.Sprint(folder, "/", rnd.IntN(5))] = fmt.Sprint("text ", rnd.IntN(6))
		}
		for path := range here {
			if strings.HasPrefix(path, folder+"/") {
				delete(here, path)
			}
		}
		maps.Copy(here, part)
		part.put(t, s, "lamps", folder)
		if rnd.IntN(3) > 0 {
			continue
		}
		c, err := s.Changes(ctx, "lamps", state)
		if err != nil {
			t.Fatal(err)
		}
		if c.Whole {
			clear(there)
		}
		for _, path := range c.Gone {
			delete(there, path)
		}
		maps.Copy(there, loaded(t, s, c.Files))
		state = c.State
		requireTree(t, "the other machine", there, here)
	}
}
