// Package definition writes definitions of abbreviations as terms of an index, which have the keys
// that they are looked up by, so that no process makes these again.
//
// It refuses to find definitions in texts.
package definition

import (
	"slices"
	"strings"

	"docent/store"
	"docent/store/analysis"
)

const mostLongBytes = 120

// Terms are the definitions of a passage as terms, each once. Those that cannot be looked up are left
// out.
func Terms(a *analysis.Analyzer, list []store.Abbreviation) (terms []string) {
	for _, d := range list {
		def := store.Definition{Abbreviation: d, Key: analysis.AbbreviationKey(d.Short), Stems: analysis.LongFormKey(a, d.Long)}
		if def.Key == "" || def.Stems == "" || len(d.Long) > mostLongBytes {
			continue
		}
		if t := Term(def); !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	return terms
}

// Term is a definition as a term.
func Term(d store.Definition) string {
	return strings.Join([]string{d.Key, d.Stems, d.Short, d.Long}, "\x00")
}

// Parse reads a term; false where it is no definition.
func Parse(term string) (store.Definition, bool) {
	p := strings.Split(term, "\x00")
	if len(p) != 4 {
		return store.Definition{}, false
	}
	return store.Definition{Key: p[0], Stems: p[1], Abbreviation: store.Abbreviation{Short: p[2], Long: p[3]}}, true
}
