package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/service/synonyms"
)

func (c *command) configCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [show|path|lint [FOLDER...]]",
		Short: "the configuration and where each value comes from",
		Long: `Shows every setting with its value and where it comes from, says where the file is,
or what is wrong with it. lint FOLDER looks at the docent.toml of a doc set.`,
		Example: `  docent config show`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 && args[0] != "lint" {
				return usageError("docent config takes one of show, path and lint, not %q", strings.Join(args, " "))
			}
			return nil
		},
		ValidArgsFunction: completeWords("show\tevery setting, its value and where it comes from", "path\twhere the file is",
			"lint\twhat is wrong with it"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return c.lintSets(args[1:])
			}
			args = append(args, "show")
			switch args[0] {
			case "show", "path", "lint":
			default:
				return usageError("docent config takes show, path or lint, not %q", args[0])
			}
			cfg, faults, err := app.LoadConfig(c.options())
			if err != nil {
				return err
			}
			switch args[0] {
			case "path":
				if c.json {
					return c.printJSON(struct {
						Path string `json:"path"`
					}{cfg.Path})
				}
				fmt.Fprintln(c.io.Out, cfg.Path)
				return nil
			case "lint":
				return c.printFaults(cfg, faults)
			}
			if len(faults) > 0 {
				c.note("%s has %s; where a value cannot be used, the default stands in its place (docent config lint)", cfg.Path,
					plural(len(faults), "fault", "faults"))
			}
			if c.json {
				return c.printJSON(struct {
					Path   string         `json:"path"`
					Values []config.Value `json:"values"`
				}{cfg.Path, cfg.Values()})
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

func (c *command) printFaults(cfg config.Config, faults []config.Fault) error {
	words, _ := synonyms.CheckSynonyms(filepath.Dir(cfg.Path), cfg.SynonymFile)
	for _, w := range words {
		faults = append(faults, config.Fault{Key: "synonyms", Message: w.Error()})
	}
	if c.json {
		if faults == nil {
			faults = []config.Fault{}
		}
		if err := c.printJSON(struct {
			Faults []config.Fault `json:"faults"`
			Path   string         `json:"path"`
		}{faults, cfg.Path}); err != nil {
			return err
		}
	} else {
		for _, f := range faults {
			fmt.Fprintf(c.io.Out, "%s: %s\n", oneLine(cfg.Place(f)), oneLine(f.Error()))
		}
		if len(faults) == 0 {
			fmt.Fprintf(c.io.Out, "%s: no faults\n", oneLine(cfg.Path))
		}
	}
	if len(faults) > 0 {
		return exitCode(codeNothing)
	}
	return nil
}

// lintSets looks at the docent.toml of doc sets' folders.
func (c *command) lintSets(folders []string) error {
	type found struct {
		config.Fault
		Path string `json:"path"`
	}
	all := []found{}
	for _, folder := range folders {
		file := filepath.Join(folder, domain.FileName)
		words, lists := synonyms.CheckSynonyms(folder, "")
		for _, w := range words {
			all = append(all, found{config.Fault{Message: w.Message, Line: w.Line}, filepath.Join(folder, filepath.FromSlash(w.File))})
		}
		if _, err := os.Lstat(file); err != nil {
			if lists {
				continue
			}
			return contract.Invalid("path", "%s has no %s: %v; give the folder of a doc set that has one", folder, domain.FileName,
				withoutPath(err))
		}
		_, faults := domain.LoadRepository(folder)
		for _, f := range faults {
			all = append(all, found{config.Fault{Key: f.Key, Message: f.Message, Line: f.Line}, file})
		}
		if len(faults) == 0 && !c.json {
			fmt.Fprintf(c.io.Out, "%s: no faults\n", oneLine(file))
		}
	}
	if c.json {
		if err := c.printJSON(struct {
			Faults []found `json:"faults"`
		}{all}); err != nil {
			return err
		}
	} else {
		for _, f := range all {
			text := f.Message
			if f.Key != "" {
				text = f.Key + ": " + text
			}
			fmt.Fprintf(c.io.Out, "%s: %s\n", oneLine(config.FileLine(f.Path, f.Line)), oneLine(text))
		}
	}
	if len(all) > 0 {
		return exitCode(codeNothing)
	}
	return nil
}

// withoutPath is an error of a file without its path.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
