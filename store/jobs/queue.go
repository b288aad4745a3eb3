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

// uploadOf is the upload of a job; it stands a payload that is damaged.
const uploadOf = `iif(json_valid(CAST(args AS TEXT)), json_extract(CAST(args AS TEXT), '$.documentId'), '')`

// ofUpload chooses the jobs of an upload.
const ofUpload = uploadOf + ` = ?`

// enqueue adds a job for an upload to the queue of its lane.
func (s *Store) enqueue(ctx context.Context, tx *sql.Tx, u store.Upload) error {
	languages := u.OCRLanguages
	if languages == nil {
		languages = []string{}
	}
	_, err := s.client.InsertTx(ctx, tx, processingJob{
		DocumentID: u.ID, FilePath: u.Path, Format: u.Format,
		Config: processingConfig{OCRMode: u.OCRMode, OCRLanguages: languages},
	}, &river.InsertOpts{Queue: u.Lane, MaxAttempts: 1 + store.UploadRetries})
	return err
}

// state is a job's state in our words. What waits for less than River's scheduler looks
// again is available to it, with a time to come.
const state = `CASE
	WHEN j.state = 'running' THEN '` + store.JobRunning + `'
	WHEN j.state = 'completed' THEN '` + store.JobDone + `'
	WHEN j.state = 'discarded' THEN '` + store.JobFailed + `'
	WHEN j.state = 'cancelled' THEN '` + store.JobCancelled + `'
	WHEN j.state = 'retryable' OR j.attempt > 0 AND j.scheduled_at > datetime('now', 'subsec') THEN '` + store.JobRetry + `'
	ELSE '` + store.JobWaiting + `' END`

// moment is a time of River's tables in milliseconds since 1970.
func moment(column string) string {
	return `CAST(unixepoch(CAST(` + column + ` AS TEXT), 'subsec') * 1000 AS INTEGER)`
}

var jobColumns = `j.id, coalesce(` + uploadOf + `, ''), coalesce(u.filename, ''), j.queue, ` + state + `, j.attempt, j.max_attempts,
	coalesce(json_extract(CAST(j.metadata AS TEXT), '$.crashes'), 0), coalesce(json_extract(CAST(j.errors AS TEXT), '$[#-1].error'), ''),
	` + moment("j.created_at") + `, ` + moment("j.scheduled_at") + `, ` + moment("j.attempted_at") + `, ` + moment("j.finalized_at") + `, CAST(j.args AS TEXT)`

const jobTables = `river_job j LEFT JOIN uploads u ON u.id = ` + uploadOf

func scanJob(row interface{ Scan(...any) error }) (j store.Job, err error) {
	var args string
	var created, next, started, ended sql.NullInt64
	if err = row.Scan(&j.ID, &j.UploadID, &j.Filename, &j.Lane, &j.State, &j.Attempt, &j.Attempts, &j.Crashes, &j.Reason, &created, &next, &started, &ended, &args); err != nil {
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

// Jobs is store.Queue's.
func (s *Store) Jobs(ctx context.Context, f store.JobFilter) ([]store.Job, int, error) {
	where, args := "true", []any{}
	if len(f.IDs) > 0 {
		where += " AND j.id IN (?" + strings.Repeat(", ?", len(f.IDs)-1) + ")"
		for _, id := range f.IDs {
			args = append(args, id)
		}
	}
	if len(f.States) > 0 {
		where += " AND " + state + " IN (?" + strings.Repeat(", ?", len(f.States)-1) + ")"
		for _, s := range f.States {
			args = append(args, s)
		}
	}
	if f.UploadID != "" {
		where, args = where+" AND "+ofUpload, append(args, f.UploadID)
	}
	var total int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM river_job j WHERE `+where, args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	rows, err := s.db.QueryContext(ctx, `SELECT `+jobColumns+` FROM `+jobTables+` WHERE `+where+` ORDER BY j.id DESC LIMIT ? OFFSET ?`, append(args, limit, f.Offset)...)
	if err != nil {
		return nil, 0, err
	}
	out, err := all(rows, scanJob)
	return out, total, err
}

// job gives one job, or store.ErrNoJob.
func (s *Store) job(ctx context.Context, id int64) (store.Job, error) {
	found, _, err := s.Jobs(ctx, store.JobFilter{IDs: []int64{id}})
	if err == nil && len(found) == 0 {
		err = noJob(id)
	}
	if err != nil {
		return store.Job{}, err
	}
	return found[0], nil
}

func noJob(id int64) error { return fmt.Errorf("job %d: %w", id, store.ErrNoJob) }

// Cancelled is why an upload failed whose job was cancelled.
const cancelled = "cancelled: its job was ended by hand"

// CancelJob is store.Queue's.
func (s *Store) CancelJob(ctx context.Context, id int64) (store.Job, error) {
	err := s.write(ctx, func(tx *sql.Tx) error {
		row, err := s.client.JobCancelTx(ctx, tx, id)
		if errors.Is(err, river.ErrNotFound) {
			return noJob(id)
		}
		if err != nil || row.State != "cancelled" {
			return err // a running one is told by its worker
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
		return store.Job{}, err
	}
	return s.job(ctx, id)
}

// RetryJob is store.Queue's.
func (s *Store) RetryJob(ctx context.Context, id int64) (store.Job, error) {
	j, err := s.job(ctx, id)
	if err != nil {
		return j, err
	}
	if j.State == store.JobRunning {
		return j, fmt.Errorf("job %d: %w", id, store.ErrJobRunning)
	}
	if j.State != store.JobRetry {
		return j, nil
	}
	if _, err := s.client.JobRetry(ctx, id); err != nil {
		return j, err
	}
	return s.job(ctx, id)
}

// PurgeJobs is store.Queue's.
func (s *Store) PurgeJobs(ctx context.Context, ids []int64) (removed int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		if len(ids) == 0 {
			res, err := tx.ExecContext(ctx, `DELETE FROM river_job WHERE finalized_at IS NOT NULL`)
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
			err := tx.QueryRowContext(ctx, `SELECT finalized_at IS NOT NULL FROM river_job WHERE id = ?`, id).Scan(&done)
			switch {
			case errors.Is(err, sql.ErrNoRows):
				return noJob(id)
			case err == nil && !done:
				return fmt.Errorf("job %d is not at its end; cancel it first: %w", id, store.ErrJobRunning)
			case err == nil:
				_, err = tx.ExecContext(ctx, `DELETE FROM river_job WHERE id = ?`, id)
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
