package catalog

import (
	"encoding/binary"
	"fmt"

	"docent/store"
	"docent/store/doc"
	"docent/store/generation"
)

// outlineVersion is the first byte of an encoded outline. One of version 1 has no
// checksum at its end.
const outlineVersion = 2

var errOutline = fmt.Errorf("the outline cannot be read, and is written again with the index: %w", store.ErrCatalogDamaged)

// encodeOutline writes sections and chunks as varints and counted strings. One row for
// each document, and not for each section, keeps the time of writing 10 MB of pages
// well under a second. Paths are not written: they follow from the parents.
func encodeOutline(o store.Outline) []byte {
	b := []byte{outlineVersion}
	num := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	str := func(s string) { num(len(s)); b = append(b, s...) }
	span := func(s doc.Span) { num(s.Start); num(s.End); num(s.StartLine); num(s.EndLine) }
	num(len(o.Sections))
	for _, s := range o.Sections {
		num(s.Level)
		num(s.Parent)
		str(s.Text)
		str(s.Anchor)
		span(s.Span)
		span(s.Tree)
	}
	num(len(o.Chunks))
	for _, c := range o.Chunks {
		num(c.Section)
		span(c.Span)
		str(string(c.Kind))
	}
	return binary.LittleEndian.AppendUint32(b, generation.Checksum(b))
}

// withoutSeal takes version and checksum off an encoded outline.
func withoutSeal(b []byte) ([]byte, bool) {
	switch {
	case len(b) > 0 && b[0] == 1:
		return b[1:], true
	case len(b) < 5 || b[0] != outlineVersion:
		return nil, false
	}
	end := len(b) - 4
	return b[1:end], generation.Checksum(b[:end]) == binary.LittleEndian.Uint32(b[end:])
}

func decodeOutline(b []byte) (store.Outline, error) {
	b, ok := withoutSeal(b)
	if !ok {
		return store.Outline{}, errOutline
	}
	bad := false
	num := func() int {
		v, n := binary.Varint(b)
		if n <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return int(v)
	}
	count := func() int {
		n := num()
		if n < 0 || n > len(b) { // every item takes at least a byte
			bad, n = true, 0
		}
		return n
	}
	str := func() string {
		n := count()
		s := string(b[:n])
		b = b[n:]
		return s
	}
	span := func() doc.Span {
		return doc.Span{Start: num(), End: num(), StartLine: num(), EndLine: num()}
	}
	var o store.Outline
	o.Sections = make([]doc.Section, count())
	for i := range o.Sections {
		s := &o.Sections[i]
		s.Index, s.Source = i, true
		s.Level, s.Parent = num(), num()
		s.Text, s.Anchor = str(), str()
		s.Span, s.Tree = span(), span()
		if s.Parent >= i || s.Parent < -1 {
			return store.Outline{}, errOutline
		}
		if s.Level > 0 {
			if s.Parent >= 0 {
				parent := o.Sections[s.Parent].Path
				s.Path = append(parent[:len(parent):len(parent)], s.Text)
			} else {
				s.Path = []string{s.Text}
			}
		}
	}
	o.Chunks = make([]doc.Chunk, count())
	for i := range o.Chunks {
		c := &o.Chunks[i]
		c.Index, c.Prev, c.Next = i, i-1, i+1
		c.Section = num()
		c.Span = span()
		c.Kind = doc.BlockKind(str())
		if c.Section < 0 || c.Section >= len(o.Sections) {
			bad = true
		}
	}
	if n := len(o.Chunks); n > 0 {
		o.Chunks[n-1].Next = -1
	}
	if bad || len(b) > 0 {
		return store.Outline{}, errOutline
	}
	return o, nil
}
