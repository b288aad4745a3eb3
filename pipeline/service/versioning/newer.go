package versioning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/graph"
	"docent/store"
	"docent/store/doc"
)

// NewerSection is a section of an answer that is not the same in the newest version of its
// doc set.
type NewerSection struct {
	DocSet string `json:"doc_set"`       // that answered
	Newer  string `json:"newer_doc_set"` // its newest version
	// Status is changed or removed; removed of a page that the newer version lacks, too.
	Status versions.Status `json:"status"`
	Before SectionPlace    `json:"before"`
	After  *SectionPlace   `json:"after,omitempty"`
}

// mostNewer bounds them; an answer of whole pages may have thousands of sections.
const mostNewer = 50

// NewerPlaces compares the places of an answer with the newest versions of their doc sets. It
// is an addition to an answer: pages that cannot be read are left out and reported. In a
// home with one version of each doc set it only reads the list of doc sets.
func (svc *Service) NewerPlaces(ctx context.Context, places []graph.Place) []NewerSection {
	out := []NewerSection{}
	type page struct{ set, path string }
	var order []page
	lines := map[page][][2]int{}
	for _, p := range places {
		at := page{p.DocSet, p.FilePath}
		if lines[at] == nil {
			order = append(order, at)
		}
		lines[at] = append(lines[at], p.Lines)
	}
	for _, at := range order {
		found, err := svc.newerPage(ctx, at.set, at.path, lines[at])
		if err != nil && ctx.Err() == nil {
			svc.home.Say("%v; whether a newer version of it says otherwise is not known", err)
		}
		out = append(out, found[:min(len(found), mostNewer-len(out))]...)
	}
	return out
}

// NewerThan is Newer for what an answer cites.
func (svc *Service) NewerThan(ctx context.Context, res pipeline.Result) []NewerSection {
	var places []graph.Place
	for _, c := range res.Citations {
		places = append(places, graph.Place{DocSet: c.DocSet, FilePath: c.FilePath, Lines: c.Lines})
	}
	return svc.NewerPlaces(ctx, places)
}

// newest is the newest version of a doc set; false where that is itself.
func (svc *Service) newest(ctx context.Context, set store.Set) (store.Set, bool, error) {
	siblings, err := svc.siblings(ctx, set)
	if err != nil || len(siblings) == 0 {
		return store.Set{}, false, err
	}
	last := siblings[len(siblings)-1]
	return last, doc.CompareVersions(last.Ref.Version, set.Ref.Version) > 0, nil
}

// newerPage compares lines of a page with its partner in the newest version.
func (svc *Service) newerPage(ctx context.Context, docSet, path string, lines [][2]int) ([]NewerSection, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return nil, err
	}
	set := sets[0]
	newer, ok, err := svc.newest(ctx, set)
	if err != nil || !ok {
		return nil, err
	}
	d, err := svc.home.Corpus.Catalog.ByPath(ctx, set.ID, path)
	if err != nil {
		return nil, err
	}
	partner, err := svc.partner(ctx, newer, d)
	if err != nil {
		return nil, err
	}
	gone := NewerSection{DocSet: set.Ref.String(), Newer: newer.Ref.String(), Status: versions.Removed}
	if partner == nil {
		gone.Before = SectionPlace{Path: d.Path, Page: d.Title, Lines: [2]int{1, d.Lines}}
		return []NewerSection{gone}, nil
	}
	text, sections, err := svc.pageText(ctx, set, d.Path, d)
	if err != nil {
		return nil, err
	}
	nowText, nowSections, err := svc.pageText(ctx, newer, partner.Path, partner)
	if errors.Is(err, corpus.ErrPageGone) {
		return nil, nil // an update will tell
	}
	if err != nil {
		return nil, err
	}
	before, after := versions.ReadSections(text, sections), versions.ReadSections(nowText, nowSections)
	var out []NewerSection
	for i, j := range versions.MatchSections(before, after) {
		s := before[i]
		if !slices.ContainsFunc(lines, func(l [2]int) bool { return l[0] <= s.Lines[1] && s.Lines[0] <= l[1] }) {
			continue
		}
		n := gone
		n.Before = SectionPlace{Path: d.Path, Page: d.Title, Section: s.Path, Heading: s.Heading, Anchor: s.Anchor, Lines: s.Lines}
		switch {
		case j >= 0 && s.Sum == after[j].Sum:
			continue
		case j >= 0:
			a := after[j]
			n.Status, n.After = versions.Changed, &SectionPlace{Path: partner.Path, Page: partner.Title, Section: a.Path,
				Heading: a.Heading, Anchor: a.Anchor, Lines: a.Lines}
		case s.Level == 0 || s.Words == 0:
			continue // text before the first heading has no name that could be missing
		}
		out = append(out, n)
	}
	return out, nil
}

// partner finds a page in another version, in the ways of versions.MatchPages; nil: it is
// not there.
func (svc *Service) partner(ctx context.Context, set store.Set, d *store.Document) (*store.Document, error) {
	found, err := svc.home.Corpus.Catalog.ByPath(ctx, set.ID, d.Path)
	if err == nil || !errors.Is(err, store.ErrNotFound) {
		return found, err
	}
	docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	pages := make([]versions.Page, len(docs))
	for i, o := range docs {
		pages[i] = versions.Page{Path: o.Path, Title: o.Title, Print: o.Fingerprint}
	}
	one := []versions.Page{{Path: d.Path, Title: d.Title, Print: d.Fingerprint}}
	for _, p := range versions.MatchPages(one, pages) {
		if p.Before == 0 && p.After >= 0 {
			return svc.home.Corpus.Catalog.ByPath(ctx, set.ID, docs[p.After].Path)
		}
	}
	return nil, nil
}

// NewerLines words what newer versions say otherwise, a line for each page. show words
// the command that shows the difference; nil: the lines name none.
func NewerLines(all []NewerSection, show func(*contract.Remedy) string) []string {
	var out []string
	for len(all) > 0 {
		first := all[0]
		n := 0
		changed, removed := 0, 0
		for n < len(all) && all[n].DocSet == first.DocSet && all[n].Before.Path == first.Before.Path {
			if all[n].Status == versions.Removed {
				removed++
			} else {
				changed++
			}
			n++
		}
		all = all[n:]
		shown := ""
		if show != nil {
			shown = " (" + show(contract.RunDocent("diff", first.DocSet, first.Newer, first.Before.Path)) + ")"
		}
		switch {
		case first.Status == versions.Removed && first.Before.Section == "":
			out = append(out, fmt.Sprintf("%s is newer than %s and has no page %s", first.Newer, first.DocSet, first.Before.Path))
		case n == 1 && changed == 1:
			out = append(out, fmt.Sprintf("%s is newer than %s and differs in %q of %s%s", first.Newer, first.DocSet,
				first.Before.placeName(), first.Before.Path, shown))
		case n == 1:
			out = append(out, fmt.Sprintf("%s is newer than %s and has no section %q on %s%s", first.Newer, first.DocSet,
				first.Before.placeName(), first.Before.Path, shown))
		default:
			out = append(out, fmt.Sprintf("%s is newer than %s and differs in %d sections of %s%s%s", first.Newer, first.DocSet, n,
				first.Before.Path, goneOf(removed), shown))
		}
	}
	return out
}

func goneOf(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", of which it lacks 1"
	}
	return fmt.Sprintf(", of which it lacks %d", n)
}

// placeName is what a section is called.
func (p SectionPlace) placeName() string {
	if p.Heading == "" {
		return p.Page
	}
	return p.Heading
}

// Versions are the doc sets of a doc set's name, from the oldest to the newest.
func (svc *Service) Versions(ctx context.Context, docSet string) ([]string, error) {
	sets, err := svc.home.Corpus.Resolve(ctx, []string{docSet})
	if err != nil {
		return nil, err
	}
	all, err := svc.siblings(ctx, sets[0])
	if err != nil {
		return nil, err
	}
	all = append(all, sets[0])
	slices.SortStableFunc(all, func(a, b store.Set) int { return doc.CompareVersions(a.Ref.Version, b.Ref.Version) })
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = s.Ref.String()
	}
	return out, nil
}

// OlderSets are the versions of a doc set that it takes the place of, the next older one
// first.
func (svc *Service) OlderSets(ctx context.Context, set store.Set) ([]store.Set, error) {
	all, err := svc.siblings(ctx, set)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s store.Set) bool { return doc.CompareVersions(s.Ref.Version, set.Ref.Version) > 0 })
	slices.Reverse(all)
	return all, nil
}
