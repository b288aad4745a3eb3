package packing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"

	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/doc"
	"docent/store/parallel"
)

// ErrNoIndex means that the index of a package cannot be taken over. The home is as it was, and
// an update makes the index.
var ErrNoIndex = errors.New("the index of the package cannot be taken over")

// takeover is the taking over of one doc set.
type takeover struct {
	home *home.Home
	in   *ingest.Ingester
	set  store.Set
	from string // the folder of the packed index, which is used up
	head head
	rows []row
	imp  store.Import
	goes []int64 // the doc set's documents until now
	came ingest.Report
}

// takeOver puts the index that a package has of a doc set's pages, which lie in the doc set's folder, in the
// place of the one that the home has, and gives the doc set as it is then, and which pages
// came and went. The error wraps ErrNoIndex where the package's index is none; the home is as it was then.
//
// As in an update, first the catalog's documents are published in one transaction, and then the
// new generation of the index. What a process that is killed in between leaves, the next update
// mends.
func (svc *Service) takeOver(ctx context.Context, w *home.Writer, s store.Set, from string) (_ store.Set, came ingest.Report, err error) {
	t := &takeover{home: svc.home, in: w.Ingester, set: s, from: from}
	if err := t.read(ctx); err != nil {
		return s, came, err
	}
	held, err := t.in.LockSet(ctx, s)
	if err != nil {
		return s, came, err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if err := t.stage(ctx); err != nil {
		return s, came, errors.Join(err, t.in.Catalog.Discard(context.WithoutCancel(ctx), s.ID))
	}
	if err := t.publish(ctx); err != nil {
		return s, came, err
	}
	s.Site = t.head.Site
	return s, t.came, t.derive(ctx)
}

// notTaken is an error of the package, unless the call was ended.
func notTaken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrNoIndex, err)
}

// read reads the packed rows, and compares them with the files.
func (t *takeover) read(ctx context.Context) error {
	raw, err := os.ReadFile(filepath.Join(t.from, headFile))
	if err == nil {
		err = json.Unmarshal(raw, &t.head)
	}
	if err != nil {
		return notTaken(ctx, err)
	}
	if raw, err = os.ReadFile(filepath.Join(t.from, rowsFile)); err != nil {
		return notTaken(ctx, err)
	}
	var lines [][]byte
	for line := range bytes.Lines(raw) {
		lines = append(lines, line)
	}
	t.rows = make([]row, len(lines))
	var mu sync.Mutex
	parallel.Do(len(lines), func(mine iter.Seq[int]) {
		for i := range mine {
			rerr := json.Unmarshal(lines[i], &t.rows[i])
			if rerr == nil {
				rerr = t.rows[i].place(t.set)
			}
			if rerr != nil {
				mu.Lock()
				err = fmt.Errorf("page %d: %w", i+1, rerr)
				mu.Unlock()
				return
			}
		}
	})
	if err != nil {
		return notTaken(ctx, err)
	}
	paths := make(map[string]bool, len(t.rows))
	for _, r := range t.rows {
		if paths[r.Path] {
			return notTaken(ctx, fmt.Errorf("the page %q is there twice", r.Path))
		}
		paths[r.Path] = true
	}
	return nil
}

// place gives a row the fields that belong to this home: the doc set, and the times of its files. A row of
// a page that is not there, or that points outside of its text, is an error.
func (r *row) place(s store.Set) error {
	r.ID, r.SetID = 0, s.ID
	st, err := statInside(s.Root, r.Path)
	if err != nil {
		return err
	}
	if st.Size() != r.Bytes {
		return fmt.Errorf("%q has %d bytes, not %d", r.Path, st.Size(), r.Bytes)
	}
	r.ModTime = st.ModTime().UnixNano()
	if r.TOCPath != "" {
		if st, err = statInside(s.Root, r.TOCPath); err != nil {
			return err
		}
		r.TOCModTime = st.ModTime().UnixNano()
	}
	for i, u := range r.Uses {
		if u.SHA256 == "" || len(u.Endings) > 0 {
			continue
		}
		// Read again where it is not as it was: it may lie outside of the doc set's folder.
		if st, err := os.Lstat(filepath.Join(s.Root, filepath.FromSlash(u.Path))); err == nil && st.Size() == u.Bytes {
			r.Uses[i].ModTime = st.ModTime().UnixNano()
		}
	}
	return r.checkOutline()
}

// statInside looks at a regular file of a doc set.
func statInside(root, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("%q is no path of a page", name)
	}
	st, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%q is no file", name)
	}
	return st, err
}

// mostText is the largest text of a page, in bytes: a rendition may be larger than its file.
const mostText = 1 << 30

// checkOutline checks that sections and chunks refer to each other and lie in a text.
func (r *row) checkOutline() error {
	sections := r.Outline.Sections
	wrong := func(s doc.Span) bool {
		return s.Start < 0 || s.End < s.Start || s.End > mostText || s.StartLine < 0 || s.EndLine < 0 || s.EndLine > r.Lines+1 ||
			s.StartLine > s.EndLine+1
	}
	if r.Lines < 0 || r.Words < 0 || r.Bytes < 0 {
		return fmt.Errorf("%q has a negative size", r.Path)
	}
	for i, s := range sections {
		if s.Index != i || s.Parent < -1 || s.Parent >= i || wrong(s.Span) || wrong(s.Tree) {
			return fmt.Errorf("section %d of %q is none", i, r.Path)
		}
	}
	for i, c := range r.Outline.Chunks {
		if c.Index != i || c.Section < 0 || c.Section >= max(1, len(sections)) || wrong(c.Span) ||
			c.Prev < -1 || c.Prev >= len(r.Outline.Chunks) ||
			c.Next < -1 || c.Next >= len(r.Outline.Chunks) {
			return fmt.Errorf("chunk %d of %q is none", i, r.Path)
		}
	}
	return nil
}

// stage puts the rows into the catalog, where no reader sees them yet, and prepares the index with
// their numbers.
func (t *takeover) stage(ctx context.Context) error {
	if err := t.keepDocuments(ctx); err != nil {
		return err
	}
	if err := t.in.Catalog.Discard(ctx, t.set.ID); err != nil {
		return err
	}
	known, err := t.in.Catalog.Files(ctx, t.set.ID)
	if err != nil {
		return err
	}
	t.compare(known)
	docs := make([]store.Document, len(t.rows))
	for i, r := range t.rows {
		docs[i] = r.Document
	}
	ids, err := t.in.Catalog.Stage(ctx, docs)
	if err != nil {
		return err
	}
	shift := int64(0)
	for i, id := range ids {
		if i == 0 {
			shift = id - 1
		}
		if id != shift+int64(i)+1 {
			return notTaken(ctx, errors.New("the catalog gave its pages numbers with gaps"))
		}
	}
	t.imp, err = t.home.Indexes.Import(ctx, t.set.ID, filepath.Join(t.from, indexFolder), shift)
	if errors.Is(err, store.ErrDamaged) {
		return notTaken(ctx, err)
	}
	if err != nil {
		return err
	}
	if got := t.imp.Documents(); len(got) != len(ids) || len(ids) > 0 && (got[0] != ids[0] || got[len(got)-1] != ids[len(ids)-1]) {
		return errors.Join(notTaken(ctx, fmt.Errorf("its index has %d pages, and there are %d", len(got), len(ids))), t.imp.Abort())
	}
	return nil
}

// compare notes which pages come and go.
func (t *takeover) compare(known []store.FileState) {
	sums := make(map[string]string, len(known))
	for _, f := range known {
		t.goes = append(t.goes, f.ID)
		sums[f.Path] = f.SHA256
	}
	t.came = ingest.Report{Removed: len(known)}
	for _, r := range t.rows {
		switch sum, ok := sums[r.Path]; {
		case !ok:
			t.came.Added++
		default:
			t.came.Removed--
			if sum != r.SHA256 {
				t.came.Changed++
			}
		}
	}
}

// keepDocuments keeps the documents that the package has of converted pages. Many are written at
// once, because each waits twice for the disk.
func (t *takeover) keepDocuments(ctx context.Context) error {
	var mu sync.Mutex
	var failed error
	parallel.Ask(len(t.rows), func(i int) {
		if err := t.keepDocument(ctx, t.rows[i].Kept); err != nil {
			mu.Lock()
			failed = err
			mu.Unlock()
		}
	})
	return failed
}

// keepDocument keeps one document; one that the package does not have is made where it is needed.
func (t *takeover) keepDocument(ctx context.Context, key string) error {
	if key == "" || filepath.Base(key) != key {
		return nil
	}
	raw, err := os.ReadFile(filepath.Join(t.from, keptFolder, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = t.home.KeepDocument(ctx, key, raw)
	}
	return err
}

// publish makes the rows visible, and then the index.
func (t *takeover) publish(ctx context.Context) (err error) {
	serves := map[int64]bool{}
	if now, err := t.in.Indexes.Contents(ctx, t.set.ID); err == nil {
		for id := range now.Documents {
			serves[id] = true
		}
	}
	held, err := t.in.LockHome(ctx)
	if err != nil {
		return errors.Join(err, t.imp.Abort())
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	err = t.in.Catalog.Publish(ctx, store.Publication{SetID: t.set.ID, Retire: t.goes, Recount: true, Site: t.head.Site,
		Serves: func(id int64) bool { return serves[id] }})
	if err != nil {
		return errors.Join(err, t.imp.Abort())
	}
	return t.imp.Commit()
}

// derive puts the reference graph and the learned vectors to the index. An update
// makes those that are missing.
func (t *takeover) derive(ctx context.Context) error {
	_, generation := t.imp.Generations()
	shift := int64(0)
	if ids := t.imp.Documents(); len(ids) > 0 {
		shift = ids[0] - 1
	}
	if graph, err := references.Renumber(t.imp.References(), shift, generation); err == nil {
		if err := t.in.Indexes.WriteReferences(ctx, t.set.ID, func(to io.Writer) error {
			_, err := to.Write(graph)
			return err
		}); err != nil {
			return err
		}
	}
	note, err := ingest.NoteFor(t.imp.Note(), generation)
	if err == nil {
		err = t.imp.PutVectors(ctx, note)
	}
	if errors.Is(err, store.ErrVectorsDamaged) {
		return nil
	}
	return err
}
