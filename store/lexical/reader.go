package lexical

import (
	"context"
	"docent/store/generation"
	"docent/store/parallel"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// openTimeout is how long to wait for scorch's file lock. Readers share it and
// writers write elsewhere, so a wait means that something is wrong.
const openTimeout = "2s"

func openScorch(path string, readOnly bool, queue *index.AnalysisQueue) (index.Index, error) {
	idx, err := scorch.NewScorch("scorch", map[string]any{
		"path": path, "read_only": readOnly, "bolt_timeout": openTimeout,
	}, queue)
	if err != nil {
		return nil, err
	}
	if err := idx.Open(); err != nil {
		return nil, err
	}
	return idx, nil
}

// Reader reads one generation. It is safe for concurrent use.
type Reader struct {
	dir string
	m   manifest
	idx index.Index       // nil for an index without passages
	rd  index.IndexReader // likewise

	segments []*scorch.SegmentSnapshot // of rd
	walkers  parallel.Pool[walker]

	mu     sync.Mutex
	df     map[string]int // passages that have a term, of those that were looked up
	most   map[string]int // passages that have a term, as count gives them
	recent map[listKey][]posting
	older  map[listKey][]posting // those before recent had enough
	kept   int                   // postings in recent
	defs   []Definition          // all that the dictionary has, once it was read
}

// What a reader remembers of what it was asked: a running program is asked for
// the same common terms again and again.
const (
	knownTerms   = 10_000
	keptPostings = 1 << 16 // or what all passages have of 4 terms, where that is more
)

// listKey names a list of postings: it holds for one set of constants.
type listKey struct {
	term   string
	params Params
	avg    [NumFields]float64
}

func (r *Reader) known(term string) (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.df[term]
	return n, ok
}

func (r *Reader) know(term string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.df == nil || len(r.df) >= knownTerms {
		r.df = map[string]int{}
	}
	r.df[term] = n
}

// list gives a term's postings, which are not to be changed.
func (r *Reader) list(ctx context.Context, term string, p Params, avg [NumFields]float64) ([]posting, error) {
	k := listKey{term, p, avg}
	r.mu.Lock()
	out, ok := r.recent[k]
	old, was := r.older[k]
	r.mu.Unlock()
	switch {
	case ok:
		return out, nil
	case was:
		out = old
	default:
		var err error
		if out, err = r.postings(ctx, term, p, avg); err != nil {
			return nil, err
		}
		r.know(term, len(out))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recent == nil || len(r.recent) >= knownTerms || r.kept+len(out) > max(keptPostings, 4*r.m.Passages) {
		r.recent, r.older, r.kept = map[listKey][]posting{}, r.recent, 0
	}
	r.recent[k] = out
	r.kept += len(out)
	return out, nil
}

// Open opens the generation that the manifest in dir names. The error wraps
// ErrDamaged where the index must be built again.
func Open(dir string) (*Reader, error) {
	// A writer may switch and remove the generation between reading the
	// manifest and opening its files: then the manifest names another one.
	var last string
	for {
		m, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		r, err := openGeneration(dir, m)
		if err == nil || m.Generation == last {
			return r, err
		}
		last = m.Generation
	}
}

func openGeneration(dir string, m manifest) (r *Reader, err error) {
	defer func() {
		if p := recover(); p != nil { // scorch on bytes that are none of its own
			r, err = nil, fmt.Errorf("open %s: %v: %w", dir, p, ErrDamaged)
		}
	}()
	if err := m.check(dir, toRead); err != nil {
		return nil, err
	}
	r = &Reader{dir: dir, m: m}
	if m.Passages == 0 {
		return r, nil
	}
	r.idx, err = openScorch(filepath.Join(dir, m.Generation, indexFolder), true, nil)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w: %w", dir, err, ErrDamaged)
	}
	if r.rd, err = r.idx.Reader(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w: %w", dir, err, ErrDamaged), r.idx.Close())
	}
	snapshot, ok := r.rd.(*scorch.IndexSnapshot)
	if !ok {
		return nil, errors.Join(fmt.Errorf("open %s: scorch gives %T", dir, r.rd), r.Close())
	}
	r.segments = snapshot.Segments()
	return r, nil
}

// Generation names the generation that is read.
func (r *Reader) Generation() string { return r.m.Generation }

// Current says whether the manifest is still the one that names this reader's
// generation.
func (r *Reader) Current() bool { return r.m.state.Holds(r.dir) }

// Documents is the number of documents, Passages of passages.
func (r *Reader) Documents() int { return r.m.Documents }

// Passages is the number of passages.
func (r *Reader) Passages() int { return r.m.Passages }

// Size is the generation's size on disk in bytes.
func (r *Reader) Size() int64 {
	var n int64
	for _, f := range r.m.Files {
		n += f.Size
	}
	return n
}

// Close releases the files.
func (r *Reader) Close() error {
	if r.idx == nil {
		return nil
	}
	return errors.Join(r.rd.Close(), r.idx.Close())
}

// Retire has the files released when nobody uses the reader any more, which is
// found out by the garbage collector: searches may still be at work in it. It
// must not be used by the caller again.
func (r *Reader) Retire() {
	if r.idx != nil {
		runtime.AddCleanup(r, func(o opened) { _ = errors.Join(o.rd.Close(), o.idx.Close()) }, opened{r.idx, r.rd})
	}
}

type opened struct {
	idx index.Index
	rd  index.IndexReader
}

// Verify reads every byte of the generation in dir and compares it with its
// checksums.
func Verify(dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	return m.check(dir, toVerify)
}

// Documents lists the documents of the generation in dir, by catalog id, with
// their number of passages.
func Documents(dir string) (map[int64]int, error) {
	c, err := ReadContents(dir)
	if err != nil {
		return nil, err
	}
	ids := make(map[int64]int, len(c.Documents))
	for id, d := range c.Documents {
		ids[id] = d.Passages
	}
	return ids, nil
}

// Contents is what is in a generation.
type Contents struct {
	Generation string
	Documents  map[int64]Content // by catalog id
}

// Content is what is known of a document.
type Content struct {
	Passages int
	// Sum is of how it is divided into passages and how many terms those have. A
	// document whose page is the same and that another version of this program
	// reads in another way keeps its id and has another sum.
	Sum uint32
}

// ReadContents says what is in the generation in dir that holds.
func ReadContents(dir string) (Contents, error) {
	// As with Open, a writer may switch in between.
	var last string
	for {
		m, err := readManifest(dir)
		if err != nil {
			return Contents{}, err
		}
		docs, err := readDocs(filepath.Join(dir, m.Generation, docsName))
		if err != nil && m.Generation != last {
			last = m.Generation
			continue
		}
		if err != nil {
			return Contents{}, err
		}
		c := Contents{Generation: m.Generation, Documents: make(map[int64]Content, len(docs))}
		for id, d := range docs {
			c.Documents[id] = Content{Passages: d.passages(), Sum: generation.Sum(d.append(nil))}
		}
		return c, nil
	}
}

// Remove deletes an index.
func Remove(dir string) error { return os.RemoveAll(dir) }

func (r *Reader) externalID(num uint64) (doc int64, chunk, part int, err error) {
	defer runtime.KeepAlive(r) // see Retire
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read passage %d of %s: %v: %w", num, r.dir, x, ErrDamaged)
		}
	}()
	id, err := r.rd.ExternalID(index.NewIndexInternalID(nil, num))
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read passage %d of %s: %w: %w", num, r.dir, err, ErrDamaged)
	}
	return parseExternalID(id)
}
