package cli

import (
	"fmt"
	"io/fs"
	"sort"
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/styles"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/pipeline/text/spelling"
)

// helpCmd is `docent help`: a command's help, or a page of the manual.
func (c *command) helpCmd() *cobra.Command {
	man := ""
	cmd := &cobra.Command{
		Use:   "help [COMMAND|PAGE]",
		Short: "help on a command, or a page of the manual",
		Long: `Without an argument: the commands and the manual's pages. With a command: its
help. With a page: that page of the manual.`,
		Example: `  docent help ask
  docent help troubleshooting`,
		ValidArgsFunction: c.completeHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("man") {
				if len(args) > 0 {
					return usageError("docent help --man writes the manual pages of all commands; leave %q out", strings.Join(args, " "))
				}
				return c.writeManPages(cmd.Root(), man)
			}
			if len(args) == 0 {
				root := cmd.Root()
				root.SetOut(c.io.Out)
				if err := root.Help(); err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, "\nManual (docent help PAGE):")
				for _, p := range c.manualPages() {
					fmt.Fprintf(c.io.Out, "  %-22s %s\n", p.name, p.title)
				}
				return nil
			}
			want := strings.Join(args, " ")
			if sub, _, err := cmd.Root().Find(args); err == nil && sub != cmd.Root() {
				sub.SetOut(c.io.Out)
				return sub.Help()
			}
			var names []string
			for _, p := range c.manualPages() {
				if strings.EqualFold(p.name, want) || strings.EqualFold(p.title, want) {
					if c.io.OutTTY {
						return c.render(p.text)
					}
					_, err := fmt.Fprint(c.io.Out, p.text)
					return err
				}
				names = append(names, p.name)
			}
			msg := fmt.Sprintf("there is no help on %q", want)
			if near := spelling.Nearest(want, append(names, commandNames(cmd.Root())...)); len(near) > 0 {
				msg += "; did you mean " + strings.Join(near, " or ") + "?"
			} else {
				msg += "; docent help lists the pages, docent search finds in them"
			}
			return contract.Invalid("", "%s", msg)
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "write manual pages for man(1) into the folder `DIR`")
	completeFlag(cmd, "man", folders)
	return cmd
}

type manualPage struct{ name, title, text string }

// manualPages are the manual's pages by name.
func (c *command) manualPages() []manualPage {
	var pages []manualPage
	_ = fs.WalkDir(c.manual, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		raw, err := fs.ReadFile(c.manual, path)
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

// maxRender is the width of rendered pages: longer lines are hard to read.
const maxRender = 100

// render prints Markdown for a terminal.
func (c *command) render(text string) error {
	style := styles.DarkStyleConfig
	// A code span has a colour of its own. The spaces that glamour puts around it would
	// be copied with it.
	style.Code.Prefix, style.Code.Suffix = "", ""
	if c.noColor {
		style = styles.NoTTYStyleConfig
	}
	width := 80
	if w, _, err := term.GetSize(1); err == nil && w > 0 {
		width = w
	}
	r, err := glamour.NewTermRenderer(glamour.WithStyles(style), glamour.WithWordWrap(min(width, maxRender)))
	if err != nil {
		return err
	}
	out, err := r.Render(sanitize.References(cleanForTerminal(text)))
	if err != nil {
		return err
	}
	// The renderer makes control characters of what stood for them, and links of every
	// address: a person without colours gets none of its sequences, anybody else those
	// that the outlet lets through.
	if c.noColor {
		out = sanitize.KeepStyles(out, false)
	}
	_, err = fmt.Fprint(c.io.Out, out)
	return err
}
