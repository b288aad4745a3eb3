package jobs

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/store"
	"docent/store/lock"
	"docent/store/queue"
)

// mostCrashes is how many workers may die while they do what a job is risky for (see
// queue.Task.Risk) until it is given up: a file that kills its readers must not kill them
// for ever.
const mostCrashes = 5

// Rescue is queue.Rescuer's. A worker holds the lock file of its name
// as long as it lives, and removes it when it ends. A job that failed with its worker
// loses no attempt: the worker may have been killed for another reason.
func (s *Store) Rescue(ctx context.Context, died func(context.Context, queue.Job) error) error {
	if s.client == nil {
		return fs.ErrPermission
	}
	rows, err := s.db.QueryContext(ctx, selectWorkers)
	if err != nil {
		return err
	}
	owners, err := allRows(rows, func(row interface{ Scan(...any) error }) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	})
	if err != nil {
		return err
	}
	for _, name := range owners {
		dead, err := s.isDead(ctx, name, false)
		if err != nil {
			return err
		}
		if !dead {
			continue
		}
		if err := s.putBack(ctx, name, died); err != nil {
			return err
		}
	}
	return s.sweepLocks(ctx)
}

// isDead reports whether the worker of a name has ended. With sweep the lock file of one
// that has is removed, under its lock: see live.
func (s *Store) isDead(ctx context.Context, name string, sweep bool) (bool, error) {
	if name != filepath.Base(name) || !strings.HasPrefix(name, workerPrefix) {
		return true, nil // no name of a worker: the row is damaged
	}
	path := filepath.Join(s.workers, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	held, err := lock.Acquire(ctx, path, "look", 0, nil)
	if _, alive := errors.AsType[*lock.LockedError](err); alive {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if sweep {
		_ = os.Remove(path) // a system that cannot now can later
	}
	return true, held.Release()
}

// takeLiveLock takes the lock by which others see that this worker lives.
func (s *Store) takeLiveLock(ctx context.Context) (name string, held *lock.Lock, err error) {
	for {
		name = workerName()
		path := filepath.Join(s.workers, name)
		held, err = lock.Acquire(ctx, path, "worker", 0, nil)
		if _, looked := errors.AsType[*lock.LockedError](err); looked {
			continue // another worker just looks at it, and removes it
		}
		if err != nil {
			return "", nil, err
		}
		if held.InPlace() {
			return name, held, nil
		}
		if err := held.Release(); err != nil {
			return "", nil, err
		}
	}
}

const workerPrefix = "worker-"

func workerName() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // never fails
	return fmt.Sprintf("%s%d-%s", workerPrefix, os.Getpid(), hex.EncodeToString(raw))
}

// putBack puts the running jobs of a dead worker back, or gives them up.
func (s *Store) putBack(ctx context.Context, name string, died func(context.Context, queue.Job) error) error {
	var ids []int64
	err := s.writeTransaction(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, selectLeftJobs, name)
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

func (s *Store) putBackOne(ctx context.Context, tx *sql.Tx, l leftJob) error {
	reason := "its worker ended without a word"
	into := putBackWaiting
	switch {
	case l.cancelled:
		into = putBackCancelled
		reason = cancelled
	case l.crashes >= mostCrashes:
		into = putBackGivenUp
		reason = fmt.Sprintf("%d workers ended without a word while they were at it", l.crashes)
	}
	if _, err := tx.ExecContext(ctx, putBackJob(into), l.crashes, reason, l.id); err != nil {
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

// sweepLocks removes the lock files of workers that died.
func (s *Store) sweepLocks(ctx context.Context) error {
	entries, err := os.ReadDir(s.workers)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), workerPrefix) {
			_, derr := s.isDead(ctx, e.Name(), true)
			err = errors.Join(err, derr)
		}
	}
	return err
}
