package fingerprint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// words are n words from a seed.
func words(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("w%d", r.IntN(5000))
	}
	return out
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
	text := words(1, 1000)
	a := OfText(strings.Join(text, " "))
	if len(a) != 4*Size || Similarity(a, OfText(strings.ToUpper(strings.Join(text, ", ")))) != 1 {
		t.Error("case and punctuation tell texts apart")
	}
	if s := Similarity(a, OfText(strings.Join(words(2, 1000), " "))); s > .05 {
		t.Errorf("texts without a common run have %.2f", s)
	}
	// Half of the text is another one: about a third of all runs are common.
	other := append(append([]string{}, text[:500]...), words(3, 500)...)
	if s := Similarity(a, OfText(strings.Join(other, " "))); math.Abs(s-1./3) > .15 {
		t.Errorf("half the text: %.2f", s)
	}
	for _, short := range []string{"", "one two three", "this page has moved to another place, see there"} {
		if OfText(short) != nil {
			t.Errorf("%q has a fingerprint", short)
		}
	}
	if Similarity(a, nil) != 0 || Similarity(nil, nil) != 0 {
		t.Error("no fingerprint is like another")
	}
	// It is kept in catalogs: it must not change between builds.
	if got := fmt.Sprintf("%x", OfText("the quick brown fox jumps over the lazy dog and then it sleeps the whole day long")[:8]); got != golden {
		t.Errorf("the fingerprint is %s, was %s", got, golden)
	}
}

const golden = "0c9877b3268105f2"

func TestSimilarityOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "灯"}), 0, 200)
		a, b := OfText(strings.Join(text.Draw(t, "a"), " ")), OfText(strings.Join(text.Draw(t, "b"), " "))
		s := Similarity(a, b)
		if s < 0 || s > 1 || s != Similarity(b, a) || len(a) > 4*Size || a != nil && Similarity(a, a) != 1 {
			t.Fatalf("%v", s)
		}
	})
}
