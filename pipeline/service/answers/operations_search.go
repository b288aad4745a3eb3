package answers

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service/operation"
)

// SearchQuery is a search as a program or a person asks for it. Limit and cursor count pages;
// in specification 2's form passages, as its total does.
type SearchQuery struct {
	Query        string   `json:"query" arg:"QUERY" tool:"query"`
	Limit        int      `json:"limit,omitempty" minimum:"1" maximum:"1000" default:"10" flag:"limit" flag.maximum:"" tool.maximum:"100"`
	Cursor       string   `json:"cursor,omitempty" maxLength:"200" flag:"cursor" tool:"cursor"`
	DocSets      []string `json:"docSets,omitempty" maxItems:"1000" flag:"set" tool:"doc_sets"`
	FallbackMode string   `json:"fallbackMode,omitempty" enum:"return_hybrid_candidates,error_on_total_failure" flag:"fallback-mode"`
	Scene        string   `json:"scene,omitempty" enum:"fact_lookup,tutorial,api_reference,troubleshooting" flag:"scene"`
	Threshold    *float64 `json:"threshold,omitempty" minimum:"0" maximum:"1" flag:"threshold" flag.default:"0.63"`
	Top          int      `json:"top,omitempty" minimum:"1" maximum:"1000" flag:"top" flag.maximum:""`
	NoRerank     bool     `json:"-" flag:"no-rerank"`
	Explain      bool     `json:"explain,omitempty" flag:"explain"`
}

// FieldTags are the texts of the fields.
func (SearchQuery) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Query":        `doc:"what is looked for"`,
		"Limit":        `tool:"limit,pages at most, 1 to 100; without it 10" doc:"passages at most"`,
		"Cursor":       `doc:"next_cursor of an earlier answer to the same query"`,
		"DocSets":      `doc:"narrows to these doc sets, Name or Name@version"`,
		"FallbackMode": `doc:"where reranking fails; without it the configuration's"`,
		"Scene":        `doc:"in place of the router's"`,
		"Threshold":    `doc:"rerank_sim at which a passage is kept"`,
		"Top":          `doc:"pages that the first stage answers with at most"`,
		"NoRerank":     `doc:"leave the hits in the search's order"`,
		"Explain":      `doc:"adds the candidates before reranking"`,
	}
}

// mostFound is the number of pages or passages that a search answers with where the request
// does not say it.
const mostFound = 10

func (q SearchQuery) request() SearchRequest {
	req := SearchRequest{Limit: q.Limit, Cursor: q.Cursor, Request: pipeline.Request{Question: q.Query, DocSets: q.DocSets,
		FallbackMode: q.FallbackMode, Scene: q.Scene, Threshold: q.Threshold, Top: q.Top, Explain: q.Explain}}
	if q.Limit == 0 {
		req.Limit = mostFound
	}
	if q.NoRerank {
		off := false
		req.Reranker = &off
	}
	return req
}

// DocsAnswer is the answer to a search in the form of specification 2.
type DocsAnswer struct {
	Response rerank.Response
	Result   pipeline.Result
}

// Outcome is the result of the run.
func (a DocsAnswer) Outcome() pipeline.Result { return a.Result }

// Outcome is the result of the run.
func (a SearchAnswer) Outcome() pipeline.Result { return a.Result }

// Names of the operations of a search.
const (
	SearchOperation     = "search"
	DocsSearchOperation = "search docs" // in specification 2's form
)

// searchOperations are those of a search.
func searchOperations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.Watched(SearchOperation, "pages and headings, best first (phases 1 and 1.5)",
			func(ctx context.Context, svc *Service, q SearchQuery, sink pipeline.Sink) (SearchAnswer, error) {
				return svc.Search(ctx, q.request(), sink)
			}).
			OnCommandLine().
			ForAgents(operation.Shortened("search_docs", "Search the documentation",
				"Lists pages and headings of the documentation, best first, with a line of text each. Use it to choose sections "+
					"yourself, and read them with read_doc. next_cursor gives the next pages.", searchForAgent)),
		operation.Watched(DocsSearchOperation, "passages, best first, in the form of the specification of searches",
			func(ctx context.Context, svc *Service, q SearchQuery, sink pipeline.Sink) (DocsAnswer, error) {
				out, res, err := svc.searchDocs(ctx, q.request(), sink)
				return DocsAnswer{out, res}, err
			}).
			OverHTTP(operation.Route{Method: http.MethodPost, Path: "/api/docs/search", ID: "searchDocs",
				About:  "passages of the documentation, reranked (specification 2)",
				Prints: "search --contract docs", Body: operation.ViewOf(func(a DocsAnswer) rerank.Response { return a.Response })}),
	}
}

// searchDigest lists pages with their headings, best first.
type searchDigest struct {
	Total int `json:"total" jsonschema:"passages with a word of the question"`

	Unsure bool `json:"probably_unanswered,omitempty" jsonschema:"the documentation probably has no answer: these are the nearest headings"`

	Notes []string `json:"notes,omitempty" jsonschema:"what to know of the search, such as documentation that it could not look into"`

	Pages      []digestPage `json:"pages"`
	NextCursor string       `json:"next_cursor,omitempty" jsonschema:"give it as cursor for more"`
	Cut        bool         `json:"cut_to_budget,omitempty" jsonschema:"headings or snippets were left out to keep within max_tokens"`

	untitled bool // the text has no titles, which the structured answer has
}

type digestPage struct {
	DocSet   string          `json:"doc_set"`
	FilePath string          `json:"file_path" jsonschema:"the page, for read_doc"`
	Title    string          `json:"page_title"`
	URL      string          `json:"url,omitempty"`
	Headings []digestHeading `json:"headings"`
}

type digestHeading struct {
	Text    string   `json:"text"`
	Anchor  string   `json:"anchor,omitempty" jsonschema:"with a # before it, the section for read_doc"`
	Lines   [2]int   `json:"lines" jsonschema:"of the section, both included"`
	Score   *float64 `json:"score,omitempty" jsonschema:"0 to 1; above 0.63 it answers as a rule"`
	Snippet string   `json:"snippet,omitempty"`
	// Deprecated is the line that says so.
	Deprecated string `json:"deprecated,omitempty" jsonschema:"the line by which the section or its page says that it is deprecated"`
	ReplacedBy string `json:"replaced_by,omitempty" jsonschema:"what is named in the place of what is deprecated"`
}

// ToolText lists the pages in lines, each with its best headings. The snippets are in the
// structured answer alone.
func (d searchDigest) ToolText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "passages with a word of the question: %d", d.Total)
	if len(d.Pages) == 0 {
		b.WriteString("; search with other words, or list_doc_sets")
	}
	if d.Unsure {
		b.WriteString("; probably not in the documentation, these are the nearest")
	}
	for i, p := range d.Pages {
		if d.untitled {
			fmt.Fprintf(&b, "\n%d. %s/%s", i+1, p.DocSet, p.FilePath)
			continue
		}
		fmt.Fprintf(&b, "\n%d. %s (%s/%s)", i+1, p.Title, p.DocSet, p.FilePath)
		for k, h := range p.Headings {
			lead := "; "
			if k == 0 {
				lead = ": "
			}
			fmt.Fprintf(&b, "%s%s %d-%d", lead, h.Text, h.Lines[0], h.Lines[1])
		}
	}
	for _, n := range d.Notes {
		b.WriteString("\nNote: " + n + ".")
	}
	if d.NextCursor != "" {
		b.WriteString("\nmore with the cursor " + d.NextCursor)
	}
	return b.String()
}

// mostHeadings is how many headings of a page an agent gets.
const mostHeadings = 5

func searchForAgent(ctx context.Context, svc *Service, q SearchQuery, room operation.Room) (searchDigest, error) {
	req := q.request()
	limit := req.Limit
	// The pages of the answer share its budget: each gives up headings before there are fewer
	// pages. Then fewer pages, until the answer fits; the cursor goes on behind them.
	for {
		answer, err := svc.Search(ctx, req, nil)
		if err != nil {
			return searchDigest{}, err
		}
		out := digestOf(answer.Page)
		out.Cut = req.Limit < limit
		for !room.Fits(out) && trimLongest(out.Pages) {
			out.Cut = true
		}
		if room.Fits(out) {
			return out, nil
		}
		if req.Limit == 1 {
			return shortenPage(out, room)
		}
		req.Limit--
	}
}

// trimLongest takes something off the page that takes most room: the snippet of its last
// heading that has one, but not of the first, then its last heading, then the snippet of the
// first. It reports whether something was left to take.
func trimLongest(pages []digestPage) bool {
	longest, size := -1, 0
	for i, p := range pages {
		if n := sizeOfHeadings(p); n > size && (len(p.Headings) > 1 || len(p.Headings) == 1 && p.Headings[0].Snippet != "") {
			longest, size = i, n
		}
	}
	if longest < 0 {
		return false
	}
	p := &pages[longest]
	for i := len(p.Headings) - 1; i > 0; i-- {
		if p.Headings[i].Snippet != "" {
			p.Headings[i].Snippet = ""
			return true
		}
	}
	if last := len(p.Headings) - 1; last > 0 {
		p.Headings = p.Headings[:last]
		return true
	}
	p.Headings[0].Snippet = ""
	return true
}

// sizeOfHeadings is about the room that the headings of a page take, in bytes.
func sizeOfHeadings(p digestPage) int {
	n := 0
	for _, h := range p.Headings {
		n += 100 + 2*len(h.Text) + len(h.Anchor) + len(h.Snippet) + len(h.Deprecated) + len(h.ReplacedBy)
	}
	return n
}

func digestOf(page contract.RerankOutput) searchDigest {
	out := searchDigest{Total: page.TotalHits, Unsure: page.Unanswered, Pages: []digestPage{}, NextCursor: page.NextCursor}
	for _, r := range page.Results {
		f := digestPage{DocSet: r.DocSet, FilePath: r.FilePath, Title: r.PageTitle, URL: r.URL, Headings: []digestHeading{}}
		for _, h := range r.Headings[:min(len(r.Headings), mostHeadings)] {
			head := digestHeading{Text: strings.TrimLeft(h.Text, "# "), Anchor: h.Anchor, Lines: h.Section, Score: h.RerankSim,
				Snippet: h.Snippet}
			if d := h.Deprecated; d != nil {
				head.Deprecated, head.ReplacedBy = d.Text, d.ReplacedBy
			}
			f.Headings = append(f.Headings, head)
		}
		out.Pages = append(out.Pages, f)
	}
	if page.SearchStats != nil {
		out.Notes = page.SearchStats.Notes
	}
	return out
}

// leastTitle is how many bytes of a title are kept, so that an agent can tell what the page is about.
const leastTitle = 24

// cutMark stands where a title is cut.
const cutMark = "…"

// shortenPage takes headings and snippets off the one page of an answer until it fits, and then the end
// of its title.
func shortenPage(out searchDigest, room operation.Room) (searchDigest, error) {
	out.Cut = true
	if len(out.Pages) == 0 && !room.Fits(out) {
		return searchDigest{}, tooSmall(room.Most)
	}
	whole := ""
	if len(out.Pages) > 0 {
		whole = out.Pages[0].Title
	}
	title := len(whole)
	for !room.Fits(out) {
		p := &out.Pages[0]
		last := len(p.Headings) - 1
		switch {
		case last > 0:
			p.Headings = p.Headings[:last]
		case last == 0 && p.Headings[0].Snippet != "":
			p.Headings[0].Snippet = ""
		case last == 0:
			p.Headings = []digestHeading{}
		case len(out.Notes) > 0:
			out.Notes = nil
		case p.URL != "":
			p.URL = ""
		case !out.untitled:
			out.untitled = true
		case title > leastTitle: // the doc set, the path and the beginning of the title are the least
			title = max(leastTitle, title*3/4)
			p.Title = strings.ToValidUTF8(whole[:title-len(cutMark)], "") + cutMark
		default:
			return searchDigest{}, tooSmall(room.Most)
		}
	}
	return out, nil
}

func tooSmall(most int) error {
	return contract.Invalid("max_tokens", "not even one page fits into %d tokens; give more", most)
}
