package parameters

import (
	"strings"
	"unicode"

	"docent/pipeline/question/wordlist"
)

// Words of headings, of headers of tables and of the text before a list, in the languages
// of the dictionaries. Headings of columns are compared whole, in lower case.
var (
	// nameColumn are columns that hold parameters, whatever they hold besides.
	nameColumn = wordlist.Compile("parameters", `^(?:<name-column>)$`)
	// plainName are columns that may hold names of anything.
	plainName      = wordlist.Compile("parameters", `^(?:<plain-name-column>)$`)
	typeColumn     = wordlist.Compile("parameters", `^(?:<type-column>)$`)
	defaultColumn  = wordlist.Compile("parameters", `^(?:<default-column>)$`)
	requiredColumn = wordlist.Compile("parameters", `^(?:<required-column>)$`)
	describing     = wordlist.Compile("parameters", `^(?:<description-column>)$`)
	// otherColumn are columns whose names in code are no parameters.
	otherColumn = wordlist.Compile("parameters", `\b(?:<other-column>)\b`)
	// stating begins a line that says of a heading's parameter what a table's columns say.
	stating = wordlist.Compile("parameters", `(?i)^(<states>)\s*[:：]\s*`)
	// statingNames begins a line that says by which flags or variables a heading's parameter is given.
	statingNames = wordlist.Compile("parameters", `(?i)^(?:<states-names>)\s*[:：]\s*`)
	// passing is a paragraph that says something of the page and not of the parameter.
	passing = wordlist.Rule("parameters/passing").Compile()
	// deprecating is a note that says that a parameter is to be used no more.
	deprecating = wordlist.Compile("parameters", `(?i)<deprecating>`)
)

const (
	announcing       wordlist.Rule = "parameters/announces"
	announcingInside wordlist.Rule = "parameters/announces-inside"
	nounWord         wordlist.Rule = "parameters/noun"
	affirming        wordlist.Rule = "parameters/yes"
	defaultWord      wordlist.Rule = "parameters/default"
	defaultLead      wordlist.Rule = "parameters/default-lead"
	statesDefault    wordlist.Rule = "parameters/states-default"
	requiredWord     wordlist.Rule = "parameters/required"
	mandatoryWord    wordlist.Rule = "parameters/mandatory"
	optionalWord     wordlist.Rule = "parameters/optional"
)

// announces reports whether a heading, or what leads to a list, says that parameters follow.
func announces(s string) bool {
	if len(s) > 1000 {
		return false
	}
	s = strings.ToLower(s)
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if announcing.Has(w) {
			return true
		}
	}
	if ascii {
		return false
	}
	return announcingInside.Inside(s) != ""
}

// saysRequired reports whether a cell under "required" says so.
func saysRequired(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, w := range affirming.Phrases() {
		if s == w || len(w) > 1 && strings.HasPrefix(s, w) {
			return true
		}
	}
	return s == "yes" || strings.HasPrefix(s, "yes")
}
