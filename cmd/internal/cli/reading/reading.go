// Package reading has the commands that show what pages say: read, graph and param.
//
// It refuses to change anything in a home.
package reading

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that read.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{readCmd(c), graphCmd(c)}
}

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{
		"param": paramView(c),
	}
}
