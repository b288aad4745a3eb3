package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/service"
)

// mostCompletions is what the protocol allows in an answer.
const mostCompletions = 100

// completeArgument completes the typed arguments of prompts and resources: names of doc sets, and
// pages of the doc set that was chosen. Others have no completions.
func (s *Server) completeArgument(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var names []string
	err := s.withServices(ctx, func(ctx context.Context, h *service.Services) error {
		var err error
		switch req.Params.Argument.Name {
		case "doc_set":
			names, err = setNames(ctx, h)
		case "page":
			names, err = pageNames(ctx, h, req.Params.Context)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := mcp.CompletionResultDetails{Values: []string{}}
	for _, name := range names {
		if !strings.HasPrefix(strings.ToLower(name), strings.ToLower(req.Params.Argument.Value)) {
			continue
		}
		if out.Total++; len(out.Values) < mostCompletions {
			out.Values = append(out.Values, name)
		}
	}
	out.HasMore = out.Total > len(out.Values)
	return &mcp.CompleteResult{Completion: out}, nil
}

func setNames(ctx context.Context, h *service.Services) (names []string, err error) {
	sets, err := h.Home.Corpus.Sets(ctx)
	for _, set := range sets {
		names = append(names, set.Ref.String())
	}
	return names, err
}

// pageNames are the pages of the doc set that was chosen before; none: nothing is known.
func pageNames(ctx context.Context, h *service.Services, chosen *mcp.CompleteContext) (names []string, err error) {
	if chosen == nil || chosen.Arguments["doc_set"] == "" {
		return nil, nil
	}
	list, err := h.Pages.Pages(ctx, chosen.Arguments["doc_set"])
	for _, p := range list.Pages {
		names = append(names, p.Path)
	}
	return names, err
}
