package pages

import (
	"context"

	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
)

// TitledPage is a page with its headings, as the catalog knows them.
type TitledPage struct {
	DocSet, Path, Title string
	Headings            []Heading
}

// Heading is a heading of a page.
type Heading struct {
	Path   []string // the headings above it and itself
	Anchor string
	Line   int // of the page's text
}

// Name is the heading's own text.
func (h Heading) Name() string {
	if n := len(h.Path); n > 0 {
		return h.Path[n-1]
	}
	return ""
}

// Titles lists the pages of all doc sets with their headings, doc set after doc set, the
// newest of several versions first, the manual last. No file is read.
func (svc *Service) Titles(ctx context.Context) ([]TitledPage, error) {
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	var out, manual []TitledPage
	for _, set := range home.NewestFirst(sets) {
		list := &out
		if set.Ref == home.ManualRef() {
			list = &manual
		}
		docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
		if err != nil {
			return nil, err
		}
		for len(docs) > 0 {
			n := min(locate.TitlesAtOnce, len(docs))
			ids := make([]int64, n)
			for i, d := range docs[:n] {
				ids[i] = d.ID
			}
			full, err := svc.home.Corpus.Catalog.ByID(ctx, ids)
			if err != nil {
				return nil, err
			}
			for _, d := range docs[:n] {
				p := TitledPage{DocSet: set.Ref.String(), Path: d.Path, Title: d.Title}
				if f := full[d.ID]; f != nil {
					for _, s := range f.Outline.Sections {
						if s.Level > 0 && s.Text != "" {
							p.Headings = append(p.Headings, Heading{Path: s.Path, Anchor: s.Anchor, Line: s.Span.StartLine})
						}
					}
				}
				*list = append(*list, p)
			}
			docs = docs[n:]
		}
	}
	return append(out, manual...), nil
}
