package lexical

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/store"
	"docent/store/analysis"
	"docent/store/bm25f"
	"docent/store/wordsearch"
)

// page is a document of a test: its passages' bodies.
type page struct {
	title    string
	passages []string
}

func write(t *testing.T, dir string, fresh bool, remove []int64, pages map[int64]page, order []int64) {
	t.Helper()
	u, err := BeginUpdate(dir, fresh)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range remove {
		if err := u.Delete(id); err != nil {
			t.Fatal(err)
		}
	}
	a := analysis.New()
	for _, id := range order {
		var ps []store.Passage
		for i, body := range pages[id].passages {
			ps = append(ps, store.Passage{Chunk: i, Fields: [store.NumFields]string{store.Title: pages[id].title, store.Heading: fmt.Sprintf("Part %d", i), store.Body: body}})
		}
		p := Analyze(a, ps)
		p.SetID(id)
		if err := u.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := u.Commit(); err != nil {
		t.Fatal(err)
	}
}

// corpus makes n documents of a small vocabulary, so that terms are shared.
func corpus(n int) (map[int64]page, []int64) {
	words := strings.Fields("pod node volume secret config hook skill agent server port label image registry deploy scale update delete create token cluster")
	rng := rand.New(rand.NewPCG(1, 2))
	pages := map[int64]page{}
	var order []int64
	for id := int64(1); id <= int64(n); id++ {
		p := page{title: words[rng.IntN(len(words))] + " " + words[rng.IntN(len(words))]}
		for range 1 + rng.IntN(3) {
			var b strings.Builder
			for range 5 + rng.IntN(60) {
				b.WriteString(words[rng.IntN(len(words))] + " ")
			}
			p.passages = append(p.passages, b.String())
		}
		pages[id] = p
		order = append(order, id)
	}
	return pages, order
}

// query is a query of a text's words.
func query(text string, weight float64) store.Query {
	q := store.Query{Weight: weight}
	for _, t := range analysis.New().Terms(text) {
		q.Terms = append(q.Terms, store.WeightedTerm{Term: t, Weight: 1})
	}
	return q
}

func queries() []store.Query {
	return []store.Query{query("create a pod volume", 1), query("delete secret token", 0.5)}
}

// searcher searches the indexes in folders.
func searcher(t *testing.T, dirs ...string) wordsearch.Searcher {
	t.Helper()
	s := wordsearch.Searcher{Params: bm25f.Defaults()}
	for _, d := range dirs {
		r, err := OpenReader(d)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		s.Indexes = append(s.Indexes, r)
	}
	return s
}

// search gives the best passages.
func search(t *testing.T, s wordsearch.Searcher, limit int, queries ...store.Query) (*wordsearch.Search, []store.Hit) {
	t.Helper()
	a, err := s.Search(t.Context(), queries...)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := a.BestHits(t.Context(), limit, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a, hits
}

// scores is every passage's score by document and chunk, to the last bit.
func scores(t *testing.T, dirs ...string) map[string]float64 {
	t.Helper()
	_, hits := search(t, searcher(t, dirs...), 0, queries()...)
	if len(hits) == 0 {
		t.Fatal("nothing is found")
	}
	out := map[string]float64{}
	for _, h := range hits {
		out[fmt.Sprintf("%d.%d", h.Doc, h.Chunk)] = h.Score
	}
	return out
}

func same(t *testing.T, what string, a, b map[string]float64) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d and %d passages", what, len(a), len(b))
	}
	for k, v := range a {
		if b[k] != v {
			t.Fatalf("%s: passage %s scores %v and %v", what, k, v, b[k])
		}
	}
}

// The same documents score the same to the last bit whatever the order, the
// batches, the deletions and the merges that led to them.
func TestScoresDoNotDependOnHistory(t *testing.T) {
	t.Parallel()
	pages, order := corpus(300)
	root := t.TempDir()
	plain := filepath.Join(root, "plain")
	write(t, plain, true, nil, pages, order)
	want := scores(t, plain)

	shuffled := append([]int64(nil), order...)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	other := filepath.Join(root, "shuffled")
	write(t, other, true, nil, pages, shuffled)
	same(t, "another order", want, scores(t, other))

	steps := filepath.Join(root, "steps")
	write(t, steps, true, nil, pages, shuffled[:100])
	extra := map[int64]page{9001: {"gone", []string{"pod pod pod volume"}}, 9002: {"gone too", []string{"secret", "token"}}}
	write(t, steps, false, nil, extra, []int64{9001, 9002})
	for i := 100; i < 300; i += 20 {
		write(t, steps, false, nil, pages, shuffled[i:i+20])
	}
	write(t, steps, false, []int64{9001, 9002, 12345}, nil, nil)
	same(t, "updates and deletions", want, scores(t, steps))
}

// Several indexes answer as one: the same statistics, the same scores.
func TestSeveralIndexesScoreAsOne(t *testing.T) {
	t.Parallel()
	pages, order := corpus(120)
	root := t.TempDir()
	one, a, b := filepath.Join(root, "one"), filepath.Join(root, "a"), filepath.Join(root, "b")
	write(t, one, true, nil, pages, order)
	write(t, a, true, nil, pages, order[:50])
	write(t, b, true, nil, pages, order[50:])
	same(t, "two indexes", scores(t, one), scores(t, a, b))
}

func TestExplanationsAddUp(t *testing.T) {
	t.Parallel()
	pages, order := corpus(60)
	dir := t.TempDir()
	write(t, dir, true, nil, pages, order)
	a, hits := search(t, searcher(t, dir), 10, queries()...)
	for _, h := range hits {
		parts, err := a.Explain(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, p := range parts {
			sum += p.Value
		}
		if diff := sum - h.Score; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("the parts of %d.%d add up to %v, its score is %v", h.Doc, h.Chunk, sum, h.Score)
		}
	}
}

// A group scores as the best of its alternatives does by itself, and its parts
// add up to that.
func TestGroups(t *testing.T) {
	t.Parallel()
	pages, order := corpus(80)
	dir := t.TempDir()
	write(t, dir, true, nil, pages, order)
	s := searcher(t, dir)
	alternatives := store.Group{{Terms: []string{"pod"}, Weight: 1}, {Terms: []string{"volum", "secret"}, Weight: .5}, {Terms: []string{"nowher"}, Weight: 1}, {Weight: 1}}
	want := map[store.Key]float64{}
	for _, alt := range alternatives {
		q := store.Query{Weight: 2}
		for _, term := range alt.Terms {
			q.Terms = append(q.Terms, store.WeightedTerm{Term: term, Weight: alt.Weight})
		}
		_, hits := search(t, s, 0, q)
		for _, h := range hits {
			want[h.Key] = max(want[h.Key], h.Score)
		}
	}
	for range 2 { // read, and as it was read
		a, hits := search(t, s, 0, store.Query{Weight: 2, Groups: []store.Group{alternatives}})
		if len(hits) != len(want) || len(a.Stats.Terms) != 4 {
			t.Fatalf("%d hits, not %d; %d terms", len(hits), len(want), len(a.Stats.Terms))
		}
		for _, h := range hits {
			parts, err := a.Explain(t.Context(), h)
			sum := 0.0
			for _, p := range parts {
				sum += p.Value
			}
			if math.Abs(h.Score-want[h.Key]) > 1e-9 || math.Abs(sum-h.Score) > 1e-9 || err != nil {
				t.Fatalf("%v scores %v, not %v; its parts add up to %v; %v", h.Key, h.Score, want[h.Key], sum, err)
			}
		}
	}
}

// What the vocabulary is asked for is what the passages that are there have,
// whatever was there before.
func TestVocabulary(t *testing.T) {
	t.Parallel()
	pages, order := corpus(50)
	dir := t.TempDir()
	pages[900] = page{"gone", []string{"portal ports portcullis"}}
	write(t, dir, true, nil, pages, append(order, 900))
	write(t, dir, false, []int64{900}, nil, nil)
	ctx := context.Background()
	s := searcher(t, dir)
	terms := []string{"port", "portal", "portculli", "pod", "", "nowhere"}
	// Few terms are looked up one by one, many in the dictionaries first.
	for _, terms := range [][]string{terms, slices.Concat(terms, make([]string, manyTerms))} {
		for what, count := range map[string]func(context.Context, []string) ([]int, error){"exact": s.Indexes[0].Frequencies, "approximate": s.ApproxFrequencies} {
			df, err := count(ctx, terms)
			if err != nil || df[0] == 0 || df[1] != 0 || df[2] != 0 || df[3] == 0 || df[4] != 0 || df[5] != 0 {
				t.Errorf("%s frequencies are %v, %v", what, df, err)
			}
		}
	}
	if got, err := s.Prefix(ctx, "po", 10); err != nil || strings.Join(got, " ") != "pod port" && strings.Join(got, " ") != "port pod" {
		t.Errorf("with the prefix po: %v, %v", got, err)
	}
	if got, err := s.Prefix(ctx, "", 10); err != nil || len(got) > 0 {
		t.Errorf("with no prefix: %v, %v", got, err)
	}
	near, err := s.Fuzzy(ctx, "porta", 1)
	if err != nil || len(near) != 1 || near["port"] == 0 {
		t.Errorf("near porta: %v, %v", near, err)
	}
	empty := wordsearch.Searcher{Params: bm25f.Defaults()}
	if df, err := empty.ApproxFrequencies(ctx, []string{"pod"}); err != nil || df[0] != 0 {
		t.Error(df, err)
	}
}

func TestEmptyIndexes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := OpenReader(dir); !errors.Is(err, store.ErrDamaged) {
		t.Fatalf("a missing index opens with %v", err)
	}
	write(t, dir, true, nil, nil, nil)
	if _, hits := search(t, searcher(t, dir), 5, queries()...); len(hits) != 0 {
		t.Errorf("%v", hits)
	}
	// A document without passages, then one with, then nothing again.
	pages := map[int64]page{1: {"empty", nil}, 2: {"pod", []string{"pod"}}}
	write(t, dir, false, nil, pages, []int64{1})
	write(t, dir, false, nil, pages, []int64{2})
	if got := scores(t, dir); len(got) != 1 {
		t.Errorf("%v", got)
	}
	write(t, dir, false, []int64{1, 2}, nil, nil)
	if st := searcher(t, dir).Statistics(); st.Documents != 0 || st.Passages != 0 {
		t.Errorf("%d documents, %d passages are left", st.Documents, st.Passages)
	}
}

// Whatever is done to the files, an index is either whole or said to be
// damaged; an update that begins from there builds it from nothing.
func TestDamageIsNoticed(t *testing.T) {
	t.Parallel()
	pages, order := corpus(40)
	files := func(dir string) []string {
		var out []string
		err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				out = append(out, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	pristine := t.TempDir()
	write(t, pristine, true, nil, pages, order)
	n := len(files(pristine))
	if n < 4 {
		t.Fatalf("only %d files", n)
	}
	damages := map[string]func(string) error{
		"truncated": func(p string) error { return os.Truncate(p, 10) },
		"emptied":   func(p string) error { return os.Truncate(p, 0) },
		"removed":   os.Remove,
		"flipped": func(p string) error {
			raw, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			raw[len(raw)/2] ^= 0x55
			return os.WriteFile(p, raw, 0o600)
		},
		"foreign": func(p string) error { return os.WriteFile(p, []byte(`{"format": "something else"}`), 0o600) },
	}
	for name, damage := range damages {
		for i := range n {
			dir := t.TempDir()
			write(t, dir, true, nil, pages, order)
			victim := files(dir)[i]
			if err := damage(victim); err != nil {
				t.Fatal(err)
			}
			r, err := OpenReader(dir)
			if err == nil {
				r.Close()
				t.Errorf("%s %s: opened", name, filepath.Base(victim))
				continue
			}
			if !errors.Is(err, store.ErrDamaged) {
				t.Errorf("%s %s: %v", name, filepath.Base(victim), err)
			}
			u, err := BeginUpdate(dir, false)
			if err != nil {
				t.Fatal(err)
			}
			if !u.Fresh() {
				t.Errorf("%s %s: an update builds on it", name, filepath.Base(victim))
			}
			if err := u.Abort(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A reader keeps its generation while writers go on.
func TestReadersAreNotBlocked(t *testing.T) {
	t.Parallel()
	pages, order := corpus(40)
	dir := t.TempDir()
	write(t, dir, true, nil, pages, order[:20])
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	write(t, dir, false, nil, pages, order[20:])
	if current, err := r.Current(t.Context()); current || err != nil {
		t.Errorf("the old generation is still current, %v", err)
	}
	if _, hits := search(t, wordsearch.Searcher{Indexes: []wordsearch.Index{r}, Params: bm25f.Defaults()}, 5, queries()...); len(hits) == 0 {
		t.Error("the old generation finds nothing")
	}
	if n := searcher(t, dir).Statistics().Documents; n != 40 {
		t.Errorf("%d documents", n)
	}
}

func FuzzReadDocs(f *testing.F) {
	f.Add([]byte{2, 4, 2, 4, 6, 8, 10, 12})
	f.Add([]byte{0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		p := filepath.Join(t.TempDir(), "docs")
		if err := os.WriteFile(p, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readDocs(p); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Fatal(err)
		}
	})
}

func TestThreshold(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var all []float64
		scores := make([]float64, rng.IntN(200))
		for i := range scores {
			scores[i] = float64(rng.IntN(12) - 1)
			if scores[i] > 0 {
				all = append(all, scores[i])
			}
		}
		slices.Sort(all)
		limit := rng.IntN(40)
		want := 0.0
		if limit > 0 && len(all) > limit {
			want = all[len(all)-limit]
		}
		if least := threshold(scores, limit); least != want {
			t.Fatalf("of %d scores, the %dth from the top is %v; want %v", len(all), limit, least, want)
		}
	}
}
