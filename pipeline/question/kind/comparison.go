package kind

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/wordlist"
)

// comparing finds a word that asks for a difference.
func comparing(s sentence) (string, bool) {
	if w, i := differenceWord.FindPhrase(s.lower); i >= 0 {
		return w, true
	}
	w := differenceInside.Inside(s.lower)
	return w, w != ""
}

// comparison reads a question for the difference of several things.
func comparison(s sentence) (Reading, bool) {
	if r, ok := readDifference(s); ok {
		return r, true
	}
	if r, ok := readChoice(s); ok {
		return r, true
	}
	cue, ok := comparing(s)
	if !ok {
		return Reading{}, false
	}
	if base := withoutDifference(s); base.line != s.line && !strings.ContainsAny(base.line, ":：") {
		if sides := sidesOf(base); len(sides) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
		}
	}
	// "NoSchedule NoExecute unterschied taint effect": two names without a joining word.
	if i := strings.Index(s.lower, cue); i > 0 {
		if codes := codeSides(s.cutBetween(0, i)); len(codes) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: codes, Cue: cue}, true
		}
	}
	// The sides stand on one side of a colon or a comma: "sandbox modes: auto-allow vs
	// regular permissions", "Retain or Delete, whats the difference".
	for _, piece := range piecesOfSentence(s) {
		if sides := sidesOf(piece); len(sides) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
		}
	}
	if sides := sidesOf(s); len(sides) > 1 {
		return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
	}
	if rest := withoutDifference(s); rest.line != s.line && !comparisonVerb.Has(cue) {
		if codes := codeSides(rest); len(codes) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: codes, Cue: cue}, true
		}
		return Reading{Kind: contract.KindComparison, Subjects: distinctSubjects([]string{bareNoun(rest.line)}), Cue: cue}, true
	}
	return Reading{}, false
}

// piecesOfSentence are the stretches between colons and commas, those with a word that joins two
// sides first.
func piecesOfSentence(s sentence) []sentence {
	var out []sentence
	from := 0
	for i, r := range s.line {
		mark := r == '，' || r == '：' || (r == ',' || r == ':') && i+1 < len(s.line) && s.line[i+1] == ' ' || (r == '-' || r == '–') &&
			i > 0 && s.line[i-1] == ' '
		if mark {
			out = append(out, s.cutBetween(from, i))
			from = i + len(string(r))
		}
	}
	if from == 0 {
		return nil
	}
	out = append(out, s.cutBetween(from, len(s.line)))
	return out
}

// withoutDifference is the sentence without the words that ask for a difference.
func withoutDifference(s sentence) sentence {
	for again := true; again; {
		again = false
		for _, w := range differenceFrame.Phrases() {
			if rest, ok := s.cutStart(w); ok {
				s, again = rest, true
				break
			}
			if rest, ok := s.cutEnd(w); ok {
				s, again = rest, true
				break
			}
		}
	}
	return s
}

// comparisonJoiners part the sides of a comparison, the stronger ones first.
func comparisonJoiners() []wordlist.Rule {
	return []wordlist.Rule{joinsVersus, joinsChoice, joinsFrom, joinsMark}
}

// sidesOf are the things that a stretch compares; fewer than two where it does not say.
func sidesOf(s sentence) []string {
	asked := s
	s = withoutDifference(s)
	for level, list := range comparisonJoiners() {
		if level == 2 && asked.line == s.line && !asked.hasPhrase(compare) {
			continue // "from A to B" compares only where a difference is asked for
		}
		at, n := -1, 0
		for _, w := range list.Phrases() {
			if i := strings.Index(s.lower, w); i > 0 && i+len(w) < len(s.lower) && (at < 0 || i < at) {
				at, n = i, len(w)
			}
		}
		if at < 0 {
			continue
		}
		left, right := s.cutBetween(0, at), s.cutBetween(at+n, len(s.line))
		var sides []string
		// "local, project and user": commas go on with what a joiner parts.
		for part := range strings.SplitSeq(strings.NewReplacer("、", ",", "，", ",").Replace(left.line), ", ") {
			sides = append(sides, part)
		}
		if level < 2 {
			if more := sidesOf(right); len(more) > 1 {
				sides = append(sides, more...)
			} else {
				sides = append(sides, right.line)
			}
		} else {
			sides = append(sides, strings.Split(strings.NewReplacer("、", ", ", "，", ", ").Replace(right.line), ", ")...)
		}
		return cleanSides(sides)
	}
	return nil
}

// cleanSides cleans sides: without articles and what comes after the last side, and with
// the context that comes before the first one left out.
func cleanSides(sides []string) []string {
	for i, side := range sides {
		t := withoutDifference(newSentence(side))
		for _, w := range sideEnd.Phrases() {
			if at := strings.Index(t.lower, w); at > 0 && i == len(sides)-1 {
				t = t.cutBetween(0, at)
			}
		}
		for _, w := range sideStart.Phrases() {
			if rest, ok := t.cutStart(w); ok && rest.line != "" {
				t = rest
			}
		}
		for _, w := range sideRest.Phrases() {
			if rest, ok := t.cutEnd(w); ok && rest.line != "" {
				t = rest
			}
		}
		sides[i] = bareNoun(t.line)
	}
	sides = distinctSubjects(sides)
	if len(sides) < 2 {
		return nil
	}
	// "secret encryption at rest aescbc vs kms": the words before both are context.
	first, second := strings.Fields(sides[0]), strings.Fields(sides[1])
	if n := len(second); len(first) >= n+2 && !isHanText(sides[0]) {
		sides[0] = strings.Join(first[len(first)-n:], " ")
	}
	for _, side := range sides {
		if countWords(side) > mostSubject {
			return nil
		}
	}
	return distinctSubjects(sides)
}

// readDifference reads "how do A and B differ", "how is A different from B", "is A the same
// as B", "wie unterscheidet sich A von B".
func readDifference(s sentence) (Reading, bool) {
	for _, open := range differOpening.Phrases() {
		rest, ok := s.cutStart(open)
		if !ok {
			continue
		}
		for _, w := range differBetween.Phrases() {
			if i := strings.Index(rest.lower, w); i > 0 {
				if sides := cleanSides([]string{rest.line[:i], rest.line[i+len(w):]}); len(sides) > 1 {
					return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: strings.TrimSpace(w)}, true
				}
			}
		}
		for _, w := range differEnding.Phrases() {
			if x, ok := rest.cutEnd(w); ok {
				if sides := sidesOf(x); len(sides) > 1 {
					return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: w}, true
				}
			}
		}
	}
	return Reading{}, false
}

// readChoice reads "A or B, which …", "which is better, A or B", "should I use A or B",
// "when to use A instead of B", "A 还是 B".
func readChoice(s sentence) (Reading, bool) {
	yes := func(side sentence, cue string) (Reading, bool) {
		if sides := sidesOf(side); len(sides) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
		}
		return Reading{}, false
	}
	for _, open := range choiceOpening.Phrases() {
		rest, ok := s.cutStart(open)
		if !ok {
			continue
		}
		for _, w := range choiceBetween.Phrases() {
			if i := strings.Index(rest.lower, w); i > 0 {
				return yes(sentence{line: rest.line[:i] + " vs " + rest.line[i+len(w):],
					lower: rest.lower[:i] + " vs " + rest.lower[i+len(w):]}, open+" …"+w)
			}
		}
	}
	if w, i := choiceWord.FindPhrase(s.lower); i > 0 && noChoice.Inside(s.lower) == "" {
		return yes(s, w)
	}
	if strings.Contains(s.lower, " or ") {
		for _, w := range choiceEnding.Phrases() {
			if i := strings.Index(s.lower, w); i > 0 && strings.Contains(s.lower[:i], " or ") {
				return yes(s.cutBetween(0, i), "or …"+w)
			}
		}
		if rest, ok := s.cutStart("which"); ok && strings.ContainsAny(rest.line, ":,") {
			i := strings.IndexAny(rest.line, ":,")
			return yes(rest.cutBetween(i+1, len(rest.line)), "which … or")
		}
	}
	return Reading{}, false
}

// codeSides are adjacent names: "NoSchedule NoExecute".
func codeSides(s sentence) []string {
	var out []string
	for w := range strings.FieldsSeq(s.line) {
		if w = strings.Trim(w, ",;:"); Identifier(w) || question.IsCamelCase(w) {
			out = append(out, w)
		}
	}
	return distinctSubjects(out)
}
