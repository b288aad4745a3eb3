// Package measuring has the command eval: rankings and answers measured with questions
// whose answers are known.
//
// It refuses to compute a measure: package eval does.
package measuring

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that measure.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{evalCmd(c)}
}
