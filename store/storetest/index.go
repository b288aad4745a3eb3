// Package storetest is the conformance suite of stores: cases that every
// implementation of package store's interfaces must pass, in this process or on
// a cluster. An implementation's test makes a factory and calls RunIndex,
// RunVectors or RunCatalog.
//
// It refuses to know how an implementation keeps anything.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
	"docent/store/wordsearch"
)

// Index is one doc set's index of words under test.
type Index interface {
	// Open opens the current generation.
	Open(context.Context) (store.Index, error)
	// Publish makes a change and has new readers see it.
	Publish(context.Context, Change) error
}

// Change is what Publish does: it deletes documents, and then adds some.
type Change struct {
	Delete []int64
	Add    []Document
}

// Document is a document as it is indexed.
type Document struct {
	ID       int64
	Passages []store.Passage
}

// Abandoner is an index whose writer can die.
type Abandoner interface {
	// Abandon begins a change and stops after so many steps, as if its process had
	// died. It reports whether there are more steps before the change is published.
	Abandon(ctx context.Context, c Change, steps int) (more bool, err error)
}

// Damager is a store whose files can be damaged.
type Damager interface {
	// Files lists the files of the current generation.
	Files() ([]string, error)
}

// RunIndex runs the cases of an index of words. fresh makes an empty one.
func RunIndex(t *testing.T, fresh func(testing.TB) Index) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, func(testing.TB) Index)
	}{
		{"empty", indexEmpty},
		{"add, replace, delete", indexDocuments},
		{"like the reference", indexReference},
		{"ties", indexTies},
		{"one field", indexOneField},
		{"generations", indexGenerations},
		{"readers while publishing", indexConcurrent},
		{"cancelled", indexCancelled},
		{"a writer that dies", indexAbandoned},
		{"damaged files", indexDamaged},
		{"many documents", indexLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, fresh)
		})
	}
}

// fataler is a test or a rapid one.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

func publish(t fataler, x Index, c Change) {
	t.Helper()
	if err := x.Publish(context.Background(), c); err != nil {
		t.Fatalf("publish: %v", err)
	}
}

// withIndex opens the current generation for the length of f.
func withIndex(t fataler, x Index, f func(store.Index)) {
	t.Helper()
	r, err := x.Open(context.Background())
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	f(r)
	if err := r.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// makeQuery is a query of a text's words.
func makeQuery(text string, weight float64) store.Query {
	q := store.Query{Weight: weight}
	for _, t := range analysis.New().Terms(text) {
		q.Terms = append(q.Terms, store.WeightedTerm{Term: t, Weight: 1})
	}
	return q
}

// search gives the best passages of an index by some queries, those with Aside
// added in a second step as a pipeline does.
func search(ctx context.Context, x wordsearch.Index, limit int, also map[store.Key]bool, queries ...store.Query) ([]store.Hit, error) {
	s, err := wordsearch.Searcher{Indexes: []wordsearch.Index{x}, Params: bm25f.Defaults()}.Search(ctx, queries...)
	if err != nil {
		return nil, err
	}
	return s.BestHits(ctx, limit, []map[store.Key]bool{also})
}

func mustSearch(t fataler, x wordsearch.Index, limit int, queries ...store.Query) []store.Hit {
	t.Helper()
	hits, err := search(context.Background(), x, limit, nil, queries...)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	return hits
}

// makePage is a document of one passage for each body.
func makePage(id int64, title string, bodies ...string) Document {
	d := Document{ID: id}
	for i, body := range bodies {
		p := store.Passage{Chunk: i}
		p.Fields[store.Title], p.Fields[store.Heading], p.Fields[store.Body] = title, fmt.Sprintf("Part %d", i), body
		d.Passages = append(d.Passages, p)
	}
	return d
}

func indexEmpty(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	if _, err := x.Open(t.Context()); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("what was never published opens with %v", err)
	}
	publish(t, x, Change{})
	empty := func() {
		t.Helper()
		withIndex(t, x, func(r store.Index) {
			if s := r.Statistics(); s.Documents != 0 || s.Passages != 0 || s.Tokens != ([store.NumFields]int64{}) {
				t.Errorf("the statistics are %+v", s)
			}
			if hits := mustSearch(t, r, 5, makeQuery("pod volume", 1)); len(hits) != 0 {
				t.Errorf("found %v", hits)
			}
			e, err := r.Evidence(t.Context(), []string{"pod"}, []store.Key{{Doc: 1}})
			if err != nil || len(e) != 1 || e[0].Known {
				t.Errorf("evidence %+v, %v", e, err)
			}
			if n, err := r.Matches(t.Context(), []string{"pod", "volum"}); n != 0 || err != nil {
				t.Errorf("%d matches, %v", n, err)
			}
			if terms, err := r.Terms(t.Context(), store.Body); len(terms) != 0 || err != nil {
				t.Errorf("terms %q, %v", terms, err)
			}
		})
	}
	empty()
	publish(t, x, Change{Add: []Document{{ID: 1}}}) // without passages
	withIndex(t, x, func(r store.Index) {
		if s := r.Statistics(); s.Documents != 1 || s.Passages != 0 {
			t.Errorf("the statistics are %+v", s)
		}
	})
	publish(t, x, Change{Add: []Document{makePage(2, "pod", "pod")}})
	withIndex(t, x, func(r store.Index) {
		if hits := mustSearch(t, r, 0, makeQuery("pod", 1)); len(hits) != 1 || hits[0].Doc != 2 {
			t.Errorf("found %v", hits)
		}
	})
	publish(t, x, Change{Delete: []int64{1, 2, 77}})
	empty()
}

func indexDocuments(t *testing.T, fresh func(testing.TB) Index) {
	x, ref := fresh(t), NewReference()
	for i, c := range []Change{
		{Add: []Document{makePage(1, "Pods", "create a pod", "delete a pod"), makePage(2, "Volumes", "mount a volume in a pod")}},
		{Add: []Document{makePage(3, "Secrets", "a secret token")}},
		{Delete: []int64{1}, Add: []Document{makePage(4, "Pods", "create a pod twice", "delete it", "a third part")}},
		{Delete: []int64{2}, Add: []Document{makePage(2, "Volumes again", "a volume")}}, // the same number
		{Delete: []int64{3, 4}},
		{Add: []Document{makePage(5, "Pods", "create a pod", "delete a pod")}},
	} {
		publish(t, x, c)
		ref.Publish(c)
		withIndex(t, x, func(r store.Index) {
			compareWith(t, fmt.Sprintf("change %d", i), r, ref, []string{"pod", "volum", "creat", "third", "secret", "nothing"},
				[]store.Query{makeQuery("create a pod volume", 1), makeQuery("delete the secret token", .5)})
		})
	}
}

func indexTies(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	var c Change
	for id := int64(20); id > 0; id-- { // not in the order of the numbers
		c.Add = append(c.Add, makePage(id, "Pods", "the same text of a pod"))
	}
	c.Add = append(c.Add, makePage(30, "Pods", "a pod, a pod, a pod"),
		makePage(31, "Volumes", "another text, much longer than the others, of a pod"))
	publish(t, x, c)
	withIndex(t, x, func(r store.Index) {
		for _, limit := range []int{1, 2, 5, 21, 22, 100, 0} {
			hits := mustSearch(t, r, limit, makeQuery("pod", 1))
			want := 21 // all that tie with the second
			switch {
			case limit == 1:
				want = 1
			case limit == 0 || limit > 21:
				want = 22
			}
			if len(hits) != want || hits[0].Doc != 30 {
				t.Errorf("the best %d are %d hits, want %d", limit, len(hits), want)
				continue
			}
			for i := 1; i < min(want, 21); i++ {
				if hits[i].Doc != int64(i) || hits[i].Score != hits[1].Score {
					t.Errorf("the best %d: hit %d is %v", limit, i, hits[i])
				}
			}
		}
	})
}

// A ranking by one field finds passages that a ranking by all fields puts last.
func indexOneField(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	var c Change
	for id := range int64(700) {
		c.Add = append(c.Add, makePage(id+1, fmt.Sprintf("Volumes of node%d", id), "a pod, a pod and a pod"))
	}
	for id := int64(1001); id <= 1003; id++ {
		c.Add = append(c.Add, makePage(id, "Pods", strings.Repeat("its labels and their values, ", 40)))
	}
	publish(t, x, c)
	p := store.Params{K1: 20}
	p.Weight[store.Title], p.B[store.Title] = 1, 1
	withIndex(t, x, func(r store.Index) {
		s, err := wordsearch.Searcher{Indexes: []wordsearch.Index{r}, Params: p}.Search(t.Context(), makeQuery("pod", 1))
		if err != nil {
			t.Fatal(err)
		}
		hits, err := s.BestHits(t.Context(), 2, nil)
		if err != nil || len(hits) != 3 || hits[0].Doc != 1001 || hits[2].Doc != 1003 {
			t.Errorf("found %v, %v", hits, err)
		}
	})
}

// A reader answers as on the day it was opened, whatever is published later.
func indexGenerations(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	publish(t, x, Change{Add: []Document{makePage(1, "Pods", "a pod"), makePage(2, "Volumes", "a volume")}})
	old, err := x.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := mustSearch(t, old, 0, makeQuery("pod volume", 1))
	if current, err := old.Current(t.Context()); !current || err != nil {
		t.Errorf("the only generation is not current: %v", err)
	}
	publish(t, x, Change{Delete: []int64{1}, Add: []Document{makePage(3, "Pods", "another pod", "and its volume")}})
	publish(t, x, Change{Delete: []int64{2}})
	if current, err := old.Current(t.Context()); current || err != nil {
		t.Errorf("an old generation is current: %v", err)
	}
	// Terms that it was not asked for before, too.
	if got := mustSearch(t, old, 0, makeQuery("pod volume", 1)); !slices.Equal(got, want) {
		t.Errorf("found %v, at first %v", got, want)
	}
	if f, err := old.Frequencies(t.Context(), []string{"anoth"}); err != nil || f[0] != 0 {
		t.Errorf("the old generation has a term of the new one: %v, %v", f, err)
	}
	if e, err := old.Evidence(t.Context(), []string{"pod"}, []store.Key{{Doc: 1}, {Doc: 3}}); err != nil || !e[0].Known || e[1].Known {
		t.Errorf("evidence %+v, %v", e, err)
	}
	withIndex(t, x, func(r store.Index) {
		if r.Generation() == old.Generation() {
			t.Errorf("two generations are named %q", r.Generation())
		}
		if hits := mustSearch(t, r, 0, makeQuery("pod volume", 1)); len(hits) != 2 || hits[0].Doc != 3 || hits[1].Doc != 3 {
			t.Errorf("found %v", hits)
		}
	})
	if err := old.Close(); err != nil {
		t.Error(err)
	}
}

// Every reader sees a whole generation: all documents of one publication.
func indexConcurrent(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	const pages, rounds = 8, 12
	change := func(round int64) Change {
		var c Change
		for i := range int64(pages) {
			if round > 0 {
				c.Delete = append(c.Delete, (round-1)*pages+i+1)
			}
			c.Add = append(c.Add, makePage(round*pages+i+1, "Pods", fmt.Sprintf("a pod of round%d", round), "a volume"))
		}
		return c
	}
	publish(t, x, change(0))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				withIndex(t, x, func(r store.Index) {
					hits := mustSearch(t, r, 0, makeQuery("pod volume", 1))
					rounds := map[int64]int{}
					for _, h := range hits {
						rounds[(h.Doc-1)/pages]++
					}
					if len(hits) != 2*pages || len(rounds) != 1 {
						t.Errorf("%d hits of rounds %v", len(hits), rounds)
					}
				})
			}
		})
	}
	for round := range int64(rounds) {
		publish(t, x, change(round+1))
	}
	close(stop)
	wg.Wait()
}

func indexCancelled(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	publish(t, x, Change{Add: []Document{makePage(1, "Pods", "a pod")}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := x.Publish(ctx, Change{Add: []Document{makePage(2, "Pods", "a pod")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("publish: %v", err)
	}
	withIndex(t, x, func(r store.Index) {
		if n := r.Statistics().Documents; n != 1 {
			t.Errorf("a cancelled publication left %d documents", n)
		}
		scorer := bm25f.New(bm25f.Defaults(), r.Statistics())
		scorer.Add([]store.Query{makeQuery("pod", 1)}, []int{1})
		for range 2 { // remembered answers, too
			for name, err := range map[string]error{
				"frequencies":        second(r.Frequencies(ctx, []string{"volum"})),
				"matches":            second(r.Matches(ctx, []string{"pod", "volum"})),
				"candidates":         second(r.Candidates(ctx, scorer.Ranking(), 5)),
				"evidence":           second(r.Evidence(ctx, []string{"pod"}, []store.Key{{Doc: 1}})),
				"approx frequencies": second(r.ApproxFrequencies(ctx, []string{"pod"})),
				"fuzzy":              second(r.Fuzzy(ctx, "pod", 1)),
				"prefix":             second(r.Prefix(ctx, "p")),
				"terms":              second(r.Terms(ctx, store.Body)),
				"definitions":        second(r.Definitions(ctx, []string{"hpa"}, nil)),
			} {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", name, err)
				}
			}
			mustSearch(t, r, 5, makeQuery("pod", 1))
		}
	})
}

func second[T any](_ T, err error) error { return err }

// Wherever a writer dies, the last generation is whole and the next change is
// made.
func indexAbandoned(t *testing.T, fresh func(testing.TB) Index) {
	x := fresh(t)
	dying, ok := x.(Abandoner)
	if !ok {
		t.Skip("its writers do not die")
	}
	publish(t, x, Change{Add: []Document{makePage(1, "Pods", "a pod"), makePage(2, "Volumes", "a volume")}})
	for steps, more := 0, true; more; steps++ {
		var err error
		id := int64(10 + steps)
		if more, err = dying.Abandon(t.Context(), Change{Delete: []int64{1},
			Add: []Document{makePage(id, "Pods", "a pod that never was")}}, steps); err != nil {
			t.Fatal(err)
		}
		withIndex(t, x, func(r store.Index) {
			hits := mustSearch(t, r, 0, makeQuery("pod never", 1))
			if len(hits) != 1 || hits[0].Doc != 1 {
				t.Errorf("dead after %d steps: found %v", steps, hits)
			}
		})
		if steps > 20 {
			t.Fatal("it never ends")
		}
	}
	publish(t, x, Change{Delete: []int64{1}, Add: []Document{makePage(3, "Pods", "a pod at last")}})
	withIndex(t, x, func(r store.Index) {
		if hits := mustSearch(t, r, 0, makeQuery("pod", 1)); len(hits) != 1 || hits[0].Doc != 3 || r.Statistics().Documents != 2 {
			t.Errorf("found %v", hits)
		}
	})
}

// Damage is an error that wraps ErrDamaged, and neither a panic nor a wrong
// answer.
func indexDamaged(t *testing.T, fresh func(testing.TB) Index) {
	var c Change
	for id := range int64(40) {
		c.Add = append(c.Add, makePage(id+1, "Pods", fmt.Sprintf("a pod with the label number%d", id), "a volume"))
	}
	damaged(t, func(t testing.TB) (any, func() error) {
		x := fresh(t)
		publish(t, x, c)
		return x, func() error {
			r, err := x.Open(t.Context())
			if err != nil {
				return err
			}
			_, err = search(t.Context(), r, 5, nil, makeQuery("pod number7", 1))
			return errors.Join(err, r.Close())
		}
	}, store.ErrDamaged)
}

// Large is what an index is where many documents take it longer than one in this process.
type Large interface {
	Many() int64 // documents that are more than it does at once
}

// manyDocuments is the size of a large doc set in the tests of an index.
func manyDocuments(x any) int64 {
	if l, ok := x.(Large); ok {
		return l.Many()
	}
	return 10_000
}

func indexLarge(t *testing.T, fresh func(testing.TB) Index) {
	if testing.Short() {
		t.Skip("many documents take a while")
	}
	x, ref := fresh(t), NewReference()
	many := manyDocuments(x)
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("pod node volume secret config hook skill agent server port label image registry deploy scale update token " +
		"cluster")
	var c Change
	for id := range many {
		var b strings.Builder
		for range 5 + rng.IntN(20) {
			b.WriteString(words[min(rng.IntN(len(words)), rng.IntN(len(words)))] + " ")
		}
		c.Add = append(c.Add, makePage(id+1, words[rng.IntN(len(words))], b.String()+fmt.Sprintf("page%d", id)))
	}
	publish(t, x, c)
	ref.Publish(c)
	c = Change{Delete: []int64{17, 4000}, Add: []Document{makePage(many+1, "A changed page", "the hook of an agent")}}
	publish(t, x, c)
	ref.Publish(c)
	withIndex(t, x, func(r store.Index) {
		if s := r.Statistics(); int64(s.Documents) != many-1 || int64(s.Passages) != many-1 {
			t.Errorf("the statistics are %+v", s)
		}
		for _, text := range []string{"agent hook", "page4242", "page16 page3999", "cluster token deploy registry"} {
			likeReference(t, text, r, ref, 50, []store.Query{makeQuery(text, 1)})
		}
	})
}
