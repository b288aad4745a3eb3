package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"docent/store"
	"docent/store/doc"
)

// page is a document with its best passage in each of its sections.
type page struct {
	set    store.Set
	d      *store.Document
	hits   []hit     // one a section, best first
	also   []doc.Ref // doc sets with nearly the same page, see run.dropNearDuplicates
	copies []string  // paths of nearly the same page in its doc set, see run.foldCopies
}

// gather groups passages to pages. Hits of documents that the catalog does not
// know any more, or whose rows are damaged, are passed over with a note. Ties break by documentPath, then chunkIndex.
func (r *run) gather(ctx context.Context, sc scope, hits []hit) ([]page, error) {
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Doc)
	}
	slices.Sort(ids)
	docs, err := r.b.Corpus.Documents(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h hit) bool {
		d := docs[h.Doc]
		if d == nil {
			r.note("pages of %s were left out: the catalog does not have them, or they are damaged there; the next start mends them, "+
				"and so does an update of %s", sc.sets[h.Reader].Ref, sc.sets[h.Reader].Ref)
		}
		return d == nil || h.Chunk >= len(d.Outline.Chunks)
	})
	names := make([]string, len(sc.sets))
	for i, s := range sc.sets {
		names[i] = s.Ref.String()
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(names[a.Reader], names[b.Reader]), strings.Compare(docs[a.Doc].Path, docs[b.Doc].Path),
			cmp.Compare(a.Chunk, b.Chunk), cmp.Compare(a.Part, b.Part))
	})
	var pages []page
	at := map[int64]int{}
	seen := map[[2]int64]bool{}
	section := func(h hit) [2]int64 { return [2]int64{h.Doc, int64(docs[h.Doc].Outline.Chunks[h.Chunk].Section)} }
	aimed := map[[2]int64]bool{}
	for _, h := range hits {
		if h.aimed {
			aimed[section(h)] = true
		}
	}
	for _, h := range hits {
		d := docs[h.Doc]
		s := section(h)
		if seen[s] {
			continue
		}
		seen[s] = true
		h.aimed = aimed[s]
		i, ok := at[h.Doc]
		if !ok {
			i = len(pages)
			at[h.Doc] = i
			pages = append(pages, page{set: sc.sets[h.Reader], d: d})
		}
		if len(pages[i].hits) < passagesPerPage || h.aimed {
			pages[i].hits = append(pages[i].hits, h)
		}
	}
	return pages, nil
}

// trimHeadings keeps limit headings: those that were aimed at and the best by score, but
// for a fifth of them those that are nearest in meaning among the rest.
func trimHeadings(pages []page, limit int) []page {
	type ranked struct {
		page, at int
		hit
	}
	var all []ranked
	for i, p := range pages {
		for k, h := range p.hits {
			all = append(all, ranked{i, k, h})
		}
	}
	if len(all) <= limit {
		return pages
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if a.aimed != b.aimed {
			if a.aimed {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Score, a.Score)
	})
	rest := slices.Clone(all[limit-limit/5:])
	slices.SortStableFunc(rest, func(a, b ranked) int { return cmp.Compare(b.semantic, a.semantic) })
	chosen := append(all[:limit-limit/5], rest[:limit/5]...)
	slices.SortStableFunc(chosen, func(a, b ranked) int { return cmp.Compare(a.at, b.at) })
	kept := make([][]hit, len(pages))
	for _, c := range chosen {
		kept[c.page] = append(kept[c.page], c.hit)
	}
	var out []page
	for i, p := range pages {
		if len(kept[i]) > 0 {
			p.hits = kept[i]
			out = append(out, p)
		}
	}
	return out
}
