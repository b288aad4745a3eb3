package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"docent/store"
	"docent/store/queue"
	"docent/store/tracing"
)

// processingJob is the payload of a job: specification 4's ProcessingJob.
type processingJob struct {
	DocumentID string           `json:"documentId"`
	FilePath   string           `json:"filePath"`
	Format     string           `json:"format"`
	Config     processingConfig `json:"config"`
}

type processingConfig struct {
	OCRMode      string   `json:"ocrMode"`
	OCRLanguages []string `json:"ocrLanguages"`
}

// Kind is river.JobArgs'.
func (processingJob) Kind() string { return "processing_job" }

// enqueueUpload adds a job for an upload to the queue of its lane.
func (s *Store) enqueueUpload(ctx context.Context, tx change, u store.Upload) error {
	languages := u.OCRLanguages
	if languages == nil {
		languages = []string{}
	}
	metadata, err := json.Marshal(jobMetadata{Parent: tracing.Parent(ctx)})
	if err != nil {
		return err
	}
	_, err = s.client.InsertTx(ctx, tx.SQL(), processingJob{
		DocumentID: u.ID, FilePath: u.Path, Format: u.Format,
		Config: processingConfig{OCRMode: u.OCRMode, OCRLanguages: languages},
	}, &river.InsertOpts{Queue: u.Lane, MaxAttempts: 1 + queue.Retries, Metadata: metadata})
	return err
}

// jobMetadata is what docent keeps with a job.
type jobMetadata struct {
	// Parent is the span of the request that handed the file in: the worker's stands below it.
	Parent string `json:"traceparent,omitempty"`
}

// scanJob reads a row of selectJobs.
func scanJob(row interface{ Scan(...any) error }) (j queue.Job, err error) {
	var args string
	var created, next, started, ended sql.NullInt64
	if err = row.Scan(&j.ID, &j.UploadID, &j.Filename, &j.Lane, &j.State, &j.Attempt, &j.Attempts, &j.Crashes, &j.Reason, &created, &next,
		&started, &ended, &args); err != nil {
		return j, err
	}
	for _, t := range []struct {
		to   *time.Time
		from sql.NullInt64
	}{{&j.Created, created}, {&j.Next, next}, {&j.Started, started}, {&j.Ended, ended}} {
		if t.from.Valid {
			*t.to = time.UnixMilli(t.from.Int64).UTC()
		}
	}
	j.Payload = []byte(args)
	return j, nil
}

// Jobs is queue.Queue's.
func (s *Store) Jobs(ctx context.Context, f queue.Filter) ([]queue.Job, int, error) {
	where, args := "true", []any{}
	if len(f.IDs) > 0 {
		where += " AND j.id IN (?" + strings.Repeat(", ?", len(f.IDs)-1) + ")"
		for _, id := range f.IDs {
			args = append(args, id)
		}
	}
	if len(f.States) > 0 {
		where += " AND " + s.db.terms().jobState() + " IN (?" + strings.Repeat(", ?", len(f.States)-1) + ")"
		for _, state := range f.States {
			args = append(args, state)
		}
	}
	if f.UploadID != "" {
		where, args = where+" AND "+s.db.terms().ofUpload(), append(args, f.UploadID)
	}
	var total int
	if err := s.db.QueryRowContext(ctx, countJobs(where), args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	limit := f.Limit
	if limit <= 0 {
		limit = noLimit
	}
	rows, err := s.db.QueryContext(ctx, s.db.terms().selectJobs(where), append(args, limit, f.Offset)...)
	if err != nil {
		return nil, 0, err
	}
	out, err := allRows(rows, scanJob)
	return out, total, err
}

// findJob gives one job, or queue.ErrNoJob.
func (s *Store) findJob(ctx context.Context, id int64) (queue.Job, error) {
	found, _, err := s.Jobs(ctx, queue.Filter{IDs: []int64{id}})
	if err == nil && len(found) == 0 {
		err = noJobError(id)
	}
	if err != nil {
		return queue.Job{}, err
	}
	return found[0], nil
}

func noJobError(id int64) error { return fmt.Errorf("job %d: %w", id, queue.ErrNoJob) }

// cancelled is why an upload failed whose job was cancelled.
const cancelled = "cancelled: its job was ended by hand"

// CancelJob is queue.Queue's.
func (s *Store) CancelJob(ctx context.Context, id int64) (queue.Job, error) {
	err := s.writeTransaction(ctx, func(tx change) error {
		row, err := s.client.JobCancelTx(ctx, tx.SQL(), id)
		if errors.Is(err, river.ErrNotFound) {
			return noJobError(id)
		}
		if err != nil || row.State != "cancelled" {
			return err // a running one is reported by its worker
		}
		var j processingJob
		if err := json.Unmarshal(row.EncodedArgs, &j); err != nil {
			return err
		}
		_, err = s.changeIn(ctx, tx, j.DocumentID, func(u *store.Upload) (bool, error) {
			if u.Status == store.UploadPending || u.Status == store.UploadProcessing {
				u.Status, u.FailCode, u.FailReason, u.Updated = store.UploadFailed, "", cancelled, time.Now()
			}
			return false, nil
		})
		if errors.Is(err, store.ErrNoUpload) {
			err = nil
		}
		return err
	})
	if err != nil {
		return queue.Job{}, err
	}
	return s.findJob(ctx, id)
}

// RetryJob is queue.Queue's.
func (s *Store) RetryJob(ctx context.Context, id int64) (queue.Job, error) {
	j, err := s.findJob(ctx, id)
	if err != nil {
		return j, err
	}
	if j.State == queue.Running {
		return j, fmt.Errorf("job %d: %w", id, queue.ErrJobRunning)
	}
	if j.State != queue.Retry && (j.State != queue.Waiting || !j.Next.After(time.Now())) {
		return j, nil
	}
	if _, err := s.client.JobRetry(ctx, id); err != nil {
		return j, err
	}
	return s.findJob(ctx, id)
}

// PurgeJobs is queue.Queue's.
func (s *Store) PurgeJobs(ctx context.Context, ids []int64) (removed int, err error) {
	err = s.writeTransaction(ctx, func(tx change) error {
		if len(ids) == 0 {
			res, err := tx.ExecContext(ctx, deleteEndedJobs)
			if err != nil {
				return err
			}
			n, err := res.RowsAffected()
			removed = int(n)
			return err
		}
		removed = 0
		for _, id := range ids {
			var done bool
			err := tx.QueryRowContext(ctx, selectEnded, id).Scan(&done)
			switch {
			case errors.Is(err, sql.ErrNoRows):
				return noJobError(id)
			case err == nil && !done:
				return fmt.Errorf("job %d is not at its end; cancel it first: %w", id, queue.ErrJobRunning)
			case err == nil:
				_, err = tx.ExecContext(ctx, deleteJob, id)
			}
			if err != nil {
				return err
			}
			removed++
		}
		return nil
	})
	return removed, err
}
