package site

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// acceptPages are the types of pages, in the order in which they are preferred.
const acceptPages = "text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,*/*;q=0.1"

// mostRefreshes bounds the redirects that stand in the first page.
const mostRefreshes = 3

// discover finds out what a site is: its rules, its first page, the lists that it has of its
// pages. It returns the addresses to begin with.
func (f *fetch) discover(ctx context.Context) ([]item, error) {
	f.say(source.Progress{Text: "asking " + f.start.Host + " for its rules for programs"})
	if err := f.readRules(ctx); err != nil {
		return nil, err
	}
	if !f.rules.allows(f.start) {
		return nil, f.refusedByRobots()
	}
	asked := f.start.Host
	links, failed, err := f.readHome(ctx)
	if err != nil {
		return nil, err
	}
	if f.start.Host != asked { // which has rules of its own
		if err := f.readRules(ctx); err != nil {
			return nil, err
		}
		if !f.rules.allows(f.start) {
			return nil, f.refusedByRobots()
		}
	}
	list, err := f.readLists(ctx)
	if err != nil {
		return nil, err
	}
	if failed != nil && len(list) == 0 {
		return nil, failed
	}
	known := slices.Clone(links)
	for _, l := range list {
		known = append(known, l.u)
	}
	f.setEdition(known)
	if f.want.Version != "" && len(f.found) > 0 && !slices.Contains(f.found, f.edition.version) {
		return nil, f.noVersion()
	}
	f.setMode(links, list)
	if err := f.probe(ctx); err != nil {
		return nil, err
	}
	if err := f.chooseTwins(ctx, list); err != nil {
		return nil, err
	}
	f.state.Format, f.state.Start, f.state.Wanted = stateFormat, f.want.Address, f.want.Version
	f.state.Base = f.scope.folderAddress().String()
	f.state.Language, f.state.Version, f.state.Filter = f.edition.language, f.edition.version, f.edition.filter
	return f.seeds(links, list), nil
}

// seeds are the first addresses: the first page, then what the lists say.
func (f *fetch) seeds(links []*url.URL, list []item) []item {
	var out []item
	home := !isListAddress(f.start) // it is tried again if it failed, and named
	if f.state.Mode == byList {
		if home {
			return withHome(item{u: f.start}, list)
		}
		return list
	}
	if home {
		out = append(out, item{u: f.start, home: true})
	}
	for _, u := range links {
		out = append(out, item{u: u, depth: 1})
	}
	for _, l := range list {
		l.depth = 1
		out = append(out, l)
	}
	return out
}

// withHome puts the first page before the pages of a list, with its date in the list.
func withHome(home item, list []item) []item {
	home.home, home.modified = true, ""
	id := identity(home.u)
	others := slices.Clone(list)
	for i, l := range list {
		if identity(l.u) == id {
			home.modified, home.listed = l.modified, true
			others = slices.Delete(others, i, i+1)
			break
		}
	}
	return append([]item{home}, others...)
}

func (f *fetch) refusedByRobots() error {
	return &source.Error{Source: f.want.Address, Reason: "its robots.txt does not allow programs to read it",
		Do: "look for an archive or a repository of the documentation, and add that"}
}

func (f *fetch) noVersion() error {
	some := strings.Join(f.found[:min(len(f.found), 8)], ", ")
	return &source.Error{Source: f.want.Address, Do: "choose one of these",
		Reason: fmt.Sprintf("the site has no version %s; it has %s", f.want.Version, some)}
}

// readRules reads robots.txt. A site without one has no rules; one whose server fails is not
// read, as its rules are not known (RFC 9309, 2.3.1.4).
func (f *fetch) readRules(ctx context.Context) error {
	u := f.hostAddress()
	u.Path = "/robots.txt"
	answer, err := f.client.Get(ctx, web.Request{URL: u, Accept: "text/plain,*/*;q=0.1", Most: mostRobots,
		Waiting: f.waiting})
	var failure *web.Error
	f.state.Robots = ""
	switch {
	case err == nil && isMarkdownAnswer(answer):
		f.state.Robots = string(answer.Body)
	case errors.As(err, &failure):
		if failure.Temporary() || failure.Kind == web.KindCertificate || failure.Kind == web.KindRefused {
			return err
		}
	case err != nil:
		return err
	}
	f.state.RobotsAt = f.client.Now().UTC()
	f.useRules()
	return nil
}

func (f *fetch) useRules() {
	f.rules = readRobots([]byte(f.state.Robots))
	if f.rules.delay > 0 {
		f.client.SetDelay(f.hostAddress(), f.rules.delay)
	}
}

// hostAddress is the address of the host that is read.
func (f *fetch) hostAddress() *url.URL {
	if f.scope.host != "" {
		return f.scope.folderAddress()
	}
	return &url.URL{Scheme: f.start.Scheme, Host: f.start.Host}
}

// readHome reads the first page, and finds out what part of the site is read. failed is why
// it could not be read.
func (f *fetch) readHome(ctx context.Context) (links []*url.URL, failed, err error) {
	if isListAddress(f.start) {
		f.scope = scopeOf(f.start, nil)
		return nil, nil, nil
	}
	f.say(source.Progress{Text: "reading " + f.start.String()})
	at := f.start
	for range mostRefreshes {
		answer, err := f.client.Get(ctx, web.Request{URL: at, Accept: acceptPages, Most: mostPage, Waiting: f.waiting})
		if err != nil && fatal(err) {
			return nil, nil, err
		}
		if err != nil {
			f.scope = scopeOf(f.start, nil)
			return nil, err, nil
		}
		if at, err = parseAddress(nil, answer.URL.String(), f.query); err != nil {
			at = answer.URL
		}
		links = f.takeHome(at, answer)
		to := f.refreshOf(at)
		if to == nil {
			break
		}
		at = to
	}
	return links, nil, nil
}

// takeHome takes an answer as the first page.
func (f *fetch) takeHome(at *url.URL, answer *web.Answer) []*url.URL {
	f.start = at
	f.first = map[string]*web.Answer{at.String(): answer}
	if kindOf(answer) != kindHTML {
		links := f.resolve(at, "", markdownLinks(answer.Body))
		f.scope = scopeOf(at, links)
		return links
	}
	p := readPage(toUTF8(answer.Body, answer.Type))
	f.home = &p
	links := f.resolve(at, p.base, p.links)
	f.scope = scopeOf(at, links)
	return slices.DeleteFunc(links, func(u *url.URL) bool { return !f.scope.holds(u) })
}

// refreshOf is where the first page leads by itself, nil where it stays: sites lead from their
// root to a language or a version by <meta http-equiv="refresh">.
func (f *fetch) refreshOf(at *url.URL) *url.URL {
	if f.home == nil || f.home.refresh == "" || f.home.words.Words > 100 {
		return nil
	}
	u, err := parseAddress(at, f.home.refresh, f.query)
	if err != nil || u.Host != at.Host || identity(u) == identity(at) || !f.rules.allows(u) {
		return nil
	}
	return u
}

// resolve reads the addresses in the links of a page. Texts that are no addresses are left out.
func (f *fetch) resolve(at *url.URL, base string, links []string) []*url.URL {
	if base != "" {
		if b, err := at.Parse(strings.TrimSpace(base)); err == nil {
			at = b
		}
	}
	var out []*url.URL
	seen := map[string]bool{}
	for _, l := range links {
		u, err := parseAddress(at, l, f.query)
		if err == nil && !seen[u.String()] {
			seen[u.String()] = true
			out = append(out, u)
		}
	}
	return out
}

// setEdition finds out which language and version of the site is read.
func (f *fetch) setEdition(known []*url.URL) {
	known = slices.DeleteFunc(known, func(u *url.URL) bool { return !f.scope.holds(u) || !mayBePage(u) })
	language := languageOfPath(f.scope.folder)
	if language == "" && f.home != nil {
		language = f.home.language
	}
	foreign := f.edition.foreign
	f.edition = chooseEdition(f.scope, known, language, f.want.Version)
	for address := range foreign {
		f.edition.foreign[address] = true
	}
	if f.home != nil {
		f.markForeign(f.start, f.home.alternates)
	}
}

// markForeign notes the addresses of pages in other languages: "de https://…".
func (f *fetch) markForeign(at *url.URL, alternates []string) {
	own := f.ownLanguage()
	if f.edition.foreign == nil {
		f.edition.foreign = map[string]bool{}
	}
	for _, a := range alternates {
		language, address, _ := strings.Cut(a, " ")
		if language == "x-default" || own == "" || mainLanguage(language) == own {
			continue
		}
		if u, err := parseAddress(at, address, f.query); err == nil && f.scope.holds(u) && identity(u) != identity(at) {
			f.edition.foreign[identity(u)] = true
		}
	}
}

func (f *fetch) ownLanguage() string {
	if l := languageOfPath(f.scope.folder); l != "" {
		return mainLanguage(l)
	}
	if f.edition.language != "" {
		return f.edition.language
	}
	if f.home != nil {
		return mainLanguage(f.home.language)
	}
	return ""
}

// setMode decides how pages are found. A list that has only a part of what the first page
// leads to is no list of the documentation.
func (f *fetch) setMode(links []*url.URL, list []item) {
	f.state.Mode = byLinks
	in := map[string]bool{}
	for _, l := range list {
		if f.leftOut(f.scope, l.u) == "" {
			in[identity(l.u)] = true
		}
	}
	linked, missing := 0, 0
	for _, u := range links {
		if mayBePage(u) && !isPDF(u) && f.rules.allows(u) && f.leftOut(f.scope, u) == "" && identity(u) != identity(f.start) {
			linked++
			if !in[identity(u)] {
				missing++
			}
		}
	}
	if len(in) >= 2 && 2*missing <= linked || len(in) >= 1 && linked == 0 {
		f.state.Mode = byList
	}
}

// probe asks for a page that does not exist. Where the server answers with a page, that page
// is known again.
func (f *fetch) probe(ctx context.Context) error {
	u := f.scope.folderAddress()
	u.Path = path.Join(u.Path, "no-such-page-"+hashOf(u.String()))
	answer, err := f.client.Get(ctx, web.Request{URL: u, Accept: acceptPages, Most: mostPage, Waiting: f.waiting,
		Hop: func(to *url.URL) error { return f.checkHop(to) }})
	if err != nil {
		if fatal(err) {
			return err
		}
		return nil
	}
	if kindOf(answer) == kindHTML {
		p := readPage(toUTF8(answer.Body, answer.Type))
		f.state.NoPage = &p.words
	}
	return nil
}

// errOutside means that an address leads out of the part of the site that is read.
var errOutside = errors.New("it leads to another site, or to another part of this one")

func (f *fetch) checkHop(to *url.URL) error {
	u := *to
	if u.Host != f.scope.host || !f.scope.holds(&u) {
		return errOutside
	}
	return nil
}
