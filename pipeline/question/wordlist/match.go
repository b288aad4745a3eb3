package wordlist

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// CutStart cuts a phrase off the beginning of a text in lower case. It reports whether the
// text begins with it as a word by itself.
func CutStart(text, phrase string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, phrase)
	return rest, ok && separatesWords(phrase[len(phrase)-1], rest, true)
}

// CutEnd cuts a phrase off the end of a text in lower case. It reports whether the text
// ends with it as a word by itself.
func CutEnd(text, phrase string) (rest string, ok bool) {
	rest, ok = strings.CutSuffix(text, phrase)
	return rest, ok && separatesWords(phrase[0], rest, false)
}

// FindPhrase returns the first phrase of the rule that occurs as whole words in a text in lower
// case, and its place; -1 if none does.
func (r Rule) FindPhrase(text string) (phrase string, at int) {
	for _, w := range r.Phrases() {
		if at := findStanding(text, w); at >= 0 {
			return w, at
		}
	}
	return "", -1
}

// findStanding is the first place where a phrase stands by itself in a text, -1 if nowhere.
func findStanding(text, phrase string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return -1
		}
		at += from
		if separatesWords(phrase[0], text[:at], false) && separatesWords(phrase[len(phrase)-1], text[at+len(phrase):], true) {
			return at
		}
		from = at + 1
	}
}

// Inside returns the first phrase of the rule that a text in lower case contains, "" if
// it contains none. It is for scripts without spaces between words.
func (r Rule) Inside(text string) string {
	for _, w := range r.Phrases() {
		if strings.Contains(text, w) {
			return w
		}
	}
	return ""
}

// Begins reports whether a text begins with a phrase of the rule, whatever follows.
func (r Rule) Begins(text string) bool {
	for _, w := range r.Phrases() {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}

// Closes reports whether a text ends with a phrase of the rule, whatever precedes it.
func (r Rule) Closes(text string) bool {
	for _, w := range r.Phrases() {
		if strings.HasSuffix(text, w) {
			return true
		}
	}
	return false
}

// separatesWords reports whether a word of Latin or Cyrillic script ends where rest begins, or,
// with after false, begins where rest ends. Chinese and Japanese words need no space.
func separatesWords(edge byte, rest string, after bool) bool {
	if rest == "" || edge >= 0xe0 || edge == '\'' {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if !after {
		r, _ = utf8.DecodeLastRuneInString(rest)
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' || unicode.Is(unicode.Han, r)
}

// Pattern is a regular expression, compiled at its first use: all of them together would
// cost each start of the program some milliseconds.
type Pattern func() *regexp.Regexp

// Compile gives an expression in which "<name>" stands for the alternatives of the list
// "TOPIC/name", if there is one.
func Compile(topic, expression string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expandExpression(topic, expression)) })
}

// Compile gives the expression of a rule whose list is one of expressions.
func (r Rule) Compile() Pattern {
	topic, name, _ := strings.Cut(string(r), "/")
	return Compile(topic, "<"+name+">")
}

// reference is the name of a list in a regular expression.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[a-z][a-z.-]*>`) })

func expandExpression(topic, expression string) string {
	return reference().ReplaceAllStringFunc(expression, func(name string) string {
		l, ok := listsOfTopic(Rule(topic+"/"), "")[Rule(topic+"/"+strings.Trim(name, "<>"))]
		switch {
		case !ok:
			return name
		case l.regular:
			return expandExpression(topic, strings.Join(l.phrases, "|"))
		}
		quoted := make([]string, len(l.phrases))
		for i, w := range l.phrases {
			quoted[i] = regexp.QuoteMeta(w)
		}
		return strings.Join(quoted, "|")
	})
}
