// Package lexical is the word index of one doc set: passages in, scored
// passages out, over bleve's scorch segments.
//
// What it holds is derived: it can be thrown away and built again from the
// catalog and the source files at any time, and whoever opens a damaged index
// is told so with ErrDamaged. It is written as generations: an Update writes a
// whole new folder beside the old one and switches a small manifest to it, so
// that readers, in this process or another, are never blocked, and a crash at
// any moment leaves the last whole generation in place. One writer at a time is
// the caller's to ensure.
//
// Scores are BM25F computed here from scorch's postings (Zaragoza et al.,
// "Microsoft Cambridge at TREC-13", 2004, section 3; Robertson and Zaragoza,
// "The Probabilistic Relevance Framework", 2009, section 3.6), with exact field
// lengths and exact collection statistics, so that the same documents give the
// same scores whatever the segments and the history of updates. bleve's own
// BM25 does not: its average length counts unique terms, and its scores change
// when segments merge.
//
// It refuses to keep texts, paths or titles: a hit is a document number of the
// catalog and a chunk number.
package lexical

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// ErrDamaged means that an index is missing, incomplete, of another format or
// damaged. The remedy is to build it again.
var ErrDamaged = errors.New("the index is damaged")

// Field is a part of a passage with a weight of its own.
type Field int

// The fields of a passage.
const (
	Title      Field = iota // the page's title and first heading
	Heading                 // the path of headings down to the passage
	Body                    // prose, lists, tables
	Code                    // code blocks
	Parameters              // names that a line or a table's row begins with, to say what they mean
	Name                    // the passage's own heading, whole: one term, see NameTerm
	NumFields
)

var fieldNames = [NumFields]string{"title", "heading", "body", "code", "parameters", "name"}

func (f Field) String() string { return fieldNames[f] }

// Passage is one chunk as it is indexed, or a part of one: a table of a
// thousand rows is one chunk, because it is never cut, but a row of it is found
// only where the others do not drown it.
type Passage struct {
	Chunk  int // its index in the document
	Part   int // from 0 in each chunk, without gaps
	Fields [NumFields]string
	// Abbreviations are those that the passage defines: looked up, not scored.
	Abbreviations []Abbreviation
}

// Params are BM25F's constants: term saturation, and per field a weight and
// how far its length counts.
type Params struct {
	K1     float64
	Weight [NumFields]float64
	B      [NumFields]float64
}

// NameTerm is the term of a whole heading in the field Name: its words as they
// are, small ones too, whatever stands between them. A question that is a heading
// word for word finds it by this, even where all its words are stop words. It is
// empty for a text without words or of too many, and equal to no other term.
func NameTerm(text string) string {
	if len(text) > mostNameBytes {
		return ""
	}
	var b strings.Builder
	n := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n++; n > mostNameWords {
			return ""
		}
		if n > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(w))
	}
	if n < leastNameWords {
		return ""
	}
	return namePrefix + b.String()
}

const (
	leastNameWords = 4
	mostNameWords  = 24
	mostNameBytes  = 512
	namePrefix     = "="
	nameWeight     = 4
)

// IsNameTerm says whether a term is one of NameTerm's.
func IsNameTerm(term string) bool { return strings.HasPrefix(term, namePrefix) }

// DefaultParams are what measured best over judged collections and
// documentation sets: headings count four times a word of the body.
func DefaultParams() Params {
	return Params{
		K1:     1.2,
		Weight: [NumFields]float64{Title: 3, Heading: 4, Body: 1, Code: 1, Parameters: 2, Name: nameWeight},
		B:      [NumFields]float64{Title: .4, Heading: .4, Body: .5, Code: .6, Parameters: .4},
	}
}

// Hit is one passage with its score, best first.
type Hit struct {
	Reader int   // index of its reader
	Doc    int64 // catalog document
	Chunk  int
	Part   int
	Score  float64
	Aside  float64 // the part of Score that Query.Aside set apart

	num uint64 // scorch's document number
}

func externalID(doc int64, chunk, part int) string {
	return strconv.FormatInt(doc, 10) + "." + strconv.Itoa(chunk) + "." + strconv.Itoa(part)
}

func parseExternalID(id string) (doc int64, chunk, part int, err error) {
	fields := strings.Split(id, ".")
	if len(fields) == 3 {
		var errs [3]error
		doc, errs[0] = strconv.ParseInt(fields[0], 10, 64)
		chunk, errs[1] = strconv.Atoi(fields[1])
		part, errs[2] = strconv.Atoi(fields[2])
		if errors.Join(errs[:]...) == nil {
			return doc, chunk, part, nil
		}
	}
	return 0, 0, 0, fmt.Errorf("passage id %q: %w", id, ErrDamaged)
}
