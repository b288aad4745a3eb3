package site

import (
	"bytes"
	"cmp"
	"context"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"docent/pipeline/source/web"
)

// outcome is the result of reading one address.
type outcome struct {
	item
	index   int
	final   *url.URL // the page's address
	rec     *record
	was     *record // of the last fetch
	page    *page   // nil of a page that did not change
	same    bool    // as in the last fetch
	staged  bool    // it was written, without a place yet
	resumed bool    // an interrupted fetch put it in its place
	left    string  // why it is left out
	err     error
}

// read reads one address. It runs in several goroutines and changes nothing of the crawl but
// its own staged file. taken reports whether a page with this address was taken already.
func (c *crawl) read(ctx context.Context, one item, index int, taken bool) outcome {
	o := outcome{item: one, index: index, final: one.u, was: c.was[one.u.String()]}
	if taken {
		o.left = leftAlias
		return o
	}
	if o.was != nil && !c.saved.has(o.was) {
		o.was = nil // its file is gone: it is read as new
	}
	if o.was != nil {
		if u, err := url.Parse(o.was.Address); err == nil {
			o.final = u
		}
	}
	if c.readResumed(&o) {
		return o
	}
	if left := c.wasLeft[one.u.String()]; left != nil && left.Modified == one.modified {
		o.left = left.Reason
		return o
	}
	if o.was != nil && one.modified != "" && one.modified == o.was.Modified {
		o.keepSame()
		return o
	}
	if one.whole {
		c.readAs(ctx, &o, one.u, true)
		return o
	}
	if twin := c.twinFor(&o); twin != nil && c.readAs(ctx, &o, twin, true) {
		return o
	}
	c.readAs(ctx, &o, o.final, false)
	return o
}

// readResumed takes what an interrupted fetch did about an address.
func (c *crawl) readResumed(o *outcome) bool {
	e, content, ok := c.saved.resumed(o.u.String())
	switch {
	case !ok:
		return false
	case e.Left != nil:
		o.left = e.Left.Reason
	case e.Same && o.was != nil:
		o.resumed = true
		o.keepSame()
	case e.Same || e.Page == nil:
		return false
	default:
		u, err := url.Parse(e.Page.Address)
		if err != nil {
			return false
		}
		o.final, o.rec, o.resumed = u, e.Page, true
		o.page = readContent(withoutAddress(content, e.Page.Kind), e.Page.Kind)
	}
	return true
}

func (o *outcome) keepSame() {
	r := *o.was
	o.rec, o.same = &r, true
}

// twinFor is the address of a page's Markdown, nil where none is known.
func (c *crawl) twinFor(o *outcome) *url.URL {
	if o.from != nil {
		return o.from
	}
	if o.was != nil {
		if u, err := url.Parse(o.was.From); err == nil && o.was.From != "" {
			return u
		}
		return nil
	}
	if c.state.Twins == "" || o.home && c.first[o.u.String()] != nil {
		return nil
	}
	if twin := twinOf(o.u, c.state.Twins); twin != nil && c.rules.allows(twin) {
		return twin
	}
	return nil
}

// readAs reads a page from an address. It reports false for the Markdown of a page where the
// site has no such file; the page itself is read then.
func (c *crawl) readAs(ctx context.Context, o *outcome, from *url.URL, asMarkdown bool) bool {
	answer, err := c.get(ctx, o, from, asMarkdown)
	switch {
	case err != nil && asMarkdown && !o.whole && !fatal(err):
		return false
	case err != nil:
		o.err = err
		return true
	case answer.NotModified:
		o.keepSame()
		o.rec.ETag = cmp.Or(answer.ETag, o.was.ETag)
		o.rec.LastModified = cmp.Or(answer.LastModified, o.was.LastModified)
		return true
	case asMarkdown && !isMarkdownAnswer(answer):
		return false
	}
	k := kindOf(answer)
	if asMarkdown {
		k = kindMarkdown
	}
	if k == "" || isPDF(from) && k != kindPDF { // such as a page that says that there is no file
		o.left = leftNoPage
		return true
	}
	r := &record{Kind: k, ETag: answer.ETag, LastModified: answer.LastModified}
	switch {
	case !asMarkdown:
		if u, err := parseAddress(nil, answer.URL.String(), c.query); err == nil {
			o.final = u
		}
	case from.String() != o.final.String():
		r.From = from.String()
	}
	r.Address = o.final.String()
	c.takeBody(o, r, answer)
	return true
}

// takeBody stages a page and reads where it leads.
func (c *crawl) takeBody(o *outcome, r *record, answer *web.Answer) {
	content := contentOf(answer.Body, r.Kind, answer.Type, r.Address)
	r.Digest, r.Bytes = digestOf(content), int64(len(content))
	o.page = readContent(withoutAddress(content, r.Kind), r.Kind)
	r.Words = o.page.words.Exact
	r.Title = o.page.title
	if o.page.canonical != "" {
		if u := c.resolve(o.final, o.page.base, []string{o.page.canonical}); len(u) == 1 {
			r.Canonical = u[0].String()
		}
	}
	o.rec = r
	if o.err = c.saved.stage(o.index, content); o.err == nil {
		o.staged = true
	}
}

// get asks for an address. Answers to the questions about the site are not asked for twice.
func (c *crawl) get(ctx context.Context, o *outcome, from *url.URL, asMarkdown bool) (*web.Answer, error) {
	if answer := c.first[from.String()]; answer != nil {
		return answer, nil
	}
	req := web.Request{URL: from, Accept: acceptPages, Most: mostPage, Waiting: c.waiting, Hop: c.checkHop}
	if asMarkdown {
		req.Accept = "text/markdown,text/plain;q=0.9,*/*;q=0.1"
	}
	if o.was != nil && (asMarkdown == (o.was.From != "")) {
		req.ETag, req.LastModified = o.was.ETag, o.was.LastModified
	}
	return c.client.Get(ctx, req)
}

// kindOf is what an answer is saved as, "" for no page.
func kindOf(a *web.Answer) kind {
	media := mediaType(a.Type)
	if media == "" {
		media = mediaType(http.DetectContentType(a.Body))
	}
	if strings.HasPrefix(media, "text/") && isBinary(a) {
		return ""
	}
	switch media {
	case "application/pdf", "application/x-pdf", "application/octet-stream":
		if bytes.HasPrefix(a.Body, []byte("%PDF-")) {
			return kindPDF
		}
		return ""
	case "text/html", "application/xhtml+xml":
		return kindHTML
	case "text/markdown", "text/x-markdown":
		return kindMarkdown
	case "text/plain":
		if isMarkdownName(a.URL.Path) {
			return kindMarkdown
		}
		return kindText
	}
	return ""
}

// isBinary reports whether an answer has bytes that no text has. UTF-16 is text with them.
func isBinary(a *web.Answer) bool {
	if !bytes.Contains(a.Body, []byte{0}) || bytes.HasPrefix(a.Body, []byte("\xff\xfe")) || bytes.HasPrefix(a.Body, []byte("\xfe\xff")) {
		return false
	}
	_, params, err := mime.ParseMediaType(a.Type)
	return err != nil || !strings.HasPrefix(strings.ToLower(params["charset"]), "utf-16")
}

// readContent reads where a page leads, by its kind.
func readContent(content []byte, k kind) *page {
	if k == kindHTML {
		p := readPage(content)
		return &p
	}
	if k == kindPDF {
		return &page{} // its parser reads it
	}
	text := string(content[:min(len(content), mostText)])
	p := &page{words: sketchOf(text, text)}
	if k == kindMarkdown {
		p.links = markdownLinks(content)
		p.title = markdownTitle(content)
	}
	return p
}

func markdownTitle(content []byte) string {
	for line := range bytes.Lines(content[:min(len(content), 4<<10)]) {
		if title, ok := bytes.CutPrefix(line, []byte("# ")); ok {
			return string(bytes.TrimSpace(title))
		}
	}
	return ""
}
