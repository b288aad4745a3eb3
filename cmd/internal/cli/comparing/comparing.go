// Package comparing has the command diff: two versions of a doc set as text or Markdown.
//
// It refuses to compare: the service versioning does.
package comparing

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that compare versions.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{diffCmd(c)}
}
