package store

import "context"

// The interfaces of reading an index. A reader sees one generation of one doc set: later
// generations do not change its answers. Readers are safe for concurrent use. Errors wrap
// ErrDamaged or ErrVectorsDamaged where the generation must be built again, and the
// context's error where it ended.

// Generation is an opened generation.
type Generation interface {
	// Generation names it.
	Generation() string
	// Current reports whether no newer generation was published.
	Current(context.Context) (bool, error)
	// Close releases the generation. Nothing may be at work in it.
	Close() error
}

// Words finds passages by their words. Finding and scoring are two steps: an
// engine finds candidates in its own way, and package bm25f scores them from
// evidence, so that every engine gives the same order.
type Words interface {
	// Statistics of the generation.
	Statistics() Statistics
	// Frequencies gives, for each term, the number of passages that have it in
	// any field.
	Frequencies(ctx context.Context, terms []string) ([]int, error)
	// Matches gives the number of passages that have at least one of the terms in
	// any field.
	Matches(ctx context.Context, terms []string) (int, error)
	// Candidates gives at least the limit best passages and all that tie with the
	// last of them, in any order. It may give more. A limit of 0 or less wants all
	// passages with a score above 0.
	Candidates(ctx context.Context, r *Ranking, limit int) ([]Candidate, error)
	// Evidence gives, for each key, what the passage has of the terms.
	Evidence(ctx context.Context, terms []string, keys []Key) ([]Evidence, error)
}

// Vocabulary answers questions about the terms of a doc set. Numbers of passages
// are approximate: of the body, or of the field where most passages have the
// term, if the body of none has it. They can be read without reading postings.
type Vocabulary interface {
	// ApproxFrequencies gives the number of passages of each term.
	ApproxFrequencies(ctx context.Context, terms []string) ([]int, error)
	// Fuzzy gives the terms within a Levenshtein distance of 1 or 2 that share the
	// term's first letter, with their numbers of passages.
	Fuzzy(ctx context.Context, term string, distance int) (map[string]int, error)
	// Prefix gives terms with a prefix, with their numbers of passages. Of a short
	// prefix it may leave out some.
	Prefix(ctx context.Context, prefix string) (map[string]int, error)
	// Terms gives the terms of some fields, sorted. It may give terms of deleted
	// passages too.
	Terms(ctx context.Context, fields ...Field) ([]string, error)
	// Definitions gives, in every spelling, the definitions of abbreviations that have
	// one of the short forms' keys or one of the long forms' stems.
	Definitions(ctx context.Context, keys, stems []string) ([]Definition, error)
}

// Index is an opened index of words. It is one interface for opening and
// holding, composed of what its users take one by one.
type Index interface {
	Generation
	Words
	Vocabulary
}

// Postings is an optional capability of an index in this process: reading the
// whole matrix of passages and terms, which latent semantic analysis learns from.
type Postings interface {
	// Keys lists the passages in the order of their keys.
	Keys(context.Context) ([]Key, error)
	// EachTerm calls f with every term and its passages, by ascending place among
	// the keys. Fields of weight 0 are left out, and so are terms with less than
	// least occurrences, counted as (passage, field) pairs. Terms come in byte
	// order. It stops at f's first error, which it returns.
	EachTerm(ctx context.Context, weights [NumFields]float64, least uint64, f func(term string, counts []TermCount) error) error
}

// Nearest finds passages by their vectors. Cosines are computed by package
// cosine from the stored form of a vector, so that every engine gives the same.
type Nearest interface {
	Info() VectorInfo
	// Search gives the limit nearest passages and all that tie with the last of
	// them, nearest first and then by key. A limit of 0 or less gives all. A
	// vector of zeros has no direction and finds nothing.
	Search(ctx context.Context, vector []float32, limit int) ([]Neighbor, error)
	// Similarities gives each passage's cosine, 0 for one without a vector.
	Similarities(ctx context.Context, vector []float32, keys []Key) ([]float64, error)
	// Vectors gives each passage's stored vector, of unit length; nil for one
	// without a vector.
	Vectors(ctx context.Context, keys []Key) ([][]float32, error)
}

// Attachment has the bytes that a writer stored with vectors, such as the model that
// makes a query's vector.
type Attachment interface {
	// Attachment gives the bytes, or nil. They must not be changed, are gone after Close,
	// and are read inside Guard.
	Attachment(context.Context) ([]byte, error)
	// Guard runs f. Where f reads attached bytes that the disk has lost, Guard
	// gives an error that wraps ErrVectorsDamaged.
	Guard(f func() error) error
}

// Vectors are the opened vectors of a doc set, composed like Index.
type Vectors interface {
	Generation
	Nearest
	Attachment
}

// The interfaces of reading a catalog. Their errors wrap ErrNotFound where a doc
// set or document is unknown.

// Sets lists doc sets.
type Sets interface {
	// Sets lists them by name and version.
	Sets(context.Context) ([]Set, error)
}

// Catalog is a catalog for reading. It is one interface because its users take it whole.
type Catalog interface {
	Sets
	// ByID gives documents with their outlines; unknown ids are left out.
	ByID(ctx context.Context, ids []int64) (map[int64]*Document, error)
	// ByPath gives one document with its outline, or ErrNotFound.
	ByPath(ctx context.Context, setID int64, path string) (*Document, error)
	// ByTitle gives a set's documents of this title, by path, without outlines.
	ByTitle(ctx context.Context, setID int64, title string) ([]Document, error)
	// Has reports whether a set has a document of this path.
	Has(ctx context.Context, setID int64, path string) (bool, error)
	// Documents lists a set's documents by path, without outlines.
	Documents(ctx context.Context, setID int64) ([]Document, error)
	// Files lists a set's file states by path.
	Files(ctx context.Context, setID int64) ([]FileState, error)
	// PathsBetween lists those of the paths, in order, that come at or after one text and before
	// another, byte by byte. It takes time for the paths that it gives.
	PathsBetween(ctx context.Context, setID int64, from, before string) ([]string, error)
	// Paths lists the paths of a set's documents, in order.
	Paths(ctx context.Context, setID int64) ([]string, error)
	// Failures lists a set's files that could not be indexed, by path.
	Failures(ctx context.Context, setID int64) ([]Failure, error)
}
