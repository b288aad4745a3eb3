package lexical

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"docent/store"
	"docent/store/analysis"
)

// shelf is an index of documents of one passage.
type shelf struct {
	t   *testing.T
	dir string
	a   *analysis.Analyzer
}

func newShelf(t *testing.T) shelf { return shelf{t, t.TempDir(), analysis.New()} }

// write updates the index: each id gets a text that says so.
func (s shelf) write(add map[int64]string, remove ...int64) error {
	s.t.Helper()
	u, err := BeginUpdate(s.dir, false)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, id := range remove {
		if err := u.Delete(id); err != nil {
			s.t.Fatal(err)
		}
	}
	for id, text := range add {
		var p store.Passage
		p.Fields[store.Body] = text
		d := Analyze(s.a, []store.Passage{p})
		d.SetID(id)
		if err := u.Add(context.Background(), d); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := u.Prepare(context.Background()); err != nil {
		return errors.Join(err, u.Abort())
	}
	return u.Commit()
}

func (s shelf) must(add map[int64]string, remove ...int64) {
	s.t.Helper()
	if err := s.write(add, remove...); err != nil {
		s.t.Fatal(err)
	}
}

// content is all that the index has: statistics, passages, and the passages and
// counts of every term.
func (s shelf) content() (content map[string]any, segments int) {
	s.t.Helper()
	ctx := context.Background()
	r, err := OpenReader(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Close()
	keys, err := r.Keys(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	st := r.Statistics()
	st.Bytes = 0
	content = map[string]any{"keys": keys, "statistics": st}
	err = r.EachTerm(ctx, [store.NumFields]float64{store.Body: 1}, 1, func(term string, counts []store.TermCount) error {
		content["term "+term] = append([]store.TermCount{}, counts...)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return content, len(r.segments)
}

func (s shelf) segmentFiles() []string {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "g*", indexFolder, "*.zap"))
	if err != nil {
		s.t.Fatal(err)
	}
	return files
}

func text(id int64) string { return fmt.Sprintf("lantern wick%d of keeper%d", id, id%7) }

// Many small updates leave few segments and no file that is not used, and the same
// content as one large update.
func TestSegmentsAreMerged(t *testing.T) {
	t.Parallel()
	many, once := newShelf(t), newShelf(t)
	want := map[int64]string{}
	for id := range int64(300) {
		want[id+1] = text(id + 1)
	}
	many.must(want)
	most := 0
	for i := range int64(36) {
		old, id := i+1, i+1000
		many.must(map[int64]string{id: text(id)}, old)
		delete(want, old)
		want[id] = text(id)
		_, segments := many.content()
		most = max(most, segments)
		if segments > mostSegments {
			t.Fatalf("%d segments after %d updates", segments, i+1)
		}
		if files := many.segmentFiles(); len(files) != segments {
			t.Fatalf("%d files of %d segments after %d updates", len(files), segments, i+1)
		}
	}
	if most < mostSegments {
		t.Errorf("there were never more than %d segments: nothing was tried", most)
	}
	once.must(want)
	got, _ := many.content()
	if all, _ := once.content(); !reflect.DeepEqual(got, all) {
		t.Error("the content of many updates is not that of one")
	}
}

// spoil changes a byte of the largest segment. A settled file has the time that it
// had, as when a disk rots.
func (s shelf) spoil(settled bool) {
	s.t.Helper()
	var path string
	var info os.FileInfo
	for _, f := range s.segmentFiles() {
		st, err := os.Stat(f)
		if err != nil {
			s.t.Fatal(err)
		}
		if info == nil || st.Size() > info.Size() {
			path, info = f, st
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	raw[len(raw)/3] ^= 1
	at := info.ModTime()
	if !settled {
		raw[len(raw)/4] ^= 1
		at = time.Now().Add(time.Second)
	}
	if err := errors.Join(os.WriteFile(path, raw, 0o600), os.Chtimes(path, at, at)); err != nil {
		s.t.Fatal(err)
	}
}

// An update builds on nothing that is damaged, whatever time its file has: it begins
// from nothing, and nothing damaged is read before.
func TestUpdatesHideNoDamage(t *testing.T) {
	t.Parallel()
	for _, settled := range []bool{true, false} {
		s := newShelf(t)
		s.must(map[int64]string{1: text(1), 2: text(2)})
		s.must(map[int64]string{3: text(3)})
		s.spoil(settled)
		if err := Verify(s.dir); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("verify: %v", err)
		}
		if r, err := OpenReader(s.dir); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("open: %v, %v", r, err)
		}
		u, err := BeginUpdate(s.dir, false)
		if err != nil || !u.Fresh() {
			t.Errorf("begin: fresh %v, %v", u.Fresh(), err)
		}
	}
}
