package home

import (
	"context"
	"errors"

	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/lock"
)

// Learning says how far the learned vectors of a doc set are: whether they are
// settled, and whether training them again is due.
func (h *Home) Learning(ctx context.Context, set store.Set) (ingest.Learning, error) {
	return (&ingest.Ingester{Indexes: h.Indexes}).Learning(ctx, set)
}

// SettleDue trains the learned vectors of all doc sets again that are due, for a
// program that runs on. Doc sets that another process is updating are left to the
// next call.
func (h *Home) SettleDue(ctx context.Context, w Watch) error {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		l, err := h.Learning(ctx, s)
		if errors.Is(err, store.ErrDamaged) || err == nil && l.Due == "" {
			continue
		}
		if err != nil {
			return err
		}
		err = h.Write(ctx, "settle", func(wr *Writer) error { return wr.in.Settle(ctx, s, w.Events) })
		if _, ok := errors.AsType[*lock.LockedError](err); ok || errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}
