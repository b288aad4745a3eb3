// Package driver makes commands from operations: flags, help, completion, bounds, JSON. A
// View adds words and the answer for people.
//
// It refuses to know any operation by name.
package driver

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
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
	// Flags makes flags that are the command line's own, such as those on the form of an
	// answer, and Values completes the values of flags.
	Flags  func(*pflag.FlagSet)
	Values map[string]cobra.CompletionFunc
	// Read makes the request of a command that takes more than arguments and flags, such as
	// standard input.
	Read func(cmd *cobra.Command, args []string) (request any, err error)
	// Check refuses a request before the home is opened.
	Check func(request any) error
	// Command makes the command where it is more than the driver makes of the operation.
	Command func(*invocation.Call) *cobra.Command
	// Below are the commands below the operation's, or nil.
	Below func() []*cobra.Command
	// AtOnce says that the command only reads: it does not wait until other doc sets are repaired.
	AtOnce  bool
	partial bool // an answer that came with an error is printed too
	// JSON is the part of an answer that is printed as JSON; nil: all of it.
	JSON func(answer any) any
	// Text writes an answer for people, in place of Show.
	Text func(answer any, to operation.Paper)
	// Before prints the messages that stand above an answer, Show prints it for people, and
	// After prints the messages about it and returns the exit code.
	Before, Show, After func(answer any) error
}

// Typed makes a function of any value of one of values of a certain type.
func Typed[T any](do func(T) error) func(any) error {
	return func(value any) error { return do(value.(T)) }
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
		v = wordedView(c, w)
		cmd.Long, cmd.Example, cmd.ValidArgsFunction = v.Long, v.Example, v.Complete
	}
	if v.Text != nil {
		v.Show = func(answer any) error {
			write(c, v.Text, answer)
			return nil
		}
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
	if v.Flags != nil {
		v.Flags(cmd.Flags())
	}
	for name, complete := range v.Values {
		completing.Flag(cmd, name, complete)
	}
	if v.Below != nil {
		cmd.AddCommand(v.Below()...)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		req, err := v.readRequest(c, cmd, op, args)
		if err != nil {
			return err
		}
		if err := v.checkRequest(req); err != nil {
			return err
		}
		ctx, open := cmd.Context(), c.WithHome
		if v.AtOnce {
			open = c.WithHomeAtOnce
		}
		return open(ctx, func(a *app.App) error {
			answer, err := op.Do(ctx, a.Services, req, showWork(c, op))
			switch {
			case err != nil && v.partial && !c.JSON:
				return errors.Join(v.Show(answer), err)
			case err != nil:
				return err
			}
			return v.print(c, answer)
		})
	}
	return cmd
}

// readRequest reads the request of a command.
func (v View) readRequest(c *invocation.Call, cmd *cobra.Command, op operation.Operation[*service.Services], args []string) (any, error) {
	if v.Read != nil {
		return v.Read(cmd, args)
	}
	req := reflect.New(op.Request)
	err := readArguments(c, cmd, op, v, args, req)
	return req.Elem().Interface(), err
}

// checkRequest checks what the bounds of the fields do not say.
func (v View) checkRequest(req any) error {
	if v.Check != nil {
		if err := v.Check(req); err != nil {
			return err
		}
	}
	if checked, ok := req.(operation.Checked); ok {
		return checked.CheckRequest()
	}
	return nil
}

// print prints an answer with the messages about it, and returns the exit code.
func (v View) print(c *invocation.Call, answer any) error {
	show := v.Show
	if c.JSON || show == nil {
		show = func(answer any) error {
			if v.JSON != nil {
				answer = v.JSON(answer)
			}
			return c.PrintJSON(answer)
		}
	}
	for _, do := range []func(any) error{v.Before, show, v.After} {
		if do == nil {
			continue
		}
		if err := do(answer); err != nil {
			return err
		}
	}
	return nil
}

// wordedView is the view of an operation that has its own words.
func wordedView(c *invocation.Call, w operation.Words) View {
	v := View{Use: w.Use, Long: w.Long, Example: w.Example, Usage: w.Usage, Complete: completing.Words(), partial: true, Text: w.Text}
	if w.Completes == operation.SetsOrPage {
		v.Complete = completing.SetsOrPage(c)
	}
	return v
}

// showWork shows the progress of an operation, and its messages; nil where it names no work.
func showWork(c *invocation.Call, op operation.Operation[*service.Services]) pipeline.Sink {
	if op.Words.Doing == "" {
		return nil
	}
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
		if f.List() && len(args) == 0 && !f.Optional {
			return wrongArguments(cmd, v, named)
		}
		if f.List() {
			f.Set(req, slices.Clone(args))
			args = nil
			break
		}
		if i >= len(args) && f.Optional {
			break
		}
		if i >= len(args) {
			return wrongArguments(cmd, v, named)
		}
		if err := f.Read(req, args[i:i+1]); err != nil {
			return err
		}
	}
	if len(args) > len(named) {
		return wrongArguments(cmd, v, named)
	}
	return readFlags(c, cmd, op, req)
}

func wrongArguments(cmd *cobra.Command, v View, named []operation.Field) error {
	var names []string
	for _, f := range named {
		names = append(names, f.Name)
	}
	takes := cmp.Or(v.Args, strings.Join(names, " "), "no arguments")
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
