package references

import (
	"bytes"
	"io"

	"docent/pipeline/knowledge/references/graphfile"
)

// Before is a stored graph as far as the next one may be made of it.
type Before struct {
	State
	Pages []Kept        // in the order of their paths
	at    map[int64]int // the place of a document's among them
	file  *graphfile.Opened
	patch *graphfile.Patch // nil: it has none
}

// Page gives the record of a document.
func (b Before) Page(document int64) (Kept, bool) {
	if i, ok := b.at[document]; ok {
		return b.Pages[i], true
	}
	return Kept{}, false
}

// readNames gives the names of parameters, see parameterNames.
func (b Before) readNames() ([]byte, error) {
	if b.patch != nil && b.patch.Names != nil {
		return b.patch.Names, nil
	}
	return b.file.Names()
}

// readPlaces gives the named places.
func (b Before) readPlaces() (namedPlaces, error) {
	raw, err := b.file.Places()
	if b.patch == nil {
		return namedPlaces{base: []placeNames{raw}}, err
	}
	return namedPlaces{[]placeNames{raw}, b.patch.Moved, b.patch.Fresh}, err
}

// ReuseGraph opens a stored graph and its patch for another one to be made of it, which reads the file
// again. A graph by other rules has no pages to reuse, and of one of this generation they are not
// given: it is the right one already, and compared with all of its checksums. The error is
// ErrDamaged, ErrFormat, or one of reading.
func ReuseGraph(file graphfile.File, changes []byte, rules, generation string) (Before, error) {
	o, err := graphfile.Open(file, func(s State) bool { return s.Rules == rules })
	if err != nil {
		return Before{}, err
	}
	out := Before{State: o.State, file: o}
	if o.Rules != rules {
		return out, nil
	}
	if out.patch = o.OpenPatch(changes); out.patch != nil {
		out.State = out.patch.State
	}
	if out.Rules != rules {
		return out, nil
	}
	if out.Generation == generation {
		return out, o.Check()
	}
	out.Pages, out.at = make([]Kept, len(o.Rows)), make(map[int64]int, len(o.Rows))
	heads := make([]head, len(o.Rows))
	add := func(i int, k graphfile.Row, in io.ReaderAt, at int64) (ok bool) {
		heads[i], ok = decodeHead(k.Head)
		out.Pages[i] = Kept{Document: k.Document, head: &heads[i], row: k, in: in, at: at, stored: true}
		return ok
	}
	for i, k := range o.Rows {
		if !add(i, k, file, o.At[i]) {
			return Before{}, ErrDamaged
		}
	}
	if out.patch != nil {
		in := bytes.NewReader(changes)
		for _, k := range out.patch.Pages {
			if !add(k.Page, k.Row, in, k.At) {
				return Before{}, ErrDamaged
			}
			out.Pages[k.Page].patched = true
		}
	}
	for i := range out.Pages {
		out.at[out.Pages[i].Document] = i
	}
	return out, nil
}
