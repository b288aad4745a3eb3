package library

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/watch"
	"docent/pipeline/service/home"
	"docent/store"
)

// FollowRequest selects the doc sets to follow; without names all are followed, also doc
// sets that are added later.
type FollowRequest struct {
	Sets    []string
	Polling bool // the folders are listed every few seconds, not watched
	// Followed, unless nil, is called after each update that changed something; its error
	// ends Follow.
	Followed func(Followed) error
}

// Followed is an update of a doc set whose files changed.
type Followed struct {
	ingest.Report
	// Lag is the time in milliseconds from the last change of a page, or from the moment
	// at which it was noticed that one is gone, to the moment at which that could be
	// found; 0 where the change was made before anybody looked.
	Lag int64 `json:"index_lag_ms"`
}

const (
	listEvery = 2 * time.Second // the list of doc sets is looked at
	lockRetry = time.Second     // after an update that another process kept from writing
)

// Follow brings doc sets up to date as their files change, until ctx ends. An update
// that another process keeps from writing is tried again.
func (svc *Service) Follow(ctx context.Context, req FollowRequest, w home.Watch) error {
	f := &follower{svc: svc, req: req, w: w, fresh: map[int64]time.Time{}, missing: map[int64]bool{}}
	for ctx.Err() == nil {
		sets, err := f.chosen(ctx)
		if err != nil {
			return err
		}
		if err := f.follow(ctx, sets); err != nil {
			return err
		}
	}
	return nil
}

// follower is what Follow knows of the doc sets.
type follower struct {
	svc     *Service
	req     FollowRequest
	w       home.Watch
	begun   bool                // the names are known to be right
	fresh   map[int64]time.Time // when a doc set was last up to date
	missing map[int64]bool      // its folder is not there, and that was said
}

// chosen are the doc sets that are followed. The manual is never followed, as it does not
// change. A name that was known at the start may be gone, and come back.
func (f *follower) chosen(ctx context.Context) ([]store.Set, error) {
	var sets []store.Set
	var err error
	if !f.begun || len(f.req.Sets) == 0 {
		sets, err = f.svc.home.ResolveOrAll(ctx, f.req.Sets)
	} else {
		for _, name := range f.req.Sets {
			some, rerr := f.svc.home.ResolveOrAll(ctx, []string{name})
			if unknown, ok := errors.AsType[*contract.Error](rerr); ok && unknown.Code == contract.CodeInvalidRequest {
				continue // it was removed
			}
			sets, err = append(sets, some...), errors.Join(err, rerr)
		}
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	f.begun = f.begun || err == nil
	return slices.DeleteFunc(slices.Clone(sets), func(s store.Set) bool {
		return s.Ref == home.ManualRef() || s.Host != "" // that machine follows it
	}), err
}

// follow follows these doc sets until ctx ends or the list is another one.
func (f *follower) follow(ctx context.Context, sets []store.Set) error {
	ctx, cancel := context.WithCancel(ctx)
	listed := make(chan error, 1)
	go func() {
		defer cancel()
		listed <- f.listChanges(ctx, sets)
	}()
	var roots []string
	for _, s := range sets {
		if !slices.Contains(roots, s.Root) {
			roots = append(roots, s.Root)
		}
	}
	opt := watch.Options{Polling: f.req.Polling, Note: f.w.Notef}
	err := watch.WatchRoots(ctx, roots, opt, func(ctx context.Context, changed []string) error {
		for _, s := range sets {
			if !slices.Contains(changed, s.Root) {
				continue
			}
			err := f.update(ctx, s)
			if err != nil && ctx.Err() == nil && f.wasRemoved(ctx, s) {
				f.w.Notef("%s was removed; it is followed no more", s.Ref)
				err = nil // the list of doc sets is looked at soon
			}
			if err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return err
			}
		}
		return nil
	})
	cancel()
	return errors.Join(err, <-listed)
}

// listChanges returns when the list of doc sets is another one, or ctx ends.
func (f *follower) listChanges(ctx context.Context, sets []store.Set) error {
	tick := time.NewTicker(listEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now, err := f.chosen(ctx)
		if err != nil {
			return err
		}
		same := func(a, b store.Set) bool { return a.ID == b.ID && a.Root == b.Root }
		if ctx.Err() == nil && !slices.EqualFunc(sets, now, same) {
			return nil
		}
	}
}

// wasRemoved reports whether another process removed a doc set; one that was added again under its
// name is another one.
func (f *follower) wasRemoved(ctx context.Context, s store.Set) bool {
	now, err := f.svc.home.Corpus.Sets(ctx)
	return err == nil && !slices.ContainsFunc(now, func(o store.Set) bool { return o.ID == s.ID })
}

// update brings one doc set up to date, if it is not.
func (f *follower) update(ctx context.Context, s store.Set) error {
	disk, err := f.svc.Compare(ctx, s)
	if err != nil {
		return err
	}
	switch {
	case disk.fresh == Missing && !f.missing[s.ID]:
		f.missing[s.ID] = true
		f.w.Notef("%s: the folder %s is not there; it is looked for", s.Ref, s.Root)
		return nil
	case disk.fresh == Missing:
		return nil
	}
	f.missing[s.ID] = false
	was, noticed := f.fresh[s.ID], time.Now()
	if disk.fresh == Stale {
		w, told := f.w, error(nil)
		w.Report = func(r ingest.Report) {
			if !r.Touched() {
				return
			}
			done := Followed{Report: r, Lag: lagSince(was, noticed, disk.newest)}
			told = f.svc.keepLag(s, done.Lag)
			if f.req.Followed != nil {
				told = errors.Join(told, f.req.Followed(done))
			}
		}
		if err := errors.Join(f.retried(ctx, s, w), told); err != nil {
			return err
		}
	}
	f.fresh[s.ID] = time.Now()
	return nil
}

// retried updates a doc set, again and again while another process writes.
func (f *follower) retried(ctx context.Context, s store.Set, w home.Watch) error {
	for {
		_, err := f.svc.Update(ctx, UpdateRequest{Sets: []string{s.Ref.String()}}, w)
		if !home.LockedByAnother(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockRetry):
		}
	}
}

// lagSince is the time since the newest change, in milliseconds; see Followed.
func lagSince(fresh, noticed time.Time, newest int64) int64 {
	if fresh.IsZero() {
		return 0
	}
	if at := time.Unix(0, newest); at.After(fresh) && at.Before(noticed) {
		noticed = at
	}
	return max(1, time.Since(noticed).Milliseconds())
}

// keepLag keeps the lag of an update for Status; it is a figure and no state, so a home
// that cannot be written is no error of its own.
func (svc *Service) keepLag(s store.Set, ms int64) error {
	if ms == 0 {
		return nil
	}
	err := svc.home.Indexes.WriteRecord(s.ID, store.LagRecord, []byte(strconv.FormatInt(ms, 10)+"\n"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the doc set was removed by another process
	}
	return err
}

// LastLag is the lag in milliseconds of the last update that was followed, nil before the
// first.
func (svc *Service) LastLag(s store.Set) *int64 {
	raw, err := svc.home.Indexes.ReadRecord(s.ID, store.LagRecord)
	if err != nil {
		return nil
	}
	if ms, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil {
		return &ms
	}
	return nil
}
