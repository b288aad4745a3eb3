package analysis

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Focus agrees with looking for each term in each window.
func TestFocus(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[abcABÉ é日]{0,12}`)
		text := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "lines"), "\n")
		terms := rapid.MapOfN(rapid.StringMatching(`[abcé日]{0,4}`), rapid.Float64Range(-1, 3), 0, 8).Draw(t, "terms")
		size := rapid.IntRange(1, 60).Draw(t, "size")
		got := FocusWindow(text, terms, size)
		if !strings.Contains(text, got) {
			t.Fatalf("%q is not of the text", got)
		}
		if len(text) <= 2*size {
			if got != text {
				t.Fatalf("a short text was cut to %q", got)
			}
			return
		}
		if want := focusPlainly(text, terms, size); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

func focusPlainly(text string, terms map[string]float64, size int) string {
	var names []string
	for t := range terms {
		names = append(names, t)
	}
	slices.Sort(names)
	best, out, window := math.Inf(-1), text, ""
	take := func() {
		sum := 0.0
		for _, n := range names {
			if n != "" && terms[n] > 0 && strings.Contains(strings.ToLower(window), n) {
				sum += terms[n]
			}
		}
		if sum > best {
			best, out = sum, window
		}
	}
	last := ""
	for l := range strings.Lines(text) {
		if window != "" && len(window)+len(l) > size {
			take()
			if window = last; len(window) > size {
				window = ""
			}
		}
		window += l
		last = l
	}
	take()
	return out
}

func BenchmarkFocus(b *testing.B) {
	src, err := os.ReadFile("focus_test.go")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(src), 40)
	terms := map[string]float64{}
	for _, w := range strings.Fields("func window term best size text take sum out name last line short slice math draw want cut agree look each test check match") {
		terms[w] = 1
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		FocusWindow(text, terms, 1600)
	}
}
