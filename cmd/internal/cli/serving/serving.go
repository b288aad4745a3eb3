// Package serving has the commands that run on and answer programs: serve and mcp.
//
// It refuses to answer a request itself: httpapi and mcpserver do.
package serving

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that serve.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{serveCmd(c), mcpCmd(c)}
}
