package versions

import (
	"cmp"
	"encoding/binary"
	"slices"

	"docent/pipeline/text/fingerprint"
)

// The bounds of looking for texts that are nearly the same. Two texts of which half is
// the same have one of their probes smallest hashes in common with a probability of more
// than .999.
const (
	probes    = 24
	mostOften = 48 // texts that share a hash; more have nothing in common but a phrase
	mostTried = 32 // candidates of a text that are compared
)

// candidate is a pair of texts and the share that they have in common.
type candidate struct {
	before, after int
	alike         float64
}

// nearPairs lists pairs of texts that may be the same, the most alike first.
func nearPairs(before, after [][]byte, least float64) []candidate {
	postings := map[uint32][]int32{}
	for j, p := range after {
		for k := range min(probes, len(p)/4) {
			h := binary.BigEndian.Uint32(p[4*k:])
			if len(postings[h]) <= mostOften {
				postings[h] = append(postings[h], int32(j))
			}
		}
	}
	var out []candidate
	shared := map[int32]int{}
	var tried []int32
	for i, p := range before {
		clear(shared)
		tried = tried[:0]
		for k := range min(probes, len(p)/4) {
			list := postings[binary.BigEndian.Uint32(p[4*k:])]
			if len(list) > mostOften {
				continue
			}
			for _, j := range list {
				if shared[j]++; shared[j] == 1 {
					tried = append(tried, j)
				}
			}
		}
		slices.SortFunc(tried, func(a, b int32) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b)) })
		for _, j := range tried[:min(len(tried), mostTried)] {
			if s := fingerprint.Similarity(p, after[j]); s >= least {
				out = append(out, candidate{i, int(j), s})
			}
		}
	}
	slices.SortFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(a.before, b.before), cmp.Compare(a.after, b.after))
	})
	return out
}
