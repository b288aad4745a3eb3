package ingest

import (
	"bytes"
	"fmt"

	"docent/store"
	"docent/store/analysis"
)

// isText reports whether a file is text in any encoding: of any other one in 13 bytes is a
// control character that no text has.
func isText(src []byte) bool {
	if bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}) { // UTF-16
		return true
	}
	controls := 0
	for _, c := range src {
		if c < 0x20 && c != '\x1b' && (c < '\b' || c > '\r') {
			controls++
		}
	}
	return controls < 64 || controls < len(src)/50
}

// The most different words of a page that are indexed: mostWords, and where that is
// less, wordsPerMB for each megabyte, but leastWords of any page. Known documentation
// has up to 12 000 a megabyte. A word takes some 15 µs and 300 bytes.
const (
	mostWords  = 1_000_000
	wordsPerMB = 20_000
	leastWords = 20_000
)

// wordsOf is how many different words of a page of so many bytes are indexed.
func wordsOf(bytes int) int {
	return min(mostWords, max(leastWords, int(int64(bytes)*wordsPerMB>>20)))
}

// withinWords drops the passages after so many different words of a page, and says so.
// Pages that are too short to have as many are not counted.
func withinWords(passages []store.Passage, bytes, most int) (kept []store.Passage, warning string) {
	if bytes < 2*most {
		return passages, ""
	}
	seen := make(map[uint64]struct{}, most)
	for i, p := range passages {
		for _, f := range [...]store.Field{store.Body, store.Code, store.Heading} {
			eachWord(p.Fields[f], func(hash uint64) { seen[hash] = struct{}{} })
		}
		if len(seen) > most && i+1 < len(passages) {
			return passages[:i+1], fmt.Sprintf("it has more than %d different words: search finds what stands in its first %d%%", most,
				100*(i+1)/len(passages))
		}
	}
	return passages, ""
}

// eachWord calls f with a hash (FNV-1a) of what the index takes for a word: a run of
// letters and digits, which all that is not ASCII counts as, and two characters of a
// script without spaces.
func eachWord(text string, f func(hash uint64)) {
	const offset, prime = 14695981039346656037, 1099511628211
	hash, in := uint64(offset), false
	var before rune // the last one, if it is of a script without spaces
	end := func() {
		if in {
			f(hash)
		}
		hash, in = offset, false
	}
	for _, r := range text {
		cjk := r >= 0x80 && analysis.IsCJK(r)
		switch {
		case cjk:
			end()
			if before != 0 {
				f((offset^uint64(before))*prime ^ uint64(r))
			}
		case r >= 0x80, r >= '0' && r <= '9', r|0x20 >= 'a' && r|0x20 <= 'z':
			hash, in = (hash^uint64(r))*prime, true
		default:
			end()
		}
		if before = 0; cjk {
			before = r
		}
	}
	end()
}
