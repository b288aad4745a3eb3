package comparing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/wording"
	"docent/pipeline/contract"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/versioning"
)

// diffView prints a diff as text or as Markdown.
func diffView(c *invocation.Call) driver.View {
	var markdown bool
	return driver.View{
		Use: "NAME [PAGE] | NAME@V1 NAME@V2 [PAGE]",
		Long: `Lists the pages that were added, removed, renamed or changed from one version of
a doc set to another, from the second newest to the newest where only NAME is given;
with PAGE its sections and their lines. Exits with 1 when nothing differs.`,
		Example:  `  docent diff Kubernetes@1.30 Kubernetes@1.31 pods.md`,
		Complete: completeDiff(c),
		Flags:    func(fl *pflag.FlagSet) { fl.BoolVar(&markdown, "markdown", false, "print Markdown") },
		Check: driver.Typed(func(req versioning.NamedRequest) error {
			if markdown && c.JSON {
				return contract.Invalid("markdown", "--markdown and --json exclude each other; give one of them")
			}
			if _, ok := req.Named(); !ok {
				return failure.UsageError("docent diff takes two doc sets, and a page; docent diff --help has an example")
			}
			return nil
		}),
		Show: driver.Typed(func(d versioning.Diff) error {
			p := diffPrinter{c: c, d: d, lines: d.IsOfPage()}
			if markdown {
				p.markdown()
			} else {
				p.printText()
			}
			return nil
		}),
		After: driver.Typed(func(d versioning.Diff) error {
			for _, u := range d.Unread {
				c.Note("%s/%s is not compared: %s", u.DocSet, u.Path, u.Reason)
			}
			if !differs(d) {
				return failure.ExitCode(failure.CodeNothing)
			}
			return nil
		}),
	}
}

// completeDiff completes with doc sets, and then with the pages of the second one.
func completeDiff(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		all := append(slices.Clone(c.Sets), args...)
		if len(all) < 2 {
			return completing.Sets(c)(cmd, args, typed)
		}
		return completing.FromHome(c, func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
			list, err := a.Pages.Pages(ctx, all[1])
			if err != nil {
				return nil, cobra.ShellCompDirectiveDefault
			}
			var names []string
			for _, p := range list.Pages {
				names = append(names, p.Path)
			}
			return names, cobra.ShellCompDirectiveDefault
		})(cmd, args, typed)
	}
}

// differs reports whether a diff has found anything.
func differs(d versioning.Diff) bool {
	return d.NothingInCommon || slices.ContainsFunc(d.Pages, func(p versioning.DiffPage) bool { return p.Status != versions.Same })
}

// diffPrinter prints a diff for a person.
type diffPrinter struct {
	c     *invocation.Call
	d     versioning.Diff
	lines bool // of a page
}

func (p diffPrinter) printf(format string, args ...any) {
	fmt.Fprintf(p.c.IO.Out, format+"\n", console.CleanArgs(args)...)
}

// nothing says that there is nothing to list; false: there is.
func (p diffPrinter) nothing() bool {
	switch {
	case p.d.NothingInCommon:
		p.printf("%s (%s) and %s (%s) have no page in common.", p.d.Before.DocSet, wording.PagesOf(p.d.Before.Pages), p.d.After.DocSet,
			wording.PagesOf(p.d.After.Pages))
	case !differs(p.d) && p.lines:
		p.printf("%s is the same in %s and %s.", p.d.Pages[0].After.Path, p.d.Before.DocSet, p.d.After.DocSet)
	case !differs(p.d):
		p.printf("%s and %s are the same: %s.", p.d.Before.DocSet, p.d.After.DocSet, wording.PagesOf(p.d.After.Pages))
	default:
		return false
	}
	return true
}

// coloured is a line in the colour of a state where there are colours.
func (p diffPrinter) coloured(s versions.Status, line string) {
	line = console.OneLine(line)
	if colour := wording.DiffSigns[s][1]; p.c.Colour() && colour != "" {
		line = colour + line + "\x1b[0m"
	}
	fmt.Fprintln(p.c.IO.Out, line)
}

func (p diffPrinter) printText() {
	if p.nothing() {
		return
	}
	p.printf("%s → %s", p.d.Before.DocSet, p.d.After.DocSet)
	if !p.lines {
		p.printf("pages:    %s", wording.CountsOf(p.d.Counts.Pages))
		p.printf("sections: %s", wording.CountsOf(p.d.Counts.Sections))
		fmt.Fprintln(p.c.IO.Out)
	}
	for _, page := range p.d.Pages {
		p.coloured(page.Status, wording.DiffSigns[page.Status][0]+" "+wording.PageLine(page)+"  "+string(page.Status)+wording.Counted(page))
		if p.lines {
			for _, s := range page.Sections {
				p.section(page, s)
			}
		}
	}
}

// section prints a section with its lines.
func (p diffPrinter) section(page versioning.DiffPage, s versioning.DiffSection) {
	fmt.Fprintln(p.c.IO.Out)
	p.coloured(s.Status, wording.DiffSigns[s.Status][0]+" "+wording.SectionLine(page, s, ""))
	for _, ch := range s.Changes {
		if p.c.Colour() {
			fmt.Fprintf(p.c.IO.Out, "\x1b[2m%s\x1b[0m\n", wording.ChangeLines(ch))
		} else {
			fmt.Fprintln(p.c.IO.Out, wording.ChangeLines(ch))
		}
		for _, l := range ch.Removed {
			p.coloured(versions.Removed, "-"+l)
		}
		for _, l := range ch.Added {
			p.coloured(versions.Added, "+"+l)
		}
	}
}

func (p diffPrinter) markdown() {
	p.printf("# %s → %s", p.d.Before.DocSet, p.d.After.DocSet)
	fmt.Fprintln(p.c.IO.Out)
	if p.nothing() {
		return
	}
	if !p.lines {
		p.printf("- Pages: %s", wording.CountsOf(p.d.Counts.Pages))
		p.printf("- Sections: %s", wording.CountsOf(p.d.Counts.Sections))
		fmt.Fprintln(p.c.IO.Out)
	}
	for _, page := range p.d.Pages {
		if !p.lines {
			p.printf("- %s: %s%s", page.Status, inCode(wording.PageLine(page)), wording.Counted(page))
			continue
		}
		p.printf("## %s (%s)", wording.PageLine(page), page.Status)
		for _, s := range page.Sections {
			p.printf("\n### %s", wording.SectionLine(page, s, ""))
			for _, ch := range s.Changes {
				fence := fenceFor(ch)
				fmt.Fprintf(p.c.IO.Out, "\n%s\n\n%sdiff\n", wording.ChangeLines(ch), fence)
				for _, l := range ch.Removed {
					p.printf("-%s", l)
				}
				for _, l := range ch.Added {
					p.printf("+%s", l)
				}
				fmt.Fprintln(p.c.IO.Out, fence)
			}
		}
	}
}

// inCode is a text as Markdown's code.
func inCode(s string) string {
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// fenceFor is a fence that none of the lines ends.
func fenceFor(ch versioning.LineChange) string {
	fence := "```"
	for _, l := range append(slices.Clone(ch.Removed), ch.Added...) {
		for strings.Contains(l, fence) {
			fence += "`"
		}
	}
	return fence
}
