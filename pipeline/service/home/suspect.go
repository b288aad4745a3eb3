package home

import (
	"context"
	"errors"
	"io/fs"

	"docent/pipeline/service/care/finding"
	"docent/store"
)

// A catalog is not looked through at every start: that takes longer than most answers.
// Reads are compared with checksums, and a process that meets damage leaves a note with
// the catalog. The next start that finds it looks through all of the catalog: pages whose
// rows are damaged are read again from their files; a catalog that is damaged in another
// way is put aside and made again from the list.

// AfterUse says what follows a use of the home that ended with an error, or with nil.
func (h *Home) AfterUse(err error) finding.Next {
	if errors.Is(err, ErrReplaced) {
		return finding.Next{Reopen: true, Again: true}
	}
	return h.met.After(err)
}

// ErrReplaced means that the catalog was made again while the home was open.
var ErrReplaced = errors.New("the catalog was made again; the home has to be opened again")

// NoteDamage notes what an error says of the catalog, and gives it back.
func (h *Home) NoteDamage(err error) error {
	if finding.IsDamaged(err) && h.met.Note(finding.DamagedCatalog(err)) {
		// Without the note the next start leaves the damage as it is.
		_ = h.Stores.Catalog().NoteDamage(context.Background())
	}
	return err
}

// openReader opens the catalog for reading. Where damage was met before, it is looked
// through; where it cannot list the doc sets, it is damaged.
func (h opening) openReader(ctx context.Context) (Catalog, error) {
	cat, err := h.Stores.OpenCatalog(ctx)
	if err != nil {
		return nil, err
	}
	_, err = cat.Sets(ctx)
	if err == nil && h.Stores.Catalog().DamageNoted(ctx) {
		if err = h.mendRows(ctx, cat); finding.IsDamaged(err) {
			err = errors.Join(err, cat.Close())
			return nil, err
		}
		if err == nil {
			err = h.Stores.Catalog().ForgetDamage(ctx)
		}
		if errors.Is(err, fs.ErrNotExist) || store.FaultOf(err) == store.DiskFault {
			err = nil // another process was quicker; or nothing can be written here
		}
	}
	if err != nil {
		return nil, errors.Join(err, cat.Close())
	}
	return &watchedCatalog{cat, h.NoteDamage}, nil
}

// soundCatalog reports whether the catalog can be opened, and is undamaged if damage was
// met before. It repairs nothing and takes no lock.
func (h opening) soundCatalog(ctx context.Context) bool {
	cat, err := h.Stores.OpenCatalog(ctx)
	if err != nil {
		return false
	}
	_, err = cat.Sets(ctx)
	if err == nil && h.Stores.Catalog().DamageNoted(ctx) {
		err = cat.Check(ctx)
	}
	return errors.Join(err, cat.Close()) == nil
}

// mendRows drops the rows of pages that are damaged; the doc sets that had them are
// updated when the home is ready. The error is for any other damage.
func (h opening) mendRows(ctx context.Context, cat Catalog) error {
	damage := cat.Check(ctx)
	if damage == nil || !finding.IsDamaged(damage) {
		return damage
	}
	sets, err := cat.Sets(ctx)
	if err != nil {
		return err
	}
	var torn []setDamage
	err = h.Write(ctx, "mend", func(w *Writer) error {
		return w.Locked(ctx, func() error {
			for _, s := range sets {
				n, err := w.cat.DropDamaged(ctx, s.ID)
				if err != nil {
					return err
				}
				if n > 0 {
					h.Say("%s", finding.DroppedRows(n, s.Ref))
					found := finding.NoFault(finding.Catalog, s.Ref.String(), "").Repairable(finding.RepairUpdate, damage, "")
					torn = append(torn, setDamage{s, found})
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	h.torn = torn
	return cat.Check(ctx) // of what else there may be
}

// watchedCatalog is a catalog whose damage is noted when it is met.
type watchedCatalog struct {
	Catalog
	meet func(error) error
}

// Sets is store.Sets'.
func (w *watchedCatalog) Sets(ctx context.Context) ([]store.Set, error) {
	out, err := w.Catalog.Sets(ctx)
	return out, w.meet(err)
}

// ByID is store.Catalog's.
func (w *watchedCatalog) ByID(ctx context.Context, ids []int64) (map[int64]*store.Document, error) {
	out, err := w.Catalog.ByID(ctx, ids)
	return out, w.meet(err)
}

// ByPath is store.Catalog's.
func (w *watchedCatalog) ByPath(ctx context.Context, setID int64, path string) (*store.Document, error) {
	out, err := w.Catalog.ByPath(ctx, setID, path)
	return out, w.meet(err)
}

// ByTitle is store.Catalog's.
func (w *watchedCatalog) ByTitle(ctx context.Context, setID int64, title string) ([]store.Document, error) {
	out, err := w.Catalog.ByTitle(ctx, setID, title)
	return out, w.meet(err)
}

// Has is store.Catalog's.
func (w *watchedCatalog) Has(ctx context.Context, setID int64, path string) (bool, error) {
	out, err := w.Catalog.Has(ctx, setID, path)
	return out, w.meet(err)
}

// Documents is store.Catalog's.
func (w *watchedCatalog) Documents(ctx context.Context, setID int64) ([]store.Document, error) {
	out, err := w.Catalog.Documents(ctx, setID)
	return out, w.meet(err)
}

// Files is store.Catalog's.
func (w *watchedCatalog) Files(ctx context.Context, setID int64) ([]store.FileState, error) {
	out, err := w.Catalog.Files(ctx, setID)
	return out, w.meet(err)
}

// Paths is store.Catalog's.
func (w *watchedCatalog) Paths(ctx context.Context, setID int64) ([]string, error) {
	out, err := w.Catalog.Paths(ctx, setID)
	return out, w.meet(err)
}

// PathsBetween is store.Catalog's.
func (w *watchedCatalog) PathsBetween(ctx context.Context, setID int64, from, before string) ([]string, error) {
	out, err := w.Catalog.PathsBetween(ctx, setID, from, before)
	return out, w.meet(err)
}

// Failures is store.Catalog's.
func (w *watchedCatalog) Failures(ctx context.Context, setID int64) ([]store.Failure, error) {
	out, err := w.Catalog.Failures(ctx, setID)
	return out, w.meet(err)
}

// Check notes the damage that it finds.
func (w *watchedCatalog) Check(ctx context.Context) error { return w.meet(w.Catalog.Check(ctx)) }
