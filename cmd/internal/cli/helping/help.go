package helping

import (
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/text/spelling"
)

// completeHelp completes with commands and pages of the manual.
func completeHelp(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if len(args) == 0 {
			for _, sub := range cmd.Root().Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			for _, p := range manualPages(c) {
				names = append(names, cobra.CompletionWithDesc(p.name, p.title))
			}
		}
		var fit []string
		for _, n := range names {
			if strings.HasPrefix(n, typed) {
				fit = append(fit, n)
			}
		}
		return fit, cobra.ShellCompDirectiveNoFileComp
	}
}

// HelpCommand is `docent help`: a command's help, or a page of the manual.
func HelpCommand(c *invocation.Call) *cobra.Command {
	man := ""
	cmd := &cobra.Command{
		Use:   "help [COMMAND|PAGE]",
		Short: "help on a command, or a page of the manual",
		Long: `Without an argument: the commands and the manual's pages. With a command: its
help. With a page: that page of the manual.`,
		Example: `  docent help ask
  docent help troubleshooting`,
		ValidArgsFunction: completeHelp(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("man") {
				if len(args) > 0 {
					return failure.UsageError("docent help --man writes the manual pages of all commands; leave %q out",
						strings.Join(args, " "))
				}
				return writeManPages(c, cmd.Root(), man)
			}
			if len(args) == 0 {
				root := cmd.Root()
				root.SetOut(c.IO.Out)
				if err := root.Help(); err != nil || c.JSON {
					return err
				}
				fmt.Fprintln(c.IO.Out, "\nManual (docent help PAGE):")
				for _, p := range manualPages(c) {
					fmt.Fprintf(c.IO.Out, "  %-22s %s\n", p.name, p.title)
				}
				return nil
			}
			want := strings.Join(args, " ")
			if sub, _, err := cmd.Root().Find(args); err == nil && sub != cmd.Root() {
				sub.SetOut(c.IO.Out)
				return sub.Help()
			}
			var names []string
			for _, p := range manualPages(c) {
				if strings.EqualFold(p.name, want) || strings.EqualFold(p.title, want) {
					switch {
					case c.JSON:
						return c.PrintJSON(pageJSON{p.name, p.title, p.text})
					case c.IO.OutTTY:
						return c.PrintMarkdown(p.text)
					}
					_, err := fmt.Fprint(c.IO.Out, p.text)
					return err
				}
				names = append(names, p.name)
			}
			msg := fmt.Sprintf("there is no help on %q", want)
			names = append(names, arguments.CommandNames(cmd.Root())...)
			slices.Sort(names) // pages and commands may have one name
			if near := spelling.Nearest(want, slices.Compact(names)); len(near) > 0 {
				msg += "; did you mean " + strings.Join(near, " or ") + "?"
			} else {
				msg += "; docent help lists the pages, docent ask --set Docent_Manual " + strconv.Quote(want) + " looks in them"
			}
			return contract.Invalid("", "%s", msg)
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "write manual pages for man(1) into the folder `DIR`")
	completing.Flag(cmd, "man", completing.Folders)
	return cmd
}

type manualPage struct{ name, title, text string }

// manualPages are the manual's pages by name.
func manualPages(c *invocation.Call) []manualPage {
	var pages []manualPage
	_ = fs.WalkDir(c.Manual, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		raw, err := fs.ReadFile(c.Manual, path)
		if err != nil {
			return err
		}
		text := string(raw)
		title := path
		for line := range strings.Lines(text) {
			if t, ok := strings.CutPrefix(line, "# "); ok {
				title = strings.TrimSpace(t)
				break
			}
		}
		pages = append(pages, manualPage{strings.TrimSuffix(path, ".md"), title, text})
		return nil
	})
	sort.Slice(pages, func(i, j int) bool { return pages[i].name < pages[j].name })
	return pages
}
