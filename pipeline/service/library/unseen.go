package library

import (
	"context"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/files"
	"docent/store"
)

// unseen is what the catalog says of a doc set whose files lie on another machine: that one sees
// whether they changed.
func (svc *Service) unseen(ctx context.Context, s store.Set) (OnDisk, error) {
	known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return OnDisk{}, err
	}
	out := OnDisk{fresh: Fresh, Domains: map[string]int{}}
	out.Count(known)
	out.failed, err = svc.home.Catalog.Failures(ctx, s.ID)
	return out, err
}

// readable reports whether a file that could not be read can be now: its disk, or its
// permissions, may have been mended.
func readable(s store.Set, was store.Failure) bool {
	if was.Stage != ingest.StageRead {
		return false
	}
	_, err := files.ReadInside(s.Root, was.Path)
	return err == nil
}
