package httpapi

import (
	"net/http"
	"reflect"

	"docent/cmd/internal/httpapi/pagehtml"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/store/doc"
)

// Pages and answers as HTML, for the dashboard. It comes as a field of JSON: no browser
// takes it for a page of its own.

// pageHTMLRequest names a page, and the part of a long one that is shown.
type pageHTMLRequest struct {
	Set  string `json:"set" path:"set" doc:"Name@version, or Name for the newest version"`
	Page string `json:"page" path:"page" doc:"its path in the doc set, or its title"`
	At   string `json:"at,omitempty" query:"at" doc:"an anchor: the part with this section"`
	Line int    `json:"line,omitempty" query:"line" minimum:"1" maximum:"1000000000" doc:"the part with this line"`
	Part int    `json:"part,omitempty" query:"part" minimum:"1" maximum:"1000000000" doc:"the part of this number"`
}

// pageHTML is a page, or a part of a long one, as it is shown.
type pageHTML struct {
	DocSet   string      `json:"doc_set"`
	FilePath string      `json:"file_path"`
	Title    string      `json:"page_title"`
	URL      string      `json:"url"`
	Changed  bool        `json:"changed" doc:"since it was indexed"`
	Lines    int         `json:"lines"`
	HTML     string      `json:"html"`
	Part     int         `json:"part" doc:"from 1"`
	Parts    int         `json:"parts"`
	Headings []shownHead `json:"toc" doc:"of the whole page"`
	Before   *shownPage  `json:"before,omitempty" doc:"the page before it in the doc set"`
	After    *shownPage  `json:"after,omitempty" doc:"the page behind it"`
}

// FieldTags are the texts of the fields.
func (pageHTML) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"HTML": `doc:"sanitised; each section is an element section with data-from and data-to, its lines, and the id s- and its anchor"`,
	}
}

type shownHead struct {
	Level  int    `json:"level"`
	Text   string `json:"text"`
	Anchor string `json:"anchor"`
	Line   int    `json:"line"`
	Part   int    `json:"part"`
}

type shownPage struct {
	FilePath string `json:"file_path"`
	Title    string `json:"page_title"`
}

// textHTMLRequest is Markdown that is shown.
type textHTMLRequest struct {
	Markdown string `json:"markdown"`
	DocSet   string `json:"doc_set,omitempty" doc:"of the page that it was taken from, for its links"`
	FilePath string `json:"file_path,omitempty" doc:"of that page"`
}

type textHTML struct {
	HTML  string `json:"html"`
	Whole bool   `json:"whole" doc:"false: it is the beginning of a long text"`
}

func showEndpoints() []endpoint {
	return []endpoint{
		{method: http.MethodGet, path: "/api/docsets/{set}/html/{page}", id: "pageHTML",
			about: "a page as sanitised HTML for a browser; of a long one a part", heavy: true,
			params: parametersIn[pageHTMLRequest](),
			out:    pageHTML{}, serve: servePageHTML},
		{method: http.MethodPost, path: "/api/html", id: "textHTML", about: "Markdown as sanitised HTML for a browser", heavy: true,
			large: true, closed: true,
			in: textHTMLRequest{}, out: textHTML{}, serve: serveTextHTML},
	}
}

func servePageHTML(c *call) error {
	q, err := parametersFor[pageHTMLRequest](c)
	if err != nil {
		return err
	}
	req, err := c.home.Locate.Named(c.ctx, q.Set, q.Page)
	if err != nil {
		return err
	}
	page, err := c.home.Locate.ShownPage(c.ctx, req)
	if err != nil {
		return err
	}
	set := page.Set.Ref.String()
	list, err := c.home.Pages.Links(c.ctx, set)
	if err != nil {
		return err
	}
	d := page.Doc
	cut := pagehtml.New(pagehtml.Page{Text: d.Text, Plain: d.Plain, Sections: d.Sections, Blocks: d.Blocks, URL: d.URL,
		Link: pagehtml.Linker(list, set, page.Path, d.URL)})
	out := pageHTML{DocSet: set, FilePath: page.Path, Title: d.Title, URL: cut.URL(), Changed: page.Changed,
		Lines: doc.CountLines(d.Text), Parts: cut.Len(), Headings: []shownHead{}}
	for _, s := range d.Sections {
		if s.Level > 0 {
			out.Headings = append(out.Headings, shownHead{s.Level, s.Text, s.Anchor, s.Span.StartLine, cut.PartOf(s.Span.StartLine) + 1})
		}
	}
	out.Part = q.Part
	if q.Part == 0 {
		line := q.Line
		if i, ok := doc.SectionOf(d.Sections, q.At); ok {
			line = max(line, d.Sections[i].Span.StartLine)
		}
		out.Part = cut.PartOf(line) + 1
	}
	if out.Part > cut.Len() {
		return contract.Invalid("part", "the page has %d parts, there is none of the number %d", cut.Len(), out.Part)
	}
	if out.HTML, err = cut.WriteHTML(c.ctx, out.Part-1); err != nil {
		return err
	}
	if i := list.Index(page.Path); i >= 0 {
		neighbour := func(i int) *shownPage {
			if i < 0 || i >= list.Len() {
				return nil
			}
			return &shownPage{list.At(i).Path, list.At(i).Title}
		}
		out.Before, out.After = neighbour(i-1), neighbour(i+1)
	}
	return c.writeFound(out)
}

func serveTextHTML(c *call) error {
	var q textHTMLRequest
	if err := c.decodeBody(&q); err != nil {
		return err
	}
	page := pagehtml.Page{Text: []byte(legible.ForBrowser(q.Markdown))}
	if q.DocSet != "" && q.FilePath != "" {
		sets, err := c.home.Home.Canonical(c.ctx, []string{q.DocSet})
		if err != nil {
			return err
		}
		list, err := c.home.Pages.Links(c.ctx, sets[0])
		if err != nil {
			return err
		}
		url := ""
		if i := list.Index(q.FilePath); i >= 0 {
			url = list.At(i).URL
		}
		page.Link = pagehtml.Linker(list, sets[0], q.FilePath, url)
	}
	d, err := c.home.Home.Parsers.Structure(c.ctx, page.Text, doc.FormatMarkdown)
	if err != nil {
		return err
	}
	page.Sections, page.Blocks = d.Sections, d.Blocks
	cut := pagehtml.New(page)
	html, err := cut.WriteHTML(c.ctx, 0)
	if err != nil {
		return err
	}
	return c.writeFound(textHTML{HTML: html, Whole: cut.Len() == 1})
}
