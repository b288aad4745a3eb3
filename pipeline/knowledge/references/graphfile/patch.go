package graphfile

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"docent/pipeline/knowledge/references/wire"
)

// A patch has the pages that differ from a graph's file. It names the file by its trailer, so that
// it counts for no other one. Each update of few pages replaces the patch by one with all that
// differs since the file was written; once that is much, it writes the file again.
//
// With 66 000 pages the file has 120 MB, of which an update of a page changes 20 KB.

const patchMagic = "docent reference graph patch 5\n"

// Patch is a patch, opened.
type Patch struct {
	State
	Names []byte // of parameters; nil: as the file has them
	// Moved are the pages of which other places have names, and Fresh are the named places of these.
	Moved map[uint32]bool
	Fresh []byte
	Pages []Patched
}

// Patched is a page of a patch.
type Patched struct {
	Page int // its number
	Row
	At int64 // of its record, in the patch
}

// OpenPatch opens the patch of a file; nil where raw belongs to another file, or is not whole. The graph is
// then an older one, as if the patch had not been written.
func (o *Opened) OpenPatch(raw []byte) *Patch {
	end := len(raw) - 4
	begin := append([]byte(patchMagic), o.raw...)
	if end < len(begin) || !bytes.HasPrefix(raw, begin) || checksum(raw[:end]) != binary.LittleEndian.Uint32(raw[end:]) {
		return nil
	}
	r := NewTextReader(string(raw[len(begin):end]))
	p := &Patch{Moved: map[uint32]bool{}}
	p.Generation, p.Rules = r.ReadText(), r.ReadText()
	if r.ReadNumber() == 1 {
		p.Names = []byte(r.ReadText())
	}
	for range r.ReadCount() {
		p.Moved[uint32(r.ReadNumber())] = true
	}
	p.Fresh = []byte(r.ReadText())
	last := -1
	for range r.ReadCount() {
		k := Patched{Page: r.ReadNumber(), Row: r.readRow(), At: int64(end - len(r.s))}
		if r.bad || k.Page <= last || k.Page >= len(o.Rows) || k.Size() > len(r.s) {
			return nil
		}
		r.s = r.s[k.Size():]
		last = k.Page
		p.Pages = append(p.Pages, k)
	}
	if !r.Ended() {
		return nil
	}
	return p
}

// Encode writes a patch of a file; record gives the record of a page. It returns nil where the patch
// has more than most bytes.
func (p *Patch) Encode(of *Opened, most int64, record func(Patched) ([]byte, error)) ([]byte, error) {
	w := &wire.Writer{B: append([]byte(patchMagic), of.raw...)}
	w.WriteString(p.Generation)
	w.WriteString(p.Rules)
	if p.Names == nil {
		w.WriteNumber(0)
	} else {
		w.WriteNumber(1)
		w.WriteBytes(p.Names)
	}
	w.WriteNumber(len(p.Moved))
	for _, page := range slices.Sorted(maps.Keys(p.Moved)) {
		w.WriteNumber(int(page))
	}
	w.WriteBytes(p.Fresh)
	w.WriteNumber(len(p.Pages))
	for _, k := range p.Pages {
		b, err := record(k)
		if err != nil {
			return nil, err
		}
		w.WriteNumber(k.Page)
		writeRow(w, k.Row)
		if w.B = append(w.B, b...); int64(len(w.B)) > most {
			return nil, nil
		}
	}
	return binary.LittleEndian.AppendUint32(w.B, checksum(w.B)), nil
}
