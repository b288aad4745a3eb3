// Package ingest brings a doc set's catalog and index up to what lies on disk:
// scan, parse, chunk, store.
//
// Only what changed is read again: a file of the same size and time is taken as
// unchanged, one of another time is hashed first. The catalog changes in one
// transaction and the index in one generation; a crash between the two leaves
// an index that holds documents the catalog no longer knows (readers pass over
// them) and lacks others, and the next update, which compares the two, mends
// it. The caller holds the home's lock.
//
// It refuses to touch source files.
package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"docent/pipeline"
	"docent/pipeline/chunk"
	"docent/pipeline/parse"
	"docent/store"
	"docent/store/analysis"
	"docent/store/catalog"
	"docent/store/lexical"
)

// The phases of the events that an update emits. PhaseIngest counts pages;
// the other two only say that they began, since what they take is not known.
const (
	PhaseIngest = "ingest"
	PhaseWrite  = "ingest-write" // the index's new generation
	PhaseLearn  = "ingest-learn" // the vectors
)

// ErrUnlearned means that the pages of a doc set are up to date and its vectors
// are not; they are learned with the next update.
var ErrUnlearned = errors.New("its pages are up to date, its vectors are not: the next update learns them")

// Ingester updates doc sets.
type Ingester struct {
	Catalog  *catalog.Catalog
	Parsers  *parse.Registry
	IndexDir func(setID int64) string
	Workers  int // 0: one a processor
}

// Report says what an update did.
type Report struct {
	Set       string   `json:"set"`
	Added     int      `json:"added"`
	Changed   int      `json:"changed"`
	Removed   int      `json:"removed"`
	Unchanged int      `json:"unchanged"`
	Rebuilt   bool     `json:"rebuilt"` // the index was built from nothing
	Pages     int      `json:"pages"`
	Bytes     int64    `json:"bytes"` // read
	Warnings  []string `json:"warnings"`
}

// Touched says whether anything was different.
func (r Report) Touched() bool { return r.Added+r.Changed+r.Removed > 0 || r.Rebuilt }

// ErrRootMissing means that a doc set's folder is not there. Its pages are kept
// in the catalog: a disk may be unmounted.
var ErrRootMissing = errors.New("the folder is not there")

// job is one file on its way through a worker.
type job struct {
	file File
	old  *store.FileState // nil for a new one
	// indexed says that the index holds the old state.
	indexed bool
	done    chan struct{}
	// What the worker found.
	gone     bool // vanished or unreadable
	same     bool // the content is what the catalog knows
	document store.Document
	prepared *lexical.Prepared
	err      error
}

// Update brings one doc set up to date; with rebuild, from nothing.
func (in *Ingester) Update(ctx context.Context, set store.Set, rebuild bool, sink pipeline.Sink) (Report, error) {
	ev := &emitter{sink: sink}
	rep, err := in.update(ctx, set, rebuild, ev)
	if err != nil {
		return rep, err
	}
	if err := in.learn(ctx, set, rep, ev); err != nil {
		return rep, fmt.Errorf("update %s: %w: %w", set.Ref, ErrUnlearned, err)
	}
	return rep, nil
}

// emitter numbers the events of one update.
type emitter struct {
	sink pipeline.Sink
	seq  int
}

func (e *emitter) emit(phase string, kind pipeline.EventKind, done, total int, text string) {
	if e.sink != nil {
		e.seq++
		e.sink(pipeline.Event{Run: "ingest", Seq: e.seq, Phase: phase, Kind: kind, Done: done, Total: total, Text: text})
	}
}

func (in *Ingester) update(ctx context.Context, set store.Set, rebuild bool, ev *emitter) (rep Report, err error) {
	rep.Set = set.Ref.String()
	files, warnings, err := Scan(ctx, set.Root, set.Layout, in.Parsers)
	if errors.Is(err, fs.ErrNotExist) {
		return rep, fmt.Errorf("update %s: %s: %w; bring it back, or forget the doc set with: docent rm %s", set.Ref, set.Root, ErrRootMissing, set.Ref)
	}
	if err != nil {
		return rep, fmt.Errorf("update %s: %w", set.Ref, err)
	}
	rep.Warnings = warnings
	tx, err := in.Catalog.Begin(ctx)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	known, err := tx.Files(ctx, set.ID)
	if err != nil {
		return rep, err
	}
	up, err := lexical.Begin(in.IndexDir(set.ID), rebuild)
	if err != nil {
		return rep, err
	}
	committed := false
	defer func() {
		if !committed {
			err = errors.Join(err, up.Abort())
		}
	}()

	p := plan(files, known, up, in.Parsers)
	rep.Rebuilt = up.Fresh()
	rep.Unchanged = p.untouched
	for _, old := range p.gone {
		rep.Removed++
		if err := in.remove(ctx, tx, up, old.ID); err != nil {
			return rep, err
		}
	}
	for _, id := range p.stray {
		if err := up.Delete(id); err != nil {
			return rep, err
		}
	}
	if err := in.run(ctx, set, p.jobs, tx, up, &rep, ev); err != nil {
		return rep, fmt.Errorf("update %s: %w", set.Ref, err)
	}
	rep.Pages = rep.Added + rep.Changed + rep.Unchanged
	if err := tx.CountSet(ctx, set.ID); err != nil {
		return rep, err
	}
	if !up.Changed() {
		committed = true // nothing was written
		return rep, tx.Commit()
	}
	ev.emit(PhaseWrite, pipeline.PhaseStarted, 0, 0, rep.Set)
	if err := up.Prepare(ctx); err != nil {
		return rep, err
	}
	if err := tx.Commit(); err != nil {
		return rep, err
	}
	committed = true
	return rep, up.Commit()
}

func (in *Ingester) remove(ctx context.Context, tx *catalog.Tx, up *lexical.Update, id int64) error {
	if err := tx.DeleteDocument(ctx, id); err != nil {
		return err
	}
	if up.Fresh() {
		return nil
	}
	return up.Delete(id)
}

// planned is what an update has to do.
type planned struct {
	jobs      []*job
	gone      []store.FileState // in the catalog, not on disk
	stray     []int64           // in the index, not in the catalog
	untouched int
}

func plan(files []File, known []store.FileState, up *lexical.Update, parsers *parse.Registry) planned {
	var p planned
	byPath := make(map[string]*store.FileState, len(known))
	ids := make(map[int64]bool, len(known))
	for i := range known {
		byPath[known[i].Path] = &known[i]
		ids[known[i].ID] = true
	}
	indexed := map[int64]bool{}
	for _, id := range up.Documents() {
		indexed[id] = true
		if !ids[id] {
			p.stray = append(p.stray, id)
		}
	}
	onDisk := make(map[string]bool, len(files))
	for _, f := range files {
		onDisk[f.Path] = true
		old := byPath[f.Path]
		if old != nil && indexed[old.ID] && old.Bytes == f.Size && old.ModTime == f.ModTime && old.TOCPath == f.TOCPath && !parsers.Outdated(old.Format, old.Parser) {
			p.untouched++
			continue
		}
		p.jobs = append(p.jobs, &job{file: f, old: old, indexed: old != nil && indexed[old.ID], done: make(chan struct{})})
	}
	for _, k := range known {
		if !onDisk[k.Path] {
			p.gone = append(p.gone, k)
		}
	}
	return p
}

// run parses the jobs on several goroutines and stores their results in order
// on this one, so that the outcome does not depend on how many there are.
func (in *Ingester) run(ctx context.Context, set store.Set, jobs []*job, tx *catalog.Tx, up *lexical.Update, rep *Report, ev *emitter) error {
	if len(jobs) == 0 {
		return nil
	}
	workers := in.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	// The queue is short: what is parsed and not yet stored takes memory.
	queue := make(chan *job)
	slots := make(chan struct{}, 4*workers)
	wg.Go(func() {
		defer close(queue)
		for _, j := range jobs {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			a := analysis.New()
			for j := range queue {
				j.read(ctx, a, set, in.Parsers)
				close(j.done)
			}
		})
	}
	defer wg.Wait()
	defer cancel()

	emit := func(kind pipeline.EventKind, done int, text string) {
		ev.emit(PhaseIngest, kind, done, len(jobs), text)
	}
	emit(pipeline.PhaseStarted, 0, set.Ref.String())
	for i, j := range jobs {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := in.store(ctx, set, j, tx, up, rep); err != nil {
			return err
		}
		*j = job{} // its text is no longer needed
		<-slots
		emit(pipeline.PhaseProgress, i+1, set.Ref.String())
	}
	emit(pipeline.PhaseDone, len(jobs), set.Ref.String())
	return nil
}

// store puts one parsed file into the catalog and the index.
func (in *Ingester) store(ctx context.Context, set store.Set, j *job, tx *catalog.Tx, up *lexical.Update, rep *Report) error {
	if j.err != nil {
		return fmt.Errorf("%s: %w", j.file.Path, j.err)
	}
	for _, w := range j.document.Warnings {
		rep.Warnings = append(rep.Warnings, j.file.Path+": "+w)
	}
	rep.Bytes += j.document.Bytes
	switch {
	case j.gone:
		if j.old != nil {
			rep.Removed++
			return in.remove(ctx, tx, up, j.old.ID)
		}
		return nil
	case j.same:
		rep.Unchanged++
		if j.prepared == nil && j.old.ModTime != j.file.ModTime {
			if err := tx.Touch(ctx, j.old.ID, j.file.ModTime); err != nil {
				return err
			}
		}
		if j.prepared == nil {
			return nil
		}
		// The index is built again, perhaps by another version of this program,
		// that parses otherwise: the outline must be of the same making.
		j.document.ID, j.document.SetID = j.old.ID, set.ID
		if err := tx.DeleteDocument(ctx, j.old.ID); err != nil {
			return err
		}
		if _, err := tx.InsertDocument(ctx, j.document); err != nil {
			return err
		}
		j.prepared.SetID(j.old.ID)
		return up.Add(j.prepared)
	}
	if j.old != nil {
		rep.Changed++
		if err := in.remove(ctx, tx, up, j.old.ID); err != nil {
			return err
		}
	} else {
		rep.Added++
	}
	j.document.SetID = set.ID
	id, err := tx.InsertDocument(ctx, j.document)
	if err != nil {
		return err
	}
	j.prepared.SetID(id)
	return up.Add(j.prepared)
}

// read is a worker's part: file to document and passages.
func (j *job) read(ctx context.Context, a *analysis.Analyzer, set store.Set, parsers *parse.Registry) {
	src, err := os.ReadFile(filepath.Join(set.Root, filepath.FromSlash(j.file.Path)))
	if errors.Is(err, fs.ErrNotExist) {
		j.gone = true
		return
	}
	if errors.Is(err, fs.ErrPermission) {
		j.gone = true
		j.document.Warnings = []string{"may not be read, left out"}
		return
	}
	if err != nil {
		j.err = err
		return
	}
	sum := sha256.Sum256(src)
	hash := hex.EncodeToString(sum[:])
	j.same = j.old != nil && j.old.SHA256 == hash && j.old.TOCPath == j.file.TOCPath && !parsers.Outdated(j.old.Format, j.old.Parser)
	if j.same && j.indexed {
		return
	}
	d, err := parsers.Parse(ctx, src, j.file.Path, set.Layout)
	if err != nil {
		j.err = err
		return
	}
	chunks := chunk.Split(d, chunk.Options{})
	j.prepared = lexical.Prepare(a, Passages(d, chunks))
	for i := range chunks {
		chunks[i].Text, chunks[i].Code = "", ""
	}
	j.document = store.Document{
		Path: j.file.Path, Title: d.Title, H1: d.H1, URL: d.URL, Format: d.Format, Lines: d.Lines,
		Bytes: int64(len(src)), SHA256: hash, ModTime: j.file.ModTime, TOCPath: j.file.TOCPath,
		Parser: d.Parser, TextSHA256: d.TextSHA256(), Warnings: d.Warnings, Outline: store.Outline{Sections: d.Sections, Chunks: chunks},
	}
}
