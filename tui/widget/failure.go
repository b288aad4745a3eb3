package widget

import (
	"strings"

	"docent/pipeline/contract"
)

// ErrorText is an error with its remedy, in words for the app: its key, where it has one.
func ErrorText(err error) string {
	return AppWords().Message(err.Error(), contract.RemedyOf(err))
}

// AppWords words remedies with the app's keys.
func AppWords() contract.Wording {
	return contract.Wording{Command: keyOfCommand, Field: func(key string) string { return strings.ReplaceAll(key, "_", " ") }}
}

// keyOfCommand is the key that does what a command does, or the command for the next shell. The
// app lists sections and searches by itself.
func keyOfCommand(args []string) string {
	switch {
	case args[0] == "read", args[0] == "search", args[0] == "diff":
		return ""
	case args[0] == "update" && !strings.Contains(strings.Join(args, " "), "--"):
		return "u in the library (L)"
	case args[0] == "sets":
		return "the library (L)"
	case strings.Join(args, " ") == "models allow":
		return "A"
	}
	return "docent " + strings.Join(args, " ")
}
