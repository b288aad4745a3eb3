package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/store"
)

func (c *command) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "the program's version",
		Example: `  docent version`,
		Args:    exactArgs(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			return c.printVersion()
		},
	}
}

func (c *command) printVersion() error {
	if c.json {
		return c.printJSON(map[string]string{"version": app.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
	}
	_, err := fmt.Fprintf(c.io.Out, "docent %s (%s, %s/%s)\n", app.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func (c *command) completionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "completion SHELL",
		Short:   "completions for bash, zsh, fish or powershell",
		Example: `  docent completion bash > ~/.local/share/bash-completion/completions/docent`,
		Args:    exactArgs(1, "a shell's name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(c.io.Out, true); err != nil {
					return err
				}
				// Bash ends a word at @, so that Lantern@2.1/ would be completed as
				// three of them.
				_, err := fmt.Fprintln(c.io.Out, "\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//@/}")
				return err
			case "zsh":
				return root.GenZshCompletion(c.io.Out)
			case "fish":
				return root.GenFishCompletion(c.io.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.io.Out)
			}
			return usage("there are completions for bash, zsh, fish and powershell, not for %q", args[0])
		},
	}
}

func (c *command) configCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config show|path|lint",
		Short:   "the configuration and where each value comes from",
		Example: `  docent config show`,
		Args:    exactArgs(1, "show, path or lint"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch args[0] {
			case "show", "path", "lint":
			default:
				return usage("docent config takes show, path or lint, not %q", args[0])
			}
			cfg, faults, err := app.LoadConfig(c.options())
			if err != nil {
				return err
			}
			switch args[0] {
			case "path":
				if c.json {
					return c.printJSON(map[string]string{"path": cfg.Path})
				}
				fmt.Fprintln(c.io.Out, cfg.Path)
				return nil
			case "lint":
				return c.lint(cfg, faults)
			}
			if len(faults) > 0 {
				c.note("%s has %s; where a value cannot be used, the default stands in its place (docent config lint)", cfg.Path, plural(len(faults), "fault", "faults"))
			}
			if c.json {
				return c.printJSON(map[string]any{"path": cfg.Path, "values": cfg.Values()})
			}
			for _, v := range cfg.Values() {
				raw, err := json.Marshal(v.Value)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.io.Out, "%-40s = %-12s # %s: %s\n", v.Key, raw, v.Origin, v.About)
			}
			return nil
		},
	}
	return cmd
}

func (c *command) lint(cfg config.Config, faults []config.Fault) error {
	if c.json {
		if faults == nil {
			faults = []config.Fault{}
		}
		if err := c.printJSON(map[string]any{"path": cfg.Path, "faults": faults}); err != nil {
			return err
		}
	} else {
		for _, f := range faults {
			fmt.Fprintf(c.io.Out, "%s: %s\n", clean(cfg.Path), clean(f.Error()))
		}
		if len(faults) == 0 {
			fmt.Fprintf(c.io.Out, "%s: no faults\n", clean(cfg.Path))
		}
	}
	if len(faults) > 0 {
		return exitCode(codeNothing)
	}
	return nil
}

func (c *command) statusCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "what is there: home, doc sets, indexes",
		Example: `  docent status --json`,
		Args:    exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return c.with(ctx, func(a *app.App) error { return c.status(ctx, a) })
		},
	}
}

func (c *command) status(ctx context.Context, a *app.App) error {
	infos, err := c.setInfos(ctx, a, nil)
	if err != nil {
		return err
	}
	var pages, sections, chunks int
	var size, index int64
	stale, embedded, models := 0, 0, []string(nil)
	for _, s := range infos {
		if v := s.Vectors; v != nil {
			if v.Complete {
				embedded++
			}
			if name := fmt.Sprintf("%s (%d dimensions)", v.Model, v.Dimension); !slices.Contains(models, name) {
				models = append(models, name)
			}
		}
		pages, sections, chunks, size = pages+s.Pages, sections+s.Sections, chunks+s.Chunks, size+s.Bytes
		if s.Fresh != "fresh" {
			stale++
		}
	}
	sets, err := a.Library.Sets(ctx)
	if err != nil {
		return err
	}
	for _, s := range sets {
		if n, err := a.Library.IndexBytes(ctx, s); err == nil {
			index += n
		}
	}
	if c.json {
		return c.printJSON(map[string]any{"version": app.Version, "home": a.Home, "config": a.Config.Path, "sets": infos,
			"pages": pages, "sections": sections, "passages": chunks, "bytes": size, "index_bytes": index, "engine": contract.EngineBuiltin})
	}
	row := func(name, format string, args ...any) {
		fmt.Fprintf(c.io.Out, "%-10s %s\n", name, fmt.Sprintf(format, cleanArgs(args)...))
	}
	row("version", "%s", app.Version)
	row("home", "%s", a.Home)
	row("config", "%s", a.Config.Path)
	row("engine", "%s (no model is needed)", contract.EngineBuiltin)
	row("doc sets", "%d, of which %d not fresh (docent sets lists them)", len(infos), stale)
	row("pages", "%d with %d sections in %d passages, %s", pages, sections, chunks, bytesText(size))
	row("index", "%s", bytesText(index))
	if len(models) > 0 {
		row("vectors", "of %s by %s", plural(embedded, "doc set", "doc sets"), strings.Join(models, ", "))
	}
	return nil
}

// finding is one thing that doctor looked at.
type finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
	Mend  string `json:"mend,omitempty"`
}

func (c *command) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "what is wrong and how to mend it",
		Example: `  docent doctor`,
		Args:    exactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			opt := c.options()
			opt.Lenient = true // the faults are among the findings
			a, err := app.Open(ctx, opt)
			if err != nil {
				return err
			}
			found, err := c.examine(ctx, a)
			if err == nil {
				err = c.printFindings(found)
			}
			return errors.Join(err, a.Close())
		},
	}
}

func (c *command) examine(ctx context.Context, a *app.App) ([]finding, error) {
	var out []finding
	add := func(check string, err error, ok, mend string) {
		f := finding{Check: check, OK: err == nil, Text: ok}
		if err != nil {
			f.Text, f.Mend = err.Error(), mend
		}
		out = append(out, f)
	}
	_, faults, err := app.LoadConfig(c.options())
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%s: %w", a.Config.Path, faults[0])
	}
	add("configuration", err, a.Config.Path, "docent config lint lists the faults")
	probe, err := os.CreateTemp(a.Home, ".doctor")
	if err == nil {
		probe.Close()
		err = errors.Join(os.Remove(probe.Name()), a.Unready)
	}
	mend := ""
	if err != nil {
		mend = app.HomeAdvice(err)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s cannot be written: %w", a.Home, pe.Err) // the probe's name says nothing
	}
	add("home", err, a.Home+" can be written", mend)
	add("catalog", a.CheckCatalog(ctx), a.CatalogPath()+" is whole", "move it away and start docent again: the doc sets of sets.json are indexed anew")
	sets, err := a.Library.Sets(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		name := s.Ref.String()
		err := a.Indexes().Verify(ctx, s.ID)
		if err == nil {
			err = consistent(ctx, a, s)
		}
		add("index "+name, err, plural(s.Documents, "page", "pages")+", every byte has its checksum", "docent update --rebuild "+name)
		add("vectors "+name, a.Indexes().VerifyVectors(ctx, s.ID, store.LearnedVectors), "every byte has its checksum", "docent update "+name)
		if f, err := examineModelVectors(ctx, a, s); err != nil {
			return nil, err
		} else if f != nil {
			out = append(out, *f)
		}
		fresh, ch, err := freshness(ctx, a, s)
		if err != nil {
			return nil, err
		}
		switch {
		case fresh == "missing":
			err = fmt.Errorf("its folder %s is not there", s.Root)
			add("files "+name, err, "", "bring it back, or docent rm "+name)
		case ch != nil:
			err = fmt.Errorf("not up to date: %s", freshText(setInfo{Changes: ch}))
			add("files "+name, err, "", "docent update "+name)
		default:
			add("files "+name, nil, "as indexed", "")
		}
	}
	models, err := c.examineModels(ctx, a.Config)
	return append(out, models...), err
}

// examineModelVectors looks at a doc set's vectors by a model; nil where it has
// none and none are wanted. That they are not complete, or by another model than
// the one that is taken now, is a fault only where there must be a model.
func examineModelVectors(ctx context.Context, a *app.App, s store.Set) (*finding, error) {
	f := &finding{Check: "model vectors " + s.Ref.String(), OK: true}
	st, err := a.ModelVectors(ctx, s)
	if err == nil && st != nil {
		err = a.Indexes().VerifyVectors(ctx, s.ID, store.ModelVectors)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		f.OK, f.Text, f.Mend = false, err.Error(), "docent update "+s.Ref.String()
		return f, nil
	}
	wanted, err := a.Models.Vectors(ctx, s.Domain)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case st == nil && err != nil:
		return nil, nil // the model servers are looked at below
	case st == nil:
		f.Text = "none yet by " + wanted.Engine
	default:
		f.Text = fmt.Sprintf("%s by %s, %s", plural(st.Passages, "passage", "passages"), st.Engine, plural(st.Dimension, "dimension", "dimensions"))
	}
	what := ""
	switch {
	case st == nil:
		what = "its words and built-in vectors answer"
	case err == nil && wanted.ID != st.Model && wanted.Engine != st.Engine:
		what = "they serve until those by " + wanted.Engine + " are made"
	case err == nil && wanted.ID != st.Model:
		what = "they serve until those by the model as it is now are made"
	case err == nil && wanted.Dimension > 0 && wanted.Dimension != st.Dimension:
		f.OK = !a.Config.Models.Required()
		f.Text += fmt.Sprintf("; the model has vectors of %d dimensions now", wanted.Dimension)
		f.Mend = "docent update --rebuild " + s.Ref.String()
		return f, nil
	case !st.Complete():
		what = plural(st.Missing, "page has", "pages have") + " none yet"
	}
	if what != "" {
		f.OK = !a.Config.Models.Required()
		f.Text += "; " + what
		f.Mend = "docent update " + s.Ref.String()
	}
	return f, nil
}

// consistent compares the documents of the index with those of the catalog.
func consistent(ctx context.Context, a *app.App, s store.Set) error {
	contents, err := a.Indexes().Contents(ctx, s.ID)
	if err != nil {
		return err
	}
	indexed := contents.Documents
	known, err := a.Library.Catalog.Files(ctx, s.ID)
	if err != nil {
		return err
	}
	missing := 0
	for _, k := range known {
		if _, ok := indexed[k.ID]; !ok {
			missing++
		}
		delete(indexed, k.ID)
	}
	if missing+len(indexed) > 0 {
		return fmt.Errorf("%d pages are not in the index and %d in it are not in the catalog (an update was interrupted)", missing, len(indexed))
	}
	return nil
}

func (c *command) printFindings(found []finding) error {
	faults := 0
	for _, f := range found {
		if !f.OK {
			faults++
		}
	}
	if c.json {
		if err := c.printJSON(map[string]any{"findings": found, "faults": faults}); err != nil {
			return err
		}
	} else {
		for _, f := range found {
			mark := "ok   "
			if !f.OK {
				mark = "FAULT"
			}
			fmt.Fprintf(c.io.Out, "%s  %s: %s\n", mark, clean(f.Check), clean(f.Text))
			if f.Mend != "" {
				fmt.Fprintf(c.io.Out, "       %s\n", clean(f.Mend))
			}
		}
		fmt.Fprintln(c.io.Out, strings.TrimSpace(plural(faults, "fault", "faults")))
	}
	if faults > 0 {
		return exitCode(codeNothing)
	}
	return nil
}
