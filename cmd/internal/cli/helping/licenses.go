package helping

import (
	"fmt"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/licenses"
)

// printLicenses prints what the binary is made of: the list, and then the
// licences themselves. As JSON it is the list alone.
func printLicenses(c *invocation.Call) error {
	if c.JSON {
		return c.PrintJSON(struct {
			Parts []licenses.Part `json:"parts"`
		}{licenses.ListParts()})
	}
	texts, err := licenses.LicenceTexts()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.IO.Out, "%s\n%s", licenses.Notice(), console.Clean(texts))
	return err
}
