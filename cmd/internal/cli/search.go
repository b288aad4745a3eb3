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
)

func (c *command) searchCmd() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "search QUERY...|-",
		Short: "pages and headings, best first (phases 1 and 1.5)",
		Example: `  docent search --limit 5 "verify a block"
  docent search --json --explain threshold`,
		ValidArgsFunction: words(), // a question
		RunE: func(cmd *cobra.Command, args []string) error {
			f.thresholdGiven = cmd.Flags().Changed("threshold")
			if err := atLeastOne(cmd, "top", "limit"); err != nil {
				return err
			}
			query, err := c.question(cmd, args)
			if err != nil {
				return err
			}
			return c.search(cmd.Context(), query, f)
		},
	}
	fl := cmd.Flags()
	c.retrievalFlags(cmd, &f)
	fl.IntVar(&f.limit, "limit", 10, "pages at most (with --contract docs: passages)")
	fl.StringVar(&f.cursor, "cursor", "", "go on after an earlier answer's next_cursor")
	fl.BoolVar(&f.explain, "explain", false, "say how each heading's scores came about")
	strictFlag(cmd, &f)
	fl.StringVar(&f.contractV, "contract", "", "`docs`: print the docs-search response instead")
	completeFlag(cmd, "contract", words("docs"))
	return cmd
}

func (c *command) search(ctx context.Context, query string, f askFlags) error {
	return c.with(ctx, func(a *app.App) error {
		if f.contractV != "" && f.contractV != "docs" {
			return contract.Invalid("contract", "--contract is %q, it can be docs", f.contractV)
		}
		req, err := c.request(query, f)
		if err != nil {
			return err
		}
		searched := answers.SearchRequest{Request: req, Limit: f.limit, Cursor: f.cursor}
		if f.contractV == "docs" {
			return c.searchDocs(ctx, a, searched, f)
		}
		answer, err := a.Answers.Search(ctx, searched, c.watch(f))
		if err != nil {
			return err
		}
		res, out := answer.Result, answer.Page
		switch {
		case c.json && f.noRerank:
			err = c.printJSON(answer.FirstStage())
		case c.json:
			err = c.printJSON(out)
		default:
			c.printHits(out, f.explain)
		}
		if err != nil {
			return err
		}
		c.searchRemarks(res, out)
		return outcome(len(out.Results) > 0, &out, f)
	})
}

// searchDocs prints the docs-search response.
func (c *command) searchDocs(ctx context.Context, a *app.App, req answers.SearchRequest, f askFlags) error {
	out, res, err := a.Answers.SearchDocs(ctx, req, c.watch(f))
	if err != nil {
		return err
	}
	if err := c.printJSON(out); err != nil {
		return err
	}
	page := *res.Phases.Rerank
	c.searchRemarks(res, page)
	return outcome(len(out.Results) > 0, &page, f)
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
		fmt.Fprintf(c.io.Out, "%d. %s%s%s  %s%s%s%s\n", i+1, bold, oneLine(r.PageTitle), reset, dim, oneLine(r.DocSet+"/"+r.FilePath), reset, mark)
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
					// What is no query of the question's own has its parentheses.
					line("              %+8.3f  %s:%s  (%s)", p.Value, p.Field, p.Term, strings.TrimSuffix(strings.TrimPrefix(p.Query, "("), ")"))
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

// colour says whether to colour standard output.
func (c *command) colour() bool {
	if c.noColor {
		return false
	}
	return c.io.OutTTY || c.io.Env("CLICOLOR_FORCE") != "" && c.io.Env("CLICOLOR_FORCE") != "0"
}
