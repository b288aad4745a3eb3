package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/store/catalog"
	"docent/store/doc"
)

func (c *command) addCmd() *cobra.Command {
	var name, version, domain string
	cmd := &cobra.Command{
		Use:   "add PATH...",
		Short: "register and index doc sets",
		Long: `Registers and indexes doc sets. PATH is a NAME@VERSION folder, a folder of
those, or any folder of Markdown pages.`,
		Example: `  docent add ~/docs/kubernetes --name Kubernetes --version 1.31`,
		Args:    minArgs(1, "at least one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, f := range []string{"name", "version", "domain"} {
				if cmd.Flags().Changed(f) && strings.TrimSpace(cmd.Flags().Lookup(f).Value.String()) == "" {
					return contract.Invalid(f, "--%s is empty; give a %s, or leave the flag out", f, f)
				}
			}
			return c.add(cmd.Context(), args, name, version, domain)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&name, "name", "", "name (default: the folder's)")
	fl.StringVar(&version, "version", "", "version (default: the folder's, or latest)")
	fl.StringVar(&domain, "domain", "", "domain: "+strings.Join(config.Domains(), ", ")+" (default tech_docs)")
	return cmd
}

func (c *command) add(ctx context.Context, paths []string, name, version, domain string) error {
	if domain != "" && !slices.Contains(config.Domains(), domain) {
		return contract.Invalid("domain", "the domain %q is none of %s", domain, strings.Join(config.Domains(), ", "))
	}
	for _, f := range [][2]string{{"name", name}, {"version", version}} {
		if f[1] != "" {
			if err := doc.CheckName(f[1]); err != nil {
				return contract.Invalid(f[0], "--%s: %v", f[0], err)
			}
		}
	}
	found, err := c.discover(ctx, paths)
	if err != nil {
		return err
	}
	if (name != "" || version != "") && len(found) > 1 {
		return contract.Invalid("name", "--name and --version are for one doc set, and %s has %d", strings.Join(paths, " "), len(found))
	}
	return c.with(ctx, func(a *app.App) error {
		var sets []catalog.Set
		for _, f := range found {
			s := catalog.Set{Ref: f.Ref, Root: f.Root, Layout: f.Layout, Domain: a.Config.Domain}
			if name != "" {
				s.Ref.Name = name
			}
			if version != "" {
				s.Ref.Version = version
			}
			if domain != "" {
				s.Domain = domain
			}
			sets = append(sets, s)
		}
		var known []catalog.Set
		isNew := func(s catalog.Set) bool {
			return !slices.ContainsFunc(known, func(k catalog.Set) bool { return k.ID == s.ID })
		}
		return c.index(ctx, a, "add", false, isNew, func(w *app.Writer) (_ []catalog.Set, err error) {
			// Looked up by whom alone may write: nobody takes the names meanwhile.
			if known, err = a.Library.Sets(ctx); err != nil {
				return nil, err
			}
			if sets, err = c.free(sets, known); err != nil {
				return nil, err
			}
			return w.Add(ctx, sets)
		})
	})
}

// discover finds the doc sets that paths stand for. A path without a page is an
// error; a doc set without one, beside others that have some, is left out.
func (c *command) discover(ctx context.Context, paths []string) ([]ingest.Found, error) {
	var found []ingest.Found
	for _, p := range paths {
		all, err := ingest.Discover(p)
		if err != nil {
			return nil, contract.Invalid("path", "%v", err)
		}
		var empty, some []ingest.Found
		for _, f := range all {
			files, _, err := ingest.Scan(ctx, f.Root, f.Layout)
			if err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				return nil, contract.Invalid("path", "add %s: %v; give a folder that you can read", p, err)
			}
			if len(files) == 0 {
				empty = append(empty, f)
			} else {
				some = append(some, f)
			}
		}
		if len(some) == 0 {
			return nil, contract.Invalid("path", "no page was found in %s (Markdown: .md, .markdown, .mdx)", p)
		}
		for _, f := range empty {
			c.note("no page was found in %s (Markdown: .md, .markdown, .mdx); it is left out", f.Root)
		}
		found = append(found, some...)
	}
	return found, nil
}

// free says whether doc sets that are to be added have names that no other
// folder has, here or in the catalog; the same folder twice is added once.
func (c *command) free(sets, known []catalog.Set) ([]catalog.Set, error) {
	var out []catalog.Set
	for _, s := range sets {
		if i := slices.IndexFunc(out, func(o catalog.Set) bool { return o.Ref == s.Ref }); i >= 0 {
			if out[i].Root == s.Root {
				continue
			}
			return nil, contract.Invalid("name", "%s is already %s, and %s is to be added under that name too; add it by itself and give it a name with --name or --version", s.Ref, out[i].Root, s.Root)
		}
		out = append(out, s)
		i := slices.IndexFunc(known, func(k catalog.Set) bool { return k.Ref == s.Ref })
		if i < 0 || known[i].Root == s.Root {
			continue
		}
		if s.Ref == app.ManualRef() {
			return nil, contract.Invalid("name", "%s is the built-in manual; give the new one a name with --name or --version", s.Ref)
		}
		if _, err := os.Stat(known[i].Root); errors.Is(err, fs.ErrNotExist) {
			c.note("%s was %s, which is not there any more; it is %s now", s.Ref, known[i].Root, s.Root)
			continue
		}
		return nil, contract.Invalid("name", "%s is already %s; give the new one a name with --name or --version, or forget the old one with: docent rm %s", s.Ref, known[i].Root, s.Ref)
	}
	return out, nil
}

func (c *command) updateCmd() *cobra.Command {
	var rebuild bool
	cmd := &cobra.Command{
		Use:               "update [SET...]",
		Short:             "bring the index up to what is on disk",
		Example:           `  docent update`,
		ValidArgsFunction: c.completeSets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return c.with(ctx, func(a *app.App) error {
				sets, err := c.chosen(ctx, a, append(slices.Clone(args), c.sets...))
				if err != nil {
					return err
				}
				return c.index(ctx, a, "update", rebuild, nil, func(*app.Writer) ([]catalog.Set, error) { return sets, nil })
			})
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "read every page again and build the index from nothing")
	return cmd
}

// chosen is the doc sets named, or all.
func (c *command) chosen(ctx context.Context, a *app.App, names []string) ([]catalog.Set, error) {
	if len(names) == 0 {
		return a.Library.Sets(ctx)
	}
	return a.Library.Resolve(ctx, names)
}

// index updates doc sets and prints what came of it. A doc set that isNew is
// forgotten again when it cannot be indexed.
func (c *command) index(ctx context.Context, a *app.App, purpose string, rebuild bool, isNew func(catalog.Set) bool, choose func(*app.Writer) ([]catalog.Set, error)) error {
	var reports []ingest.Report
	var failed error
	err := a.Write(ctx, purpose, func(w *app.Writer) error {
		sets, err := choose(w)
		if err != nil {
			return err
		}
		for _, s := range sets {
			rep, err := w.Update(ctx, s, rebuild)
			if errors.Is(err, ingest.ErrRootMissing) {
				failed = err // the others may be whole
				c.note("%v", err)
				continue
			}
			if err != nil {
				if isNew != nil && isNew(s) {
					err = errors.Join(err, w.Remove(context.WithoutCancel(ctx), []catalog.Set{s}))
				}
				return err
			}
			reports = append(reports, rep)
			c.printReport(rep)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.json {
		if reports == nil {
			reports = []ingest.Report{}
		}
		if err := c.printJSON(map[string]any{"sets": reports}); err != nil {
			return err
		}
	}
	if failed != nil {
		return exitCode(codeUnavailable)
	}
	return nil
}

// maxWarnings is how many warnings of a doc set are printed without -v.
const maxWarnings = 5

func (c *command) printReport(r ingest.Report) {
	for i, w := range r.Warnings {
		if i == maxWarnings && c.verbose == 0 {
			c.note("%s: … %d more warnings (-v shows them)", r.Set, len(r.Warnings)-i)
			break
		}
		c.note("%s: %s", r.Set, w)
	}
	if c.json {
		return
	}
	text := fmt.Sprintf("%s: %s", r.Set, plural(r.Pages, "page", "pages"))
	if r.Touched() {
		var parts []string
		for _, p := range []struct {
			n    int
			what string
		}{{r.Added, "added"}, {r.Changed, "changed"}, {r.Removed, "removed"}, {r.Unchanged, "unchanged"}} {
			if p.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
			}
		}
		text += " (" + strings.Join(parts, ", ") + ")"
	} else {
		text += ", nothing changed"
	}
	if r.Pages == 0 {
		text += "; no page is there any more"
	}
	fmt.Fprintln(c.io.Out, clean(text))
}

func (c *command) rmCmd() *cobra.Command {
	return &cobra.Command{
		Use:               "rm SET...",
		Short:             "forget doc sets (their files stay)",
		Example:           `  docent rm Kubernetes@1.30`,
		Args:              minArgs(1, "at least one doc set"),
		ValidArgsFunction: c.completeSets(),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return c.with(ctx, func(a *app.App) error {
				sets, err := a.Library.Resolve(ctx, args)
				if err != nil {
					return err
				}
				for _, s := range sets {
					if s.Ref == app.ManualRef() {
						return usage("%s is built in and cannot be removed", s.Ref)
					}
				}
				if err := a.Write(ctx, "rm", func(w *app.Writer) error { return w.Remove(ctx, sets) }); err != nil {
					return err
				}
				names := []string{}
				for _, s := range sets {
					names = append(names, s.Ref.String())
				}
				if c.json {
					return c.printJSON(map[string]any{"removed": names})
				}
				fmt.Fprintf(c.io.Out, "forgot %s; its files were not touched\n", clean(strings.Join(names, ", ")))
				return nil
			})
		},
	}
}

// setInfo is one doc set as `docent sets` prints it.
type setInfo struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Set      string   `json:"set"`
	Root     string   `json:"root"`
	Layout   string   `json:"layout"`
	Domain   string   `json:"domain"`
	Pages    int      `json:"pages"`
	Sections int      `json:"sections"`
	Chunks   int      `json:"chunks"`
	Lines    int      `json:"lines"`
	Bytes    int64    `json:"bytes"`
	Fresh    string   `json:"freshness"` // fresh, stale or missing
	Changes  *changes `json:"changes,omitempty"`
}

type changes struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Gone    int `json:"gone"`
}

// freshness compares a doc set with the disk: by size and time, nothing is read.
func freshness(ctx context.Context, a *app.App, s catalog.Set) (string, *changes, error) {
	if _, err := os.Stat(s.Root); err != nil {
		return "missing", nil, nil
	}
	files, _, err := ingest.Scan(ctx, s.Root, s.Layout)
	if err != nil {
		return "missing", nil, nil
	}
	known, err := a.Library.Catalog.Files(ctx, s.ID)
	if err != nil {
		return "", nil, err
	}
	byPath := map[string]catalog.FileState{}
	for _, k := range known {
		byPath[k.Path] = k
	}
	var ch changes
	for _, f := range files {
		k, ok := byPath[f.Path]
		switch {
		case !ok:
			ch.New++
		case k.Bytes != f.Size || k.ModTime != f.ModTime:
			ch.Changed++
		}
		delete(byPath, f.Path)
	}
	ch.Gone = len(byPath)
	if ch == (changes{}) {
		return "fresh", nil, nil
	}
	return "stale", &ch, nil
}

func (c *command) setInfos(ctx context.Context, a *app.App, names []string) ([]setInfo, error) {
	sets, err := c.chosen(ctx, a, names)
	if err != nil {
		return nil, err
	}
	infos := []setInfo{}
	for _, s := range sets {
		fresh, ch, err := freshness(ctx, a, s)
		if err != nil {
			return nil, err
		}
		infos = append(infos, setInfo{
			Name: s.Ref.Name, Version: s.Ref.Version, Set: s.Ref.String(), Root: s.Root, Layout: string(s.Layout), Domain: s.Domain,
			Pages: s.Documents, Sections: s.Sections, Chunks: s.Chunks, Lines: s.Lines, Bytes: s.Bytes, Fresh: fresh, Changes: ch,
		})
	}
	return infos, nil
}

func (c *command) setsCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "sets",
		Short:   "the doc sets, with pages, sections, size, freshness",
		Example: `  docent sets --json | jq -r '.sets[].set'`,
		Args:    exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return c.with(ctx, func(a *app.App) error {
				infos, err := c.setInfos(ctx, a, c.sets)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(map[string]any{"sets": infos})
				}
				tw := tabwriter.NewWriter(c.io.Out, 0, 4, 2, ' ', 0)
				fmt.Fprintln(tw, "DOC SET\tPAGES\tSECTIONS\tSIZE\tFRESHNESS\tFOLDER")
				for _, s := range infos {
					fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\t%s\n", clean(s.Set), s.Pages, s.Sections, bytesText(s.Bytes), freshText(s), clean(s.Root))
				}
				return tw.Flush()
			})
		},
	}
}

func freshText(s setInfo) string {
	if s.Changes == nil {
		return s.Fresh
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{s.Changes.New, "new"}, {s.Changes.Changed, "changed"}, {s.Changes.Gone, "gone"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}
