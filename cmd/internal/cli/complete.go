package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/service/locate"
)

// complete gives the names that a shell may complete an argument with: the names of
// an opened home that begin as typed, in any case. It makes no home where none is,
// and reports no error: after an error there is nothing to complete.
func (c *command) complete(names func(ctx context.Context, a *app.App, typed string) ([]string,
	cobra.ShellCompDirective)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		none := cobra.ShellCompDirectiveNoFileComp
		opt := c.options()
		opt.Say, opt.Progress, opt.Lenient = nil, nil, true
		if opt.CheckHome() != nil {
			return nil, none
		}
		ctx := contextOf(cmd)
		if !app.HasHome(ctx, opt) {
			return nil, none
		}
		a, err := app.Open(ctx, opt)
		if err != nil {
			return nil, none
		}
		defer a.Close()
		all, directive := names(ctx, a, typed)
		var fit []string
		for _, n := range all {
			n = oneLine(n)
			if len(n) >= len(typed) && strings.EqualFold(n[:len(typed)], typed) {
				fit = append(fit, n)
			}
		}
		return fit, none | directive
	}
}

// contextOf is a command's context, which a completion may lack.
func contextOf(cmd *cobra.Command) context.Context {
	if ctx := cmd.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}

// completeWords completes with these words, and no files.
func completeWords(all ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)
}

// folders completes with folders.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeFlag says how a flag's value is completed.
func completeFlag(cmd *cobra.Command, flag string, by cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err) // the command has the flag
	}
}

// completeHeadings completes with the headings of the page that the arguments name.
func (c *command) completeHeadings(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return c.complete(func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
		page, err := a.Pages.Contents(ctx, locate.ReadRequest{Page: strings.Join(args, " "), Sets: c.sets})
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

// completeSets completes with the doc sets' names.
func (c *command) completeSets() cobra.CompletionFunc {
	return c.complete(func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
		return setNames(ctx, a, ""), cobra.ShellCompDirectiveDefault
	})
}

func setNames(ctx context.Context, a *app.App, ending string) []string {
	sets, err := a.Home.Corpus.Sets(ctx)
	if err != nil {
		return nil
	}
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Ref.String() + ending
	}
	return names
}

// completePages completes with SET/, and then with the pages of that set by
// their paths.
func (c *command) completePages() cobra.CompletionFunc {
	return c.complete(func(ctx context.Context, a *app.App, typed string) ([]string, cobra.ShellCompDirective) {
		head, _, ok := strings.Cut(typed, "/")
		if !ok {
			return setNames(ctx, a, "/"), cobra.ShellCompDirectiveNoSpace
		}
		sets, err := a.Home.Corpus.Resolve(ctx, []string{head})
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		docs, err := a.Home.Corpus.Catalog.Documents(ctx, sets[0].ID)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var names []string
		for _, d := range docs {
			names = append(names, head+"/"+d.Path) // as typed: Lantern, Lantern:2.1
		}
		return names, cobra.ShellCompDirectiveDefault
	})
}

// completeHelp completes with commands and pages of the manual.
func (c *command) completeHelp(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, sub := range cmd.Root().Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
			}
		}
		for _, p := range c.manualPages() {
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
