package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
)

func (c *command) statusCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "status",
		Short:             "what is there: home, doc sets, indexes",
		Example:           `  docent status --json`,
		Args:              exactArgs(0, "no arguments"),
		ValidArgsFunction: words(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return c.with(ctx, func(a *app.App) error { return c.status(ctx, a) })
		},
	}
}

func (c *command) status(ctx context.Context, a *app.App) error {
	st, err := a.Status(ctx)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(st)
	}
	row := func(name, format string, args ...any) {
		fmt.Fprintf(c.io.Out, "%-10s %s\n", name, fmt.Sprintf(format, cleanArgs(args)...))
	}
	row("version", "%s", st.Version)
	row("home", "%s", st.Home)
	row("config", "%s", st.Config)
	row("engine", "%s (no model is needed)", st.Engine)
	row("doc sets", "%d, of which %d not fresh (docent sets lists them)", len(st.Sets), st.Stale)
	row("pages", "%d with %d sections in %d passages, %s", st.Pages, st.Sections, st.Passages, bytesText(st.Bytes))
	row("index", "%s", bytesText(st.Index))
	if len(st.Models) > 0 {
		row("vectors", "of %s by %s", plural(st.Embedded, "doc set", "doc sets"), strings.Join(st.Models, ", "))
	}
	if st.Unsettled > 0 {
		row("learned", "vectors of %s: %s folded in since they were learned; docent update --settle learns them anew", plural(st.Unsettled, "doc set", "doc sets"), plural(st.Folded, "passage", "passages"))
	}
	return nil
}
