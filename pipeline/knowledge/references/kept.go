package references

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/knowledge/parameters"
)

// Kept is the stored record of one page.
type Kept struct {
	Document             int64 // in the catalog
	page, found, details []byte
	// face names what the edges of other pages depend on, see face.
	face string
	// Of a page out of a stored graph: what its links tell of the site's folder, and its
	// edges.
	roots, edges []byte
}

// Keep brings a page into the form in which it is stored.
func Keep(p *Page) Kept {
	return Kept{page: encodePage(p), found: encodeFound(p), details: encodeDetails(p), face: face(p)}
}

func (k Kept) open() (*Page, bool) {
	p, ok := decodePage(k.page)
	return p, ok && decodeFound(p, k.found) && decodeDetails(p, k.details)
}

// path is the page's path.
func (k Kept) path() string { return (&parser{b: k.page}).str() }

// head is a page with what its address depends on alone.
func (k Kept) head() (*Page, bool) {
	r, f := &parser{b: k.page}, &parser{b: k.found}
	p := &Page{Path: r.str(), Title: r.str(), URL: r.str(), Permalink: f.str()}
	for range f.count() {
		p.Aliases = append(p.Aliases, f.str())
	}
	return p, !r.bad && !f.bad
}

// face is a hash of all of a page that the edges of other pages depend on: where it lies,
// and what its places and parameters are called. As long as no face changes, an update
// makes the edges of changed pages alone.
func face(p *Page) string {
	w := &writer{}
	for _, s := range append([]string{p.Path, p.Title, p.URL, p.Permalink}, p.Aliases...) {
		w.str(s)
	}
	w.num(len(p.Places))
	for _, s := range p.Places {
		w.str(s.Text)
		w.str(s.Anchor)
	}
	w.num(len(p.Anchors))
	for _, a := range p.Anchors {
		w.str(a.Name)
		w.num(a.Place)
	}
	w.num(len(p.Includes))
	for _, f := range p.Includes {
		w.str(f)
	}
	for i, x := range p.Parts {
		if x.documents() {
			w.num(i)
			w.flag(x.Details.form == parameters.Heading)
			w.num(len(x.Details.aliases))
			for _, name := range append([]string{x.Name}, x.Details.aliases...) {
				w.str(name)
			}
		}
	}
	sum := sha256.Sum256(w.b)
	return string(sum[:16])
}

// Resolve makes the graph of a doc set from the stored records of its pages, and encodes
// it. The same pages give the same bytes, in any order and with any earlier graph: was is
// the result of Reuse.
func Resolve(state State, kept []Kept, was Before) ([]byte, error) {
	kept = slices.Clone(kept)
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.path(), b.path()) })
	r, ok := newResolver(kept)
	if !ok {
		return nil, ErrDamaged
	}
	names := was.names
	if !r.keepEdges(was.Pages) {
		r.readRoots(func(int) bool { return true })
		for i := range kept {
			r.page(i)
		}
		names = encodeNames(r.pages)
	}
	size := 1<<10 + len(names)
	for _, k := range kept {
		size += len(k.page) + len(k.found) + len(k.details) + len(k.edges) + 64
	}
	w := &writer{b: append(make([]byte, 0, size), magic...)}
	w.str(state.Generation)
	w.str(state.Rules)
	w.raw(names)
	w.num(len(kept))
	for i, k := range kept {
		if !r.same[i] {
			k.roots, k.edges = encodeRoots(r.told[i]), encodeEdges(r.edges(i))
		}
		w.b = binary.AppendVarint(w.b, k.Document)
		w.raw(k.page)
		w.raw(k.found)
		w.raw(k.details)
		w.str(k.face)
		w.raw(k.roots)
		w.raw(k.edges)
	}
	if r.bad {
		return nil, ErrDamaged
	}
	return binary.LittleEndian.AppendUint32(w.b, crc32.Checksum(w.b, castagnoli)), nil
}

// keepEdges finds the pages whose stored edges hold, and reports whether any do: the doc set
// has the same pages as before, each with the same face, and the links of those that
// changed tell the same of the site's folder.
func (r *resolver) keepEdges(was map[int64]Kept) bool {
	if len(was) == 0 || len(was) != len(r.kept) {
		return false
	}
	before := make(map[string]Kept, len(was))
	for _, k := range was {
		before[k.path()] = k
	}
	for i, k := range r.kept {
		old, ok := before[r.heads[i].Path]
		if !ok || old.face != k.face {
			clear(r.same)
			return false
		}
		r.same[i] = k.edges != nil
	}
	r.readRoots(func(i int) bool { return !r.same[i] })
	for i, k := range r.kept {
		told, ok := decodeRoots(before[r.heads[i].Path].roots)
		if !ok || !r.same[i] && !maps.Equal(told, r.told[i]) {
			clear(r.same)
			clear(r.roots)
			return false
		}
		if k.edges != nil {
			for root, n := range told {
				r.roots[root] += n
			}
		}
	}
	return true
}

func encodeRoots(roots map[string]int) []byte {
	w := &writer{}
	w.num(len(roots))
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		w.str(root)
		w.num(roots[root])
	}
	return w.b
}

func decodeRoots(b []byte) (map[string]int, bool) {
	r := &parser{b: b}
	n := r.count()
	out := make(map[string]int, n)
	for range n {
		root := r.str()
		out[root] = r.num()
	}
	return out, !r.bad
}
