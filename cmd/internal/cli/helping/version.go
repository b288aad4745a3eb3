package helping

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/home"
)

func versionCmd(c *invocation.Call) *cobra.Command {
	withLicenses := false
	cmd := &cobra.Command{
		Use:               "version",
		Short:             "the program's version",
		Example:           `  docent version`,
		Args:              arguments.ExactArgs(0, "no arguments"),
		ValidArgsFunction: completing.Words(),
		RunE: func(*cobra.Command, []string) error {
			if withLicenses {
				return printLicenses(c)
			}
			return PrintVersion(c)
		},
	}
	cmd.Flags().BoolVar(&withLicenses, "licenses", false, "what is in the binary under which licence, with the licences' texts")
	return cmd
}

// PrintVersion prints the program's version.
func PrintVersion(c *invocation.Call) error {
	if c.JSON {
		return c.PrintJSON(struct {
			Arch    string `json:"arch"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Version string `json:"version"`
		}{runtime.GOARCH, runtime.Version(), runtime.GOOS, home.Version})
	}
	_, err := fmt.Fprintf(c.IO.Out, "docent %s (%s, %s/%s)\n", home.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
