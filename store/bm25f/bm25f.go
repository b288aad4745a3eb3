// Package bm25f scores passages by BM25F: Zaragoza et al., "Microsoft Cambridge
// at TREC-13", 2004, section 3; Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009, section 3.6.
//
// A score is computed from the queries, the statistics of the collection, and
// the evidence of one passage: for each term and field, its frequency and the
// field's length, both exact. Whatever engine found the passage, and however its
// segments came about, the score is the same to the last bit. The scores of
// search engines are not: bleve's average length counts unique terms, and its
// scores change when segments merge.
//
// It refuses to read anything: statistics and evidence are handed in.
package bm25f

import (
	"math"

	"docent/store"
)

// Defaults are the constants that measured best over judged collections and
// documentation sets: a heading counts four times a word of the body.
func Defaults() store.Params {
	const nameWeight = 4
	return store.Params{
		K1: 1.2,
		Weight: [store.NumFields]float64{store.Title: 3, store.Heading: 4, store.Body: 1, store.Code: 1, store.Parameters: 2,
			store.Name: nameWeight},
		B: [store.NumFields]float64{store.Title: .4, store.Heading: .4, store.Body: .5, store.Code: .6, store.Parameters: .4},
	}
}

// IDF is BM25's inverse document frequency of a term that df of some passages
// have, never negative: ln(1 + (N - df + 1/2) / (df + 1/2)).
func IDF(passages, df int) float64 {
	return math.Log(1 + (float64(passages)-float64(df)+0.5)/(float64(df)+0.5))
}

// Saturate bounds a frequency: the tenth occurrence of a term says less than the
// first.
func Saturate(tf, k1 float64) float64 { return tf * (k1 + 1) / (tf + k1) }

// FieldFrequency is a field's share of a passage's pseudo frequency: its
// frequency times its weight, over its length as far as that counts. A field of
// weight 0, or one that is empty everywhere, has no share.
func FieldFrequency(p *store.Params, average float64, field store.Field, frequency, length int) float64 {
	if p.Weight[field] == 0 || average == 0 {
		return 0
	}
	return p.Weight[field] * float64(frequency) / (1 - p.B[field] + float64(p.B[field]*float64(length))/average)
}
