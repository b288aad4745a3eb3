package invocation

import (
	"docent/cmd/internal/shellwords"
	"docent/pipeline/contract"
)

// RemedyWords is a remedy as a command or a flag; "" where it has no words.
func RemedyWords(r *contract.Remedy) string { return shellwords.CommandLine().Words(r) }
