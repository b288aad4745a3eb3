package lexical

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	zap "github.com/blevesearch/zapx/v17"
)

// errNotCanonical means that a segment has not the form that sortSections knows.
var errNotCanonical = errors.New("the segment is of an unknown form")

// sectionEntry is a kind of section of a field, and where it begins: 2 and 8 bytes.
const sectionEntry = 10

// sortSections brings the one part of a segment that zap writes in a random order into a fixed
// one: the list of the sections of each field, which zap writes by walking a map. A reader takes
// them in any order. See zapx's persistFieldsSection and persistFooter.
func sortSections(b []byte) error {
	foot := len(b) - zap.FooterSize
	if foot < 0 || binary.BigEndian.Uint32(b[len(b)-8:]) != zap.Version {
		return errNotCanonical
	}
	index := binary.BigEndian.Uint64(b[len(b)-20:])
	if index >= uint64(foot) {
		return errNotCanonical
	}
	fields, n := binary.Uvarint(b[index:foot])
	at := int(index) + n
	if n <= 0 || fields > uint64(foot-at)/8 {
		return errNotCanonical
	}
	for i := range int(fields) {
		begin := binary.BigEndian.Uint64(b[at+8*i:])
		if begin >= index || !sortField(b[begin:index]) {
			return errNotCanonical
		}
	}
	binary.BigEndian.PutUint32(b[len(b)-4:], crc32.ChecksumIEEE(b[:len(b)-4]))
	return nil
}

// sortField sorts the sections of the field whose record begins a text.
func sortField(b []byte) bool {
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 0
		}
		b = b[n:]
		return v
	}
	name := next()
	if name > uint64(len(b)) {
		return false
	}
	b = b[name:]
	next() // its options
	sections := next()
	if sections == 0 || sections > uint64(len(b))/sectionEntry {
		return false
	}
	list := b[:sections*sectionEntry]
	entries := slices.Collect(slices.Chunk(slices.Clone(list), sectionEntry))
	slices.SortFunc(entries, slices.Compare)
	for i, e := range entries {
		copy(list[i*sectionEntry:], e)
	}
	return true
}
