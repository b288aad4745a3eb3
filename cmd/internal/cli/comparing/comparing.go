// Package comparing shows what the operations diff and impact found: two versions of a doc set, and
// what their difference means to a project, as text or
// Markdown.
//
// It refuses to compare: the service versioning does.
package comparing

import (
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
)

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{"diff": diffView(c), "impact": impactView(c)}
}
