// Package fingerprint tells which texts are nearly the same: a bottom-k sketch of
// the runs of words of a text, from which the share of runs that two texts have in
// common (their Jaccard similarity) is estimated (Broder, "On the resemblance and
// containment of documents", 1997).
//
// It refuses to compare meanings, and to keep texts.
package fingerprint

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
)

// Size is the most hashes of a fingerprint. The estimate's standard error is at most
// 1/(2·√Size) = .06.
const Size = 64

// run is the words of a run. Runs of four words hardly recur in texts that have only
// their subject in common.
const run = 4

// leastRuns is the least runs of a text that has a fingerprint: the same few words
// stand in pages that are not the same.
const leastRuns = 12

// mostWords bounds the words of a text that are looked at.
const mostWords = 20_000

// OfText makes the fingerprint of a text: ascending hashes of four bytes; nil where the
// text is too short. The same words give the same fingerprint in every process.
func OfText(text string) []byte {
	var words [run]uint64
	n := 0
	hashes := make([]uint32, 0, 4*Size)
	limit := ^uint32(0) // hashes above it are not among the smallest
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[n%run] = hashWord(word)
		if n++; n < run {
			continue
		}
		if n > mostWords {
			break
		}
		h := uint64(14695981039346656037)
		for i := range run {
			h = mixHash(h ^ words[(n+i)%run])
		}
		if short := uint32(h >> 32); short <= limit {
			hashes = append(hashes, short)
			if len(hashes) == cap(hashes) {
				hashes = smallestHashes(hashes)
				if len(hashes) == Size {
					limit = hashes[Size-1]
				}
			}
		}
	}
	if n-run+1 < leastRuns {
		return nil
	}
	out := make([]byte, 0, 4*Size)
	for _, h := range smallestHashes(hashes) {
		out = binary.BigEndian.AppendUint32(out, h)
	}
	return out
}

// smallestHashes are the Size smallest distinct hashes, ascending.
func smallestHashes(hashes []uint32) []uint32 {
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return hashes[:min(Size, len(hashes))]
}

// hashWord is FNV-1a of a word in lower case.
func hashWord(word string) uint64 {
	h := uint64(14695981039346656037)
	for _, r := range word {
		h = (h ^ uint64(unicode.ToLower(r))) * 1099511628211
	}
	return h
}

// mixHash is the finaliser of MurmurHash3.
func mixHash(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Similarity estimates the share of runs that two texts have in common, from 0 to 1;
// 0 where one of them has no fingerprint.
func Similarity(a, b []byte) float64 {
	x, y := len(a)/4, len(b)/4
	if x == 0 || y == 0 {
		return 0
	}
	// Of the smallest hashes of both together, those that both have.
	seen, both := 0, 0
	for i, j := 0, 0; seen < Size && (i < x || j < y); seen++ {
		var c int
		switch {
		case i == x:
			c = 1
		case j == y:
			c = -1
		default:
			c = cmp.Compare(binary.BigEndian.Uint32(a[4*i:]), binary.BigEndian.Uint32(b[4*j:]))
		}
		if c <= 0 {
			i++
		}
		if c >= 0 {
			j++
		}
		if c == 0 {
			both++
		}
	}
	return float64(both) / float64(seen)
}
