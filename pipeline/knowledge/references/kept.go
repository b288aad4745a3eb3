package references

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/parameters"
)

// Kept is the stored record of one page: where it lies, and what of it a doc set needs of all
// of its pages at once. The rest is read when it is needed, page by page, so that the memory
// for a doc set hardly depends on the length of its pages.
type Kept struct {
	Document int64 // in the catalog
	head     *head
	// face names what the edges of other pages depend on, see faceHash.
	face string
	in   io.ReaderAt
	own  stretchAt // what the page says by itself, see writeOwn
	// Of a page out of a stored graph: what its links tell of the site's folder, encoded, and
	// where all of its record lies there.
	stored bool
	roots  string
	basis  string // see basis, encoded
	entire stretchAt
}

// head is what the address of a page depends on.
type head struct {
	path, title, url, permalink string
	aliases                     []string
}

func (h *head) equals(o *head) bool {
	return h == o || h.path == o.path && h.title == o.title && h.url == o.url && h.permalink == o.permalink &&
		slices.Equal(h.aliases, o.aliases)
}

// stretchAt is a part of a file.
type stretchAt struct {
	at   int64
	size int
}

// read reads a part of the file that the record lies in.
func (k Kept) read(s stretchAt) ([]byte, error) {
	b := make([]byte, s.size)
	if n, err := k.in.ReadAt(b, s.at); n < len(b) {
		return nil, fmt.Errorf("read the record of page %s: %w", k.head.path, err)
	}
	return b, nil
}

// encodeRecord brings a page into the form in which it is stored.
func encodeRecord(p *Page) []byte {
	w := &writer{}
	w.writeOwn(record{head: encodeHead(p), packed: packRecord(encodePage(p), encodeFound(p), encodeDetails(p)), face: faceHash(p)})
	return w.b
}

// KeepPage keeps a page in memory.
func KeepPage(p *Page) Kept {
	raw := encodeRecord(p)
	return Kept{head: &head{p.Path, p.Title, p.URL, p.Permalink, p.Aliases}, face: faceHash(p), in: bytes.NewReader(raw),
		own: stretchAt{0, len(raw)}}
}

// openKept opens the record of a document that Stage.Keep made.
func openKept(document int64, at ingest.KeptRecord) (Kept, error) {
	k := Kept{Document: document, in: at.In, own: stretchAt{at.At, at.Size}, head: &head{}}
	raw, err := k.read(k.own)
	if err != nil {
		return k, err
	}
	r := &parser{b: raw}
	head := r.readBytes()
	r.readBytes()
	k.face = r.readString()
	var ok bool
	if k.head, ok = decodeHead(head); r.bad || !ok {
		return k, ErrDamaged
	}
	return k, nil
}

func encodeHead(p *Page) []byte {
	w := &writer{}
	for _, s := range append([]string{p.Path, p.Title, p.URL, p.Permalink}, p.Aliases...) {
		w.writeString(s)
	}
	return w.b
}

// decodeHead decodes what the address of a page depends on.
func decodeHead(raw []byte) (*head, bool) {
	all, r := string(raw), &parser{b: raw}
	next := func() string { // a part of all, so that a head is one allocation
		n := len(r.readBytes())
		return all[len(all)-len(r.b)-n : len(all)-len(r.b)]
	}
	p := &head{path: next(), title: next(), url: next(), permalink: next()}
	for len(r.b) > 0 {
		p.aliases = append(p.aliases, next())
	}
	return p, !r.bad
}

// openPage decodes the page with all that is kept of it.
func (k Kept) openPage() (*Page, error) {
	raw, err := k.read(k.own)
	if err != nil {
		return nil, err
	}
	r := &parser{b: raw}
	r.readBytes() // the head
	page, found, details, whole := unpackRecord(r.readBytes())
	p, ok := decodePage(page)
	if r.bad || !whole || !ok || !decodeFound(p, found) || !decodeDetails(p, details) {
		return nil, ErrDamaged
	}
	return p, nil
}

// faceHash is a hash of all of a page that the edges of other pages depend on: where it lies,
// and what its places and parameters are called. An update makes the edges of changed pages,
// and of those whose edges depend on a page with another face (see basis).
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

// Resolve makes the graph of a doc set from the stored records of its pages, and writes it.
// The same pages give the same bytes, in any order and with any earlier graph: was is the
// result of ReuseGraph. It brings kept into the order of the pages' paths.
func Resolve(to io.Writer, state State, kept []Kept, was Before) error {
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.head.path, b.head.path) })
	r := newResolver(kept)
	names, keeps := r.keepEdges(was)
	if !keeps {
		names = r.surveyWhole()
	}
	if r.err != nil {
		return r.err
	}
	w := newSealed(to)
	w.writeHead(state, names, r.names, len(kept))
	for i, k := range kept {
		if r.same[i] {
			w.copyRecord(k.in, k.entire)
			continue
		}
		own, err := k.read(k.own)
		if err != nil {
			return err
		}
		roots := r.told[i]
		if k.stored && keeps {
			roots = []byte(k.roots)
		}
		edges := encodeEdges(r.makeEdges(i))
		if r.err != nil {
			return r.err
		}
		if err := w.writeRecord(k.Document, own, roots, r.basis.encode(), edges); err != nil {
			return err
		}
	}
	return w.seal()
}

// keepEdges finds the pages whose stored edges hold, and gives the names of the parameters. It
// reports whether any may hold: the doc set has the same pages as before at the same
// addresses, and the links of those that changed tell the same of the site's folder.
func (r *resolver) keepEdges(was Before) (names []byte, ok bool) {
	if len(was.Pages) == 0 || len(was.Pages) != len(r.kept) || !r.keepRoots(was.Pages) {
		clear(r.same)
		clear(r.roots)
		return nil, false
	}
	changed := map[int]*Page{} // those with another face
	for i, k := range r.kept {
		if was.Pages[i].face != k.face {
			changed[i] = r.pageWithDetails(i)
		}
	}
	r.names = was.places
	if len(changed) == 0 {
		return was.names, true
	}
	var renamed map[uint32]bool
	r.names, renamed = was.places.replace(changed)
	names, ok = replaceParameters(was.names, changed)
	for i, k := range r.kept {
		if r.same[i] && ok {
			r.same[i], ok = holdsBasis([]byte(k.basis), changed, renamed)
		}
	}
	if !ok {
		clear(r.same)
		clear(r.roots)
	}
	return names, ok
}

// keepRoots takes the pages that were stored before as the same, and reports whether all pages
// have the addresses that they had, and tell the same of the site's folder. Both lists are in the
// order of paths.
func (r *resolver) keepRoots(before []Kept) bool {
	for i, k := range r.kept {
		if !before[i].head.equals(k.head) {
			return false
		}
		r.same[i] = k.stored
	}
	r.readRoots(func(i int) bool { return !r.same[i] })
	decoded := map[string]map[string]int{} // by their encoding, which many pages share
	for i := range r.kept {
		old := before[i].roots
		told, ok := decoded[old]
		if !ok {
			told, ok = decodeRoots([]byte(old))
			decoded[old] = told
		}
		if !ok || !r.same[i] && old != string(r.told[i]) {
			return false
		}
		if r.same[i] {
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
	if n == 0 {
		return nil, !r.bad
	}
	out := make(map[string]int, n)
	for range n {
		root := r.readString()
		out[root] = r.readNumber()
	}
	return out, !r.bad
}
