package search

import (
	"cmp"
	"slices"
	"strings"

	"docent/store/catalog"
	"docent/store/lexical"
)

// page is a document with its best passage in each of its sections.
type page struct {
	set  catalog.Set
	d    *catalog.Document
	hits []lexical.Hit // one a section, best first
}

// gather groups passages to pages. Hits of documents that the catalog does not
// know any more are passed over. Ties break by documentPath, then chunkIndex.
func (r *run) gather(sc scope, hits []lexical.Hit) ([]page, error) {
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Doc)
	}
	slices.Sort(ids)
	docs, err := r.b.Library.Documents(r.ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h lexical.Hit) bool {
		d := docs[h.Doc]
		return d == nil || h.Chunk >= len(d.Outline.Chunks)
	})
	where := func(h lexical.Hit) string { return sc.sets[h.Reader].Ref.String() + "/" + docs[h.Doc].Path }
	slices.SortFunc(hits, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(where(a), where(b)), cmp.Compare(a.Chunk, b.Chunk), cmp.Compare(a.Part, b.Part))
	})
	var pages []page
	at := map[int64]int{}
	seen := map[[2]int64]bool{}
	for _, h := range hits {
		d := docs[h.Doc]
		section := [2]int64{h.Doc, int64(d.Outline.Chunks[h.Chunk].Section)}
		if seen[section] {
			continue
		}
		seen[section] = true
		i, ok := at[h.Doc]
		if !ok {
			i = len(pages)
			at[h.Doc] = i
			pages = append(pages, page{set: sc.sets[h.Reader], d: d})
		}
		if len(pages[i].hits) < passagesPerPage {
			pages[i].hits = append(pages[i].hits, h)
		}
	}
	return pages, nil
}

// trim keeps the pages until limit headings are together.
func trim(pages []page, limit int) []page {
	type ranked struct {
		page  int
		score float64
	}
	var all []ranked
	for i, p := range pages {
		for _, h := range p.hits {
			all = append(all, ranked{i, h.Score})
		}
	}
	if len(all) <= limit {
		return pages
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	keep := make([]int, len(pages))
	for _, x := range all[:limit] {
		keep[x.page]++
	}
	var out []page
	for i, p := range pages {
		if keep[i] > 0 {
			p.hits = p.hits[:keep[i]]
			out = append(out, p)
		}
	}
	return out
}
