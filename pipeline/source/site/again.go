package site

import (
	"context"
	"net/url"
	"slices"

	"docent/pipeline/source"
)

// seedsAgain finds the addresses to begin an update with: the pages of the last fetch, or
// where a list of the site changed, what that lists now.
func (f *fetch) seedsAgain(ctx context.Context) ([]item, error) {
	b := f.before
	f.state = *b
	f.state.Pages, f.state.Left, f.state.Again = nil, nil, nil
	f.state.LLMs = slices.Clone(b.LLMs)
	f.scope = b.scope()
	f.edition = edition{language: b.Language, version: b.Version, filter: b.Filter, foreign: map[string]bool{}}
	if f.client.Now().Sub(b.RobotsAt) >= robotsHold || b.RobotsAt.After(f.client.Now()) {
		if err := f.readRules(ctx); err != nil {
			return nil, err
		}
	} else {
		f.useRules()
	}
	pages := f.pagesAgain()
	if b.Mode != byList || len(b.Sitemaps)+len(b.LLMs) == 0 {
		return pages, nil
	}
	f.say(source.Progress{Text: "asking " + f.scope.host + " for what changed"})
	list, changed, err := f.listsAgain(ctx)
	if err != nil {
		return nil, err
	}
	if !changed {
		return pages, nil
	}
	// The first page is read although no list may name it, and so are the PDFs that pages
	// linked to.
	for _, p := range pages {
		if isPDF(p.u) {
			list = append(list, p)
		}
	}
	for _, p := range pages {
		if p.home {
			return withHome(p, list), nil
		}
	}
	return list, nil
}

// pagesAgain are the pages of the last fetch, and those that failed then.
func (f *fetch) pagesAgain() []item {
	var out []item
	listed := f.before.Mode == byList
	for _, r := range f.before.Pages {
		u, err := url.Parse(r.Address)
		if err != nil {
			continue
		}
		home := r.Asked == f.start.String()
		for _, first := range []*url.URL{f.start, f.scope.folderAddress()} {
			home = home || identity(u) == identity(first)
		}
		out = append(out, item{u: u, modified: r.Modified, depth: r.Depth, listed: listed, home: home})
	}
	for _, a := range f.before.Again {
		if u, err := url.Parse(a); err == nil {
			out = append(out, item{u: u, listed: listed, depth: 1})
		}
	}
	return out
}

// listsAgain asks for the lists of the last fetch, and reads them where one of them changed.
func (f *fetch) listsAgain(ctx context.Context) (list []item, changed bool, err error) {
	if f.state.Sitemaps, changed, err = f.sitemapsAgain(ctx, f.before.Sitemaps); err != nil {
		return nil, false, err
	}
	for i, was := range f.before.LLMs {
		u, err := url.Parse(was.URL)
		if err != nil {
			continue
		}
		answer, record, err := f.getList(ctx, u, was)
		if err != nil {
			return nil, false, err
		}
		f.state.LLMs[i] = record
		changed = changed || answer != nil && record.Digest != was.Digest
	}
	if !changed {
		return nil, false, nil
	}
	if list, err = f.readLists(ctx); err != nil || len(list) == 0 {
		return nil, false, err // the lists are gone: the pages are asked
	}
	return list, true, nil
}
