package impact

import (
	"context"
	"fmt"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/changes"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/shorten"
)

// digest lists changes for an agent.
type digest struct {
	Before  string         `json:"before" jsonschema:"the older doc set, Name@version"`
	After   string         `json:"after" jsonschema:"the newer doc set"`
	Total   int            `json:"total" jsonschema:"changes that there are, of the names that were given"`
	Changes []digestChange `json:"changes" jsonschema:"the gravest first"`
	Unknown []string       `json:"not_documented,omitempty" jsonschema:"names that the older version does not document"`
	Differ  bool           `json:"nothing_in_common,omitempty" jsonschema:"hardly a name stands in both: these are two products"`
	Cut     bool           `json:"cut_to_budget,omitempty" jsonschema:"changes were left out to keep within max_tokens"`
}

type digestChange struct {
	Name     string       `json:"name"`
	Kind     changes.Kind `json:"kind" jsonschema:"removed, renamed, deprecated, default or type"`
	Now      string       `json:"replacement,omitempty" jsonschema:"the name that takes its place"`
	From     string       `json:"from,omitempty" jsonschema:"the default or type before"`
	To       string       `json:"to,omitempty"`
	Perhaps  string       `json:"perhaps,omitempty" jsonschema:"why it is not sure"`
	Evidence string       `json:"evidence,omitempty" jsonschema:"the sentence that says so"`
	Was      string       `json:"was" jsonschema:"the page and lines that document it in the older version"`
	Is       string       `json:"now,omitempty" jsonschema:"those of the newer one that do, or say what became of it"`
	told     string
}

// mostEvidence is how many bytes of a sentence an agent gets.
const mostEvidence = 240

// ToolText lists the changes in lines.
func (d digest) ToolText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", operation.OneLine(d.Before+" to "+d.After), operation.CountOf(d.Total, "change", "changes"))
	if d.Differ {
		b.WriteString("; hardly a name stands in both, they are not compared")
	}
	for i, c := range d.Changes {
		fmt.Fprintf(&b, "\n%d. %s", i+1, operation.OneLine(c.Name+" "+c.told))
		if c.Perhaps != "" {
			b.WriteString(", perhaps: " + operation.OneLine(c.Perhaps))
		}
		if c.Evidence != "" {
			b.WriteString(": " + operation.OneLine(c.Evidence))
		}
		b.WriteString(" [" + operation.OneLine(c.Was))
		if c.Is != "" {
			b.WriteString("; " + operation.OneLine(c.Is))
		}
		b.WriteString("]")
	}
	if len(d.Unknown) > 0 {
		b.WriteString("\nnot documented in the older version: " + operation.OneLine(strings.Join(d.Unknown, ", ")))
	}
	if d.Cut {
		b.WriteString("\nmore changes with a larger max_tokens, or for the names that you give")
	}
	return b.String()
}

// listForAgent lists as many changes as the budget takes.
func listForAgent(ctx context.Context, svc *Service, req Request, room operation.Room) (digest, error) {
	answer, err := svc.Impact(ctx, req)
	if err != nil {
		return digest{}, err
	}
	all := []digestChange{}
	for _, c := range answer.Changes {
		d := digestChange{Name: c.Name, Kind: c.Kind, Now: c.Replacement, From: c.From, To: c.To, Perhaps: c.Perhaps,
			Evidence: shorten.Line(c.Evidence, mostEvidence), Was: c.Before.inLine(), told: c.String()}
		if c.After != nil {
			d.Is = c.After.inLine()
		}
		all = append(all, d)
	}
	part := func(n int) digest {
		return digest{Before: answer.Before.DocSet, After: answer.After.DocSet, Total: len(all), Changes: all[:n], Unknown: answer.Unknown,
			Differ: answer.NothingInCommon, Cut: n < len(all)}
	}
	n := operation.Longest(len(all), func(n int) bool { return room.Fits(part(n)) })
	if n == 0 && len(all) > 0 {
		return digest{}, contract.Invalid("max_tokens", "not even one change fits into %d tokens; give more", room.Most)
	}
	return part(n), nil
}

// inLine is a citation as an agent gives it to the tool that reads pages.
func (c Citation) inLine() string {
	return fmt.Sprintf("%s/%s %d-%d", c.DocSet, c.Path, c.Lines[0], c.Lines[1])
}
