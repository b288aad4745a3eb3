package care

import (
	"context"
	"errors"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/lock"
)

// Mend repairs data that this process found damaged or missing and answered without:
// learned vectors that a killed update did not make, or that a search could not read. It
// skips a doc set that another process is working on. Failures are reported and are not
// errors: the next start tries again.
//
// With thorough, every byte of the vectors is compared with its checksum, and the
// catalog is looked through: damage of that is mended at the next start.
func (svc *Service) Mend(ctx context.Context, thorough bool, w home.Watch) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	if thorough {
		if err := svc.home.Catalog.Check(ctx); err != nil && !svc.home.IsDamaged(err) {
			return err
		}
	}
	for _, s := range sets {
		behind, anew := svc.unlearned(ctx, s)
		if thorough && !behind {
			anew = anew || errors.Is(svc.home.Indexes.VerifyVectors(ctx, s.ID, store.LearnedVectors), store.ErrVectorsDamaged)
		}
		if !behind && !anew {
			continue
		}
		svc.home.Say("the vectors of %s were damaged or missing; they are made again", s.Ref)
		err := svc.home.Write(ctx, "mend", func(wr *home.Writer) error {
			wr.Wait = 0
			return wr.Ingester.Mend(ctx, s, anew, w.Events)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, ok := errors.AsType[*lock.LockedError](err); ok || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			svc.home.Say("the vectors of %s could not be made again: %v", s.Ref, err)
			continue
		}
		svc.home.Corpus.Mended(s, store.LearnedVectors)
	}
	return nil
}

// unlearned reports whether a doc set's learned vectors are behind its index, and
// whether they must be made anew because they are damaged.
func (svc *Service) unlearned(ctx context.Context, s store.Set) (behind, anew bool) {
	anew = svc.home.Corpus.Damaged(s, store.LearnedVectors)
	x, release, err := svc.home.Corpus.Index(ctx, s)
	if err != nil {
		return false, false // there is nothing to learn from
	}
	defer release()
	behind, err = (&ingest.Ingester{Indexes: svc.home.Indexes}).Behind(ctx, s, x.Generation())
	return behind && err == nil, anew
}
