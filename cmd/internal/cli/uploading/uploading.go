// Package uploading has the commands about single files that are handed in: jobs and
// worker, and the parts of add and rm that are about such files.
//
// It refuses to read a file itself: the service intake does.
package uploading

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands about files that were handed in.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{workerCmd(c)}
}

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{
		"jobs": jobsView(c),
	}
}
