package reading

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/pages"
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

// readView prints a page: rendered on a terminal, unchanged in a pipe.
func readView(c *invocation.Call) driver.View {
	return driver.View{
		AtOnce: true,
		Use:    "SET/PAGE",
		Long: `Prints a page, named by its path in the doc set or its title (or by the path of
a cited block): rendered on a terminal, as it stands in the file in a pipe.`,
		Example:  `  docent read "Docent_Manual/Getting started" --toc`,
		Args:     "a page",
		Complete: completing.Pages(c),
		Usage:    map[string]string{"section": "only the section under this `HEADING` (or #anchor)"},
		Values:   map[string]cobra.CompletionFunc{"section": completeHeadings(c)},
		Check: driver.Typed(func(req pages.NamedRequest) error {
			switch {
			case req.Section == nil:
			case req.Contents:
				return contract.Invalid("section", "--section and --toc exclude each other; give one of them")
			case strings.Trim(*req.Section, "# ") == "":
				return contract.Invalid("section", "--section is empty; give a heading or an anchor (--toc lists the headings)")
			}
			return nil
		}),
		Before: func(answer any) error {
			switch p := answer.(type) {
			case pages.PageText:
				noteChanged(c, p.FilePath, p.Changed)
			case pages.Contents:
				noteChanged(c, p.FilePath, p.Changed)
			}
			return nil
		},
		Show: func(answer any) error {
			switch p := answer.(type) {
			case pages.PageText:
				return printPage(c, p.Content)
			case pages.Contents:
				for _, e := range p.Headings {
					fmt.Fprintf(c.IO.Out, "%s%s  (line %d)\n", strings.Repeat("  ", e.Level-1), c.ForTerminal(e.Text), e.Lines[0])
				}
			case pages.PageList:
				for _, l := range p.Pages {
					fmt.Fprintf(c.IO.Out, "%s/%s  (%s)\n", console.OneLine(p.DocSet), console.OneLine(l.Path), console.OneLine(l.Title))
				}
			}
			return nil
		},
	}
}

func printPage(c *invocation.Call, text string) error {
	if c.IO.OutTTY {
		return c.PrintMarkdown(text)
	}
	_, err := io.WriteString(c.IO.Out, text)
	return err
}

func noteChanged(c *invocation.Call, path string, changed bool) {
	if changed {
		c.Note("%s changed since it was indexed; this is the file as it is now", path)
	}
}
