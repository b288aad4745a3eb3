package corpus

import "docent/pipeline/ingest/parse/markdown/legible"

// MacroTerm is the term that a macro in the source of a page names, "" for none.
func MacroTerm(macro string) string { return legible.Term(macro) }
