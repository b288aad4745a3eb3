package references

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"docent/pipeline/knowledge/references/wire"

	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/knowledge/references/graphfile"
)

// nameKind says in which way a place is called by a name.
type nameKind byte

const (
	titleKind     nameKind = 't' // the title of a page or a heading, folded
	parameterKind nameKind = 'p' // a documented parameter, bare
	labelKind     nameKind = 'l' // a label that pages of the doc set refer to
	includeKind   nameKind = 'i' // the name of a file that the page includes
)

// shortestTitle is the length from which a title is looked up.
const shortestTitle = 3

// namedPlace is a place with the hash of a kind and a name. With 64 bits, names of one doc set
// are not confused.
type namedPlace struct {
	name uint64
	page uint32
	n    int32 // see spot
}

func nameOf(name uint64, at spot) namedPlace { return namedPlace{name, uint32(at.page), int32(at.n)} }

func (p namedPlace) spotOf() spot { return spot{int(p.page), int(p.n)} }

func hashName(kind nameKind, name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte{byte(kind)}) // it never fails
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

func compareNamed(a, b namedPlace) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.page, b.page), cmp.Compare(a.n, b.n))
}

// namesOfPage are the names that a page gives to its places.
func namesOfPage(i int, p *Page) []namedPlace {
	var out []namedPlace
	add := func(kind nameKind, name string, n int) {
		if kind != titleKind || len(name) >= shortestTitle {
			out = append(out, nameOf(hashName(kind, name), spot{i, n}))
		}
	}
	add(titleKind, foldedTitle(p.Title), whole)
	for n, s := range p.Places {
		if s.Text == "" || len(s.Text) > mostText {
			continue
		}
		add(titleKind, foldedTitle(s.Text), n)
		if isCodeName(s.Text) && !strings.Contains(s.Text, " ") {
			add(parameterKind, bareName(s.Text), n)
		}
	}
	for n, part := range p.Parts {
		if !part.documents() || part.Details.form == parameters.Heading || // whose section is named
			part.Details.form == parameters.Example { // which defines nothing
			continue
		}
		for _, name := range append([]string{part.Name}, part.Details.aliases...) {
			if isCodeName(name) {
				add(parameterKind, bareName(name), len(p.Places)+n)
			}
		}
	}
	for _, a := range p.Anchors {
		if name, ok := strings.CutPrefix(a.Name, labelScheme); ok && a.Place < len(p.Places) {
			add(labelKind, name, a.Place)
		}
	}
	for _, file := range p.Includes {
		add(includeKind, path.Base(file), whole)
	}
	return out
}

// placeNames are the named places of a doc set, encoded: entries of entrySize bytes in their
// order. A name is found in them without anything being decoded.
type placeNames []byte

const entrySize = 16

// nameParts is into how many parts the named places of a whole doc set are sorted, by the first byte of the hash.
const nameParts = 1 << 8

// gatheredNames are named places in no order. In parts none of them is copied as a whole: a doc set of 160 000
// pages has 2.4 million.
type gatheredNames [nameParts][]namedPlace

func (g *gatheredNames) add(all []namedPlace) {
	for _, one := range all {
		part := &g[one.name>>56]
		*part = append(*part, one)
	}
}

// encode brings the places into their order and encodes them; it gives up each part that is encoded.
func (g *gatheredNames) encode() []placeNames {
	out := make([]placeNames, 0, len(g))
	for i := range g {
		out = append(out, encodeNames(g[i]))
		g[i] = nil
	}
	return out
}

// encodeNames brings named places into their order and encodes them.
func encodeNames(all []namedPlace) placeNames {
	slices.SortFunc(all, compareNamed)
	out := make(placeNames, 0, len(all)*entrySize)
	for _, one := range all {
		out = one.appendTo(out)
	}
	return out
}

func (p namedPlace) appendTo(out placeNames) placeNames {
	out = binary.LittleEndian.AppendUint64(out, p.name)
	out = binary.LittleEndian.AppendUint32(out, p.page)
	return binary.LittleEndian.AppendUint32(out, uint32(p.n))
}

func (x placeNames) entries() int { return len(x) / entrySize }

func (x placeNames) hashAt(i int) uint64 { return binary.LittleEndian.Uint64(x[i*entrySize:]) }

func (x placeNames) entryAt(i int) namedPlace {
	b := x[i*entrySize:]
	return namedPlace{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:]), int32(binary.LittleEndian.Uint32(b[12:]))}
}

// find calls do with the entries of a name, in order.
func (x placeNames) find(name uint64, do func(namedPlace)) {
	for i := sort.Search(x.entries(), func(i int) bool { return x.hashAt(i) >= name }); i < x.entries() && x.hashAt(i) == name; i++ {
		do(x.entryAt(i))
	}
}

// namedPlaces are the named places of a doc set: those of a graph's file, without those of pages of
// which other places have names since, and these.
type namedPlaces struct {
	// base is one list, or nameParts of them, see gatheredNames.
	base  []placeNames
	moved map[uint32]bool
	fresh placeNames
}

// places are the places of a name, in order.
func (x namedPlaces) places(name uint64) (out []spot) {
	// One list has all names, and of nameParts each has those of a first byte.
	if part := int(name>>56) % max(1, len(x.base)); part < len(x.base) {
		x.base[part].find(name, func(p namedPlace) {
			if !x.moved[p.page] {
				out = append(out, p.spotOf())
			}
		})
	}
	if len(x.fresh) == 0 {
		return out
	}
	n := len(out)
	x.fresh.find(name, func(p namedPlace) { out = append(out, p.spotOf()) })
	if n < len(out) {
		slices.SortFunc(out, func(a, b spot) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.n, b.n)) })
	}
	return out
}

// replace gives the names after some pages got others, and the names of which the places are
// not the same.
func (x namedPlaces) replace(old, pages map[int]*Page) (after namedPlaces, renamed map[uint32]bool) {
	var fresh []namedPlace
	changes := map[namedPlace]int{}
	after = namedPlaces{base: x.base, moved: maps.Clone(x.moved)}
	if after.moved == nil {
		after.moved = map[uint32]bool{}
	}
	for _, i := range slices.Sorted(maps.Keys(pages)) {
		after.moved[uint32(i)] = true
		now := namesOfPage(i, pages[i])
		for _, one := range namesOfPage(i, old[i]) {
			changes[one]--
		}
		for _, one := range now {
			changes[one]++
		}
		fresh = append(fresh, now...)
	}
	for i := range x.fresh.entries() {
		if one := x.fresh.entryAt(i); pages[int(one.page)] == nil {
			fresh = append(fresh, one)
		}
	}
	after.fresh = encodeNames(fresh)
	renamed = map[uint32]bool{}
	for one, n := range changes {
		if n != 0 {
			renamed[uint32(one.name)] = true
		}
	}
	return after, renamed
}

// merge gives all entries in their order, in one list or several.
func (x namedPlaces) merge() [][]byte {
	if len(x.moved) == 0 && len(x.fresh) == 0 {
		out := make([][]byte, len(x.base))
		for i, part := range x.base {
			out[i] = part
		}
		return out
	}
	size := len(x.fresh)
	for _, part := range x.base {
		size += len(part)
	}
	out := make(placeNames, 0, size)
	next := 0
	for _, part := range x.base {
		for i := range part.entries() {
			old := part.entryAt(i)
			if x.moved[old.page] {
				continue
			}
			for ; next < x.fresh.entries() && compareNamed(x.fresh.entryAt(next), old) < 0; next++ {
				out = x.fresh.entryAt(next).appendTo(out)
			}
			out = old.appendTo(out)
		}
	}
	return [][]byte{append(out, x.fresh[next*entrySize:]...)}
}

// basis is what the edges of a page depend on, but for the page itself and the addresses of
// all pages: the pages of which places were looked for, and the names that were looked up,
// by the lower halves of their hashes. Two names that share one cost a page that is done again.
type basis struct {
	pages map[int]bool
	names map[uint32]bool
}

func newBasis() *basis { return &basis{pages: map[int]bool{}, names: map[uint32]bool{}} }

func (b *basis) encode() []byte {
	w := &wire.Writer{}
	w.WriteNumber(len(b.pages))
	last := 0
	for _, i := range slices.Sorted(maps.Keys(b.pages)) {
		w.WriteNumber(i - last)
		last = i
	}
	for _, name := range slices.Sorted(maps.Keys(b.names)) {
		w.B = binary.LittleEndian.AppendUint32(w.B, name)
	}
	return w.B
}

// holdsBasis reports whether nothing of an encoded basis changed; ok is false where it cannot
// have been written.
func holdsBasis(raw string, pages map[int]*Page, renamed map[uint32]bool) (holds, ok bool) {
	r := graphfile.NewTextReader(raw)
	page := 0
	holds = true
	for range r.ReadCount() {
		page += r.ReadNumber()
		holds = holds && pages[page] == nil
	}
	if r.Bad() || r.Left()%4 != 0 {
		return false, false
	}
	for r.Left() > 0 {
		name := r.ReadSum()
		holds = holds && !renamed[name]
	}
	return holds, true
}

// placesCalled are the places that have a name. The edges that are being made depend on it.
func (r *resolver) placesCalled(kind nameKind, name string) []spot {
	hash := hashName(kind, name)
	r.basis.names[uint32(hash)] = true
	return r.names.places(hash)
}

// titled is the page or section of a title: a page more than a section, and nowhere where
// several pages have one of the same kind.
func (r *resolver) titled(title string) (to spot, ok bool) {
	for _, at := range r.placesCalled(titleKind, title) {
		switch {
		case !ok:
			to, ok = at, true
		case to != nowhere && to.page == at.page: // the first of a page
		case to != nowhere && to.n == whole && at.n != whole:
		case to.n != whole && at.n == whole:
			to = at
		default:
			to = nowhere
		}
	}
	return to, ok
}
