package intake

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/inbox"
	"docent/pipeline/service/uploads"
	"docent/store"
	"docent/store/queue"
)

// JobsRequest chooses jobs, the newest first.
type JobsRequest struct {
	States []string `json:"states,omitempty" flag:"state" enum:"waiting,retry,running,done,failed,cancelled"`
	Limit  int      `json:"limit,omitempty" flag:"limit" minimum:"0"`
	Offset int      `json:"offset,omitempty" minimum:"0"`
}

// FieldTags are the texts of the fields.
func (JobsRequest) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"States": `doc:"only jobs in these states"`,
		"Limit":  `doc:"jobs at most; 0: all"`,
		"Offset": `doc:"jobs that are left out before them"`,
	}
}

// JobStates are the states of a job.
func JobStates() []string {
	return []string{queue.Waiting, queue.Retry, queue.Running, queue.Done, queue.Failed, queue.Cancelled}
}

// Jobs lists the jobs of documents.
func (svc *Service) Jobs(ctx context.Context, req JobsRequest) (contract.JobList, error) {
	out := contract.JobList{Jobs: []contract.Job{}}
	s, release, err := svc.inbox.OpenForReading(ctx)
	if err != nil || s == nil {
		return out, err
	}
	defer func() { _ = release() }() // it was open for reading
	found, total, err := s.Jobs(ctx, queue.Filter{States: req.States, Limit: req.Limit, Offset: req.Offset})
	if err != nil {
		return out, svc.home.NoteDamage(err)
	}
	out.Total = total
	for _, j := range found {
		out.Jobs = append(out.Jobs, jobForDoors(j))
	}
	return out, nil
}

// jobForDoors is a job as the doors give it.
func jobForDoors(j queue.Job) contract.Job {
	at := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		return &t
	}
	out := contract.Job{
		ID: j.ID, DocumentID: j.UploadID, Filename: j.Filename, Lane: j.Lane, State: j.State, Attempt: j.Attempt, MaxAttempts: j.Attempts,
		Reason: oneLine(j.Reason), CreatedAt: j.Created, StartedAt: at(j.Started), EndedAt: at(j.Ended),
	}
	if j.State == queue.Retry {
		out.NextAt = at(j.Next)
	}
	return out
}

// CancelJob ends a job: its document fails. One that runs ends within a moment.
func (svc *Service) CancelJob(ctx context.Context, id int64) (contract.Job, error) {
	return svc.withJob(ctx, func(s home.UploadStore) (queue.Job, error) {
		j, err := s.CancelJob(ctx, id)
		if err == nil && j.State == queue.Cancelled {
			if _, err = svc.inbox.KeepRecord(ctx, s, j.UploadID); errors.Is(err, store.ErrNoUpload) {
				err = nil
			}
		}
		return j, err
	})
}

// RetryJob has the document of a job tried again: at once where its next attempt is
// waited for, with a new job where it was given up or cancelled. CONFLICT where there is
// nothing to try again.
func (svc *Service) RetryJob(ctx context.Context, id int64) (contract.Job, error) {
	return svc.withJob(ctx, func(s home.UploadStore) (queue.Job, error) {
		j, err := s.RetryJob(ctx, id)
		if err != nil {
			return j, err
		}
		switch j.State {
		case queue.Failed, queue.Cancelled:
			if _, err := svc.RetryDocument(ctx, j.UploadID); err != nil {
				return j, err
			}
			jobs, _, err := s.Jobs(ctx, queue.Filter{UploadID: j.UploadID, Limit: 1})
			if err == nil && len(jobs) > 0 {
				j = jobs[0]
			}
			return j, err
		case queue.Done:
			return j, &contract.Error{Code: contract.CodeConflict,
				Message: fmt.Sprintf("job %d is done; there is nothing to try again", id), Details: map[string]any{"state": j.State}}
		}
		return j, nil
	})
}

// CancelDocument ends the job of a document; CONFLICT where it has none that waits or
// runs.
func (svc *Service) CancelDocument(ctx context.Context, id string) error {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return err
	}
	jobs, _, err := s.Jobs(ctx, queue.Filter{UploadID: id, States: []string{queue.Waiting, queue.Retry, queue.Running},
		Limit: 1})
	if err != nil {
		return uploadError(svc.home.NoteDamage(err))
	}
	if len(jobs) == 0 {
		return &contract.Error{Code: contract.CodeConflict, Message: fmt.Sprintf("document %s has no job that waits or runs", id)}
	}
	_, err = svc.CancelJob(ctx, jobs[0].ID)
	return err
}

// ReadDocument has a document that failed or waits read now, works at it until that is
// done, and gives it as it is then.
func (svc *Service) ReadDocument(ctx context.Context, id string) (contract.Document, error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return contract.Document{}, err
	}
	before, err := svc.Document(ctx, id)
	if err != nil {
		return before, err
	}
	if before.Status == store.UploadFailed {
		if before, err = svc.RetryDocument(ctx, id); err != nil {
			return before, err
		}
	}
	jobs, _, err := s.Jobs(ctx, queue.Filter{UploadID: id, States: []string{queue.Retry}, Limit: 1})
	if err != nil {
		return before, uploadError(svc.home.NoteDamage(err))
	}
	for _, j := range jobs {
		if _, err := s.RetryJob(ctx, j.ID); err != nil {
			return before, uploadError(svc.home.Unwritable(svc.home.NoteDamage(err)))
		}
	}
	now := before
	err = svc.workUntil(ctx, WorkRequest{Grace: time.Second}, func(ctx context.Context) (bool, error) {
		d, err := svc.Document(ctx, id)
		if err != nil {
			return false, err
		}
		now = d
		return d.Status == store.UploadCompleted || d.Status == store.UploadFailed || d.RetryCount > before.RetryCount, nil
	})
	return now, err
}

func (svc *Service) withJob(ctx context.Context, do func(home.UploadStore) (queue.Job, error)) (contract.Job, error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return contract.Job{}, err
	}
	j, err := do(s)
	if err != nil {
		return contract.Job{}, uploadError(svc.home.Unwritable(svc.home.NoteDamage(err)))
	}
	return jobForDoors(j), nil
}

// PurgeJobs removes finished jobs from the list: those with the ids, or without ids all.
// Their documents stay.
func (svc *Service) PurgeJobs(ctx context.Context, ids ...int64) (removed int, err error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return 0, err
	}
	removed, err = s.PurgeJobs(ctx, ids)
	return removed, uploadError(svc.home.Unwritable(svc.home.NoteDamage(err)))
}

// Callback takes what a program elsewhere made of a document that is not completed: its
// Markdown becomes the page, or its error the document's failure.
func (svc *Service) Callback(ctx context.Context, c contract.ProcessingCallback) (contract.Document, error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return contract.Document{}, err
	}
	d, err := svc.callback(ctx, s, c)
	return d, uploadError(svc.home.Unwritable(svc.home.NoteDamage(err)))
}

// errorCodes are specification 4's.
func errorCodes() []string {
	return []string{"PASSWORD_PROTECTED", "CORRUPT_FILE", "UNSUPPORTED_FORMAT", "OCR_FAILED", "TIMEOUT", "INTERNAL_ERROR"}
}

func (svc *Service) callback(ctx context.Context, s home.UploadStore, c contract.ProcessingCallback) (contract.Document, error) {
	switch {
	case c.Success && c.Result == nil, !c.Success && c.Error == nil:
		return contract.Document{}, contract.Invalid("result",
			"a callback has a result where it is a success, and an error where it is none")
	case !c.Success && !slices.Contains(errorCodes(), c.Error.Code):
		return contract.Document{}, contract.Invalid("error.code", "the code %q is none of %s", c.Error.Code,
			strings.Join(errorCodes(), ", "))
	}
	u, err := svc.inbox.Upload(ctx, s, c.DocumentID)
	if err != nil {
		return contract.Document{}, err
	}
	if u.Status == store.UploadCompleted {
		return inbox.Document(u), nil // the callback came twice
	}
	change := func(u *store.Upload) {
		u.Status, u.FailCode, u.FailReason = store.UploadFailed, c.Error.Code, oneLine(c.Error.Message)
	}
	if c.Success {
		page, chunks, err := svc.takeText(ctx, s, u.ID, []byte(c.Result.Markdown))
		switch {
		case errors.Is(err, store.ErrNoUpload):
			return contract.Document{}, err
		case err != nil:
			code, _ := failCode(err)
			reason := oneLine(err.Error())
			change = func(u *store.Upload) { u.Status, u.FailCode, u.FailReason = store.UploadFailed, string(code), reason }
		default:
			change = func(u *store.Upload) {
				u.Status, u.Path, u.Chunks, u.FailCode, u.FailReason = store.UploadCompleted, page, chunks, "", ""
			}
		}
	}
	u, err = svc.changeDocument(ctx, s, u.ID, func(u *store.Upload) (bool, error) {
		if u.Status != store.UploadCompleted { // else two callbacks came at the same time
			change(u)
			u.Updated = time.Now()
		}
		return false, nil
	})
	if errors.Is(err, store.ErrNoUpload) && c.Success {
		// It was deleted by another process, and its page may have been indexed after
		// that.
		return contract.Document{}, errors.Join(err, svc.updateUploads(context.WithoutCancel(ctx)))
	}
	if err != nil {
		return contract.Document{}, err
	}
	return inbox.Document(u), svc.endJobs(ctx, s, u.ID)
}

// takeText makes a page of a text that was extracted elsewhere.
func (svc *Service) takeText(ctx context.Context, s home.UploadStore, id string, markdown []byte) (page string, chunks int, err error) {
	if err := uploads.CheckText(markdown); err != nil {
		return "", 0, err
	}
	err = svc.handling(ctx, func() error {
		u, err := svc.inbox.Upload(ctx, s, id) // it may have been deleted, and its files with it
		switch {
		case err != nil:
		case u.Status == store.UploadCompleted: // by the same callback, at the same time
			page = u.Path
		default:
			err = svc.move(ctx, u.Path, func(path string) (err error) {
				page, err = svc.home.UploadFolder().Replace(path, markdown)
				return err
			})
		}
		return err
	})
	if err == nil {
		err = svc.updateUploads(ctx)
	}
	if err != nil {
		return "", 0, err
	}
	chunks, err = svc.inbox.UploadedPage(ctx, page)
	return page, chunks, err
}

// endJobs ends the jobs of a document whose end is known.
func (svc *Service) endJobs(ctx context.Context, s home.UploadStore, id string) error {
	jobs, _, err := s.Jobs(ctx, queue.Filter{UploadID: id, States: []string{queue.Waiting, queue.Retry, queue.Running}})
	for _, j := range jobs {
		if err == nil {
			_, err = s.CancelJob(ctx, j.ID)
		}
	}
	return err
}

// followEvery is how often changes of documents are looked for.
const followEvery = 300 * time.Millisecond

// FollowDocuments calls tell with every change of documents, by any process, until ctx
// ends or tell returns an error. The first call has no changes: every change after it is
// reported. A slow listener gets several changes of a document as one.
func (svc *Service) FollowDocuments(ctx context.Context, tell func([]contract.DocumentChange) error) error {
	var seen int64 = -1
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		changes, newest, err := svc.documentChanges(ctx, seen)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if first := seen < 0; first || len(changes) > 0 {
			if err := tell(changes); err != nil {
				return err
			}
		}
		seen = newest
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// documentChanges gives what changed since a revision; -1: nothing, and the newest one.
func (svc *Service) documentChanges(ctx context.Context, since int64) ([]contract.DocumentChange, int64, error) {
	s, err := svc.inbox.OpenForWriting(ctx)
	if err != nil {
		return nil, since, err
	}
	svc.inbox.Rescue(ctx, s)
	first := since < 0
	if first {
		_, newest, err := s.UploadChanges(ctx, 1<<62)
		return nil, newest, svc.home.NoteDamage(err)
	}
	changed, newest, err := s.UploadChanges(ctx, since)
	if err != nil {
		return nil, since, svc.home.NoteDamage(err)
	}
	var out []contract.DocumentChange
	for _, c := range changed {
		out = append(out, contract.DocumentChange{Document: inbox.Document(c.Upload), Gone: c.Gone})
	}
	return out, newest, nil
}
