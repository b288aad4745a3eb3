package home

import (
	"context"
	"errors"

	"docent/pipeline/ingest"
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
func (h *Home) Mend(ctx context.Context, thorough bool, w Watch) error {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	if thorough {
		if err := h.cat.Check(ctx); err != nil && !h.damaged(err) {
			return err
		}
	}
	for _, s := range sets {
		behind, anew := h.unlearned(ctx, s)
		if thorough && !behind {
			anew = anew || errors.Is(h.Indexes.VerifyVectors(ctx, s.ID, store.LearnedVectors), store.ErrVectorsDamaged)
		}
		if !behind && !anew {
			continue
		}
		h.Say("the vectors of %s were damaged or missing; they are made again", s.Ref)
		err := h.Write(ctx, "mend", func(wr *Writer) error {
			wr.wait = 0
			return wr.in.Mend(ctx, s, anew, w.Events)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, ok := errors.AsType[*lock.LockedError](err); ok || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			h.Say("the vectors of %s could not be made again: %v", s.Ref, err)
			continue
		}
		h.Corpus.Mended(s, store.LearnedVectors)
	}
	return nil
}

// unlearned reports whether a doc set's learned vectors are behind its index, and
// whether they must be made anew because they are damaged.
func (h *Home) unlearned(ctx context.Context, s store.Set) (behind, anew bool) {
	anew = h.Corpus.Damaged(s, store.LearnedVectors)
	x, release, err := h.Corpus.Index(ctx, s)
	if err != nil {
		return false, false // there is nothing to learn from
	}
	defer release()
	behind, err = (&ingest.Ingester{Indexes: h.Indexes}).Behind(ctx, s, x.Generation())
	return behind && err == nil, anew
}
