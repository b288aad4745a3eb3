// Package secrets has the server's password and the tokens of scripts: made, listed, ended.
//
// It refuses to take a password as an argument, which other users of the machine could see.
package secrets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/apitoken"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/text/plural"
	"docent/pipeline/text/spelling"
	"docent/store/logins"
)

// withTokens runs do with the tokens of the home.
func withTokens(c *invocation.Call, do func(apitoken.Store) error) (err error) {
	shared, closeShared, err := openShared(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeShared()) }()
	return do(apitoken.InHome(c.Options().HomeDir(), shared))
}

// TokenChecker gives the name of the token that a request has. Where servers share the tokens, those of
// the folder, of a time when they lay there, are taken over first.
func TokenChecker(ctx context.Context, c *invocation.Call, shared logins.Secrets) (func(ctx context.Context, secret string) (name string,
	ok bool, err error), error) {
	tokens := apitoken.InHome(c.Options().HomeDir(), shared)
	if err := tokens.Adopt(ctx); err != nil {
		return nil, tokenError("", err)
	}
	return apitoken.NewChecker(tokens, time.Now).Name, nil
}

// TokenCommand lists, makes and ends the tokens of scripts.
func TokenCommand(c *invocation.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token [add|rm NAME]",
		Short: "the tokens with which scripts use the server",
		Long: `Lists the tokens with which scripts use a server that has a password. add makes one
and prints it, once; rm ends one, also for a server that runs.`,
		Example: `  docent serve token`,
		Args:    arguments.ExactArgs(0, "no arguments but add, list and rm"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return listTokens(cmd.Context(), c) },
	}
	cmd.AddCommand(tokenAddCmd(c), tokenListCmd(c), tokenRmCmd(c))
	return cmd
}

func tokenListCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use: "list", Aliases: []string{"ls"},
		Short:             "list the tokens",
		Long:              `Lists the tokens by name, with their ends. The tokens themselves are kept nowhere.`,
		Example:           `  docent serve token list`,
		Args:              arguments.ExactArgs(0, "no arguments"),
		ValidArgsFunction: completing.Words(),
		RunE:              func(cmd *cobra.Command, _ []string) error { return listTokens(cmd.Context(), c) },
	}
}

func tokenAddCmd(c *invocation.Call) *cobra.Command {
	var expires string
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "make a token, and print it once",
		Long: `Makes a token for a script and prints it. It is shown this once: what is kept is its
hash. The script sends it in the header Authorization: Bearer TOKEN.`,
		Example:           `  docent serve token add nightly --expires 90d`,
		Args:              arguments.ExactArgs(1, "a name for the token"),
		ValidArgsFunction: completing.Words(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Options().CheckHome(); err != nil {
				return err
			}
			now := time.Now()
			end, err := expiry(expires, now)
			if err != nil {
				return err
			}
			var secret string
			var token apitoken.Token
			err = withTokens(c, func(tokens apitoken.Store) (err error) {
				secret, token, err = tokens.Add(cmd.Context(), args[0], now, end)
				return tokenError(args[0], err)
			})
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(struct {
					apitoken.Token
					Secret string `json:"token"`
				}{token, secret})
			}
			c.Note("keep it now: it is shown this once (docent serve token rm %s ends it)", token.Name)
			_, err = fmt.Fprintln(c.IO.Out, secret)
			return err
		},
	}
	cmd.Flags().StringVar(&expires, "expires", "", "it ends after this `TIME`, such as 12h, 90d or 4w (default: never)")
	return cmd
}

func tokenRmCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use:     "rm NAME...",
		Short:   "end tokens",
		Long:    `Ends tokens by their names, also for a server that runs.`,
		Example: `  docent serve token rm nightly`,
		Args:    arguments.MinArgs(1, "the name of a token"),
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			_ = withTokens(c, func(tokens apitoken.Store) error {
				names = tokenNames(cmd.Context(), tokens)
				return nil
			})
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			err := withTokens(c, func(tokens apitoken.Store) error { return endTokens(cmd.Context(), tokens, args) })
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(map[string]any{"removed": args})
			}
			if !c.Quiet {
				fmt.Fprintf(c.IO.Out, "ended %s\n", plural.Count(len(args), "token", "tokens"))
			}
			return nil
		},
	}
}

func endTokens(ctx context.Context, tokens apitoken.Store, names []string) error {
	for _, name := range names {
		err := tokens.Remove(ctx, name)
		if errors.Is(err, apitoken.ErrNotThere) {
			if near := spelling.Nearest(name, tokenNames(ctx, tokens)); len(near) > 0 {
				return contract.Invalid("name", "there is no token %q; did you mean %s?", name, near[0])
			}
		}
		if err != nil {
			return tokenError(name, err)
		}
	}
	return nil
}

func tokenNames(ctx context.Context, tokens apitoken.Store) []string {
	all, err := tokens.List(ctx)
	if err != nil {
		return nil
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.Name
	}
	return slices.Clip(names)
}

func listTokens(ctx context.Context, c *invocation.Call) error {
	var all []apitoken.Token
	err := withTokens(c, func(tokens apitoken.Store) (err error) {
		all, err = tokens.List(ctx)
		return tokenError("", err)
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(struct {
			Tokens []apitoken.Token `json:"tokens"`
		}{all})
	}
	if len(all) == 0 {
		c.Note("there are no tokens; docent serve token add NAME makes one")
		return nil
	}
	tw := tabwriter.NewWriter(c.IO.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "NAME\tMADE\tENDS")
	for _, t := range all {
		made, ends := t.Created.Local().Format(time.DateTime), "never"
		switch {
		case t.Damaged:
			made, ends = "-", "its file is damaged; remove it"
		case t.Expired(time.Now()):
			ends = "ended " + t.Expires.Local().Format(time.DateTime)
		case t.Expires != nil:
			ends = t.Expires.Local().Format(time.DateTime)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", t.Name, made, ends)
	}
	return tw.Flush()
}

// tokenError is the message of an error for people.
func tokenError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, apitoken.ErrThere):
		return contract.Invalid("name", "there is a token %q already; take another name, or end that one with: docent serve token rm %s",
			name, name)
	case errors.Is(err, apitoken.ErrNotThere):
		return contract.Invalid("name", "there is no token %q; docent serve token lists those there are", name)
	case errors.Is(err, apitoken.ErrName):
		return contract.Invalid("name", "%q cannot be the name of a token: %v", name, err)
	}
	return &home.UnavailableError{What: "the tokens of the home cannot be read or written", Err: err}
}

// mostExpiry is the longest time after which a token ends.
const mostExpiry = 10 * 365 * 24 * time.Hour

// expiry reads a time from now on, such as 12h, 90d or 4w; "" is the zero time.
func expiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	units := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	unit := units[text[len(text)-1]]
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || unit == 0 || n < 1 || n > int(mostExpiry/unit) {
		return time.Time{}, contract.Invalid("expires",
			"--expires is %q, it must be a number and a unit such as 30m, 12h, 90d or 4w, and ten years at most", text)
	}
	return now.Add(time.Duration(n) * unit), nil
}
