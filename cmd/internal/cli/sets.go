package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/home"
	"docent/pipeline/ingest"
	"docent/store"
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
	parsers, err := app.Parsers()
	if err != nil {
		return err
	}
	found, err := home.Discover(ctx, paths, parsers, c.upkeep())
	if err != nil {
		return err
	}
	if (name != "" || version != "") && len(found) > 1 {
		return contract.Invalid("name", "--name and --version are for one doc set, and %s has %d", strings.Join(paths, " "), len(found))
	}
	return c.with(ctx, func(a *app.App) error {
		out, err := a.Add(ctx, found, home.As{Name: name, Version: version, Domain: domain}, c.upkeep())
		return c.indexed(out, err)
	})
}

// upkeep tells of adding and updating on the terminal.
func (c *command) upkeep() home.Watch {
	return home.Watch{Note: c.note, Report: c.printReport, Events: newBar(c).sink}
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
				out, err := a.Refresh(ctx, sets, rebuild, c.upkeep())
				return c.indexed(out, err)
			})
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "read every page again and build the index from nothing")
	return cmd
}

// chosen is the doc sets named, or all.
func (c *command) chosen(ctx context.Context, a *app.App, names []string) ([]store.Set, error) {
	if len(names) == 0 {
		return a.Library.Sets(ctx)
	}
	return a.Library.Resolve(ctx, names)
}

// indexed ends a command that indexed: with JSON where that is wanted, and with
// the exit code of what was missing.
func (c *command) indexed(out home.Outcome, err error) error {
	if err != nil {
		return err
	}
	if c.json {
		reports := out.Reports
		if reports == nil {
			reports = []ingest.Report{}
		}
		answer := map[string]any{"sets": reports}
		if len(out.Embedded) > 0 {
			answer["vectors"] = out.Embedded
		}
		if err := c.printJSON(answer); err != nil {
			return err
		}
	}
	for _, r := range out.Embedded {
		if r.Written && !c.json {
			fmt.Fprintf(c.io.Out, "%s: vectors of %s by %s, %d made now\n", clean(r.Set), plural(r.Passages, "passage", "passages"), clean(r.Model), r.Embedded)
		}
	}
	if len(out.Missing) > 0 {
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
	fmt.Fprintln(c.io.Out, clean(home.Summary(r)))
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
					if s.Ref == home.ManualRef() {
						return usage("%s is built in and cannot be removed", s.Ref)
					}
				}
				if err := a.Forget(ctx, sets); err != nil {
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
	// Vectors are those by a model, if there are any.
	Vectors *vectorInfo `json:"vectors,omitempty"`
}

type vectorInfo struct {
	Model     string `json:"model"`
	Dimension int    `json:"dimension"`
	Passages  int    `json:"passages"`
	Complete  bool   `json:"complete"`
	// Weight is how much they count beside the words, as measured by so many
	// questions.
	Weight    float64 `json:"weight"`
	Questions int     `json:"weight_questions"`
}

// vectorText says it in a table: "ollama:bge-m3, not complete".
func (s setInfo) vectorText() string {
	switch {
	case s.Vectors == nil:
		return "built-in"
	case s.Vectors.Complete:
		return s.Vectors.Model
	}
	return s.Vectors.Model + ", not complete"
}

// vectorInfos looks at a doc set's vectors by a model. Damage is doctor's to tell:
// here they are as good as none.
func vectorInfos(ctx context.Context, a *app.App, s store.Set) (*vectorInfo, error) {
	st, err := a.ModelVectors(ctx, s)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil || st == nil {
		return nil, nil
	}
	weight, questions := a.VectorWeight(s, st.By)
	return &vectorInfo{Model: st.Engine, Dimension: st.Dimension, Passages: st.Passages, Complete: st.Complete(), Weight: weight, Questions: questions}, nil
}

type changes struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Gone    int `json:"gone"`
}

// freshness compares a doc set with the disk: by size and time, nothing is read.
func freshness(ctx context.Context, a *app.App, s store.Set) (string, *changes, error) {
	if _, err := os.Stat(s.Root); err != nil {
		return "missing", nil, nil
	}
	files, _, err := ingest.Scan(ctx, s.Root, s.Layout, a.Parsers)
	if err != nil {
		return "missing", nil, nil
	}
	known, err := a.Library.Catalog.Files(ctx, s.ID)
	if err != nil {
		return "", nil, err
	}
	byPath := map[string]store.FileState{}
	for _, k := range known {
		byPath[k.Path] = k
	}
	var ch changes
	for _, f := range files {
		k, ok := byPath[f.Path]
		switch {
		case !ok:
			ch.New++
		case k.Bytes != f.Size || k.ModTime != f.ModTime || a.Parsers.Outdated(k.Format, k.Parser):
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
		vectors, err := vectorInfos(ctx, a, s)
		if err != nil {
			return nil, err
		}
		infos = append(infos, setInfo{
			Vectors: vectors,
			Name:    s.Ref.Name, Version: s.Ref.Version, Set: s.Ref.String(), Root: s.Root, Layout: string(s.Layout), Domain: s.Domain,
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
				// Vectors by a model are told of where there are any.
				column, title := func(setInfo) string { return "" }, ""
				if slices.ContainsFunc(infos, func(s setInfo) bool { return s.Vectors != nil }) {
					column, title = func(s setInfo) string { return clean(s.vectorText()) + "\t" }, "VECTORS\t"
				}
				fmt.Fprintln(tw, "DOC SET\tPAGES\tSECTIONS\tSIZE\tFRESHNESS\t"+title+"FOLDER")
				for _, s := range infos {
					fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\t%s%s\n", clean(s.Set), s.Pages, s.Sections, bytesText(s.Bytes), freshText(s), column(s), clean(s.Root))
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
