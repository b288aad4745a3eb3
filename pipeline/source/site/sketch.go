package site

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// sketchSize is how many hashes of a page's words are kept to compare it with another page.
const sketchSize = 64

// sketch is a summary of the words of a page.
type sketch struct {
	Exact uint64 `json:"exact"` // of all words in their order, numbers aside
	Words int    `json:"words"` // how many there are
	// Lowest are hashes of each three words in a row, outside of links and of the parts around
	// the page's own text, sorted (MinHash, Broder 1997). All pages of a site have the same
	// links, and would look alike.
	Lowest []uint64 `json:"lowest"`
}

// sketchOf summarizes the words of a page; own are those outside of links. Digits do not
// count: a page that says when it was made is the same the next time.
func sketchOf(text, own string) sketch {
	words := wordsOf(text)
	out := sketch{Words: len(words)}
	all := fnv.New64a()
	for _, w := range words {
		_, _ = all.Write([]byte(w))
		_, _ = all.Write([]byte{' '})
	}
	words = wordsOf(own)
	hashes := make([]uint64, 0, len(words))
	for i := range words {
		h := fnv.New64a()
		for _, near := range words[i:min(i+3, len(words))] {
			_, _ = h.Write([]byte(near))
			_, _ = h.Write([]byte{' '})
		}
		hashes = append(hashes, h.Sum64())
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	out.Exact, out.Lowest = all.Sum64(), slices.Clone(hashes[:min(len(hashes), sketchSize)])
	return out
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// Two pages are alike from this share of words on, and with lengths that differ by no more.
// The page for addresses that do not exist mostly repeats the address, or tells the time.
const (
	alikeWords  = .8
	alikeLength = .7
)

// isLike reports whether two pages are the same but for a few words.
func (s sketch) isLike(o sketch) bool {
	short, long := min(s.Words, o.Words), max(s.Words, o.Words)
	return float64(short) >= alikeLength*float64(long) && s.similarity(o) >= alikeWords
}

// similarity estimates how many of the words of two pages are the same: 0 to 1.
func (s sketch) similarity(o sketch) float64 {
	if s.Exact == o.Exact && s.Words == o.Words {
		return 1
	}
	union := slices.Concat(s.Lowest, o.Lowest)
	slices.Sort(union)
	union = slices.Compact(union)
	if union = union[:min(len(union), sketchSize)]; len(union) == 0 {
		return 0
	}
	both := 0
	for _, h := range union {
		_, a := slices.BinarySearch(s.Lowest, h)
		_, b := slices.BinarySearch(o.Lowest, h)
		if a && b {
			both++
		}
	}
	return float64(both) / float64(len(union))
}
