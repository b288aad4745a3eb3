// Package modelling has the command models: it lists the models of the servers, and whether the servers
// may have texts of pages.
//
// It refuses to send a text to a server without permission.
package modelling

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands about models.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{modelsCmd(c)}
}
