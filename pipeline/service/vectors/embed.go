package vectors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/lock"
)

// ErrUnembedded means that doc sets are up to date and their vectors by a model
// are not; the next update goes on with them.
var ErrUnembedded = contract.Remedied(errors.New("the vectors by a model are not complete"),
	contract.RunDocent("update").To("goes on where it was"))

// cachePath is where the vectors that models made are kept, for people.
func (svc *Service) cachePath() string { return svc.home.Stores.Cache().Name() }

// Embed has a model make the vectors of doc sets that lack them, one doc set after the
// other; with again, all vectors are stored anew. It may take hours, and other processes
// can change the home during that time. Without a configured or requested model, and if
// no model is found, it does nothing.
//
// A failure is a note, once for each model: the doc sets still answer by their
// words. It is an error only where a model is required. When ctx ends, the error
// wraps ErrUnembedded; finished vectors are kept.
func (svc *Service) Embed(ctx context.Context, sets []store.Set, again bool, w home.Watch) ([]embed.Report, error) {
	e := &embedding{svc: svc, watch: w, failed: map[string]bool{}, wait: home.Forever}
	err := e.embedAll(ctx, sets, again)
	return e.reports, e.close(err)
}

// EmbedQuietly has a model make the vectors of one doc set. In the background it does not
// say that it waits for another process, nor that it was not done when ctx ended.
func (svc *Service) EmbedQuietly(ctx context.Context, set store.Set, background bool, w home.Watch) error {
	e := &embedding{svc: svc, watch: w, failed: map[string]bool{}, wait: home.Forever, background: background}
	return e.close(e.embedAll(ctx, []store.Set{set}, false))
}

// KeepEmbedded is Embed for all doc sets, for a program that keeps running: doc sets
// that another process is working on are left to it. It returns when all vectors are
// made, or with the error of a model that failed; it may then be called again.
func (svc *Service) KeepEmbedded(ctx context.Context, w home.Watch) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	e := &embedding{svc: svc, watch: w, failed: map[string]bool{}, background: true}
	err = e.embedAll(ctx, sets, false)
	return e.close(errors.Join(err, e.first))
}

// embedding is one call of Embed.
type embedding struct {
	svc        *Service
	watch      home.Watch
	wait       time.Duration // for another process that is at work on a doc set; 0: it is left to it
	background bool          // reports neither that the work waits nor that ctx ended it
	cache      home.Cache
	reports    []embed.Report
	written    bool
	failed     map[string]bool // models, by their names in traces
	first      error           // why
	unnamed    bool            // a server was found that is not configured, and it was reported
}

func (e *embedding) close(err error) error {
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close())
		e.cache = nil
	}
	return err
}

func (e *embedding) embedAll(ctx context.Context, sets []store.Set, again bool) error {
	for _, set := range sets {
		v, err := e.svc.Wanted(ctx, set)
		if unnamed, ok := errors.AsType[*home.UnnamedError](err); ok {
			allowed, aerr := e.consent(ctx, unnamed)
			if aerr != nil {
				return aerr
			}
			if !allowed {
				continue
			}
			v, err = e.svc.Wanted(ctx, set)
		}
		if errors.Is(err, model.ErrNone) {
			continue
		}
		if err != nil && ctx.Err() != nil {
			return ctx.Err() // it is unknown whether there is a model
		}
		if err == nil && !e.failed[v.Engine] {
			err = e.embedSet(ctx, set, v, again)
		}
		if err != nil {
			if err = e.reportFailure(ctx, set, v, err); err != nil {
				return err
			}
		}
	}
	if e.written {
		return e.svc.pruneCache(ctx, e.cache)
	}
	return nil
}

// embedSet makes the vectors of one doc set.
func (e *embedding) embedSet(ctx context.Context, set store.Set, v model.Vectors, again bool) (err error) {
	waiting := func(holder string) {
		if !e.background {
			e.watch.Notef("waiting for %s to finish the vectors of %s", holder, set.Ref)
		}
	}
	held, err := e.svc.home.Indexes.LockSet(ctx, set.ID, store.Embedding, "embed "+set.Ref.String(), e.wait, waiting)
	if _, ok := errors.AsType[*lock.LockedError](err); ok {
		return nil
	}
	if err != nil {
		// A home that cannot be written may have all that it needs.
		if st, lerr := e.svc.ModelVectors(ctx, set); lerr == nil && st != nil && st.Model == v.ID && st.Complete() {
			return nil
		}
		return e.svc.home.Unwritable(err)
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	rep, err := e.update(ctx, set, v, again)
	if errors.Is(err, embed.ErrGone) {
		return e.svc.home.RemoveModelVectors(set.ID)
	}
	e.written = e.written || rep.Written
	if err != nil {
		return err
	}
	e.svc.home.Corpus.Mended(set, store.ModelVectors)
	e.reports = append(e.reports, rep)
	if err := e.svc.weighSet(ctx, set); err != nil && ctx.Err() == nil {
		e.watch.Notef("%s: how much vectors by %s count could not be measured (%v); the default counts", set.Ref, v.Engine, err)
	}
	if rep.Skipped > 0 {
		e.watch.Notef("%s: %d pages changed since they were indexed and have no vectors by %s yet; %v", set.Ref, rep.Skipped,
			v.Engine, contract.RunDocent("update", set.Ref.String()))
	}
	return nil
}

// update makes a doc set's vectors, in a new cache if the one that is there turns
// out to be damaged.
func (e *embedding) update(ctx context.Context, set store.Set, v model.Vectors, again bool) (rep embed.Report, err error) {
	for range 2 {
		if e.cache == nil {
			if e.cache, err = e.svc.openCache(ctx); err != nil {
				return rep, e.svc.home.Unwritable(err)
			}
		}
		if err := e.svc.home.Shared.Fill(ctx, set); err != nil {
			return rep, err
		}
		damaged := e.svc.home.Corpus.Damaged(set, store.ModelVectors)
		rep, err = e.svc.embedder(e.cache).Update(ctx, set, v, again || damaged, e.watch.Events)
		if !finding.IsDamaged(err) {
			return rep, e.svc.home.Unwritable(err)
		}
		if err := e.close(nil); err != nil {
			return rep, err
		}
		if err := e.svc.PutCacheAside(ctx); err != nil {
			return rep, err
		}
	}
	return rep, err
}

// reportFailure says what failed. The error is for what ends the work.
func (e *embedding) reportFailure(ctx context.Context, set store.Set, v model.Vectors, err error) error {
	if ctx.Err() != nil {
		if !e.background {
			e.watch.Notef("%v", ErrUnembedded)
		}
		return fmt.Errorf("%w: %w", ErrUnembedded, ctx.Err())
	}
	if fatal, ok := errors.AsType[*contract.Error](err); ok {
		return fatal
	}
	if _, ok := errors.AsType[*home.UnavailableError](err); ok {
		return err // the home, and not the model
	}
	if e.svc.models.Required() {
		return &contract.Error{Code: home.CodeModelsUnavailable, Message: fmt.Sprintf("%v (%v)", err, ErrUnembedded), Err: err,
			Remedy: contract.RemedyOf(ErrUnembedded)}
	}
	if e.first == nil {
		e.first = err
	}
	if e.failed[v.Engine] {
		return nil
	}
	e.failed[v.Engine] = true
	next := ErrUnembedded
	if llm.KindOf(err) == llm.Incapable {
		next = contract.Remedied(errors.New("choose another in docent.toml"), contract.RunDocent("models").To("lists them"))
	}
	e.watch.Notef("%s answers by its words and built-in vectors: %v; %v", set.Ref, err, next)
	return nil
}

// embedder makes vectors for this home.
func (svc *Service) embedder(cache home.Cache) *embed.Embedder {
	return &embed.Embedder{Catalog: svc.home.Corpus.Catalog, Parsers: svc.home.Parsers, Indexes: svc.home.Indexes, Cache: cache,
		Now: time.Now,
		Lock: func(ctx context.Context) (func() error, error) {
			held, err := svc.home.Lock(ctx, "embed")
			if err != nil {
				return nil, err
			}
			return held.Release, nil
		}}
}

// openCache opens the vectors that models made, or begins anew where they are
// damaged.
func (svc *Service) openCache(ctx context.Context) (home.Cache, error) {
	cache, err := svc.home.Stores.OpenCache(ctx)
	if !finding.IsDamaged(err) {
		return cache, err
	}
	if err := svc.PutCacheAside(ctx); err != nil {
		return nil, err
	}
	return svc.home.Stores.OpenCache(ctx)
}

// PutCacheAside puts a damaged cache aside, unless another process did so
// already.
func (svc *Service) PutCacheAside(ctx context.Context) (err error) {
	held, err := svc.home.Lock(ctx, "embed")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	cache, err := svc.home.Stores.OpenCache(ctx)
	if err == nil {
		err = cache.Check(ctx)
		err = errors.Join(err, cache.Close())
	}
	if !finding.IsDamaged(err) {
		return err
	}
	aside, err := svc.home.Stores.Cache().PutAside(ctx)
	if err != nil {
		return svc.home.Unwritable(err)
	}
	svc.home.Say("%s, where vectors of models are kept, was damaged; it lies beside as %s and is begun anew", svc.cachePath(),
		filepath.Base(aside))
	return nil
}

// pruneCache drops what no doc set needs any more from the cache.
func (svc *Service) pruneCache(ctx context.Context, cache home.Cache) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	// Without knowing which models are wanted all stay: one of them may be half done, by
	// this process or by one that was given another model.
	var models []string
	for _, s := range sets {
		v, err := svc.Wanted(ctx, s)
		if err != nil || svc.embeds(ctx, s) {
			models = nil
			break
		}
		models = append(models, v.ID)
	}
	if _, err = svc.embedder(cache).Prune(ctx, models); finding.IsDamaged(err) {
		return nil // the next Embed puts it aside
	}
	return svc.home.Unwritable(err)
}

// embeds reports whether anybody is at work on a doc set's vectors.
func (svc *Service) embeds(ctx context.Context, set store.Set) bool {
	busy, err := svc.home.Indexes.Locked(ctx, set.ID, store.Embedding)
	return err != nil || busy
}

// PruneRemoved drops what only doc sets that were removed needed.
func (svc *Service) PruneRemoved(ctx context.Context) error {
	if _, err := svc.home.Stores.Cache().Identify(ctx); err != nil {
		return nil // no model ever made vectors here
	}
	cache, err := svc.home.Stores.OpenCache(ctx)
	if finding.IsDamaged(err) {
		return nil
	}
	if err != nil {
		return svc.home.Unwritable(err)
	}
	return errors.Join(svc.pruneCache(ctx, cache), cache.Close())
}

// ModelVectors says by which model a doc set has vectors and how far they are; nil
// where it has none that can be used.
func (svc *Service) ModelVectors(ctx context.Context, set store.Set) (*embed.State, error) {
	st, err := embed.LookUpState(ctx, svc.home.Corpus.Catalog, svc.home.Indexes, set)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &st, nil
}
