package kind

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/question"
)

// varying matches the variable parts of a message: times, addresses, paths, hashes,
// numbers, and text in quotation marks that is no plain word.
var varying = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, p := range []string{
		`\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?`, `\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`,
		`^[IWEF]\d{4}\b`, `\b[a-z]+://\S+`,
		`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`, `\b0x[0-9a-fA-F]+\b`,
		`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b`, `\b[0-9a-f]*\d[0-9a-f]*[a-f][0-9a-f]{5,}\b|\b[0-9a-f]*[a-f][0-9a-f]*\d[0-9a-f]{5,}\b`,
		`(?:^|[\s"'(=:])(?:~|\.{1,2})?/[\w.@%+~-]+(?:/[\w.@%+~-]*)*(?::\d+)*`, `\b[A-Za-z]:\\[^\s"']*`,
		`\b\d+(?:\.\d+)?(?:[/:%]\d+)*(?:ms|s|kb|mb|gb|ki|mi|gi|%)?(?:\b|$)`,
	} {
		out = append(out, regexp.MustCompile(p))
	}
	return out
})

// Stable is the part of a pasted message that is the same each time: of several lines
// the one that says what went wrong, without numbers, paths, addresses and hashes; ""
// if nothing is left.
func Stable(message string) string {
	line := tellingLineOf(message)
	var b strings.Builder
	at := 0
	for _, t := range question.Tokens(line) {
		if t.Kind == question.Quoted && !isPlainQuote(t.Text) {
			b.WriteString(line[at:t.Start] + " ")
			at = t.End
		}
	}
	b.WriteString(line[at:])
	line = b.String()
	for _, re := range varying() {
		line = re.ReplaceAllString(line, " ")
	}
	var words []string
	for w := range strings.FieldsSeq(line) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) }) {
			words = append(words, strings.Trim(w, "[]{}<>|*#="))
		}
	}
	return strings.Trim(strings.Join(words, " "), " :;,.-")
}

// FirstClause is the beginning of a stable part up to the end of its first sentence, or
// all of it where that is short: what follows says the same at more length.
func FirstClause(stable string) string {
	const least = 3 // words
	for _, mark := range []string{". ", " - ", "; ", " ("} {
		if i := strings.Index(stable, mark); i > 0 && countWords(stable[:i]) >= least {
			stable = stable[:i]
		}
	}
	return stable
}

// tellingLineOf is the line of a message that says what went wrong: the last one with a form
// of messages in it and no place in a program, else the first.
func tellingLineOf(message string) string {
	best := ""
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if best == "" {
			best = line
		}
		if strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "File \"") || strings.HasPrefix(line, "Traceback") {
			continue
		}
		if messageForms().MatchString(line) || len(errorNames(line)) > 0 {
			best = line
		}
	}
	return best
}

// isPlainQuote reports whether a quoted text is a word or words that a message may always have.
func isPlainQuote(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' })
}

const mostNames = 8

// NamesIn are the names in a message: its errors and statuses, identifiers, words with
// capitals inside, flags, and what it quotes.
func NamesIn(message string) []string {
	var out []string
	line := question.OneLine(question.Shorten(message, mostRead))
	out = append(out, errorNames(line)...)
	for _, t := range question.Tokens(line) {
		switch {
		case t.Kind == question.Code && (Identifier(t.Text) || question.IsCamelCase(t.Text)) && !strings.Contains(t.Text, "://"):
			out = append(out, t.Text)
		case t.Kind == question.Quoted && countWords(t.Text) == 1 && !strings.HasPrefix(t.Text, "/"):
			out = append(out, t.Text)
		}
	}
	out = distinctSubjects(out)
	return out[:min(len(out), mostNames)]
}
