// Package ingest brings a doc set's catalog and index up to the files on disk.
//
// An update goes through stages, and the document is the unit of all of them:
//
//	scan     list the files of the doc set
//	compare  find out which are new, changed or gone
//	read     bytes and hash of one file
//	parse    bytes to sections and blocks
//	chunk    blocks to passages, and their terms
//	store    stage documents in the catalog and in the index's new generation
//	publish  make all of it visible at once
//	refer    the reference graph (see References), behind the update
//	learn    vectors of the passages, if set
//
// A file of the same size and time is taken as unchanged; one of another time is
// hashed first. A file that cannot be read, or whose parser fails or panics, is a
// recorded failure of that file and of no other; it is tried again when the file
// or its parser changes.
//
// Two processes do not update one doc set at the same time (LockSet); different
// doc sets are independent. Only publish needs the home's lock (LockHome): one
// short transaction of the catalog, then the switch of the index's manifest. Until
// then readers see the doc set as it was before. An update that is killed leaves
// staged documents and half a generation, which the next update deletes. One that
// is killed between transaction and switch leaves an index whose documents are
// retired in the catalog, and the next update, which compares the two, mends it.
//
// The package refuses to touch source files.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/store"
	"docent/store/analysis"
)

// The phases of the events that an update emits. PhaseIngest counts pages; the
// other two have no progress, since their length is not known.
const (
	PhaseIngest = "ingest"
	PhaseWrite  = "ingest-write" // the index's new generation
	PhaseLearn  = "ingest-learn" // the vectors
)

// ErrUnlearned means that the pages of a doc set are up to date and its vectors
// are not; they are learned with the next update.
var ErrUnlearned = errors.New("its pages are up to date, its vectors are not: the next update learns them")

// ErrUnreferred is as ErrUnlearned for the reference graph of a doc set.
var ErrUnreferred = errors.New("its pages are up to date, its reference graph is not: the next update makes it")

// ErrRootMissing means that a doc set's folder is not there. Its pages are kept
// in the catalog: a disk may be unmounted.
var ErrRootMissing = errors.New("the folder is not there")

// Ingester updates doc sets.
type Ingester struct {
	Catalog Catalog
	Indexes Indexes
	Parsers *parse.Registry
	Workers int // 0: one a processor
	Domains domain.Settings
	// References makes the reference graphs; nil: without reference graphs.
	References References
	Trace      Trace
	// Replaced tells of the state of each page of a doc set that goes or is replaced, before
	// that is published; nil: nobody asks.
	Replaced func(store.Set, store.FileState)
	// Check has every file read and compared by its hash: a change that keeps size and
	// time, which a file system or a tool may make, is seen by nothing else.
	Check bool
	// LockSet takes the lock of one doc set, held during its update; LockHome takes
	// the home's, held while an update is published. nil: the caller holds it.
	LockSet  func(context.Context, store.Set) (store.Held, error)
	LockHome func(context.Context) (store.Held, error)

	read func(file string) ([]byte, error) // for tests; nil: files.Read
}

// Catalog is what an update needs of the catalog.
type Catalog interface {
	// Files lists the file states of a doc set's documents by path, Failures the
	// files that could not be indexed.
	Files(ctx context.Context, setID int64) ([]store.FileState, error)
	Failures(ctx context.Context, setID int64) ([]store.Failure, error)
	// Stage adds documents that no reader sees yet and gives their ids: d.ID where
	// that is not 0, for one that takes the place of the document of that id, else
	// ids that were never used.
	Stage(ctx context.Context, docs []store.Document) ([]int64, error)
	// Discard deletes the staged pages of a doc set.
	Discard(ctx context.Context, setID int64) error
	// Publish makes the staged pages visible, together with all other changes of p, at
	// once. The error wraps store.ErrNotFound if the doc set is gone.
	Publish(ctx context.Context, p store.Publication) error
}

// WordIndexes reads and writes the doc sets' indexes of words.
type WordIndexes interface {
	// Analyze analyses a document's passages; it is called on several goroutines.
	Analyze(a *analysis.Analyzer, passages []store.Passage) store.Analyzed
	// UpdateIndex begins a new generation; with fresh, or where nothing whole is
	// there, from nothing.
	UpdateIndex(ctx context.Context, setID int64, fresh bool) (store.IndexUpdate, error)
	OpenIndex(ctx context.Context, setID int64) (store.Index, error)
	Contents(ctx context.Context, setID int64) (store.Contents, error)
}

// VectorIndexes reads and writes the doc sets' vectors.
type VectorIndexes interface {
	OpenVectors(ctx context.Context, setID int64, kind store.VectorKind) (store.Vectors, error)
	// VectorInfo describes vectors by their manifest alone.
	VectorInfo(ctx context.Context, setID int64, kind store.VectorKind) (store.VectorInfo, error)
	// VerifyVectors compares every byte of vectors with its checksum.
	VerifyVectors(ctx context.Context, setID int64, kind store.VectorKind) error
	// UpdateVectors begins a new generation of vectors by a model with so many
	// dimensions; with fresh, or where nothing whole of that model is there, from
	// nothing.
	UpdateVectors(ctx context.Context, setID int64, kind store.VectorKind, model string, dims int, fresh bool) (store.VectorUpdate, error)
}

// ReferenceGraphs reads and writes the doc sets' reference graphs.
type ReferenceGraphs interface {
	// OpenReferences opens a graph as it was written, which the caller closes; the error wraps
	// fs.ErrNotExist where it never was.
	OpenReferences(ctx context.Context, setID int64) (*io.SectionReader, io.Closer, error)
	// WriteReferences puts what write writes in the place of the graph, as a whole.
	WriteReferences(ctx context.Context, setID int64, write func(io.Writer) error) error
	// SpoolReferences keeps records until the graph is made of them.
	SpoolReferences(ctx context.Context, setID int64) (store.Spool, error)
}

// Indexes are the derived stores of doc sets.
type Indexes interface {
	WordIndexes
	VectorIndexes
	ReferenceGraphs
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
	// Failed are all files that are left out because they failed, now or at an
	// earlier update. Each has a warning too.
	Failed []store.Failure `json:"failed,omitempty"`
	Unread Unread          `json:"left_out,omitzero"` // files that no parser reads
}

// Touched reports whether anything was different.
func (r Report) Touched() bool { return r.Added+r.Changed+r.Removed > 0 || r.Rebuilt }

// Update brings one doc set up to date; with rebuild, from nothing.
func (in *Ingester) Update(ctx context.Context, set store.Set, rebuild bool, sink contract.Sink) (_ Report, err error) {
	held, err := in.lockSet(ctx, set)
	if err != nil {
		return Report{Set: set.Ref.String()}, err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	u := &update{in: in, set: set, held: held, events: &emitter{sink: sink}, report: Report{Set: set.Ref.String(), Warnings: []string{}}}
	defer func() { err = errors.Join(err, u.kept.close()) }()
	err = u.runStages(ctx, rebuild)
	if errors.Is(err, store.ErrDamaged) && !rebuild {
		// Damage that only shows when segments are merged.
		if err = errors.Join(u.folding.abortUpdate(), u.kept.close()); err == nil {
			u = &update{in: in, set: set, held: held, events: u.events, report: Report{Set: set.Ref.String(), Warnings: []string{}}}
			err = u.runStages(ctx, true)
		}
	}
	if err != nil {
		return u.report, errors.Join(err, u.folding.abortUpdate())
	}
	u.forgetFiles(ctx)
	wait := u.checkVectors(ctx)
	err = u.makeReferences(ctx)
	check := wait()
	if err != nil {
		return u.report, errors.Join(fmt.Errorf("update %s: %w: %w", set.Ref, ErrUnreferred, err), u.folding.abortUpdate())
	}
	if err := u.learnVectors(ctx, check); err != nil {
		return u.report, fmt.Errorf("update %s: %w: %w", set.Ref, ErrUnlearned, err)
	}
	return u.report, nil
}

// callers is the right that the caller holds. It is store.Held.
type callers struct{}

// Check is store.Held's.
func (callers) Check(context.Context) error { return nil }

// Release is store.Held's.
func (callers) Release() error { return nil }

func (in *Ingester) lockSet(ctx context.Context, set store.Set) (store.Held, error) {
	if in.LockSet == nil {
		return callers{}, nil
	}
	return in.LockSet(ctx, set)
}

func (in *Ingester) lockHome(ctx context.Context) (store.Held, error) {
	if in.LockHome == nil {
		return callers{}, nil
	}
	return in.LockHome(ctx)
}

// emitter numbers the events of one update.
type emitter struct {
	sink contract.Sink
	seq  int
}

func (e *emitter) emitEvent(phase string, kind contract.EventKind, done, total int, text string) {
	if e.sink != nil {
		e.seq++
		e.sink(contract.Event{Run: "ingest", Seq: e.seq, Phase: phase, Kind: kind, Done: done, Total: total, Text: text})
	}
}
