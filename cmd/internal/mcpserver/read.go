package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process"
	"docent/pipeline/service"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/pages"
)

// readArgs are the arguments of read_doc.
type readArgs struct {
	DocSet    string `json:"doc_set,omitempty" jsonschema:"Name or Name@version"`
	Page      string `json:"page,omitempty" jsonschema:"the page's file_path or title; not needed with a handle"`
	Section   string `json:"section,omitempty" jsonschema:"only the section under this heading, or #anchor"`
	Lines     string `json:"lines,omitempty" jsonschema:"only these lines, such as 40-90"`
	Handle    string `json:"handle,omitempty" jsonschema:"a section by its handle, in place of doc_set, page and section"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer, 100 to 100000; without it 2000"`
}

func (s *Server) addRead() {
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "read_doc", Annotations: readOnly("Read a page of the documentation"),
		Description: "Reads a page of the documentation, a section of it, or lines, as it stands in the file now. The answer is JSON with the text in content. What does not fit into max_tokens is left out at the end; next_lines says which lines, to be read with lines. references are the places that the text requires, refers to or is replaced by, with handles to read them."},
		func(ctx context.Context, _ *mcp.CallToolRequest, args readArgs) (*mcp.CallToolResult, any, error) {
			var text string
			err := s.with(ctx, func(ctx context.Context, h *service.Services) error {
				var err error
				text, err = read(ctx, h, args)
				return err
			})
			if err != nil {
				return nil, nil, err
			}
			// A text alone: a page that is sent as structured content too would fill half
			// of the budget with the same again.
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
}

// readAnswer is a part of a page with what it leads to.
type readAnswer struct {
	pages.Part
	References []pages.Reference `json:"references,omitempty"`
}

// referenceShare is the share of a budget, one in so many, that references may take.
const referenceShare = 8

// fitting are the first references, as many as fit into a budget.
func fitting(all []pages.Reference, most int) []pages.Reference {
	for i, r := range all {
		raw, err := json.Marshal(r)
		if most -= process.Tokens(string(raw)); err != nil || most < 0 {
			return all[:i]
		}
	}
	return all
}

// read gives the JSON of a part of a page.
func read(ctx context.Context, h *service.Services, args readArgs) (string, error) {
	most, err := budget(args.MaxTokens)
	if err != nil {
		return "", err
	}
	req := pages.PartRequest{ReadRequest: locate.ReadRequest{Page: args.Page, Section: args.Section}, Handle: args.Handle}
	if args.Handle == "" && strings.TrimSpace(args.Page) == "" {
		return "", contract.Invalid("page", "name a page, or a section by its handle; search_docs finds pages")
	}
	if args.DocSet != "" {
		if req.Sets, err = h.Home.Canonical(ctx, []string{args.DocSet}); err != nil {
			return "", err
		}
	}
	if args.Lines != "" {
		if req.Lines, err = readLines(args.Lines); err != nil {
			return "", err
		}
	}
	// The JSON around a text, and what it escapes, count too.
	for req.MaxTokens = most; ; req.MaxTokens = req.MaxTokens * 7 / 8 {
		part, err := h.Pages.ReadPart(ctx, req)
		if err != nil {
			return "", err
		}
		out := readAnswer{Part: part, References: fitting(h.Pages.Around(ctx, part), most/referenceShare)}
		raw, err := json.Marshal(out)
		if err != nil || process.Tokens(string(raw)) <= most {
			return string(raw), err
		}
		if req.MaxTokens < 8 {
			return "", contract.Invalid("max_tokens", "not even a line of %s fits into %d tokens; give more", out.Title, most)
		}
	}
}

// readLines reads "40-90" or "40".
func readLines(text string) ([2]int, error) {
	var first, last int
	if n, err := fmt.Sscanf(strings.NewReplacer("–", "-", " ", "").Replace(text)+"$", "%d-%d$", &first, &last); err == nil && n == 2 {
		return [2]int{first, last}, nil
	}
	if n, err := fmt.Sscanf(text+"$", "%d$", &first); err == nil && n == 1 {
		return [2]int{first, first}, nil
	}
	return [2]int{}, contract.Invalid("lines", "lines is %q, it must be such as 40-90", text)
}
