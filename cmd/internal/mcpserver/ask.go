package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/process"
	"docent/pipeline/service"
	"docent/pipeline/service/versioning"
)

// askArgs are the arguments of ask_docs.
type askArgs struct {
	Question  string   `json:"question" jsonschema:"the question, in any language"`
	DocSets   []string `json:"doc_sets,omitempty" jsonschema:"narrows to these doc sets, Name or Name@version; list_doc_sets lists them"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer, 100 to 100000; without it 2000"`
	Extent    string   `json:"extent,omitempty" jsonschema:"sections (the sections that answer, the default) or documents (whole pages)"`
}

func (s *Server) addAsk() {
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "ask_docs", Annotations: readOnly("Ask the documentation"),
		Description: "Answers a question from the documentation: the sections that answer it, verbatim, as one AOP-FINAL block with page, file, address and doc set under each part. Use it first for any question about an API, a tool, a setting or an error. The answer never has more than max_tokens."},
		func(ctx context.Context, req *mcp.CallToolRequest, args askArgs) (*mcp.CallToolResult, any, error) {
			var text string
			err := s.with(ctx, func(ctx context.Context, h *service.Services) error {
				var err error
				text, err = ask(ctx, h, args, s.progress(ctx, req))
				return err
			})
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
}

// noteTokens are kept free for what is said of a block.
const noteTokens = 60

// ask gives the block for a question, with what must be known of it before it.
func ask(ctx context.Context, h *service.Services, args askArgs, sink pipeline.Sink) (string, error) {
	most, err := budget(args.MaxTokens)
	if err != nil {
		return "", err
	}
	req := pipeline.Request{Question: args.Question, DocSets: args.DocSets, Preferences: contract.Preferences{Extent: args.Extent, MaxTokens: most - noteTokens}}
	if req.Preferences.Extent == "" {
		req.Preferences.Extent = contract.ExtentSections
	}
	if err := h.Answers.CheckQuestion(&req); err != nil {
		return "", err
	}
	res, err := h.Answers.Ask(ctx, req, sink)
	if err != nil {
		return "", err
	}
	notes := notesOf(res)
	for _, line := range versioning.NewerLines(h.Versioning.NewerThan(ctx, res), false) {
		notes = append(notes, "Note: "+line+".")
	}
	if res.Final == "" {
		return fitText(strings.Join(append(notes, "Nothing was found; search_docs with other words, or list_doc_sets, may help."), "\n"), most), nil
	}
	room := most - process.Tokens(res.Final)
	if room < 0 {
		return "", contract.Invalid("max_tokens", "the answer does not fit into %d tokens; give more, or read a section with search_docs and read_doc", most)
	}
	// What is said of the block stands before it, as far as there is room.
	head := ""
	for _, n := range notes {
		if process.Tokens(head+n+"\n\n") <= room {
			head += n + "\n"
		}
	}
	if head != "" {
		head += "\n"
	}
	return head + res.Final, nil
}

// notesOf is what an agent must know of an answer, the most important first.
func notesOf(res pipeline.Result) []string {
	var out []string
	switch r := res.Phases.Rerank; {
	case r == nil || !res.Found():
	case r.Unanswered:
		out = append(out, "Note: this is probably not in the documentation; these are the nearest sections.")
	case r.BelowThreshold:
		out = append(out, "Note: no heading reached the threshold; this is the best there is.")
	}
	if s := res.Phases.Search; s != nil {
		for _, n := range s.SearchStats.Notes {
			out = append(out, "Note: "+n+".")
		}
	}
	for _, d := range res.Degraded {
		out = append(out, fmt.Sprintf("Note: phase %s was answered by %s instead of %s: %s.", d.Phase, d.Used, d.Wanted, d.Reason))
	}
	if e := res.Phases.Extract; e != nil {
		for _, d := range e.Documents {
			if d.Changed {
				out = append(out, fmt.Sprintf("Note: %s of %s changed since it was indexed; this is the file as it is now.", d.Title, d.DocSet))
			}
		}
	}
	return out
}

// fitText cuts a text to a budget.
func fitText(text string, most int) string {
	for process.Tokens(text) > most {
		text = strings.ToValidUTF8(text[:len(text)*7/8], "")
	}
	return text
}

// progress tells the client how far a run is, if it asked to be told; nil: it did not.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest) pipeline.Sink {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	done, total := 0, len(contract.Phases())
	return func(e pipeline.Event) {
		switch e.Kind {
		case pipeline.PhaseDone, pipeline.PhaseSkipped:
			done++
		default:
			return
		}
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(min(done, total)), Total: float64(total), Message: "phase " + e.Phase + ": " + e.Text}
		if err := req.Session.NotifyProgress(ctx, p); err != nil {
			s.opt.Log.Debug("progress", "error", err.Error())
		}
	}
}
