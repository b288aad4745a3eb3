package reading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/locate"
)

// completeHeadings completes with the headings of the page that the arguments name.
func completeHeadings(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completing.FromHome(c, func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
			page, err := a.Pages.Contents(ctx, locate.ReadRequest{Page: strings.Join(args, " "), Sets: c.Sets})
			if err != nil {
				return nil, cobra.ShellCompDirectiveDefault
			}
			var names []string
			for _, h := range page.Headings {
				names = append(names, strings.TrimLeft(h.Text, "# "))
			}
			return names, cobra.ShellCompDirectiveKeepOrder
		})(cmd, args, typed)
	}
}

func readCmd(c *invocation.Call) *cobra.Command {
	var section string
	var toc bool
	cmd := &cobra.Command{
		Use:   "read SET/PAGE",
		Short: "a page, a section of it, or its table of contents",
		Long: `Prints a page, named by its path in the doc set or its title (or by the path of
a cited block): rendered on a terminal, as it stands in the file in a pipe.`,
		Example:           `  docent read "Docent_Manual/Getting started" --toc`,
		Args:              arguments.MinArgs(1, "a page"),
		ValidArgsFunction: completing.Pages(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed("section")
			switch {
			case given && toc:
				return contract.Invalid("section", "--section and --toc exclude each other; give one of them")
			case given && strings.Trim(section, "# ") == "":
				return contract.Invalid("section", "--section is empty; give a heading or an anchor (--toc lists the headings)")
			}
			return c.WithHome(cmd.Context(), func(a *app.App) error {
				req := locate.ReadRequest{Page: strings.Join(args, " "), Sets: c.Sets, Section: section}
				if toc {
					return readContents(cmd.Context(), c, a, req)
				}
				return printPage(cmd.Context(), c, a, req)
			})
		},
	}
	cmd.Flags().StringVar(&section, "section", "", "only the section under this `HEADING` (or #anchor)")
	cmd.Flags().BoolVar(&toc, "toc", false, "the page's headings; of a doc set alone, its pages")
	completing.Flag(cmd, "section", completeHeadings(c))
	return cmd
}

func printPage(ctx context.Context, c *invocation.Call, a *app.App, req locate.ReadRequest) error {
	p, err := a.Pages.Read(ctx, req)
	if err != nil {
		return err
	}
	noteChanged(c, p.FilePath, p.Changed)
	switch {
	case c.JSON:
		return c.PrintJSON(p)
	case c.IO.OutTTY:
		return c.PrintMarkdown(p.Content)
	}
	_, err = io.WriteString(c.IO.Out, p.Content)
	return err
}

func noteChanged(c *invocation.Call, path string, changed bool) {
	if changed {
		c.Note("%s changed since it was indexed; this is the file as it is now", path)
	}
}

// readContents prints a page's headings, or a doc set's pages.
func readContents(ctx context.Context, c *invocation.Call, a *app.App, req locate.ReadRequest) error {
	page, err := a.Pages.Contents(ctx, req)
	if alone, ok := errors.AsType[*locate.SetAloneError](err); ok {
		return printPages(ctx, c, a, alone.Set.String())
	}
	if err != nil {
		return err
	}
	noteChanged(c, page.FilePath, page.Changed)
	if c.JSON {
		return c.PrintJSON(page)
	}
	for _, e := range page.Headings {
		fmt.Fprintf(c.IO.Out, "%s%s  (line %d)\n", strings.Repeat("  ", e.Level-1), c.ForTerminal(e.Text), e.Lines[0])
	}
	return nil
}

// printPages prints the pages of a doc set as docent read takes them.
func printPages(ctx context.Context, c *invocation.Call, a *app.App, docSet string) error {
	list, err := a.Pages.Pages(ctx, docSet)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(list)
	}
	for _, p := range list.Pages {
		fmt.Fprintf(c.IO.Out, "%s/%s  (%s)\n", console.OneLine(list.DocSet), console.OneLine(p.Path), console.OneLine(p.Title))
	}
	return nil
}
