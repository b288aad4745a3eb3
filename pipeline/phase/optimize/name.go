package optimize

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/question"
	"docent/pipeline/question/phrase"
)

// addExpression adds the fixed expression of several words that begins at a token as
// one term, and says how many tokens it takes; 0 if none begins there.
func (f *frame) addExpression(tokens []question.Token, i int) int {
	var words []string
	const longest = 4
	for _, t := range tokens[i:min(len(tokens), i+longest)] {
		if t.Kind != question.Word {
			break
		}
		words = append(words, strings.ToLower(t.Text))
	}
	e, n := phrase.ExpressionAt(words)
	if n < 2 {
		return 0
	}
	tm := term{text: strings.Join(words[:n], " "), joined: e.Noun}
	if e.Verb != "" {
		tm.role, tm.verb = action, e.Verb
	}
	f.terms = append(f.terms, tm)
	return n
}

// namesThing reports whether a word that may stand for an action is the name of a thing:
// written with a capital inside a sentence ("a Deployment"), after an article ("rollback
// a deployment"; but "the deployment of hooks" is an action), or next to a verb ("scale
// deployments").
func (f *frame) namesThing(tokens []question.Token, i int, language string) bool {
	text := tokens[i].Text
	if isTitle(text) && (language != "en" || i > 0 && !isWrittenAsTitle(tokens)) {
		return true
	}
	if i > 0 && tokens[i-1].Kind == question.Word && isOneOf(strings.ToLower(tokens[i-1].Text), withoutArticles()) {
		return i+1 == len(tokens) || !strings.EqualFold(tokens[i+1].Text, "of")
	}
	return slices.ContainsFunc(f.terms, func(tm term) bool { return tm.role == action && !tm.named && !tm.han })
}

func withoutArticles() []string {
	return []string{"a", "an", "the", "my", "our", "your", "this", "each", "every", "another", "one", "two", "multiple", "several", "new",
		"existing", "single", "these", "those", "all"}
}

func isOneOf(w string, list []string) bool { return slices.Contains(list, w) }

// isWrittenAsTitle reports whether a text is written as titles are: most of its longer words with a
// capital.
func isWrittenAsTitle(tokens []question.Token) bool {
	capitals, n := 0, 0
	for _, t := range tokens {
		if t.Kind != question.Word || len(t.Text) < 4 {
			continue
		}
		n++
		if unicode.IsUpper(rune(t.Text[0])) {
			capitals++
		}
	}
	return n >= 3 && 3*capitals >= 2*n
}

// actionsAsThings makes topics of the words that could stand for actions: the term of a
// definition and the sides of a comparison are things.
func (f *frame) actionsAsThings() {
	for i := range f.terms {
		if tm := &f.terms[i]; tm.named {
			tm.role, tm.verb, tm.named, tm.about = topic, "", false, nil
		}
	}
}
