package lambdarank

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// planted makes groups whose better candidates are those that truth scores
// high, with some noise: the best fifth of each group is relevant.
func planted(truth []float64, n int, seed uint64) []Group {
	rng := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same every time is the point
	var out []Group
	for i := range n {
		g := Group{Set: fmt.Sprint("set", i%3)}
		type one struct {
			at int
			s  float64
		}
		var all []one
		for j := range 20 {
			x := make([]float64, len(truth))
			s := 0.05 * rng.NormFloat64()
			for f := range x {
				x[f] = rng.Float64()
				s += truth[f] * x[f]
			}
			g.X, g.Doc = append(g.X, x), append(g.Doc, j)
			all = append(all, one{j, s})
		}
		slices.SortFunc(all, func(a, b one) int { return cmp.Compare(b.s, a.s) })
		g.Grade, g.DocGrade = make([]float64, 20), make([]int, 20)
		for _, a := range all[:4] {
			g.Grade[a.at], g.DocGrade[a.at] = 1, 1
			g.Relevant = append(g.Relevant, 1)
		}
		out = append(out, g)
	}
	return out
}

// finite reports whether a model is all numbers.
func finite(l Linear) bool {
	return !slices.ContainsFunc(append(slices.Clone(l.Weights), l.Bias), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return ab / math.Sqrt(aa*bb)
}

// Planted weights are found: on held-out questions, the order is nearly that of the
// truth, and the weights point its way.
func TestLearnsWhatIsPlanted(t *testing.T) {
	t.Parallel()
	truth := []float64{2, -1, 0, 0.5, 3}
	// 300 groups are few: 12 passes over them are too few steps to get there.
	m, err := Rank(planted(truth, 300, 1), Options{Epochs: 200})
	if err != nil || !finite(m) {
		t.Fatal(m, err)
	}
	test := planted(truth, 100, 2)
	best := NDCG(test, Linear{Weights: truth}.Score)
	got := NDCG(test, m.Score)
	if none := NDCG(test, func([]float64) float64 { return 0 }); none > best-.4 {
		t.Fatalf("the truth has %v, no order %v: the test says nothing", best, none)
	}
	if got < best-.02 {
		t.Errorf("nDCG@10 is %.4f, the truth's %.4f", got, best)
	}
	if c := cosine(m.Weights, truth); c < .97 {
		t.Errorf("the weights %.3f lie %.3f from the truth", m.Weights, c)
	}
}

func TestTheSameBytesEveryRun(t *testing.T) {
	t.Parallel()
	groups := planted([]float64{1, -2, .3}, 150, 3)
	saved, err := json.Marshal(groups)
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for i := range 3 {
		m, err := Rank(groups, Options{Epochs: 3})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal([]Linear{m, Calibrate(m, groups)})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = string(raw)
		}
		if string(raw) != first {
			t.Fatalf("run %d: %s, it was %s", i, raw, first)
		}
	}
	if now, _ := json.Marshal(groups); string(now) != string(saved) {
		t.Error("the groups were changed")
	}
}

func TestNothingToLearnFrom(t *testing.T) {
	t.Parallel()
	x := [][]float64{{1}, {2}}
	for name, groups := range map[string][]Group{
		"no groups":       nil,
		"no candidates":   {{}},
		"none relevant":   {{X: x, Grade: []float64{0, 0}}},
		"all relevant":    {{X: x, Grade: []float64{1, .5}}},
		"one of each one": {{X: x[:1], Grade: []float64{1}}, {X: x[:1], Grade: []float64{0}}},
	} {
		if m, err := Rank(groups, Options{}); !errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	// Next to an informative group, they are left out.
	good := planted([]float64{1}, 1, 4)[0]
	alone, err := Rank([]Group{good}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	among, err := Rank([]Group{{}, good, {X: x, Grade: []float64{0, 0}}}, Options{})
	if err != nil || alone.Weights[0] != among.Weights[0] || alone.Bias != among.Bias {
		t.Errorf("alone %v, among others %v, %v", alone, among, err)
	}
}

// A feature that never changes teaches nothing and breaks nothing; one that is
// frozen weighs nothing.
func TestConstantAndFrozenFeatures(t *testing.T) {
	t.Parallel()
	groups := planted([]float64{1, 2, -1}, 60, 5)
	for _, g := range groups {
		for i := range g.X {
			g.X[i] = append(g.X[i], 1, 0, 1e9, -3)
		}
	}
	m, err := Rank(groups, Options{Frozen: []bool{false, true, false, false, false, false, false}})
	if err != nil || !finite(m) {
		t.Fatal(m, err)
	}
	if m.Weights[1] != 0 || m.Weights[0] <= 0 || m.Weights[2] >= 0 {
		t.Errorf("weights are %v", m.Weights)
	}
	for f, w := range m.Weights[3:] {
		if math.Abs(w) > 1e-6 {
			t.Errorf("the constant feature %d weighs %v", 3+f, w)
		}
	}
	if c := Calibrate(m, groups); !finite(c) {
		t.Errorf("calibrated: %v", c)
	}
	// Nothing but constants.
	for _, g := range groups {
		for i := range g.X {
			g.X[i] = []float64{1, 0}
		}
	}
	m, err = Rank(groups, Options{})
	if err != nil || !finite(m) || !finite(Calibrate(m, groups)) {
		t.Errorf("constants alone: %v, %v", m, err)
	}
}

// Whatever the groups, the weights are numbers.
func TestWeightsAreNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "features")
		var groups []Group
		for range rapid.IntRange(1, 5).Draw(t, "groups") {
			g := Group{Set: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "set")}
			for range rapid.IntRange(1, 6).Draw(t, "candidates") {
				g.X = append(g.X, rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(-1e6, 1e6), rapid.Just(0.)), n, n).Draw(t, "x"))
				g.Grade = append(g.Grade, rapid.SampledFrom([]float64{0, 0, .3, 1}).Draw(t, "grade"))
			}
			groups = append(groups, g)
		}
		m, err := Rank(groups, Options{Epochs: 2})
		if errors.Is(err, ErrNothing) {
			return
		}
		if err != nil || !finite(m) || len(m.Weights) != n {
			t.Fatalf("%v, %v", m, err)
		}
		c := Calibrate(m, groups)
		if !finite(c) {
			t.Fatalf("%v becomes %v", m, c)
		}
		keepsOrder(t, m, c, groups)
	})
}

type failer interface{ Fatalf(string, ...any) }

// keepsOrder requires of two models that they never disagree on which of two candidates
// is the better one, except for rounding errors.
func keepsOrder(t failer, a, b Linear, groups []Group) {
	for _, g := range groups {
		for i := range g.X {
			for j := range g.X {
				da, db := a.Score(g.X[i])-a.Score(g.X[j]), b.Score(g.X[i])-b.Score(g.X[j])
				if da > lost(a, g.X[i], g.X[j]) && db < -lost(b, g.X[i], g.X[j]) {
					t.Fatalf("%v is better than %v by %v, calibrated by %v", g.X[i], g.X[j], da, db)
				}
			}
		}
	}
}

// lost is more than rounding can lose of a difference of two scores.
func lost(l Linear, x, y []float64) float64 {
	size := math.Abs(l.Bias)
	for f, w := range l.Weights {
		size += math.Abs(w*x[f]) + math.Abs(w*y[f])
	}
	return 1e-12 * size
}

// Candidates are relevant with a known probability, and the model's scale and
// offset are wrong: calibration finds them, and of those that are given about p
// about p are relevant.
func TestCalibrationGivesFrequencies(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 1)) //nolint:gosec // the same every time is the point
	truth := Linear{Bias: -2, Weights: []float64{3, 1}}
	p := func(l Linear, x []float64) float64 { return 1 / (1 + math.Exp(-l.Score(x))) }
	var groups []Group
	for range 2000 {
		g := Group{Set: "a"}
		for range 10 {
			x := []float64{rng.Float64(), rng.NormFloat64()}
			y := 0.0
			if rng.Float64() < p(truth, x) {
				y = .5 // any grade above 0 is relevant
			}
			g.X, g.Grade = append(g.X, x), append(g.Grade, y)
		}
		groups = append(groups, g)
	}
	for name, wrong := range map[string]Linear{
		"too steep": {Bias: -4, Weights: []float64{4.5, 1.5}},
		"too flat":  {Bias: -.3, Weights: []float64{.3, .1}},
		"off":       {Bias: 0, Weights: []float64{3, 1}},
	} {
		c := Calibrate(wrong, groups)
		if !finite(c) || math.Abs(c.Bias-truth.Bias) > .15 || math.Abs(c.Weights[0]-3) > .2 || math.Abs(c.Weights[1]-1) > .1 {
			t.Errorf("%s: calibrated to %+v, the truth is %+v", name, c, truth)
			continue
		}
		keepsOrder(t, wrong, c, groups[:50])
		var said, is [5]float64
		var n [5]int
		for _, g := range groups {
			for i, x := range g.X {
				q := p(c, x)
				b := min(4, int(q*5))
				said[b] += q
				n[b]++
				if g.Grade[i] > 0 {
					is[b]++
				}
			}
		}
		for b := range n {
			if s, f := said[b]/float64(n[b]), is[b]/float64(n[b]); n[b] > 200 && math.Abs(s-f) > .05 {
				t.Errorf("%s: of %d that were given %.2f on average, %.2f are relevant", name, n[b], s, f)
			}
		}
	}
}

// Where calibration has nothing to go by, or the model points the wrong way, the
// order stays.
func TestCalibrationKeepsTheOrder(t *testing.T) {
	t.Parallel()
	truth := []float64{2, -1}
	groups := planted(truth, 50, 7)
	for name, c := range map[string]struct {
		m      Linear
		groups []Group
	}{
		"the right way":    {Linear{1, truth}, groups},
		"the wrong way":    {Linear{1, []float64{-2, 1}}, groups},
		"no groups":        {Linear{1, truth}, nil},
		"nothing relevant": {Linear{1, truth}, []Group{{X: groups[0].X, Grade: make([]float64, 20)}}},
		"all relevant":     {Linear{1, truth}, []Group{{X: groups[0].X, Grade: slices.Repeat([]float64{1}, 20)}}},
		"perfectly parted": {Linear{0, []float64{1, 0}}, []Group{{X: [][]float64{{0, 0}, {1, 0}}, Grade: []float64{0, 1}}}},
		"no weights":       {Linear{1, []float64{0, 0}}, groups},
	} {
		got := Calibrate(c.m, c.groups)
		if !finite(got) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		keepsOrder(t, c.m, got, groups)
		if c.m.Weights[0] != 0 && !(got.Weights[0]/c.m.Weights[0] > 0) {
			t.Errorf("%s: %v becomes %v", name, c.m, got)
		}
	}
}

// By hand: each document counts once, at its best candidate, and documents that were no
// candidates count in the ideal.
func TestNDCGOfDocuments(t *testing.T) {
	t.Parallel()
	groups := []Group{
		// Order 2, 0, 1: documents 1, 0; the grades are 0 and 2, of 2 and 1 at best.
		{X: [][]float64{{.5}, {.1}, {.9}}, Doc: []int{0, 0, 1}, DocGrade: []int{2, 0}, Relevant: []int{1, 2}},
		{X: [][]float64{{1}}, Doc: []int{0}, DocGrade: []int{1}, Relevant: []int{1}},
		{Relevant: []int{1}},
		{},
	}
	score := func(x []float64) float64 { return x[0] }
	log3 := math.Log2(3)
	want := ((2/log3)/(2+1/log3) + 1) / 4
	if got := NDCG(groups, score); math.Abs(got-want) > 1e-12 {
		t.Errorf("nDCG is %v, want %v", got, want)
	}
	if got := NDCG(nil, score); got != 0 {
		t.Errorf("of nothing it is %v", got)
	}
	// Only the first ten documents count.
	deep := Group{DocGrade: make([]int, 11), Relevant: []int{1}}
	for i := range 11 {
		deep.X, deep.Doc = append(deep.X, []float64{float64(-i)}), append(deep.Doc, i)
	}
	deep.DocGrade[10] = 1
	if got := NDCG([]Group{deep}, score); got != 0 {
		t.Errorf("the eleventh document counts %v", got)
	}
}

// The unit of a feature does not change the model: a feature of small numbers is not
// held back more than one of great numbers.
func TestLogisticForgetsTheUnit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	var x, small [][]float64
	var y []bool
	for range 400 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x, small = append(x, []float64{a, b}), append(small, []float64{a / 50, b})
		y = append(y, 2*a+b+rng.NormFloat64() > 0)
	}
	l, err := Logistic(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Logistic(small, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if p, q := l.Score(x[i]), s.Score(small[i]); math.Abs(p-q) > 1e-3 {
			t.Fatalf("example %d scores %.4f, and %.4f with its first feature fifty times smaller", i, p, q)
		}
	}
}
