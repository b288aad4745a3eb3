package kind

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
)

// readLookup reads a question for one exact thing: an attribute of a name, a name by what
// it does, or a name alone.
func readLookup(s sentence) (Reading, bool) {
	names := identifiers(s.line)
	found := func(cue string) (Reading, bool) {
		return Reading{Kind: contract.KindLookup, Subjects: lookupSubjects(s), Cue: cue}, true
	}
	if len(names) > 0 && countWords(s.line) == 1 {
		return found("a name alone")
	}
	if _, w, ok := s.opensWith(amountOpening); ok {
		return Reading{Kind: contract.KindLookup, Subjects: distinctSubjects(names), Cue: w}, true
	}
	if w := amountInside.Inside(s.lower); w != "" {
		return found(w)
	}
	for _, open := range whichOpening.Phrases() {
		rest, ok := s.cutStart(open)
		if !ok {
			continue
		}
		if _, w, ok := rest.opensWith(whichNoun); ok {
			return Reading{Kind: contract.KindLookup, Subjects: distinctSubjects(names), Cue: open + " " + w}, true
		}
	}
	if w, i := nameSought.FindPhrase(s.lower); i >= 0 {
		return found(w)
	}
	how := s.hasPhrase(howAsked)
	if s.hasPhrase(listNoun) && listVerb.Has(strings.Fields(s.lower + " ")[0]) {
		return found("a list")
	}
	if how || instruction(s) != "" {
		return Reading{}, false
	}
	if w, i := extreme.FindPhrase(s.lower); i >= 0 {
		return found(w)
	}
	if w := extremeInside.Inside(s.lower); w != "" {
		return found(w)
	}
	if endsInAttribute(s) && (len(names) > 0 || asksThe(s)) || asksAttribute(s) {
		return found("an attribute")
	}
	if len(names) > 0 && (countWords(s.line) <= 4 || asksWhat(s) || strings.HasPrefix(s.line, names[0]) && countWords(s.line) <= 8) {
		return found("a name")
	}
	return Reading{}, false
}

// AsksDefault reports whether a question asks for a default.
func AsksDefault(text string) bool {
	s := newSentence(question.Shorten(text, mostRead))
	return s.hasPhrase(defaultStands) || defaultInside.Inside(s.lower) != ""
}

// asksThe reports whether a question asks for the attribute of something: "what is the
// bootstrap token ttl".
func asksThe(s sentence) bool {
	_, _, ok := s.opensWith(whatIs)
	return ok
}

// asksAttribute reports whether a question asks for the attribute of something, with words
// after it: "what is the bootstrap token ttl in kubeadm".
func asksAttribute(s sentence) bool {
	for _, w := range whatIsThe.Phrases() {
		if rest, ok := s.cutStart(w); ok {
			return attributed(rest)
		}
	}
	return false
}

func asksWhat(s sentence) bool {
	return s.hasPhrase(valueWord) ||
		valueInside.Inside(s.lower) != ""
}

// lookupSubjects are the names in a question, or without names the words that an
// attribute is asked of.
func lookupSubjects(s sentence) []string {
	if names := identifiers(s.line); len(names) > 0 {
		return distinctSubjects(names)
	}
	rest := s
	for _, w := range lookupOpening.Phrases() {
		if x, ok := rest.cutStart(w); ok && x.line != "" {
			rest = x
			break
		}
	}
	// Of "hook 超时默认多少秒" the words before the attribute.
	for _, w := range lookupEnding.Phrases() {
		if i := strings.Index(rest.lower, w); i > 0 {
			rest = rest.cutBetween(0, i)
		}
	}
	if i := strings.LastIndex(rest.lower, " in "); i > 0 {
		rest = rest.cutBetween(0, i)
	}
	// "max length of a label value": the value is a part of the name.
	if i := strings.Index(rest.lower, " of "); i > 0 && endsInAttribute(rest.cutBetween(0, i)) && countWords(rest.line[i:]) <= mostSubject {
		return distinctSubjects([]string{bareNoun(rest.line[i+len(" of "):])})
	}
	for again := true; again; {
		again = false
		for _, w := range slices.Concat(attribute.Phrases(), lookupRest.Phrases()) {
			if x, ok := rest.cutEnd(w); ok && x.line != "" {
				rest, again = x, true
			}
			if x, ok := rest.cutStart(w); ok && x.line != "" {
				rest, again = x, true
			}
		}
	}
	if countWords(rest.line) > mostSubject {
		return nil
	}
	return distinctSubjects([]string{bareNoun(rest.line)})
}

// identifiers are the words of a text that are names of code, and text in backticks.
func identifiers(text string) []string {
	var out []string
	for _, t := range question.Tokens(text) {
		if t.Kind != question.Code {
			continue
		}
		if text[t.Start] == '`' || Identifier(t.Text) {
			out = append(out, t.Text)
		}
	}
	return out
}

// Identifier reports whether a word is an identifier of code: a flag, snake_case,
// camelCase, dotted.name, call(), a::b, CAPITALS_WITH_UNDERSCORES. Names such as GitHub
// and StatefulSet, paths, files and versions are not.
func Identifier(w string) bool {
	if len(w) < 2 || strings.ContainsAny(w, " \t") || !strings.ContainsFunc(w, unicode.IsLetter) || strings.Contains(w, "://") {
		return false
	}
	if w[0] == '-' {
		return true
	}
	if w[0] == '/' || w[0] == '~' || strings.HasPrefix(w, "./") {
		return false
	}
	if strings.ContainsAny(w, "_(=$") || strings.Contains(w, "::") {
		return true
	}
	if i := strings.Index(w, "."); i > 0 && i+1 < len(w) && !isFileName(w) && !isVersionNumber(w) && !strings.Contains(w, "/") {
		return true
	}
	return unicode.IsLower(rune(w[0])) && question.IsCamelCase(w)
}

// fileEndings are the endings of names of files and of sites.
const fileEndings = `.md .mdx .json .yaml .yml .toml .txt .js .ts .py .go .rs .rb .java .c .h .cpp .sh .html .css .env .xml .pdf .conf .cfg
	.ini .lock .mod .log .sql .com .org .net .io .ai .dev`

func isFileName(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(strings.Fields(fileEndings), func(ending string) bool { return strings.HasSuffix(s, ending) })
}

func isVersionNumber(s string) bool {
	return !strings.ContainsFunc(strings.TrimRight(strings.TrimLeft(s, "vV"), "xX"), unicode.IsLetter)
}
