package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/service/locate"
)

func (c *command) readCmd() *cobra.Command {
	var section string
	var toc bool
	cmd := &cobra.Command{
		Use:   "read SET/PAGE",
		Short: "a page, a section of it, or its table of contents",
		Long: `Prints a page, named by its path in the doc set or its title (or by the path of
a cited block): rendered on a terminal, as it stands in the file in a pipe.`,
		Example:           `  docent read "Docent_Manual/Getting started" --toc`,
		Args:              minArgs(1, "a page"),
		ValidArgsFunction: c.completePages(),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed("section")
			switch {
			case given && toc:
				return contract.Invalid("section", "--section and --toc exclude each other; give one of them")
			case given && strings.Trim(section, "# ") == "":
				return contract.Invalid("section", "--section is empty; give a heading or an anchor (--toc lists the headings)")
			}
			return c.withHome(cmd.Context(), func(a *app.App) error {
				req := locate.ReadRequest{Page: strings.Join(args, " "), Sets: c.sets, Section: section}
				if toc {
					return c.readContents(cmd.Context(), a, req)
				}
				return c.printPage(cmd.Context(), a, req)
			})
		},
	}
	cmd.Flags().StringVar(&section, "section", "", "only the section under this `HEADING` (or #anchor)")
	cmd.Flags().BoolVar(&toc, "toc", false, "the page's headings; of a doc set alone, its pages")
	completeFlag(cmd, "section", c.completeHeadings)
	return cmd
}

func (c *command) printPage(ctx context.Context, a *app.App, req locate.ReadRequest) error {
	p, err := a.Pages.Read(ctx, req)
	if err != nil {
		return err
	}
	c.noteChanged(p.FilePath, p.Changed)
	switch {
	case c.json:
		return c.printJSON(p)
	case c.io.OutTTY:
		return c.render(p.Content)
	}
	_, err = io.WriteString(c.io.Out, p.Content)
	return err
}

func (c *command) noteChanged(path string, changed bool) {
	if changed {
		c.note("%s changed since it was indexed; this is the file as it is now", path)
	}
}

// readContents prints a page's headings, or a doc set's pages.
func (c *command) readContents(ctx context.Context, a *app.App, req locate.ReadRequest) error {
	page, err := a.Pages.Contents(ctx, req)
	if alone, ok := errors.AsType[*locate.SetAloneError](err); ok {
		return c.printPages(ctx, a, alone.Set.String())
	}
	if err != nil {
		return err
	}
	c.noteChanged(page.FilePath, page.Changed)
	if c.json {
		return c.printJSON(page)
	}
	for _, e := range page.Headings {
		fmt.Fprintf(c.io.Out, "%s%s  (line %d)\n", strings.Repeat("  ", e.Level-1), c.forTerminal(e.Text), e.Lines[0])
	}
	return nil
}

// printPages prints the pages of a doc set as docent read takes them.
func (c *command) printPages(ctx context.Context, a *app.App, docSet string) error {
	list, err := a.Pages.Pages(ctx, docSet)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(list)
	}
	for _, p := range list.Pages {
		fmt.Fprintf(c.io.Out, "%s/%s  (%s)\n", oneLine(list.DocSet), oneLine(p.Path), oneLine(p.Title))
	}
	return nil
}
