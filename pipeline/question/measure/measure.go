// Package measure reads which measure a question asks for (how much at most, what by
// default, how long, how large, where, on which port, since which version) and finds
// the sentences of a text that state one. Documentation answers "the maximum size of a
// map" with "a map cannot exceed 1 MiB": the sentence has neither "maximum" nor "size",
// and it has a limit and a number.
//
// It knows general words of English, Chinese, German, French, Spanish, Russian and
// Japanese, no names of any product. It refuses to find the measured thing, and to read
// the measure's value.
package measure

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/question/wordlist"
)

// Measure is what a question asks for.
type Measure = contract.Measure

// The measures.
const (
	Most     = contract.MeasureLimit
	Least    = contract.MeasureMinimum
	Default  = contract.MeasureDefault
	Duration = contract.MeasureDuration
	Size     = contract.MeasureSize
	Place    = contract.MeasurePlace
	Port     = contract.MeasurePort
	Version  = contract.MeasureVersion
	number   = contract.MeasureVersion + 1
)

// ruleOfMeasure is the list of a measure: of words of questions ("asks"), of sentences that state
// it ("states"), of its units ("unit") or of words that such sentences are likely to have
// ("likely"). A measure that is known by its number's unit has no "states".
func ruleOfMeasure(m Measure, of string) wordlist.Rule {
	return wordlist.Rule("measure/" + of + "-" + m.String())
}

const (
	measureCue  wordlist.Rule = "measure/cue"
	particle    wordlist.Rule = "measure/particle"
	lengthWord  wordlist.Rule = "measure/length"
	possible    wordlist.Rule = "measure/possible"
	amount      wordlist.Rule = "measure/amount"
	numberWord  wordlist.Rule = "measure/number"
	missingWord wordlist.Rule = "measure/not"
	openingWord wordlist.Rule = "measure/opening"
	givenWord   wordlist.Rule = "measure/set"
)

// AskedMeasures are the measures that a question of a kind (contract.Kinds, "" if it has none)
// asks for. Questions for a procedure, a definition or a difference may have the words of
// a measure ("configure the default memory limits") and ask for none.
func AskedMeasures(question, kind string) []Measure {
	switch kind {
	case contract.KindProcedure, contract.KindDefinition, contract.KindComparison:
		return nil
	}
	lower := strings.ToLower(question)
	var out []Measure
	for m := range number {
		if _, at := lists().asks[m].findFirst(lower); at >= 0 {
			out = append(out, m)
		}
	}
	if asksHowMany(lower) && !slices.Contains(out, Most) {
		out = append([]Measure{Most}, out...)
	}
	if slices.Contains(out, Size) && !slices.Contains(out, Most) { // "how large" asks for a limit as a rule
		out = append(out, Most)
	}
	return out
}

// asksHowMany reports whether a question asks how many of something there can be.
func asksHowMany(lower string) bool {
	const most = 6 // words between
	for _, opening := range amount.Phrases() {
		_, rest, ok := strings.Cut(lower, opening)
		words := strings.Fields(rest)
		if ok && slices.ContainsFunc(words[:min(len(words), most)], func(w string) bool { return possible.Has(strings.Trim(w, ",.?!")) }) {
			return true
		}
	}
	return false
}

// isCue reports whether a term of a question, in lower case, only names the measure or its
// dimension: the sentence that answers need not have it.
func isCue(term string) bool {
	return measureCue.Has(term)
}

// States reports whether a sentence states one of the measures.
func States(sentence string, asked []Measure) bool {
	lower := strings.ToLower(sentence)
	return slices.ContainsFunc(asked, func(m Measure) bool { return isStatedIn(lower, m) })
}

// near is how many bytes apart a cue and its number may stand.
const near = 64

func isStatedIn(lower string, m Measure) bool {
	switch m {
	case Duration, Size:
		return standsQuantity(lower, lists().units[m])
	case Place:
		return hasPath(lower)
	case Default:
		_, at := lists().states[m].findFirst(lower)
		return at >= 0 || speaksOfMissing(lower)
	}
	if m != Version && !hasNumber(lower) || m == Version && !hasVersion(lower) {
		return false // most sentences have none, and it is found sooner than a cue
	}
	for from := 0; from < len(lower); {
		w, at := lists().states[m].findFirst(lower[from:])
		if at < 0 {
			return false
		}
		at += from
		around := lower[max(0, at-near):min(len(lower), at+len(w)+near)]
		if m == Version && hasVersion(around) || m != Version && hasNumber(around) {
			return true
		}
		from = at + len(w)
	}
	return false
}

// speaksOfMissing reports whether a text speaks of a missing value: "with no time zone
// specified".
func speaksOfMissing(lower string) bool {
	const most = 40 // bytes between
	for rest := lower; ; {
		w, at := lists().set.findFirst(rest)
		if at < 0 {
			return false
		}
		if _, no := lists().not.findFirst(rest[max(0, at-most):at]); no >= 0 {
			return true
		}
		rest = rest[at+len(w):]
	}
}

// list holds words by their first byte, so that a text is read once for all of them.
type list [256][]string

func newList(words []string) *list {
	var l list
	for _, w := range words {
		l[w[0]] = append(l[w[0]], w)
	}
	return &l
}

// findFirst is the first place of any of the words, each by itself; of two at one place the
// first in the list.
func (l *list) findFirst(text string) (string, int) {
	for i := range len(text) {
		for _, w := range l[text[i]] {
			if strings.HasPrefix(text[i:], w) && standsAlone(text, i, i+len(w)) {
				return w, i
			}
		}
	}
	return "", -1
}

// lists are the words of each measure, made once.
var lists = sync.OnceValue(func() (t struct {
	asks, states      [number]*list
	units             [number][]string
	numbers, not, set *list
	openings          *list
}) {
	for m := range number {
		t.asks[m], t.states[m] = newList(ruleOfMeasure(m, "asks").Phrases()), newList(ruleOfMeasure(m, "states").Phrases())
		t.units[m] = ruleOfMeasure(m, "unit").Phrases()
	}
	t.numbers, t.not, t.set = newList(numberWord.Phrases()), newList(missingWord.Phrases()), newList(givenWord.Phrases())
	t.openings = newList(openingWord.Phrases())
	return t
})

// standsAlone reports whether no letter or digit of the same script is next to text[i:j].
// Chinese and Japanese words need no space.
func standsAlone(text string, i, j int) bool {
	first, _ := utf8.DecodeRuneInString(text[i:j])
	last, _ := utf8.DecodeLastRuneInString(text[i:j])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[j:])
	return (i == 0 || isWideRune(first) || !isLetterOrMark(before)) && (j == len(text) || isWideRune(last) || !isLetterOrMark(after))
}

func isLetterOrMark(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') && !isWideRune(r)
}

func isWideRune(r rune) bool { return r >= 0x2e80 }

// standsQuantity reports whether a number with one of the units stands in a text.
func standsQuantity(text string, units []string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && (isLetterOrMark(rune(text[i-1])) || text[i-1] == '.') {
			continue
		}
		if i > 1 && text[i-1] == '-' && isLetterOrMark(rune(text[i-2])) && (text[i-2] < '0' || text[i-2] > '9') {
			continue // a part of a name: UTF-8
		}
		j := i
		for j < len(text) && (text[j] >= '0' && text[j] <= '9' || (text[j] == '.' || text[j] == ',') && j+1 < len(text) &&
			text[j+1] >= '0' && text[j+1] <= '9') {
			j++
		}
		rest := strings.TrimLeft(text[j:min(len(text), j+24)], " -*`_")
		for _, u := range units {
			if strings.HasPrefix(rest, u) && standsAlone(rest, 0, len(u)) {
				return true
			}
		}
		i = j
	}
	return false
}

// hasNumber reports whether a text has a number in digits or a small one in words.
func hasNumber(text string) bool {
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' && (i == 0 || !isLetterOrMark(rune(text[i-1])) && text[i-1] != '.') {
			return true
		}
	}
	_, at := lists().numbers.findFirst(text)
	return at >= 0
}

// hasVersion reports whether a text has two numbers with a dot between, or a v before one.
func hasVersion(text string) bool {
	for i := 1; i < len(text)-1; i++ {
		digit := func(k int) bool { return text[k] >= '0' && text[k] <= '9' }
		if text[i] == '.' && digit(i-1) && digit(i+1) || text[i] == 'v' && digit(i+1) && !isLetterOrMark(rune(text[i-1])) {
			return true
		}
	}
	return false
}

// hasPath reports whether a text has the path of a file or folder.
func hasPath(text string) bool {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return unicode.IsSpace(r) ||
			strings.ContainsRune("`'\"()<>|,;*，。", r)
	}) {
		w = strings.TrimRight(w, ".:")
		if strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "./") || strings.HasPrefix(w, "$") && strings.Contains(w, "/") ||
			strings.HasPrefix(w, "/") && strings.Count(w, "/") > 1 || len(w) > 3 && w[1] == ':' && w[2] == '\\' ||
			strings.HasPrefix(w, "%") && strings.Contains(w, "\\") {
			return true
		}
	}
	return false
}

// Sentences cuts a text into sentences, rows and items, markup included.
func Sentences(text string) []string {
	var out []string
	start := 0
	end := func(at int) {
		if s := strings.TrimSpace(text[start:at]); s != "" {
			out = append(out, s)
		}
		start = at
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' && beginsNewPart(text[i+1:]):
			end(i + 1)
		case (c == '.' || c == '!' || c == '?') && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '<'):
			end(i + 1)
		case strings.HasPrefix(text[i:], "。"):
			end(i + len("。"))
		}
	}
	end(len(text))
	return out
}

// beginsNewPart reports whether a line begins something new: a row, an item, a heading, or
// nothing at all.
func beginsNewPart(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" || strings.HasPrefix(line, "\n") {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") ||
		strings.HasPrefix(line, "+ ") ||
		strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<t") || strings.HasPrefix(line, "</t") || strings.HasPrefix(line, "<li") ||
		len(digits) < len(line) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}

// likelyWords are the words that English sentences which state the measure are likely to have.
func likelyWords(m Measure) string { return strings.Join(ruleOfMeasure(m, "likely").Phrases(), " ") }

// Without is a question without the words that only name its measures.
func Without(question string) string {
	var out []string
	eachQuestionWord(question, func(w, _ string, cue bool) {
		if !cue {
			out = append(out, w)
		}
	})
	return strings.Join(out, " ")
}

// WithoutOpening is a question without the words that open it as one for an amount, such as "how
// long" or "how often": an answer has an amount in their place. A question of nothing else stays
// as it is.
func WithoutOpening(question string) string {
	lower := strings.ToLower(question)
	if len(lower) != len(question) {
		return question // some letters change their length: places would not fit
	}
	var out strings.Builder
	rest := 0
	for {
		words, at := lists().openings.findFirst(lower[rest:])
		if at < 0 {
			break
		}
		out.WriteString(question[rest : rest+at])
		if rest += at + len(words); strings.HasPrefix(question[rest:], "-") { // "long-running" is a word
			out.WriteString(words)
		}
	}
	out.WriteString(question[rest:])
	if strings.IndexFunc(out.String(), isWordRune) < 0 {
		return question
	}
	return out.String()
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Content reports whether a word of a question, in lower case, is more than the name of
// its measure.
func Content(question string) func(word string) bool {
	kept := map[string]bool{}
	eachQuestionWord(question, func(_, bare string, cue bool) {
		if !cue {
			kept[bare] = true
		}
	})
	return func(word string) bool { return kept[word] || !isCue(word) }
}

// eachQuestionWord calls do for each word of a question, as written and bare, and reports whether
// it only names the measure.
func eachQuestionWord(question string, do func(w, bare string, cue bool)) {
	named := false // the word before is content
	for w := range strings.FieldsSeq(question) {
		bare := strings.ToLower(strings.Trim(w, ",.?!:;"))
		// "The default value" names the measure, "a label value" the measured thing.
		cue := isCue(bare) && (bare != "value" || !named)
		named = !cue && !particle.Has(bare)
		do(w, bare, cue)
	}
}

// SentenceWords are the words that English sentences which state the measures are likely to
// have.
func SentenceWords(question string, asked []Measure) string {
	var out []string
	for _, m := range asked {
		out = append(out, likelyWords(m))
	}
	if slices.Contains(asked, Most) && !slices.Contains(asked, Duration) {
		eachQuestionWord(strings.ToLower(question), func(_, bare string, _ bool) {
			if lengthWord.Has(bare) {
				out = append(out, "characters")
			}
		})
	}
	return strings.Join(out, " ")
}
