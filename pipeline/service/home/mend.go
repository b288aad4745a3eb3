package home

import (
	"context"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/service/care/finding"
	"docent/store"
)

// searchable reports whether a question can be answered while some doc sets are broken: from
// pages of another one than the manual, which is searched only where it is asked for.
func searchable(sets []store.Set, broken []setDamage) bool {
	return slices.ContainsFunc(sets, func(s store.Set) bool {
		return s.Ref != ManualRef() && s.Documents > 0 &&
			!slices.ContainsFunc(broken, func(d setDamage) bool { return d.set.ID == s.ID })
	})
}

// Behind are doc sets that must be repaired and that Open left for later.
type Behind struct {
	home *Home
	all  []setDamage
}

// Names are their names, in their order.
func (b Behind) Names() []string {
	var out []string
	for _, d := range b.all {
		if name := d.set.Ref.String(); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Mend repairs them, with the progress of indexing in events. What another process repaired in
// the meantime is left alone. Where one fails the others are repaired too; the error is the
// first.
func (b Behind) Mend(ctx context.Context, events contract.Sink) error {
	if len(b.all) == 0 {
		return nil
	}
	var failed error
	return b.home.Write(ctx, "prepare", func(w *Writer) error {
		w.progress = events
		for _, d := range b.all {
			if d.Repair == finding.RepairIndex && b.home.Corpus.CheckIndex(ctx, d.set) == nil {
				continue
			}
			if err := w.Repair(ctx, d.set, d.Repair, nil); failed == nil {
				failed = err
			}
			if ctx.Err() != nil {
				break
			}
		}
		return failed
	})
}
