package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
)

// searchArgs are the arguments of search_docs.
type searchArgs struct {
	Query     string   `json:"query" jsonschema:"what is looked for"`
	DocSets   []string `json:"doc_sets,omitempty" jsonschema:"narrows to these doc sets, Name or Name@version"`
	Limit     int      `json:"limit,omitempty" jsonschema:"pages at most, 1 to 100; without it 10"`
	Cursor    string   `json:"cursor,omitempty" jsonschema:"next_cursor of an earlier answer to the same query"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer, 100 to 100000; without it 2000"`
}

// searchAnswer lists pages with their headings, best first.
type searchAnswer struct {
	Total      int     `json:"total" jsonschema:"headings that there are"`
	Unanswered bool    `json:"probably_unanswered,omitempty" jsonschema:"the documentation probably has no answer: these are the nearest headings"`
	Pages      []found `json:"pages"`
	NextCursor string  `json:"next_cursor,omitempty" jsonschema:"give it as cursor for more"`
	Cut        bool    `json:"cut_to_budget,omitempty" jsonschema:"headings or snippets were left out to keep within max_tokens"`
}

type found struct {
	DocSet   string         `json:"doc_set"`
	FilePath string         `json:"file_path" jsonschema:"the page, for read_doc"`
	Title    string         `json:"page_title"`
	URL      string         `json:"url,omitempty"`
	Headings []foundHeading `json:"headings"`
}

type foundHeading struct {
	Text    string   `json:"text"`
	Anchor  string   `json:"anchor,omitempty" jsonschema:"with a # before it, the section for read_doc"`
	Lines   [2]int   `json:"lines" jsonschema:"of the section, both included"`
	Score   *float64 `json:"score,omitempty" jsonschema:"0 to 1; above 0.63 it answers as a rule"`
	Snippet string   `json:"snippet,omitempty"`
	// Deprecated is the line that says so.
	Deprecated string `json:"deprecated,omitempty" jsonschema:"the line by which the section or its page says that it is deprecated"`
	ReplacedBy string `json:"replaced_by,omitempty" jsonschema:"what is named in the place of what is deprecated"`
}

const (
	defaultPages = 10
	mostPages    = 100
	mostHeadings = 5 // of a page
)

func (s *Server) addSearch() {
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "search_docs", Annotations: readOnly("Search the documentation"),
		Description: "Lists pages and headings of the documentation, best first, with a line of text each. Use it to choose sections yourself, and read them with read_doc. next_cursor gives the next pages."},
		func(ctx context.Context, _ *mcp.CallToolRequest, args searchArgs) (*mcp.CallToolResult, searchAnswer, error) {
			var out searchAnswer
			err := s.with(ctx, func(ctx context.Context, h *service.Services) error {
				var err error
				out, err = searchDocs(ctx, h, args)
				return err
			})
			return nil, out, err
		})
}

func searchDocs(ctx context.Context, h *service.Services, args searchArgs) (searchAnswer, error) {
	most, err := budget(args.MaxTokens)
	if err != nil {
		return searchAnswer{}, err
	}
	if args.Limit < 0 || args.Limit > mostPages {
		return searchAnswer{}, contract.Invalid("limit", "the limit is %d, it must lie between 1 and %d", args.Limit, mostPages)
	}
	limit := args.Limit
	if limit == 0 {
		limit = defaultPages
	}
	req := answers.SearchRequest{Request: pipeline.Request{Question: args.Query, DocSets: args.DocSets}, Limit: limit, Cursor: args.Cursor}
	// Fewer pages until the answer fits; the cursor goes on behind them.
	for {
		answer, err := h.Answers.Search(ctx, req, nil)
		if err != nil {
			return searchAnswer{}, err
		}
		out := listed(answer.Page)
		out.Cut = req.Limit < limit
		if fits(out, most) {
			return out, nil
		}
		if req.Limit == 1 {
			return shrink(out, most)
		}
		req.Limit /= 2
	}
}

func listed(page contract.RerankOutput) searchAnswer {
	out := searchAnswer{Total: page.TotalHits, Unanswered: page.Unanswered, Pages: []found{}, NextCursor: page.NextCursor}
	for _, r := range page.Results {
		f := found{DocSet: r.DocSet, FilePath: r.FilePath, Title: r.PageTitle, URL: r.URL, Headings: []foundHeading{}}
		for _, h := range r.Headings[:min(len(r.Headings), mostHeadings)] {
			head := foundHeading{Text: strings.TrimLeft(h.Text, "# "), Anchor: h.Anchor, Lines: h.Section, Score: h.RerankSim, Snippet: h.Snippet}
			if d := h.Deprecated; d != nil {
				head.Deprecated, head.ReplacedBy = d.Text, d.ReplacedBy
			}
			f.Headings = append(f.Headings, head)
		}
		out.Pages = append(out.Pages, f)
	}
	return out
}

// shrink takes headings and snippets off the one page of an answer until it fits.
func shrink(out searchAnswer, most int) (searchAnswer, error) {
	out.Cut = true
	for !fits(out, most) {
		if len(out.Pages) == 0 {
			return searchAnswer{}, tooSmall(most)
		}
		p := &out.Pages[0]
		last := len(p.Headings) - 1
		switch {
		case last > 0:
			p.Headings = p.Headings[:last]
		case last == 0 && p.Headings[0].Snippet != "":
			p.Headings[0].Snippet = ""
		case last == 0:
			p.Headings = []foundHeading{}
		case p.URL != "":
			p.URL = ""
		case p.Title != "":
			p.Title = ""
		default: // the doc set and the path are the least that names a page
			return searchAnswer{}, tooSmall(most)
		}
	}
	return out, nil
}

func tooSmall(most int) error {
	return contract.Invalid("max_tokens", "not even one page fits into %d tokens; give more", most)
}
