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

// KeepPage brings a page into the form in which it is stored.
func KeepPage(p *Page) Kept {
	return Kept{page: encodePage(p), found: encodeFound(p), details: encodeDetails(p), face: faceHash(p)}
}

func (k Kept) openPage() (*Page, bool) {
	p, ok := decodePage(k.page)
	return p, ok && decodeFound(p, k.found) && decodeDetails(p, k.details)
}

// pagePath is the page's path.
func (k Kept) pagePath() string { return (&parser{b: k.page}).readString() }

// addressHead is a page with what its address depends on alone.
func (k Kept) addressHead() (*Page, bool) {
	r, f := &parser{b: k.page}, &parser{b: k.found}
	p := &Page{Path: r.readString(), Title: r.readString(), URL: r.readString(), Permalink: f.readString()}
	for range f.readCount() {
		p.Aliases = append(p.Aliases, f.readString())
	}
	return p, !r.bad && !f.bad
}

// faceHash is a hash of all of a page that the edges of other pages depend on: where it lies,
// and what its places and parameters are called. As long as no face changes, an update
// makes the edges of changed pages alone.
func faceHash(p *Page) string {
	w := &writer{}
	for _, s := range append([]string{p.Path, p.Title, p.URL, p.Permalink}, p.Aliases...) {
		w.writeString(s)
	}
	w.writeNumber(len(p.Places))
	for _, s := range p.Places {
		w.writeString(s.Text)
		w.writeString(s.Anchor)
	}
	w.writeNumber(len(p.Anchors))
	for _, a := range p.Anchors {
		w.writeString(a.Name)
		w.writeNumber(a.Place)
	}
	w.writeNumber(len(p.Includes))
	for _, f := range p.Includes {
		w.writeString(f)
	}
	for i, x := range p.Parts {
		if x.documents() {
			w.writeNumber(i)
			w.writeFlag(x.Details.form == parameters.Heading || x.Details.form == parameters.Example)
			w.writeNumber(len(x.Details.aliases))
			for _, name := range append([]string{x.Name}, x.Details.aliases...) {
				w.writeString(name)
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
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.pagePath(), b.pagePath()) })
	r, ok := newResolver(kept)
	if !ok {
		return nil, ErrDamaged
	}
	names := was.names
	if !r.keepEdges(was.Pages) {
		r.readRoots(func(int) bool { return true })
		for i := range kept {
			r.pageWithDetails(i)
		}
		names = encodeNames(r.pages)
	}
	size := 1<<10 + len(names)
	for _, k := range kept {
		size += len(k.page) + len(k.found) + len(k.details) + len(k.edges) + 64
	}
	w := &writer{b: append(make([]byte, 0, size), magic...)}
	w.writeString(state.Generation)
	w.writeString(state.Rules)
	w.writeBytes(names)
	w.writeNumber(len(kept))
	for i, k := range kept {
		if !r.same[i] {
			k.roots, k.edges = encodeRoots(r.told[i]), encodeEdges(r.makeEdges(i))
		}
		w.writeKept(k)
	}
	if r.bad {
		return nil, ErrDamaged
	}
	return w.sealed(), nil
}

// writeKept writes the record of a page.
func (w *writer) writeKept(k Kept) {
	w.b = binary.AppendVarint(w.b, k.Document)
	w.writeBytes(k.page)
	w.writeBytes(k.found)
	w.writeBytes(k.details)
	w.writeString(k.face)
	w.writeBytes(k.roots)
	w.writeBytes(k.edges)
}

// sealed is the file with its checksum.
func (w *writer) sealed() []byte {
	return binary.LittleEndian.AppendUint32(w.b, crc32.Checksum(w.b, castagnoli))
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
		before[k.pagePath()] = k
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
	w.writeNumber(len(roots))
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		w.writeString(root)
		w.writeNumber(roots[root])
	}
	return w.b
}

func decodeRoots(b []byte) (map[string]int, bool) {
	r := &parser{b: b}
	n := r.readCount()
	out := make(map[string]int, n)
	for range n {
		root := r.readString()
		out[root] = r.readNumber()
	}
	return out, !r.bad
}
