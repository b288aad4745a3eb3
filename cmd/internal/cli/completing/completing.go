// Package completing gives the words that a shell may complete an argument with.
//
// It makes no home where none is, and reports no error: after an error there is nothing to
// complete.
package completing

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
)

// FromHome gives the names that a shell may complete an argument with: the names of
// an opened home that begin as typed, in any case. It makes no home where none is,
// and reports no error: after an error there is nothing to complete.
func FromHome(c *invocation.Call, names func(ctx context.Context, a *app.App, typed string) ([]string,
	cobra.ShellCompDirective)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		none := cobra.ShellCompDirectiveNoFileComp
		opt := c.Options()
		opt.Say, opt.Progress, opt.Lenient = nil, nil, true
		if opt.CheckHome() != nil {
			return nil, none
		}
		ctx := ContextOf(cmd)
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
			n = console.OneLine(n)
			if len(n) >= len(typed) && strings.EqualFold(n[:len(typed)], typed) {
				fit = append(fit, n)
			}
		}
		return fit, none | directive
	}
}

// ContextOf is a command's context, which a completion may lack.
func ContextOf(cmd *cobra.Command) context.Context {
	if ctx := cmd.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}

// Words completes with these words, and no files.
func Words(all ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)
}

// Files completes with files.
func Files(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// Folders completes with folders.
func Folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// Flag says how a flag's value is completed.
func Flag(cmd *cobra.Command, flag string, by cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err) // the command has the flag
	}
}

// Sets completes with the doc sets' names.
func Sets(c *invocation.Call) cobra.CompletionFunc {
	return FromHome(c, func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
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

// Pages completes with SET/, and then with the pages of that set by
// their paths.
func Pages(c *invocation.Call) cobra.CompletionFunc {
	return FromHome(c, func(ctx context.Context, a *app.App, typed string) ([]string, cobra.ShellCompDirective) {
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

// SetsOrPage completes with pages behind the name of a doc set, else with doc sets.
func SetsOrPage(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "/") {
			return Pages(c)(cmd, args, typed)
		}
		return Sets(c)(cmd, args, typed)
	}
}

// IsDocSet reports whether a name is that of a doc set, with its version or without, in any case.
func IsDocSet(cmd *cobra.Command, c *invocation.Call, name string) bool {
	names, _ := Sets(c)(cmd, nil, name)
	for _, n := range names {
		if bare, _, _ := strings.Cut(n, "@"); strings.EqualFold(n, name) || strings.EqualFold(bare, name) {
			return true
		}
	}
	return false
}
