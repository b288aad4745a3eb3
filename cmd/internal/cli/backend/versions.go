package backend

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/cmd/internal/cli/wording"
	"docent/pipeline"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/versioning"
	"docent/store/doc"
	"docent/tui"
)

// Compare compares a version of a doc set with another one.
func (b *Backend) Compare(ctx context.Context, docSet string, turn int) (tui.Comparison, error) {
	all, err := b.Current().Versioning.Versions(ctx, docSet)
	if err != nil {
		return tui.Comparison{}, err
	}
	pairs := versionPairs(all, docSet)
	if len(pairs) == 0 {
		name := docSet
		if ref, err := doc.ParseRef(docSet); err == nil {
			name = ref.Name
		}
		return tui.Comparison{}, fmt.Errorf("%s is the only version of %s; docent add PATH --name %s --version VERSION adds another",
			docSet,
			name, name)
	}
	pair := pairs[turn%len(pairs)]
	d, err := b.Current().Versioning.CompareSets(ctx, versioning.DiffRequest{Before: pair[0], After: pair[1]})
	if err != nil {
		return tui.Comparison{}, err
	}
	out := tui.Comparison{Before: pair[0], After: pair[1], Summary: "pages: " + wording.CountsOf(d.Counts.Pages), Of: d}
	if len(pairs) > 1 {
		out.Summary += fmt.Sprintf("; pair %d of %d", turn%len(pairs)+1, len(pairs))
	}
	switch {
	case d.NothingInCommon:
		out.Nothing = fmt.Sprintf("%s (%s) and %s (%s) have no page in common.", pair[0], wording.PagesOf(d.Before.Pages), pair[1],
			wording.PagesOf(d.After.Pages))
	case len(d.Pages) == 0:
		out.Nothing = fmt.Sprintf("%s and %s are the same: %s.", pair[0], pair[1], wording.PagesOf(d.After.Pages))
	}
	for _, p := range d.Pages {
		page := tui.ComparedPage{Sign: wording.DiffSigns[p.Status][0], Name: wording.PageLine(p),
			Info: string(p.Status) + wording.Counted(p)}
		for i, n := range []*versioning.PageName{p.Before, p.After} {
			if n != nil {
				page.Paths[i] = n.Path
			}
		}
		out.Pages = append(out.Pages, page)
	}
	return out, nil
}

// versionPairs are the pairs of versions to compare, the older one first: a doc set and
// the one before it, or the one behind it where it is the oldest; then it and the newest;
// then all neighbours.
func versionPairs(all []string, docSet string) [][2]string {
	at := slices.Index(all, docSet)
	if at < 0 || len(all) < 2 {
		return nil
	}
	var out [][2]string
	put := func(i, j int) {
		if pair := [2]string{all[min(i, j)], all[max(i, j)]}; i != j && !slices.Contains(out, pair) {
			out = append(out, pair)
		}
	}
	if at > 0 {
		put(at-1, at)
	} else {
		put(0, 1)
	}
	put(at, len(all)-1)
	for i := len(all) - 1; i > 0; i-- {
		put(i-1, i)
	}
	put(0, len(all)-1)
	return out
}

// CompareLines gives the sections of a page of a comparison.
func (b *Backend) CompareLines(ctx context.Context, c tui.Comparison, page int) ([]tui.Compared, error) {
	d, ok := c.Of.(versioning.Diff)
	if !ok || page >= len(d.Pages) {
		return nil, fmt.Errorf("the comparison of %s and %s is not there any more", c.Before, c.After)
	}
	p := d.Pages[page]
	p.Sections = slices.Clone(p.Sections)
	if err := b.Current().Versioning.DiffLines(ctx, d, &p); err != nil {
		return nil, err
	}
	out := make([]tui.Compared, len(p.Sections))
	title := sharedTitle(p.Sections)
	for i, s := range p.Sections {
		out[i] = tui.Compared{Sign: wording.DiffSigns[s.Status][0], Text: wording.SectionLine(p, s, title), Place: placeOf(c, s)}
		for _, ch := range s.Changes {
			before, after := c.Before, c.After
			out[i].Lines = append(out[i].Lines, tui.ComparedLine{Sign: "@", Text: wording.ChangeLines(ch), Place: out[i].Place})
			for n, l := range ch.Removed {
				out[i].Lines = append(out[i].Lines,
					tui.ComparedLine{Sign: string("-"), Text: l, Place: lineOf(before, s.Before, ch.BeforeLines, n)})
			}
			for n, l := range ch.Added {
				out[i].Lines = append(out[i].Lines,
					tui.ComparedLine{Sign: string("+"), Text: l, Place: lineOf(after, s.After, ch.AfterLines, n)})
			}
		}
	}
	return out, nil
}

// placeOf is where a section is read: in the version behind, where it is there.
func placeOf(c tui.Comparison, s versioning.DiffSection) pipeline.Place {
	if s.Status == versions.Removed || s.After == nil {
		return lineOf(c.Before, s.Before, nil, 0)
	}
	return lineOf(c.After, s.After, nil, 0)
}

// lineOf is a line of a section; without lines its heading.
func lineOf(docSet string, at *versioning.SectionPlace, lines *[2]int, n int) pipeline.Place {
	p := pipeline.Place{DocSet: docSet, FilePath: at.Path, Title: at.Page, Anchor: at.Anchor, Line: at.Lines[0]}
	if at.Heading != "" {
		p.Path = []string{at.Heading}
	}
	if lines != nil {
		p.Line = lines[0] + n
	}
	return p
}

// sharedTitle is the heading, with the sign behind it, below which all sections are, or
// "". A row of the app has no room to say it each time.
func sharedTitle(sections []versioning.DiffSection) string {
	title := ""
	for _, s := range sections {
		for _, at := range []*versioning.SectionPlace{s.Before, s.After} {
			if at == nil || at.Section == "" {
				continue
			}
			first, _, _ := strings.Cut(at.Section, doc.PathSeparator)
			if title == "" {
				title = first
			}
			if first != title {
				return ""
			}
		}
	}
	if title == "" {
		return ""
	}
	return title + doc.PathSeparator
}
