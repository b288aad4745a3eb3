package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/home"
	"docent/store/doc"
)

func (c *command) addCmd() *cobra.Command {
	var name, version, domain, base string
	var watch bool
	cmd := &cobra.Command{
		Use:   "add PATH...",
		Short: "register and index doc sets",
		Long: `Registers and indexes doc sets. PATH is a NAME@VERSION folder, a folder of
those, or any folder of documentation.`,
		Example: `  docent add ~/docs/kubernetes --name Kubernetes --version 1.31`,
		Args:    minArgs(1, "at least one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, f := range []string{"name", "version", "domain", "url-base"} {
				if cmd.Flags().Changed(f) && strings.TrimSpace(cmd.Flags().Lookup(f).Value.String()) == "" {
					return contract.Invalid(f, "--%s is empty; give a %s, or leave the flag out", f, f)
				}
			}
			return c.add(cmd.Context(), home.AddRequest{Paths: args, Name: name, Version: version, Domain: domain, URLBase: base}, watch)
		},
	}
	cmd.ValidArgsFunction = folders
	fl := cmd.Flags()
	fl.StringVar(&name, "name", "", "name (default: the folder's)")
	fl.StringVar(&version, "version", "", "version (default: the folder's, or latest)")
	fl.StringVar(&domain, "domain", "", "domain: "+strings.Join(contract.Domains(), ", ")+" (default tech_docs)")
	fl.StringVar(&base, "url-base", "", "web address below which the pages lie, for citations (default: the site's configuration)")
	fl.BoolVar(&watch, "watch", false, "then update as files change, until interrupted")
	completeFlag(cmd, "domain", words(contract.Domains()...))
	return cmd
}

func (c *command) add(ctx context.Context, req home.AddRequest, watch bool) error {
	c.work = &undertaking{kind: adding, undone: req.Paths} // until it is known what they are
	parsers, err := app.Parsers()
	if err != nil {
		return err
	}
	plan, err := home.Discover(ctx, req, parsers, c.upkeep())
	switch e, ok := errors.AsType[*contract.Error](err); {
	case errors.Is(err, home.ErrSeveral):
		return contract.Invalid("name", "--name, --version and --url-base are for one doc set, and %s has %d", strings.Join(req.Paths, " "), len(plan.Sets))
	case ok && e.Details["field"] == "url_base":
		return contract.Invalid("url_base", "--url-base: %v", e)
	case ok && (e.Details["field"] == "name" || e.Details["field"] == "version"):
		return contract.Invalid(fmt.Sprint(e.Details["field"]), "--%s: %v", e.Details["field"], e)
	case err != nil:
		return err
	}
	c.proposeNames(plan)
	c.work.undone = plan.Names() // until the home is opened
	return c.with(ctx, func(a *app.App) error {
		c.work.begin(ctx, a, plan.Names())
		out, err := a.Add(ctx, plan, c.upkeep())
		if err := c.updated(out, err); err != nil || !watch {
			return err
		}
		c.work = nil // it is done
		return c.follow(ctx, a, plan.Names(), false)
	})
}

// proposeNames says how a folder whose name ends with a version would be added as that
// version. The name that it gets does not change by itself: scripts know it.
func (c *command) proposeNames(plan home.Plan) {
	for _, s := range plan.Sets {
		if likely, ok := doc.SplitVersion(s.Ref.Name); ok && slices.Contains(plan.Names(), s.Ref.String()) && s.Ref.Version == doc.DefaultVersion {
			c.note("%s looks like version %s of %s; to add it as that: --name %q --version %s", s.Ref.Name, likely.Version, likely.Name, likely.Name, likely.Version)
		}
	}
}
