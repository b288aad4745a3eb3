package sourcing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/source"
	"docent/store"
)

// UpdateRequest says which doc sets are brought up to date.
type UpdateRequest struct {
	library.UpdateRequest
	// Offline asks no source.
	Offline bool
	// Force takes the present state of a source although it is far less than before, and asks it
	// although it was asked a short while ago.
	Force bool

	strict bool // somebody else than the person at this machine asks
}

// Update asks the sources of doc sets for changes, puts new documents in the place of the old,
// and brings the index up to date with them.
func (svc *Service) Update(ctx context.Context, req UpdateRequest, w home.Watch) (library.Updated, error) {
	var fresh []store.Set
	if !req.Offline {
		sets, err := svc.home.ResolveOrAll(ctx, req.Sets)
		if err != nil {
			return library.Updated{Sets: []ingest.Report{}}, err
		}
		if len(req.Sets) == 0 && !req.Force {
			sets = svc.setsToAsk(ctx, sets, w)
		}
		if fresh, err = svc.refreshAll(ctx, sets, req, w); err != nil {
			return library.Updated{Sets: []ingest.Report{}}, err
		}
	}
	return svc.completed(ctx, fresh, w, func(w home.Watch) (library.Updated, error) {
		return svc.library.Update(ctx, req.UpdateRequest, w)
	})
}

// setsToAsk are the doc sets whose sources may be asked again. The others are a note.
func (svc *Service) setsToAsk(ctx context.Context, sets []store.Set, w home.Watch) []store.Set {
	every := svc.opt.CheckEvery
	if every <= 0 {
		return sets
	}
	var out []store.Set
	var early []string
	for _, s := range sets {
		r, folder, ok, err := kept.ReadRecord(ctx, svc.home, s)
		// A time that is still to come is a clock's fault.
		since := svc.opt.Now().Sub(kept.Asked(folder, r))
		if err == nil && ok && since >= 0 && since < every {
			early = append(early, s.Ref.String())
			continue
		}
		out = append(out, s)
	}
	if len(early) > 0 {
		const most = 5
		names := strings.Join(early[:min(most, len(early))], ", ")
		if more := len(early) - most; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		w.Notef("not asked again within %v (sources.check_every): %s", every, names)
	}
	return out
}

// refreshAll asks the sources of doc sets. Doc sets of a person's folders have none. A source
// that cannot be had is a note, and its documents stay as they are. refreshed are the doc sets
// whose documents were replaced.
func (svc *Service) refreshAll(ctx context.Context, sets []store.Set, req UpdateRequest, w home.Watch) (refreshed []store.Set, err error) {
	for _, s := range sets {
		r, folder, ok, err := kept.ReadRecord(ctx, svc.home, s)
		if err != nil {
			w.Notef("%s: %v", s.Ref, err)
			continue
		}
		if !ok {
			continue
		}
		r.Want.Strict = req.strict
		switch changed, err := svc.refresh(ctx, s, r, folder, req.Force, w); {
		case ctx.Err() != nil:
			return refreshed, ctx.Err()
		case err != nil:
			w.Notef("%s stays as it was on %s: %v", s.Ref, r.Origin.Fetched.Format(time.DateOnly), err)
		case changed:
			refreshed = append(refreshed, s)
		}
	}
	return refreshed, nil
}

// refresh asks one source.
func (svc *Service) refresh(ctx context.Context, s store.Set, r kept.Record, folder string, force bool, w home.Watch) (changed bool,
	err error) {
	f := fetching{svc: svc, want: r.Want, before: beforeOf(r, folder), known: s, watch: w, force: force}
	if err := f.choose(); err != nil {
		return false, err
	}
	staging, release, err := svc.stage(ctx, r.Want)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, release()) }()
	f.staging = staging
	got, err := f.fetch(ctx)
	if errors.Is(err, source.ErrUnchanged) {
		kept.NoteAsked(folder, svc.opt.Now())
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if got.Root != r.Root {
		return false, fmt.Errorf("its pages lie in %s now, and lay in %s; add it again", got.Root, r.Root)
	}
	return true, f.replace(ctx, s.Ref, folder, got)
}
