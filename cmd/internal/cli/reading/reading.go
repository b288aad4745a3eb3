// Package reading shows what the operations read, graph and param give.
//
// It refuses to change anything in a home.
package reading

import (
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
)

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{
		"graph": graphView(c),
		"param": paramView(c),
		"read":  readView(c),
	}
}
