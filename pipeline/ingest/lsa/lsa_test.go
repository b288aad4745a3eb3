package lsa

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// texts is a matrix of passages as words.
type texts [][]string

func (c texts) Passages() int { return len(c) }

func (c texts) Terms(_ context.Context, f func(string, []Posting) error) error {
	postings := map[string][]Posting{}
	for i, words := range c {
		for _, w := range words {
			if n := len(postings[w]); n > 0 && postings[w][n-1].Passage == i {
				postings[w][n-1].Count++
				continue
			}
			postings[w] = append(postings[w], Posting{i, 1})
		}
	}
	for _, w := range slices.Sorted(maps.Keys(postings)) {
		if err := f(w, postings[w]); err != nil {
			return err
		}
	}
	return nil
}

func terms(words ...string) []Term {
	out := make([]Term, len(words))
	for i, w := range words {
		out[i] = Term{w, 1}
	}
	return out
}

func train(t testing.TB, m Matrix, o Options) *Model {
	t.Helper()
	model, err := TrainModel(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// topics makes n passages, each of one topic with twelve words of its own, of
// which a passage has four.
func topics(n, topics int, rng *rand.Rand) (c texts, topic []int) {
	for i := range n {
		k := i % topics
		var words []string
		for range 4 {
			words = append(words, word(k, rng.IntN(12)))
		}
		for range 3 {
			words = append(words, fmt.Sprintf("common%d", rng.IntN(40)))
		}
		c, topic = append(c, words), append(topic, k)
	}
	return c, topic
}

func word(topic, i int) string { return fmt.Sprintf("t%02dw%02d", topic, i) }

func cosine(a, b []float32) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// What the model is for: a passage of the query's topic is found although it has
// none of the query's words.
func TestFindsTheTopicWithoutTheWord(t *testing.T) {
	t.Parallel()
	c, topic := topics(600, 10, rand.New(rand.NewPCG(1, 2)))
	m := train(t, c, Options{Dims: 11})
	for k := range 10 {
		query := word(k, 3)
		v := m.FoldText(terms(query))
		worstOwn, bestOther, without := 1.0, -1.0, 0
		for i, words := range c {
			s := cosine(v, m.FoldText(terms(words...)))
			switch {
			case topic[i] != k:
				bestOther = max(bestOther, s)
			case !slices.Contains(words, query):
				without++
				worstOwn = min(worstOwn, s)
			}
		}
		if without < 20 || worstOwn <= bestOther {
			t.Errorf("topic %d: of %d passages without %q the farthest has %.3f, the nearest of another topic %.3f", k, without, query, worstOwn, bestOther)
		}
	}
}

// The same corpus, the same bytes: whatever the number of processors, and
// however the corpus hands out its terms.
func TestDeterministic(t *testing.T) {
	c, _ := topics(500, 12, rand.New(rand.NewPCG(3, 4)))
	want := train(t, c, Options{Dims: 24}).Encode()
	for _, procs := range []int{1, 2, 4, 7} {
		was := runtime.GOMAXPROCS(procs)
		got := train(t, backwards{c}, Options{Dims: 24}).Encode()
		runtime.GOMAXPROCS(was)
		if !bytes.Equal(got, want) {
			t.Errorf("with GOMAXPROCS=%d the model is another", procs)
		}
	}
	if bytes.Equal(train(t, c, Options{Dims: 24, Seed: 1}).Encode(), want) {
		t.Error("another seed gives the same model: is it used?")
	}
	// The bytes of this model on the machine where this was written: all others
	// must agree. Raise the version when they change.
	const id = "lsa:1:3bfc50b5b324c5f3"
	if got := train(t, c, Options{Dims: 24}).ID(); got != id {
		t.Errorf("the model is %s, not %s", got, id)
	}
}

// Where a machine can multiply and add in one step the compiler lets it, unless the
// product is converted first, and the model would be another there. The code for such a
// machine must not have that instruction.
func TestNothingIsFused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("this compiles for another machine")
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".", "docent/store/vector", "docent/store/cosine")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("no compiler: %v", err)
	}
	if !bytes.Contains(out, []byte("FMULD")) {
		t.Fatal("the compiler shows no instructions")
	}
	fused := regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)
	for line := range bytes.Lines(out) {
		if fused.Match(line) {
			t.Errorf("a fused product: %s", bytes.TrimSpace(line))
		}
	}
}

// backwards hands out the terms from the last to the first.
type backwards struct{ texts }

func (b backwards) Terms(ctx context.Context, f func(string, []Posting) error) error {
	type term struct {
		text     string
		postings []Posting
	}
	var all []term
	err := b.texts.Terms(ctx, func(t string, p []Posting) error { all = append(all, term{t, p}); return nil })
	slices.Reverse(all)
	for _, t := range all {
		if err == nil {
			err = f(t.text, t.postings)
		}
	}
	return err
}

// Passages folded in one by one have the vectors they have all together, to the
// last bit: an index that grew is the one made at once.
func TestFoldAllIsFold(t *testing.T) {
	t.Parallel()
	c, _ := topics(300, 8, rand.New(rand.NewPCG(5, 6)))
	m := train(t, c[:200], Options{})
	n := 0
	err := m.FoldAll(context.Background(), c, func(i int, v []float32) error {
		if i != n {
			t.Fatalf("passage %d came as number %d", i, n)
		}
		n++
		words := slices.Clone(c[i])
		slices.Reverse(words)
		if got := m.FoldText(terms(words...)); !slices.Equal(got, v) {
			t.Fatalf("passage %d: alone %v, with all %v", i, got, v)
		}
		return nil
	})
	if err != nil || n != len(c) {
		t.Fatalf("%d passages, %v", n, err)
	}
	stop := errors.New("stop")
	if err := m.FoldAll(context.Background(), c, func(int, []float32) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a caller's error became %v", err)
	}
}

// A text's length and order do not matter; unknown words are left out.
func TestFoldProperties(t *testing.T) {
	t.Parallel()
	c, _ := topics(300, 8, rand.New(rand.NewPCG(7, 8)))
	m := train(t, c, Options{})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.OneOf(
			rapid.Custom(func(t *rapid.T) string {
				return word(rapid.IntRange(0, 9).Draw(t, "topic"), rapid.IntRange(0, 14).Draw(t, "word"))
			}),
			rapid.String())).Draw(t, "words")
		list := terms(words...)
		for i := range list {
			list[i].Count = rapid.OneOf(rapid.Float32(), rapid.Float32Range(0, 10)).Draw(t, "count")
		}
		v := m.FoldText(list)
		length := math.Sqrt(cosine(v, v))
		if len(v) != m.Dimensions() || !(length == 0 || math.Abs(length-1) < 1e-5) {
			t.Fatalf("%d dimensions, length %v", len(v), length)
		}
		slices.Reverse(list)
		if !slices.Equal(v, m.FoldText(list)) {
			t.Fatal("the order of the terms counts")
		}
		if !slices.Equal(v, m.FoldText(append(list, Term{"unknown to all", 3}, Term{"zero", 0}, Term{word(1, 1), float32(math.NaN())}))) {
			t.Fatal("unknown or invalid terms count")
		}
	})
}

// The singular values are those of the matrix, by the plainest of methods: the
// power method with deflation on the whole matrix.
func TestSingularValues(t *testing.T) {
	t.Parallel()
	c, _ := topics(90, 5, rand.New(rand.NewPCG(9, 10)))
	m := train(t, c, Options{Dims: 6})
	all, err := collectMatrix(context.Background(), c, &slabs{}, func(string) bool { return true }, 2)
	if err != nil {
		t.Fatal(err)
	}
	a := make([][]float64, len(c))
	for i := range a {
		a[i] = make([]float64, len(all.terms))
	}
	for j, term := range all.terms {
		for _, e := range term.entries {
			a[e.number()][j] = localWeight(e.entryLevel()) * globalWeight(term.entropy)
		}
	}
	for _, row := range a {
		n := math.Sqrt(dotProduct(row, row))
		for j := range row {
			row[j] /= max(n, 1e-30)
		}
	}
	for d, got := range m.Values() {
		v := make([]float64, len(all.terms))
		for j := range v {
			v[j] = math.Sin(float64(j + d))
		}
		var value float64
		u := make([]float64, len(a))
		for range 3000 {
			for i, row := range a {
				u[i] = dotProduct(row, v)
			}
			clear(v)
			for i, row := range a {
				for j, x := range row {
					v[j] += u[i] * x
				}
			}
			length := math.Sqrt(dotProduct(v, v))
			value = math.Sqrt(length)
			for j := range v {
				v[j] /= length
			}
		}
		if math.Abs(value-float64(got)) > 0.02*value {
			t.Errorf("singular value %d: %.4f, must be %.4f", d, got, value)
		}
		for i, row := range a {
			u[i] = dotProduct(row, v)
			for j := range row {
				row[j] -= u[i] * v[j]
			}
		}
	}
}

func TestEigen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		rank := rapid.IntRange(0, n).Draw(t, "rank")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a := make([]float64, n*n)
		for range rank {
			v := make([]float64, n)
			for i := range v {
				v[i] = rng.Float64() - .5
			}
			for i := range v {
				for j := range v {
					a[i*n+j] += v[i] * v[j]
				}
			}
		}
		values, vectors := eigenvalues(slices.Clone(a), n)
		for k, v := range vectors {
			if k > 0 && values[k] > values[k-1]*(1+1e-9)+1e-12 {
				t.Fatalf("the values %v are not sorted", values)
			}
			for i := range n {
				if got := dotProduct(a[i*n:(i+1)*n], v); math.Abs(got-values[k]*v[i]) > 1e-9 {
					t.Fatalf("vector %d of value %v: component %d becomes %v", k, values[k], i, got)
				}
			}
			for l, w := range vectors {
				want := 0.0
				if k == l {
					want = 1
				}
				if math.Abs(dotProduct(v, w)-want) > 1e-9 {
					t.Fatalf("vectors %d and %d: %v", k, l, dotProduct(v, w))
				}
			}
		}
	})
}

func TestLogarithm(t *testing.T) {
	t.Parallel()
	for x := 1e-12; x < 1e12; x *= 1.37 {
		if got, want := naturalLog(x), math.Log(x); math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("ln %v is %v, not %v", x, got, want)
		}
	}
	if countLevel(1) != levels || countLevel(0.001) != 1 || countLevel(1e30) != 255 {
		t.Errorf("levels %d %d %d", countLevel(1), countLevel(0.001), countLevel(1e30))
	}
}

func repeat(n int, words ...string) texts {
	c := make(texts, n)
	for i := range c {
		c[i] = words
	}
	return c
}

// Corpora with little or nothing in them: an answer, no NaN and no panic.
func TestPoorCorpora(t *testing.T) {
	t.Parallel()
	pairs := make(texts, 1000) // passages 0 and 1 have a word in common, and so on
	for i := range pairs {
		pairs[i] = []string{fmt.Sprintf("pair%d", i/2)}
	}
	half := append(repeat(400, "pod", "node"), repeat(601, "secret", "token", "token")...)
	for _, tc := range []struct {
		name    string
		corpus  texts
		nothing bool
	}{
		{"none", nil, true},
		{"one", repeat(1, "pod"), true},
		{"nine", repeat(9, "pod", "node"), true},
		{"a thousand equal ones", repeat(1000, "pod", "node", "secret"), true},
		{"empty ones", make(texts, 1000), true},
		{"one term", append(repeat(20, "pod"), make(texts, 80)...), false},
		{"no term twice", texts{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}, {"i"}, {"j"}}, true},
		{"two kinds of passage", half, false},
		{"pairs", pairs, false},
		{"ten", append(repeat(3, "pod", "node"), append(repeat(4, "secret", "token"), make(texts, 3)...)...), false},
	} {
		m, err := TrainModel(context.Background(), tc.corpus, Options{})
		if tc.nothing {
			if !errors.Is(err, ErrNothing) || m != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
			if m.FoldText(terms("pod")) != nil || m.Dimensions() != 0 || m.ID() != "" || m.Encode() != nil || len(m.Values()) != 0 || m.FoldAll(context.Background(), tc.corpus, nil) != nil {
				t.Errorf("%s: a nil model gives something", tc.name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		err = m.FoldAll(context.Background(), tc.corpus, func(i int, v []float32) error {
			if n := cosine(v, v); !(n == 0 || math.Abs(n-1) < 1e-5) {
				return fmt.Errorf("its length is %v", n)
			}
			return nil
		})
		if err != nil || m.Dimensions() < 1 {
			t.Errorf("%s: %d dimensions, %v", tc.name, m.Dimensions(), err)
		}
	}
}

// broken is a matrix that does not keep its promises.
type broken struct {
	n        int
	postings map[string][]Posting
}

func (b broken) Passages() int { return b.n }

func (b broken) Terms(_ context.Context, f func(string, []Posting) error) error {
	for _, t := range slices.Sorted(maps.Keys(b.postings)) {
		if err := f(strings.TrimSuffix(t, "'"), b.postings[t]); err != nil {
			return err
		}
	}
	return nil
}

func TestBrokenMatrices(t *testing.T) {
	t.Parallel()
	nan := float32(math.NaN())
	good := []Posting{{1, 1}, {2, 1}}
	for name, m := range map[string]broken{
		"out of range": {20, map[string][]Posting{"a": {{1, 1}, {20, 1}}}},
		"negative":     {20, map[string][]Posting{"a": {{-1, 1}, {2, 1}}}},
		"descending":   {20, map[string][]Posting{"a": {{3, 1}, {2, 1}}}},
		"twice":        {20, map[string][]Posting{"a": {{2, 1}, {2, 1}}}},
		"no count":     {20, map[string][]Posting{"a": {{2, 0}, {3, 1}}}},
		"NaN":          {20, map[string][]Posting{"a": {{2, nan}, {3, 1}}}},
		"same term":    {20, map[string][]Posting{"a": good, "a'": good}},
		"too many":     {maxPassages, nil},
	} {
		if got, err := TrainModel(context.Background(), m, Options{}); err == nil || errors.Is(err, ErrNothing) || got != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, _ := topics(100, 5, rand.New(rand.NewPCG(1, 1)))
	if _, err := TrainModel(ctx, c, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestMaxTermsKeepsTheFrequent(t *testing.T) {
	t.Parallel()
	c, _ := topics(400, 8, rand.New(rand.NewPCG(11, 12)))
	all := train(t, c, Options{})
	m := train(t, c, Options{MaxTerms: 50})
	if m.Terms() != 50 || all.Terms() <= 50 {
		t.Fatalf("%d and %d terms", m.Terms(), all.Terms())
	}
	if !(m.expected > all.expected) {
		t.Errorf("with fewer terms %.3f is unknown, with all %.3f", m.expected, all.expected)
	}
}

// A corpus that grows by its like is no reason to train again before it is much
// larger; one that turns to something else is.
func TestDrift(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 14))
	c, _ := topics(1000, 10, rng)
	m := train(t, c[:700], Options{})
	var d Drift
	for _, words := range c[700:900] {
		d.CountFolded(m, terms(words...))
	}
	if why := d.ReasonDue(m); why != "" || math.Abs(d.New(m)) > .01 {
		t.Errorf("more of the same: %q, new %.3f", why, d.New(m))
	}
	for range 20 {
		d.Remove()
	}
	if why := d.ReasonDue(m); !strings.Contains(why, "came") {
		t.Errorf("many passages: %q", why)
	}
	d = Drift{}
	for i := range 60 {
		d.CountFolded(m, terms(c[i][0], c[i][1], fmt.Sprintf("new%d", i%9), "common1"))
	}
	if why := d.ReasonDue(m); !strings.Contains(why, "new") {
		t.Errorf("another topic: %q, new %.3f", why, d.New(m))
	}
	var none *Model
	d = Drift{}
	for range minPassages {
		if why := d.ReasonDue(none); why != "" {
			t.Errorf("%d passages without a model: %q", d.Folded, why)
		}
		d.CountFolded(none, nil)
	}
	if d.ReasonDue(none) == "" {
		t.Error("there could be a model and nobody says so")
	}
}

func smallModel(t testing.TB) *Model {
	c, _ := topics(60, 4, rand.New(rand.NewPCG(15, 16)))
	return train(t, c, Options{Dims: 5})
}

// Every flipped byte and every length is noticed.
func TestDamagedModels(t *testing.T) {
	t.Parallel()
	good := smallModel(t).Encode()
	if m, err := Decode(slices.Clone(good)); err != nil || m.Dimensions() != 5 {
		t.Fatal(err)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x20
		if m, err := Decode(bad); !errors.Is(err, ErrDamaged) || m != nil {
			t.Fatalf("byte %d flipped: %v", i, err)
		}
		if _, err := Decode(good[:i:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
	if _, err := Decode(append(slices.Clone(good), 0)); !errors.Is(err, ErrDamaged) {
		t.Fatalf("one byte more: %v", err)
	}
}

// FuzzDecode corrects the checksum, so that the code behind it is reached: a model that
// Decode accepts is usable.
func FuzzDecode(f *testing.F) {
	good := smallModel(f).Encode()
	f.Add(good)
	f.Add(good[:headLen])
	f.Add([]byte("docentl1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := Decode(b); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		if len(b) < headLen {
			return
		}
		b = slices.Clone(b)
		binary.LittleEndian.PutUint32(b[crcAt:], checksumOfModel(b))
		m, err := Decode(b)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		list := terms("a", word(1, 1), word(2, 5), "")
		for i := range min(20, m.Terms()) {
			list = append(list, Term{string(m.termText(i)), 1e30})
		}
		for _, x := range m.FoldText(list) {
			if !(math.Abs(float64(x)) <= 1+1e-6) {
				t.Fatalf("a component of %v", x)
			}
		}
		var d Drift
		d.CountFolded(m, list)
		_ = d.ReasonDue(m)
	})
}

func TestChecksumSkipsItself(t *testing.T) {
	t.Parallel()
	b := smallModel(t).Encode()
	rest := append(slices.Clone(b[:crcAt]), b[crcAt+4:]...)
	if checksumOfModel(b) != crc32.Checksum(rest, castagnoli) {
		t.Error("the checksum is of other bytes")
	}
}

// The vectors of passages that are folded in stretches are those that Fold gives.
func TestFoldAllInStretches(t *testing.T) {
	c := newZipf(300)
	m := train(t, c, Options{Dims: 16})
	whole := map[int][]float32{}
	if err := m.foldAll(t.Context(), c, &foldMemory{}, func(i int, v []float32) error { whole[i] = slices.Clone(v); return nil }); err != nil {
		t.Fatal(err)
	}
	memory := &foldMemory{}
	for first := 0; first < c.Passages(); first += 70 {
		part := stretch{c, first, min(c.Passages(), first+70)}
		err := m.foldAll(t.Context(), part, memory, func(i int, v []float32) error {
			if !slices.Equal(v, whole[first+i]) {
				t.Errorf("passage %d: %v, want %v", first+i, v[:3], whole[first+i][:3])
			}
			delete(whole, first+i)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(whole) > 0 {
		t.Errorf("%d passages were in no stretch", len(whole))
	}
}

// A sample has as many passages as asked for, each numbered once, from all parts of
// the corpus.
func TestSample(t *testing.T) {
	c := newZipf(1000)
	for _, n := range []int{1, 7, 400, 999, 1000} {
		seen := map[int]bool{}
		err := sample{c, n}.Terms(t.Context(), func(_ string, postings []Posting) error {
			for i, p := range postings {
				if p.Passage < 0 || p.Passage >= n || i > 0 && p.Passage <= postings[i-1].Passage {
					t.Fatalf("passage %d of %d, behind %v", p.Passage, n, postings[:i])
				}
				seen[p.Passage] = true
			}
			return nil
		})
		if err != nil || len(seen) != n {
			t.Errorf("%d of %d passages, %v", len(seen), n, err)
		}
	}
	small := train(t, c, Options{Dims: 16, MaxPassages: 500})
	if small.Passages() != 1000 {
		t.Errorf("the model's corpus has %d passages, want 1000", small.Passages())
	}
}
