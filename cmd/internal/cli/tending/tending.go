// Package tending has the commands that look after a home: status and doctor.
//
// It refuses to repair without being asked to.
package tending

import (
	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/invocation"
)

// Commands are the commands that look after the home.
func Commands(c *invocation.Call) []*cobra.Command {
	return []*cobra.Command{statusCmd(c), doctorCmd(c)}
}
