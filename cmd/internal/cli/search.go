package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

func (c *command) searchCmd() *cobra.Command {
	var f askFlags
	op := c.operation(answers.SearchOperation)
	cmd := &cobra.Command{
		Use:   "search QUERY...|-",
		Short: op.Line,
		Example: `  docent search --limit 5 "verify a block"
  docent search --json --explain threshold`,
		ValidArgsFunction: completeWords(), // a question
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := readRequest[answers.SearchQuery](c, cmd, op)
			if err == nil {
				q.Query, err = c.question(cmd, args)
			}
			if err != nil {
				return err
			}
			return c.search(cmd.Context(), q, f)
		},
	}
	usage := rankingUsage("")
	usage["limit"] = "pages at most (with --contract docs: passages)"
	usage["cursor"] = "go on after an earlier answer's next_cursor"
	usage["explain"] = "say how each heading's scores came about"
	addFlags(cmd, op.FieldsAt(operation.Flag), usage)
	strictFlag(cmd, &f)
	cmd.Flags().StringVar(&f.contract, "contract", "", "`docs`: print the docs-search response instead")
	completeFlag(cmd, "contract", completeWords("docs"))
	return cmd
}

// docsContract is the name of specification 2's form of an answer.
const docsContract = "docs"

func (c *command) search(ctx context.Context, q answers.SearchQuery, f askFlags) error {
	name := answers.SearchOperation
	switch f.contract {
	case "":
	case docsContract:
		name = answers.DocsSearchOperation
	default:
		return contract.Invalid("contract", "--contract is %q, it can be docs", f.contract)
	}
	op := c.operation(name)
	return c.withHome(ctx, func(a *app.App) error {
		answer, err := op.Do(ctx, a.Services, q, c.progressSink(f))
		if err != nil {
			return err
		}
		if docs, ok := answer.(answers.DocsAnswer); ok {
			if err := c.printJSON(docs.Response); err != nil {
				return err
			}
			page := *docs.Result.Phases.Rerank
			c.searchRemarks(docs.Result, page)
			return outcome(len(docs.Response.Results) > 0, &page, f)
		}
		found := answer.(answers.SearchAnswer)
		switch {
		case c.json && q.NoRerank:
			err = c.printJSON(found.FirstStage())
		case c.json:
			err = c.printJSON(found.Page)
		default:
			c.printHits(found.Page, q.Explain)
		}
		if err != nil {
			return err
		}
		c.searchRemarks(found.Result, found.Page)
		return outcome(len(found.Page.Results) > 0, &found.Page, f)
	})
}

func (c *command) searchRemarks(res pipeline.Result, out contract.RerankOutput) {
	c.degraded(res.Degraded)
	for _, n := range res.Phases.Search.SearchStats.Notes {
		c.note("%s", n)
	}
	if len(out.Results) == 0 && !c.json {
		c.nothing(res.Phases.Search)
		return
	}
	switch {
	case out.Unanswered:
		c.note("this is probably not in your documentation; nearest to it is %s", nearest(out.Results))
	case out.BelowThreshold:
		c.note("no heading reached the threshold %.2f; this is the best there is (--threshold 0 shows all)", out.RerankStats.Threshold)
	}
}

// deprecatedText says that a section or page is deprecated, in the page's own line.
func deprecatedText(d contract.Deprecation) string {
	text := "deprecated"
	if d.Scope == contract.DeprecatedPage {
		text = "a deprecated page"
	}
	text += fmt.Sprintf(" (line %d: %s)", d.Line, d.Text)
	if d.ReplacedBy != "" {
		text += "; in its place: " + d.ReplacedBy
	}
	return text
}

// printHits prints pages for a person.
func (c *command) printHits(out contract.RerankOutput, explain bool) {
	bold, dim, reset := "", "", ""
	if c.colour() {
		bold, dim, reset = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	line := func(format string, args ...any) {
		fmt.Fprintf(c.io.Out, format+"\n", cleanArgs(args)...)
	}
	listed := false
	for i, r := range out.Results {
		if r.Listed && !listed && !out.BelowThreshold { // else a remark says it of all
			fmt.Fprintf(c.io.Out, "%s── below the threshold %.2f ──%s\n", dim, out.RerankStats.Threshold, reset)
		}
		listed = listed || r.Listed
		mark := ""
		switch {
		case r.BelowThreshold && !r.Listed && !out.BelowThreshold:
			mark = "  (below the threshold; the best of a side of the question)"
		case r.BelowThreshold && out.BelowThreshold:
			mark = "  (below the threshold)"
		}
		if r.Changed {
			mark += "  (changed since it was indexed)"
		}
		if len(r.Also) > 0 {
			mark += "  (also in " + oneLine(strings.Join(r.Also, ", ")) + ")"
		}
		fmt.Fprintf(c.io.Out, "%d. %s%s%s  %s%s%s%s\n", i+1, bold, oneLine(r.PageTitle), reset, dim, oneLine(r.DocSet+"/"+r.FilePath),
			reset, mark)
		for j, h := range r.Headings {
			if j == 3 {
				line("     … %s more", plural(len(r.Headings)-3, "heading", "headings"))
				break
			}
			sim := "     "
			if h.RerankSim != nil {
				sim = fmt.Sprintf("%.3f", *h.RerankSim)
			}
			line("     %s  %s  line %d", sim, h.Text, h.Lines[0])
			if d := h.Deprecated; d != nil && !strings.Contains(h.Text, d.Text) {
				line("            %s", deprecatedText(*d))
			}
			if j == 0 && h.Snippet != "" {
				line("            %s", h.Snippet)
			}
			if explain && h.Explain != nil {
				for _, p := range h.Explain.Parts {
					// A query that is not the question's own has parentheses.
					line("              %+8.3f  %s:%s  (%s)", p.Value, p.Field, p.Term,
						strings.TrimSuffix(strings.TrimPrefix(p.Query, "("), ")"))
				}
				for _, p := range h.Explain.Rerank {
					line("              %+8.3f  %s  %.3f × %.2f", p.Value, p.Name, p.Input, p.Weight)
				}
			}
		}
	}
	if out.NextCursor != "" {
		c.note("more with --cursor %s", out.NextCursor)
	}
}

// colour reports whether to colour standard output.
func (c *command) colour() bool {
	if c.noColor {
		return false
	}
	return c.io.OutTTY || c.io.Env("CLICOLOR_FORCE") != "" && c.io.Env("CLICOLOR_FORCE") != "0"
}
