// Package vector keeps the vectors of one doc set: passages in, the passages
// nearest to a query's vector out, by an exact search over all of them.
//
// What a vector means is the business of the model that made it; the model's
// identity is kept with the vectors, and vectors of two models never stand side
// by side. A model that exists only for these vectors (the basis of a latent
// semantic analysis) may be kept with them as opaque bytes, so that both are
// switched at once.
//
// What it holds is derived: it can be thrown away and made again at any time,
// and whoever opens a damaged store is told so with ErrDamaged. It is written as
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
// length; see codec.go for why, and what it costs. Scores are cosines, and they
// are the same on every machine and at any GOMAXPROCS, because what is summed
// are integers.
//
// It refuses to keep texts, to make vectors, and to search approximately.
package vector

import (
	"cmp"
	"errors"
)

// ErrDamaged means that a store of vectors is missing, incomplete, of another
// format or damaged. The remedy is to make the vectors again.
var ErrDamaged = errors.New("the stored vectors are damaged")

// Key names a passage: a document of the catalog, a chunk of it, a part of that.
type Key struct {
	Doc   int64
	Chunk int
	Part  int
}

func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Doc, o.Doc), cmp.Compare(k.Chunk, o.Chunk), cmp.Compare(k.Part, o.Part))
}

// Entry is the vector of one passage of a document. Its length does not matter:
// it is brought to 1.
type Entry struct {
	Chunk  int
	Part   int
	Vector []float32
}

// Hit is one passage with its score, best first: the cosine of the angle between
// its vector and the query's, from -1 to 1.
type Hit struct {
	Doc   int64
	Chunk int
	Part  int
	Score float64
}

// Key is the hit's passage.
func (h Hit) Key() Key { return Key{Doc: h.Doc, Chunk: h.Chunk, Part: h.Part} }
