package references

import (
	"bytes"
	"fmt"
	"iter"

	"docent/pipeline/knowledge/references/graphfile"
	"docent/store/doc"
)

// The errors of opening a graph.
var (
	ErrDamaged = graphfile.ErrDamaged
	ErrFormat  = graphfile.ErrFormat
)

// State says what a graph was made of.
type State = graphfile.State

// RulesName names what of the settings and of this program the content of a graph depends
// on.
func (s Settings) RulesName() string {
	return fmt.Sprintf("%d %s provenance=%v", version, s.Ruleset, s.Provenance)
}

// stored is a stored graph, not decoded.
type stored struct {
	State
	names  []byte // see parameterNames
	places namedPlaces
	kept   []record
}

// record is the stored form of one page.
type record struct {
	graphfile.Row
	packed []byte // see packRecord
	edges  []byte
}

// openFile takes a graph apart, with its patch, and compares all of it with its checksums.
func openFile(raw, changes []byte) (s stored, err error) {
	o, err := graphfile.Open(bytes.NewReader(raw), func(State) bool { return true })
	if err != nil {
		return s, err
	}
	s.State = o.State
	if s.names, err = o.Names(); err != nil {
		return s, err
	}
	places, err := o.Places()
	if err != nil {
		return s, err
	}
	s.places.base = []placeNames{places}
	s.kept = make([]record, len(o.Rows))
	take := func(i int, k graphfile.Row, b []byte) error {
		if !k.Holds(b) {
			return ErrDamaged
		}
		s.kept[i] = record{Row: k, packed: b[:k.Packed:k.Packed], edges: b[k.Packed:]}
		return nil
	}
	for i, k := range o.Rows {
		if err := take(i, k, raw[o.At[i]:o.At[i]+int64(k.Size())]); err != nil {
			return s, err
		}
	}
	p := o.OpenPatch(changes)
	if p == nil {
		return s, nil
	}
	s.State, s.places.moved, s.places.fresh = p.State, p.Moved, p.Fresh
	if p.Names != nil {
		s.names = p.Names
	}
	for _, k := range p.Pages {
		if err := take(k.Page, k.Row, changes[k.At:k.At+int64(k.Size())]); err != nil {
			return s, err
		}
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
		has[k.Document] = true
	}
	for id := range documents {
		if !has[id] {
			return false
		}
	}
	return len(has) == n
}

// OpenGraph opens a stored graph with its patch; nil: it has none. The error is ErrDamaged, or
// ErrFormat.
func OpenGraph(set doc.Ref, raw, changes []byte) (*Graph, error) {
	s, err := openFile(raw, changes)
	if err != nil {
		return nil, err
	}
	g := &Graph{State: s.State, set: set, stored: s, pages: make([]*Page, len(s.kept)), byPath: make(map[string]int, len(s.kept))}
	for i, k := range s.kept {
		head, ok := decodeHead(k.Head)
		if !ok {
			return nil, ErrDamaged
		}
		g.byPath[head.path] = i
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
	s, err := openFile(raw, nil)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(len(raw) + len(s.kept)*8)
	w := graphfile.NewWriter(&out)
	for _, k := range s.kept {
		k.Document += shift
		if err := w.WriteRecord(k.Row, k.packed, k.edges); err != nil {
			return nil, err
		}
	}
	err = w.Seal(State{Generation: generation, Rules: s.Rules}, s.names, s.places.merge())
	return out.Bytes(), err
}
