package driver

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// Paper takes the text of an answer.
type Paper = operation.Paper

// Written makes the text of any answer of that of answers of a certain type.
func Written[Ans any](write func(Ans, Paper)) func(any, Paper) {
	return func(answer any, to Paper) { write(answer.(Ans), to) }
}

// Table is text in columns, which a tab in a row separates.
type Table struct {
	text  strings.Builder
	align *tabwriter.Writer
}

// NewTable is a table without rows.
func NewTable() *Table {
	t := &Table{}
	t.align = tabwriter.NewWriter(&t.text, 0, 4, 2, ' ', 0)
	return t
}

// Row adds a row.
func (t *Table) Row(format string, args ...any) { fmt.Fprintf(t.align, format+"\n", args...) }

// Write writes the rows.
func (t *Table) Write(to Paper) {
	_ = t.align.Flush() // a builder takes everything
	for line := range strings.Lines(t.text.String()) {
		to.Line(strings.TrimSuffix(line, "\n"))
	}
}

// write prints an answer on standard output as its text says.
func write(c *invocation.Call, text func(any, Paper), answer any) {
	text(answer, Paper{Quiet: c.Quiet, Verbose: c.Verbose > 0, Width: c.TerminalWidth(), Note: c.Note,
		Line: func(text string) { fmt.Fprintln(c.IO.Out, console.OneLine(text)) },
		Row: func(name, text string) {
			fmt.Fprint(c.IO.Out, c.Wrapped(fmt.Sprintf("%-14s ", name), console.OneLine(text), 15))
		}})
}

// Question is an operation that another door may run as it is: it takes nothing that may not
// be left out, or a page alone, answers at once, and its answer has a text for people.
type Question struct {
	Name, Line string
	OnPage     bool // it takes a page
	// Ask runs it, for a page if it takes one, and gives the lines of its answer.
	Ask func(ctx context.Context, s *service.Services, page string) ([]string, error)
}

// Questions are those among the operations, in their order.
func Questions(ops []operation.Operation[*service.Services], views map[string]View) []Question {
	var out []Question
	for _, op := range ops {
		text := op.Words.Text
		if text == nil {
			text = views[op.Name].Text
		}
		needed := neededArguments(op)
		onPage := len(needed) == 1 && needed[0].Name == operation.PageArgument
		if !op.Command || text == nil || op.Words.Doing != "" || len(needed) > 0 && !onPage {
			continue
		}
		out = append(out, Question{op.Name, op.Line, onPage, func(ctx context.Context, s *service.Services, page string) ([]string, error) {
			req := reflect.New(op.Request)
			if onPage {
				if err := needed[0].Read(req, []string{page}); err != nil {
					return nil, err
				}
			}
			answer, err := op.Do(ctx, s, req.Elem().Interface(), nil)
			if err != nil {
				return nil, err
			}
			return textLines(text, answer), nil
		}})
	}
	return out
}

// neededArguments are the arguments that may not be left out.
func neededArguments(op operation.Operation[*service.Services]) []operation.Field {
	return slices.DeleteFunc(op.FieldsAt(operation.Argument), func(f operation.Field) bool { return f.Optional })
}

// textLines are the lines of an answer's text, its remarks among them.
func textLines(text func(any, Paper), answer any) []string {
	var lines []string
	line := func(text string) { lines = append(lines, console.OneLine(text)) }
	text(answer, Paper{Line: line, Row: func(name, text string) { line(fmt.Sprintf("%-14s %s", name, text)) },
		Note: func(format string, args ...any) { line(fmt.Sprintf(format, console.CleanArgs(args)...)) }})
	return lines
}
