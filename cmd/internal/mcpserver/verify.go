package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service"
)

// verifyArgs are the arguments of verify_citation.
type verifyArgs struct {
	Block     string `json:"block" jsonschema:"an AOP-FINAL block as ask_docs gave it, or a text with several"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer, 100 to 100000; without it 2000"`
}

// verifyAnswer says of each block whether it stands in its sources.
type verifyAnswer struct {
	Proven bool      `json:"proven" jsonschema:"every line of every block stands in its source"`
	Blocks []checked `json:"blocks"`
	Cut    bool      `json:"cut_to_budget,omitempty" jsonschema:"findings were left out to keep within max_tokens"`
}

type checked struct {
	State      string         `json:"state" jsonschema:"verified, unverified, altered, source_changed or source_missing"`
	Lines      int            `json:"lines"`
	Verbatim   int            `json:"verbatim"`
	Omissions  int            `json:"omissions"`
	Unverified int            `json:"unverified"`
	Altered    int            `json:"altered"`
	Findings   []cite.Finding `json:"findings"`
}

func (s *Server) addVerify() {
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "verify_citation", Annotations: readOnly("Verify a citation"),
		Description: "Checks an AOP-FINAL block line by line against the sources: is every line verbatim, are the omissions marked, has the source changed since. Use it before quoted text is handed on."},
		func(ctx context.Context, _ *mcp.CallToolRequest, args verifyArgs) (*mcp.CallToolResult, verifyAnswer, error) {
			var out verifyAnswer
			err := s.with(ctx, func(ctx context.Context, h *service.Services) error {
				var err error
				out, err = verify(ctx, h, args)
				return err
			})
			return nil, out, err
		})
}

func verify(ctx context.Context, h *service.Services, args verifyArgs) (verifyAnswer, error) {
	most, err := budget(args.MaxTokens)
	if err != nil {
		return verifyAnswer{}, err
	}
	if args.Block == "" {
		return verifyAnswer{}, contract.Invalid("block", "there is no block; give one that ask_docs gave")
	}
	reports, err := h.Answers.VerifyText(ctx, args.Block)
	if err != nil {
		return verifyAnswer{}, err
	}
	findings := 0
	for _, r := range reports {
		findings += len(r.Findings)
	}
	// The first n findings of all blocks together.
	part := func(n int) verifyAnswer {
		out := verifyAnswer{Proven: reports.Proven(), Blocks: []checked{}, Cut: n < findings}
		for _, r := range reports {
			k := min(n, len(r.Findings))
			n -= k
			out.Blocks = append(out.Blocks, checked{State: r.State, Lines: r.Lines, Verbatim: r.Verbatim, Omissions: r.Omissions, Unverified: r.Unverified, Altered: r.Altered,
				Findings: append([]cite.Finding{}, r.Findings[:k]...)})
		}
		return out
	}
	out := part(longest(findings, func(n int) bool { return fits(part(n), most) }))
	if !fits(out, most) { // many blocks
		out.Cut = true
		out.Blocks = out.Blocks[:longest(len(out.Blocks), func(n int) bool { return fits(verifyAnswer{Blocks: out.Blocks[:n], Cut: true}, most) })]
	}
	return out, nil
}
