package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
)

func (c *command) configCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config [show|path|lint]",
		Short:   "the configuration and where each value comes from",
		Example: `  docent config show`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("docent config takes one of show, path and lint, not %q", strings.Join(args, " "))
			}
			return nil
		},
		ValidArgsFunction: words("show\tevery setting, its value and where it comes from", "path\twhere the file is", "lint\twhat is wrong with it"),
		RunE: func(_ *cobra.Command, args []string) error {
			args = append(args, "show")
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
					return c.printJSON(struct {
						Path string `json:"path"`
					}{cfg.Path})
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

func (c *command) lint(cfg config.Config, faults []config.Fault) error {
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
