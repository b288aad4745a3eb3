package care

import (
	"context"
	"errors"

	"docent/pipeline/ingest"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/store"
)

// MendData repairs data that this process found damaged or missing and answered without:
// learned vectors that a killed update did not make, or that a search could not read. It
// skips a doc set that another process is working on. Failures are reported and are not
// errors: the next start tries again.
//
// With thorough, every byte of the vectors is compared with its checksum, and the
// catalog is looked through: damage of that is mended at the next start.
func (svc *Service) MendData(ctx context.Context, thorough bool, w home.Watch) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	if thorough {
		if err := svc.home.Catalog.Check(ctx); err != nil && !finding.IsDamaged(err) {
			return err
		}
	}
	for _, s := range sets {
		f := svc.examineLearned(ctx, s, thorough)
		if f.OK {
			continue
		}
		err := svc.home.Write(ctx, "mend", func(wr *home.Writer) error {
			wr.Wait = 0
			return wr.Repair(ctx, s, f.Repair, w.Events)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if home.LockedByAnother(err) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			svc.home.Say("the vectors of %s could not be made again: %v", s.Ref, err)
			continue
		}
		// Only now: another process that is making them has the lock until they are there.
		svc.home.Say("the vectors of %s were damaged or missing; they were made again", s.Ref)
		svc.home.Corpus.Mended(s, store.LearnedVectors)
	}
	return nil
}

// MendMet repairs what an error of a search or an answer tells of: the indexes that are
// damaged are built again. It reports whether that was done; else the error is the given
// one, and what went wrong with the repair.
func (svc *Service) MendMet(ctx context.Context, err error) (bool, error) {
	f, ok := finding.OfError(err)
	if !ok || f.Repair != finding.RepairIndex {
		return false, err
	}
	sets, serr := svc.home.Corpus.Sets(ctx)
	if serr != nil {
		return false, errors.Join(err, serr)
	}
	werr := svc.home.Write(ctx, "mend", func(w *home.Writer) error {
		for _, s := range sets {
			if svc.home.Indexes.Verify(ctx, s.ID) == nil {
				continue
			}
			if err := w.Repair(ctx, s, f.Repair, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if werr != nil {
		return false, errors.Join(err, werr)
	}
	return true, nil
}

var errBehind = errors.New("they are older than the index, or missing")

// examineLearned looks whether a doc set's learned vectors are those of its index, and
// whether a search found them damaged; with thorough, every byte of them is compared with
// its checksum.
func (svc *Service) examineLearned(ctx context.Context, s store.Set, thorough bool) finding.Finding {
	f := finding.NoFault(finding.Vectors, s.Ref.String(), "")
	anew := svc.home.Corpus.Damaged(s, store.LearnedVectors)
	x, release, err := svc.home.Corpus.Index(ctx, s)
	if err != nil {
		anew = false // the index is made first
	} else {
		defer release()
	}
	behind := false
	if err == nil {
		behind, err = (&ingest.Ingester{Indexes: svc.home.Indexes}).Behind(ctx, s, x.Generation())
		behind = behind && err == nil
	}
	if thorough && !behind && !anew {
		anew = errors.Is(svc.home.Indexes.VerifyVectors(ctx, s.ID, store.LearnedVectors), store.ErrVectorsDamaged)
	}
	switch {
	case anew:
		return f.Repairable(finding.RepairVectorsAnew, store.ErrVectorsDamaged, "")
	case behind:
		return f.Repairable(finding.RepairVectors, errBehind, "")
	}
	return f
}
