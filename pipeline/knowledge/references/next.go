package references

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/knowledge/references/graphfile"
)

// Next is the graph of a doc set that is to be made from the stored records of its pages.
type Next struct {
	state State
	was   Before
	r     *resolver
	keeps bool // some edges of the graph before may hold
}

// NewNext begins a graph; was is the result of ReuseGraph. It brings kept into the order of the pages'
// paths. The error wraps ErrDamaged where the graph before is damaged.
func NewNext(ctx context.Context, state State, kept []Kept, was Before) (*Next, error) {
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.head.path, b.head.path) })
	n := &Next{state: state, was: was, r: newResolver(kept)}
	n.keeps = n.r.keepEdges(ctx, was)
	return n, n.r.err
}

// Write writes the graph. The same pages give the same bytes, in any order and with any earlier
// graph.
func (n *Next) Write(ctx context.Context, to io.Writer) error {
	r := n.r
	names := r.documented
	if names == nil && n.keeps {
		if names, r.err = n.was.readNames(); r.err != nil {
			return r.err
		}
	}
	if !n.keeps {
		if names = r.surveyWhole(ctx); r.err != nil {
			return r.err
		}
	}
	w := graphfile.NewWriter(to)
	for i, k := range r.kept {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.same[i] {
			row := k.row
			row.Document = k.Document
			w.CopyRecord(k.in, k.at, row)
			continue
		}
		row, packed, edges, err := r.makeRecord(i, n.keeps)
		if err == nil {
			err = w.WriteRecord(row, packed, edges)
		}
		if err != nil {
			return err
		}
	}
	return w.Seal(n.state, names, r.names.merge())
}

// makeRecord makes the record of a page.
func (r *resolver) makeRecord(i int, keeps bool) (k graphfile.Row, packed, edges []byte, err error) {
	kept := r.kept[i]
	if packed, _, err = kept.readBulk(); err != nil {
		return k, nil, nil, err
	}
	k = kept.row
	k.Document = kept.Document
	if !kept.stored || !keeps {
		k.Roots = r.told[i]
	}
	edges = encodeEdges(r.makeEdges(i))
	k.Basis = string(r.basis.encode())
	return k.Of(packed, edges), packed, edges, r.err
}

// Patch gives the patch with which the file of the graph before is this graph. It is nil where
// that has more than most bytes, or most of the graph changed; then Write writes it.
func (n *Next) Patch(ctx context.Context, most int64) ([]byte, error) {
	r := n.r
	if !n.keeps || n.was.Pages == nil {
		return nil, nil
	}
	p := &graphfile.Patch{State: n.state, Names: r.documented, Moved: r.names.moved, Fresh: r.names.fresh}
	if p.Names == nil && n.was.patch != nil {
		p.Names = n.was.patch.Names
	}
	records := map[int][]byte{} // those that were made
	size := int64(0)
	for i, k := range r.kept {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case !r.same[i]:
			row, packed, edges, err := r.makeRecord(i, true)
			if err != nil {
				return nil, err
			}
			records[i] = slices.Concat(packed, edges)
			p.Pages = append(p.Pages, graphfile.Patched{Page: i, Row: row})
		case k.patched:
			row := k.row
			row.Document = k.Document
			p.Pages = append(p.Pages, graphfile.Patched{Page: i, Row: row})
		default:
			continue
		}
		if size += int64(p.Pages[len(p.Pages)-1].Size()); size > most {
			return nil, nil
		}
	}
	return p.Encode(n.was.file, most, func(k graphfile.Patched) ([]byte, error) {
		if b, ok := records[k.Page]; ok {
			return b, nil
		}
		packed, edges, err := r.kept[k.Page].readBulk()
		return append(packed, edges...), err
	})
}

// keepEdges finds the pages whose stored edges hold, and gives the resolver the names. It reports
// whether any may hold: the doc set has the same pages as before at the same addresses, and the
// links of those that changed tell the same of the site's folder.
func (r *resolver) keepEdges(ctx context.Context, was Before) bool {
	if len(was.Pages) == 0 || len(was.Pages) != len(r.kept) || !r.keepRoots(ctx, was.Pages) || !r.keepNames(ctx, was) {
		clear(r.same)
		clear(r.roots)
		return false
	}
	return true
}

// keepNames takes the names of the graph before as far as no page has others, and drops the edges that
// depend on those that changed. It reports whether it could.
func (r *resolver) keepNames(ctx context.Context, was Before) bool {
	old, changed := map[int]*Page{}, map[int]*Page{} // those with another face
	for i, k := range r.kept {
		if was.Pages[i].row.Face == k.row.Face {
			continue
		}
		p, err := was.Pages[i].openPage()
		if err = cmp.Or(ctx.Err(), err); err != nil {
			r.fail(err)
			return false
		}
		old[i], changed[i] = p, r.pageWithDetails(i)
	}
	var err error
	if r.names, err = was.readPlaces(); err != nil {
		r.fail(err)
		return false
	}
	if len(changed) == 0 {
		return true
	}
	var renamed map[uint32]bool
	r.names, renamed = r.names.replace(old, changed)
	if !equalParameters(old, changed) {
		raw, err := was.readNames()
		if err != nil {
			r.fail(err)
			return false
		}
		var ok bool
		if r.documented, ok = replaceParameters(raw, changed); !ok {
			r.fail(ErrDamaged)
			return false
		}
	}
	for i, k := range r.kept {
		if !r.same[i] {
			continue
		}
		holds, ok := holdsBasis(k.row.Basis, changed, renamed)
		if !ok {
			r.fail(ErrDamaged)
			return false
		}
		r.same[i] = holds
	}
	return true
}

// fail keeps the first error.
func (r *resolver) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// equalParameters reports whether pages document the parameters that they documented before.
func equalParameters(old, now map[int]*Page) bool {
	names := func(pages map[int]*Page) []byte {
		at := parameterNames{}
		for _, i := range slices.Sorted(maps.Keys(pages)) {
			at.addPage(i, pages[i])
		}
		return at.encode()
	}
	return bytes.Equal(names(old), names(now))
}
