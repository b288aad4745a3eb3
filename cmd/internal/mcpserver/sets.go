package mcpserver

import (
	"context"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/service"
)

// setsArgs are the arguments of list_doc_sets.
type setsArgs struct {
	Cursor    string `json:"cursor,omitempty" jsonschema:"next_cursor of an earlier answer"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer, 100 to 100000; without it 2000"`
}

// setsAnswer lists doc sets.
type setsAnswer struct {
	DocSets    []docSet `json:"doc_sets"`
	NextCursor string   `json:"next_cursor,omitempty"`
}

type docSet struct {
	Set       string `json:"doc_set" jsonschema:"Name@version"`
	Domain    string `json:"domain"`
	Pages     int    `json:"pages"`
	Sections  int    `json:"sections"`
	Freshness string `json:"freshness" jsonschema:"fresh, stale (files changed since it was indexed) or missing (the folder is not there)"`
}

func (s *Server) addSets() {
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "list_doc_sets", Annotations: readOnly("List the documentation"),
		Description: "Lists the documentation that can be asked: doc sets with versions, numbers of pages, and whether the index is fresh."},
		func(ctx context.Context, _ *mcp.CallToolRequest, args setsArgs) (*mcp.CallToolResult, setsAnswer, error) {
			var out setsAnswer
			err := s.with(ctx, func(ctx context.Context, h *service.Services) error {
				var err error
				out, err = docSets(ctx, h, args)
				return err
			})
			return nil, out, err
		})
}

func docSets(ctx context.Context, h *service.Services, args setsArgs) (setsAnswer, error) {
	most, err := budget(args.MaxTokens)
	if err != nil {
		return setsAnswer{}, err
	}
	list, err := h.Library.Sets(ctx, nil)
	if err != nil {
		return setsAnswer{}, err
	}
	from := 0
	if args.Cursor != "" {
		if from, err = strconv.Atoi(args.Cursor); err != nil || from < 0 || from > len(list.Sets) {
			return setsAnswer{}, contract.Invalid("cursor", "the cursor is not one of this list; begin without one")
		}
	}
	all := make([]docSet, 0, len(list.Sets)-from)
	for _, i := range list.Sets[from:] {
		all = append(all, docSet{Set: i.Set, Domain: i.Domain, Pages: i.Pages, Sections: i.Sections, Freshness: i.Fresh})
	}
	part := func(n int) setsAnswer {
		out := setsAnswer{DocSets: all[:n]}
		if n < len(all) {
			out.NextCursor = strconv.Itoa(from + n)
		}
		return out
	}
	n := longest(len(all), func(n int) bool { return fits(part(n), most) })
	if n == 0 && len(all) > 0 { // a cursor to the same place would go on for ever
		return setsAnswer{}, contract.Invalid("max_tokens", "not even one doc set fits into %d tokens; give more", most)
	}
	return part(n), nil
}
