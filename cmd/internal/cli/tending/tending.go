// Package tending has the commands that look after a home: status, doctor and migrate.
//
// It refuses to repair without being asked to, and to change docent.toml.
package tending

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that look after the home.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{doctorCmd(c), migrateCmd(c)}
}

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{"status": statusView(c)}
}
