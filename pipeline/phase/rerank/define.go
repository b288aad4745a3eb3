package rerank

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/question/wordlist"
	"docent/store/analysis"
)

// The page that defines a term is named like it, or says early "a TERM is …". Both
// are looked for where the question asks what something is.

// name is a term as headings and sentences have it: its words without stop words,
// singular and plural alike.
type name []string

// readNameOf reads a name. Identifiers count by their parts: "StatefulSets" is "stateful
// set". A name without words ("C++") is its identifiers.
func readNameOf(a *analysis.Analyzer, text string) name {
	var words, idents name
	a.EachToken(text, func(t analysis.Token) {
		switch t.Kind {
		case analysis.Stop:
		case analysis.Identifier:
			idents = append(idents, t.Term)
		default:
			words = append(words, t.Term)
		}
	})
	if len(words) == 0 {
		return idents
	}
	return words
}

// withoutSetName leaves out the words of a doc set's own name, unless nothing is left.
func (n name) withoutSetName(set name) name {
	out := slices.DeleteFunc(slices.Clone(n), func(w string) bool { return slices.Contains(set, w) })
	if len(out) == 0 {
		return n
	}
	return out
}

// otherNumber is the plural of an English term, or the singular of a plural.
func otherNumber(term string) string {
	term = strings.TrimSpace(term)
	switch {
	case strings.HasSuffix(term, "ies"):
		return term[:len(term)-3] + "y"
	case strings.HasSuffix(term, "ss"):
		return term + "es"
	case strings.HasSuffix(term, "s"):
		return term[:len(term)-1]
	case strings.HasSuffix(term, "y"):
		return term[:len(term)-1] + "ies"
	}
	return term + "s"
}

// introduces reports whether a title's word says that the page explains something.
func introduces(w string) bool {
	switch w {
	case "understand", "introduct", "introduc", "overview", "concept", "glossari", "einführung", "überblick":
		return true
	}
	return false
}

// nameLikeness says how far a title or heading is a name: 1 where it is, less where it
// says besides that it introduces or abbreviates it.
func nameLikeness(title, n name) float64 {
	if len(n) == 0 || len(title) == 0 {
		return 0
	}
	if slices.Equal(title, n) {
		return 1
	}
	rest := slices.DeleteFunc(slices.Clone(title), introduces)
	if slices.Equal(rest, n) {
		return 0.8
	}
	return 0
}

// bareHeading is a heading without what it has in parentheses.
func bareHeading(heading string) string {
	if i := strings.IndexAny(heading, "(（"); i > 0 {
		if j := strings.IndexAny(heading[i:], ")）"); j > 0 {
			return strings.TrimSpace(heading[:i]) + heading[i+j+1:]
		}
	}
	return heading
}

// lateSentence is what a definition counts that is not in the first sentences.
const lateSentence = 0.85

// passageBody is a passage without the front matter of its page.
func passageBody(text string) string {
	for _, fence := range []string{"---", "+++"} {
		if rest, ok := strings.CutPrefix(text, fence+"\n"); ok {
			if i := strings.Index(rest, "\n"+fence); i >= 0 {
				_, after, _ := strings.Cut(rest[i+1:], "\n")
				return after
			}
		}
	}
	return text
}

// definitionBytes is how much of a passage is read for a definition.
const definitionBytes = 1500

// definitionStrength says how surely a passage defines a name: 1 where one of its first
// sentences is "a NAME is a …", less for other verbs and later sentences, 0 without
// any.
func definitionStrength(a *analysis.Analyzer, text string, n, set name) float64 {
	if len(n) == 0 {
		return 0
	}
	best := 0.0
	k := 0
	for sentence := range sentences(text) {
		s := sentenceDefinition(a, sentence, n, set)
		if k++; k > 4 {
			s *= lateSentence
		}
		best = max(best, s)
	}
	return best
}

// sentences gives the beginnings of the sentences of a passage's first part, without
// markup.
func sentences(text string) func(yield func(string) bool) {
	if len(text) > definitionBytes {
		text = text[:definitionBytes]
	}
	return func(yield func(string) bool) {
		code := false
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
				code = !code
			}
			if code || line == "" || line[0] == '#' || strings.HasPrefix(line, "```") {
				continue
			}
			for rest := withoutMarkup(line); rest != ""; {
				s, next, _ := strings.Cut(rest, ". ")
				if s = strings.TrimSpace(s); s != "" && !yield(s) {
					return
				}
				rest = next
			}
		}
	}
}

// withoutMarkup takes the markup of Markdown off a line: emphasis, links, tags, shortcodes (of
// these the text argument stays) and text in parentheses.
func withoutMarkup(line string) string {
	var b strings.Builder
	b.Grow(len(line))
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '{' && strings.HasPrefix(line[i:], "{{"):
			j := strings.Index(line[i:], "}}")
			if j < 0 {
				j = len(line) - i - 2
			}
			if _, arg, ok := strings.Cut(line[i:i+j], `text="`); ok {
				arg, _, _ = strings.Cut(arg, `"`)
				b.WriteString(arg)
			}
			i += j + 2
			continue
		case c == '<':
			if j := strings.IndexByte(line[i:], '>'); j > 0 {
				i += j + 1
				continue
			}
		case c == '(' && i > 0:
			if j := strings.IndexByte(line[i:], ')'); j > 0 {
				i += j + 1
				continue
			}
		case c == '*' || c == '`' || c == '[' || c == ']' || c == '_' &&
			(i == 0 || i+1 == len(line) || line[i-1] == ' ' || line[i+1] == ' '):
			i++
			continue
		}
		b.WriteByte(line[i])
		i++
	}
	return b.String()
}

// sentenceBytes of a sentence are read: its subject and verb.
const sentenceBytes = 160

// sentenceDefinition says how surely a sentence defines a name.
func sentenceDefinition(a *analysis.Analyzer, sentence string, n, set name) float64 {
	if len(sentence) > sentenceBytes {
		sentence = sentence[:sentenceBytes]
	}
	tokens := slices.DeleteFunc(a.Tokens(sentence), func(t analysis.Token) bool { return t.Kind == analysis.Identifier })
	// The subject begins the sentence, but for small words and the doc set's name.
	i := 0
	for i < len(tokens) && i < 4 && tokens[i].Term != n[0] && (tokens[i].Kind == analysis.Stop || slices.Contains(set, tokens[i].Term)) {
		if i > 0 && isCopula(tokens[i].Word) {
			return 0
		}
		i++
	}
	for _, w := range n {
		if i == len(tokens) || tokens[i].Term != w {
			return 0
		}
		i++
	}
	if i < len(tokens) && strings.HasSuffix(tokens[i].Word, "ly") || i < len(tokens) && strings.EqualFold(tokens[i].Word, "also") {
		i++
	}
	if i == len(tokens) {
		return 0
	}
	next := ""
	if i+1 < len(tokens) {
		next = strings.ToLower(tokens[i+1].Word)
	}
	switch verb := strings.ToLower(tokens[i].Word); {
	case isCopula(verb):
		switch {
		case isArticle(next):
			return 1
		case strings.HasSuffix(next, "ed") || strings.HasSuffix(next, "en") || strings.HasSuffix(next, "ing") || next == "not":
			return 0.5
		case next == "in" || next == "on" || next == "at" || next == "for" || next == "with" || next == "now":
			return 0.3
		}
		return 0.8
	case isPluralExplanation(verb):
		return 0.8
	case len(verb) > 3 && strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "ss") && (isArticle(next) || followsVerb(next)):
		return 0.7
	}
	return 0
}

// definingVerb are verbs of sentences that define a term.
const definingVerb wordlist.Rule = "define/verb"

func isCopula(w string) bool {
	return definingVerb.Has(strings.ToLower(w))
}

func isArticle(w string) bool {
	switch w {
	case "a", "an", "the", "one", "any", "ein", "eine", "der", "die", "das", "un", "une", "le", "la", "el":
		return true
	}
	return false
}

// isPluralExplanation knows verbs of definitions in the plural.
func isPluralExplanation(w string) bool {
	switch w {
	case "refers", "refer", "denotes", "denote", "represents", "represent", "describes", "describe", "defines", "define",
		"provides", "provide", "lets", "let", "allows", "allow", "enables", "enable", "ensures", "ensure", "manages", "manage",
		"bezeichnet", "désigne":
		return true
	}
	return false
}

// followsVerb knows words that stand after a verb and not after a noun.
func followsVerb(w string) bool {
	switch w {
	case "that", "how", "what", "you", "your", "all", "which", "it", "its", "them", "their":
		return true
	}
	return false
}

// beginsNominal reports whether a passage begins with a phrase that can stand for its
// heading, as entries of glossaries do: "An agent that runs on each node."
func beginsNominal(text string) bool {
	for s := range sentences(text) {
		w, _, _ := strings.Cut(s, " ")
		return isArticle(strings.ToLower(w))
	}
	return false
}

// beginsWithProse reports whether a passage begins, after its heading, with a paragraph
// and not with a list, a table or code.
func beginsWithProse(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || strings.HasPrefix(line, "<!--"):
			continue
		case strings.ContainsRune("-*+|`~>{<", rune(line[0])) && !strings.HasPrefix(line, "**") && !strings.HasPrefix(line, "`") &&
			!strings.HasPrefix(line, "{{") || strings.HasPrefix(line, "```"):
			return false
		}
		return strings.IndexFunc(line, unicode.IsLetter) >= 0 && len(line) >= 20
	}
	return false
}
