package packing

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing/kept"
	"docent/store"
)

// Ready takes over the index that came with a doc set's documents, if one did, before the doc set is
// updated; anew says that the update reads every page all the same. It gives the doc set as it is
// then, and which pages came and went.
func (svc *Service) Ready(ctx context.Context, wr *home.Writer, s store.Set, anew bool, w home.Watch) (_ store.Set, came ingest.Report,
	err error) {
	folder := svc.home.SourceFolder(s.Ref)
	from := filepath.Join(folder, kept.Index)
	if !strings.HasPrefix(s.Root, folder+string(filepath.Separator)) {
		return s, came, nil
	}
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return s, came, nil
	}
	if !anew {
		after, took, err := svc.takeOver(ctx, wr, s, from)
		if err != nil && !errors.Is(err, ErrNoIndex) {
			return s, took, err // it is there for the next try
		}
		if err != nil {
			w.Notef("%s: %v; the index is made again", s.Ref, err)
		}
		s, came = after, took
	}
	return s, came, os.RemoveAll(from)
}
