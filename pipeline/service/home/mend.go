package home

import (
	"context"
	"slices"
	"sync"

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

	mu  sync.Mutex
	all []setDamage
}

// leave leaves the damage of broken doc sets for later, and gives the rest. Pages whose rows were
// damaged are read again at once: that is quick, and without them an answer is a wrong one.
func (b *Behind) leave(all, broken []setDamage) (rest []setDamage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range all {
		if slices.ContainsFunc(broken, func(other setDamage) bool { return other.set.ID == d.set.ID }) {
			b.all = append(b.all, d)
		} else {
			rest = append(rest, d)
		}
	}
	return rest
}

// unrepaired is what is not repaired yet.
func (b *Behind) unrepaired() []setDamage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.all)
}

// settle takes out what is repaired.
func (b *Behind) settle(done setDamage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = slices.DeleteFunc(b.all, func(d setDamage) bool { return d.set.ID == done.set.ID && d.Repair == done.Repair })
}

// Names are their names, in their order.
func (b *Behind) Names() []string {
	var out []string
	for _, d := range b.unrepaired() {
		if name := d.set.Ref.String(); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Mend repairs them, with the progress of indexing in events. What another process repaired in
// the meantime is left alone, and what it repairs now is left to it: then LockedByAnother is true
// of the error. Where one fails the others are repaired too; the error is the first.
func (b *Behind) Mend(ctx context.Context, events contract.Sink) error {
	all := b.unrepaired()
	if len(all) == 0 {
		return nil
	}
	return b.home.Write(ctx, "prepare", func(w *Writer) error {
		var failed error
		w.progress, w.Wait = events, 0
		for _, d := range all {
			if d.Repair == finding.RepairIndex && b.home.Corpus.CheckIndex(ctx, d.set) == nil {
				b.settle(d)
				continue
			}
			err := w.Repair(ctx, d.set, d.Repair, nil)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err == nil:
				b.settle(d)
			case failed == nil:
				failed = err
			}
		}
		return failed
	})
}
