package library

import (
	"context"
	"errors"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/store"
)

// learning says how far the learned vectors of a doc set are: whether they are
// settled, and whether training them again is due.
func (svc *Service) learning(ctx context.Context, set store.Set) (ingest.Learning, error) {
	return (&ingest.Ingester{Indexes: svc.home.Indexes}).Learning(ctx, set)
}

// SettleDue trains the learned vectors of all doc sets again that are due, for a
// program that runs on. Doc sets that another process is updating are left to the
// next call.
func (svc *Service) SettleDue(ctx context.Context, w home.Watch) error {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		l, err := svc.learning(ctx, s)
		if errors.Is(err, store.ErrDamaged) || err == nil && l.Due == "" {
			continue
		}
		if err != nil {
			return err
		}
		err = svc.home.Write(ctx, "settle", func(wr *home.Writer) error { return wr.Ingester.Settle(ctx, s, w.Events) })
		if home.LockedByAnother(err) || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}
