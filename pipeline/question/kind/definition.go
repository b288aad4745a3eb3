package kind

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// definition reads "what is X", "X 是什么" and their like.
func definition(s sentence) (Reading, bool) {
	if r, ok := readMeaning(s); ok {
		return r, true
	}
	for _, w := range definitionOpening.Phrases() {
		rest, ok := s.cutStart(w)
		if !ok || rest.line == "" {
			continue
		}
		plural := strings.HasPrefix(w, "what") && strings.HasSuffix(w, "are")
		return definitionReading(rest, w, plural)
	}
	for _, w := range definitionEnding.Phrases() {
		if rest, ok := s.cutEnd(w); ok && rest.line != "" {
			return definitionReading(rest, w, false)
		}
	}
	// how does garbage collection work
	for _, w := range worksOpening.Phrases() {
		if rest, ok := s.cutStart(w); ok {
			for _, end := range worksEnding.Phrases() {
				if x, ok := rest.cutEnd(end); ok && x.line != "" && !isPronoun(x.lower) {
					return definitionReading(x, w+" … "+end, false)
				}
			}
		}
	}
	return Reading{}, false
}

// readMeaning reads "what does X mean" and "what does X do": the second asks for a name's
// effect and is a look-up.
func readMeaning(s sentence) (Reading, bool) {
	for _, open := range slices.Concat(meansOpening.Phrases(), effectOpening.Phrases()) {
		rest, ok := s.cutStart(open)
		if !ok || rest.line == "" {
			continue
		}
		if x, ok := rest.cutEnd("mean"); ok && countWords(x.line) <= mostSubject {
			return definitionReading(x, open+" … mean", false)
		}
		if x, ok := rest.cutEnd("stand for"); ok {
			return definitionReading(x, open+" … stand for", false)
		}
		for _, end := range meansEnding.Phrases() {
			if x, ok := rest.cutEnd(end); ok && strings.HasPrefix(open, "what") && !strings.HasSuffix(open, "do") &&
				!strings.HasSuffix(open, "does") && countWords(x.line) <= mostSubject-2 {
				return definitionReading(x, open+" … "+end, false)
			}
		}
		x, does := rest.cutEnd("do")
		if does = does || effectOpening.Has(open); does && countWords(x.line) <= mostSubject && !isPronoun(x.lower) {
			return Reading{Kind: contract.KindLookup,
					Subjects: lookupSubjects(sentence{line: bareNoun(x.line), lower: strings.ToLower(bareNoun(x.line))}),
					Cue:      open + " … do"},
				true
		}
	}
	return Reading{}, false
}

func isPronoun(s string) bool {
	return pronouns.Has(s)
}

// definitionReading makes the reading for a term, unless it is no term but the beginning of
// another question: an attribute of something, a sentence.
func definitionReading(x sentence, cue string, plural bool) (Reading, bool) {
	if strings.HasPrefix(x.lower, "the ") && plural {
		return Reading{}, false // "what are the phases of a pod" asks for a list
	}
	if rest, ok := x.cutStart("the"); ok {
		if attributed(rest) {
			return Reading{}, false
		}
	}
	term := x
	// "what is etcd in kubernetes", "what is a subagent (claude)": the term comes first.
	for _, w := range termEnd.Phrases() {
		if i := strings.Index(term.lower, w); i > 0 {
			term = term.cutBetween(0, i)
		}
	}
	for _, w := range termStart.Phrases() {
		if i := strings.Index(term.lower, w); i > 0 {
			term = term.cutBetween(i+len(w), len(term.line))
		}
	}
	if i := strings.Index(term.line, " ("); i > 0 && strings.HasSuffix(term.line, ")") {
		term = term.cutBetween(0, i)
	}
	name := bareNoun(term.line)
	low := sentence{line: name}
	low.foldCase()
	switch {
	case name == "" || isPronoun(low.lower) || countWords(name) > mostSubject:
		return Reading{}, false
	case low.hasPhrase(noTerm):
		return Reading{}, false
	case endsInAttribute(low) && (isHanText(name) || strings.HasPrefix(x.lower, "the ")):
		return Reading{}, false
	case strings.Contains(low.lower, " of ") && strings.HasPrefix(x.lower, "the ") && countWords(name) > 4:
		return Reading{}, false
	case Identifier(name):
		return Reading{Kind: contract.KindLookup, Subjects: []string{name}, Cue: cue}, true
	case isStatusName(name):
		return Reading{Kind: contract.KindError, Subjects: []string{name}, Cue: cue}, true
	}
	return Reading{Kind: contract.KindDefinition, Subjects: distinctSubjects([]string{name}), Cue: cue}, true
}

// attributed reports whether words after "the" name an attribute: "default value of X",
// "bootstrap token ttl".
func attributed(s sentence) bool {
	for _, w := range attribute.Phrases() {
		if _, ok := s.cutStart(w); ok {
			return true
		}
		if rest, ok := s.cutEnd(w); ok && rest.line != "" {
			return true
		}
	}
	head := s
	for _, w := range attributeOf.Phrases() {
		if i := strings.Index(head.lower, w); i > 0 {
			head = head.cutBetween(0, i)
		}
	}
	return head.line != s.line && endsInAttribute(head)
}

func endsInAttribute(s sentence) bool {
	for _, w := range attribute.Phrases() {
		if _, ok := s.cutEnd(w); ok {
			return true
		}
	}
	return attributeSuffix.Closes(s.lower)
}

func isHanText(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x2e80 })
}
