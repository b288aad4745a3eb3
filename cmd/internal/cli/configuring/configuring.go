// Package configuring has the command config: the settings, where each comes from, and the
// faults of the files.
//
// It refuses to change a file.
package configuring

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/service/synonyms"
	"docent/pipeline/text/cause"
	"docent/pipeline/text/plural"
)

// Commands are the commands about the configuration.
func Commands(c *invocation.Call) []*cobra.Command { return []*cobra.Command{configCmd(c)} }

func configCmd(c *invocation.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [show|path|lint [FOLDER...]]",
		Short: "the configuration and where each value comes from",
		Long: `Shows every setting with its value and where it comes from, says where the file is,
or what is wrong with it. lint FOLDER looks at the docent.toml of a doc set.`,
		Example: `  docent config show`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 && args[0] != "lint" {
				return failure.UsageError("docent config takes one of show, path and lint, not %q; "+
					"settings are changed in the file that docent config path names", strings.Join(args, " "))
			}
			return nil
		},
		ValidArgsFunction: completing.Words("show\tevery setting, its value and where it comes from", "path\twhere the file is",
			"lint\twhat is wrong with it"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return lintSets(c, args[1:])
			}
			args = append(args, "show")
			switch args[0] {
			case "show", "path", "lint":
			default:
				return failure.UsageError("docent config takes show, path or lint, not %q", args[0])
			}
			cfg, faults, err := app.LoadConfig(c.Options())
			if err != nil {
				return err
			}
			switch args[0] {
			case "path":
				if c.JSON {
					return c.PrintJSON(struct {
						Path string `json:"path"`
					}{cfg.Path})
				}
				fmt.Fprintln(c.IO.Out, cfg.Path)
				return nil
			case "lint":
				return printFaults(c, cfg, faults)
			}
			if len(faults) > 0 {
				c.Note("%s has %s; where a value cannot be used, the default stands in its place (docent config lint)", cfg.Path,
					plural.Count(len(faults), "fault", "faults"))
			}
			if c.JSON {
				return c.PrintJSON(struct {
					Path   string         `json:"path"`
					Values []config.Value `json:"values"`
				}{cfg.Path, cfg.Values()})
			}
			for _, v := range cfg.Values() {
				raw, err := json.Marshal(v.Value)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.IO.Out, "%-40s = %-12s # %s: %s\n", v.Key, raw, v.Origin, v.About)
			}
			return nil
		},
	}
	return cmd
}

func printFaults(c *invocation.Call, cfg config.Config, faults []config.Fault) error {
	words, _ := synonyms.CheckSynonyms(filepath.Dir(cfg.Path), cfg.SynonymFile)
	for _, w := range words {
		faults = append(faults, config.Fault{Key: "synonyms", Message: w.Error()})
	}
	if c.JSON {
		if faults == nil {
			faults = []config.Fault{}
		}
		if err := c.PrintJSON(struct {
			Faults []config.Fault `json:"faults"`
			Path   string         `json:"path"`
		}{faults, cfg.Path}); err != nil {
			return err
		}
	} else {
		for _, f := range faults {
			fmt.Fprintf(c.IO.Out, "%s: %s\n", console.OneLine(cfg.Place(f)), console.OneLine(f.Error()))
		}
		if len(faults) == 0 {
			fmt.Fprintf(c.IO.Out, "%s: no faults\n", console.OneLine(cfg.Path))
		}
	}
	if len(faults) > 0 {
		return failure.ExitCode(failure.CodeNothing)
	}
	return nil
}

// lintSets looks at the docent.toml of doc sets' folders.
func lintSets(c *invocation.Call, folders []string) error {
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
				cause.WithoutPath(err))
		}
		_, faults := domain.LoadRepository(folder)
		for _, f := range faults {
			all = append(all, found{config.Fault{Key: f.Key, Message: f.Message, Line: f.Line}, file})
		}
		if len(faults) == 0 && !c.JSON {
			fmt.Fprintf(c.IO.Out, "%s: no faults\n", console.OneLine(file))
		}
	}
	if c.JSON {
		if err := c.PrintJSON(struct {
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
			fmt.Fprintf(c.IO.Out, "%s: %s\n", console.OneLine(config.FileLine(f.Path, f.Line)), console.OneLine(text))
		}
	}
	if len(all) > 0 {
		return failure.ExitCode(failure.CodeNothing)
	}
	return nil
}
