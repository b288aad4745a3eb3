package intake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/queue"
)

// AddedFile is a file that was handed in with AddFiles.
type AddedFile struct {
	Path     string            `json:"path"`
	Document contract.Document `json:"document,omitzero"`
	// Known says that the same content was there before.
	Known bool `json:"known,omitempty"`
	// Err is why the file was refused; nil: it was not.
	Err error `json:"-"`
	// Error is Err for other programs.
	Error *contract.Error `json:"error,omitempty"`
}

// AddFilesRequest says which files are handed in.
type AddFilesRequest struct {
	Paths        []string
	OCRMode      string   // "": as the configuration has it
	OCRLanguages []string // nil: the same
	// Watch receives the progress of embedding the pages.
	Watch home.Watch
}

// AddFiles hands files in and works at them until they are pages, or failed, or wait for
// another attempt; then a model makes the missing vectors. told, unless nil, is called
// with the result of each file. A refused file does not stop the others.
func (svc *Service) AddFiles(ctx context.Context, req AddFilesRequest, told func(AddedFile)) ([]AddedFile, error) {
	if told == nil {
		told = func(AddedFile) {}
	}
	if _, err := checkedOCR(req.OCRMode); err != nil {
		return nil, err
	}
	if _, err := checkedLanguages(req.OCRLanguages); err != nil {
		return nil, err
	}
	out, open := make([]AddedFile, len(req.Paths)), map[int]bool{}
	for i, path := range req.Paths {
		out[i].Path = path
		id, known, err := svc.addFile(ctx, path, req)
		if class, e := classifyRefusal(err); e != nil {
			if class != home.Usage || ctx.Err() != nil {
				return out[:i], err
			}
			out[i].Err, out[i].Error = err, e
			told(out[i])
			continue
		}
		out[i].Document.ID, out[i].Known = id, known
		open[i] = true
	}
	err := svc.workUntil(ctx, WorkRequest{Grace: time.Second}, func(ctx context.Context) (bool, error) {
		for _, i := range slices.Sorted(maps.Keys(open)) {
			d, err := svc.Document(ctx, out[i].Document.ID)
			if err != nil {
				return false, err
			}
			if out[i].Document = d; settled(d) {
				delete(open, i)
				told(out[i])
			}
		}
		return len(open) == 0, nil
	})
	if err == nil && slices.ContainsFunc(out, func(f AddedFile) bool { return f.Document.Status == store.UploadCompleted && !f.Known }) {
		err = svc.embedUploads(ctx, false, req.Watch)
	}
	return out, err
}

// OCRModes are the modes of OCR of a document: specification 4's.
func OCRModes() []string { return uploads.OCRModes() }

// settled reports whether nothing becomes of a document at once.
func settled(d contract.Document) bool {
	return d.Status == store.UploadCompleted || d.Status == store.UploadFailed || d.Status == store.UploadPending && d.RetryCount > 0
}

func classifyRefusal(err error) (home.Class, *contract.Error) {
	if err == nil {
		return 0, nil
	}
	return home.Classify(err)
}

func (svc *Service) addFile(ctx context.Context, path string, req AddFilesRequest) (id string, known bool, err error) {
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		return "", false, contract.Invalid("path", "%s is no regular file", path)
	}
	if err == nil && st.Size() > uploads.MaxBytes {
		return "", false, uploadError(uploads.ErrTooLarge)
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return "", false, contract.Invalid("path", "%v", err)
	}
	defer f.Close()
	u, err := svc.Upload(ctx, UploadRequest{Name: filepath.Base(path), OCRMode: req.OCRMode, OCRLanguages: req.OCRLanguages, From: f})
	if e, ok := errors.AsType[*store.DuplicateError](err); ok {
		return e.ID, true, nil
	}
	return u.ID, false, err
}

// untilEvery is how often WorkUntil asks whether it is done.
const untilEvery = 100 * time.Millisecond

// workUntil is as Work, and ends when done says so.
func (svc *Service) workUntil(ctx context.Context, req WorkRequest, done func(context.Context) (bool, error)) error {
	if is, err := done(ctx); is || err != nil {
		return err
	}
	working, end := context.WithCancel(ctx)
	asked := make(chan error, 1)
	go func() {
		tick := time.NewTicker(untilEvery)
		defer tick.Stop()
		defer end()
		for {
			select {
			case <-working.Done():
				asked <- nil
				return
			case <-tick.C:
			}
			if is, err := done(working); is || err != nil && working.Err() == nil {
				asked <- err
				return
			}
		}
	}()
	err := svc.WorkOnJobs(working, req)
	end()
	if err := errors.Join(err, <-asked); err != nil {
		return err
	}
	return ctx.Err()
}

// WorkOnce works until no job waits or runs; those that wait for their next attempt are
// left. What others left of files by half is removed first, also where there is no job.
//
// Then a model makes the vectors that are missing of the pages.
func (svc *Service) WorkOnce(ctx context.Context, req WorkRequest) error {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return err
	}
	svc.sweepUploads(ctx, s)
	err = svc.workUntil(ctx, req, func(ctx context.Context) (bool, error) {
		jobs, err := svc.Jobs(ctx, JobsRequest{States: []string{queue.Waiting, queue.Running}, Limit: 1})
		return jobs.Total == 0, err
	})
	if err != nil {
		return err
	}
	return svc.embedUploads(ctx, false, home.Watch{Note: svc.home.Say})
}

// leastID is how much of an id names a document.
const leastID = 8

// FindDocuments gives the ids of the documents that a name stands for: an id or its
// beginning, a page of the doc set of uploads (Uploads@latest/HASH/NAME), a file's name
// behind it where one document has it, or * behind it for all of them.
func (svc *Service) FindDocuments(ctx context.Context, name string) ([]string, error) {
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = release() }() // it was open for reading
	var all []store.Upload
	if s != nil {
		if all, _, err = s.ListUploads(ctx, store.UploadFilter{}); err != nil {
			return nil, svc.home.NoteDamage(err)
		}
	}
	page, inSet := cutUploads(name)
	var ids []string
	for _, u := range all {
		switch {
		case u.ID == name, len(name) >= leastID && strings.HasPrefix(u.ID, name), inSet &&
			(page == "*" || u.Path == page || u.Filename == page):
			ids = append(ids, u.ID)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, uploadError(fmt.Errorf("document %q: %w", name, store.ErrNoUpload))
	case len(ids) > 1 && page != "*":
		e := contract.Invalid("document", "%d documents are called %q; name one by its id", len(ids), name)
		e.Details["candidates"] = ids
		return nil, e
	}
	return ids, nil
}

// cutUploads returns the page of a name such as uploads/PAGE; false: the name is of
// another doc set.
func cutUploads(name string) (page string, ok bool) {
	set, page, ok := strings.Cut(name, "/")
	if !ok {
		return "", false
	}
	set = strings.Replace(set, ":", "@", 1)
	return page, strings.EqualFold(set, uploads.SetName) || strings.EqualFold(set, home.UploadsRef().String())
}

// NamesDocument reports whether a name is that of a document, and not of a doc set.
func NamesDocument(name string) bool {
	_, ok := cutUploads(name)
	return ok || uploads.ValidID(name)
}
