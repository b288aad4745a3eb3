// Package indexing has the commands about doc sets: add, update, watch, rm and sets.
//
// It refuses to ask anything where no person sits at the terminal.
package indexing

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that change the doc sets.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{addCmd(c), updateCmd(c), watchCmd(c), removeCmd(c)}
}

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{
		"sets": setsView(c),
	}
}
