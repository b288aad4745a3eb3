package lexical

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
	"docent/store/analysis"
	"docent/store/generation"
)

// batchSize is how many passages go to scorch at once: more takes memory, fewer
// make many small segments.
const batchSize = 500

// Analyzed is a document that is ready to be added. Analysing is the expensive part
// of indexing. It may be done on several goroutines, each with an Analyzer of its own.
//
// A large document is analysed while it is added, passage by passage: its terms, all
// at once, would take twenty times the memory of its text.
type Analyzed struct {
	id    int64
	shift int64 // see manifest.Shift
	docs  []*document
	later []store.Passage // of a large document
	info  docInfo
}

// analyzeAtOnce is the size of the passages up to which a document is analysed at
// once, in bytes.
const analyzeAtOnce = 256 << 10

// Analyze analyses a document's passages. The id may be set later with SetID.
func Analyze(a *analysis.Analyzer, passages []store.Passage) *Analyzed {
	p := &Analyzed{}
	size := 0
	for _, ps := range passages {
		for _, text := range ps.Fields {
			size += len(text)
		}
		for len(p.info.parts) <= ps.Chunk {
			p.info.parts = append(p.info.parts, 0)
		}
		p.info.parts[ps.Chunk] = max(p.info.parts[ps.Chunk], ps.Part+1)
	}
	if size > analyzeAtOnce {
		p.later = passages
		return p
	}
	p.docs = make([]*document, 0, len(passages))
	for _, ps := range passages {
		p.docs = append(p.docs, p.analyzedDocument(a, ps))
	}
	return p
}

// analyzedDocument analyses one passage and counts its tokens.
func (p *Analyzed) analyzedDocument(a *analysis.Analyzer, ps store.Passage) *document {
	d, lengths := newDocument(a, ps)
	for f, n := range lengths {
		p.info.tokens[f] += int64(n)
	}
	if p.id != 0 {
		d.id = externalID(p.id-p.shift, d.chunk, d.part)
	}
	return d
}

// eachDocument calls f with every passage's document, analysed by a where that is not done yet.
func (p *Analyzed) eachDocument(a *analysis.Analyzer, f func(*document) error) error {
	for _, d := range p.docs {
		if err := f(d); err != nil {
			return err
		}
	}
	for _, ps := range p.later {
		if err := f(p.analyzedDocument(a, ps)); err != nil {
			return err
		}
	}
	return nil
}

// SetID says which catalog document this is.
func (p *Analyzed) SetID(id int64) { p.id = id }

// nameDocuments names the document's passages for an index whose numbers are lower by shift.
func (p *Analyzed) nameDocuments(shift int64) {
	p.shift = shift
	for _, d := range p.docs {
		d.id = externalID(p.id-shift, d.chunk, d.part)
	}
}

// Terms gives the terms of each passage: the counts that EachTerm gives of the same
// passage when it is in an index. A field of weight 0 is passed over.
func (p *Analyzed) Terms(weights [store.NumFields]float64) iter.Seq[store.PassageTerms] {
	return func(yield func(store.PassageTerms) bool) {
		for _, d := range p.docs {
			if !yield(d.passageTerms(weights)) {
				return
			}
		}
		a := analysis.New()
		for _, ps := range p.later {
			d, _ := newDocument(a, ps)
			if !yield(d.passageTerms(weights)) {
				return
			}
		}
	}
}

// passageTerms are the document's terms with their weighted counts.
func (d *document) passageTerms(weights [store.NumFields]float64) store.PassageTerms {
	counts := map[string]float64{}
	for _, fl := range d.fields {
		w := weightOf(fl.name, weights)
		if w == 0 {
			continue
		}
		for term, tf := range fl.freqs {
			counts[term] += w * float64(tf.Frequency())
		}
	}
	return store.PassageTerms{Chunk: d.chunk, Part: d.part, Terms: counts}
}

func weightOf(field string, weights [store.NumFields]float64) float64 {
	for f := range store.NumFields {
		if f.String() == field {
			return weights[f]
		}
	}
	return 0
}

// Update writes a new generation. Not safe for concurrent use.
type Update struct {
	dir   string
	old   manifest
	fresh bool
	shift int64  // see manifest.Shift
	gen   string // folder of the new generation
	docs  *docTable

	analyzer *analysis.Analyzer // of large documents, nil before the first

	builder *builder // of a fresh generation
	queued  int

	idx   index.Index // of an incremental one
	queue *index.AnalysisQueue
	batch *index.Batch
	touch bool
}

// BeginUpdate begins an update of the index in dir. With fresh, or where there is no
// whole generation to build on, it begins from nothing, and Fresh says so: the
// caller must then add every document.
func BeginUpdate(dir string, fresh bool) (*Update, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	u := &Update{dir: dir, fresh: fresh, docs: &docTable{}}
	m, err := readManifest(dir)
	if err == nil {
		err = m.checkFiles(dir)
	}
	if err == nil && !fresh {
		var docs *docTable
		if docs, err = readDocs(filepath.Join(dir, m.Generation, docsName)); err == nil {
			u.docs = docs
		}
	}
	switch {
	case err == nil, fresh && m.Generation != "" && !errors.Is(err, store.ErrDamaged):
		u.old = m // nothing of it is read for a fresh one
	case errors.Is(err, store.ErrDamaged):
		u.fresh = true
	default:
		return nil, err
	}
	if !u.fresh {
		u.shift = u.old.Shift
	}
	if err := generation.SweepOld(dir, u.old.Generation); err != nil {
		return nil, err
	}
	u.gen = filepath.Join(dir, generation.NextName(dir, u.old.Generation))
	return u, nil
}

// Fresh reports whether the update begins from nothing.
func (u *Update) Fresh() bool { return u.fresh }

// Generations names the generation that readers have now, or "", and the one that is
// being written.
func (u *Update) Generations() (now, next string) { return u.old.Generation, filepath.Base(u.gen) }

// Documents are the ids that are in the new generation so far, ascending.
func (u *Update) Documents() []int64 { return u.docs.ids() }

// Delete takes a document out. An unknown one is no error.
func (u *Update) Delete(id int64) error {
	info, ok := u.docs.remove(id)
	if !ok {
		return nil
	}
	u.touch = true
	if u.fresh {
		return fmt.Errorf("document %d was added in this same update", id)
	}
	if err := u.openIndex(); err != nil {
		return err
	}
	for c, parts := range info.parts {
		for part := range parts {
			u.batch.Delete(externalID(id-u.shift, c, part))
		}
	}
	return u.maybeFlush()
}

// passagesAtOnce is after how many passages of a document its context is asked.
const passagesAtOnce = 256

// Add puts a document in. Its id must be new to the index. A context that ends in the middle of
// a large document leaves it in part: the update can only be aborted then.
func (u *Update) Add(ctx context.Context, d store.Analyzed) error {
	p, ok := d.(*Analyzed)
	if !ok {
		return fmt.Errorf("add a document to the index %s: it was analysed for another one (%T)", u.dir, d)
	}
	if u.docs.has(p.id) {
		return fmt.Errorf("document %d is in the index already", p.id)
	}
	u.touch = true
	p.nameDocuments(u.shift)
	if err := u.openIndex(); err != nil {
		return err
	}
	if u.analyzer == nil && len(p.later) > 0 {
		u.analyzer = analysis.New()
	}
	passages := 0
	err := p.eachDocument(u.analyzer, func(d *document) error {
		if passages++; passages%passagesAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if u.fresh {
			u.queued++
			return u.builder.add(d)
		}
		u.batch.Update(d)
		return u.maybeFlush()
	})
	u.docs.put(p.id, p.info)
	return err
}

func (u *Update) maybeFlush() error {
	if u.fresh || len(u.batch.IndexOps) < batchSize {
		return nil
	}
	return u.flush()
}

func (u *Update) flush() error {
	if u.batch == nil || len(u.batch.IndexOps) == 0 {
		return nil
	}
	// A new batch, not a reset one: a goroutine of scorch may still look at a
	// batch of deletions only when Batch has returned.
	b := u.batch
	u.batch = index.NewBatch()
	return withMeaning(u.idx.Batch(b))
}

// openIndex opens what the update writes to, the first time it is needed.
func (u *Update) openIndex() error {
	if u.builder != nil || u.idx != nil {
		return nil
	}
	if err := os.MkdirAll(u.gen, 0o700); err != nil {
		return err
	}
	path := filepath.Join(u.gen, indexFolder)
	if u.fresh {
		b, err := newBuilder(filepath.Join(u.gen, buildFolder))
		u.builder = b
		return err
	}
	if u.old.Passages > 0 {
		if err := linkFolder(filepath.Join(u.dir, u.old.Generation, indexFolder), path); err != nil {
			return err
		}
	}
	u.queue = index.NewAnalysisQueue(1)
	idx, err := openScorch(path, false, u.queue)
	if err != nil {
		u.queue.Close()
		u.queue = nil
		return err
	}
	u.idx, u.batch = idx, index.NewBatch()
	n, err := countIn(idx)
	if err == nil && n != u.old.Passages {
		err = u.old.unopenedError(u.dir, lackingTerms(n, u.old.Passages))
	}
	return err
}

// countIn counts the passages that an open index has. scorch opens an index although it
// cannot open all of its segments.
func countIn(idx index.Index) (n int, err error) {
	rd, err := idx.Reader()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rd.Close()) }()
	snapshot, ok := rd.(*scorch.IndexSnapshot)
	if !ok {
		return 0, fmt.Errorf("scorch gives %T", rd)
	}
	return countPassages(snapshot.Segments()), nil
}

// recountPassages opens the written index and counts its passages: scorch writes in the
// background, and returns no error if that failed.
func (u *Update) recountPassages() error {
	want := u.docs.passages
	if want == 0 {
		return nil // readers open nothing either
	}
	idx, err := openScorch(filepath.Join(u.gen, indexFolder), true, nil)
	if err != nil {
		return fmt.Errorf("look at the new index %s: %w", u.gen, err)
	}
	n, err := countIn(idx)
	if err == nil && n != want {
		paths, gerr := filepath.Glob(filepath.Join(u.gen, indexFolder, "*"))
		err = errors.Join(lackingTerms(n, want), gerr, cannotOpen(paths))
	}
	if err = errors.Join(err, idx.Close()); err != nil {
		return fmt.Errorf("look at the new index %s: %w", u.gen, err)
	}
	return nil
}

// linkFolder makes a folder with the same files: segments, which never change,
// are hard-linked (copied where the file system cannot), the rest is copied.
func linkFolder(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		a, b := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if filepath.Ext(e.Name()) == segmentType && os.Link(a, b) == nil {
			continue
		}
		if err := copyFile(a, b); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}

// Prepare writes the new generation whole, without switching to it.
func (u *Update) Prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(u.gen, 0o700); err != nil {
		return err
	}
	if u.fresh && u.queued == 0 && u.builder != nil {
		u.builder = nil
		if err := os.RemoveAll(filepath.Join(u.gen, buildFolder)); err != nil {
			return err
		}
	}
	switch {
	case u.builder != nil:
		if err := u.builder.finish(ctx, filepath.Join(u.gen, indexFolder)); err != nil {
			return fmt.Errorf("write the index %s: %w", u.gen, err)
		}
		u.builder = nil
	case u.idx != nil:
		err := u.flush()
		var unused []string
		if err == nil {
			unused, err = u.mergeSegments(ctx)
		}
		err = errors.Join(err, u.closeIndex())
		for _, path := range unused {
			_ = os.Remove(path) // an unused file does no harm
		}
		if err != nil {
			return fmt.Errorf("write the index %s: %w", u.gen, err)
		}
	case !u.fresh && u.old.Passages > 0:
		if err := linkFolder(filepath.Join(u.dir, u.old.Generation, indexFolder), filepath.Join(u.gen, indexFolder)); err != nil {
			return err
		}
	}
	if err := u.recountPassages(); err != nil {
		return err
	}
	return writeDocs(filepath.Join(u.gen, docsName), u.docs)
}

func (u *Update) closeIndex() error {
	if u.idx == nil {
		return nil
	}
	err := withMeaning(u.idx.Close())
	u.queue.Close()
	u.idx, u.queue = nil, nil
	return err
}

// Changed reports whether there is anything to commit.
func (u *Update) Changed() bool { return u.touch || u.fresh }

// Commit switches readers to the prepared generation and removes the last.
func (u *Update) Commit() error {
	files, err := listFiles(u.gen, filepath.Join(u.dir, u.old.Generation), u.old.Files)
	if err != nil {
		return err
	}
	m := manifest{Format: formatVersion, Generation: filepath.Base(u.gen), Shift: u.shift, Documents: u.docs.live, Files: files,
		Passages: u.docs.passages, Tokens: u.docs.tokens}
	if err := m.writeFile(u.dir); err != nil {
		return err
	}
	u.docs = &docTable{} // of what comes behind the update, nothing needs them
	return generation.SweepOld(u.dir, m.Generation)
}

// Abort drops the new generation; the last one stays.
func (u *Update) Abort() error {
	err := u.closeIndex()
	u.builder = nil
	return errors.Join(err, os.RemoveAll(u.gen))
}
