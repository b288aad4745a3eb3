// Package saving has the command sessions, and what ask and the app need of saved sessions.
//
// It refuses to run a session.
package saving

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands about saved sessions.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{sessionsCmd(c)}
}
