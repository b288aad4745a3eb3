package lexical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"docent/store"
)

// fieldTerms are the terms of one field of a segment, and lead to their postings in the segment's bytes. They
// are for one user at a time.
//
// The postings of a frequent term were most of the time of a question's first answer among 400 000
// sections. The segment's own iterator takes several times as long for each as reading its two
// numbers from the bytes.
type fieldTerms struct {
	segment *zap.Segment
	offsets *vellum.Reader // of each term's postings; nil where no passage has the field
}

// openTerms opens the terms of a field of a segment.
func openTerms(s *zap.Segment, field string) (*fieldTerms, error) {
	t := &fieldTerms{segment: s}
	address, err := s.DictAddr(field)
	if err != nil {
		return t, nil // its only error: no passage has the field
	}
	length, n := binary.Uvarint(s.Data()[address:])
	from := address + uint64(n)
	dictionary, err := vellum.Load(s.Data()[from : from+length])
	if err != nil {
		return nil, err
	}
	t.offsets, err = dictionary.Reader()
	return t, err
}

// stream is the postings of a term in one field of a segment, of which one is looked at.
type stream struct {
	field             store.Field
	num               uint64 // of the passage; noMore: there are no more
	frequency, length int32

	deleted *roaring.Bitmap // nil: none
	more    roaring.ManyIntIterable
	ahead   []uint32 // passages that come next, before those of more
	room    [256]uint32

	bytes     []byte // the frequencies and lengths, by chunk; nil: no posting has any
	ends      []uint64
	chunk     []byte // the rest of the chunk
	chunkSize uint64 // passages of the segment
	chunkEnd  uint64 // the first passage after the chunk
}

const noMore = math.MaxUint64

// oneOffset marks the offset of a term that one passage has once: it is the passage's number and the
// length of its field.
const (
	offsetKind = uint64(3) << 62
	oneOffset  = uint64(2) << 62
)

var errShortPostings = errors.New("the postings end early")

// start puts the stream before the postings of a term, and gives their number, with deleted ones.
func (s *stream) start(t *fieldTerms, f store.Field, term []byte, deleted *roaring.Bitmap) (int, error) {
	s.field, s.num, s.deleted, s.more, s.ahead, s.bytes, s.chunk, s.chunkEnd = f, noMore, deleted, nil, nil, nil, nil, 0
	if t.offsets == nil {
		return 0, nil
	}
	offset, ok, err := t.offsets.Get(term)
	if err != nil || !ok {
		return 0, err
	}
	if offset&offsetKind == oneOffset {
		num, length := zap.FSTValDecode1Hit(offset)
		s.room[0] = uint32(num)
		s.ahead = s.room[:1]
		s.chunk, s.chunkEnd = binary.AppendUvarint([]byte{1 << 1}, length), noMore
		return 1, nil
	}
	b := t.segment.Data()[offset:]
	var head [3]uint64 // where frequencies are, where places in the text are, how long the list of passages is
	for i := range head {
		var n int
		if head[i], n = binary.Uvarint(b); n <= 0 {
			return 0, errShortPostings
		}
		b = b[n:]
	}
	passages := roaring.New()
	if _, err := passages.FromBuffer(b[:head[2]]); err != nil {
		return 0, err
	}
	s.more = passages.ManyIterator()
	count := passages.GetCardinality()
	return int(count), s.openChunks(t.segment, head[0], count)
}

// openChunks reads where the chunks of frequencies end. Each is of as many passages of the segment.
func (s *stream) openChunks(from *zap.Segment, offset, count uint64) error {
	switch mode := from.ChunkMode(); {
	case mode == zap.DefaultChunkMode:
		s.chunkSize = from.NumDocs() / (count/1024 + 1)
	case mode <= zap.LegacyChunkMode:
		s.chunkSize = uint64(mode)
	default:
		return fmt.Errorf("unknown chunks %d", mode)
	}
	if s.chunkSize == 0 {
		return errShortPostings
	}
	if offset == 0 {
		s.chunkEnd = noMore
		return nil
	}
	b := from.Data()[offset:]
	chunks, n := binary.Uvarint(b)
	if n <= 0 || chunks > uint64(len(b)) {
		return errShortPostings
	}
	b = b[n:]
	s.ends = s.ends[:0]
	for range chunks {
		end, n := binary.Uvarint(b)
		if n <= 0 {
			return errShortPostings
		}
		s.ends, b = append(s.ends, end), b[n:]
	}
	s.bytes = b
	return nil
}

// advance goes to the next posting of a passage that is not deleted.
func (s *stream) advance() error {
	for {
		if len(s.ahead) == 0 {
			n := 0
			if s.more != nil {
				n = s.more.NextMany(s.room[:])
			}
			if n == 0 {
				s.num = noMore
				return nil
			}
			s.ahead = s.room[:n]
		}
		num := s.ahead[0]
		s.ahead = s.ahead[1:]
		if uint64(num) >= s.chunkEnd {
			if err := s.enterChunk(uint64(num) / s.chunkSize); err != nil {
				return err
			}
		}
		if err := s.readCounts(); err != nil {
			return err
		}
		if s.deleted == nil || !s.deleted.Contains(num) {
			s.num = uint64(num)
			return nil
		}
	}
}

// enterChunk goes to the beginning of a chunk.
func (s *stream) enterChunk(n uint64) error {
	if n >= uint64(len(s.ends)) {
		return errShortPostings
	}
	first := uint64(0)
	if n > 0 {
		first = s.ends[n-1]
	}
	s.chunk, s.chunkEnd = s.bytes[first:s.ends[n]], (n+1)*s.chunkSize
	return nil
}

// readCounts reads the frequency of the next posting and the length of its field. The lowest bit of the
// first number says whether the index has places in the text, which no search here needs.
func (s *stream) readCounts() error {
	if s.chunk == nil && s.bytes == nil {
		s.frequency, s.length = 0, 0
		return nil
	}
	if len(s.chunk) >= 2 && s.chunk[0]|s.chunk[1] < 0x80 && s.chunk[0] > 1 { // most are small
		s.frequency, s.length, s.chunk = int32(s.chunk[0]>>1), int32(s.chunk[1]), s.chunk[2:]
		return nil
	}
	doubled, n := binary.Uvarint(s.chunk)
	if n <= 0 {
		return errShortPostings
	}
	s.frequency, s.length, s.chunk = int32(doubled>>1), 0, s.chunk[n:]
	if s.frequency == 0 {
		return nil
	}
	length, n := binary.Uvarint(s.chunk)
	if n <= 0 {
		return errShortPostings
	}
	s.length, s.chunk = int32(uint32(length)), s.chunk[n:]
	return nil
}
