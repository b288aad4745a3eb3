package inbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/service/home"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/lock"
	"docent/store/queue"
)

// The uploaded files. Their rows and jobs are in the catalog's file, and each file has a
// record next to it: a lost catalog gets its rows back from the records (restoreUploads),
// as it gets its doc sets back from the list.

// uploadsOpened is the store of uploads while a home is open: it is opened when it is
// first asked for.
type uploadsOpened struct {
	mu     sync.Mutex
	store  home.UploadStore
	in     store.Identity // the catalog when it was opened
	former []home.UploadStore
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

// OpenForWriting opens the uploads for changes, and restores the rows that the catalog lost.
// If another process has put the catalog aside, its store stays open for its current
// users.
func (svc *Service) OpenForWriting(ctx context.Context) (home.UploadStore, error) {
	svc.uploads.mu.Lock()
	defer svc.uploads.mu.Unlock()
	now, err := svc.home.Stores.Catalog().Identify(ctx)
	if err != nil {
		return nil, svc.home.CatalogGone(err)
	}
	if svc.uploads.store != nil && now.Same(svc.uploads.in) {
		return svc.uploads.store, nil
	}
	if err := svc.home.Shared.FillUploads(ctx); err != nil {
		return nil, svc.home.Unwritable(err)
	}
	s, err := svc.home.Stores.OpenUploads(ctx, svc.workersDir())
	if err != nil {
		return nil, svc.home.Unwritable(svc.home.NoteDamage(err))
	}
	if err := svc.restoreUploads(ctx, s); err != nil {
		return nil, errors.Join(svc.home.Unwritable(svc.home.NoteDamage(err)), s.Close())
	}
	if svc.uploads.store != nil {
		svc.uploads.former = append(svc.uploads.former, svc.uploads.store)
	}
	svc.uploads.store, svc.uploads.in, svc.uploads.looked = s, now, time.Time{}
	return s, nil
}

// rescueEvery is how often a listing of documents and jobs looks for dead workers.
const rescueEvery = time.Second

// Rescue has the jobs of dead workers wait again, so that they are not listed as running.
// If that fails, the lists stay as they are.
func (svc *Service) Rescue(ctx context.Context, s home.UploadStore) {
	svc.uploads.mu.Lock()
	soon := time.Since(svc.uploads.looked) < rescueEvery
	if !soon {
		svc.uploads.looked = time.Now()
	}
	svc.uploads.mu.Unlock()
	if soon {
		return
	}
	err := s.Rescue(ctx, func(ctx context.Context, j queue.Job) error {
		if _, err := svc.KeepFailure(ctx, s, j); !errors.Is(err, store.ErrNoUpload) {
			return err
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		svc.home.Say("whether jobs of dead workers are left could not be looked at: %v", svc.home.NoteDamage(err))
	}
}

// KeepFailure gives the document of a job whose worker died, whose failure goes into its
// record where the job was given up: a lost catalog gets its reason back.
func (svc *Service) KeepFailure(ctx context.Context, s home.UploadStore, j queue.Job) (store.Upload, error) {
	u, err := svc.Upload(ctx, s, j.UploadID)
	if err != nil || u.Status != store.UploadFailed {
		return u, err
	}
	return svc.KeepRecord(ctx, s, u.ID)
}

// KeepRecord writes the record of a document as its row is. The document cannot be deleted in between:
// a record that is written after that would bring it back.
func (svc *Service) KeepRecord(ctx context.Context, s store.Uploads, id string) (u store.Upload, err error) {
	held, err := svc.LockUploads(ctx)
	if err != nil {
		return store.Upload{}, err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if u, err = svc.Upload(ctx, s, id); err != nil {
		return u, err
	}
	return u, svc.SaveRecord(ctx, u)
}

// SaveRecord writes the record of a document, here and for all machines.
func (svc *Service) SaveRecord(ctx context.Context, u store.Upload) error {
	return svc.home.Shared.ChangeUpload(ctx, u, func() error { return svc.home.UploadFolder().SaveRecord(u, false) })
}

// Remove removes the files of a document and its record, here and for all machines.
func (svc *Service) Remove(ctx context.Context, u store.Upload) error {
	folder := svc.home.UploadFolder()
	return svc.home.Shared.ChangeUpload(ctx, u, func() error { return errors.Join(folder.Remove(u.Path), folder.Forget(u.ID)) })
}

// OpenForReading opens the uploads for listing: nil where nothing was handed in yet.
func (svc *Service) OpenForReading(ctx context.Context) (_ home.UploadStore, release func() error, err error) {
	none := func() error { return nil }
	if ids, err := svc.home.UploadFolder().Records(); err == nil && len(ids) == 0 && !svc.workersLeft() {
		s, err := svc.home.Stores.OpenUploads(ctx, "")
		if err != nil || s == nil {
			return nil, none, err
		}
		return s, s.Close, nil
	}
	s, err := svc.OpenForWriting(ctx)
	if _, unwritable := errors.AsType[*home.UnavailableError](err); unwritable {
		if s, err := svc.home.Stores.OpenUploads(ctx, ""); err == nil && s != nil {
			return s, s.Close, nil
		}
	}
	if err == nil {
		svc.Rescue(ctx, s)
	}
	return s, none, err
}

// workersLeft reports whether there is the lock of a worker that lives, or did: the last
// document may have been deleted since.
func (svc *Service) workersLeft() bool {
	left, err := os.ReadDir(svc.workersDir())
	return err == nil && len(left) > 0
}

func (svc *Service) workersDir() string { return filepath.Join(svc.home.Dir, "workers") }

// restoreUploads gives the catalog the uploads that have a record and no row, and
// finishes removals that were begun.
func (svc *Service) restoreUploads(ctx context.Context, s home.UploadStore) error {
	folder := svc.home.UploadFolder()
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
	held, err := svc.LockUploads(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = held.Release() }() // it ends with the process at the latest
	damaged := false
	for _, id := range ids {
		if known[id] {
			continue
		}
		err := svc.restoreUpload(ctx, s, id)
		if errors.Is(err, uploads.ErrDamaged) {
			damaged = true
			svc.home.Say("%v; it lies beside as %s.json.damaged", err, id)
			err = svc.home.Shared.ChangeUpload(ctx, store.Upload{ID: id}, func() error { return folder.SetAside(id) })
		}
		if err != nil {
			return err
		}
	}
	if damaged {
		_, err = svc.AdoptStrays(ctx, s)
	}
	return err
}

// AdoptStrays makes documents again of files that neither a row nor a record names, and puts
// aside those that are not whole; removed reports whether a page is gone. The caller holds
// the right to keep and remove files.
func (svc *Service) AdoptStrays(ctx context.Context, s home.UploadStore) (removed bool, err error) {
	folder := svc.home.UploadFolder()
	rows, _, err := s.ListUploads(ctx, store.UploadFilter{})
	if err != nil {
		return false, err
	}
	known, byMD5 := map[string]bool{}, map[string]store.Upload{}
	for _, u := range rows {
		known[path.Dir(u.Path)], byMD5[u.MD5] = true, u
	}
	// A document may have its record and no row: another process is making the catalog
	// again.
	ids, err := folder.Records()
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		u, gone, err := folder.LoadRecord(id)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, uploads.ErrDamaged):
		case err != nil:
			return false, err // the owners of the files are unknown
		case !gone:
			known[path.Dir(u.Path)] = true
		}
	}
	strays, err := folder.Strays(known)
	for _, name := range strays {
		page, aerr := svc.adoptStray(ctx, s, name, byMD5)
		removed, err = removed || page, errors.Join(err, aerr)
	}
	return removed, err
}

// adoptStray makes a document of the file in a folder, or puts the folder aside.
func (svc *Service) adoptStray(ctx context.Context, s home.UploadStore, name string,
	byMD5 map[string]store.Upload) (removed bool, err error) {
	folder := svc.home.UploadFolder()
	u, whole, err := folder.Recover(name)
	if err != nil {
		return false, err
	}
	if same, ok := byMD5[u.MD5]; whole && ok && folder.CheckCopy(same) == nil {
		_, removed, _ := folder.FindFile(u.Path)
		// The same file is there with its record.
		return removed, svc.home.Shared.ChangeUpload(ctx, store.Upload{Path: u.Path}, func() error { return folder.Remove(u.Path) })
	}
	if !whole {
		page := false
		err := svc.home.Shared.ChangeUpload(ctx, store.Upload{Path: name + "/file"}, func() (err error) {
			var to string
			if to, page, err = folder.PutFolderAside(name); err == nil {
				svc.home.Say("files that were handed in have no record and are not whole; they were put aside into %s", to)
			}
			return err
		})
		return page, err
	}
	u.ID = uploads.NewID()
	if err := svc.SaveRecord(ctx, u); err != nil {
		return false, err
	}
	svc.home.Say("the file %s was handed in and has no record; it is document %s again", u.Filename, u.ID)
	return false, svc.restoreUpload(ctx, s, u.ID)
}

// restoreUpload gives the catalog an upload by its record; uploads.ErrDamaged where that
// cannot be read.
func (svc *Service) restoreUpload(ctx context.Context, s home.UploadStore, id string) error {
	folder := svc.home.UploadFolder()
	u, gone, err := folder.LoadRecord(id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // another process was quicker
	case err != nil:
		return err
	case gone:
		return svc.Remove(ctx, u)
	}
	_, page, err := folder.FindFile(u.Path)
	if errors.Is(err, uploads.ErrGone) {
		svc.home.Say("the file of document %s (%s) is not there any more; it is forgotten", u.ID, u.Filename)
		return svc.home.Shared.ChangeUpload(ctx, u, func() error { return folder.Forget(id) })
	}
	if err != nil {
		return err
	}
	switch chunks, err := svc.UploadedPage(ctx, u.Path); {
	case page && err == nil:
		u.Status, u.Chunks = store.UploadCompleted, chunks
	case page || u.Status != store.UploadFailed:
		u.Status = store.UploadPending
	}
	err = s.AddUpload(ctx, u)
	if d, ok := errors.AsType[*store.DuplicateError](err); ok {
		other, oerr := svc.Upload(ctx, s, d.ID)
		return errors.Join(oerr, svc.home.Shared.ChangeUpload(ctx, u, func() error {
			if oerr == nil && other.Path != u.Path {
				return errors.Join(folder.Remove(u.Path), folder.Forget(id))
			}
			return folder.Forget(id)
		}))
	}
	return err
}

// LockUploads takes the right to keep and remove files, on all machines, and brings those of the
// others here.
func (svc *Service) LockUploads(ctx context.Context) (store.Held, error) {
	if held, err := svc.home.Shared.HoldUploads(ctx); held != nil || err != nil {
		return held, err
	}
	held, err := svc.home.UploadFolder().Lock(ctx, func(path string) (*lock.Lock, error) {
		return lock.Acquire(ctx, path, "uploads", uploadsWait, nil) // it is held for moments, so waiting is not reported
	})
	if err != nil {
		return nil, svc.home.Unwritable(err)
	}
	return held, nil
}

// uploadsWait is how long others who hand in files are waited for.
const uploadsWait = time.Minute

// Upload gives one upload, or store.ErrNoUpload.
func (svc *Service) Upload(ctx context.Context, s store.Uploads, id string) (store.Upload, error) {
	found, _, err := s.ListUploads(ctx, store.UploadFilter{ID: id})
	if err == nil && (id == "" || len(found) == 0) {
		err = fmt.Errorf("document %q: %w", id, store.ErrNoUpload)
	}
	if err != nil {
		return store.Upload{}, svc.home.NoteDamage(err)
	}
	return found[0], nil
}

// CountDocuments counts the files that were handed in by their statuses; nil: none.
func (svc *Service) CountDocuments(ctx context.Context) (map[string]int, error) {
	s, release, err := svc.OpenForReading(ctx)
	if err != nil || s == nil {
		return nil, err
	}
	defer func() { _ = release() }() // it was open for reading
	counts, err := s.CountUploads(ctx)
	return counts, svc.home.NoteDamage(err)
}

// UploadedPage gives the number of passages of a page of the doc set of uploads. Where
// it could not be indexed, the error says why.
func (svc *Service) UploadedPage(ctx context.Context, path string) (chunks int, err error) {
	set, ok, err := svc.UploadsSet(ctx)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("doc set %s: %w", home.UploadsRef(), store.ErrNotFound)
	}
	d, err := svc.home.Catalog.ByPath(ctx, set.ID, path)
	if err == nil {
		return len(d.Outline.Chunks), nil
	}
	if !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	failures, ferr := svc.home.Catalog.Failures(ctx, set.ID)
	if ferr != nil {
		return 0, ferr
	}
	for _, f := range failures {
		switch {
		case f.Path != path:
		case f.Code != "":
			return 0, &parse.Failed{Code: parse.Code(f.Code), Reason: f.Reason}
		default:
			return 0, &ParseError{Err: errors.New(f.Stage + ": " + f.Reason)}
		}
	}
	return 0, err
}

// ParseError is an error of a parser: it concerns the file.
type ParseError struct{ Err error }

func (e *ParseError) Error() string { return e.Err.Error() }

// Unwrap gives the parser's error.
func (e *ParseError) Unwrap() error { return e.Err }

// replacedEvery is how often a worker looks whether the catalog is another file.
const replacedEvery = 2 * time.Second

// UploadsSet is the doc set of uploads; false: it does not exist yet.
func (svc *Service) UploadsSet(ctx context.Context) (store.Set, bool, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	for _, s := range sets {
		if s.Ref == home.UploadsRef() {
			return s, true, err
		}
	}
	return store.Set{}, false, err
}

// Document is an upload as the doors give it.
func Document(u store.Upload) contract.Document {
	d := contract.Document{
		ID: u.ID, Filename: u.Filename, Status: u.Status, RetryCount: u.Retries, CreatedAt: u.Created, UpdatedAt: u.Updated,
		MimeType: u.MimeType, FileSize: u.Bytes, Format: u.Format, Lane: u.Lane, MD5Hash: u.MD5, FilePath: u.Path,
	}
	if d.FailReason = u.FailReason; u.FailCode != "" {
		d.FailReason = u.FailCode + ": " + u.FailReason
	}
	if u.Status == store.UploadCompleted {
		d.ChunkCount, d.Page = &u.Chunks, home.UploadsRef().String()+"/"+u.Path
	}
	return d
}

// WaitForReplaced waits until the catalog is another file than the store of uploads was
// opened in; false: ctx ended first.
func (svc *Service) WaitForReplaced(ctx context.Context) bool {
	tick := time.NewTicker(replacedEvery)
	defer tick.Stop()
	svc.uploads.mu.Lock()
	opened := svc.uploads.in
	svc.uploads.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			if svc.home.CatalogReplaced(ctx, opened) {
				return true
			}
		}
	}
}

// IsDamaged reports whether an error means that the record of a file is damaged.
func IsDamaged(err error) bool { return errors.Is(err, uploads.ErrDamaged) }

// CompletedPages are the documents that are pages, by the paths of these.
func (svc *Service) CompletedPages(ctx context.Context) (map[string]store.Upload, error) {
	s, release, err := svc.OpenForReading(ctx)
	if err != nil || s == nil {
		return nil, err
	}
	defer func() { _ = release() }() // it was open for reading
	list, _, err := s.ListUploads(ctx, store.UploadFilter{Status: store.UploadCompleted})
	if err != nil {
		return nil, svc.home.NoteDamage(err)
	}
	out := make(map[string]store.Upload, len(list))
	for _, u := range list {
		out[u.Path] = u
	}
	return out, nil
}
