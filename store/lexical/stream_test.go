package lexical

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/store"
)

// Postings that are read from a segment's bytes are those of its own iterator: of terms that one passage
// has, and of some that more than a thousand have, in several chunks, often, in long fields, and
// some of them deleted.
func TestStreamsAreThoseOfTheSegment(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	texts, gone := map[int64]string{}, []int64{}
	for id := range int64(2600) {
		text := fmt.Sprintf("wick lone%d", id)
		if id%3 == 0 {
			text += " lamp"
		}
		if id%500 == 7 {
			text += strings.Repeat(" oil flame", 100)
		}
		if texts[id+1] = text; id%11 == 0 {
			gone = append(gone, id+1)
		}
	}
	s.must(texts)
	s.must(map[int64]string{9000: "lamp"}, gone...)
	r, err := OpenReader(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read, deleted := 0, 0
	for n, snapshot := range r.segments {
		if snapshot.Deleted() != nil {
			deleted++
		}
		for _, term := range []string{"wick", "lamp", "oil", "flame", "lone8", "lone11", "lone2599", "none"} {
			for f := range store.NumFields {
				got, want := postingsOf(t, r, f, n, term)
				if !slices.Equal(got, want) {
					t.Fatalf("segment %d, %v, %q: %d postings, not the segment's %d", n, f, term, len(got), len(want))
				}
				read += len(got)
			}
		}
	}
	if read < 3000 || deleted == 0 {
		t.Errorf("%d postings were compared, with deletions in %d segments", read, deleted)
	}
}

// postingsOf reads a term's postings in both ways.
func postingsOf(t *testing.T, r *Reader, f store.Field, n int, term string) (got, want [][3]uint64) {
	t.Helper()
	w := &walker{}
	s, _, err := w.startStream(r, f, n, []byte(term))
	if err != nil {
		t.Fatal(err)
	}
	for {
		if err := s.advance(); err != nil {
			t.Fatal(err)
		}
		if s.num == noMore {
			break
		}
		got = append(got, [3]uint64{s.num, uint64(s.frequency), uint64(s.length)})
	}
	l, err := w.findTerm(r, f, n, []byte(term))
	if err != nil {
		t.Fatal(err)
	}
	for i := l.Iterator(true, true, false, nil); ; {
		one, err := i.Next()
		if err != nil {
			t.Fatal(err)
		}
		if one == nil {
			return got, want
		}
		want = append(want, [3]uint64{one.Number(), one.Frequency(), uint64(fieldLength(one))})
	}
}
