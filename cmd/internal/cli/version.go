package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"docent/pipeline/service/home"
)

func (c *command) versionCmd() *cobra.Command {
	withLicenses := false
	cmd := &cobra.Command{
		Use:               "version",
		Short:             "the program's version",
		Example:           `  docent version`,
		Args:              exactArgs(0, "no arguments"),
		ValidArgsFunction: completeWords(),
		RunE: func(*cobra.Command, []string) error {
			if withLicenses {
				return c.printLicenses()
			}
			return c.printVersion()
		},
	}
	cmd.Flags().BoolVar(&withLicenses, "licenses", false, "what is in the binary under which licence, with the licences' texts")
	return cmd
}

func (c *command) printVersion() error {
	if c.json {
		return c.printJSON(struct {
			Arch    string `json:"arch"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Version string `json:"version"`
		}{runtime.GOARCH, runtime.Version(), runtime.GOOS, home.Version})
	}
	_, err := fmt.Fprintf(c.io.Out, "docent %s (%s, %s/%s)\n", home.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
