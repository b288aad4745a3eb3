package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

// view is what the command line adds to an operation: its words, and its answer for people.
// An operation without one is a command all the same, whose answer is printed as JSON.
type view struct {
	use           string // the usage behind the name, if the arguments do not give it
	long, example string
	aliases       []string          // other names of the command
	usage         map[string]string // of flags of which more is to be said than the operation does
	complete      cobra.CompletionFunc
	args          string // what the command takes, for the error where something else is given
	// command makes the command where it is more than the driver makes of the operation.
	command func() *cobra.Command
	// below are the commands below the operation's, or nil.
	below   func() []*cobra.Command
	partial bool // an answer that came with an error is printed too
	// show prints an answer, and after prints the messages about it and returns the exit
	// code.
	show, after func(answer any) error
}

// typedAnswer makes a function of any answer of one of a certain type.
func typedAnswer[Ans any](do func(Ans) error) func(any) error {
	return func(answer any) error { return do(answer.(Ans)) }
}

// operation is an operation whose command is more than its driver makes of it.
func (c *command) operation(name string) operation.Operation[*service.Services] {
	op, ok := operation.FindNamed(c.operations, name)
	if !ok {
		panic("there is no operation " + name) // a command without its operation is a fault of the program
	}
	return op
}

// readRequest reads the flags of a command into the request of its operation.
func readRequest[R any](c *command, cmd *cobra.Command, op operation.Operation[*service.Services]) (R, error) {
	var req R
	err := c.readFlags(cmd, op, reflect.ValueOf(&req))
	return req, err
}

// operationViews are those of the operations by their names.
func (c *command) operationViews() map[string]view {
	return map[string]view{
		"ask":                   {command: c.askCmd},
		answers.SearchOperation: {command: c.searchCmd},
		"phase":                 {command: c.phaseCmd},
		"verify":                {command: c.verifyCmd},
		"param":                 c.paramView(),
		"sets":                  c.setsView(),
		"jobs":                  c.jobsView(),
	}
}

// operationCmds are the commands of the operations.
func (c *command) operationCmds() []*cobra.Command {
	var out []*cobra.Command
	views := c.operationViews()
	for _, op := range c.operations {
		switch v := views[op.Name]; {
		case !op.Command:
		case v.command != nil:
			out = append(out, v.command())
		default:
			out = append(out, c.operationCmd(op, v))
		}
	}
	return out
}

// operationCmd makes the command of an operation.
func (c *command) operationCmd(op operation.Operation[*service.Services], v view) *cobra.Command {
	use := []string{op.Name}
	for _, f := range op.FieldsAt(operation.Argument) {
		use = append(use, f.Name)
	}
	cmd := &cobra.Command{Use: strings.Join(use, " "), Short: op.Line, Args: cobra.ArbitraryArgs, Long: v.long, Example: v.example,
		Aliases: v.aliases, ValidArgsFunction: v.complete}
	if w := op.Words; v.use == "" && w.Text != nil {
		v = c.wordedView(op)
		cmd.Long, cmd.Example, cmd.ValidArgsFunction = v.long, v.example, v.complete
	}
	if v.use != "" {
		cmd.Use = op.Name + " " + v.use
	}
	if v.complete == nil {
		cmd.ValidArgsFunction = completeWords()
	}
	addFlags(cmd, op.FieldsAt(operation.Flag), v.usage)
	for name := range op.Words.Usage {
		completeFlag(cmd, name, completeWords())
	}
	if v.below != nil {
		cmd.AddCommand(v.below()...)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		req := reflect.New(op.Request)
		if err := c.readArguments(cmd, op, v, args, req); err != nil {
			return err
		}
		if checked, ok := req.Elem().Interface().(operation.Checked); ok {
			if err := checked.CheckRequest(); err != nil {
				return err
			}
		}
		ctx := cmd.Context()
		return c.withHome(ctx, func(a *app.App) error {
			answer, err := op.Do(ctx, a.Services, req.Elem().Interface(), c.showWork())
			switch {
			case err != nil && v.partial && !c.json:
				return errors.Join(v.show(answer), err)
			case err != nil:
				return err
			case c.json || v.show == nil:
				err = c.printJSON(answer)
			default:
				err = v.show(answer)
			}
			if err == nil && v.after != nil {
				err = v.after(answer)
			}
			return err
		})
	}
	return cmd
}

// wordedView is the view of an operation that has its own words.
func (c *command) wordedView(op operation.Operation[*service.Services]) view {
	w := op.Words
	v := view{use: w.Use, long: w.Long, example: w.Example, usage: w.Usage, complete: completeWords(), partial: true,
		show: func(answer any) error {
			w.Text(answer, operation.Paper{Quiet: c.quiet, Verbose: c.verbose > 0, Note: c.note,
				Line: func(text string) { fmt.Fprintln(c.io.Out, oneLine(text)) },
				Row: func(name, text string) {
					fmt.Fprint(c.io.Out, c.wrapped(fmt.Sprintf("%-14s ", name), oneLine(text), 15))
				}})
			return nil
		}}
	if w.Completes == operation.SetsOrPage {
		v.complete = c.completeSetsOrPage
	}
	return v
}

// completeSetsOrPage completes with pages behind the name of a doc set, else with doc sets.
func (c *command) completeSetsOrPage(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(typed, "/") {
		return c.completePages()(cmd, args, typed)
	}
	return c.completeSets()(cmd, args, typed)
}

// showWork shows the progress of an operation, and its messages.
func (c *command) showWork() pipeline.Sink {
	progress := newBar(c)
	return func(e pipeline.Event) {
		if e.Kind == pipeline.PhaseNote {
			c.note("%s", e.Text)
			return
		}
		progress.showEvent(e)
	}
}

// setFlag is the flag of all commands that narrows to doc sets.
const setFlag = "set"

// addFlags makes the flags of a request's fields.
func addFlags(cmd *cobra.Command, fields []operation.Field, usage map[string]string) {
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
			completeFlag(cmd, f.Name, completeWords(f.Enum...))
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
func (c *command) readArguments(cmd *cobra.Command, op operation.Operation[*service.Services], v view, args []string,
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
			return c.wrongArguments(cmd, v)
		}
		if err := f.Read(req, args[i:i+1]); err != nil {
			return err
		}
	}
	if len(args) > len(named) {
		return c.wrongArguments(cmd, v)
	}
	return c.readFlags(cmd, op, req)
}

func (c *command) wrongArguments(cmd *cobra.Command, v view) error {
	takes := v.args
	if takes == "" {
		takes = "no arguments"
	}
	return usageError("%s takes %s; %s --help has an example", called(cmd), takes, called(cmd))
}

// readFlags reads the flags of a command into a request.
func (c *command) readFlags(cmd *cobra.Command, op operation.Operation[*service.Services], req reflect.Value) error {
	for _, f := range op.FieldsAt(operation.Flag) {
		if f.Name == setFlag {
			f.Set(req, c.sets)
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
