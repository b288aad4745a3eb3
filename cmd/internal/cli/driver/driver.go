// Package driver makes commands from operations: flags, help, completion, bounds, JSON. A
// View adds words and the answer for people.
//
// It refuses to know any operation by name.
package driver

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// View is what the command line adds to an operation: its words, and its answer for people.
// An operation without one is a command all the same, whose answer is printed as JSON.
type View struct {
	Use           string // the usage behind the name, if the arguments do not give it
	Long, Example string
	Aliases       []string          // other names of the command
	Usage         map[string]string // of flags of which more is to be said than the operation does
	Complete      cobra.CompletionFunc
	Args          string // what the command takes, for the error where something else is given
	// command makes the command where it is more than the driver makes of the operation.
	Command func(*invocation.Call) *cobra.Command
	// below are the commands below the operation's, or nil.
	Below   func() []*cobra.Command
	partial bool // an answer that came with an error is printed too
	// show prints an answer, and after prints the messages about it and returns the exit
	// code.
	Show, After func(answer any) error
}

// TypedAnswer makes a function of any answer of one of a certain type.
func TypedAnswer[Ans any](do func(Ans) error) func(any) error {
	return func(answer any) error { return do(answer.(Ans)) }
}

// FindOperation is an operation whose command is more than its driver makes of it.
func FindOperation(c *invocation.Call, name string) operation.Operation[*service.Services] {
	op, ok := operation.FindNamed(c.Operations, name)
	if !ok {
		panic("there is no operation " + name) // a command without its operation is a fault of the program
	}
	return op
}

// ReadRequest reads the flags of a command into the request of its operation.
func ReadRequest[R any](c *invocation.Call, cmd *cobra.Command, op operation.Operation[*service.Services]) (R, error) {
	var req R
	err := readFlags(c, cmd, op, reflect.ValueOf(&req))
	return req, err
}

// Commands are the commands of the operations, with their views by their names.
func Commands(c *invocation.Call, views map[string]View) []*cobra.Command {
	var out []*cobra.Command
	for _, op := range c.Operations {
		switch v := views[op.Name]; {
		case !op.Command:
		case v.Command != nil:
			out = append(out, v.Command(c))
		default:
			out = append(out, operationCmd(c, op, v))
		}
	}
	return out
}

// operationCmd makes the command of an operation.
func operationCmd(c *invocation.Call, op operation.Operation[*service.Services], v View) *cobra.Command {
	use := []string{op.Name}
	for _, f := range op.FieldsAt(operation.Argument) {
		use = append(use, f.Name)
	}
	cmd := &cobra.Command{Use: strings.Join(use, " "), Short: op.Line, Args: cobra.ArbitraryArgs, Long: v.Long, Example: v.Example,
		Aliases: v.Aliases, ValidArgsFunction: v.Complete}
	if w := op.Words; v.Use == "" && w.Text != nil {
		v = wordedView(c, op)
		cmd.Long, cmd.Example, cmd.ValidArgsFunction = v.Long, v.Example, v.Complete
	}
	if v.Use != "" {
		cmd.Use = op.Name + " " + v.Use
	}
	if v.Complete == nil {
		cmd.ValidArgsFunction = completing.Words()
	}
	AddFlags(cmd, op.FieldsAt(operation.Flag), v.Usage)
	for name := range op.Words.Usage {
		completing.Flag(cmd, name, completing.Words())
	}
	if v.Below != nil {
		cmd.AddCommand(v.Below()...)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		req := reflect.New(op.Request)
		if err := readArguments(c, cmd, op, v, args, req); err != nil {
			return err
		}
		if checked, ok := req.Elem().Interface().(operation.Checked); ok {
			if err := checked.CheckRequest(); err != nil {
				return err
			}
		}
		ctx := cmd.Context()
		return c.WithHome(ctx, func(a *app.App) error {
			answer, err := op.Do(ctx, a.Services, req.Elem().Interface(), showWork(c))
			switch {
			case err != nil && v.partial && !c.JSON:
				return errors.Join(v.Show(answer), err)
			case err != nil:
				return err
			case c.JSON || v.Show == nil:
				err = c.PrintJSON(answer)
			default:
				err = v.Show(answer)
			}
			if err == nil && v.After != nil {
				err = v.After(answer)
			}
			return err
		})
	}
	return cmd
}

// wordedView is the view of an operation that has its own words.
func wordedView(c *invocation.Call, op operation.Operation[*service.Services]) View {
	w := op.Words
	v := View{Use: w.Use, Long: w.Long, Example: w.Example, Usage: w.Usage, Complete: completing.Words(), partial: true,
		Show: func(answer any) error {
			w.Text(answer, operation.Paper{Quiet: c.Quiet, Verbose: c.Verbose > 0, Note: c.Note,
				Line: func(text string) { fmt.Fprintln(c.IO.Out, console.OneLine(text)) },
				Row: func(name, text string) {
					fmt.Fprint(c.IO.Out, c.Wrapped(fmt.Sprintf("%-14s ", name), console.OneLine(text), 15))
				}})
			return nil
		}}
	if w.Completes == operation.SetsOrPage {
		v.Complete = completing.SetsOrPage(c)
	}
	return v
}

// showWork shows the progress of an operation, and its messages.
func showWork(c *invocation.Call) pipeline.Sink {
	bar := c.ProgressBar()
	return func(e pipeline.Event) {
		if e.Kind == pipeline.PhaseNote {
			c.Note("%s", e.Text)
			return
		}
		bar(e)
	}
}

// setFlag is the flag of all commands that narrows to doc sets.
const setFlag = "set"

// AddFlags makes the flags of a request's fields.
func AddFlags(cmd *cobra.Command, fields []operation.Field, usage map[string]string) {
	fl := cmd.Flags()
	for _, f := range fields {
		if f.Name == setFlag {
			continue
		}
		about := f.Doc
		if more, ok := usage[f.Name]; ok {
			about = more
		}
		addFlag(fl, f, about)
		if len(f.Enum) > 0 {
			completing.Flag(cmd, f.Name, completing.Words(f.Enum...))
		}
	}
}

func addFlag(fl *pflag.FlagSet, f operation.Field, about string) {
	switch f.Type.Kind() {
	case reflect.Int:
		fl.IntP(f.Name, f.Short, 0, about)
	case reflect.Int64:
		fl.DurationP(f.Name, f.Short, 0, about)
	case reflect.Float64:
		fl.Float64P(f.Name, f.Short, 0, about)
	case reflect.Bool:
		fl.BoolP(f.Name, f.Short, false, about)
	case reflect.Slice:
		fl.StringSliceP(f.Name, f.Short, nil, about)
	default:
		fl.StringP(f.Name, f.Short, "", about)
	}
	if f.Default == "" {
		return
	}
	flag := fl.Lookup(f.Name)
	if err := flag.Value.Set(f.Default); err != nil {
		panic(err) // a default of the program's own
	}
	flag.DefValue = flag.Value.String()
}

// readArguments reads the arguments and the flags of a command into a request.
func readArguments(c *invocation.Call, cmd *cobra.Command, op operation.Operation[*service.Services], v View, args []string,
	req reflect.Value) error {
	named := op.FieldsAt(operation.Argument)
	for i, f := range named {
		if f.List() {
			f.Set(req, slices.Clone(args))
			args = nil
			break
		}
		if i >= len(args) && f.Optional {
			break
		}
		if i >= len(args) {
			return wrongArguments(c, cmd, v)
		}
		if err := f.Read(req, args[i:i+1]); err != nil {
			return err
		}
	}
	if len(args) > len(named) {
		return wrongArguments(c, cmd, v)
	}
	return readFlags(c, cmd, op, req)
}

func wrongArguments(c *invocation.Call, cmd *cobra.Command, v View) error {
	takes := v.Args
	if takes == "" {
		takes = "no arguments"
	}
	return failure.UsageError("%s takes %s; %s --help has an example", arguments.Called(cmd), takes, arguments.Called(cmd))
}

// readFlags reads the flags of a command into a request.
func readFlags(c *invocation.Call, cmd *cobra.Command, op operation.Operation[*service.Services], req reflect.Value) error {
	for _, f := range op.FieldsAt(operation.Flag) {
		if f.Name == setFlag {
			f.Set(req, c.Sets)
			continue
		}
		flag := cmd.Flags().Lookup(f.Name)
		if !flag.Changed && (f.Default == "" || f.Pointer()) {
			continue
		}
		given := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			given = list.GetSlice()
		}
		f.Name = "--" + f.Name
		if err := f.Read(req, given); err != nil {
			return err
		}
	}
	return nil
}
