package lexical

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// mergeAtOnce is how many segments are merged into one at a time; their files are open meanwhile.
const mergeAtOnce = 64

// builder writes a fresh index as one segment, passage by passage. The same passages in the same
// order give the same segment. scorch's own builder gathers a batch in a map, and so puts its
// passages into another order each time.
type builder struct {
	folder   string // for segments that are not merged yet
	passages []index.Document
	parts    []string // files of segments, the oldest first
	made     int
}

// newBuilder makes a builder that keeps its work in a new folder.
func newBuilder(folder string) (*builder, error) {
	return &builder{folder: folder}, os.MkdirAll(folder, 0o700)
}

// add puts a passage behind the others.
func (b *builder) add(d *document) error {
	b.passages = append(b.passages, d)
	if len(b.passages) < batchSize {
		return nil
	}
	return b.flush()
}

// nextPath is the file of the next segment.
func (b *builder) nextPath() string {
	b.made++
	return filepath.Join(b.folder, fmt.Sprintf("%012x%s", b.made, segmentType))
}

// flush writes the gathered passages as a segment.
func (b *builder) flush() error {
	if len(b.passages) == 0 {
		return nil
	}
	for _, d := range b.passages {
		d.AddIDField()
	}
	s, _, err := (&zap.ZapPlugin{}).New(b.passages)
	if err != nil {
		return withMeaning(err)
	}
	b.passages = nil
	written, ok := s.(segment.UnpersistedSegment)
	if !ok {
		return fmt.Errorf("zap makes a segment %T that cannot be written", s)
	}
	path := b.nextPath()
	if err := written.Persist(path); err != nil {
		return withMeaning(err)
	}
	b.parts = append(b.parts, path)
	return nil
}

// finish writes the index into a folder. Without a passage there is none.
func (b *builder) finish(ctx context.Context, folder string) error {
	err := b.flush()
	for err == nil && len(b.parts) > 1 {
		err = b.mergeSome(ctx)
	}
	if err == nil && len(b.parts) == 1 {
		err = writeTable(folder, b.parts[0])
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(b.folder)
}

// mergeSome merges the oldest segments into one, which is the newest then. It ends with the context: the last
// merge of 160 000 pages takes a minute.
func (b *builder) mergeSome(ctx context.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	n := min(mergeAtOnce, len(b.parts))
	old := b.parts[:n]
	b.parts = b.parts[n:]
	segments := make([]segment.Segment, 0, n)
	defer func() {
		for _, s := range segments {
			if cerr := s.Close(); err == nil {
				err = withMeaning(cerr)
			}
		}
		for _, path := range old {
			if rerr := os.Remove(path); err == nil {
				err = rerr
			}
		}
	}()
	for _, path := range old {
		s, err := (&zap.ZapPlugin{}).Open(path)
		if err != nil {
			return withMeaning(err)
		}
		segments = append(segments, s)
	}
	into := b.nextPath()
	stop := make(chan struct{})
	defer context.AfterFunc(ctx, func() { close(stop) })()
	if _, _, err := (&zap.ZapPlugin{}).Merge(segments, make([]*roaring.Bitmap, n), into, stop, &merging{segments: segments}); err != nil {
		return cmp.Or(ctx.Err(), withMeaning(err))
	}
	b.parts = append(b.parts, into)
	return nil
}

// mergedAtOnce is after how many written bytes the memory of the segments that are merged is given back. Each is
// mapped and read once, in parts: without that all of them would be in memory, 190 MB of 410 000 sections.
const mergedAtOnce = 4 << 20

// merging is told how much of a merged segment is written.
type merging struct {
	segments []segment.Segment
	written  uint64
}

// ReportBytesWritten is segment.StatsReporter's.
func (m *merging) ReportBytesWritten(n uint64) {
	if m.written += n; m.written < mergedAtOnce {
		return
	}
	m.written = 0
	for _, s := range m.segments {
		releaseSegment(s)
	}
}

// onlySegment is what scorch calls the segment of an index that has one.
const onlySegment = "000000000002" + segmentType

// writeTable makes an index of one finished segment, which is moved there. scorch writes the
// table of segments itself, for an index of one small passage; the table has a segment's name and
// nothing of what is in it.
func writeTable(folder, file string) error {
	above := filepath.Dir(folder)
	b, err := scorch.NewBuilder(map[string]any{"path": folder, "buildPathPrefix": above})
	if err == nil {
		err = b.Index(&document{id: externalID(0, 0, 0)})
	}
	if err == nil {
		err = b.Close()
	}
	if err != nil {
		return withMeaning(err)
	}
	return os.Rename(file, filepath.Join(folder, onlySegment))
}
