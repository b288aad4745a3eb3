package store

// Query is one of several ways to ask the same thing, as terms of the index. The
// scores of all queries are added, each times its weight.
type Query struct {
	Weight float64
	// Terms are asked with weights of their own, which Weight multiplies. A term
	// that stands here twice counts twice.
	Terms []WeightedTerm
	// Groups are words of several renderings.
	Groups []Group
	// Aside has the query's part of a score told once more in Hit.Aside. Such
	// queries are added after all others.
	Aside bool
}

// WeightedTerm is a term of the index, as package analysis writes it.
type WeightedTerm struct {
	Term   string
	Weight float64
}

// Group is one word with its alternatives. A passage gets the score of the best
// of them, so that a word of many meanings counts no more than a word of one.
type Group []Alternative

// Alternative is a rendering of one or several terms, whose scores are added.
type Alternative struct {
	Terms  []string
	Weight float64
}

// Params are BM25F's constants: term saturation, and for each field a weight and
// the influence of its length. Package bm25f has the defaults.
type Params struct {
	K1     float64
	Weight [NumFields]float64
	B      [NumFields]float64
}

// Ranking is a set of queries in the form in which an engine finds candidates:
// each term with its final weight. Package bm25f makes it from queries and
// statistics; it also computes the exact scores.
type Ranking struct {
	Params  Params
	Average [NumFields]float64 // mean field lengths over all doc sets that are searched
	Stages  []Stage            // added one after the other
}

// Stage is a part of a ranking.
type Stage struct {
	Terms  []WeightedTerm // sorted; query weight times IDF, 0 for a term of groups alone
	Groups []WeightedGroup
}

// WeightedGroup is a group with the final weight of every term: its alternatives,
// of which the best counts.
type WeightedGroup [][]WeightedTerm

// Candidate is a passage that may be among the best.
type Candidate struct {
	Key
	// Bound is the highest score that the passage can have: +Inf where the engine
	// does not know. A close bound saves reading evidence.
	Bound float64
}

// Occurrence says how often one field of a passage has a term. Exact scores are
// computed from occurrences alone.
type Occurrence struct {
	Term      int32 // its place among the terms asked for
	Frequency int32
	Length    int32 // terms of the field
	Field     Field
}

// Evidence is all that a passage has of some terms.
type Evidence struct {
	Known       bool         // the passage is in this generation
	Occurrences []Occurrence // by term and field
}

// Hit is one passage with its score.
type Hit struct {
	Reader int // place of its doc set among those searched
	Key
	Score float64
	Aside float64 // the part of Score by queries with Aside
}

// Part is one contribution to a passage's score. The parts of a passage add up
// to its score.
type Part struct {
	Query int
	Field Field
	Term  string
	Value float64
}

// TermCount is how often a passage has a term, each occurrence counted with its
// field's weight.
type TermCount struct {
	Passage int // its place among the keys
	Count   float64
}
