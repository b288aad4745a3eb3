package indexing

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/undertaking"
	"docent/cmd/internal/cli/uploading"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/sourcing"
)

func addCmd(c *invocation.Call) *cobra.Command {
	var name, version, domain, base, ref, path string
	var force bool
	var signers []string
	var files uploading.FileFlags
	var watch, decisions bool
	cmd := &cobra.Command{
		Use:   "add SOURCE...",
		Short: "fetch, register and index doc sets, or single files",
		Long: `Registers and indexes doc sets. SOURCE is a folder of documentation (also
NAME@VERSION, or a folder of those), or is fetched into the home: a name that
docent sources lists, github.com/ORG/REPO, https://….git, git@…, file://…, a web
site, a package (npm:, go:, pypi:, cargo:, gem:, composer:, maven:, deb:,
man:PATTERN, info:), each with @VERSION, or a FILE.docent of docent pack. Single
files (PDF, Markdown, plain text, JSON) are copied into Uploads.
Without SOURCE, in a project's folder, it does what docent sync does.`,
		Example: `  docent add ~/docs/kubernetes --name Kubernetes --version 1.31
  docent add github.com/pallets/flask@3`,
		Args: arguments.MinArgs(1, "at least one source"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, f := range []string{"name", "version", "domain", "url-base", "ref", "path"} {
				if cmd.Flags().Changed(f) && strings.TrimSpace(cmd.Flags().Lookup(f).Value.String()) == "" {
					return contract.Invalid(f, "--%s is empty; give a %s, or leave the flag out", f, f)
				}
			}
			fetched, some := areSources(args)
			if all, none := uploading.AreFiles(args); all && !fetched {
				return addOnlyFiles(c, cmd, args, files)
			} else if !none && !fetched {
				return failure.UsageError("%s are files and folders; add them in two commands", strings.Join(args, " "))
			}
			for _, f := range [][2]string{{"ocr", "pdf.ocr_mode"}, {"ocr-languages", "pdf.ocr_languages"}} {
				if cmd.Flags().Changed(f[0]) {
					return contract.Invalid(f[0], "--%s is for single files; %s of the configuration is for folders", f[0], f[1])
				}
			}
			c.Decisions = decisions
			if fetched {
				return addSources(cmd.Context(), c, args, sourcing.AddRequest{Ref: ref, Path: path, Name: name, Version: version,
					Domain: domain, URLBase: base, Force: force, Signers: signers}, watch)
			} else if !some {
				return failure.UsageError("%s are folders and sources to fetch; add them in two commands", strings.Join(args, " "))
			}
			for _, f := range []string{"ref", "path", "force", "require-signature"} {
				if cmd.Flags().Changed(f) {
					return contract.Invalid(f, "--%s is for sources that are fetched, and %s is here", f, strings.Join(args, " "))
				}
			}
			return addFolders(cmd.Context(), c, library.AddRequest{Paths: args, Name: name, Version: version, Domain: domain,
				URLBase: base}, watch)
		},
	}
	cmd.ValidArgsFunction = nil // folders and files
	fl := cmd.Flags()
	fl.StringVar(&name, "name", "", "name (default: the folder's)")
	fl.StringVar(&version, "version", "", "version (default: the folder's, or latest)")
	fl.StringVar(&domain, "domain", "", "domain: "+strings.Join(contract.Domains(), ", ")+
		" (default: the doc set's docent.toml, or tech_docs)")
	fl.StringVar(&base, "url-base", "", "web address below which the pages lie, for citations (default: the site's configuration)")
	fl.StringVar(&ref, "ref", "", "of a repository: branch, tag or commit")
	fl.StringVar(&path, "path", "", "of a repository: folder with the documentation (default: it is found)")
	fl.BoolVar(&force, "force", false, "take what a source has now although it is far less than before")
	fl.StringSliceVar(&signers, "require-signature", nil, "of a package: `KEY` of minisign, or its file, by which it must be signed")
	fl.BoolVar(&decisions, "show-domain-decisions", false, aboutDecisions)
	files.AddTo(cmd)
	fl.BoolVar(&watch, "watch", false, "then update as files change, until interrupted")
	completing.Flag(cmd, "domain", completing.Words(contract.Domains()...))
	return cmd
}

// addOnlyFiles hands single files in.
func addOnlyFiles(c *invocation.Call, cmd *cobra.Command, paths []string, files uploading.FileFlags) error {
	for _, f := range []string{"name", "version", "domain", "url-base", "watch", "show-domain-decisions", "ref", "path", "force",
		"require-signature"} {
		if cmd.Flags().Changed(f) {
			return contract.Invalid(f, "--%s is for folders; single files become pages of the doc set %s", f, home.UploadsRef())
		}
	}
	return uploading.AddFiles(cmd.Context(), c, paths, files, allows(c))
}

func addFolders(ctx context.Context, c *invocation.Call, req library.AddRequest, watch bool) error {
	c.Work = &undertaking.Work{Kind: undertaking.Adding, Undone: req.Paths} // until it is known what they are
	parsers, err := app.Parsers()
	if err != nil {
		return err
	}
	cfg, _, err := app.LoadConfig(c.Options()) // opening the home tells of faults
	if err != nil {
		return err
	}
	req.Domains = cfg.Domains()
	plan, err := library.Discover(ctx, req, parsers, upkeep(c))
	switch e, ok := errors.AsType[*contract.Error](err); {
	case errors.Is(err, library.ErrSeveral):
		return contract.Invalid("name", "--name, --version and --url-base are for one doc set, and %s has %d",
			strings.Join(req.Paths, " "), len(plan.Sets))
	case ok && e.Details["field"] == "url_base":
		return contract.Invalid("url_base", "--url-base: %v", e)
	case ok && (e.Details["field"] == "name" || e.Details["field"] == "version"):
		return contract.Invalid(fmt.Sprint(e.Details["field"]), "--%s: %v", e.Details["field"], e)
	case err != nil:
		return err
	}
	c.Work.Undone = plan.SetNames() // until the home is opened
	return c.WithHome(ctx, func(a *app.App) error {
		plan, err := proposeNames(ctx, c, a, plan, req.Name != "" || req.Version != "")
		if err != nil {
			return err
		}
		c.Work.NoteState(ctx, a, plan.SetNames())
		out, err := a.Library.Add(ctx, plan, upkeep(c))
		if err := updated(c, out, err); err != nil || !watch {
			return err
		}
		c.Work = nil // it is done
		return followSets(ctx, c, a, plan.SetNames(), false)
	})
}

// proposeNames adds folders whose names end with a version as that version. Of one folder it
// asks on a terminal; else it says so. A folder that is a doc set already keeps its name, and so
// does one that was named, and one of several whose other name is taken.
func proposeNames(ctx context.Context, c *invocation.Call, a *app.App, plan library.Plan, named bool) (library.Plan, error) {
	if named {
		return plan, nil
	}
	known, err := a.Home.Corpus.Sets(ctx)
	if err != nil {
		return plan, err
	}
	for i, s := range plan.Sets {
		likely, ok := s.VersionInName()
		if !ok || !slices.Contains(plan.SetNames(), s.Ref.String()) ||
			slices.Contains(undertaking.FoldersOf(known), s.Root) {
			continue
		}
		looks := fmt.Sprintf("%s looks like version %s of %s", s.Ref.Name, likely.Version, likely.Name)
		if len(plan.Sets) > 1 {
			taken := plan.SetNames()
			for _, k := range known {
				taken = append(taken, k.Ref.String())
			}
			if !slices.Contains(taken, likely.String()) {
				c.Note("%s, and is added as that; to keep the name, add it by itself: --name %q --version %s", looks, s.Ref.Name,
					s.Ref.Version)
				plan = plan.RenamedSet(i, likely)
			}
			continue
		}
		if c.Quiet || !c.IO.InTTY || !c.IO.OutTTY || !c.IO.ErrTTY {
			c.Note("%s, and is added as that; to keep the name: --name %q --version %s", looks, s.Ref.Name, s.Ref.Version)
			return plan.Renamed(likely), nil
		}
		yes, err := agrees(ctx, c, fmt.Sprintf("%s. Add it as %s?", looks, likely))
		if err != nil || !yes {
			return plan, err
		}
		return plan.Renamed(likely), nil
	}
	return plan, nil
}

// agrees asks a person on the terminal; enter alone is a yes, the end of the input a no.
func agrees(ctx context.Context, c *invocation.Call, question string) (bool, error) {
	in := bufio.NewReader(io.LimitReader(c.StandardInput(ctx), 1024))
	for {
		fmt.Fprintf(c.IO.Err, "%s [Y/n] ", question)
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(c.IO.Err)
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "", "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
	}
}
