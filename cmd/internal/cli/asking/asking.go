// Package asking has the commands that ask: ask, search, phase and verify.
//
// It prints blocks, hits and proofs; it refuses to rank, cut or cite anything itself.
package asking

import (
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/answers"
)

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{
		"ask":                   {Command: askCmd},
		answers.SearchOperation: {Command: searchCmd},
		"phase":                 phaseView(c),
		"verify":                verifyView(c),
	}
}
