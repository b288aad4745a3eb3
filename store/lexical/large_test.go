package lexical

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/store"
	"docent/store/analysis"
)

// bodies are passages of so many words, of which half stand in one passage alone.
func bodies(passages, words int) []store.Passage {
	var out []store.Passage
	for i := range passages {
		var b strings.Builder
		for k := range words {
			fmt.Fprintf(&b, "lamp%d word%dx%d ", k%7, i, k)
		}
		out = append(out, store.Passage{Chunk: i, Fields: [store.NumFields]string{store.Title: "Lamps", store.Body: b.String(), store.Code: fmt.Sprintf("oil%d()", i)}})
	}
	return out
}

// termsOf are all terms of an index with the passages that have them, as EachTerm
// gives them.
func termsOf(t *testing.T, dir string, least uint64) map[string][]store.TermCount {
	t.Helper()
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out, last := map[string][]store.TermCount{}, ""
	err = r.EachTerm(context.Background(), [store.NumFields]float64{store.Title: 1, store.Body: 1, store.Code: 2}, least, func(term string, counts []store.TermCount) error {
		if term <= last {
			t.Errorf("%q comes behind %q", term, last)
		}
		last = term
		out[term] = append([]store.TermCount{}, counts...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A large document, which is analysed while it is added, becomes the index that a small
// one of the same passages would.
func TestLargeDocument(t *testing.T) {
	t.Parallel()
	passages := bodies(60, 400)
	late := func() *Analyzed { return Analyze(analysis.New(), passages) }
	once := func() *Analyzed {
		p := &Analyzed{info: docInfo{parts: late().info.parts}}
		for _, ps := range passages {
			p.docs = append(p.docs, p.analyzedDocument(analysis.New(), ps))
		}
		return p
	}
	if late().docs != nil {
		t.Fatal("the document is not large")
	}
	weights := [store.NumFields]float64{store.Body: 1, store.Code: 2}
	want := slices.Collect(once().Terms(weights))
	if got := slices.Collect(late().Terms(weights)); len(want) != len(passages) || !reflect.DeepEqual(got, want) {
		t.Errorf("%d passages have other terms", len(got))
	}
	for range late().Terms(weights) {
		break // a reader may stop
	}
	var terms []map[string][]store.TermCount
	var infos []docInfo
	for _, p := range []*Analyzed{once(), late(), once(), late()} {
		dir, fresh := t.TempDir(), len(terms) < 2
		if !fresh { // added to an index that is there
			write(t, dir, true, nil, map[int64]page{1: {title: "Old", passages: []string{"old"}}}, []int64{1})
		}
		u, err := BeginUpdate(dir, fresh)
		if err == nil && !fresh {
			err = u.Delete(1)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.SetID(7)
		note := func() error {
			row, ok := u.docs.findRow(7)
			if !ok {
				t.Fatal("the document is not listed")
			}
			infos = append(infos, u.docs.info(u.docs.rows[row]))
			return nil
		}
		for _, step := range []func() error{func() error { return u.Add(t.Context(), p) }, func() error { return u.Prepare(t.Context()) }, note, u.Commit} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		terms = append(terms, termsOf(t, dir, 1))
	}
	for i := range terms {
		if len(terms[i]) < 20_000 || !reflect.DeepEqual(terms[i], terms[0]) || !reflect.DeepEqual(infos[i], infos[0]) {
			t.Errorf("index %d has %d other terms, or %v and not %v", i, len(terms[i]), infos[i].tokens, infos[0].tokens)
		}
	}
}

// What EachTerm gives does not depend on how the index came to be: written at once in
// batches that were merged, in several updates, or with pages that were deleted since.
// (zap's counts in its dictionaries do: behind a word that stands once, others count as
// one too.)
func TestEachTermOfAnyHistory(t *testing.T) {
	t.Parallel()
	pages, order := corpus(900)
	rng := rand.New(rand.NewPCG(5, 6))
	for id, p := range pages {
		for i := range p.passages {
			p.passages[i] += fmt.Sprintf(" r%d q%d x%d", rng.IntN(2000), rng.IntN(700), id)
		}
	}
	one, several, deleted := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, one, true, nil, pages, order)
	write(t, several, true, nil, pages, order[:300])
	write(t, several, false, nil, pages, order[300:600])
	write(t, several, false, nil, pages, order[600:])
	gone := map[int64]page{1001: {title: "gone", passages: []string{"gone r1 q1 x1"}}, 1002: {title: "gone", passages: []string{"r2"}}}
	write(t, deleted, true, nil, gone, []int64{1001})
	write(t, deleted, false, nil, pages, order[:700])
	write(t, deleted, false, nil, gone, []int64{1002})
	write(t, deleted, false, []int64{1001, 1002}, pages, order[700:])
	all := termsOf(t, one, 1)
	for _, least := range []uint64{1, 2, 3} {
		want := termsOf(t, several, least)
		for term, counts := range all {
			sum := 0.0
			for _, c := range counts {
				sum += c.Count
			}
			_, there := want[term]
			if !there && uint64(len(counts)) >= least || there && sum < float64(least) {
				t.Fatalf("least %d: %q with %v is there: %v", least, term, counts, there)
			}
		}
		for name, dir := range map[string]string{"at once": one, "deleted": deleted} {
			if got := termsOf(t, dir, least); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, least %d: %d terms, want %d", name, least, len(got), len(want))
			}
		}
	}
	if len(all) < 2500 {
		t.Errorf("%d terms", len(all))
	}
	stop := errors.New("enough")
	r, err := OpenReader(one)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = r.EachTerm(t.Context(), [store.NumFields]float64{store.Body: 1}, 1, func(string, []store.TermCount) error { return stop })
	if !errors.Is(err, stop) || errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// An interrupt during the indexing of a page of 30 MB was followed after eight seconds: all of the
// page's passages were analysed before.
func TestAddingALargeDocumentEndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := Analyze(analysis.New(), bodies(4*passagesAtOnce, 400))
	u, err := BeginUpdate(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.SetID(1)
	if err := u.Add(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if u.queued >= passagesAtOnce {
		t.Errorf("%d passages were analysed", u.queued)
	}
	if err := u.Abort(); err != nil {
		t.Error(err)
	}
}

// lateEnd is a context that ends when it was asked once.
type lateEnd struct {
	context.Context
	end context.CancelFunc
}

func (l lateEnd) Err() error {
	defer l.end()
	return l.Context.Err()
}

// The segments of 160 000 pages are merged for a minute.
func TestMergingSegmentsEndsWithTheContext(t *testing.T) {
	t.Parallel()
	u, err := BeginUpdate(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	for id := range int64(3) {
		p := Analyze(analysis.New(), bodies(batchSize, 2))
		p.SetID(id + 1)
		if err := u.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	if err := u.Prepare(lateEnd{ctx, end}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := u.Abort(); err != nil {
		t.Error(err)
	}
}
