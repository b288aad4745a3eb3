package jobs

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/store"
	"docent/store/queue"
)

// mostCrashes is how many workers may die while they do what a job is risky for (see
// queue.Task.Risk) until it is given up: a file that kills its readers must not kill them
// for ever.
const mostCrashes = 5

// Rescue is queue.Rescuer's. A job that failed with its worker loses no attempt: the worker
// may have been killed for another reason.
func (s *Store) Rescue(ctx context.Context, died func(context.Context, queue.Job) error) error {
	if s.client == nil {
		return fs.ErrPermission
	}
	rows, err := s.db.QueryContext(ctx, s.db.terms().selectWorkers())
	if err != nil {
		return err
	}
	owners, err := allRows(rows, scanText)
	if err != nil {
		return err
	}
	for _, name := range owners {
		// One that is no name of a worker stands in a damaged row.
		dead := name != filepath.Base(name) || !strings.HasPrefix(name, workerPrefix)
		if !dead {
			if dead, err = s.db.isDead(ctx, name); err != nil {
				return err
			}
		}
		if !dead {
			continue
		}
		if err := s.putBack(ctx, name, died); err != nil {
			return err
		}
	}
	return s.db.sweepDead(ctx)
}

const workerPrefix = "worker-"

func newWorkerName() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // never fails
	return fmt.Sprintf("%s%d-%s", workerPrefix, os.Getpid(), hex.EncodeToString(raw))
}

// putBack puts the running jobs of a dead worker back, or gives them up.
func (s *Store) putBack(ctx context.Context, name string, died func(context.Context, queue.Job) error) error {
	var ids []int64
	err := s.writeTransaction(ctx, func(tx change) error {
		rows, err := tx.QueryContext(ctx, s.db.terms().selectLeftJobs(), name)
		if err != nil {
			return err
		}
		left, err := allRows(rows, func(row interface{ Scan(...any) error }) (l leftJob, err error) {
			err = row.Scan(&l.id, &l.crashes, &l.cancelled, &l.upload)
			return l, err
		})
		for _, l := range left {
			if err != nil {
				return err
			}
			ids = append(ids, l.id)
			err = s.putBackOne(ctx, tx, l)
		}
		return err
	})
	if err != nil || died == nil {
		return err
	}
	for _, id := range ids {
		j, err := s.findJob(ctx, id)
		if errors.Is(err, queue.ErrNoJob) {
			continue
		}
		if err == nil {
			err = died(ctx, j)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leftJob is a job that a dead worker left running.
type leftJob struct {
	id, crashes int64
	cancelled   bool
	upload      string
}

func (s *Store) putBackOne(ctx context.Context, tx change, l leftJob) error {
	reason := "its worker ended without a word"
	terms := s.db.terms()
	into := terms.putBackWaiting()
	switch {
	case l.cancelled:
		into = terms.putBackEnded("cancelled")
		reason = cancelled
	case l.crashes >= mostCrashes:
		into = terms.putBackEnded("discarded")
		reason = fmt.Sprintf("%d workers ended without a word while they were at it", l.crashes)
	}
	if _, err := tx.ExecContext(ctx, terms.putBackJob(into), l.crashes, reason, l.id); err != nil {
		return err
	}
	_, err := s.changeIn(ctx, tx, l.upload, func(u *store.Upload) (bool, error) {
		switch {
		case u.Status != store.UploadProcessing && u.Status != store.UploadPending:
		case l.cancelled:
			u.Status, u.FailCode, u.FailReason, u.Updated = store.UploadFailed, "", reason, time.Now()
		case l.crashes >= mostCrashes:
			u.Status, u.FailCode, u.FailReason, u.Updated = store.UploadFailed, "INTERNAL_ERROR", reason, time.Now()
		default:
			u.Status, u.Updated = store.UploadPending, time.Now()
		}
		return false, nil
	})
	if errors.Is(err, store.ErrNoUpload) {
		return nil
	}
	return err
}
