// Package site fetches the documentation of a web site: the addresses of llms.txt and of
// sitemaps where a site has them, else the pages that its pages lead to.
//
// It keeps to robots.txt and to what a person asked for: one host, the folder of the address,
// one language and one version. It reads pages of HTML, Markdown and plain text, and no
// pictures, styles or scripts. Each page becomes a file whose path mirrors its address. The
// text of a page is data: an address never becomes a path outside of the folder.
//
// It refuses to run scripts: a site whose pages are made in the browser is said to be one.
//
// An update asks for each page with its ETag and date, or only for the sitemaps where they
// say that no page changed.
package site

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// The bounds of a fetch where source.Limits has none.
const (
	DefaultPages = 5000
	DefaultBytes = 500 << 20
	DefaultDepth = 12
)

// Fetcher fetches sites.
type Fetcher struct{ client *web.Client }

// New makes a fetcher that asks by a client.
func New(client *web.Client) *Fetcher { return &Fetcher{client: client} }

var _ source.Fetcher = (*Fetcher)(nil)

// fetch is one fetch of one site.
type fetch struct {
	client *web.Client
	want   source.Want
	start  *url.URL
	scope  scope
	rules  rules
	edition
	query   bool // pages differ by their queries
	state   state
	before  *state // nil at the first fetch
	digest  string // of the last fetch, "" at the first one
	say     func(source.Progress)
	waiting func(time.Duration, string)
	// first are answers that were read to find out about the site, by their addresses.
	first map[string]*web.Answer
	home  *page // the first page, nil where it could not be read
}

// Fetch fetches the pages of a site into a folder. Where it ends early, the next call with
// the same folder goes on.
func (f *Fetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	start, err := parseStart(want.Address)
	if err != nil {
		return source.Fetched{}, &source.Error{Source: want.Address, Reason: err.Error(),
			Do: "give the address of a site, such as https://docs.example.org/", Err: err}
	}
	setLimits(&want.AtMost)
	one := &fetch{client: f.client, want: want, start: start, query: start.RawQuery != "",
		before: readState(before, want), first: map[string]*web.Answer{}}
	one.say = serially(say)
	one.waiting = func(d time.Duration, reason string) {
		one.say(source.Progress{Text: fmt.Sprintf("waiting for %s: %s", d.Round(time.Second), reason)})
	}
	h := header{Format: stateFormat, Start: want.Address, Wanted: want.Version,
		Pattern: strings.Join(want.LeaveOut, "\n")}
	if before != nil {
		one.digest = before.Digest
	}
	if one.before == nil {
		before = nil // its state cannot be used
	} else {
		h.Before = before.Digest
	}
	saved, err := openSaver(into, before, h)
	if err != nil {
		return source.Fetched{}, err
	}
	fetched, err := one.run(ctx, saved)
	done := err == nil || errors.Is(err, source.ErrUnchanged)
	if closing := saved.close(done); closing != nil && done {
		return fetched, fmt.Errorf("the folder of the pages: %w", closing)
	}
	return fetched, one.describe(err)
}

// parseStart reads the address of a site as a person gives it.
func parseStart(address string) (*url.URL, error) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := parseAddress(nil, address, true)
	if err != nil {
		return nil, errors.New("it is no http or https address of a site")
	}
	return u, nil
}

func setLimits(l *source.Limits) {
	if l.Pages <= 0 {
		l.Pages = DefaultPages
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
}

// serially lets several goroutines tell progress, one at a time.
func serially(say func(source.Progress)) func(source.Progress) {
	var mutex sync.Mutex
	return func(p source.Progress) {
		if say == nil {
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		say(p)
	}
}

func (f *fetch) run(ctx context.Context, saved *saver) (source.Fetched, error) {
	var seeds []item
	var err error
	if f.before != nil {
		seeds, err = f.seedsAgain(ctx)
	} else {
		seeds, err = f.discover(ctx)
	}
	if err != nil {
		return source.Fetched{}, err
	}
	c := newCrawl(f, saved)
	for _, s := range seeds {
		c.enqueue(s)
	}
	if err := c.run(ctx); err != nil {
		return source.Fetched{}, err
	}
	return c.finish()
}

// fatal reports whether an error ends a fetch: not of one address, but of the context or of
// the disk.
func fatal(err error) bool {
	var failure *web.Error
	return !errors.As(err, &failure)
}

// describe gives an error of the web the name of the source, and says what to do.
func (f *fetch) describe(err error) error {
	var failure *web.Error
	if err == nil || !errors.As(err, &failure) {
		return err
	}
	reason := failure.Reason
	if err != error(failure) { // with more words
		reason = err.Error()
	}
	return &source.Error{Source: f.want.Address, Reason: reason, Do: adviceFor(failure.Kind), Err: err}
}

func adviceFor(kind web.Kind) string {
	switch kind {
	case web.KindMissing:
		return "check the address in a browser"
	case web.KindForbidden:
		return "if a browser shows the site after a login, save its pages with the browser and add their folder"
	case web.KindRefused, web.KindRedirect:
		return "give the address to which the site leads, if it is the one that you mean"
	case web.KindCertificate:
		return "ask the owner of the site to renew its certificate, or add the certificate's authority to this system"
	case web.KindLarge, web.KindEncoding:
		return "look for an archive or a repository of the documentation, and add that"
	}
	return "check the network and try again later; what was fetched is kept"
}

// isListAddress reports whether the address that a person gave is that of a list of pages.
func isListAddress(u *url.URL) bool {
	name := strings.ToLower(path.Base(u.Path))
	return name == "llms.txt" || name == "llms-full.txt" || strings.HasPrefix(name, "sitemap") &&
		(strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".xml.gz") || strings.HasSuffix(name, ".txt"))
}
