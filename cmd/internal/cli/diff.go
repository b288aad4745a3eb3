package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/service/versioning"
)

func (c *command) diffCmd() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "diff NAME@V1 NAME@V2 [PAGE]",
		Short: "what differs between two versions of a doc set",
		Long: `Lists the pages that were added, removed, renamed or changed from one version of
a doc set to another; with PAGE its sections and their lines. Exits with 1 when
nothing differs.`,
		Example:           `  docent diff Kubernetes@1.30 Kubernetes@1.31 pods.md`,
		ValidArgsFunction: c.completeDiff(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if markdown && c.json {
				return contract.Invalid("markdown", "--markdown and --json exclude each other; give one of them")
			}
			all := append(slices.Clone(c.sets), args...)
			if len(all) < 2 || len(c.sets) > 2 {
				return usageError("diff takes two doc sets, and a page; docent diff --help has an example")
			}
			req := versioning.DiffRequest{Before: all[0], After: all[1], Page: strings.Join(all[2:], " ")}
			return c.withHome(cmd.Context(), func(a *app.App) error { return c.printDiff(cmd.Context(), a, req, markdown) })
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	return cmd
}

// completeDiff completes with doc sets, and then with the pages of the second one.
func (c *command) completeDiff() cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		all := append(slices.Clone(c.sets), args...)
		if len(all) < 2 {
			return c.completeSets()(cmd, args, typed)
		}
		return c.complete(func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
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

func (c *command) printDiff(ctx context.Context, a *app.App, req versioning.DiffRequest, markdown bool) error {
	d, err := a.Versioning.CompareSets(ctx, req)
	if err != nil {
		return err
	}
	p := diffPrinter{c: c, d: d, lines: req.Page != ""}
	switch {
	case c.json:
		err = c.printJSON(d)
	case markdown:
		p.markdown()
	default:
		p.printText()
	}
	if err != nil {
		return err
	}
	for _, u := range d.Unread {
		c.note("%s/%s is not compared: %s", u.DocSet, u.Path, u.Reason)
	}
	if !differs(d) {
		return exitCode(codeNothing)
	}
	return nil
}

// differs reports whether a diff has found anything.
func differs(d versioning.Diff) bool {
	return d.NothingInCommon || slices.ContainsFunc(d.Pages, func(p versioning.DiffPage) bool { return p.Status != versions.Same })
}

// diffPrinter prints a diff for a person.
type diffPrinter struct {
	c     *command
	d     versioning.Diff
	lines bool // of a page
}

func (p diffPrinter) printf(format string, args ...any) {
	fmt.Fprintf(p.c.io.Out, format+"\n", cleanArgs(args)...)
}

// nothing says that there is nothing to list; false: there is.
func (p diffPrinter) nothing() bool {
	switch {
	case p.d.NothingInCommon:
		p.printf("%s (%s) and %s (%s) have no page in common.", p.d.Before.DocSet, pagesOf(p.d.Before.Pages), p.d.After.DocSet,
			pagesOf(p.d.After.Pages))
	case !differs(p.d) && p.lines:
		p.printf("%s is the same in %s and %s.", p.d.Pages[0].After.Path, p.d.Before.DocSet, p.d.After.DocSet)
	case !differs(p.d):
		p.printf("%s and %s are the same: %s.", p.d.Before.DocSet, p.d.After.DocSet, pagesOf(p.d.After.Pages))
	default:
		return false
	}
	return true
}

func pagesOf(n int) string { return plural(n, "page", "pages") }

// countsOf are counts in words: "2 added, 1 removed".
func countsOf(c versions.Counts) string {
	var out []string
	for _, x := range []struct {
		n    int
		word string
	}{{c.Added, "added"}, {c.Removed, "removed"}, {c.Renamed, "renamed"}, {c.Changed, "changed"}, {c.Moved, "moved"},
		{c.Unchanged, "the same"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.word))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// The signs of what became of pages and sections, and their colours on a terminal.
var diffSigns = map[versions.Status][2]string{
	versions.Added: {"+", "\x1b[32m"}, versions.Removed: {"-", "\x1b[31m"}, versions.Renamed: {">", "\x1b[36m"},
	versions.Changed: {"~", "\x1b[33m"}, versions.Moved: {">", "\x1b[36m"}, versions.Same: {"=", ""},
}

// coloured is a line in the colour of a state where there are colours.
func (p diffPrinter) coloured(s versions.Status, line string) {
	line = oneLine(line)
	if colour := diffSigns[s][1]; p.c.colour() && colour != "" {
		line = colour + line + "\x1b[0m"
	}
	fmt.Fprintln(p.c.io.Out, line)
}

func (p diffPrinter) printText() {
	if p.nothing() {
		return
	}
	p.printf("%s → %s", p.d.Before.DocSet, p.d.After.DocSet)
	if !p.lines {
		p.printf("pages:    %s", countsOf(p.d.Counts.Pages))
		p.printf("sections: %s", countsOf(p.d.Counts.Sections))
		fmt.Fprintln(p.c.io.Out)
	}
	for _, page := range p.d.Pages {
		p.coloured(page.Status, diffSigns[page.Status][0]+" "+pageLine(page)+"  "+string(page.Status)+counted(page))
		if p.lines {
			for _, s := range page.Sections {
				p.section(page, s)
			}
		}
	}
}

// pageLine names a page of a diff: of a renamed one both names.
func pageLine(page versioning.DiffPage) string {
	switch {
	case page.After == nil:
		return page.Before.Path
	case page.Before != nil && page.Before.Path != page.After.Path:
		return page.Before.Path + " → " + page.After.Path
	}
	return page.After.Path
}

// counted are the sections of a page in words.
func counted(page versioning.DiffPage) string {
	n := page.Counts
	n.Unchanged = 0
	if n == (versions.Counts{}) {
		return ""
	}
	return "  (sections: " + countsOf(n) + ")"
}

// section prints a section with its lines.
func (p diffPrinter) section(page versioning.DiffPage, s versioning.DiffSection) {
	fmt.Fprintln(p.c.io.Out)
	p.coloured(s.Status, diffSigns[s.Status][0]+" "+sectionLine(page, s, ""))
	for _, ch := range s.Changes {
		if p.c.colour() {
			fmt.Fprintf(p.c.io.Out, "\x1b[2m%s\x1b[0m\n", changeLines(ch))
		} else {
			fmt.Fprintln(p.c.io.Out, changeLines(ch))
		}
		for _, l := range ch.Removed {
			p.coloured(versions.Removed, "-"+l)
		}
		for _, l := range ch.Added {
			p.coloured(versions.Added, "+"+l)
		}
	}
}

// sectionLine says which section it is and what became of it, without what all sections
// of the page begin with.
func sectionLine(page versioning.DiffPage, s versioning.DiffSection, shared string) string {
	full := func(at *versioning.SectionPlace) string { return cmp.Or(at.Section, "(before the first heading)") }
	name := func(at *versioning.SectionPlace) string { return strings.TrimPrefix(full(at), shared) }
	what := string(s.Status)
	if s.Edited {
		what += " and changed"
	}
	switch {
	case s.After == nil:
		return name(s.Before) + "  " + what
	case s.Before == nil:
		return name(s.After) + "  " + what
	case s.Before.Path != s.After.Path && page.After != nil && s.After.Path == page.After.Path:
		return name(s.After) + "  " + what + ", from " + s.Before.Path + ": " + full(s.Before)
	case s.Before.Path != s.After.Path && (page.Before == nil || page.After == nil || s.Before.Path != page.Before.Path ||
		s.After.Path != page.After.Path):
		return name(s.Before) + "  " + what + ", to " + s.After.Path + ": " + full(s.After)
	case name(s.Before) != name(s.After):
		return name(s.After) + "  " + what + ", was " + name(s.Before)
	}
	return name(s.After) + "  " + what
}

// changeLines are the lines of a change in both versions, as diff -u has them.
func changeLines(ch versioning.LineChange) string {
	side := func(sign string, lines *[2]int) string {
		switch {
		case lines == nil:
			return ""
		case lines[0] == lines[1]:
			return fmt.Sprintf(" %s%d", sign, lines[0])
		}
		return fmt.Sprintf(" %s%d–%d", sign, lines[0], lines[1])
	}
	return "@@" + side("-", ch.BeforeLines) + side("+", ch.AfterLines) + " @@"
}

func (p diffPrinter) markdown() {
	p.printf("# %s → %s", p.d.Before.DocSet, p.d.After.DocSet)
	fmt.Fprintln(p.c.io.Out)
	if p.nothing() {
		return
	}
	if !p.lines {
		p.printf("- Pages: %s", countsOf(p.d.Counts.Pages))
		p.printf("- Sections: %s", countsOf(p.d.Counts.Sections))
		fmt.Fprintln(p.c.io.Out)
	}
	for _, page := range p.d.Pages {
		if !p.lines {
			p.printf("- %s: %s%s", page.Status, inCode(pageLine(page)), counted(page))
			continue
		}
		p.printf("## %s (%s)", pageLine(page), page.Status)
		for _, s := range page.Sections {
			p.printf("\n### %s", sectionLine(page, s, ""))
			for _, ch := range s.Changes {
				fence := fenceFor(ch)
				fmt.Fprintf(p.c.io.Out, "\n%s\n\n%sdiff\n", changeLines(ch), fence)
				for _, l := range ch.Removed {
					p.printf("-%s", l)
				}
				for _, l := range ch.Added {
					p.printf("+%s", l)
				}
				fmt.Fprintln(p.c.io.Out, fence)
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
