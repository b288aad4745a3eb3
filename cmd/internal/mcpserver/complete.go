package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/service"
	"docent/pipeline/service/locate"
	"docent/store/doc"
)

// mostCompletions is what the protocol allows in an answer.
const mostCompletions = 100

// completeArgument completes the typed arguments of prompts and resources: names of doc sets, pages
// of the doc set that was chosen, and sections of the page that was chosen. Others have no
// completions.
func (s *Server) completeArgument(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var names []string
	err := s.withServices(ctx, func(ctx context.Context, h *service.Services) error {
		var err error
		switch req.Params.Argument.Name {
		case "doc_set":
			names, err = setNames(ctx, h)
		case "page":
			names, err = pageNames(ctx, h, req.Params.Context)
		case "section_path":
			names, err = sectionPaths(ctx, h, req.Params.Context)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := mcp.CompletionResultDetails{Values: []string{}}
	for _, name := range fittingNames(names, req.Params.Argument.Value) {
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

// sectionPaths are the sections of the page that was chosen before, as a resource's address names them.
func sectionPaths(ctx context.Context, h *service.Services, chosen *mcp.CompleteContext) (paths []string, err error) {
	if chosen == nil || chosen.Arguments["doc_set"] == "" || chosen.Arguments["page"] == "" {
		return nil, nil
	}
	contents, err := h.Pages.Contents(ctx, locate.ReadRequest{Page: chosen.Arguments["page"], Sets: []string{chosen.Arguments["doc_set"]}})
	for _, e := range contents.Headings {
		paths = append(paths, strings.Join(e.Path, doc.PathSeparator))
	}
	return paths, err
}

// fittingNames are the names that begin with what was typed, in any case, and behind them those of
// which a part does: a page is known by its file, and a section by its heading.
func fittingNames(names []string, typed string) []string {
	typed = strings.ToLower(typed)
	var begin, part []string
	for _, name := range names {
		low := strings.ToLower(name)
		switch {
		case strings.HasPrefix(low, typed):
			begin = append(begin, name)
		case strings.Contains(low, "/"+typed), strings.Contains(low, doc.PathSeparator+typed):
			part = append(part, name)
		}
	}
	return append(begin, part...)
}
