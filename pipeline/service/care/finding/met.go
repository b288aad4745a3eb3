package finding

import (
	"errors"
	"sync/atomic"

	"docent/pipeline/text/plural"
	"docent/store"
	"docent/store/doc"
)

// OfError is the finding that an error means which a store gave while the home was used;
// false: the error tells of no damage. The doc set is not known then: the repair looks for
// it.
func OfError(err error) (Finding, bool) {
	switch {
	case errors.Is(err, store.ErrDamaged):
		return NoFault(Index, "", "").Repairable(RepairIndex, err, ""), true
	case errors.Is(err, store.ErrVectorsDamaged):
		return NoFault(Vectors, "", "").Repairable(RepairVectorsAnew, err, ""), true
	case IsDamaged(err):
		return DamagedCatalog(err), true
	}
	return Finding{}, false
}

// IsDamaged reports whether an error means that a store's file must be made anew.
func IsDamaged(err error) bool { return store.FaultOf(err) == store.DamagedFault }

// mendsItself is the advice about damage that the next start repairs.
const mendsItself = "the next start mends it: it reads the damaged pages again, or makes the catalog again from the list of doc sets"

// DroppedRows says that the rows of pages of a doc set were damaged.
func DroppedRows(pages int, set doc.Ref) string {
	return "the catalog's rows of " + plural.Count(pages, "page", "pages") + " of " + set.String() + " were damaged; they are made again"
}

// DamagedCatalog is the finding of a catalog that is damaged.
func DamagedCatalog(err error) Finding {
	return NoFault(Catalog, "", "").Repairable(RepairCatalog, err, mendsItself)
}

// Met is the first damage that a process met while it used a home and that is repaired by
// opening the home again.
type Met struct{ first atomic.Pointer[Finding] }

// Note notes a finding, and reports whether it is the first.
func (m *Met) Note(f Finding) bool { return f.Repair.Reopens() && m.first.CompareAndSwap(nil, &f) }

// First is the first finding; nil: nothing was met.
func (m *Met) First() *Finding { return m.first.Load() }

// Next is what follows a use of a home.
type Next struct {
	Reopen bool // the home is closed and opened again, which repairs it
	Again  bool // what failed is done again then
}

// After says what follows a use of the home that ended with an error, or with nil.
func (m *Met) After(err error) Next {
	reopen := m.First() != nil
	return Next{Reopen: reopen, Again: reopen && IsDamaged(err)}
}
