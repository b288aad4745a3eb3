package asking

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/plural"
)

func searchCmd(c *invocation.Call) *cobra.Command {
	var f askFlags
	op := driver.FindOperation(c, answers.SearchOperation)
	cmd := &cobra.Command{
		Use:   "search QUERY...|-",
		Short: op.Line,
		Example: `  docent search --limit 5 "verify a block"
  docent search --json --explain threshold`,
		ValidArgsFunction: completing.Words(), // a question
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := driver.ReadRequest[answers.SearchQuery](c, cmd, op)
			if err == nil {
				q.Query, err = question(c, cmd, args)
			}
			if err != nil {
				return err
			}
			return search(cmd.Context(), c, q, f)
		},
	}
	usage := rankingUsage("")
	usage["limit"] = "pages at most (with --contract docs: passages)"
	usage["cursor"] = "go on after an earlier answer's next_cursor"
	usage["explain"] = "say how each heading's scores came about"
	driver.AddFlags(cmd, op.FieldsAt(operation.Flag), usage)
	strictFlag(cmd, &f)
	cmd.Flags().StringVar(&f.contract, "contract", "", "`docs`: print the docs-search response instead")
	completing.Flag(cmd, "contract", completing.Words("docs"))
	return cmd
}

// docsContract is the name of specification 2's form of an answer.
const docsContract = "docs"

func search(ctx context.Context, c *invocation.Call, q answers.SearchQuery, f askFlags) error {
	name := answers.SearchOperation
	switch f.contract {
	case "":
	case docsContract:
		name = answers.DocsSearchOperation
	default:
		return contract.Invalid("contract", "--contract is %q, it can be docs", f.contract)
	}
	op := driver.FindOperation(c, name)
	return c.WithHomeAtOnce(ctx, func(a *app.App) error {
		q.DocSets = c.NarrowToProject(ctx, a.Services, q.DocSets)
		answer, err := op.Do(ctx, a.Services, q, progressSink(c, f))
		if err != nil {
			return err
		}
		if docs, ok := answer.(answers.DocsAnswer); ok {
			if err := c.PrintJSON(docs.Response); err != nil {
				return err
			}
			page := *docs.Result.Phases.Rerank
			searchRemarks(c, docs.Result, page)
			return outcome(len(docs.Response.Results) > 0, &page, f)
		}
		found := answer.(answers.SearchAnswer)
		switch {
		case c.JSON && q.NoRerank:
			err = c.PrintJSON(found.FirstStage())
		case c.JSON:
			err = c.PrintJSON(found.Page)
		default:
			printHits(c, found.Page, q.Explain)
		}
		if err != nil {
			return err
		}
		searchRemarks(c, found.Result, found.Page)
		return outcome(len(found.Page.Results) > 0, &found.Page, f)
	})
}

func searchRemarks(c *invocation.Call, res pipeline.Result, out contract.RerankOutput) {
	degraded(c, res.Unnoted())
	for _, n := range res.Notes() {
		c.Note("%s", n)
	}
	if len(out.Results) == 0 && !c.JSON {
		nothing(c, res.Phases.Search)
		return
	}
	switch {
	case out.Unanswered:
		c.Note("this is probably not in your documentation; nearest to it is %s", nearest(out.Results))
	case out.BelowThreshold:
		c.Note("not sure: no heading reached the threshold %.2f; this is the best there is%s; --threshold 0 shows all",
			out.RerankStats.Threshold, console.Clean(res.Phases.Search.LackedWords(res.Phases.Rerank)))
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

// textIndent is how many blanks stand before a line of a hit that has no similarity.
const textIndent = 12

// printHits prints pages for a person.
func printHits(c *invocation.Call, out contract.RerankOutput, explain bool) {
	bold, dim, reset := "", "", ""
	if c.Colour() {
		bold, dim, reset = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	line := func(format string, args ...any) {
		fmt.Fprintf(c.IO.Out, format+"\n", console.CleanArgs(args)...)
	}
	below := func(text string) { // behind the similarity, also where the terminal is narrower than the text
		fmt.Fprint(c.IO.Out, c.Wrapped(strings.Repeat(" ", textIndent), console.OneLine(text), textIndent))
	}
	listed := false
	for i, r := range out.Results {
		if r.Listed && !listed && !out.BelowThreshold { // else a remark says it of all
			fmt.Fprintf(c.IO.Out, "%s── below the threshold %.2f ──%s\n", dim, out.RerankStats.Threshold, reset)
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
			mark += "  (also in " + console.OneLine(strings.Join(r.Also, ", ")) + ")"
		}
		fmt.Fprintf(c.IO.Out, "%d. %s%s%s  %s%s%s%s\n", i+1, bold, console.OneLine(r.PageTitle), reset, dim,
			console.OneLine(r.DocSet+"/"+r.FilePath),
			reset, mark)
		for j, h := range r.Headings {
			if j == 3 {
				line("     … %s more", plural.Count(len(r.Headings)-3, "heading", "headings"))
				break
			}
			sim := "     "
			if h.RerankSim != nil {
				sim = fmt.Sprintf("%.3f", *h.RerankSim)
			}
			fmt.Fprint(c.IO.Out, c.Wrapped("     "+sim+"  ", fmt.Sprintf("%s  line %d", console.OneLine(h.Text), h.Lines[0]), textIndent))
			if d := h.Deprecated; d != nil && !strings.Contains(h.Text, d.Text) {
				below(deprecatedText(*d))
			}
			if j == 0 && h.Snippet != "" {
				below(h.Snippet)
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
		c.Note("more with --cursor %s", out.NextCursor)
	}
}
