package process

import (
	"docent/pipeline/contract"
	"docent/pipeline/text/tokens"
)

// Tokens estimates how many tokens of a language model a text takes.
func Tokens(s string) int { return tokens.Count(s) }

// tokenQuarters is Tokens in quarters, which add up without rounding.
func tokenQuarters(s string) int { return tokens.Quarters(s) }

// estimateOverhead is the default for Options.Overhead: the fixed text of the final
// block and each document's names, twice where the header may repeat them, with
// control characters in their longest form.
func estimateOverhead(docs []contract.Extracted) int {
	const fixed, each = 100, 40
	n := fixed
	for _, d := range docs {
		n += each + Tokens(d.URL) + Tokens(d.FilePath) + 2*Tokens(d.DocSet+d.Version+d.FilePath+d.Title)
	}
	return n
}
