package site

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// Bounds of a crawl.
const (
	window       = 64 // pages that are read ahead of the one that is taken next
	mostFailures = 20 // in a row, of a network or a host that is gone
)

// The reasons why addresses are left out.
const (
	leftAlias    = "other addresses of the same pages"
	leftOutside  = "addresses that lead out of the part of the site that is read"
	leftTrap     = "addresses of endless rows, such as calendars"
	leftDepth    = "pages too many links away from the first one"
	leftPattern  = "pages that are to be left out"
	leftNoPage   = "files that are no pages"
	leftSameText = "pages with the same words as others"
	leftOver     = "pages over the limits of a fetch"
)

// item is an address to read.
type item struct {
	u        *url.URL
	from     *url.URL // the page's Markdown, where a list names it
	depth    int
	modified string // in the sitemap
	listed   bool   // a list names it; else a page links to it
	home     bool   // the first page
	whole    bool   // all pages in one
}

// crawl reads the pages of a site. Pages are read by several goroutines and taken one after
// the other in the order of the queue, so that the same site gives the same files.
type crawl struct {
	*fetch
	saved *saver
	names *names
	traps *traps
	queue []item
	// seen are the pages that were queued, with their other addresses, which are tried where
	// the first one fails.
	seen    map[string][]*url.URL
	owner   map[string]bool    // identities of pages that were taken
	was     map[string]*record // of the last fetch, by every address
	wasLeft map[string]*leftRecord
	records []record
	same    map[string]bool // addresses of records that are as they were
	left    []leftRecord
	counts  []source.LeftOut
	failed  []source.Failure
	again   []string
	scripts int // pages that are made in the browser
	kept    int // pages that failed and are kept from the last fetch
	uniform int // pages that had words of their own at the last fetch, and now those of others
	bytes   int64
	inARow  int  // failures of the network
	full    bool // a limit was reached
	titles  map[string]int
	licence string
	repos   map[string]int // repositories in which pages can be edited
	pages   int            // that were read
	last    *web.Error     // the last failure
}

func newCrawl(f *fetch, saved *saver) *crawl {
	c := &crawl{fetch: f, saved: saved, names: newNames(), traps: newTraps(), seen: map[string][]*url.URL{},
		owner: map[string]bool{}, was: map[string]*record{}, wasLeft: map[string]*leftRecord{}, same: map[string]bool{},
		titles: map[string]int{}, repos: map[string]int{}}
	if f.before != nil {
		for i := range f.before.Pages {
			r := &f.before.Pages[i]
			for _, address := range []string{r.Asked, r.Address} {
				if address != "" {
					c.was[address] = r
				}
			}
			if saved.has(r) {
				c.names.reserveFile(r.File)
			}
		}
		for i := range f.before.Left {
			c.wasLeft[f.before.Left[i].Address] = &f.before.Left[i]
		}
	}
	for _, e := range saved.known {
		if e.Page != nil && c.was[e.Asked] == nil {
			c.names.reserveFile(e.Page.File)
		}
	}
	return c
}

// enqueue takes an address into the queue unless it is left out or there already.
func (c *crawl) enqueue(one item) {
	if !c.scope.holds(one.u) && !one.whole {
		return // the web begins there: it is not counted
	}
	id := identity(one.u)
	if others, ok := c.seen[id]; ok {
		if len(others) < 3 && !hasAddress(others, one.u) {
			c.seen[id] = append(others, one.u)
		}
		return
	}
	c.seen[id] = []*url.URL{one.u}
	if reason := c.reasonToLeave(one); reason != "" {
		c.count(reason, one.u.String())
		return
	}
	c.queue = append(c.queue, one)
}

func hasAddress(all []*url.URL, u *url.URL) bool {
	for _, o := range all {
		if o.String() == u.String() {
			return true
		}
	}
	return false
}

func (c *crawl) reasonToLeave(one item) string {
	switch {
	case one.home:
		return ""
	case !one.whole && !mayBePage(one.u):
		return leftNoPage
	case !c.rules.allows(one.u):
		return leftByRobots
	case c.leavesOut(one.u):
		return leftPattern
	case c.leftOut(c.scope, one.u) != "":
		return c.leftOut(c.scope, one.u)
	case one.listed:
		return ""
	case one.depth > c.want.AtMost.Depth:
		return leftDepth
	case c.traps.catches(c.scope, one.u):
		return leftTrap
	}
	return ""
}

// leavesOut reports whether an address is below one of the patterns of Want.LeaveOut.
func (c *crawl) leavesOut(u *url.URL) bool {
	below := c.scope.below(u)
	for _, pattern := range c.want.LeaveOut {
		pattern = strings.Trim(pattern, "/")
		for p := below; p != "." && p != ""; p = path.Dir(p) {
			if ok, err := path.Match(pattern, p); ok || err == nil && p == pattern {
				return true
			}
		}
	}
	return false
}

// count counts an address that is left out.
func (c *crawl) count(reason, example string) {
	for i := range c.counts {
		if c.counts[i].Reason == reason {
			c.counts[i].Count++
			return
		}
	}
	c.counts = append(c.counts, source.LeftOut{Reason: reason, Count: 1, Example: example})
}

// leave leaves an address out that was read. The next fetch does not read it again.
func (c *crawl) leave(asked item, reason string) error {
	c.count(reason, asked.u.String())
	l := leftRecord{Address: asked.u.String(), Reason: reason, Modified: asked.modified}
	c.left = append(c.left, l)
	return c.saved.writeJournal(entry{Asked: l.Address, Left: &l})
}

// run reads all that is in the queue and what that leads to.
func (c *crawl) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	results := make(chan outcome)
	ready := map[int]outcome{}
	next, taken, running := 0, 0, 0
	var failure error
	for {
		for failure == nil && running < c.client.Connections() && next < len(c.queue) && c.hasRoom(next-taken) {
			one, i := c.queue[next], next
			taken := c.owner[identity(one.u)]
			go func() { results <- c.read(ctx, one, i, taken) }()
			next, running = next+1, running+1
		}
		if running == 0 {
			break
		}
		o := <-results
		running--
		ready[o.index] = o
		for failure == nil {
			o, ok := ready[taken]
			if !ok {
				break
			}
			delete(ready, taken)
			if taken++; c.full {
				c.leaveOut(o)
				continue
			}
			if failure = c.takeOutcome(o); failure != nil {
				stop() // the others end soon
			}
		}
	}
	for _, one := range c.queue[next:] {
		c.count(leftOver, one.u.String())
	}
	return failure
}

// hasRoom reports whether a further page may be read, where some are under way.
func (c *crawl) hasRoom(underWay int) bool {
	return !c.full && underWay < window && (len(c.records)+underWay < c.want.AtMost.Pages || underWay == 0)
}

// leaveOut leaves out a page that was read ahead when a limit was reached.
func (c *crawl) leaveOut(o outcome) {
	c.discard(o)
	c.count(leftOver, o.u.String())
}

func (c *crawl) discard(o outcome) {
	if o.staged {
		c.saved.unstage(o.index)
	}
	if o.resumed && o.rec != nil {
		c.saved.remove(o.rec.File)
	}
}

// takeOutcome takes the outcome of one address.
func (c *crawl) takeOutcome(o outcome) error {
	c.reportProgress(o)
	switch {
	case o.err != nil && fatal(o.err) && !errors.Is(o.err, errOutside):
		return o.err
	case errors.Is(o.err, errOutside):
		return c.leave(o.item, leftOutside)
	case o.err != nil:
		return c.takeFailure(o)
	}
	c.inARow = 0
	if o.left != "" {
		return c.leave(o.item, o.left)
	}
	id := identity(o.final)
	reason, alternate := c.unwanted(o, id)
	switch {
	case alternate != "":
		c.discard(o)
		c.fail(o.u.String(), alternate)
		return nil
	case reason != "":
		c.discard(o)
		return c.leave(o.item, reason)
	case len(c.records) >= c.want.AtMost.Pages || c.bytes+o.rec.Bytes > c.want.AtMost.Bytes:
		c.full = true
		c.leaveOut(o)
		return nil
	}
	c.owner[id] = true
	if _, ok := c.seen[id]; !ok {
		c.seen[id] = []*url.URL{o.final}
	}
	if err := c.keepPage(o); err != nil {
		return err
	}
	c.follow(o)
	return nil
}

// unwanted returns the reason why a page that was read is left out, or its fault. Both are ""
// for a page that is kept.
func (c *crawl) unwanted(o outcome, id string) (reason, fault string) {
	switch {
	case c.owner[id]:
		return leftAlias, ""
	case o.page == nil || o.same || o.rec.Kind == kindPDF:
		return "", ""
	case !o.home && c.leftOut(c.scope, o.final) != "":
		return c.leftOut(c.scope, o.final), ""
	case o.page.madeByScripts():
		c.scripts++
		return "", "it is made in the browser by scripts; what the server sends has no text"
	case !o.home && c.state.NoPage != nil && o.page.words.isLike(*c.state.NoPage):
		return "", "the server answers with the page that it has for addresses that do not exist"
	case !o.home && saysNotFound(o.page.title):
		return "", "it is an error page, although the server says that all is well"
	case o.page.words.Words > 0 && c.traps.repeatsText(o.page.words.Exact):
		if o.was != nil {
			c.uniform++
		}
		return leftSameText, ""
	}
	return "", ""
}

func saysNotFound(title string) bool {
	t := strings.ToLower(strings.TrimSpace(title))
	return strings.HasPrefix(t, "404") || strings.HasPrefix(t, "page not found") || t == "not found" || t == "error 404"
}

// keepPage puts a page in its place and notes it.
func (c *crawl) keepPage(o outcome) error {
	r := *o.rec
	r.Depth, r.Modified = o.depth, o.modified
	asked := o.u.String()
	if r.Address != asked {
		r.Asked = asked
	}
	if o.staged {
		if r.File = c.fileFor(o); o.was != nil && o.was.File == r.File && o.was.Digest == r.Digest {
			c.saved.unstage(o.index) // the server sent the same once more
			o.same = true
		} else if err := c.saved.place(o.index, r.File); err != nil {
			return err
		}
	}
	if o.same {
		c.same[r.Address] = true
	}
	c.records = append(c.records, r)
	c.bytes += r.Bytes
	if o.resumed {
		return nil
	}
	return c.saved.writeJournal(entry{Asked: asked, Page: &r, Same: o.same})
}

// fileFor is the file of a page: the one that it had, or a new one.
func (c *crawl) fileFor(o outcome) string {
	if o.was != nil && o.was.Kind == o.rec.Kind {
		return o.was.File
	}
	if e := c.saved.known[o.u.String()]; e.Page != nil && !e.Same && e.Page.Kind == o.rec.Kind {
		return e.Page.File // an interrupted fetch gave it, and the file is damaged
	}
	return c.names.assignFile(c.scope, o.final, o.rec.Kind)
}

// follow takes the addresses that a page leads to into the queue.
func (c *crawl) follow(o outcome) {
	if o.page == nil || o.rec.Kind == kindPDF {
		return
	}
	if c.titles[lastPart(o.page.title)]++; c.licence == "" {
		c.licence = licenceOf(o.final, o.page.licence, o.page.licenceText)
	}
	c.pages++
	c.repos[o.page.repository]++
	c.markForeign(o.final, o.page.alternates)
	for _, u := range c.resolve(o.final, o.page.base, o.page.links) {
		if c.state.Mode == byLinks || isPDF(u) { // lists name pages alone
			c.enqueue(item{u: u, depth: o.depth + 1})
		}
	}
}

func (c *crawl) fail(address, reason string) {
	c.failed = append(c.failed, source.Failure{What: address, Reason: reason})
}

// takeFailure takes an address that could not be read. A page of the last fetch is kept unless
// the server says that it is gone.
func (c *crawl) takeFailure(o outcome) error {
	var failure *web.Error
	errors.As(o.err, &failure)
	c.last = failure
	id := identity(o.u)
	if others := c.seen[id]; !failure.Temporary() && len(others) > 1 {
		c.seen[id] = others[:1]
		for _, u := range others[1:] { // another way to write its address
			other := o.item
			other.u, other.from = u, nil
			c.queue = append(c.queue, other)
		}
		return nil
	}
	reason := failure.Reason
	if failure.Kind == web.KindNetwork || failure.Kind == web.KindSlow || failure.Kind == web.KindBusy {
		if c.inARow++; c.inARow >= mostFailures {
			return fmt.Errorf("after %d addresses that could not be read: %w", c.inARow, o.err)
		}
	}
	if failure.Temporary() {
		c.again = append(c.again, o.u.String())
	}
	if o.was != nil && failure.Kind != web.KindMissing && c.saved.has(o.was) && !c.owner[identity(o.final)] {
		reason += "; the page of the last fetch is kept"
		c.kept++
		c.owner[identity(o.final)] = true
		c.same[o.was.Address] = true
		c.records = append(c.records, *o.was)
		c.bytes += o.was.Bytes
	}
	c.fail(o.u.String(), reason)
	return nil
}

func (c *crawl) reportProgress(o outcome) {
	c.say(source.Progress{Text: o.u.Path, Done: len(c.records) + 1, Total: len(c.queue), Bytes: c.bytes})
}
