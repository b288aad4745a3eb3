package site

import (
	"context"
	"net/url"
	"path"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// leastListed is how many pages llms.txt must list to be taken for a list of pages.
const leastListed = 2

// readLists reads the lists that a site has of its pages: llms.txt and sitemaps.
func (f *fetch) readLists(ctx context.Context) ([]item, error) {
	f.say(source.Progress{Text: "looking for lists of the pages of " + f.scope.folderAddress().String()})
	name := strings.ToLower(path.Base(f.start.Path))
	if name == "llms-full.txt" {
		return f.readWhole(ctx)
	}
	var list []item
	var err error
	if name != "llms.txt" {
		if list, err = f.readSiteMaps(ctx); err != nil {
			return nil, err
		}
	}
	known := map[string]*url.URL{}
	for _, l := range list {
		known[identity(l.u)] = l.u
	}
	named, err := f.readLLMs(ctx, known)
	if err != nil {
		return nil, err
	}
	if len(list)+len(named) == 0 {
		return f.readWhole(ctx)
	}
	return mergeLists(list, named), nil
}

// mergeLists puts what llms.txt names before what sitemaps list: it is in an order for
// readers. The date of a page is the sitemap's.
func mergeLists(list, named []item) []item {
	at := map[string]int{}
	for i, n := range named {
		at[identity(n.u)] = i
	}
	for _, l := range list {
		if i, ok := at[identity(l.u)]; ok {
			named[i].modified = l.modified
			continue
		}
		named = append(named, l)
	}
	return named
}

// readSiteMaps reads the sitemaps that robots.txt names, and those at the usual places.
func (f *fetch) readSiteMaps(ctx context.Context) ([]item, error) {
	base := f.scope.folderAddress()
	var start []string
	if isListAddress(f.start) && strings.HasPrefix(strings.ToLower(path.Base(f.start.Path)), "sitemap") {
		start = append(start, f.start.String())
	}
	for _, s := range f.rules.sitemaps {
		if u, err := base.Parse(strings.TrimSpace(s)); err == nil && u.Host == base.Host {
			start = append(start, u.String())
		}
	}
	places := []string{base.String() + "sitemap.xml", base.Scheme + "://" + base.Host + "/sitemap.xml",
		base.Scheme + "://" + base.Host + "/sitemap_index.xml"}
	out, ok, err := f.readSitemaps(ctx, start)
	for _, address := range places {
		if err != nil {
			return nil, err
		}
		if ok && f.listsHere(out.pages) {
			break
		}
		out, ok, err = f.readSitemaps(ctx, []string{address})
	}
	if err != nil || !ok || !f.listsHere(out.pages) {
		return nil, err
	}
	f.state.Sitemaps = out.records
	return f.itemsOf(out.pages), nil
}

// listsHere reports whether a sitemap lists pages of the part of the site that is read.
func (f *fetch) listsHere(pages []listed) bool {
	for _, l := range pages {
		u, err := parseAddress(nil, l.address, f.query)
		if err == nil && f.scope.holds(u) && identity(u) != identity(f.start) {
			return true
		}
	}
	return false
}

func (f *fetch) itemsOf(pages []listed) []item {
	var out []item
	for _, l := range pages {
		u, err := parseAddress(nil, l.address, f.query)
		if err != nil || !f.scope.holds(u) {
			continue
		}
		f.markForeign(u, l.foreign)
		out = append(out, item{u: u, modified: l.modified, listed: true})
	}
	return out
}

// readLLMs reads the pages that llms.txt names. known are those of sitemaps.
func (f *fetch) readLLMs(ctx context.Context, known map[string]*url.URL) ([]item, error) {
	for _, u := range f.listPlaces("llms.txt") {
		answer, record, err := f.getList(ctx, u, sitemapRecord{})
		if err != nil {
			return nil, err
		}
		if answer == nil {
			continue
		}
		items := f.itemsOfLLMs(answer, known)
		if len(items) < leastListed {
			continue
		}
		f.state.LLMs = []sitemapRecord{record}
		if name, _ := splitRelease(markdownTitle(answer.Body)); f.state.Name == "" {
			f.state.Name = plainName(name)
		}
		return items, nil
	}
	return nil, nil
}

// itemsOfLLMs are the pages that an llms.txt names.
func (f *fetch) itemsOfLLMs(answer *web.Answer, known map[string]*url.URL) []item {
	var out []item
	for _, u := range f.resolve(answer.URL, "", markdownLinks(answer.Body)) {
		if !f.scope.holds(u) || isListAddress(u) {
			continue
		}
		one := item{u: u, listed: true}
		if page := pageOfTwin(u, known); page != u {
			one.u, one.from = page, u
		}
		out = append(out, one)
	}
	return out
}

func (f *fetch) listPlaces(name string) []*url.URL {
	if strings.EqualFold(path.Base(f.start.Path), name) {
		return []*url.URL{f.start}
	}
	own, root := f.scope.folderAddress(), f.scope.folderAddress()
	own.Path += name
	root.Path = "/" + name
	if own.Path == root.Path {
		return []*url.URL{own}
	}
	return []*url.URL{own, root}
}

// getList reads a list of pages, nil on a site without one.
func (f *fetch) getList(ctx context.Context, u *url.URL, was sitemapRecord) (*web.Answer, sitemapRecord, error) {
	if !f.rules.allows(u) {
		return nil, was, nil
	}
	answer, err := f.client.Get(ctx, web.Request{URL: u, Accept: "text/plain,text/markdown,*/*;q=0.1", Most: mostPage,
		ETag: was.ETag, LastModified: was.LastModified, Waiting: f.waiting})
	if err != nil {
		if fatal(err) {
			return nil, was, err
		}
		return nil, was, nil
	}
	if answer.NotModified {
		return answer, was, nil
	}
	if !isMarkdownAnswer(answer) {
		return nil, was, nil
	}
	return answer, recordOf(u, answer, answer.Body), nil
}

// readWhole looks for llms-full.txt, which has all pages in one, for a site whose pages cannot
// be found: one that is made in the browser.
func (f *fetch) readWhole(ctx context.Context) ([]item, error) {
	if !isListAddress(f.start) && (f.home == nil || !f.home.madeByScripts()) {
		return nil, nil
	}
	for _, u := range f.listPlaces("llms-full.txt") {
		answer, _, err := f.getList(ctx, u, sitemapRecord{})
		if err != nil {
			return nil, err
		}
		if answer != nil {
			f.first[u.String()] = answer
			return []item{{u: u, listed: true, whole: true}}, nil
		}
	}
	return nil, nil
}

// chooseTwins finds out how the Markdown of pages is named on a site that has llms.txt or says
// so in its first page: a way counts that holds for the first pages of a list.
func (f *fetch) chooseTwins(ctx context.Context, list []item) error {
	if f.state.Mode != byList || len(f.state.LLMs) == 0 && (f.home == nil || f.home.markdown == "") {
		return nil
	}
	var some []*url.URL
	for _, l := range list {
		if l.from == nil && l.listed && !l.whole && f.leftOut(f.scope, l.u) == "" && f.rules.allows(l.u) {
			if some = append(some, l.u); len(some) == 3 {
				break
			}
		}
	}
	for _, way := range twinWays {
		if ok, err := f.hasTwins(ctx, some, way); err != nil || ok {
			f.state.Twins = way
			return err
		}
	}
	return nil
}

func (f *fetch) hasTwins(ctx context.Context, pages []*url.URL, way string) (bool, error) {
	for _, u := range pages {
		twin := twinOf(u, way)
		if twin == nil || !f.rules.allows(twin) {
			return false, nil
		}
		answer, _, err := f.getList(ctx, twin, sitemapRecord{})
		if err != nil || answer == nil {
			return false, err
		}
		f.first[twin.String()] = answer
	}
	return len(pages) > 0, nil
}
