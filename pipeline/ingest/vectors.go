package ingest

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/ingest/lsa"
	"docent/store"
)

// fieldCounts are the weights of the fields in the matrix of terms and passages.
func fieldCounts() [store.NumFields]float64 {
	return [store.NumFields]float64{store.Title: 1, store.Heading: 2, store.Body: 1, store.Code: 1}
}

// Learned is the state of the vectors of a doc set. It is kept as their note, and, as
// it was when the model was trained, in front of the model's bytes.
type Learned struct {
	Generation string    `json:"generation"` // of the word index that the vectors belong to
	Drift      lsa.Drift `json:"drift"`      // since the model was trained
}

// encodeBasis encodes the attachment of vectors: l, then the model.
func (l Learned) encodeBasis(m *lsa.Model) ([]byte, error) {
	head, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	return append(append(out, head...), m.Encode()...), nil
}

// OpenBasis is readBasis without comparing the checksum, for bytes that were compared
// already.
func OpenBasis(raw []byte) (Learned, *lsa.Model, error) { return readBasis(raw, lsa.OpenTrusted) }

func readBasis(raw []byte, decode func([]byte) (*lsa.Model, error)) (Learned, *lsa.Model, error) {
	var l Learned
	if len(raw) < 4 || uint64(binary.LittleEndian.Uint32(raw)) > uint64(len(raw)-4) {
		return l, nil, fmt.Errorf("the vectors' basis is cut off: %w", store.ErrVectorsDamaged)
	}
	n := int(binary.LittleEndian.Uint32(raw))
	if err := json.Unmarshal(raw[4:4+n], &l); err != nil {
		return l, nil, fmt.Errorf("the vectors' basis: %w: %w", err, store.ErrVectorsDamaged)
	}
	if len(raw) == 4+n {
		return l, nil, nil
	}
	m, err := decode(raw[4+n:])
	if err != nil {
		return l, nil, fmt.Errorf("%w: %w", err, store.ErrVectorsDamaged)
	}
	return l, m, nil
}

// readLearned decodes the note. Vectors that an earlier version wrote have none: then
// it is the head of the attachment.
func readLearned(note string, head Learned) (Learned, error) {
	if note == "" {
		return head, nil
	}
	var l Learned
	if err := json.Unmarshal([]byte(note), &l); err != nil {
		return l, fmt.Errorf("the vectors' note: %w: %w", err, store.ErrVectorsDamaged)
	}
	return l, nil
}

// NoteFor is the note of vectors that belong to another generation of an index with the same
// passages.
func NoteFor(note, generation string) ([]byte, error) {
	l, err := readLearned(note, Learned{})
	if err != nil {
		return nil, err
	}
	l.Generation = generation
	return json.Marshal(l)
}

// matrix is an index of words in the form that lsa reads. Its passages are numbered in
// the order of their documents' paths, because the documents' ids depend on the
// history of updates.
type matrix struct {
	r     store.Postings
	keys  []store.Key // by the matrix's numbers
	order []int       // from the reader's place of a passage to the matrix's number

	// The content of a small matrix is kept, because it is read twice.
	terms    []string
	ends     []int // of each term's postings
	postings []lsa.Posting
}

func newMatrix(ctx context.Context, r store.Postings, paths map[int64]string) (*matrix, error) {
	keys, err := r.Keys(ctx)
	if err != nil {
		return nil, err
	}
	m := &matrix{r: r, order: make([]int, len(keys))}
	places := make([]int, 0, len(keys))
	for i, k := range keys {
		if _, ok := paths[k.Doc]; ok {
			places = append(places, i)
		} else {
			m.order[i] = -1 // the catalog does not know it any more
		}
	}
	slices.SortFunc(places, func(a, b int) int {
		x, y := keys[a], keys[b]
		return cmp.Or(strings.Compare(paths[x.Doc], paths[y.Doc]), cmp.Compare(x.Chunk, y.Chunk), cmp.Compare(x.Part, y.Part))
	})
	for n, i := range places {
		m.order[i] = n
		m.keys = append(m.keys, keys[i])
	}
	return m, nil
}

// keptPassages is up to how many passages a matrix is kept in memory.
const keptPassages = 20_000

// Passages is lsa.Matrix's.
func (m *matrix) Passages() int { return len(m.keys) }

// Terms is lsa.Matrix's.
func (m *matrix) Terms(ctx context.Context, f func(string, []lsa.Posting) error) error {
	keep := len(m.keys) <= keptPassages
	if keep && m.terms != nil {
		at := 0
		for i, t := range m.terms {
			if err := f(t, m.postings[at:m.ends[i]]); err != nil {
				return err
			}
			at = m.ends[i]
		}
		return ctx.Err()
	}
	m.terms, m.ends, m.postings = nil, nil, nil
	err := m.readPostings(ctx, keep, f)
	if err != nil {
		m.terms = nil
	}
	return err
}

func (m *matrix) readPostings(ctx context.Context, keep bool, f func(string, []lsa.Posting) error) error {
	var out []lsa.Posting
	// A term with one occurrence says nothing about other passages.
	return m.r.EachTerm(ctx, fieldCounts(), 2, func(term string, counts []store.TermCount) error {
		out = out[:0]
		for _, c := range counts {
			if n := m.order[c.Passage]; n >= 0 {
				out = append(out, lsa.Posting{Passage: n, Count: float32(c.Count)})
			}
		}
		if len(out) == 0 {
			return nil
		}
		slices.SortFunc(out, func(a, b lsa.Posting) int { return cmp.Compare(a.Passage, b.Passage) })
		if keep {
			m.terms = append(m.terms, term)
			m.postings = append(m.postings, out...)
			m.ends = append(m.ends, len(m.postings))
		}
		return f(term, out)
	})
}
