package lexical

import (
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// mapped counts what was read of a reader's mapped segments, and gives their memory back each time that
// it was much: lists of postings and keys are kept in another form. The system maps some 64 KB around
// each byte that is read, and up to 2 MB of a file that it holds in large pieces. One question over
// 412 000 sections mapped 65 MB of a file of 143 MB, and learning mapped all of it.
type mapped struct {
	segments []*scorch.SegmentSnapshot
	read     int
}

func mappedBy(r *Reader) mapped { return mapped{segments: r.segments} }

// How many postings, or keys, are read until memory is given back. Those of a term lie side by side in
// the file, and keys apart from each other.
const (
	manyPostings = 1 << 17
	manyKeys     = 1 << 7
)

func (m *mapped) countPostings(n int) { m.count(n) }

func (m *mapped) countKeys(n int) { m.count(n * (manyPostings / manyKeys)) }

func (m *mapped) count(n int) {
	if m.read += n; m.read < manyPostings {
		return
	}
	m.read = 0
	releaseSegments(m.segments)
}

func releaseSegments(segments []*scorch.SegmentSnapshot) {
	for _, s := range segments {
		releaseSegment(s.Segment())
	}
}

func releaseSegment(s segment.Segment) {
	if whole, ok := s.(*zap.Segment); ok {
		releaseBytes(whole.Data())
	}
}
