package lexical

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Every update adds a segment, and each one costs a reader the opening of a file and
// a look into its dictionaries for each term. Scores do not depend on segments.
const (
	// mostSegments is how many an index may have before the small ones are merged.
	mostSegments = 16
	// smallSegment is up to how many passages a segment is small.
	smallSegment = 10_000
)

// mergeSegments merges the small segments where there are many, and gives the files that are not
// used any more. scorch would do so in the background, as far as it gets before the index
// is closed, and read segments without comparing their checksums: a segment that is
// merged has a new one.
func (u *Update) mergeSegments(ctx context.Context) (unused []string, err error) {
	idx, ok := u.idx.(*scorch.Scorch)
	if !ok {
		return nil, fmt.Errorf("the index is %T, not scorch's", u.idx)
	}
	files, err := segmentFiles(idx)
	if err != nil || len(files) <= mostSegments {
		return nil, err
	}
	if err := u.old.checkFiles(u.dir); err != nil {
		return nil, err
	}
	err = idx.ForceMerge(ctx, &mergeplan.MergePlanOptions{
		MaxSegmentsPerTier: 1, SegmentsPerMergeTask: 1 << 10, TierGrowth: 10, FloorSegmentSize: 1, ReclaimDeletesWeight: 2,
		MaxSegmentSize: 2 * smallSegment, // those of half of it are merged
		CalcBudget:     func(int64, int64, *mergeplan.MergePlanOptions) int { return 1 },
	})
	if err != nil {
		return nil, withMeaning(err)
	}
	// Batch returns when all that came before is on the disk; a merge alone is
	// written at some later time.
	b := index.NewBatch()
	b.SetInternal([]byte("merged"), nil)
	if err := idx.Batch(b); err != nil {
		return nil, withMeaning(err)
	}
	if files, err = segmentFiles(idx); err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, f := range files {
		if f == "" {
			return nil, nil // it is not written yet, so its file is unknown
		}
		used[filepath.Base(f)] = true
	}
	all, err := filepath.Glob(filepath.Join(u.gen, indexFolder, "*.zap"))
	if err != nil {
		return nil, err
	}
	for _, path := range all {
		if !used[filepath.Base(path)] {
			unused = append(unused, path)
		}
	}
	return unused, nil
}

// segmentFiles gives the file of every segment, "" for one in memory.
func segmentFiles(idx *scorch.Scorch) (files []string, err error) {
	r, err := idx.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil, fmt.Errorf("scorch gives %T", r)
	}
	for _, s := range snapshot.Segments() {
		path := ""
		if p, ok := s.Segment().(segment.PersistedSegment); ok {
			path = p.Path()
		}
		files = append(files, path)
	}
	return files, nil
}
