package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/service/enrichment"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
)

func (c *command) enrichCmd() *cobra.Command {
	var most int
	var limit time.Duration
	var again bool
	cmd := &cobra.Command{
		Use:   "enrich [SET...] | SET/PAGE[#SECTION]",
		Short: "summaries, concepts, warnings of sections: make them, or show those of one",
		Long: `Enriches the sections of doc sets that changed: by the models of [[enrichment.chain]],
or without one by what the text itself says. What is made stays when it is ended early.
With a page, or a section at an anchor, it prints what is known of that.`,
		Example:           `  docent enrich "Docent_Manual/Getting started"`,
		ValidArgsFunction: c.completeEnrich(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if name := strings.Join(args, " "); strings.Contains(name, "/") {
				for _, f := range []string{"max", "time", "again"} {
					if cmd.Flags().Changed(f) {
						return contract.Invalid(f, "--%s is for enriching doc sets; %s is a page", f, name)
					}
				}
				return c.withHome(ctx, func(a *app.App) error { return c.showEnrichment(ctx, a, c.pageRequest(ctx, a, args)) })
			}
			switch {
			case most < 0:
				return contract.Invalid("max", "--max is %d; give a number of sections", most)
			case limit < 0:
				return contract.Invalid("time", "--time is %v; give a time such as 10m", limit)
			}
			req := enrichment.EnrichRequest{Sets: append(slices.Clone(args), c.sets...), Most: most, Time: limit, Again: again}
			return c.withHome(ctx, func(a *app.App) error { return c.enrich(ctx, a, req) })
		},
	}
	cmd.Flags().IntVar(&most, "max", 0, "ask models about at most so many `SECTIONS`, and leave the rest to the next time")
	cmd.Flags().DurationVar(&limit, "time", 0, "ask models no longer than this `TIME`, such as 10m")
	cmd.Flags().BoolVar(&again, "again", false, "enrich sections that did not change too")
	completeFlag(cmd, "max", completeWords())
	completeFlag(cmd, "time", completeWords())
	return cmd
}

// completeEnrich completes with pages behind the name of a doc set, else with doc sets.
func (c *command) completeEnrich() cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "/") {
			return c.completePages()(cmd, args, typed)
		}
		return c.completeSets()(cmd, args, typed)
	}
}

func (c *command) enrich(ctx context.Context, a *app.App, req enrichment.EnrichRequest) error {
	reports, err := a.Enrichment.Enrich(ctx, req, home.Watch{Note: c.note, Events: newBar(c).showEvent})
	if c.json && err == nil {
		return c.printJSON(map[string]any{"sets": reports})
	}
	if !c.json {
		for _, r := range reports {
			c.printEnriched(r)
		}
	}
	return err
}

// mostRefusals is how many answers that did not count are printed without -v.
const mostRefusals = 5

func (c *command) printEnriched(r enrichment.EnrichReport) {
	for i, x := range r.Refused {
		if i == mostRefusals && c.verbose == 0 {
			c.note("%s: … more answers did not count (-v shows them)", r.Set)
			break
		}
		c.note("%s/%s: the answer of %s did not count: %s", r.Set, enrichedName(x.FilePath, x.SectionPath), x.Engine,
			refusalText(x.Field, x.Detail))
	}
	if c.quiet {
		return
	}
	text := fmt.Sprintf("%s: %d of %s enriched, %d now, %d by models", r.Set, r.Enriched, plural(r.Sections, "section", "sections"),
		r.Made, r.ByModel)
	if len(r.Models) > 0 {
		text += " (" + strings.Join(r.Models, ", ") + ")"
	}
	if r.Truncated > 0 {
		text += fmt.Sprintf(", %d cut", r.Truncated)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Rejected)) {
		text += fmt.Sprintf(", %d refused (%s)", r.Rejected[reason], strings.ReplaceAll(string(reason), "_", " "))
	}
	if r.Edges > 0 {
		text += ", " + plural(r.Edges, "relation", "relations") + " found"
	}
	if r.Stopped != "" {
		text += "; " + r.Stopped
	}
	fmt.Fprintln(c.io.Out, oneLine(text))
}

func refusalText(field, detail string) string {
	if field == "" {
		return detail
	}
	return field + ": " + detail
}

func enrichedName(path, section string) string {
	if section == "" {
		return path
	}
	return path + "#" + section
}

// showEnrichment prints the enrichment of a section.
func (c *command) showEnrichment(ctx context.Context, a *app.App, req locate.ReadRequest) error {
	e, err := a.Enrichment.Enrichment(ctx, req)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(e)
	}
	row := func(name string, items ...string) {
		for _, s := range items {
			fmt.Fprint(c.io.Out, c.wrapped(fmt.Sprintf("%-14s ", name), oneLine(s), 15))
			name = ""
		}
	}
	x := e.Enrichment
	row("section", enrichedName(e.DocSet+"/"+e.FilePath, e.SectionPath))
	row("summary", x.Summary)
	if len(x.KeyConcepts) > 0 {
		row("concepts", strings.Join(x.KeyConcepts, ", "))
	}
	for i, p := range x.Parameters {
		text := p.Name
		if p.Type != "" {
			text += " (" + p.Type + ")"
		}
		name := ""
		if i == 0 {
			name = "parameters"
		}
		row(name, text+"  "+p.Description)
	}
	row("prerequisites", x.Prerequisites...)
	row("warnings", x.Warnings...)
	if len(x.RelatedTopics) > 0 {
		row("related", strings.Join(x.RelatedTopics, ", "))
	}
	code := "no code"
	if x.CodeExamples {
		code = "with code"
	}
	row("for", x.Audience+", "+code)
	by := e.Engine
	if e.Prompt != "" {
		by += " (" + e.Prompt + ")"
	}
	if x.Truncated {
		by += ", cut to its bounds"
	}
	row("made by", by)
	for _, r := range e.Refused {
		c.note("the answer of %s did not count: %s", r.Engine, refusalText(r.Field, r.Detail))
	}
	return nil
}
