package cosine

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// The coarse score is off by no more than its slack, and the fine one is what
// plain integers give.
func TestPlanes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		component := rapid.OneOf(rapid.Float32Range(-1, 1), rapid.Float32(), rapid.SampledFrom([]float32{0, 1, -1}))
		dims := rapid.IntRange(1, 130).Draw(t, "dims")
		vector := rapid.SliceOfN(component, dims, dims)
		a, b := vector.Draw(t, "vector"), vector.Draw(t, "query")
		row, err := Append(nil, a)
		if err != nil {
			t.Fatal(err)
		}
		q, err := NewQuery(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(row) == 0 || q == nil {
			return
		}
		top, _ := greatestComponent(b)
		sum, squares := 0, 0
		for i := range a {
			f := int(math.Round(float64(b[i]) / top * fineStep))
			sum += f * (int(row[headLen+i]) - bias)
			squares += f * f
		}
		want := min(1, max(-1, float64(sum)*inverseLength(row)/math.Sqrt(float64(squares))))
		if got := q.Cosine(row); math.Abs(got-want) > 1e-12 {
			t.Fatalf("score %v, must be %v", got, want)
		}
		var coarse [1]float64
		q.Coarse(row, len(row), 0, coarse[:])
		if d := math.Abs(coarse[0]*q.inverse - want); d > q.slack {
			t.Fatalf("the coarse score is off by %v, more than %v", d, q.slack)
		}
	})
}

// Assembly and plain Go give the same, the extremes included.
func TestDots(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dims, n := rapid.IntRange(1, 400).Draw(t, "dims"), rapid.IntRange(0, 20).Draw(t, "rows")
		const key = 8 // bytes before each code
		size := key + CodeLength(dims)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		value := func() int { return []int{0, 127, rng.IntN(128)}[rng.IntN(3)] }
		if rapid.Bool().Draw(t, "extreme") {
			value = func() int { return 127 }
		}
		p := newPlane(dims)
		for i := range dims {
			p.setBit(i, value())
		}
		rows := make([]byte, n*size)
		for i := range rows {
			rows[i] = byte(value())
		}
		got, plain := make([]uint32, n), make([]uint32, n)
		dotProducts(rows, size, key+headLen, &p, got)
		dotsPlain(rows, size, key+headLen, &p, plain)
		for r := range n {
			want := 0
			for i, x := range p.bytes {
				want += int(x) * int(rows[r*size+key+headLen+i])
			}
			if int(got[r]) != want || int(plain[r]) != want {
				t.Fatalf("row %d: %d, in plain Go %d, must be %d", r, got[r], plain[r], want)
			}
		}
	})
}
