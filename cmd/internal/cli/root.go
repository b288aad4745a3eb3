// Package cli is the command line: the root of the commands, from the arguments to the
// exit code. Each group of commands is a package below this one.
//
// It decides which commands there are; it refuses to know how one of them works.
package cli

import (
	"errors"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/asking"
	"docent/cmd/internal/cli/comparing"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/configuring"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/helping"
	"docent/cmd/internal/cli/indexing"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/measuring"
	"docent/cmd/internal/cli/modelling"
	"docent/cmd/internal/cli/packing"
	"docent/cmd/internal/cli/projects"
	"docent/cmd/internal/cli/reading"
	"docent/cmd/internal/cli/reporting"
	"docent/cmd/internal/cli/saving"
	"docent/cmd/internal/cli/serving"
	"docent/cmd/internal/cli/sourcing"
	"docent/cmd/internal/cli/tending"
	"docent/cmd/internal/cli/terminal"
	"docent/cmd/internal/cli/uploading"
	"docent/pipeline/service/operation"
)

// Main runs the program with its arguments and returns the exit code.
func Main(io console.IO, manual fs.FS, args []string) int {
	out := &console.Outlet{To: io.Out, TTY: io.OutTTY}
	io.Out, io.Err = out, &console.Outlet{To: io.Err, TTY: io.ErrTTY}
	c := &invocation.Call{IO: io, Manual: manual, App: terminal.AppSettings(), Operations: app.Operations()}
	ctx, stop := c.Ending.Listen()
	defer stop()
	root := rootCmd(c)
	c.JSONErrors = arguments.WantsJSON(args)
	if len(args) == 0 || !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		args = arguments.QuestionsBehindDashes(root, args) // what a shell completes is no question yet
	}
	c.Args = args
	root.SetArgs(args)
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	err := root.ExecuteContext(ctx)
	if code, did := c.Ending.SignalCode(); code != 0 && (err != nil || c.Work != nil) {
		return reporting.Signal(c, code, did, err)
	}
	if _, ended := errors.AsType[failure.ExitCode](err); err == nil || ended || errors.Is(err, out.Err) {
		if fault := out.WriteError(); fault != nil {
			err = fault // an answer that could not be written is an error
		}
	}
	if err == nil {
		return failure.CodeOK
	}
	return reporting.Error(c, err)
}

// rootCommand is docent without a command: it opens the app.
type rootCommand struct {
	call      *invocation.Call
	version   bool
	session   string
	questions []driver.Question // operations that the app offers
}

func rootCmd(c *invocation.Call) *cobra.Command {
	r := &rootCommand{call: c}
	root := &cobra.Command{
		Use:           "docent [QUESTION]",
		Short:         "ask your documentation; get cited answers",
		Long:          "docent finds, reads and cites documentation; without a command it opens the app.",
		Example:       `  docent ask "how do I add a doc set"`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          r.run,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			if c.IO.Env("NO_COLOR") != "" {
				c.NoColor = true
			}
		},
	}
	arguments.AddGlobalFlags(c, root)
	root.Flags().BoolVar(&r.version, "version", false, "print the program's version")
	root.Flags().BoolP("help", "h", false, "")
	for _, name := range []string{"help", "version"} { // the commands stand above
		if err := root.Flags().MarkHidden(name); err != nil {
			panic(err)
		}
	}
	saving.AddSessionFlag(c, root, &r.session)
	root.SetFlagErrorFunc(arguments.BadFlag(c))
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(helping.HelpCommand(c))
	for _, group := range groups() {
		if group.commands != nil {
			root.AddCommand(group.commands(c)...)
		}
	}
	if add, _, err := root.Find([]string{"add"}); err == nil {
		projects.AddAlone(c, add)
	}
	views := viewsOf(c)
	root.AddCommand(driver.Commands(c, views)...)
	r.questions = driver.Questions(c.Operations, views)
	root.AddGroup(&cobra.Group{ID: seldom})
	for _, sub := range root.Commands() {
		op, ok := operation.FindNamed(c.Operations, sub.Name())
		if slices.Contains(seldomUsed(), sub.Name()) || ok && op.Words.Seldom {
			sub.GroupID = seldom
		}
	}
	root.SetUsageTemplate(usageTemplate)
	helping.SetHelp(c, root)
	return root
}

// group are the commands about one subject: those with code of their own, and the views
// of those that are made from an operation.
type group struct {
	commands func(*invocation.Call) []*cobra.Command
	views    func(*invocation.Call) map[string]driver.View
}

func groups() []group {
	return []group{
		{nil, asking.Views}, {saving.Commands, nil}, {nil, reading.Views}, {nil, comparing.Views},
		{indexing.Commands, indexing.Views}, {projects.Commands, nil}, {packing.Commands, nil}, {nil, sourcing.Views},
		{uploading.Commands, uploading.Views}, {tending.Commands, tending.Views}, {configuring.Commands, nil},
		{modelling.Commands, nil}, {measuring.Commands, nil}, {serving.Commands, nil}, {helping.Commands, nil},
	}
}

// viewsOf are the views of all groups by the names of their operations.
func viewsOf(c *invocation.Call) map[string]driver.View {
	views := map[string]driver.View{}
	for _, group := range groups() {
		if group.views != nil {
			maps.Copy(views, group.views(c))
		}
	}
	return views
}

// seldom is the group of the commands that the help names without a line for each, so
// that it fits a screen: those of this list, and those whose operations say so.
const seldom = "seldom"

func seldomUsed() []string {
	return []string{"completion", "config", "doctor", "eval", "graph", "jobs", "migrate", "models", "pack", "sessions", "status", "version",
		"watch", "worker"}
}

// usageTemplate is cobra's, with the example last, so that help ends with
// something that can be typed.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{if .Runnable}}{{.UseLine}}
  {{end}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if and (eq .GroupID "") (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{if .Groups}}

More commands (docent help COMMAND):
 {{range .Commands}}{{if and (ne .GroupID "") .IsAvailableCommand}} {{.Name}}{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if and .HasAvailableInheritedFlags (not .HasAvailableSubCommands)}}

Everywhere: --home --config --set --json --engine -q -v --no-color (docent --help){{end}}{{if .HasExample}}

Example:
{{.Example}}{{end}}
`

// run opens the app.
func (r *rootCommand) run(cmd *cobra.Command, args []string) error {
	c := r.call
	if r.version {
		return helping.PrintVersion(c)
	}
	if err := arguments.MisspelledCommand(cmd.Root(), args); err != nil {
		return err
	}
	if err := arguments.OtherCommand(args, func(name string) bool { return completing.IsDocSet(cmd, c, name) }); err != nil {
		return err
	}
	if !c.IO.InTTY || !c.IO.OutTTY {
		switch {
		case r.session != "":
			return failure.UsageError("the app needs a terminal, and there is none; docent sessions export NAME prints a session here")
		case len(args) > 0:
			return asking.AskPlainly(c, cmd, args)
		}
		return indexing.Welcome(cmd.Context(), c)
	}
	if isDumbTerminal(c.IO.Env("TERM")) {
		return failure.UsageError("the app needs a terminal that can move its cursor, and TERM is %q; set TERM to your terminal's name, "+
			"or ask "+
			"here: docent ask \"…\"", c.IO.Env("TERM"))
	}
	if r.session == "" {
		return terminal.Open(cmd.Context(), c, terminal.Start{Question: strings.Join(args, " "), Questions: r.questions})
	}
	if len(args) > 0 {
		return failure.UsageError("a session has its question already; leave %q out, or --session", strings.Join(args, " "))
	}
	s, err := saving.LoadSession(cmd.Context(), c, r.session)
	if err != nil {
		return err
	}
	return terminal.Open(cmd.Context(), c, terminal.Start{Saved: &s, Questions: r.questions})
}

// isDumbTerminal reports whether a terminal of this name can show no app. Windows names none.
func isDumbTerminal(name string) bool {
	return name == "dumb" || name == "" && runtime.GOOS != "windows"
}
