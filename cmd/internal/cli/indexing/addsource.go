package indexing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/undertaking"
	"docent/pipeline/contract"
	"docent/pipeline/service/sourcing"
)

// areSources reports whether arguments are sources to fetch. A name of a folder or a file on
// the disk means that, also where it could be a recipe.
func areSources(args []string) (all, none bool) {
	is := sourcing.IsSource
	return !slices.ContainsFunc(args, func(a string) bool { return !is(a) }), !slices.ContainsFunc(args, is)
}

// addSources fetches sources and adds them.
func addSources(ctx context.Context, c *invocation.Call, args []string, req sourcing.AddRequest, watch bool) error {
	args = sourcing.Expand(args)
	if len(args) > 1 && (req.Name != "" || req.Version != "" || req.URLBase != "" || req.Ref != "" || req.Path != "") {
		return failure.UsageError("--name, --version, --url-base, --ref and --path are for one source; add them one by one")
	}
	if watch {
		return contract.Invalid("watch", "--watch follows folders; sources are asked again by docent update")
	}
	c.Work = &undertaking.Work{Kind: undertaking.Adding, Undone: slices.Clone(args)}
	return c.WithHome(ctx, func(a *app.App) error {
		c.Work.NoteSources(ctx, a, args)
		var all []sourcing.Added
		for _, arg := range args {
			req := req
			req.Source = arg
			out, err := a.Sourcing.Add(ctx, req, upkeep(c))
			if err != nil {
				return err
			}
			c.Work.NoteFetched(arg)
			all = append(all, out)
			tellSource(c, arg, out)
		}
		if !c.JSON {
			return nil
		}
		if len(all) == 1 {
			return c.PrintJSON(all[0])
		}
		return c.PrintJSON(map[string]any{"added": all})
	})
}

// tellSource says where documents came from, and what else could have been meant.
func tellSource(c *invocation.Call, arg string, out sourcing.Added) {
	o := out.Source
	if o == nil {
		return
	}
	text := "from " + o.Source
	if folder := out.Folder(); folder != "" {
		text += ", folder " + folder
	}
	if o.Ref != "" {
		text += ", " + o.Ref
	}
	if o.Commit != "" {
		text += " at " + o.Commit[:min(12, len(o.Commit))]
	}
	if o.From != nil {
		text += ", packed from " + o.From.Source
	}
	if o.Licence != "" {
		text += "; licence: " + o.Licence
	}
	c.Note("%s", console.OneLine(text))
	if len(out.Others) > 0 {
		c.Note("%s", console.OneLine(fmt.Sprintf("it also has %s; --path chooses another", strings.Join(out.Others, ", "))))
	}
	if len(out.Better) > 0 {
		better := strings.Join(out.Better, ", or docent add ")
		c.Note("%s", console.OneLine(fmt.Sprintf("%s names its documentation: docent add %s", arg, better)))
	}
}
