// Package arguments reads the arguments of commands: questions that look
// like flags, misspelled commands and flags, the number of arguments, the flags that all
// commands have.
//
// It refuses to guess: a likely slip is an error that names the nearest word.
package arguments

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/text/spelling"
)

// QuestionsBehindDashes lets a question be a flag, since people look flags up: docent search
// --feature-gates. That holds where the flag is the whole question and is not nearly one
// of the command's own. An argument with a space in it is never a flag. With other words
// an unknown flag is an error (docent ask --budget 3 …), since it is hardly a word of the
// question. Arguments after "--" are taken as they are.
func QuestionsBehindDashes(root *cobra.Command, args []string) []string {
	if slices.Contains(args, "--") {
		return args
	}
	cmd, at := commandOf(root, args)
	if cmd != root && !takesQuestion(cmd) {
		return args
	}
	var flags, words, unknown []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch f := lookup(cmd, arg); {
		case i == at:
		case len(arg) < 2 || arg[0] != '-' || strings.ContainsFunc(arg, unicode.IsSpace):
			words = append(words, arg)
		case isWordBehindDash(cmd, arg):
			unknown = append(unknown, arg)
		case f == nil && (!strings.HasPrefix(arg, "--") || isLikelyFlag(cmd, arg)):
			return args // cobra reports the fault
		case f == nil:
			unknown = append(unknown, arg)
		case cmd.Name() == "param" && i == len(args)-1 && takesNext(f, arg) && len(words) == 0:
			unknown = append(unknown, arg) // without a value it is the name that is looked up
		default:
			flags = append(flags, arg)
			if takesNext(f, arg) && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		}
	}
	switch {
	case len(unknown) == 1 && len(words) == 0:
		words = unknown
	case len(unknown) > 0 || !slices.ContainsFunc(words, func(w string) bool { return len(w) > 1 && w[0] == '-' }):
		return args
	}
	var out []string
	if at >= 0 {
		out = append(out, args[at])
	}
	return append(append(append(out, flags...), "--"), words...)
}

// isWordBehindDash reports whether an argument is a long option with one dash, as Tk, Java and
// find have them (-wraplength), and no letters that are flags of the command.
func isWordBehindDash(cmd *cobra.Command, arg string) bool {
	word, ok := strings.CutPrefix(arg, "-")
	if !ok || len(word) < 3 || word[0] == '-' || isLikelyFlag(cmd, "--"+word) {
		return false
	}
	for i := range len(word) {
		f := lookup(cmd, "-"+word[i:])
		if f == nil {
			return true
		}
		if f.NoOptDefVal == "" {
			return false // the rest is its value
		}
	}
	return false
}

// commandOf finds the command that the arguments name, and where; -1: none.
func commandOf(root *cobra.Command, args []string) (*cobra.Command, int) {
	for i := 0; i < len(args); i++ {
		if name, ok := strings.CutPrefix(args[i], "-"); ok && name != "" {
			if f := lookup(root, args[i]); f != nil && takesNext(f, args[i]) {
				i++
			}
			continue
		}
		if sub, _, err := root.Find(args[i : i+1]); err == nil && sub != root {
			return sub, i
		}
		break
	}
	return root, -1
}

// takesQuestion reports whether a command's arguments are a question, or a name to look up.
func takesQuestion(cmd *cobra.Command) bool {
	return slices.Contains([]string{"ask", "search", "param"}, cmd.Name())
}

// lookup finds the flag that an argument names, of the command or of all.
func lookup(cmd *cobra.Command, arg string) *pflag.Flag {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if name == "" || !strings.HasPrefix(arg, "-") {
		return nil
	}
	sets := []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags(), cmd.Root().PersistentFlags()}
	for _, fs := range sets {
		if !strings.HasPrefix(arg, "--") {
			if f := fs.ShorthandLookup(name[:1]); f != nil {
				return f
			}
			continue
		}
		if f := fs.Lookup(name); f != nil {
			return f
		}
	}
	switch name {
	case "help", "h", "version":
		return &pflag.Flag{Name: name, NoOptDefVal: "true"}
	}
	return nil
}

// takesNext reports whether the flag's value is the next argument.
func takesNext(f *pflag.Flag, arg string) bool {
	return f.NoOptDefVal == "" && !strings.Contains(arg, "=") && (strings.HasPrefix(arg, "--") || len(arg) == 2)
}

// isLikelyFlag reports whether an argument is nearly a flag of the command, or has a value as a
// flag has.
func isLikelyFlag(cmd *cobra.Command, arg string) bool {
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
	return hasValue || len(spelling.FingerSlips(name, flagNames(cmd))) > 0
}

// flagNames are the flags that a command takes.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.Root().PersistentFlags().VisitAll(add)
	slices.Sort(names)
	return slices.Compact(names)
}

// otherNames are what people call flags, after other tools and after the keys of the
// configuration.
var otherNames = map[string][]string{
	"budget": {"max-tokens"}, "tokens": {"max-tokens"}, "extent": {"sections", "documents"}, "limit": {"limit", "top", "max-docs"},
	"docs": {"max-docs"}, "count": {"limit", "top"}, "model": {"chat-model"}, "format": {"json"}, "output": {"save", "json", "out"},
	"doc-set": {"set"}, "docset": {"set"}, "quick": {"no-rerank"}, "force": {"rebuild"}, "all": {"full"}, "toc": {"toc"},
	"color": {"no-color"}, "n": {"limit", "max-docs"}, "k": {"limit", "top"}, "top-k": {"limit", "top"}, "num": {"limit", "max-docs"},
	"addr": {"listen"}, "address": {"listen"}, "host": {"listen"}, "port": {"listen"}, "p": {"listen"}, "bind": {"listen"},
	"collection": {"set"}, "corpus": {"set"}, "source": {"set"}, "s": {"set"}, "debug": {"verbose"},
	"raw": {"no-pager", "no-color"}, "plain": {"no-pager", "no-color"}, "silent": {"quiet"}, "max-results": {"limit", "max-docs"},
}

// otherCommands are what people call commands, after other tools.
var otherCommands = map[string]string{
	"remove": "rm", "delete": "rm", "uninstall": "rm", "show": "read", "open": "read", "view": "read", "cat": "read", "less": "read",
	"install": "add", "import": "add", "index": "add", "ingest": "add",
	"upgrade": "update", "refresh": "update", "reindex": "update",
	"find": "search", "grep": "search", "lookup": "search", "query": "search",
}

// BadFlag makes the error for a faulty flag, with the nearest flag.
func BadFlag(c *invocation.Call) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error {
		c.Filter = cmd.Name() == "phase"
		return flagError(cmd, err, c.Args)
	}
}

func flagError(cmd *cobra.Command, err error, args []string) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return contract.Invalid(e.GetFlag().Name, "--%s is %q, it must be %s", e.GetFlag().Name, e.GetValue(), mustBe(e.GetFlag()))
	}
	e, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return failure.UsageError("%v; %s --help lists the flags", err, Called(cmd))
	}
	flag := "--" + e.GetSpecifiedName()
	if e.GetSpecifiedShortnames() != "" {
		flag = "-" + e.GetSpecifiedName()
	}
	text := fmt.Sprintf("%s has no flag %s; ", Called(cmd), flag)
	if near := nearFlags(cmd, e.GetSpecifiedName(), valueOf(flag, args)); len(near) > 0 {
		text += "did you mean " + strings.Join(near, " or ") + "? "
	}
	text += Called(cmd) + " --help lists the flags"
	if takesQuestion(cmd) || cmd == cmd.Root() {
		text += fmt.Sprintf("; to ask about the word itself, put -- before it: %s -- %s", Called(cmd), flag)
	}
	return failure.UsageError("%s", text)
}

// valueOf is the value that a flag was given, or "".
func valueOf(flag string, args []string) string {
	for i, a := range args {
		if value, ok := strings.CutPrefix(a, flag+"="); ok {
			return value
		}
		if a == flag && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// nearFlags are the flags of a command that a name may have been meant as: --dot for
// "--format dot".
func nearFlags(cmd *cobra.Command, name, value string) []string {
	all := flagNames(cmd)
	if slices.Contains(otherNames[name], "json") && slices.Contains(all, value) {
		return []string{"--" + value}
	}
	var near []string
	for _, n := range otherNames[name] {
		if slices.Contains(all, n) {
			near = append(near, n)
		}
	}
	if len(near) == 0 {
		near = spelling.FingerSlips(name, all)
	}
	for _, n := range all {
		if len(near) == 0 && slices.Contains(strings.Split(n, "-"), name) {
			near = append(near, n) // --docs for --max-docs
		}
	}
	for i, n := range near {
		near[i] = "--" + n
	}
	return near
}

// mustBe says what a flag's value may be.
func mustBe(f *pflag.Flag) string {
	switch {
	case f.Name == "threshold":
		return "a number between 0 and 1"
	case f.Value.Type() == "int":
		return "a whole number of at least 1"
	case f.Value.Type() == "bool":
		return "true or false"
	}
	return "a " + f.Value.Type()
}

// WantsJSON reports whether the arguments ask for JSON, also if they cannot be parsed.
func WantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	if slices.Contains(args, "--json") {
		return true
	}
	i := slices.Index(args, "--contract")
	return slices.Contains(args, "search") && (slices.Contains(args, "--contract=docs") || i >= 0 && slices.Contains(args[i:], "docs"))
}

// MisspelledCommand is an error where the first word is nearly a command: that was hardly meant as
// a question. A question in quotes is one argument, and is never taken for a command.
func MisspelledCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], " ?？") || len(args[0]) < 3 {
		return nil
	}
	near, ask := spelling.FingerSlips(args[0], commandWords(root)), fmt.Sprintf("docent \"%s\"", strings.Join(args, " "))
	if len(args) == 1 {
		ask = "docent ask " + args[0]
		if len(near) == 0 {
			near = spelling.Nearest(args[0], CommandNames(root))
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
	return failure.UsageError("there is no command %q; did you mean %s? (to ask it as a question: %s)", args[0],
		strings.Join(near, " or "), ask)
}

// OtherCommand is an error where the first word is what another tool calls a command, and the only
// other one is a path, or the name of a doc set: "remove Lantern" is no question. Behind a name for a
// search, any word counts: a person who types "find retry" expects a list of hits.
func OtherCommand(args []string, isDocSet func(name string) bool) error {
	if len(args) != 2 || otherCommands[args[0]] == "" || strings.ContainsAny(args[1], " ?？") {
		return nil
	}
	isPlace := strings.ContainsAny(args[1], `/\@`) || strings.HasPrefix(args[1], ".")
	if otherCommands[args[0]] != "search" && !isPlace && !isDocSet(args[1]) {
		return nil
	}
	return failure.UsageError("there is no command %q; did you mean docent %s? (to ask it as a question: docent \"%s\")", args[0],
		otherCommands[args[0]], strings.Join(args, " "))
}

// CommandNames are the names of all commands.
func CommandNames(root *cobra.Command) []string {
	var names []string
	for _, sub := range root.Commands() {
		names = append(names, sub.Name())
	}
	slices.Sort(names)
	return names
}

// commandWords are the names of the commands, and their other names.
func commandWords(root *cobra.Command) []string {
	names := CommandNames(root)
	for _, sub := range root.Commands() {
		names = append(names, sub.Aliases...)
	}
	slices.Sort(names)
	return names
}

// Called is a command as it was called: by its name or another one of its names.
func Called(cmd *cobra.Command) string {
	path := cmd.CommandPath()
	if as := cmd.CalledAs(); as != "" && cmd.HasParent() {
		path = strings.TrimSuffix(path, cmd.Name()) + as
	}
	return path
}

// ExactArgs takes n arguments; the error says what they are.
func ExactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return failure.UsageError("%s takes %s; %s --help has an example", Called(cmd), what, Called(cmd))
		}
		return nil
	}
}

// MinArgs takes at least n arguments, none of them empty; the error says what they are.
func MinArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return failure.UsageError("%s takes %s; %s --help has an example", Called(cmd), what, Called(cmd))
		}
		if i := slices.IndexFunc(args, isBlank); i >= 0 {
			// A variable of the shell that is not set: as a path it would be the current folder.
			return failure.UsageError("argument %d of %s is empty; %s takes %s", i+1, Called(cmd), Called(cmd), what)
		}
		return nil
	}
}

func isBlank(arg string) bool { return strings.TrimSpace(arg) == "" }
