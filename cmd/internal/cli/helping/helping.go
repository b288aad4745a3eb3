// Package helping has the commands about the program itself: help with the manual and the
// manual pages for man, completion, version.
//
// It opens no home.
package helping

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands about the program.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{completionCmd(c), versionCmd(c)}
}
