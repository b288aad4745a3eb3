// Package cli is the command line: one file a command, progress on a terminal's
// standard error, results on standard output, and the exit codes that scripts
// rely on.
//
// It decides what a person sees; it refuses to know how anything works.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/config"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/spelling"
)

// IO is the outside world of a command.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	// OutTTY and ErrTTY report whether those are terminals; InTTY too.
	InTTY, OutTTY, ErrTTY bool
	Env                   func(string) string
	// Look tells a variable of the environment that is empty from one that is not
	// set, and Screen is the size of the terminal of Out. nil: no pager.
	Look   func(string) (string, bool)
	Screen func() (w, h int)
	// Secret reads a line from the terminal of In without showing it; nil: it cannot.
	Secret func(context.Context) (string, error)
}

// System is the process's own IO.
func System() IO {
	tty := func(f *os.File) bool { return term.IsTerminal(f.Fd()) }
	return IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, InTTY: tty(os.Stdin), OutTTY: tty(os.Stdout), ErrTTY: tty(os.Stderr),
		Env: os.Getenv, Look: os.LookupEnv, Screen: func() (w, h int) {
			w, h, err := term.GetSize(os.Stdout.Fd())
			if err != nil {
				return 0, 0
			}
			return w, h
		}, Secret: secret}
}

// command is what all commands share.
type command struct {
	io     IO
	manual fs.FS

	home, config string
	engine       string
	chatModel    string
	embedModel   string
	sets         []string
	json         bool
	jsonErrors   bool // errors are JSON on standard output, whatever is wrong with the flags
	filter       bool // errors are JSON on standard output, and a line for a person
	quiet        bool
	verbose      int
	decisions    bool // the domain of each file is printed while it is indexed
	version      bool
	session      string
	noColor      bool

	operations []operation.Operation[*service.Services]

	ending ending
	work   *undertaking // what the command is doing to the home; nil: nothing
}

// Main runs the program with its arguments and returns the exit code.
func Main(io IO, manual fs.FS, args []string) int {
	out := &outlet{to: io.Out, tty: io.OutTTY}
	io.Out, io.Err = out, &outlet{to: io.Err, tty: io.ErrTTY}
	c := &command{io: io, manual: manual}
	ctx, stop := c.ending.listen()
	defer stop()
	root := c.rootCmd()
	c.jsonErrors = wantsJSON(args)
	if len(args) == 0 || !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		args = literal(root, args) // what a shell completes is no question yet
	}
	root.SetArgs(args)
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	err := root.ExecuteContext(ctx)
	if code, did := c.ending.signalCode(); code != 0 && (err != nil || c.work != nil) {
		return c.reportSignal(code, did, err)
	}
	if _, ended := errors.AsType[exitCode](err); err == nil || ended || errors.Is(err, out.err) {
		if fault := out.writeError(); fault != nil {
			err = fault // an answer that could not be written is an error
		}
	}
	if err == nil {
		return codeOK
	}
	return c.reportError(err)
}

// wantsJSON reports whether the arguments ask for JSON, also if they cannot be parsed.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	if slices.Contains(args, "--json") {
		return true
	}
	i := slices.Index(args, "--contract")
	return slices.Contains(args, "search") && (slices.Contains(args, "--contract=docs") || i >= 0 && slices.Contains(args[i:], "docs"))
}

func (c *command) rootCmd() *cobra.Command {
	c.operations = app.Operations()
	root := &cobra.Command{
		Use:           "docent [QUESTION]",
		Short:         "ask your documentation; get cited answers",
		Long:          "docent finds, reads and cites documentation; without a command it opens the app.",
		Example:       `  docent ask "how do I add a doc set"`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          c.runApp,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			if c.io.Env("NO_COLOR") != "" {
				c.noColor = true
			}
		},
	}
	f := root.PersistentFlags()
	f.StringVar(&c.home, "home", "", "folder that holds everything the program writes (or DOCENT_HOME)")
	f.StringVar(&c.config, "config", "", "configuration file (default: docent.toml in the home)")
	f.StringArrayVar(&c.sets, "set", nil, "narrow to the doc set `NAME[@VERSION]`; repeatable")
	f.BoolVar(&c.json, "json", false, "print JSON")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "print results only")
	// A count of pflag's would show its type in the help.
	f.BoolFuncP("verbose", "v", "say more on standard error", func(string) error {
		c.verbose++
		return nil
	})
	f.StringVar(&c.engine, "engine", "", "`WHO` answers: auto, builtin, ollama or openai (and --chat-model, --embed-model NAME)")
	f.StringVar(&c.chatModel, "chat-model", "", "the model for text, by its `NAME` on the server")
	f.StringVar(&c.embedModel, "embed-model", "", "the model for vectors, by its `NAME` on the server")
	for _, name := range []string{"chat-model", "embed-model"} {
		if err := f.MarkHidden(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	f.BoolVar(&c.noColor, "no-color", false, "no colours (or NO_COLOR)")
	root.Flags().BoolVar(&c.version, "version", false, "print the program's version")
	root.Flags().BoolP("help", "h", false, "")
	for _, name := range []string{"help", "version"} { // the commands stand above
		if err := root.Flags().MarkHidden(name); err != nil {
			panic(err)
		}
	}
	root.Flags().StringVar(&c.session, "session", "", "open the app on a saved session: a `FILE`, or a name of docent sessions")
	completeFlag(root, "set", c.completeSets())
	completeFlag(root, "engine", completeWords(config.Engines()...))
	completeFlag(root, "session", c.completeSession)
	completeFlag(root, "home", folders)
	completeFlag(root, "config", cobra.FixedCompletions([]string{"toml"}, cobra.ShellCompDirectiveFilterFileExt))
	root.SetFlagErrorFunc(c.badFlag)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(c.helpCmd())
	root.AddCommand(c.readCmd(), c.graphCmd(), c.diffCmd(),
		c.addCmd(), c.updateCmd(), c.watchCmd(), c.removeCmd(), c.workerCmd(), c.serveCmd(), c.mcpCmd(),
		c.sessionsCmd(), c.evalCmd(), c.modelsCmd(), c.statusCmd(), c.doctorCmd(), c.configCmd(), c.completionCmd(), c.versionCmd())
	root.AddCommand(c.operationCmds()...)
	root.AddGroup(&cobra.Group{ID: seldom})
	for _, sub := range root.Commands() {
		if slices.Contains(seldomUsed(), sub.Name()) {
			sub.GroupID = seldom
		}
	}
	root.SetUsageTemplate(usageTemplate)
	return root
}

// seldom is the group of the commands that the help names without a line for each, so
// that it fits a screen.
const seldom = "seldom"

func seldomUsed() []string {
	return []string{"completion", "config", "doctor", "enrich", "eval", "jobs", "models", "sessions", "status", "version", "worker"}
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

// options is what the flags and the environment say about the home.
func (c *command) options() app.Options {
	home := c.home
	if home == "" {
		home = c.io.Env("DOCENT_HOME")
	}
	door := app.DoorCommands
	if c.quiet {
		door = "" // an offer that is not shown is made again
	}
	return app.Options{
		Door: door, Home: home, ConfigPath: c.config, App: AppSettings(), Manual: c.manual, Engine: c.engine, ChatModel: c.chatModel,
		EmbedModel: c.embedModel, Env: c.io.Env,
		Say:      func(format string, args ...any) { c.note(format, args...) },
		Progress: newBar(c).showEvent,
	}
}

// openHome opens the home.
func (c *command) openHome(ctx context.Context) (*app.App, error) { return app.Open(ctx, c.options()) }

// withHome opens the home for do and closes it. Where do met a damaged catalog, the home
// is opened again, which mends it, and do is run again if it failed.
func (c *command) withHome(ctx context.Context, do func(*app.App) error) (err error) {
	a, err := c.openHome(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	err = do(a)
	if a.Home.Suspect() && ctx.Err() == nil {
		failed := a.Home.CatalogDamaged(err)
		again, oerr := c.reopen(ctx, a)
		if oerr != nil {
			return errors.Join(err, oerr)
		}
		if a = again; failed {
			err = do(a)
		}
	}
	switch {
	case c.work != nil && err == nil:
		c.work.done, c.work.undone = c.work.sets, nil
	case c.work != nil && c.work.begun && ctx.Err() != nil:
		c.work.noteOutcome(context.WithoutCancel(ctx), a)
	}
	if ctx.Err() != nil {
		return err
	}
	// Missing and damaged data is repaired after the answer is written.
	if merr := a.Care.MendData(ctx, false, home.Watch{Events: newBar(c).showEvent}); err == nil {
		err = merr
	}
	if ctx.Err() != nil {
		return err
	}
	if a.Home.Unsearched != nil && err == nil {
		c.note("%v", a.Home.Unsearched)
	}
	if a.Home.Unready != nil && (err == nil || err.Error() != a.Home.Unready.Error()) {
		c.note("%v", a.Home.Unready) // else it is the command's own error
	}
	return err
}

// reopen closes the home and opens it again.
func (c *command) reopen(ctx context.Context, a *app.App) (*app.App, error) {
	if err := a.Close(); err != nil {
		return nil, err
	}
	return c.openHome(ctx)
}

// note tells a person something on standard error.
func (c *command) note(format string, args ...any) {
	if !c.quiet {
		fmt.Fprintf(c.io.Err, "docent: "+format+"\n", cleanArgs(args)...)
	}
}

// runApp is docent without a command.
func (c *command) runApp(cmd *cobra.Command, args []string) error {
	if c.version {
		return c.printVersion()
	}
	if err := misspelledCommand(cmd.Root(), args); err != nil {
		return err
	}
	if !c.io.InTTY || !c.io.OutTTY {
		if len(args) > 0 || c.session != "" {
			return usageError("the app needs a terminal, and there is none; docent ask \"…\" answers here")
		}
		cmd.SetOut(c.io.Out)
		if err := cmd.Help(); err != nil {
			return err
		}
		return exitCode(codeUsage)
	}
	if isDumbTerminal(c.io.Env("TERM")) {
		return usageError("the app needs a terminal that can move its cursor, and TERM is %q; set TERM to your terminal's name, or ask "+
			"here: docent ask \"…\"", c.io.Env("TERM"))
	}
	if c.session == "" {
		return c.openTerminalApp(cmd.Context(), strings.Join(args, " "), nil)
	}
	if len(args) > 0 {
		return usageError("a session has its question already; leave %q out, or --session", strings.Join(args, " "))
	}
	s, err := c.loadSession(cmd.Context(), c.session)
	if err != nil {
		return err
	}
	return c.openTerminalApp(cmd.Context(), "", &s)
}

// isDumbTerminal reports whether a terminal of this name can show no app. Windows names none.
func isDumbTerminal(name string) bool {
	return name == "dumb" || name == "" && runtime.GOOS != "windows"
}

// misspelledCommand is an error where the first word is nearly a command: that was hardly meant as
// a question. A question in quotes is one argument, and is never taken for a command.
func misspelledCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], " ?？") || len(args[0]) < 3 {
		return nil
	}
	near, ask := spelling.FingerSlips(args[0], commandWords(root)), fmt.Sprintf("docent \"%s\"", strings.Join(args, " "))
	if len(args) == 1 {
		ask = "docent ask " + args[0]
		if len(near) == 0 {
			near = spelling.Nearest(args[0], commandNames(root))
		}
	}
	meant := map[*cobra.Command]bool{}
	near = slices.DeleteFunc(near, func(n string) bool { // sets, ls and list are one command
		sub, _, err := root.Find([]string{n})
		was := meant[sub]
		meant[sub] = true
		return err != nil || was
	})
	if len(near) == 0 {
		return nil
	}
	for i, n := range near {
		near[i] = "docent " + n
	}
	return usageError("there is no command %q; did you mean %s? (to ask it as a question: %s)", args[0], strings.Join(near, " or "), ask)
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, sub := range root.Commands() {
		names = append(names, sub.Name())
	}
	slices.Sort(names)
	return names
}

// commandWords are the names of the commands, and their other names.
func commandWords(root *cobra.Command) []string {
	names := commandNames(root)
	for _, sub := range root.Commands() {
		names = append(names, sub.Aliases...)
	}
	slices.Sort(names)
	return names
}

// called is a command as it was called: by its name or another one of its names.
func called(cmd *cobra.Command) string {
	path := cmd.CommandPath()
	if as := cmd.CalledAs(); as != "" && cmd.HasParent() {
		path = strings.TrimSuffix(path, cmd.Name()) + as
	}
	return path
}

// noArgs and its like give errors of this program's form.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError("%s takes %s; %s --help has an example", called(cmd), what, called(cmd))
		}
		return nil
	}
}

func mostArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usageError("%s takes %s; %s --help has an example", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}

func minArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError("%s takes %s; %s --help has an example", called(cmd), what, called(cmd))
		}
		return nil
	}
}
