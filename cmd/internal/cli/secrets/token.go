// Package secrets has the server's password and the tokens of scripts: made, listed, ended.
//
// It refuses to take a password as an argument, which other users of the machine could see.
package secrets

import (
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
)

// tokens are the tokens of the home.
func tokens(c *invocation.Call) apitoken.Store { return apitoken.InHome(c.Options().HomeDir()) }

// TokenChecker gives the name of the token that a request has.
func TokenChecker(c *invocation.Call) func(secret string) (name string, ok bool) {
	return apitoken.NewChecker(tokens(c), time.Now).Name
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
		RunE:    func(*cobra.Command, []string) error { return listTokens(c) },
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
		RunE:              func(*cobra.Command, []string) error { return listTokens(c) },
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
		RunE: func(_ *cobra.Command, args []string) error {
			if err := c.Options().CheckHome(); err != nil {
				return err
			}
			now := time.Now()
			end, err := expiry(expires, now)
			if err != nil {
				return err
			}
			secret, token, err := tokens(c).Add(args[0], now, end)
			if err != nil {
				return tokenError(args[0], err)
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
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return tokenNames(c), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				err := tokens(c).Remove(name)
				if errors.Is(err, apitoken.ErrNotThere) {
					names := tokenNames(c)
					if near := spelling.Nearest(name, names); len(near) > 0 {
						return contract.Invalid("name", "there is no token %q; did you mean %s?", name, near[0])
					}
				}
				if err != nil {
					return tokenError(name, err)
				}
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

func tokenNames(c *invocation.Call) []string {
	all, err := tokens(c).List()
	if err != nil {
		return nil
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.Name
	}
	return slices.Clip(names)
}

func listTokens(c *invocation.Call) error {
	all, err := tokens(c).List()
	if err != nil {
		return tokenError("", err)
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
	case errors.Is(err, apitoken.ErrThere):
		return contract.Invalid("name", "there is a token %q already; take another name, or end that one with: docent serve token rm %s",
			name, name)
	case errors.Is(err, apitoken.ErrNotThere):
		return contract.Invalid("name", "there is no token %q; docent serve token lists those there are", name)
	case errors.Is(err, apitoken.ErrName):
		return contract.Invalid("name", "%q cannot be the name of a token: %v", name, err)
	}
	return &home.UnavailableError{What: "the tokens in the home cannot be read or written", Err: err}
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
