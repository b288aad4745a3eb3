package store

import (
	"cmp"
	"errors"
)

// ErrDamaged means that an index is missing, incomplete, of another format or
// damaged. The remedy is to build it again.
var ErrDamaged = errors.New("the index is damaged")

// ErrVectorsDamaged means the same of stored vectors. A doc set whose vectors
// are damaged is still searched by its words, so callers tell the two apart.
var ErrVectorsDamaged = errors.New("the stored vectors are damaged")

// Field is a part of a passage with a weight of its own.
type Field uint8

// The fields of a passage.
const (
	Title      Field = iota // the page's title and first heading
	Heading                 // the path of headings down to the passage
	Body                    // prose, lists, tables
	Code                    // code blocks
	Parameters              // names at the beginning of a line or a table's row, which that explains
	Name                    // the passage's own heading as one term, see analysis.NameTerm
	NumFields
)

func (f Field) String() string {
	names := [NumFields]string{"title", "heading", "body", "code", "parameters", "name"}
	return names[f]
}

// Key names a passage: a document of the catalog, a chunk of it, a part of that.
type Key struct {
	Doc         int64
	Chunk, Part int
}

// Compare orders keys by document, chunk and part.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Doc, o.Doc), cmp.Compare(k.Chunk, o.Chunk), cmp.Compare(k.Part, o.Part))
}

// Passage is the unit of the index: one chunk, or a part of one. A table of a
// thousand rows is one chunk, because it is never cut; its parts are indexed by
// themselves so that each row can be found.
type Passage struct {
	Chunk  int // its index in the document
	Part   int // from 0 in each chunk, without gaps
	Fields [NumFields]string
	// Abbreviations are those that the passage defines. They are looked up and
	// never scored.
	Abbreviations []Abbreviation
}

// Abbreviation is a short form with its long form: "horizontal pod autoscaler
// (HPA)".
type Abbreviation struct {
	Short, Long string // as written
}

// Definition is an abbreviation as it is looked up.
type Definition struct {
	Abbreviation
	Key      string // of the short form, see analysis.AbbreviationKey
	Stems    string // of the long form, see analysis.LongFormKey
	Passages int    // that have this definition
}

// Statistics are those of a collection of passages. They add up over doc sets.
type Statistics struct {
	Documents int
	Passages  int
	Tokens    [NumFields]int64 // terms of each field, over all passages
	Bytes     int64            // on disk, 0 where that is not known
}

// Add adds the statistics of another collection.
func (s *Statistics) Add(o Statistics) {
	s.Documents += o.Documents
	s.Passages += o.Passages
	s.Bytes += o.Bytes
	for f, n := range o.Tokens {
		s.Tokens[f] += n
	}
}

// AverageLengths is the mean number of terms in each field.
func (s Statistics) AverageLengths() (avg [NumFields]float64) {
	if s.Passages > 0 {
		for f, n := range s.Tokens {
			avg[f] = float64(n) / float64(s.Passages)
		}
	}
	return avg
}

// Content says how much of a document is in an index.
type Content struct {
	Passages int
	// Sum is a checksum of the document's division into passages and of their
	// lengths. A document whose page is the same, and which another version of
	// this program divides otherwise, keeps its id and has another sum.
	Sum uint32
}

// Contents are the documents in one generation of an index.
type Contents struct {
	Generation string
	Documents  map[int64]Content // by catalog id
}

// Entry is the vector of one passage of a document. Only its direction is kept.
type Entry struct {
	Chunk  int
	Part   int
	Vector []float32
}

// VectorInfo describes the stored vectors of a doc set.
type VectorInfo struct {
	Model     string // identity of the model that made them
	Dims      int
	Documents int // those without vectors included
	Vectors   int
	Bytes     int64 // on disk, 0 where that is not known
	// Note is a small JSON value that their writer keeps with them; or nil.
	Note string
}

// VectorKind says what made the vectors of a doc set.
type VectorKind string

// The kinds of vectors. A doc set may have one of each.
const (
	LearnedVectors VectorKind = "learned" // from the doc set itself, by latent semantic analysis
	ModelVectors   VectorKind = "model"   // by an embedding model
)

// Neighbor is a passage with the cosine of the angle between its vector and a
// query's, from -1 to 1.
type Neighbor struct {
	Key
	Cosine float64
}
