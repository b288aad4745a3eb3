package invocation

import (
	"docent/cmd/internal/shellwords"
	"docent/pipeline/contract"
)

// Worded is an error whose message has its remedy as a command or a flag.
func Worded(e *contract.Error) *contract.Error {
	out := *e
	out.Message = shellwords.CommandLine().Message(e.Message, e.Remedy)
	return &out
}

// RemedyWords is a remedy as a command or a flag; "" where it has no words.
func RemedyWords(r *contract.Remedy) string { return shellwords.CommandLine().Words(r) }
