package graph

import (
	"context"
	"errors"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/references"
	"docent/store"
)

// BrokenLinks are the links of doc sets or pages that lead nowhere, and those of which their
// sources do not say.
type BrokenLinks struct {
	Broken []references.Broken `json:"broken"`
	// Missing are the pages and folders that many of the broken links name.
	Missing []MissingPlace      `json:"missing"`
	Unsure  []references.Broken `json:"unsure"`
	Sets    []LinkCounts        `json:"doc_sets"`
}

// LinkCounts are what became of the links of a doc set, or of a page of it.
type LinkCounts struct {
	DocSet string `json:"doc_set"`
	// Page is the page's path where a page was asked for.
	Page string `json:"path,omitempty"`
	references.Counts
	// Files are the links to files that are there and are no pages.
	Files int `json:"files"`
	// Redirected are the links that the site's own list sends to another address.
	Redirected int `json:"redirected"`
}

// linkedPlace is a doc set, or a page of it, whose links are looked at.
type linkedPlace struct {
	set  store.Set
	page string // "": all pages
}

// Broken lists the links that lead nowhere, of doc sets (Name, Name@version) and of pages (SET/PAGE, or
// PAGE of the doc sets that narrow). A link to an existing file is not broken, whether or not the file is
// a page; nor is a link that the site redirects. Without names, all doc sets are read.
func (svc *Service) Broken(ctx context.Context, names, within []string) (BrokenLinks, error) {
	out := BrokenLinks{Broken: []references.Broken{}, Unsure: []references.Broken{}, Sets: []LinkCounts{}}
	places, err := svc.linkedPlaces(ctx, names, within)
	if err != nil {
		return out, err
	}
	for _, at := range places {
		err := svc.EachGraph(ctx, []store.Set{at.set}, func(s store.Set, g *references.Graph) error {
			var pages []string
			if at.page != "" {
				pages = []string{at.page}
			}
			broken, linked, err := g.Broken(pages...)
			if err != nil {
				return err
			}
			counts := LinkCounts{DocSet: s.Ref.String(), Page: at.page, Counts: linked}
			site := readSite(s)
			for _, b := range broken {
				site.sortBroken(s, b, &counts, &out)
			}
			out.Sets = append(out.Sets, counts)
			return nil
		})
		if err != nil {
			return BrokenLinks{}, err
		}
	}
	out.Missing, _ = GroupMissing(out.Broken)
	return out, nil
}

// linkedPlaces are the doc sets and pages that are named. A name with a stroke is a page's, and one that is
// no doc set's may be that of a page of the doc sets that narrow. Words that are a page's name together
// are that page.
func (svc *Service) linkedPlaces(ctx context.Context, names, within []string) ([]linkedPlace, error) {
	var sets []string
	var out []linkedPlace
	findPage := func(name string) error {
		name, section := svc.locate.PageAndSection(ctx, name, within)
		if section != "" {
			return contract.Invalid("section", "the links of a page are listed as a whole; leave %s out", section)
		}
		set, path, err := svc.locate.FindPage(ctx, name, within)
		if err == nil {
			out = append(out, linkedPlace{set, path})
		}
		return err
	}
	if whole := strings.Join(names, " "); len(names) > 1 && strings.Contains(names[0], "/") && findPage(whole) == nil {
		return out, nil
	}
	for _, name := range names {
		if !strings.Contains(name, "/") {
			_, err := svc.home.Corpus.Resolve(ctx, []string{name})
			if err == nil || len(within) == 0 || !errors.Is(err, contract.ErrNotThere) || findPage(name) != nil {
				sets = append(sets, name)
			}
		} else if err := findPage(name); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		sets = append(sets, within...)
	}
	if len(out) > 0 && len(sets) == 0 {
		return out, nil
	}
	found, err := svc.home.ResolveOrAll(ctx, slices.Compact(sets))
	for _, set := range found {
		out = append(out, linkedPlace{set: set})
	}
	return out, err
}
