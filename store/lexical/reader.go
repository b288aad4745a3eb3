package lexical

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
	"docent/store/durable"
	"docent/store/generation"
	"docent/store/parallel"
)

// openTimeout is how long to wait for scorch's file lock. Readers share it and
// writers write elsewhere, so a wait means that something is wrong.
const openTimeout = "2s"

func openScorch(path string, readOnly bool, queue *index.AnalysisQueue) (index.Index, error) {
	idx, err := scorch.NewScorch("scorch", map[string]any{
		"path": path, "read_only": readOnly, "bolt_timeout": openTimeout,
		// Segments are merged by Update.merge, and never in the background: with these
		// as many segments are allowed as there are, however small.
		"scorchMergePlanOptions": map[string]any{"MaxSegmentsPerTier": 1 << 20, "FloorSegmentSize": 1, "FloorSegmentFileSize": 1},
	}, queue)
	if err != nil {
		return nil, withMeaning(err)
	}
	if err := idx.Open(); err != nil {
		return nil, withMeaning(err)
	}
	return idx, nil
}

// Reader reads one generation. It is safe for concurrent use, until Close.
type Reader struct {
	dir string
	m   manifest
	idx index.Index       // nil for an index without passages
	rd  index.IndexReader // the same

	segments []*scorch.SegmentSnapshot // of rd
	size     int                       // scorch's numbers of passages are below it
	walkers  parallel.Pool[walker]
	rooms    parallel.Pool[room]

	mu     sync.Mutex
	df     map[string]int // passages that have a term, of those that were looked up
	approx map[string]int // the same as approxFrequency gives it
	recent map[string]*list
	older  map[string]*list   // the lists of recent before that was full
	kept   int                // postings in recent
	defs   []store.Definition // all that the dictionary has, once it was read
	keys   keyBlocks          // those that were read
	nums   map[store.Key]uint32
	places []int32 // by scorch's number, in the order of keys; nil until it was asked for
}

// What a reader remembers: a running program is asked for the same common terms
// again and again.
const (
	knownTerms   = 10_000
	keptPostings = 1 << 17 // or what all passages have of 4 terms, where that is more
)

// termBatch is how many terms' postings are read at a time, so that a question of
// thousands of words does not have all of them in memory.
const termBatch = 64

// OpenReader opens the generation that the manifest in dir names. The error wraps
// ErrDamaged where the index must be built again.
func OpenReader(dir string) (*Reader, error) {
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
		if p := recover(); p != nil { // scorch panics on damaged bytes
			r, err = nil, fmt.Errorf("open %s: %v: %w", dir, p, store.ErrDamaged)
		}
	}()
	if err := m.checkFiles(dir); err != nil {
		return nil, err
	}
	r = &Reader{dir: dir, m: m}
	if m.Passages == 0 {
		return r, nil
	}
	r.idx, err = openScorch(filepath.Join(dir, m.Generation, indexFolder), true, nil)
	if err != nil {
		return nil, m.unopenedError(dir, err)
	}
	if r.rd, err = r.idx.Reader(); err != nil {
		return nil, errors.Join(m.unopenedError(dir, err), r.idx.Close())
	}
	snapshot, ok := r.rd.(*scorch.IndexSnapshot)
	if !ok {
		return nil, errors.Join(fmt.Errorf("open %s: scorch gives %T", dir, r.rd), r.Close())
	}
	r.segments = snapshot.Segments()
	for _, s := range r.segments {
		r.size += int(s.FullSize())
	}
	// A writer may remove a generation while it is opened, and the process may have no
	// file descriptors left: if scorch cannot open a segment, it opens the others, or
	// none at all, without an error.
	if n := countPassages(r.segments); n != m.Passages {
		return nil, errors.Join(m.unopenedError(dir, lackingTerms(n, m.Passages)), r.Close())
	}
	return r, nil
}

func countPassages(segments []*scorch.SegmentSnapshot) (n int) {
	for _, s := range segments {
		n += int(s.Count())
	}
	return n
}

func lackingTerms(some, all int) error { return fmt.Errorf("%d of %d passages are there", some, all) }

// unopenedError is the error of a generation that cannot be opened: damage, unless one of its
// files cannot be opened, for want of a permission or of file descriptors.
func (m manifest) unopenedError(dir string, err error) error {
	var paths []string
	for name := range m.Files {
		paths = append(paths, filepath.Join(dir, m.Generation, filepath.FromSlash(name)))
	}
	if ferr := cannotOpen(paths); ferr != nil {
		return ferr
	}
	if durable.Exhausted(err) || errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("open %s: %w", dir, err)
	}
	return fmt.Errorf("open %s: %w: %w", dir, err, store.ErrDamaged)
}

// cannotOpen is the reason why one of several files cannot be opened together with the
// others; nil: all can, except missing ones.
func cannotOpen(paths []string) (err error) {
	for _, p := range paths {
		f, ferr := os.Open(p)
		if ferr == nil {
			defer f.Close() // when all are open, as scorch needs them
		} else if err == nil && !errors.Is(ferr, fs.ErrNotExist) {
			err = ferr
		}
	}
	return err
}

// Generation names the generation that is read.
func (r *Reader) Generation() string { return r.m.Generation }

// Current reports whether the manifest still names this reader's generation.
func (r *Reader) Current(context.Context) (bool, error) { return r.m.state.HoldsManifest(r.dir), nil }

// Statistics are those of the generation.
func (r *Reader) Statistics() store.Statistics {
	s := store.Statistics{Documents: r.m.Documents, Passages: r.m.Passages, Tokens: r.m.Tokens}
	for _, f := range r.m.Files {
		s.Bytes += f.Size
	}
	return s
}

// Close releases the files. Nothing may be at work in the reader: package corpus
// counts who uses it.
func (r *Reader) Close() error {
	if r.idx == nil {
		return nil
	}
	return errors.Join(r.rd.Close(), r.idx.Close())
}

// Verify reads every byte of the generation in dir and compares it with its
// checksums.
func Verify(dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	return m.checkFiles(dir)
}

// ReadContents describes the current generation in dir.
func ReadContents(dir string) (store.Contents, error) {
	// As with Open, a writer may switch in between.
	var last string
	for {
		m, err := readManifest(dir)
		if err != nil {
			return store.Contents{}, err
		}
		docs, err := readDocs(filepath.Join(dir, m.Generation, docsName))
		if err != nil && m.Generation != last {
			last = m.Generation
			continue
		}
		if err != nil {
			return store.Contents{}, err
		}
		c := store.Contents{Generation: m.Generation, Documents: make(map[int64]store.Content, docs.live)}
		for _, r := range docs.rows {
			d, encoded := docs.info(r), docs.raw[r.at:r.at+r.size]
			c.Documents[r.id] = store.Content{Passages: d.countPassages(), Sum: generation.Checksum(encoded)}
		}
		return c, nil
	}
}

// Remove deletes an index.
func Remove(dir string) error { return os.RemoveAll(dir) }

// keysOf gives the keys of passages by scorch's numbers.
func (r *Reader) keysOf(nums []uint32) ([]store.Key, error) {
	out := make([]store.Key, len(nums))
	var missing []int
	r.mu.Lock()
	for i, n := range nums {
		if out[i] = r.keys.recallKey(n); out[i].Doc == 0 {
			missing = append(missing, i)
		}
	}
	r.mu.Unlock()
	held := mappedBy(r)
	for _, i := range missing {
		var err error
		if out[i], err = r.readKey(uint64(nums[i])); err != nil {
			return nil, err
		}
		held.countKeys(1)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range missing {
		rememberKey(r, nums[i], out[i])
	}
	return out, nil
}

// keyBlock is how many keys are kept together: of all passages they would take 24 bytes each, 13 MB of
// 550 000, and a search needs a few hundred.
const keyBlock = 1 << 8

// keyBlocks are keys by scorch's number, in blocks of keyBlock; nil where none was read.
type keyBlocks [][]store.Key

// recallKey gives a key that was read before, zero where it was not.
func (b keyBlocks) recallKey(num uint32) (k store.Key) {
	if block := int(num / keyBlock); block < len(b) && b[block] != nil {
		k = b[block][num%keyBlock]
	}
	return k
}

// keepKey keeps a key for the next question.
func (b keyBlocks) keepKey(num uint32, k store.Key) {
	block := &b[num/keyBlock]
	if *block == nil {
		*block = make([]store.Key, keyBlock)
	}
	(*block)[num%keyBlock] = k
}

// rememberKey keeps a key and its number for the next question. r.mu is held.
func rememberKey(r *Reader, num uint32, k store.Key) {
	if r.keys == nil {
		r.keys, r.nums = make(keyBlocks, r.size/keyBlock+1), map[store.Key]uint32{}
	}
	r.keys.keepKey(num, k)
	r.nums[k] = num
}

// unreadError is the error of a read of the index's own bytes. They were whole when they were
// opened, so what scorch cannot read of them is damage; but not where the question was
// taken back, or where the process has no room.
func (r *Reader) unreadError(doing string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrDamaged) ||
		durable.Exhausted(err) {
		return fmt.Errorf("%s in %s: %w", doing, r.dir, err)
	}
	return fmt.Errorf("%s in %s: %w: %w", doing, r.dir, err, store.ErrDamaged)
}

func (r *Reader) readKey(num uint64) (k store.Key, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("read passage %d of %s: %v: %w", num, r.dir, x, store.ErrDamaged)
		}
	}()
	id, err := r.rd.ExternalID(index.NewIndexInternalID(nil, num))
	if err != nil {
		return k, r.unreadError(fmt.Sprintf("read passage %d", num), err)
	}
	k, err = parseExternalID(id)
	k.Doc += r.m.Shift
	return k, err
}

// numberOfPassage is scorch's number of a passage.
func (r *Reader) numberOfPassage(k store.Key) (num uint32, ok bool, err error) {
	if r.rd == nil {
		return 0, false, nil
	}
	r.mu.Lock()
	num, ok = r.nums[k]
	r.mu.Unlock()
	if ok {
		return num, true, nil
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("look a passage of %s up: %v: %w", r.dir, x, store.ErrDamaged)
		}
	}()
	id, err := r.rd.InternalID(externalID(k.Doc-r.m.Shift, k.Chunk, k.Part))
	if err != nil {
		return 0, false, r.unreadError("look a passage up", err)
	}
	if id == nil {
		return 0, false, nil
	}
	num = uint32(id.Value())
	r.mu.Lock()
	defer r.mu.Unlock()
	rememberKey(r, num, k)
	return num, true, nil
}
