package versioning

import (
	"cmp"
	"context"
	"slices"

	"docent/pipeline/service/locate"
	"docent/store"
	"docent/store/doc"
)

// EachPage calls do with the pages of a doc set as their files are now, in the catalog's order.
// Pages that could not be read are returned.
func (svc *Service) EachPage(ctx context.Context, set store.Set, do func(store.Document, []byte, []doc.Section)) ([]DiffMissing, error) {
	docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	var unread []DiffMissing
	for part := range slices.Chunk(docs, locate.TitlesAtOnce) {
		var ids []int64
		for _, d := range part {
			ids = append(ids, d.ID)
		}
		outlines, err := svc.home.Corpus.Catalog.ByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, d := range part {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			text, sections, err := svc.pageText(ctx, set, d.Path, outlines[d.ID])
			if err != nil {
				unread = append(unread, DiffMissing{DocSet: set.Ref.String(), Path: d.Path, Reason: cmp.Or(reason(err), err.Error())})
				continue
			}
			do(d, text, sections)
		}
	}
	return unread, nil
}
