// Package shellwords words remedies as commands of the shell, for readers who have one.
//
// It refuses to say what an error's remedy is: the library that met the error does.
package shellwords

import (
	"strings"

	"docent/pipeline/contract"
)

// CommandLine words remedies with commands and flags.
func CommandLine() contract.Wording { return contract.Wording{Command: Command, Field: flagOfKey} }

// shortened are the commands that are named by these arguments alone: what follows them is what
// the reader wrote a moment ago.
var shortened = map[string]int{"search": 1}

// Command is a command of the program, quoted for a POSIX shell.
func Command(args []string) string {
	if n, ok := shortened[args[0]]; ok {
		args = args[:n]
	}
	words := []string{"docent"}
	for _, a := range args {
		words = append(words, quote(a))
	}
	return strings.Join(words, " ")
}

// flags are the flags of fields that do not have the field's name.
var flags = map[string]string{
	"home":          "--home or DOCENT_HOME",
	"max_documents": "--max-docs",
}

// flagOfKey is the flag of a field of a request.
func flagOfKey(key string) string {
	if flag, ok := flags[key]; ok {
		return flag
	}
	return "--" + strings.ReplaceAll(key, "_", "-")
}

// quote quotes a word for a POSIX shell.
func quote(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./@:,=+", r))
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
