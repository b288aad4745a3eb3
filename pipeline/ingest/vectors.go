package ingest

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/lsa"
	"docent/store"
	"docent/store/lexical"
	"docent/store/vector"
)

// VectorDir is where the stored vectors of an index lie: beside it, so that
// they go when it goes.
func VectorDir(indexDir string) string { return indexDir + ".vectors" }

// retrainAlways is the number of passages up to which the model is learnt anew
// whenever the doc set changed, which takes a second or two: the vectors are
// then those of the documents as they are, whatever their history. Larger doc
// sets fold changes in until the model's drift makes it due.
const retrainAlways = 20_000

// fieldCounts is how often a term of each field counts in the matrix.
func fieldCounts() [lexical.NumFields]float64 {
	return [lexical.NumFields]float64{lexical.Title: 1, lexical.Heading: 2, lexical.Body: 1, lexical.Code: 1}
}

// Learned is what stands before the model's bytes in a store of vectors.
type Learned struct {
	Generation string    `json:"generation"` // of the word index that the vectors were made of
	Drift      lsa.Drift `json:"drift"`
}

// Basis joins what was learned and the model's bytes; ReadBasis parts them.
func (l Learned) basis(m *lsa.Model) ([]byte, error) {
	head, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	return append(append(out, head...), m.Encode()...), nil
}

// ReadBasis reads a store's basis. The model is nil where the doc set was too
// small to learn from.
func ReadBasis(raw []byte) (Learned, *lsa.Model, error) { return readBasis(raw, lsa.Decode) }

// OpenBasis is as ReadBasis for bytes that are known to be as they were written.
func OpenBasis(raw []byte) (Learned, *lsa.Model, error) { return readBasis(raw, lsa.Open) }

func readBasis(raw []byte, decode func([]byte) (*lsa.Model, error)) (Learned, *lsa.Model, error) {
	var l Learned
	if len(raw) < 4 || uint64(binary.LittleEndian.Uint32(raw)) > uint64(len(raw)-4) {
		return l, nil, fmt.Errorf("the vectors' basis is cut off: %w", vector.ErrDamaged)
	}
	n := int(binary.LittleEndian.Uint32(raw))
	if err := json.Unmarshal(raw[4:4+n], &l); err != nil {
		return l, nil, fmt.Errorf("the vectors' basis: %w: %w", err, vector.ErrDamaged)
	}
	if len(raw) == 4+n {
		return l, nil, nil
	}
	m, err := decode(raw[4+n:])
	if err != nil {
		return l, nil, fmt.Errorf("%w: %w", err, vector.ErrDamaged)
	}
	return l, m, nil
}

// matrix is a word index as lsa reads it, its passages numbered by their
// documents' paths: the catalog's numbers depend on history.
type matrix struct {
	r     *lexical.Reader
	keys  []lexical.Key // by the matrix's numbers
	order []int         // the reader's place → the matrix's number

	// What a small matrix holds is kept: it is read twice.
	terms    []string
	ends     []int // of each term's postings
	postings []lsa.Posting
}

func newMatrix(ctx context.Context, r *lexical.Reader, paths map[int64]string) (*matrix, error) {
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

// Passages is lsa.Matrix's.
func (m *matrix) Passages() int { return len(m.keys) }

// Terms is lsa.Matrix's.
func (m *matrix) Terms(ctx context.Context, f func(string, []lsa.Posting) error) error {
	keep := len(m.keys) <= retrainAlways
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
	err := m.read(ctx, keep, f)
	if err != nil {
		m.terms = nil
	}
	return err
}

func (m *matrix) read(ctx context.Context, keep bool, f func(string, []lsa.Posting) error) error {
	var out []lsa.Posting
	// A term that stands once teaches nothing.
	return m.r.EachTerm(ctx, fieldCounts(), 2, func(term string, counts []lexical.Count) error {
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

// learn brings the stored vectors of a doc set up to its word index: the model
// is learnt anew, or the passages are folded into the one there is.
func (in *Ingester) learn(ctx context.Context, set store.Set, rep Report, ev *emitter) error {
	index := in.IndexDir(set.ID)
	r, err := lexical.Open(index)
	if err != nil {
		return err
	}
	defer r.Close()
	dir := VectorDir(index)
	old, model, err := in.learned(dir)
	if err == nil && old.Generation == r.Generation() {
		return nil
	}
	ev.emit(PhaseLearn, pipeline.PhaseStarted, 0, 0, rep.Set)
	files, err := in.Catalog.Files(ctx, set.ID)
	if err != nil {
		return err
	}
	paths := make(map[int64]string, len(files))
	for _, f := range files {
		paths[f.ID] = f.Path
	}
	m, err := newMatrix(ctx, r, paths)
	if err != nil {
		return err
	}
	now := Learned{Generation: r.Generation(), Drift: old.Drift}
	if files := len(files); model != nil && files > 0 {
		perFile := max(1, m.Passages()/files)
		now.Drift.Folded += (rep.Added + rep.Changed) * perFile
		now.Drift.Removed += (rep.Removed + rep.Changed) * perFile
	}
	if model == nil || m.Passages() <= retrainAlways || rep.Rebuilt || now.Drift.Due(model) != "" {
		now.Drift = lsa.Drift{}
		if model, err = lsa.Train(ctx, m, lsa.Options{}); err != nil && !errors.Is(err, lsa.ErrNothing) {
			return err
		}
	}
	return storeVectors(ctx, dir, now, model, m)
}

// learned reads what there is; anything that cannot be used is as if it were
// not there.
func (in *Ingester) learned(dir string) (Learned, *lsa.Model, error) {
	r, err := vector.Open(dir)
	if err != nil {
		return Learned{}, nil, err
	}
	defer r.Close()
	raw, err := r.Basis()
	if err != nil {
		return Learned{}, nil, err
	}
	return ReadBasis(raw)
}

// noModel names the vectors of a doc set that is too small for any.
const noModel = "none"

func storeVectors(ctx context.Context, dir string, now Learned, model *lsa.Model, m *matrix) (err error) {
	id, dims := noModel, 1
	if model != nil {
		id, dims = model.ID(), model.Dims()
	}
	up, err := vector.Begin(dir, id, dims, true)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, up.Abort())
		}
	}()
	basis, err := now.basis(model)
	if err != nil {
		return err
	}
	up.Attach(basis)
	byDoc := map[int64][]vector.Entry{}
	err = model.FoldAll(ctx, m, func(passage int, v []float32) error {
		k := m.keys[passage]
		byDoc[k.Doc] = append(byDoc[k.Doc], vector.Entry{Chunk: k.Chunk, Part: k.Part, Vector: slices.Clone(v)})
		return nil
	})
	if err != nil {
		return err
	}
	ids := make([]int64, 0, len(byDoc))
	for id := range byDoc {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := up.Add(id, byDoc[id]); err != nil {
			return err
		}
	}
	if err := up.Prepare(ctx); err != nil {
		return err
	}
	done = true
	return up.Commit()
}
