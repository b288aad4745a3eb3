package optimize

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
)

// addMessageQueries adds the queries for a pasted message: as it is, its stable part, its
// identifiers. It is not taken apart at colons and commas, and has no synonyms.
func (t *tables) addMessageQueries(l *list, asked string) {
	line := question.OneLine(asked)
	head := question.Shorten(asked, maxReadBytes)
	stable, names := kind.Stable(head), strings.Join(kind.NamesIn(head), " ")
	if clause := kind.FirstClause(stable); clause != "" && 2*len(strings.Fields(clause)) <= len(strings.Fields(line)) {
		l.addQuery(contract.StrategyExpansion, clause, "What the message says first, without what differs from one time to the next")
	}
	l.addQuery(contract.StrategyOriginal, line, "The message as it was pasted")
	l.addQuery(contract.StrategyExpansion, stable, stableReason)
	l.addQuery(contract.StrategyExpansion, names, "The names in the message")
}

const stableReason = "The message without what differs from one time to the next: numbers, paths, addresses"
