// Package sourcing has the command about the sources that docent knows: sources.
//
// It refuses to add any of them: docent/cmd/internal/cli/indexing does.
package sourcing

import (
	"strings"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/sources"
	"docent/pipeline/text/plural"
)

// Views are the views of the operations of this group, by their names.
func Views(c *invocation.Call) map[string]driver.View {
	return map[string]driver.View{"sources": sourcesView(c)}
}

// sourcesView writes the recipes as a table.
func sourcesView(c *invocation.Call) driver.View {
	return driver.View{
		Use: "[WORD...]",
		Long: `Lists the recipes: the names whose documentation docent knows where to find.
With words, those that have all of them in their name, their line or their
packages. Recipes of your own lie in the folder recipes of the home. Without
such a recipe it exits with 1 and suggests similar names.`,
		Example: `  docent sources kubernetes
  docent sources python web
  docent sources --json react | jq -r '.sources[].source'`,
		Text:  driver.Written(writeSources),
		After: driver.Typed(func(answer sources.SourceList) error { return sourceNotes(c, answer) }),
	}
}

func writeSources(answer sources.SourceList, to driver.Paper) {
	if len(answer.Sources) == 0 {
		return
	}
	table := driver.NewTable()
	table.Row("NAME\tVERSIONS\tABOUT\tSOURCE")
	for _, s := range answer.Sources {
		versions := "newest only"
		if s.Versions {
			versions = "any"
		}
		names := strings.Join(append([]string{s.Name}, s.Aliases...), ", ")
		table.Row("%s\t%s\t%s\t%s", console.OneLine(names), versions, console.OneLine(s.About), console.OneLine(s.Source))
	}
	table.Write(to)
}

// sourceNotes prints the faults of recipes of the home, or similar names if none was found.
func sourceNotes(c *invocation.Call, answer sources.SourceList) error {
	for _, f := range answer.Faults {
		c.Note("recipe %s; it does not count", console.OneLine(f.Error()))
	}
	if len(answer.Sources) > 0 {
		c.Note("%s", plural.Count(answer.Total, "recipe", "recipes"))
		return nil
	}
	if len(answer.Near) > 0 {
		c.Note("no recipe has these words; there are %s", strings.Join(answer.Near, ", "))
	} else {
		c.Note("no recipe has these words; docent sources lists all")
	}
	return failure.ExitCode(failure.CodeNothing)
}
