package cli

import (
	"fmt"

	"docent/cmd/internal/licenses"
)

// printLicenses prints what the binary is made of: the list, and then the
// licences themselves. As JSON it is the list alone.
func (c *command) printLicenses() error {
	if c.json {
		return c.printJSON(struct {
			Parts []licenses.Part `json:"parts"`
		}{licenses.ListParts()})
	}
	texts, err := licenses.LicenceTexts()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.io.Out, "%s\n%s", licenses.Notice(), cleanForTerminal(texts))
	return err
}
