package references

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/knowledge/references/wire"

	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/knowledge/references/graphfile"
)

// Kept is the stored record of one page: where it lies, and what of it a doc set needs of all
// of its pages at once. The rest is read when it is needed, page by page, so that the memory
// for a doc set hardly depends on the length of its pages.
type Kept struct {
	Document int64 // in the catalog
	head     *head
	row      graphfile.Row // of a page that was read it has the face and the packed size
	in       io.ReaderAt
	at       int64 // of the packed part, see packRecord; the edges follow
	stored   bool  // it is of a stored graph
	patched  bool  // it is of a patch
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

// readBulk reads what a page says by itself and the edges that were made of it, and compares them with
// their checksum where they are of a stored graph.
func (k Kept) readBulk() (packed, edges []byte, err error) {
	b := make([]byte, k.row.Size())
	if err := graphfile.ReadWhole(k.in, b, k.at); err != nil {
		return nil, nil, fmt.Errorf("read the record of page %s: %w", k.head.path, err)
	}
	if k.stored && !k.row.Holds(b) {
		return nil, nil, fmt.Errorf("the record of page %s: %w", k.head.path, ErrDamaged)
	}
	return b[:k.row.Packed:k.row.Packed], b[k.row.Packed:], nil
}

// encodeRecord brings a page into the form in which it is kept until a graph is made.
func encodeRecord(p *Page) []byte {
	w := &wire.Writer{}
	w.WriteBytes(encodeHead(p))
	w.WriteBytes(packRecord(encodePage(p), encodeFound(p), encodeDetails(p)))
	w.WriteString(faceHash(p))
	return w.B
}

// openKept opens the record of a document that Stage.Keep made.
func openKept(document int64, at ingest.KeptRecord) (Kept, error) {
	k := Kept{Document: document, in: at.In}
	raw := make([]byte, at.Size)
	if err := graphfile.ReadWhole(at.In, raw, at.At); err != nil {
		return k, fmt.Errorf("read the record of document %d: %w", document, err)
	}
	r := graphfile.NewTextReader(string(raw))
	// Texts are parts of the record: as they are they would keep all of it in memory, 93 MB of 66 000 pages.
	k.row.Head = strings.Clone(r.ReadText())
	k.row.Packed = len(r.ReadText())
	k.at = at.At + int64(len(raw)-r.Left()-k.row.Packed)
	k.row.Face = strings.Clone(r.ReadText())
	head, ok := decodeHead(k.row.Head)
	if r.Bad() || !ok {
		return k, ErrDamaged
	}
	k.head = &head
	return k, nil
}

func encodeHead(p *Page) []byte {
	w := &wire.Writer{}
	for _, s := range append([]string{p.Path, p.Title, p.URL, p.Permalink}, p.Aliases...) {
		w.WriteString(s)
	}
	return w.B
}

// decodeHead decodes what the address of a page depends on. Its texts are parts of raw.
func decodeHead(raw string) (head, bool) {
	r := graphfile.NewTextReader(raw)
	p := head{path: r.ReadText(), title: r.ReadText(), url: r.ReadText(), permalink: r.ReadText()}
	for r.Left() > 0 {
		p.aliases = append(p.aliases, r.ReadText())
	}
	return p, !r.Bad()
}

// openPage decodes the page with all that is kept of it.
func (k Kept) openPage() (*Page, error) {
	packed, _, err := k.readBulk()
	if err != nil {
		return nil, err
	}
	page, found, details, whole := unpackRecord(packed)
	p, ok := decodePage(page)
	if !whole || !ok || !decodeFound(p, found) || !decodeDetails(p, details) {
		return nil, ErrDamaged
	}
	return p, nil
}

// faceHash is a hash of all of a page that the edges of other pages depend on: where it lies,
// and what its places and parameters are called. An update makes the edges of changed pages,
// and of those whose edges depend on a page with another face (see basis).
func faceHash(p *Page) string {
	w := &wire.Writer{}
	for _, s := range append([]string{p.Path, p.Title, p.URL, p.Permalink}, p.Aliases...) {
		w.WriteString(s)
	}
	w.WriteNumber(len(p.Places))
	for _, s := range p.Places {
		w.WriteString(s.Text)
		w.WriteString(s.Anchor)
	}
	w.WriteNumber(len(p.Anchors))
	for _, a := range p.Anchors {
		w.WriteString(a.Name)
		w.WriteNumber(a.Place)
	}
	w.WriteNumber(len(p.Includes))
	for _, f := range p.Includes {
		w.WriteString(f)
	}
	for i, x := range p.Parts {
		if x.documents() {
			w.WriteNumber(i)
			w.WriteFlag(x.Details.form == parameters.Heading || x.Details.form == parameters.Example)
			w.WriteNumber(len(x.Details.aliases))
			for _, name := range append([]string{x.Name}, x.Details.aliases...) {
				w.WriteString(name)
			}
		}
	}
	sum := sha256.Sum256(w.B)
	return string(sum[:16])
}

// keepRoots takes the pages that were stored before as the same, and reports whether all pages
// have the addresses that they had, and tell the same of the site's folder. Both lists are in the
// order of paths.
func (r *resolver) keepRoots(ctx context.Context, before []Kept) bool {
	for i, k := range r.kept {
		if !before[i].head.equals(k.head) {
			return false
		}
		r.same[i] = k.stored
	}
	r.readRoots(ctx, func(i int) bool { return !r.same[i] })
	decoded := map[string]map[string]int{} // by their encoding, which many pages share
	for i := range r.kept {
		old := before[i].row.Roots
		told, ok := decoded[old]
		if !ok {
			told, ok = decodeRoots([]byte(old))
			decoded[old] = told
		}
		if !ok || !r.same[i] && old != r.told[i] {
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
	w := &wire.Writer{}
	w.WriteNumber(len(roots))
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		w.WriteString(root)
		w.WriteNumber(roots[root])
	}
	return w.B
}

func decodeRoots(b []byte) (map[string]int, bool) {
	r := &wire.Reader{B: b}
	n := r.ReadCount()
	if n == 0 {
		return nil, !r.Bad
	}
	out := make(map[string]int, n)
	for range n {
		root := r.ReadString()
		out[root] = r.ReadNumber()
	}
	return out, !r.Bad
}
