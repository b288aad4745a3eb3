package references

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"

	"docent/store/doc"
)

// A doc set has one file: a line with the format, the state that the file belongs to, and
// for each page its own findings and the edges that were made of them. It ends with a
// checksum. It is never changed in place.

// ErrDamaged means that a kept graph cannot be read.
var ErrDamaged = errors.New("the reference graph is damaged")

// ErrFormat means that a kept graph was written by another version of this program. It
// is ErrDamaged for all that matters, but nothing was lost.
var ErrFormat error = formatError{}

type formatError struct{}

func (formatError) Error() string        { return "the reference graph is in the format of another version" }
func (formatError) Is(target error) bool { return target == ErrDamaged }

// The formats begin alike.
const (
	anyMagic = "docent reference graph "
	magic    = anyMagic + "4\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// State says what a graph was made of.
type State struct {
	Generation string // of the doc set's index
	Rules      string // see Settings.Rules
}

// RulesName names what of the settings and of this program the content of a graph depends
// on.
func (s Settings) RulesName() string {
	return fmt.Sprintf("%d %s provenance=%v", Version, s.Ruleset, s.Provenance)
}

// stored is a stored graph, not decoded.
type stored struct {
	State
	names  []byte // see parameterNames
	places placeNames
	kept   []record
}

// record is the stored form of one page.
type record struct {
	document            int64 // in the catalog
	head                []byte
	packed              []byte // see packRecord
	face                string // see faceHash
	roots, basis, edges []byte
}

func openFile(raw []byte) (stored, error) {
	var s stored
	end := len(raw) - 4
	if end < len(magic) || !bytes.HasPrefix(raw, []byte(anyMagic)) ||
		crc32.Checksum(raw[:end], castagnoli) != binary.LittleEndian.Uint32(raw[end:]) {
		return s, ErrDamaged
	}
	if !bytes.HasPrefix(raw, []byte(magic)) {
		return s, ErrFormat
	}
	r := &parser{b: raw[len(magic):end]}
	s.Generation, s.Rules = r.readString(), r.readString()
	s.names, s.places = r.readBytes(), r.readBytes()
	n := r.readCount()
	s.kept = make([]record, 0, n)
	for range n {
		id, k := binary.Varint(r.b)
		if k <= 0 {
			return s, ErrDamaged
		}
		r.b = r.b[k:]
		s.kept = append(s.kept, record{document: id, head: r.readBytes(), packed: r.readBytes(), face: r.readString(),
			roots: r.readBytes(), basis: r.readBytes(),
			edges: r.readBytes()})
	}
	if r.bad {
		return s, ErrDamaged
	}
	return s, nil
}

// Graph is the reference graph of a doc set, opened for reading. Pages are decoded when
// they are needed; it is not safe for concurrent use.
type Graph struct {
	State
	set      doc.Ref
	stored   stored
	pages    []*Page
	byPath   map[string]int
	all      []edge // of all pages, in their order; nil: not decoded yet
	counts   []Counts
	into     map[int][]int // by page: indices into all of the edges that lead there
	out      map[int][]int // by page: those that lead from there
	owner    []int         // by edge: the page that states it
	decoded  bool
	assisted []edge // that a model found
	detailed []bool // by page: the details of its parameters are decoded
}

// IsOf reports whether the graph was made of exactly these documents of the catalog. A document that
// changes gets another number, so such a graph is right for any index of them, whichever generation it
// names.
func (g *Graph) IsOf(documents iter.Seq[int64], n int) bool {
	if n != len(g.stored.kept) {
		return false
	}
	has := make(map[int64]bool, n)
	for _, k := range g.stored.kept {
		has[k.document] = true
	}
	for id := range documents {
		if !has[id] {
			return false
		}
	}
	return len(has) == n
}

// OpenGraph opens a stored graph. The error is ErrDamaged, or ErrFormat.
func OpenGraph(set doc.Ref, raw []byte) (*Graph, error) {
	s, err := openFile(raw)
	if err != nil {
		return nil, err
	}
	g := &Graph{State: s.State, set: set, stored: s, pages: make([]*Page, len(s.kept)), byPath: make(map[string]int, len(s.kept))}
	for i, k := range s.kept {
		p := &parser{b: k.head}
		g.byPath[p.readString()] = i
		if p.bad {
			return nil, ErrDamaged
		}
	}
	return g, nil
}

// decodePage decodes a page.
func (g *Graph) decodePage(i int) (*Page, error) {
	if i < 0 || i >= len(g.pages) {
		return nil, ErrDamaged
	}
	if g.pages[i] == nil {
		page, _, _, whole := unpackRecord(g.stored.kept[i].packed)
		p, ok := decodePage(page)
		if !ok || !whole {
			return nil, ErrDamaged
		}
		g.pages[i] = p
	}
	return g.pages[i], nil
}

// decodeEdges decodes all edges.
func (g *Graph) decodeEdges() error {
	if g.decoded {
		return nil
	}
	g.into, g.out = map[int][]int{}, map[int][]int{}
	for i, k := range g.stored.kept {
		edges, counts, ok := decodeEdges(k.edges)
		if !ok {
			return ErrDamaged
		}
		for _, e := range edges {
			if !g.holdsSpot(e.from) || e.to != nowhere && !g.holdsSpot(e.to) {
				return ErrDamaged
			}
			if e.to != nowhere {
				g.into[e.to.page] = append(g.into[e.to.page], len(g.all))
			}
			g.out[e.from.page] = append(g.out[e.from.page], len(g.all))
			g.all, g.owner = append(g.all, e), append(g.owner, i)
		}
		g.counts = append(g.counts, counts)
	}
	for _, e := range g.assisted {
		g.into[e.to.page] = append(g.into[e.to.page], len(g.all))
		g.out[e.from.page] = append(g.out[e.from.page], len(g.all))
		g.all, g.owner = append(g.all, e), append(g.owner, e.from.page)
	}
	g.decoded = true
	return nil
}

func (g *Graph) holdsSpot(s spot) bool { return s.page >= 0 && s.page < len(g.pages) && s.n >= whole }

// Renumber gives a stored graph the numbers that its documents have in another home, higher by
// shift, and the generation of the index there. The error is ErrDamaged, or ErrFormat.
func Renumber(raw []byte, shift int64, generation string) ([]byte, error) {
	s, err := openFile(raw)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(len(raw) + len(s.kept)*8)
	w := newSealed(&out)
	w.writeHead(State{Generation: generation, Rules: s.Rules}, s.names, s.places, len(s.kept))
	for _, k := range s.kept {
		own := &writer{}
		own.writeOwn(k)
		if err := w.writeRecord(k.document+shift, own.b, k.roots, k.basis, k.edges); err != nil {
			return nil, err
		}
	}
	err = w.seal()
	return out.Bytes(), err
}
