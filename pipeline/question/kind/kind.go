// Package kind reads what kind of question a text is, what it asks about, and which
// questions stand in it. The kind says where in documentation an answer stands: a
// definition on the page of the term, a look-up in a row or an item, a comparison on
// the pages of both sides.
//
// It goes by openings, endings and forms of names in English, Chinese, German, French,
// Spanish, Russian and Japanese. A text that fits none has no kind: that is better than
// a wrong one. It refuses to translate, to write queries and to choose a scene.
//
// Terms. An opening is the words before the subject ("what is a"), an ending those after
// it ("是什么"). An attribute is what a look-up asks of a name (its default, its maximum). A
// part is one of several questions in one text.
package kind

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/wordlist"
)

// Reading is what a question is.
type Reading struct {
	Kind     string   // one of contract.Kinds, or ""
	Subjects []string // what it asks about, as it writes them
	Parts    []string // the questions of a text that asks several; nil for one
	Cue      string   // the words or the form that decided the kind
	Pasted   bool     // an error that is a message rather than a description
}

const (
	mostRead    = 2000 // characters that are read
	mostSubject = 7    // words of a subject; more are a sentence
)

// ReadKind reads a question. Its kind and its subjects are those of its first part.
func ReadKind(text string) Reading {
	head := question.Shorten(text, mostRead)
	if cue := pastedFormOf(head); cue != "" {
		return Reading{Kind: contract.KindError, Cue: cue, Subjects: errorNames(head), Pasted: true}
	}
	s := newSentence(head)
	parts := splitQuestions(s)
	if len(parts) > 1 {
		r := readLed(newSentence(parts[0]))
		r.Parts = parts
		return r
	}
	return readLed(s)
}

// readLed reads one question with a lead before a colon: "cronjob: what does Forbid do".
func readLed(s sentence) Reading {
	if lead, body := s.leadAndBody(); lead != "" && startsQuestion(body) {
		if r := readOne(newSentence(body)); r.Kind != "" {
			return r
		}
	}
	return readOne(s)
}

// readOne reads a text as one question.
func readOne(s sentence) Reading {
	if s.line == "" {
		return Reading{}
	}
	for _, read := range []func(sentence) (Reading, bool){comparison, definition, readFailure, readLookup, procedure} {
		if r, ok := read(s); ok {
			return r
		}
	}
	return Reading{}
}

// sentence is a question in the forms that are matched.
type sentence struct {
	line  string // on one line, without a greeting and the marks at its end
	lower string // the same in lower case; as many bytes
}

func newSentence(text string) sentence {
	line := question.OneLine(strings.ReplaceAll(text, "’", "'"))
	line = strings.TrimFunc(line, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("?？!！。;；,，:：¿¡…", r)
	})
	line = strings.TrimRight(line, ".")
	s := sentence{line: line}
	s.foldCase()
	for again := true; again; {
		again = false
		for _, w := range greeting.Phrases() {
			if rest, ok := s.cutStart(w); ok && rest.line != "" {
				s, again = rest, true
			}
		}
		for _, w := range farewell.Phrases() {
			if rest, ok := s.cutEnd(w); ok && rest.line != "" {
				s, again = rest, true
			}
		}
	}
	return s
}

// foldCase sets the lower case; a few letters change their length with their case.
func (s *sentence) foldCase() {
	s.lower = strings.ToLower(s.line)
	if len(s.lower) != len(s.line) {
		s.line = s.lower
	}
}

// cutStart cuts words off the beginning.
func (s sentence) cutStart(w string) (sentence, bool) {
	if _, ok := wordlist.CutStart(s.lower, w); !ok {
		return s, false
	}
	return s.cutBetween(len(w), len(s.line)), true
}

// cutEnd cuts words off the end.
func (s sentence) cutEnd(w string) (sentence, bool) {
	if _, ok := wordlist.CutEnd(s.lower, w); !ok {
		return s, false
	}
	return s.cutBetween(0, len(s.line)-len(w)), true
}

// cutBetween is the part [i, j) without the space and the commas around it.
func (s sentence) cutBetween(i, j int) sentence {
	part := s.line[i:j]
	left := len(part) - len(strings.TrimLeft(part, " ,，:：、–—"))
	for strings.HasPrefix(part[left:], "- ") {
		left += 2
	}
	part = strings.TrimRight(part[left:], " ,，:：、-–—?？")
	return sentence{line: part, lower: s.lower[i+left : i+left+len(part)]}
}

// opensWith cuts the first phrase of a rule that the sentence begins with.
func (s sentence) opensWith(r wordlist.Rule) (rest sentence, phrase string, ok bool) {
	for _, w := range r.Phrases() {
		if rest, ok := s.cutStart(w); ok {
			return rest, w, true
		}
	}
	return s, "", false
}

// hasPhrase reports whether a phrase of the rule stands in the sentence by itself.
func (s sentence) hasPhrase(r wordlist.Rule) bool {
	_, i := r.FindPhrase(s.lower)
	return i >= 0
}

// bareNoun is a subject without its article and without marks around it.
func bareNoun(s string) string {
	t := sentence{line: strings.TrimSpace(s)}
	t.foldCase()
	for _, w := range article.Phrases() {
		// Some(x) is a name, not "some" and something.
		if rest, ok := t.cutStart(w); ok && rest.line != "" && (w[0] >= 0x80 || t.line[len(w)] == ' ') {
			t = rest
			break
		}
	}
	for _, w := range elision.Phrases() {
		if rest, ok := strings.CutPrefix(t.lower, w); ok && rest != "" {
			t = t.cutBetween(len(w), len(t.line))
		}
	}
	out := strings.Trim(t.line, " ,;:?!，；：？！。、的\"'“”‘’「」《》«»`")
	return out
}

// countWords counts the words; two Chinese characters count as one.
func countWords(s string) int {
	han := 0
	for _, r := range s {
		if r >= 0x2e80 {
			han++
		}
	}
	return len(strings.Fields(s)) + han/2
}

// distinctSubjects keeps the first of subjects that are equal but for their case.
func distinctSubjects(subjects []string) []string {
	var out []string
	for _, s := range subjects {
		if s != "" && !slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}
