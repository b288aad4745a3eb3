package httpapi

import (
	"net/http"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/graph"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/pages"
)

// pagesAnswer is a part of a doc set's pages.
type pagesAnswer struct {
	pages.PageList
	Total int `json:"total" doc:"pages of the doc set"`
}

func docSetEndpoints() []endpoint {
	set := textParam("set", inPath, "Name@version, or Name for the newest version")
	return []endpoint{
		{method: http.MethodGet, path: "/api/docsets", id: "docSets", about: "the doc sets with their sizes and freshness: what docent sets --json prints",
			out: library.SetsAnswer{}, heavy: true, serve: func(c *call) error { return c.docSets(nil) }},
		{method: http.MethodGet, path: "/api/docsets/{set}", id: "docSet", about: "one doc set", params: []param{set},
			out: library.SetsAnswer{}, heavy: true, serve: func(c *call) error { return c.docSets([]string{c.r.PathValue("set")}) }},
		{method: http.MethodGet, path: "/api/docsets/{set}/pages", id: "pages", about: "the pages of a doc set by their paths", heavy: true,
			params: []param{set, countParam("limit", "pages at most", mostCount), countFromZero("offset", "pages that are left out before them")}, out: pagesAnswer{}, serve: servePages},
		{method: http.MethodGet, path: "/api/docsets/{set}/pages/{page}", id: "page", about: "a page, by its path or its title, as it stands in the file now; with Accept: text/markdown its text alone", heavy: true,
			params: []param{set, textParam("page", inPath, "its path in the doc set, or its title"), textParam("section", inQuery, "only the section under this heading, or #anchor")},
			out:    pages.PageText{}, asText: true, serve: servePage},
		{method: http.MethodGet, path: "/api/docsets/{set}/toc/{page}", id: "contents", about: "a page's headings: what docent read --toc --json prints", heavy: true,
			params: []param{set, textParam("page", inPath, "its path in the doc set, or its title")}, out: pages.Contents{}, serve: serveContents},
		{method: http.MethodGet, path: "/api/docsets/{set}/references/{page}", id: "references", about: "what a page or a section of it requires, warns of, replaces and refers to, and what leads there: what docent graph --json prints", heavy: true,
			params: []param{set, textParam("page", inPath, "its path in the doc set, or its title"), textParam("section", inQuery, "only the section under this heading, or #anchor"),
				shareParam("threshold", "the score from which relations are given; without it the configuration's"), countParam("limit", "relations at most, of those from here and of those to here", mostCount)},
			out: graph.References{}, serve: serveReferences},
	}
}

func (c *call) docSets(names []string) error {
	out, err := c.home.Library.Sets(c.ctx, names)
	if err != nil {
		return err
	}
	return c.ok(out)
}

func servePages(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	limit, offset := q.count("limit"), q.count("offset")
	if q.err != nil {
		return q.err
	}
	list, err := c.home.Pages.Pages(c.ctx, c.r.PathValue("set"))
	if err != nil {
		return err
	}
	out := pagesAnswer{PageList: list, Total: len(list.Pages)}
	out.Pages = out.Pages[min(offset, len(out.Pages)):]
	if limit > 0 && len(out.Pages) > limit {
		out.Pages = out.Pages[:limit]
	}
	return c.ok(out)
}

// named is the page that a path names. The doc set must be there, for a name without
// one would be looked for in all.
func (c *call) named() (locate.ReadRequest, error) {
	sets, err := c.home.Home.Canonical(c.ctx, []string{c.r.PathValue("set")})
	if err != nil {
		return locate.ReadRequest{}, err
	}
	page := c.r.PathValue("page")
	if strings.TrimSpace(page) == "" {
		return locate.ReadRequest{}, contract.Invalid("page", "the page is missing; GET /api/docsets/%s/pages lists those there are", sets[0])
	}
	return locate.ReadRequest{Page: page, Sets: sets}, nil
}

func servePage(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	req, err := c.named()
	if err != nil {
		return err
	}
	req.Section = q.text("section")
	page, err := c.home.Pages.Read(c.ctx, req)
	if err != nil {
		return err
	}
	if accept := c.r.Header.Get("Accept"); strings.HasPrefix(accept, "text/markdown") || strings.HasPrefix(accept, "text/plain") {
		c.done()
		c.send(http.StatusOK, "text/plain; charset=utf-8", []byte(page.Content))
		return nil
	}
	return c.ok(page)
}

func serveReferences(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	req := graph.ReferencesRequest{Threshold: q.share("threshold")}
	limit := q.count("limit")
	if q.err != nil {
		return q.err
	}
	if req.ReadRequest, err = c.named(); err != nil {
		return err
	}
	req.Section = q.text("section")
	out, err := c.home.Graph.References(c.ctx, req)
	if err != nil {
		return err
	}
	if limit > 0 {
		out.From, out.To = out.From[:min(limit, len(out.From))], out.To[:min(limit, len(out.To))]
	}
	return c.ok(out)
}

func serveContents(c *call) error {
	req, err := c.named()
	if err != nil {
		return err
	}
	out, err := c.home.Pages.Contents(c.ctx, req)
	if err != nil {
		return err
	}
	return c.ok(out)
}
