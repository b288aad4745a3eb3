package rerank

import (
	"unicode"

	"docent/store/bm25f"
)

// likeness compares a question with the candidates' texts letter by letter, small words
// included: by BM25 over the runs of four letters of their words, and over the words as they
// are written. The weight of a run comes from the candidates alone, so that words which all
// of them have weigh little in any language, without a list of stop words. "encrypting" has
// most of the runs of "encryption", which the stemmer keeps apart. Character n-grams as
// terms: McNamee and Mayfield, "Character N-Gram Tokenization for European Language Text
// Retrieval", 2004.
type likeness struct {
	numbers map[uint64]int // of the question's runs and words, by key
	mayHave [keyBits / 64]uint64
	grams   []int // the numbers of its runs
	words   []int // and of its words
}

// spelling says how often a text has the question's runs and words, by number, and how many
// it has altogether.
type spelling struct {
	counts       []int32
	grams, words float64
}

const (
	gramLetters  = 4
	mostSpelled  = 64      // words of a question that are compared
	spelledBytes = 1600    // of a text that are looked at
	keyBits      = 1 << 14 // of the filter before the map
	spelledK1    = 1.2
	spelledB     = .75
)

func newLikeness(question string) *likeness {
	l := &likeness{numbers: map[uint64]int{}}
	words := 0
	eachSpelled(question, func(key uint64, word bool) {
		if _, known := l.numbers[key]; known || words >= mostSpelled {
			return
		}
		n := len(l.numbers)
		l.numbers[key] = n
		l.mayHave[key%keyBits/64] |= 1 << (key % 64)
		if word {
			words++
			l.words = append(l.words, n)
		} else {
			l.grams = append(l.grams, n)
		}
	})
	return l
}

// spellingOf counts the question's runs and words in the beginning of a text.
func (l *likeness) spellingOf(text string) spelling {
	s := spelling{counts: make([]int32, len(l.numbers))}
	eachSpelled(text[:min(len(text), spelledBytes)], func(key uint64, word bool) {
		if word {
			s.words++
		} else {
			s.grams++
		}
		if l.mayHave[key%keyBits/64]&(1<<(key%64)) == 0 {
			return
		}
		if n, ok := l.numbers[key]; ok {
			s.counts[n]++
		}
	})
	return s
}

// compare sets how like the question the texts are, relative to the likest. texts and out
// are of the same candidates.
func (l *likeness) compare(texts []spelling, out []vector) {
	having := make([]int, len(l.numbers)) // texts, by number
	for i := range texts {
		for n, count := range texts[i].counts {
			if count > 0 {
				having[n]++
			}
		}
	}
	weights := make([]float64, len(having))
	for n, k := range having {
		weights[n] = bm25f.IDF(len(texts), k)
	}
	scoreLikeness(texts, out, gramsTop, l.grams, weights, func(s *spelling) float64 { return s.grams })
	scoreLikeness(texts, out, wordsTop, l.words, weights, func(s *spelling) float64 { return s.words })
}

// scoreLikeness sets a feature to the texts' BM25 over some numbers, relative to the best.
func scoreLikeness(texts []spelling, out []vector, to feature, numbers []int, weights []float64, size func(*spelling) float64) {
	average := 0.0
	for i := range texts {
		average += size(&texts[i]) / float64(len(texts))
	}
	scores, best := make([]float64, len(texts)), 0.0
	for i := range texts {
		length := spelledK1 * (1 - spelledB + float64(spelledB*size(&texts[i]))/max(1, average))
		for _, n := range numbers {
			if n >= len(texts[i].counts) {
				break // a text that could not be read
			}
			tf := float64(texts[i].counts[n])
			scores[i] += float64(weights[n] * tf / (tf + length))
		}
		best = max(best, scores[i])
	}
	for i, s := range scores {
		out[i][to] = relativeTo(s, best)
	}
}

// The hash by which runs and words are known: FNV-1a over runes, its bits mixed.
const (
	hashBasis = 14695981039346656037
	hashPrime = 1099511628211
	wordMark  = 0xff // sets words apart from runs
)

func hashRune(hash uint64, r rune) uint64 { return (hash ^ uint64(r)) * hashPrime }

func mixBits(hash uint64) uint64 {
	hash ^= hash >> 32
	hash *= 0xd6e8feb86659fd93
	return hash ^ hash>>32
}

// eachSpelled calls f with a key of each run of letters, the ends of words counted as
// letters, and of each word. Letters count without their case.
func eachSpelled(text string, f func(key uint64, word bool)) {
	var last [gramLetters]rune // the newest last
	letters, word := 0, uint64(hashBasis)
	put := func(r rune) {
		copy(last[:], last[1:])
		last[gramLetters-1] = r
		if letters++; letters < gramLetters {
			return
		}
		run := uint64(hashBasis)
		for _, x := range last {
			run = hashRune(run, x)
		}
		f(mixBits(run), false)
	}
	end := func() {
		if letters == 0 {
			return
		}
		put(' ')
		if letters < gramLetters { // a word of one letter is a run by itself
			f(mixBits(word), false)
		}
		f(mixBits(hashRune(word, wordMark)), true)
		letters, word = 0, hashBasis
	}
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			end()
			continue
		}
		r = unicode.ToLower(r)
		if letters == 0 {
			put(' ')
		}
		word = hashRune(word, r)
		put(r)
	}
	end()
}
