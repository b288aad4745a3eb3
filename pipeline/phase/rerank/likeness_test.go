package rerank

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// compared gives the two values of likeness for each text.
func compared(question string, texts ...string) (grams, words []float64) {
	l := newLikeness(question)
	spellings, out := make([]spelling, len(texts)), make([]vector, len(texts))
	for i, t := range texts {
		spellings[i] = l.spellingOf(t)
	}
	l.compare(spellings, out)
	for _, v := range out {
		grams, words = append(grams, v[gramsTop]), append(words, v[wordsTop])
	}
	return grams, words
}

// A lamp keeper asks for "extinguishing"; the page says "extinguisher", which the stemmer
// keeps apart. Runs of letters bring them together, words do not.
func TestOtherFormsOfAWordAreAlike(t *testing.T) {
	t.Parallel()
	grams, words := compared("extinguishing lanterns", "The extinguisher hangs next to the stairs.", "Oil is kept in the cellar.")
	if grams[0] != 1 || grams[1] > .3 {
		t.Errorf("by runs of letters: %v", grams)
	}
	if words[0] > 0 {
		t.Errorf("by words: %v, and neither has one as it is written", words)
	}
}

// "turn the lamp off" and "turn the lamp on" differ by a small word.
func TestSmallWordsCount(t *testing.T) {
	t.Parallel()
	_, words := compared("how do i turn the lamp off", "Turn the lamp off at dawn.", "Turn the lamp on at dusk.", "Turn the key of the lamp.")
	if words[0] != 1 || words[1] >= 1 || words[2] >= 1 {
		t.Errorf("by words: %v", words)
	}
}

// What all candidates have says nothing about any of them.
func TestWordsOfAllCandidatesWeighLittle(t *testing.T) {
	t.Parallel()
	_, words := compared("lamp wick", "lamp lamp lamp lamp oil", "lamp and wick", "lamp and glass", "lamp and stairs")
	if words[1] != 1 || words[0] > .3 {
		t.Errorf("by words: %v, and the wick decides", words)
	}
}

// A text without letters, one that could not be read, and a question of signs are no fault.
func TestLikenessOfNothing(t *testing.T) {
	t.Parallel()
	for _, question := range []string{"", "???", "lamp", strings.Repeat("lamp wick ", 5000)} {
		l := newLikeness(question)
		if len(l.words) > mostSpelled {
			t.Errorf("%d words are compared", len(l.words))
		}
		texts := []spelling{{}, l.spellingOf(""), l.spellingOf("…")}
		out := make([]vector, len(texts))
		l.compare(texts, out)
		for i, v := range out {
			if v[gramsTop] != 0 || v[wordsTop] != 0 {
				t.Errorf("%.10q: text %d has %v and %v", question, i, v[gramsTop], v[wordsTop])
			}
		}
		l.compare(nil, nil)
	}
}

// The values lie in [0,1], the likest text has 1, and case changes nothing.
func TestLikenessIsRelative(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"lamp", "wick", "oil", "Leuchtturm", "灯塔", "of", "a", "snake_case", "x"})
		sentence := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 12).Draw(t, "words"), " ")
		})
		question := sentence.Draw(t, "question")
		texts := append(rapid.SliceOfN(sentence, 1, 8).Draw(t, "texts"), question)
		grams, words := compared(question, texts...)
		upper, _ := compared(strings.ToUpper(question), texts...)
		best := 0.0
		for i := range grams {
			if grams[i] < 0 || grams[i] > 1 || words[i] < 0 || words[i] > 1 {
				t.Fatalf("%q: %v %v", texts[i], grams[i], words[i])
			}
			if grams[i] != upper[i] {
				t.Fatalf("%q: %v, in capitals %v", texts[i], grams[i], upper[i])
			}
			best = max(best, grams[i])
		}
		if best != 1 {
			t.Fatalf("the likest has %v", best)
		}
	})
}
