package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/pipeline/spelling"
)

// literal lets a question contain flags, since people look flags up. An argument of
// ask, search or the app in the form of a flag that the command does not have is a
// word of the question, unless it is nearly one of the command's flags (docent search
// --jsn x). Arguments after "--" are taken as they are.
func literal(root *cobra.Command, args []string) []string {
	if slices.Contains(args, "--") {
		return args
	}
	cmd, at := root, -1
	for i := 0; i < len(args); i++ {
		if name, ok := strings.CutPrefix(args[i], "-"); ok && name != "" {
			if f := lookup(root, args[i]); f != nil && takesNext(f, args[i]) {
				i++
			}
			continue
		}
		if sub, _, err := root.Find(args[i : i+1]); err == nil && sub != root {
			cmd, at = sub, i
		}
		break
	}
	if cmd != root && cmd.Name() != "ask" && cmd.Name() != "search" {
		return args
	}
	var flags, words []string
	found := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case i == at:
		case len(arg) < 2 || arg[0] != '-':
			words = append(words, arg)
		default:
			f := lookup(cmd, arg)
			if f == nil && !strings.HasPrefix(arg, "--") || f == nil && meant(cmd, arg) {
				return args // cobra says what is wrong
			}
			if f == nil {
				words, found = append(words, arg), true
				continue
			}
			flags = append(flags, arg)
			if takesNext(f, arg) && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		}
	}
	if !found {
		return args
	}
	var out []string
	if at >= 0 {
		out = append(out, args[at])
	}
	return append(append(append(out, flags...), "--"), words...)
}

// lookup finds the flag that an argument names, of the command or of all.
func lookup(cmd *cobra.Command, arg string) *pflag.Flag {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
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

// takesNext says whether the flag's value is the next argument.
func takesNext(f *pflag.Flag, arg string) bool {
	return f.NoOptDefVal == "" && !strings.Contains(arg, "=") && (strings.HasPrefix(arg, "--") || len(arg) == 2)
}

// meant says whether an argument is near to a flag of the command.
func meant(cmd *cobra.Command, arg string) bool {
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.Root().PersistentFlags().VisitAll(add)
	for _, near := range spelling.Nearest(name, names) {
		// A name that contains another's is no slip: --set-file, --explain-like.
		if d := len(near) - len(name); d >= -2 && d <= 2 {
			return true
		}
	}
	return hasValue
}
