// Package vector is the embedded store of one doc set's vectors, with an exact
// search over all of them. It implements store.Vectors.
//
// What a vector means is the business of the model that made it; the model's
// identity is kept with the vectors, and vectors of two models never stand side
// by side. A model that exists only for these vectors (the basis of a latent
// semantic analysis) may be kept with them as opaque bytes, so that both are
// switched at once.
//
// Vectors are derived: they can be made again at any time, and opening damaged ones gives
// store.ErrVectorsDamaged. They are written as generations: an Update writes a new folder
// next to the old one and then replaces a small manifest. Readers, in this process or
// another, are never blocked, and a crash at any moment leaves the last whole generation.
// The caller ensures that there is one writer.
//
// A generation is written whole even when one document changed: 100 000 vectors
// of 128 dimensions are 14 MB, which takes some 50 ms. Segments as in the index of
// words would cost a merge policy and a list of the deleted, and save nothing
// below millions of vectors.
//
// A vector is kept in seven bits a component; package cosine has the reasons and
// the cost. Scores are cosines. They are sums of integers, so they are the same on
// every machine and at any GOMAXPROCS.
//
// It refuses to keep texts, to make vectors, and to search approximately.
package vector
