package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/params"
	"docent/pipeline/text/plural"
	"docent/tui/widget"
)

// paramView prints the places that document a parameter.
func paramView(c *invocation.Call) driver.View {
	return driver.View{
		AtOnce: true,
		Long: `Prints every place that documents an option, flag, field, setting or variable of
this name: rows of tables, items of lists and sections. Capitals and dashes in
front do not count; the last part of a dotted name is enough, and * stands for
any characters. Without such a place it exits with 1 and names what is near.`,
		Example: `  docent param chat_model
  docent param --max-docs
  docent param --json '*threshold'`,
		Usage:    map[string]string{"limit": "places at most (0: all)"},
		Args:     "one name",
		Complete: completeParameters(c),
		Show: driver.Typed(func(answer params.ParameterAnswer) error {
			if answer.Total == 0 {
				return nil
			}
			return c.WritePaged(parameterTable(c, answer.Parameters), false)
		}),
		After: driver.Typed(func(answer params.ParameterAnswer) error { return parameterNotes(c, answer) }),
	}
}

// completeParameters completes with the names of parameters.
func completeParameters(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completing.FromHome(c, func(ctx context.Context, a *app.App, typed string) ([]string, cobra.ShellCompDirective) {
			names, err := a.Params.ParameterNames(ctx, typed, c.Sets)
			if err != nil {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return names, cobra.ShellCompDirectiveDefault
		})(cmd, args, typed)
	}
}

// parameterNotes prints the omissions of an answer, or similar names if it is empty.
func parameterNotes(c *invocation.Call, answer params.ParameterAnswer) error {
	if left := answer.Total - len(answer.Parameters); left > 0 {
		c.Note("%s more; --limit 0 lists all", plural.Count(left, "place", "places"))
	}
	if answer.Total > 0 {
		return nil
	}
	if len(answer.Near) > 0 {
		c.Note("no page documents a parameter %s; there are %s, and docent search looks for the word", answer.Name,
			strings.Join(answer.Near, ", "))
	} else {
		c.Note("no page documents a parameter %s; docent search looks for the word", answer.Name)
	}
	return failure.ExitCode(failure.CodeNothing)
}

// Widths of the columns of parameters, at most.
const (
	widestName  = 40
	widestValue = 24 // of a type, or a default
)

// parameterTable is a table of parameters: on a terminal with the description below each
// row, and the place too where the rows would be wider than the terminal; in a pipe with
// all of a row on its line.
func parameterTable(c *invocation.Call, all []params.ParameterPlace) string {
	width := c.TerminalWidth()
	rows := [][]string{{"NAME", "TYPE", "DEFAULT", "WHERE"}}
	places := params.FoldParameters(all)
	below := make([][]string, len(places)+1) // the text below each row
	for i, p := range places {
		rows = append(rows, []string{
			console.OneLine(strings.Join(append([]string{p.Name}, p.Aliases...), ", ")), console.OneLine(typeText(p.ParameterPlace)),
			console.OneLine(p.Default),
			console.OneLine(whereText(p)),
		})
		below[i+1] = []string{console.OneLine(p.Description)}
	}
	if width == 0 {
		rows[0] = append(rows[0], "DESCRIPTION")
		for i := range places {
			rows[i+1] = append(rows[i+1], below[i+1]...)
		}
		return formatTable(rows, make([][]string, len(rows)), 0)
	}
	if beside := cutColumns(rows, widestName, widestValue); console.Widest(formatTable(beside, make([][]string, len(rows)), 0)) <= width {
		return formatTable(beside, below, width)
	}
	for i, r := range rows {
		if i > 0 {
			below[i] = append(console.WrapWords(r[3], width-4), below[i]...)
		}
		rows[i] = r[:3]
	}
	rows = cutColumns(rows, max(16, width*2/5), max(8, width/4))
	return formatTable(rows, below, width)
}

// cutColumns are rows with names, types and defaults of some width at most.
func cutColumns(rows [][]string, name, value int) [][]string {
	out := make([][]string, len(rows))
	for i, r := range rows {
		out[i] = slices.Clone(r)
		out[i][0], out[i][1], out[i][2] = widget.Cut(r[0], name), widget.Cut(r[1], value), widget.Cut(r[2], value)
	}
	return out
}

// formatTable sets rows in columns, and below each row its texts, wrapped.
func formatTable(rows, below [][]string, width int) string {
	wide := make([]int, len(rows[0])-1) // the last column needs none
	for _, r := range rows {
		for k := range wide {
			wide[k] = max(wide[k], widget.Width(r[k]))
		}
	}
	var b strings.Builder
	for i, r := range rows {
		line := ""
		for k, w := range wide {
			line += r[k] + strings.Repeat(" ", w-widget.Width(r[k])+2)
		}
		b.WriteString(strings.TrimRight(line+r[len(r)-1], " ") + "\n")
		for _, text := range below[i] {
			if text == "" {
				continue
			}
			if !strings.Contains(text, " ") { // a path is one word, that can be copied
				b.WriteString("    " + text + "\n")
				continue
			}
			for _, l := range wrapped(text, max(20, min(width, 100)-4)) {
				b.WriteString("    " + l + "\n")
			}
		}
	}
	return b.String()
}

// wrapped is a text in lines. They end at blanks, so that a flag is not parted at its dashes; a
// text without blanks, as Chinese is, ends where the line is full.
func wrapped(text string, width int) []string {
	lines := console.WrapWords(text, width)
	if slices.ContainsFunc(lines, func(l string) bool { return widget.Width(l) > width }) {
		return widget.Wrap(text, width)
	}
	return lines
}

// typeText is a parameter's type: "string, required".
func typeText(p params.ParameterPlace) string {
	switch {
	case p.Required && p.Type == "":
		return "required"
	case p.Required:
		return p.Type + ", required"
	}
	return p.Type
}

// whereText names the page, the line of its file and the section.
func whereText(p params.FoldedParameter) string {
	s := fmt.Sprintf("%s/%s:%d", p.DocSet, p.FilePath, cmp.Or(p.SourceLines[0], p.Lines[0]))
	if p.Section != "" && p.Section != p.Name {
		s += " (" + p.Section + ")"
	}
	if p.More > 0 {
		s += " and " + plural.Count(p.More, "other place", "other places")
	}
	return s
}
