package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/lock"
)

// The uploaded files. Their rows and jobs are in the catalog's file, and each file has a
// record next to it: a lost catalog gets its rows back from the records (restoreUploads),
// as it gets its doc sets back from the list.

// uploadsOpened is the store of uploads while a home is open: it is opened when it is
// first asked for.
type uploadsOpened struct {
	mu     sync.Mutex
	store  UploadStore
	file   os.FileInfo // the catalog's when it was opened
	former []UploadStore
	looked time.Time // when jobs of dead workers were last looked for
}

func (u *uploadsOpened) close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	var err error
	for _, s := range u.former {
		err = errors.Join(err, s.Close())
	}
	if u.store != nil {
		err = errors.Join(err, u.store.Close())
	}
	u.store, u.former = nil, nil
	return err
}

// uploadStore opens the uploads for changes, and restores the rows that the catalog lost.
// If another process has put the catalog aside, its store stays open for its current
// users.
func (h *Home) uploadStore(ctx context.Context) (UploadStore, error) {
	h.uploads.mu.Lock()
	defer h.uploads.mu.Unlock()
	now, err := os.Stat(h.catalogPath())
	if err != nil {
		return nil, fmt.Errorf("the catalog %s is gone; start again: %w", h.catalogPath(), err)
	}
	if h.uploads.store != nil && os.SameFile(now, h.uploads.file) {
		return h.uploads.store, nil
	}
	s, err := h.Stores.OpenUploads(ctx, h.catalogPath(), h.workersDir())
	if err != nil {
		return nil, h.unwritable(h.meet(err))
	}
	if err := h.restoreUploads(ctx, s); err != nil {
		return nil, errors.Join(h.unwritable(h.meet(err)), s.Close())
	}
	if h.uploads.store != nil {
		h.uploads.former = append(h.uploads.former, h.uploads.store)
	}
	h.uploads.store, h.uploads.file, h.uploads.looked = s, now, time.Time{}
	return s, nil
}

// rescueEvery is how often a listing of documents and jobs looks for dead workers.
const rescueEvery = time.Second

// rescue has the jobs of dead workers wait again, so that they are not listed as running.
// If that fails, the lists stay as they are.
func (h *Home) rescue(ctx context.Context, s UploadStore) {
	h.uploads.mu.Lock()
	soon := time.Since(h.uploads.looked) < rescueEvery
	if !soon {
		h.uploads.looked = time.Now()
	}
	h.uploads.mu.Unlock()
	if soon {
		return
	}
	err := s.Rescue(ctx, func(ctx context.Context, j store.Job) error {
		if _, err := h.keepFailure(ctx, s, j); !errors.Is(err, store.ErrNoUpload) {
			return err
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		h.Say("whether jobs of dead workers are left could not be looked at: %v", h.meet(err))
	}
}

// keepFailure gives the document of a job whose worker died, whose failure goes into its
// record where the job was given up: a lost catalog gets its reason back.
func (h *Home) keepFailure(ctx context.Context, s UploadStore, j store.Job) (store.Upload, error) {
	u, err := h.upload(ctx, s, j.UploadID)
	if err == nil && u.Status == store.UploadFailed {
		err = h.uploadFolder().Save(u, false)
	}
	return u, err
}

// readUploads opens the uploads for listing: nil where nothing was handed in yet.
func (h *Home) readUploads(ctx context.Context) (_ UploadStore, release func() error, err error) {
	none := func() error { return nil }
	if ids, err := h.uploadFolder().Records(); err == nil && len(ids) == 0 && !h.workersLeft() {
		s, err := h.Stores.OpenUploads(ctx, h.catalogPath(), "")
		if err != nil || s == nil {
			return nil, none, err
		}
		return s, s.Close, nil
	}
	s, err := h.uploadStore(ctx)
	if _, unwritable := errors.AsType[*UnavailableError](err); unwritable {
		if s, err := h.Stores.OpenUploads(ctx, h.catalogPath(), ""); err == nil && s != nil {
			return s, s.Close, nil
		}
	}
	if err == nil {
		h.rescue(ctx, s)
	}
	return s, none, err
}

// workersLeft reports whether there is the lock of a worker that lives, or did: the last
// document may have been deleted since.
func (h *Home) workersLeft() bool {
	left, err := os.ReadDir(h.workersDir())
	return err == nil && len(left) > 0
}

func (h *Home) workersDir() string { return filepath.Join(h.Dir, "workers") }

// restoreUploads gives the catalog the uploads that have a record and no row, and
// finishes removals that were begun.
func (h *Home) restoreUploads(ctx context.Context, s UploadStore) error {
	folder := h.uploadFolder()
	ids, err := folder.Records()
	if err != nil || len(ids) == 0 {
		return err
	}
	rows, _, err := s.ListUploads(ctx, store.UploadFilter{})
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(rows))
	for _, u := range rows {
		known[u.ID] = true
	}
	lost := 0
	for _, id := range ids {
		if !known[id] {
			lost++
		}
	}
	if lost == 0 {
		return nil
	}
	held, err := h.lockUploads(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // it ends with the process at the latest
	for _, id := range ids {
		if known[id] {
			continue
		}
		if err := h.restoreUpload(ctx, s, id); err != nil {
			return err
		}
	}
	return nil
}

func (h *Home) restoreUpload(ctx context.Context, s UploadStore, id string) error {
	folder := h.uploadFolder()
	u, gone, err := folder.Load(id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // another process was quicker
	case err != nil:
		h.Say("%v; if its file is wanted, hand it in again", err)
		return folder.SetAside(id)
	case gone:
		return errors.Join(folder.Remove(u.Path), folder.Forget(id))
	}
	_, page, err := folder.Find(u.Path)
	if errors.Is(err, uploads.ErrGone) {
		h.Say("the file of document %s (%s) is not there any more; it is forgotten", u.ID, u.Filename)
		return folder.Forget(id)
	}
	if err != nil {
		return err
	}
	switch chunks, err := h.uploadedPage(ctx, u.Path); {
	case page && err == nil:
		u.Status, u.Chunks = store.UploadCompleted, chunks
	case page || u.Status != store.UploadFailed:
		u.Status = store.UploadPending
	}
	err = s.AddUpload(ctx, u)
	if d, ok := errors.AsType[*store.DuplicateError](err); ok {
		if other, oerr := h.upload(ctx, s, d.ID); oerr == nil && other.Path != u.Path {
			err = folder.Remove(u.Path)
		} else {
			err = oerr
		}
		return errors.Join(err, folder.Forget(id))
	}
	return err
}

// lockUploads takes the right to keep and remove files.
func (h *Home) lockUploads(ctx context.Context) (*lock.Lock, error) {
	held, err := h.uploadFolder().Lock(ctx, func(path string) (*lock.Lock, error) {
		return lock.Acquire(ctx, path, "uploads", uploadsWait, nil) // it is held for moments, so waiting is not reported
	})
	if err != nil {
		return nil, h.unwritable(err)
	}
	return held, nil
}

// uploadsWait is how long others who hand in files are waited for.
const uploadsWait = time.Minute

// upload gives one upload, or store.ErrNoUpload.
func (h *Home) upload(ctx context.Context, s store.Uploads, id string) (store.Upload, error) {
	found, _, err := s.ListUploads(ctx, store.UploadFilter{ID: id})
	if err == nil && (id == "" || len(found) == 0) {
		err = fmt.Errorf("document %q: %w", id, store.ErrNoUpload)
	}
	if err != nil {
		return store.Upload{}, h.meet(err)
	}
	return found[0], nil
}

// countDocuments counts the files that were handed in by their statuses; nil: none.
func (h *Home) countDocuments(ctx context.Context) (map[string]int, error) {
	s, release, err := h.readUploads(ctx)
	if err != nil || s == nil {
		return nil, err
	}
	defer func() { _ = release() }() // it was open for reading
	counts, err := s.CountUploads(ctx)
	return counts, h.meet(err)
}

// uploadedPage gives the number of passages of a page of the doc set of uploads. Where
// it could not be indexed, the error says why.
func (h *Home) uploadedPage(ctx context.Context, path string) (chunks int, err error) {
	set, ok, err := h.uploadsSet(ctx)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("doc set %s: %w", UploadsRef(), store.ErrNotFound)
	}
	d, err := h.cat.ByPath(ctx, set.ID, path)
	if err == nil {
		return len(d.Outline.Chunks), nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	failures, ferr := h.cat.Failures(ctx, set.ID)
	if ferr != nil {
		return 0, ferr
	}
	for _, f := range failures {
		switch {
		case f.Path != path:
		case f.Code != "":
			return 0, &parse.Failed{Code: parse.Code(f.Code), Reason: f.Reason}
		default:
			return 0, &parseError{errors.New(f.Stage + ": " + f.Reason)}
		}
	}
	return 0, err
}

// parseError is an error of a parser: it concerns the file.
type parseError struct{ err error }

// uploadsSet is the doc set of uploads; false: it does not exist yet.
func (h *Home) uploadsSet(ctx context.Context) (store.Set, bool, error) {
	sets, err := h.Corpus.Sets(ctx)
	for _, s := range sets {
		if s.Ref == UploadsRef() {
			return s, true, err
		}
	}
	return store.Set{}, false, err
}

// document is an upload as the doors give it.
func document(u store.Upload) contract.Document {
	d := contract.Document{
		ID: u.ID, Filename: u.Filename, Status: u.Status, RetryCount: u.Retries, CreatedAt: u.Created, UpdatedAt: u.Updated,
		MimeType: u.MimeType, FileSize: u.Bytes, Format: u.Format, Lane: u.Lane, MD5Hash: u.MD5, FilePath: u.Path,
	}
	if d.FailReason = u.FailReason; u.FailCode != "" {
		d.FailReason = u.FailCode + ": " + u.FailReason
	}
	if u.Status == store.UploadCompleted {
		d.ChunkCount, d.Page = &u.Chunks, UploadsRef().String()+"/"+u.Path
	}
	return d
}
