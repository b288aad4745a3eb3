package intake

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/doc"
	"docent/store/queue"
)

// WorkRequest says how a worker works.
type WorkRequest struct {
	Workers int // files of each lane that are read at the same time; 0: one a processor, at most 4
	// Grace is how long a stopping worker waits for its files; the next worker takes the
	// unfinished ones.
	Grace time.Duration
	// Timeout is for reading one file, from its beginning; 0: DefaultTimeout.
	Timeout time.Duration
	// Told, unless nil, is called for each document whose status this worker changed.
	Told func(contract.Document)
}

// DefaultTimeout is how long reading one file may take: a scanned book is read page
// by page. It is more than the 15 minutes of the parser of PDF.
const DefaultTimeout = 20 * time.Minute

// DefaultGrace is how long a stopping worker waits for its files by default.
const DefaultGrace = 10 * time.Second

// queued is how many files, for each that is read, may wait for their update: one update
// takes all of them in.
const queued = 16

// WorkOnJobs takes the jobs of documents until ctx ends. Several processes may do so at the
// same time, while others update doc sets. The error is home.ErrReplaced where the catalog
// was made again: the home that is open does not know its doc sets, and has to be opened again.
func (svc *Service) WorkOnJobs(ctx context.Context, req WorkRequest) error {
	if req.Workers <= 0 {
		req.Workers = min(4, runtime.GOMAXPROCS(0))
	}
	if req.Timeout <= 0 {
		req.Timeout = DefaultTimeout
	}
	if req.Told == nil {
		req.Told = func(contract.Document) {}
	}
	if svc.home.Replaced(ctx) {
		return home.ErrReplaced
	}
	return svc.workOnce(ctx, req)
}

// workOnce works until ctx ends, or until the catalog is another file.
func (svc *Service) workOnce(ctx context.Context, req WorkRequest) error {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return err
	}
	svc.sweepUploads(ctx, s)
	running, end := context.WithCancel(ctx)
	defer end()
	vectors := newVectorsBehind(svc)
	embedded := make(chan struct{})
	go func() { defer close(embedded); vectors.runBehind(running) }()
	w := &worker{svc: svc, store: s, req: req, fast: make(chan struct{}, req.Workers), heavy: make(chan struct{}, req.Workers),
		publisher: newPublisher(svc, vectors.askForVectors)}
	replaced := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if svc.inbox.WaitForReplaced(running) {
			close(replaced)
			end()
		}
	}()
	published := make(chan struct{})
	publishing, endPublishing := context.WithCancel(context.WithoutCancel(ctx))
	go func() { defer close(published); w.publisher.runPublisher(publishing) }()
	err = s.Work(running, queue.WorkOptions{
		Fast: req.Workers * queued, Heavy: req.Workers * queued, Grace: req.Grace, Do: w.doTask, Died: w.workerDied,
		Fault: func(err error) { svc.home.Say("the queue: %v", svc.home.NoteDamage(err)) },
	})
	end()
	endPublishing()
	<-published
	<-watched
	<-embedded
	select {
	case <-replaced:
		if ctx.Err() != nil {
			return nil
		}
		return home.ErrReplaced
	default:
		return svc.home.Unwritable(err)
	}
}

// sweepUploads removes files that were not received completely, and makes documents again
// of files without a record.
func (svc *Service) sweepUploads(ctx context.Context, s home.UploadStore) {
	if _, err := svc.home.UploadFolder().Sweep(ctx); err != nil {
		svc.home.Say("files that were handed in by half could not be removed: %v", err)
	}
	if err := svc.adoptStrays(ctx, s); err != nil && ctx.Err() == nil {
		svc.home.Say("files of no document could not be looked at: %v", err)
	}
}

// worker works at jobs.
type worker struct {
	svc   *Service
	store home.UploadStore
	req   WorkRequest
	// The slots of files that are read. Each lane has its own, so that a note is not kept
	// waiting by books.
	fast, heavy chan struct{}
	publisher   *publisher
}

// errDone means that there is nothing to do for a job.
var errDone = errors.New("nothing to do")

// doTask is queue.WorkOptions.Do. It can be repeated: if a process is killed, its job does
// the rest later.
func (w *worker) doTask(ctx context.Context, t queue.Task) (err error) {
	u, err := w.beginWork(ctx, t)
	if errors.Is(err, errDone) {
		return nil
	}
	if err != nil {
		return err
	}
	chunks, err := w.process(ctx, t, u)
	if err != nil {
		return w.failed(ctx, t, u, err)
	}
	return w.change(ctx, u, func(u *store.Upload) {
		u.Status, u.Chunks, u.FailCode, u.FailReason = store.UploadCompleted, chunks, "", ""
	})
}

// beginWork marks an upload as being processed.
func (w *worker) beginWork(ctx context.Context, t queue.Task) (u store.Upload, err error) {
	u, err = w.store.ChangeUpload(ctx, t.UploadID, func(u *store.Upload) (bool, error) {
		switch u.Status {
		case store.UploadCompleted:
			return false, errDone // the last worker was killed before it reported this
		case store.UploadFailed:
			return false, &queue.PermanentError{Err: errors.New(u.FailReason)} // the last worker was killed, too
		}
		u.Status, u.Updated = store.UploadProcessing, time.Now()
		return false, nil
	})
	if errors.Is(err, store.ErrNoUpload) {
		return u, errDone // it was deleted
	}
	if err == nil {
		w.req.Told(inbox.Document(u))
	}
	return u, w.svc.home.NoteDamage(err)
}

// change changes an upload after the work, also when ctx has ended. If the upload has
// been deleted, its page is removed too.
func (w *worker) change(ctx context.Context, had store.Upload, change func(*store.Upload)) error {
	ctx = context.WithoutCancel(ctx)
	u, err := w.store.ChangeUpload(ctx, had.ID, func(u *store.Upload) (bool, error) {
		change(u)
		u.Updated = time.Now()
		return false, nil
	})
	if errors.Is(err, store.ErrNoUpload) {
		return w.svc.dropDeleted(ctx, w.store, had)
	}
	if err != nil {
		return w.svc.home.NoteDamage(err)
	}
	if u.Status == store.UploadFailed {
		// A lost catalog gets its reason back.
		if _, err = w.svc.inbox.KeepRecord(ctx, w.store, u.ID); errors.Is(err, store.ErrNoUpload) {
			return w.svc.dropDeleted(ctx, w.store, had)
		}
	}
	w.req.Told(inbox.Document(u))
	return err
}

// process makes an upload a page, and gives the number of its passages.
func (w *worker) process(ctx context.Context, t queue.Task, u store.Upload) (chunks int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	file, page, err := w.findFile(ctx, u)
	if err != nil {
		return 0, err
	}
	if !page {
		if err := w.readAlone(ctx, t, u, file); err != nil {
			return 0, err
		}
	}
	if err := w.publisher.publish(ctx, u.Path); err != nil {
		return 0, err
	}
	chunks, err = w.svc.inbox.UploadedPage(ctx, u.Path)
	if err != nil && ctx.Err() == nil {
		// It is no page, so its file does not stay among them.
		err = errors.Join(err, w.svc.move(ctx, u.Path, w.svc.home.UploadFolder().Withdraw))
	}
	return chunks, err
}

// findFile gives the file of an upload, which another machine may have taken in.
func (w *worker) findFile(ctx context.Context, u store.Upload) (file string, page bool, err error) {
	if err := w.svc.home.Shared.FillUploads(ctx); err != nil {
		return "", false, err
	}
	file, page, err = w.svc.home.UploadFolder().FindFile(u.Path)
	if err != nil && w.svc.home.Shared.MendUpload(ctx, u) {
		file, page, err = w.svc.home.UploadFolder().FindFile(u.Path)
	}
	return file, page, err
}

// readAlone reads a file when one of its lane's slots is free. The time for it begins
// then: a job may have waited for hours behind others.
func (w *worker) readAlone(ctx context.Context, t queue.Task, u store.Upload, file string) (err error) {
	slots := w.fast
	if t.Lane == store.LaneHeavy {
		slots = w.heavy
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	limited, done := context.WithTimeout(ctx, w.req.Timeout)
	defer done()
	defer func() {
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			err = &timeoutError{w.req.Timeout}
		}
	}()
	return w.readAtRisk(limited, t, u, file)
}

// timeoutError means that reading a file took too long.
type timeoutError struct{ most time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("reading it took longer than %v", e.most) }

// readAtRisk reads a file, and has the queue know that this may kill the worker.
func (w *worker) readAtRisk(ctx context.Context, t queue.Task, u store.Upload, file string) (err error) {
	if err := t.Risk(ctx, true); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Risk(context.WithoutCancel(ctx), false)) }()
	return w.readText(ctx, u, file)
}

// readText extracts the text of a file and checks it. The converted text is stored, so that
// the update does not convert it again.
func (w *worker) readText(ctx context.Context, u store.Upload, file string) error {
	src, err := os.ReadFile(file)
	if err == nil && md5Of(src) != u.MD5 && w.svc.home.Shared.MendUpload(ctx, u) {
		src, err = os.ReadFile(file)
	}
	if err != nil {
		return err
	}
	if md5Of(src) != u.MD5 {
		return &parse.Failed{Code: parse.CorruptFile,
			Reason: "the file is not the one that was handed in: a disk has changed it; hand it in again"}
	}
	how := wantedOCR(u)
	if err := w.svc.move(ctx, u.Path, func(path string) error { return w.svc.home.UploadFolder().KeepOCR(path, how) }); err != nil {
		return err
	}
	text, _, err := w.svc.home.Parsers.Text(ctx, src, parse.File{Path: u.Path, Layout: doc.LayoutUploads, OCR: how})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &inbox.ParseError{Err: err}
	}
	return uploads.CheckText(text)
}

func md5Of(src []byte) string {
	sum := md5.Sum(src)
	return hex.EncodeToString(sum[:])
}

// wantedOCR is how the scanned pages of an upload are read. Specification 4's default
// value means the configured one.
func wantedOCR(u store.Upload) (o parse.OCR) {
	if u.OCRMode != uploads.DefaultOCR {
		o.Mode = u.OCRMode
	}
	if !slices.Equal(u.OCRLanguages, uploads.OCRLanguages()) {
		o.Languages = u.OCRLanguages
	}
	return o
}

// failed records the failure of an attempt. The error that it gives has the job tried
// again, put back, or given up.
func (w *worker) failed(ctx context.Context, t queue.Task, u store.Upload, err error) error {
	code, permanent := failCode(err)
	reason := oneLine(err.Error())
	cause := context.Cause(ctx)
	last := t.Last || permanent
	return errors.Join(forQueue(err, permanent), w.change(ctx, u, func(u *store.Upload) {
		switch {
		case errors.Is(cause, queue.ErrWorkerStops):
			u.Status = store.UploadPending
		case errors.Is(cause, queue.ErrJobCancelled):
			u.Status, u.FailCode, u.FailReason = store.UploadFailed, "", "cancelled: its job was ended by hand"
		case last:
			u.Status, u.FailCode, u.FailReason, u.Retries = store.UploadFailed, string(code), reason, min(t.Attempt-1, queue.Retries)
		default:
			u.Status, u.FailCode, u.FailReason, u.Retries = store.UploadPending, string(code), reason, min(t.Attempt, queue.Retries)
		}
	}))
}

// forQueue is an error as the queue understands it.
func forQueue(err error, permanent bool) error {
	if permanent {
		return &queue.PermanentError{Err: err}
	}
	return err
}

// failCode is specification 4's ErrorCode of a failure, and reports whether another attempt
// would meet the same.
func failCode(err error) (code parse.Code, permanent bool) {
	known, isKnown := errors.AsType[*parse.Failed](err)
	_, isText := errors.AsType[*uploads.FormatError](err)
	_, leftOut := errors.AsType[parse.LeftOut](err)
	_, ofFile := errors.AsType[*inbox.ParseError](err)
	_, late := errors.AsType[*timeoutError](err)
	switch {
	case late:
		return parse.Timeout, false
	case isKnown:
		return known.Code, known.Missing || known.Code == parse.PasswordProtected || known.Code == parse.CorruptFile ||
			known.Code == parse.UnsupportedFormat
	case isText, leftOut, errors.Is(err, parse.ErrNoParser):
		return parse.UnsupportedFormat, true
	case errors.Is(err, uploads.ErrGone):
		return parse.InternalError, true
	case ofFile:
		return parse.CorruptFile, true
	}
	return parse.InternalError, false
}

// workerDied is queue.WorkOptions.Died.
func (w *worker) workerDied(ctx context.Context, j queue.Job) error {
	u, err := w.svc.inbox.KeepFailure(ctx, w.store, j)
	if errors.Is(err, store.ErrNoUpload) {
		return nil
	}
	if err == nil {
		w.req.Told(inbox.Document(u))
	}
	return err
}
