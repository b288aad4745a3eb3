package versioning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/locate"
	"docent/store"
	"docent/store/doc"
	"docent/store/parallel"
)

// DiffRequest asks what two versions of a doc set have in common and what not.
type DiffRequest struct {
	// Before and After name the doc sets. They may have different names. Without Before the
	// version before After is taken.
	Before, After string
	Page          string // of one of them or of both, as Read takes it; "": all
}

// Diff is the answer.
type Diff struct {
	Before VersionInfo `json:"before"`
	After  VersionInfo `json:"after"`
	// NothingInCommon says that no page of the one is a page of the other; then Pages is
	// empty.
	NothingInCommon bool          `json:"nothing_in_common"`
	Counts          DiffCounts    `json:"counts"`
	Pages           []DiffPage    `json:"pages"` // those that differ, or the page asked for
	Unread          []DiffMissing `json:"unread,omitempty"`

	compared *compared
	ofPage   bool // a page was asked for
}

// VersionInfo is one of the doc sets that are compared.
type VersionInfo struct {
	DocSet  string `json:"doc_set"`
	Version string `json:"version"`
	Pages   int    `json:"pages"`
}

// DiffCounts counts the pages and sections of both doc sets by what became of them.
type DiffCounts struct {
	Pages    versions.Counts `json:"pages"`
	Sections versions.Counts `json:"sections"`
}

// DiffPage is a page that differs.
type DiffPage struct {
	Status versions.Status `json:"status"` // added, removed, renamed, changed; of a page asked for also unchanged
	// MatchedBy says how the page was found in both.
	MatchedBy versions.How    `json:"matched_by,omitempty"`
	Before    *PageName       `json:"before,omitempty"`
	After     *PageName       `json:"after,omitempty"`
	Counts    versions.Counts `json:"counts"` // of its sections
	Sections  []DiffSection   `json:"sections"`

	page versions.PageDiff
}

// PageName names a page of a diff.
type PageName struct {
	Path  string `json:"file_path"`
	Title string `json:"page_title"`
}

// DiffSection is a section that differs.
type DiffSection struct {
	Status versions.Status `json:"status"` // added, removed, changed or moved
	// Edited says of a moved section that its text changed too.
	Edited bool          `json:"edited,omitempty"`
	Before *SectionPlace `json:"before,omitempty"`
	After  *SectionPlace `json:"after,omitempty"`
	// Changes are the lines that differ; only of a page asked for.
	Changes []LineChange `json:"changes,omitempty"`
}

// SectionPlace is where a section stands. Its lines go up to the next heading.
type SectionPlace struct {
	Path    string `json:"file_path"`
	Page    string `json:"page_title"`
	Section string `json:"section_path"` // "": before the first heading
	Heading string `json:"heading"`
	Anchor  string `json:"anchor,omitempty"`
	Lines   [2]int `json:"lines"`
}

// LineChange is a run of lines that differ. Of lines that are only added or only removed,
// the other side has none.
type LineChange struct {
	BeforeLines *[2]int  `json:"before_lines,omitempty"`
	AfterLines  *[2]int  `json:"after_lines,omitempty"`
	Removed     []string `json:"removed,omitempty"`
	Added       []string `json:"added,omitempty"`
}

// DiffMissing is a page that could not be read; neither it nor its partner is compared.
type DiffMissing struct {
	DocSet string `json:"doc_set"`
	Path   string `json:"file_path"`
	Reason string `json:"reason"`
}

// compared is what a diff was made of.
type compared struct {
	sides  [2]side
	result *versions.Comparison
}

// side is one of the doc sets that are compared.
type side struct {
	set   store.Set
	docs  []store.Document
	pages []versions.Page
}

// CompareSets compares two doc sets. Pages are compared as their files are now.
func (svc *Service) CompareSets(ctx context.Context, req DiffRequest) (Diff, error) {
	sets, err := svc.TwoSets(ctx, req)
	if err != nil {
		return Diff{}, err
	}
	c := &compared{}
	for i, s := range sets {
		if c.sides[i], err = svc.listSide(ctx, s); err != nil {
			return Diff{}, err
		}
	}
	pages := [2][]versions.Page{c.sides[0].pages, c.sides[1].pages}
	pairs := versions.MatchPages(pages[0], pages[1])
	if err := svc.readSections(ctx, c, pairs); err != nil {
		return Diff{}, err
	}
	counts, err := svc.sectionCounts(ctx, c, pairs)
	if err != nil {
		return Diff{}, err
	}
	c.result = versions.Compare(pages[0], pages[1], pairs, func(after int) int { return counts[c.sides[1].docs[after].ID] })
	out := Diff{Before: c.infoOf(0), After: c.infoOf(1), Pages: []DiffPage{}, compared: c, ofPage: req.Page != "",
		Counts: DiffCounts{Pages: c.result.OfPages, Sections: c.result.OfSections}}
	out.Unread = c.unread()
	out.NothingInCommon = !c.result.Related(pages[0], pages[1])
	if req.Page != "" {
		return out, svc.diffPage(ctx, &out, req)
	}
	if out.NothingInCommon {
		return out, nil
	}
	for _, d := range c.result.Pages {
		if d.Differs() {
			out.Pages = append(out.Pages, c.pageDiff(d))
		}
	}
	slices.SortStableFunc(out.Pages, func(a, b DiffPage) int { return strings.Compare(a.nameOf().Path, b.nameOf().Path) })
	return out, nil
}

// nameOf is the page's name in the newer of the versions that have it.
func (p DiffPage) nameOf() PageName {
	if p.After != nil {
		return *p.After
	}
	return *p.Before
}

// TwoSets finds the doc sets of a request, the older one first as it was named.
func (svc *Service) TwoSets(ctx context.Context, req DiffRequest) ([2]store.Set, error) {
	var out [2]store.Set
	if req.Before == "" {
		return svc.newestTwo(ctx, req.After)
	}
	for i, name := range []string{req.Before, req.After} {
		sets, err := svc.home.Corpus.Resolve(ctx, []string{name})
		if err != nil {
			return out, err
		}
		out[i] = sets[0]
	}
	if out[0].ID != out[1].ID {
		return out, nil
	}
	siblings, err := svc.siblings(ctx, out[0])
	if err != nil {
		return out, err
	}
	both := fmt.Sprintf("%s and %s are both %s", req.Before, req.After, out[0].Ref)
	if req.Before == req.After {
		both = fmt.Sprintf("both doc sets are %s", out[0].Ref)
	}
	e := contract.Invalid("doc_sets", "%s, which has no other version here", both).WithRemedy(
		contract.RunDocent("add", "PATH", "--name", out[0].Ref.Name, "--version", "V").To("adds one"))
	if len(siblings) > 0 {
		var names []string
		for _, s := range siblings {
			names = append(names, s.Ref.String())
		}
		e = contract.Invalid("doc_sets", "%s; its other versions: %s", both,
			strings.Join(names, ", ")).WithRemedy(contract.Change("doc_sets", names...))
	}
	return out, e
}

// siblings are the other versions of a doc set, from old to new.
func (svc *Service) siblings(ctx context.Context, set store.Set) ([]store.Set, error) {
	all, err := svc.home.Corpus.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := slices.DeleteFunc(slices.Clone(all), func(s store.Set) bool {
		return s.ID == set.ID ||
			!strings.EqualFold(s.Ref.Name, set.Ref.Name)
	})
	slices.SortStableFunc(out, func(a, b store.Set) int { return doc.CompareVersions(a.Ref.Version, b.Ref.Version) })
	return out, nil
}

// listSide lists the pages of a doc set, and looks which of their files are as they were when
// they were indexed.
func (svc *Service) listSide(ctx context.Context, set store.Set) (side, error) {
	docs, err := svc.home.Corpus.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return side{}, err
	}
	out := side{set: set, docs: docs, pages: make([]versions.Page, len(docs))}
	return out, parallel.Ranges(ctx, len(docs), 16, func(first, end int) {
		for i := first; i < end; i++ {
			d := &docs[i]
			p := versions.Page{Path: d.Path, Title: d.Title, Text: cmp.Or(d.TextSHA256, d.SHA256), Print: d.Fingerprint}
			switch state, err := svc.home.Corpus.State(ctx, set, d); {
			case err != nil:
				p.Unread = err.Error()
			case state == corpus.Gone:
				p.Unread = corpus.ErrPageGone.Error()
			case state == corpus.Changed:
				p.Text = ""
			}
			out.pages[i] = p
		}
	})
}

// readSections reads the pages that have no partner with the same text.
func (svc *Service) readSections(ctx context.Context, c *compared, pairs []versions.Pair) error {
	type job struct{ side, page int }
	var jobs []job
	ids := [2][]int64{}
	for _, p := range pairs {
		both := p.Before >= 0 && p.After >= 0
		if both && c.hasSameText(p) {
			continue
		}
		for i, n := range []int{p.Before, p.After} {
			if n >= 0 && c.sides[i].pages[n].Unread == "" {
				jobs = append(jobs, job{i, n})
				ids[i] = append(ids[i], c.sides[i].docs[n].ID)
			}
		}
	}
	outlines := map[int64]*store.Document{}
	for i := range ids {
		for part := range slices.Chunk(ids[i], locate.TitlesAtOnce) {
			full, err := svc.home.Corpus.Catalog.ByID(ctx, part)
			if err != nil {
				return err
			}
			for id, d := range full {
				outlines[id] = d
			}
		}
	}
	return parallel.Ranges(ctx, len(jobs), 4, func(first, end int) {
		for _, j := range jobs[first:end] {
			s := &c.sides[j.side]
			text, sections, err := svc.pageText(ctx, s.set, s.docs[j.page].Path, outlines[s.docs[j.page].ID])
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.pages[j.page].Unread = cmp.Or(reason(err), err.Error())
				continue
			}
			s.pages[j.page].Sections = versions.ReadSections(text, sections)
		}
	})
}

// reason is a short form of an error of reading a page, "" for others.
func reason(err error) string {
	if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
		return corpus.ErrPageGone.Error()
	}
	return ""
}

// hasSameText reports whether a page has the same text in both versions.
func (c *compared) hasSameText(p versions.Pair) bool {
	a, b := c.sides[0].pages[p.Before], c.sides[1].pages[p.After]
	return a.Unread == "" && b.Unread == "" && a.Text != "" && a.Text == b.Text
}

// pageText gives a page's text as it is now and its sections. outline may be nil.
func (svc *Service) pageText(ctx context.Context, set store.Set, path string, outline *store.Document) ([]byte, []doc.Section, error) {
	p, err := svc.home.Corpus.Source(ctx, set, path)
	if err != nil {
		return nil, nil, err
	}
	if !p.Changed && p.Doc.Sections == nil {
		if outline != nil && outline.SHA256 == p.SHA256 {
			return p.Doc.Text, outline.Outline.Sections, nil
		}
		if p, err = svc.home.Corpus.Page(ctx, set, path); err != nil {
			return nil, nil, err
		}
	}
	return p.Doc.Text, p.Doc.Sections, nil
}

// sectionCounts gives, by the document's number, how many sections the pages have that
// have the same text in both versions.
func (svc *Service) sectionCounts(ctx context.Context, c *compared, pairs []versions.Pair) (map[int64]int, error) {
	var ids []int64
	for _, p := range pairs {
		if p.Before >= 0 && p.After >= 0 && c.hasSameText(p) {
			ids = append(ids, c.sides[1].docs[p.After].ID)
		}
	}
	out := map[int64]int{}
	for part := range slices.Chunk(ids, locate.TitlesAtOnce) {
		full, err := svc.home.Corpus.Catalog.ByID(ctx, part)
		if err != nil {
			return nil, err
		}
		for id, d := range full {
			out[id] = len(d.Outline.Sections)
		}
	}
	return out, nil
}

func (c *compared) infoOf(i int) VersionInfo {
	s := c.sides[i]
	return VersionInfo{DocSet: s.set.Ref.String(), Version: s.set.Ref.Version, Pages: len(s.docs)}
}

func (c *compared) unread() []DiffMissing {
	var out []DiffMissing
	for _, s := range c.sides {
		for _, p := range s.pages {
			if p.Unread != "" {
				out = append(out, DiffMissing{DocSet: s.set.Ref.String(), Path: p.Path, Reason: p.Unread})
			}
		}
	}
	return out
}

// pageDiff words a page of the comparison.
func (c *compared) pageDiff(d versions.PageDiff) DiffPage {
	out := DiffPage{Status: d.Status, MatchedBy: d.How, Counts: d.Counts, Sections: []DiffSection{}, page: d}
	name := func(side, n int) *PageName {
		if n < 0 {
			return nil
		}
		p := c.sides[side].pages[n]
		return &PageName{Path: p.Path, Title: p.Title}
	}
	out.Before, out.After = name(0, d.Before), name(1, d.After)
	for _, s := range d.Sections {
		out.Sections = append(out.Sections, DiffSection{Status: s.Status, Edited: s.Edited, Before: c.placeAt(0, s.Before),
			After: c.placeAt(1, s.After)})
	}
	return out
}

func (c *compared) placeAt(side int, at versions.At) *SectionPlace {
	if at.Page < 0 {
		return nil
	}
	p := c.sides[side].pages[at.Page]
	s := p.Sections[at.Section]
	return &SectionPlace{Path: p.Path, Page: p.Title, Section: s.Path, Heading: s.Heading, Anchor: s.Anchor, Lines: s.Lines}
}

// diffPage gives a diff the one page that was asked for, with the lines that changed.
func (svc *Service) diffPage(ctx context.Context, out *Diff, req DiffRequest) error {
	c := out.compared
	at := [2]int{-1, -1}
	var first error
	for i := range c.sides {
		set, path, err := svc.locate.FindPage(ctx, req.Page, []string{c.sides[i].set.Ref.String()})
		if err != nil && isAmbiguous(err) {
			return err
		}
		if err != nil || set.ID != c.sides[i].set.ID {
			first = cmp.Or(first, err)
			continue
		}
		at[i] = slices.IndexFunc(c.sides[i].docs, func(d store.Document) bool { return d.Path == path })
	}
	if at[0] < 0 && at[1] < 0 {
		if _, ok := errors.AsType[*locate.SetAloneError](first); ok {
			return first
		}
		return contract.Invalid("page", "neither %s nor %s has a page %q", out.Before.DocSet, out.After.DocSet,
			req.Page).WithRemedy(contract.RunDocent("diff", out.Before.DocSet, out.After.DocSet).To("lists what differs"))
	}
	d, ok := c.result.FindPage(at[0], -1)
	if at[0] < 0 {
		d, ok = c.result.FindPage(-1, at[1])
	}
	if ok && at[0] >= 0 && at[1] >= 0 && d.After != at[1] {
		names := []string{out.Before.DocSet + "/" + c.sides[0].docs[at[0]].Path, out.After.DocSet + "/" + c.sides[1].docs[at[1]].Path}
		e := contract.Invalid("page", "%q is another page in each version: %s; give one with its doc set", req.Page,
			strings.Join(names, ", "))
		e.Details["candidates"] = names
		return e.WithRemedy(contract.Change("page", names...))
	}
	if !ok {
		return contract.Invalid("page", "there is no page %q", req.Page)
	}
	if d.Skipped {
		for _, u := range out.Unread {
			if d.Before >= 0 && u.Path == c.sides[0].docs[d.Before].Path || d.After >= 0 && u.Path == c.sides[1].docs[d.After].Path {
				return contract.Invalid("page", "page %s of %s: %s", u.Path, u.DocSet, u.Reason).WithRemedy(
					contract.RunDocent("update", u.DocSet).To("reads the doc set again"))
			}
		}
	}
	p := c.pageDiff(d)
	out.Pages, out.NothingInCommon = append(out.Pages, p), false
	return svc.DiffLines(ctx, *out, &out.Pages[0])
}

func isAmbiguous(err error) bool {
	e, ok := errors.AsType[*contract.Error](err)
	return ok && e.Details["candidates"] != nil
}

// DiffLines adds to the sections of a page of a diff the lines that differ. A page that
// changed since the diff was made is an error.
func (svc *Service) DiffLines(ctx context.Context, d Diff, p *DiffPage) error {
	c := d.compared
	texts := map[[2]int][]byte{}
	lines := func(side int, at versions.At) ([]string, int, error) {
		if at.Page < 0 {
			return nil, 0, nil
		}
		s := c.sides[side]
		text, ok := texts[[2]int{side, at.Page}]
		if !ok {
			var err error
			if text, _, err = svc.pageText(ctx, s.set, s.docs[at.Page].Path, &s.docs[at.Page]); err != nil {
				return nil, 0, err
			}
			texts[[2]int{side, at.Page}] = text
		}
		got, first := versions.ComparedLines(text, s.pages[at.Page].Sections[at.Section])
		return got, first, nil
	}
	for i, s := range p.page.Sections {
		if s.Status == versions.Moved && !s.Edited {
			continue
		}
		before, from, err := lines(0, s.Before)
		if err != nil {
			return err
		}
		after, to, err := lines(1, s.After)
		if err != nil {
			return err
		}
		p.Sections[i].Changes = changesOf(before, from, after, to)
	}
	return nil
}

func changesOf(before []string, from int, after []string, to int) []LineChange {
	var out []LineChange
	for _, d := range versions.DiffLines(before, after) {
		var c LineChange
		if d.Before < d.BeforeEnd {
			c.BeforeLines = &[2]int{from + d.Before, from + d.BeforeEnd - 1}
			c.Removed = before[d.Before:d.BeforeEnd]
		}
		if d.After < d.AfterEnd {
			c.AfterLines = &[2]int{to + d.After, to + d.AfterEnd - 1}
			c.Added = after[d.After:d.AfterEnd]
		}
		out = append(out, c)
	}
	return out
}
