package answers

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service/operation"
)

// VerifyRequest is a text with AOP-FINAL blocks.
type VerifyRequest struct {
	Block string `json:"block"`
}

// FieldTags are the texts of the fields.
func (VerifyRequest) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Block": `tool:"block,an AOP-FINAL block as ask_docs gave it, or a text with several"` +
			` doc:"a text with one AOP-FINAL block, or several"`,
	}
}

func verifyOperations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("verify", "prove an AOP-FINAL block line by line against the sources",
			func(ctx context.Context, svc *Service, req VerifyRequest) (Verified, error) {
				return svc.VerifyText(ctx, req.Block)
			}).
			OnCommandLine().
			OverHTTP(operation.Route{Method: http.MethodPost, Path: "/api/verify", ID: "verify",
				About: "proves an AOP-FINAL block line by line against the sources", Prints: "verify --json"}).
			ForAgents(operation.Shortened("verify_citation", "Verify a citation",
				"Checks an AOP-FINAL block line by line against the sources: is every line verbatim, are the omissions marked, has the "+
					"source changed since. Use it before quoted text is handed on.", verifyForAgent)),
	}
}

// verifyDigest reports for each block whether it is in its sources.
type verifyDigest struct {
	Proven bool           `json:"proven" jsonschema:"every line of every block stands in its source"`
	Blocks []digestReport `json:"blocks"`
	Cut    bool           `json:"cut_to_budget,omitempty" jsonschema:"findings were left out to keep within max_tokens"`
}

type digestReport struct {
	State      string         `json:"state" jsonschema:"verified, unverified, altered, source_changed or source_missing"`
	Lines      int            `json:"lines"`
	Verbatim   int            `json:"verbatim"`
	Omissions  int            `json:"omissions"`
	Unverified int            `json:"unverified"`
	Altered    int            `json:"altered"`
	Findings   []cite.Finding `json:"findings"`
}

// ToolText says of each block whether it is proven, with its findings.
func (d verifyDigest) ToolText() string {
	var b strings.Builder
	if d.Proven {
		b.WriteString("proven: every line stands in its source")
	} else {
		b.WriteString("not proven: not every line stands in its source")
	}
	for i, r := range d.Blocks {
		fmt.Fprintf(&b, "\nblock %d %s: %s, %d verbatim, %d omission lines, %d unverified, %d altered", i+1, r.State,
			operation.CountOf(r.Lines, "line", "lines"), r.Verbatim, r.Omissions, r.Unverified, r.Altered)
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "\n  line %d: %s", f.Line, operation.OneLine(f.Message))
		}
	}
	if d.Cut {
		b.WriteString("\nmore findings with a larger max_tokens")
	}
	return b.String()
}

func verifyForAgent(ctx context.Context, svc *Service, req VerifyRequest, room operation.Room) (verifyDigest, error) {
	if req.Block == "" {
		return verifyDigest{}, contract.Invalid("block", "there is no block; give one that ask_docs gave")
	}
	reports, err := svc.VerifyText(ctx, req.Block)
	if err != nil {
		return verifyDigest{}, err
	}
	findings := 0
	for _, r := range reports {
		findings += len(r.Findings)
	}
	// The first n findings of all blocks together.
	part := func(n int) verifyDigest {
		out := verifyDigest{Proven: reports.Proven(), Blocks: []digestReport{}, Cut: n < findings}
		for _, r := range reports {
			k := min(n, len(r.Findings))
			n -= k
			out.Blocks = append(out.Blocks, digestReport{State: r.State, Lines: r.Lines, Verbatim: r.Verbatim, Omissions: r.Omissions,
				Unverified: r.Unverified, Altered: r.Altered,
				Findings: append([]cite.Finding{}, r.Findings[:k]...)})
		}
		return out
	}
	out := part(operation.Longest(findings, func(n int) bool { return room.Fits(part(n)) }))
	if !room.Fits(out) { // many blocks
		out.Cut = true
		out.Blocks = out.Blocks[:operation.Longest(len(out.Blocks),
			func(n int) bool { return room.Fits(verifyDigest{Blocks: out.Blocks[:n], Cut: true}) })]
	}
	return out, nil
}
