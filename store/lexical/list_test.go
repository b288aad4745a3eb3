package lexical

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomOccurrences is what a passage has of a term: in one field or several, the same as others or not.
func randomOccurrences(rnd *rand.Rand, kinds int) (has []occurrence) {
	field := rnd.IntN(3)
	for range 1 + rnd.IntN(3)/2 {
		has = append(has, occurrence{int32(1 + rnd.IntN(kinds)), uint32(rnd.IntN(kinds))<<fieldBits | uint32(field)})
		field++
	}
	return has
}

// A list keeps what each passage has of a term, and what passages have in common once or hardly more often,
// whether there are few patterns or more than the slots take. Nothing of a list comes into the next one.
func TestPatternsOfAList(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 8))
	known := &patterns{}
	for _, kinds := range []int{1, 3, 20, 400, 3} {
		known.begin()
		l, want, different := &list{}, [][]occurrence{}, map[[2]occurrence]bool{}
		for num := range uint32(30_000) {
			has := randomOccurrences(rnd, kinds)
			var pair [2]occurrence
			copy(pair[:], has)
			different[pair] = true
			l.addPosting(known, 3*num, has)
			want = append(want, slices.Clone(has))
		}
		for i, p := range l.postings {
			if got := l.occurrencesOf(p.pattern); p.num != 3*uint32(i) || !slices.Equal(got, want[i]) {
				t.Fatalf("%d kinds, passage %d: %v, not %v", kinds, i, got, want[i])
			}
		}
		if kinds <= 20 && len(l.ends) > len(different)*5/4 {
			t.Errorf("%d kinds: %d patterns of %d", kinds, len(l.ends), len(different))
		}
	}
}
