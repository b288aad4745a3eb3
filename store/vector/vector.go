// Package vector is the embedded store of one doc set's vectors, with an exact
// search over all of them. It implements store.Vectors.
//
// What a vector means is the business of the model that made it; the model's
// identity is kept with the vectors, and vectors of two models never stand side
// by side. A model that exists only for these vectors (the basis of a latent
// semantic analysis) may be kept with them as opaque bytes, so that both are
// switched at once.
//
// What it holds is derived: it can be thrown away and made again at any time,
// and opening damaged vectors gives store.ErrVectorsDamaged. It is written as
// generations: an Update writes a whole new folder beside the old one and
// switches a small manifest to it, so that readers, in this process or another,
// are never blocked, and a crash at any moment leaves the last whole generation
// in place. One writer at a time is the caller's to ensure. A generation is
// written whole even when one document changed: 100 000 vectors of 128
// dimensions are 14 MB, which takes some 50 ms. Segments as in the word index
// were the other way; they cost a merge policy and a list of the deleted, and
// save nothing before there are millions of vectors.
//
// A vector is kept as one byte a dimension, of which seven bits are used, and a
// length; see package cosine for the reasons and the cost. Scores are cosines, and they
// are the same on every machine and at any GOMAXPROCS, because what is summed
// are integers.
//
// It refuses to keep texts, to make vectors, and to search approximately.
package vector

import "docent/store"

// ErrDamaged is store.ErrVectorsDamaged.
var ErrDamaged = store.ErrVectorsDamaged

// The types of package store that the writing side names without their package.
type (
	Key   = store.Key
	Entry = store.Entry
)
