package kind

import (
	"slices"
	"strings"

	"docent/pipeline/question"
	"docent/pipeline/question/wordlist"
)

const (
	mostParts    = 4
	longestParts = 60 // words of a text that is taken apart; more are prose
)

// beginsQuestion finds where a further question may begin: after a mark or a conjunction,
// at a question word or at an auxiliary with its subject.
var beginsQuestion = wordlist.Compile("kind", `(?i)(\s*[,;]\s*(?:<and-clause>)\s+(?:also\s+)?|`+
	`\s+(?:<and-word>)\s+(?:also\s+|then\s+)?|\s*;\s*|\s*,\s*)(<question-begins>)`)

var hanJoin = wordlist.Compile("kind", `[?？，,；;。\n]|<question-joins>`)

// asksHan reports whether a text in Chinese asks something.
func asksHan(text string) bool { return asksInside.Inside(text) != "" }

// splitQuestions cuts a text at its questions, each so that it can be read alone; nil for one
// question.
func splitQuestions(s sentence) []string {
	if countWords(s.line) > longestParts {
		return nil
	}
	lead, body := s.leadAndBody()
	var raw []string
	if asksHan(body) {
		raw = splitHan(body)
	}
	if len(raw) < 2 {
		raw = splitWords(body)
	}
	if len(raw) < 2 || len(raw) > mostParts {
		return nil
	}
	subject := subjectOf(raw[0])
	for i := range raw {
		if i > 0 {
			raw[i] = carrySubject(raw[i], subject, lead)
		}
		if lead != "" {
			raw[i] = lead + ": " + raw[i]
		}
	}
	return raw
}

// leadAndBody is the words before a colon that a question follows: "cronjob: what does …".
func (s sentence) leadAndBody() (lead, body string) {
	i := strings.IndexAny(s.line, ":：")
	if i <= 0 || countWords(s.line[:i]) > 5 {
		return "", s.line
	}
	rest := strings.TrimLeft(s.line[i:], ":： ")
	if rest == "" || strings.HasPrefix(s.line[i:], "://") || strings.HasPrefix(s.line[i:], "::") || s.line[i] == ':' &&
		i+1 < len(s.line) && s.line[i+1] != ' ' {
		return "", s.line
	}
	return strings.TrimSpace(s.line[:i]), rest
}

// splitWords cuts at question words of languages that are written with spaces.
func splitWords(text string) []string {
	// A mark that ends a sentence parts two questions.
	var out []string
	for _, piece := range cutAtMarks(text) {
		out = append(out, cutAtQuestions(piece)...)
	}
	if len(out) > 1 && slices.ContainsFunc(out, func(p string) bool { return !startsQuestion(p) }) {
		return nil // sentences of a description
	}
	return out
}

// abbreviations are words that end in a full stop within a sentence.
const abbreviations wordlist.Rule = "kind/abbreviation"

// cutAtMarks cuts a text behind the marks that end its sentences. The stop of an abbreviation ends
// none: "which fields are there, e.g. who gets it" is one question.
func cutAtMarks(text string) []string {
	var out []string
	for line := range strings.FieldsFuncSeq(strings.NewReplacer("? ", "\n", "？", "\n").Replace(text+" "),
		func(r rune) bool { return r == '\n' }) {
		from := 0
		for at := 0; at < len(line); {
			i := strings.Index(line[at:], ". ")
			if i < 0 {
				break
			}
			at += i + 1
			if before := strings.ToLower(line[from : at-1]); slices.ContainsFunc(abbreviations.Phrases(), func(w string) bool {
				_, ends := wordlist.CutEnd(before, w)
				return ends
			}) {
				continue
			}
			out, from = append(out, line[from:at-1]), at
		}
		out = append(out, line[from:])
	}
	for i, piece := range out {
		out[i] = strings.TrimSpace(piece)
	}
	return slices.DeleteFunc(out, func(piece string) bool { return piece == "" })
}

func cutAtQuestions(text string) []string {
	inside := quotedStretches(text)
	var out []string
	from := 0
	for _, m := range beginsQuestion().FindAllStringSubmatchIndex(text, -1) {
		left, mark := text[from:m[0]], text[m[2]:m[3]]
		if slices.ContainsFunc(inside, func(q [2]int) bool { return m[0] > q[0] && m[0] < q[1] }) {
			continue
		}
		asked := startsQuestion(left)
		if !asked || len(strings.Fields(left)) < 3 {
			continue
		}
		// "A or B, which is faster" is one question, also "…, what's the difference".
		if strings.TrimSpace(mark) == "," && newSentence(text[m[4]:]).hasPhrase(oneQuestion) {
			continue
		}
		out = append(out, strings.TrimSpace(left))
		from = m[4]
	}
	if len(out) == 0 {
		return []string{text}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// quotedStretches are the stretches of a text in quotation marks and backticks.
func quotedStretches(text string) [][2]int {
	var out [][2]int
	for _, t := range question.Tokens(text) {
		if t.Kind == question.Quoted || t.Kind == question.Code {
			out = append(out, [2]int{t.Start, t.End})
		}
	}
	return out
}

func startsQuestion(text string) bool {
	s := sentence{line: strings.TrimSpace(text)}
	s.foldCase()
	_, _, ok := s.opensWith(questionWord)
	return ok
}

// splitHan cuts a Chinese text at marks between clauses that both ask something, and
// at words for "and" before a question word.
func splitHan(text string) []string {
	var out []string
	from := 0
	for _, m := range hanJoin().FindAllStringSubmatchIndex(text, -1) {
		left, next := text[from:m[0]], m[1]
		if m[2] >= 0 {
			next = m[2] // the question word belongs to what follows
		}
		if !asksHan(left) || !asksHan(text[next:]) {
			continue
		}
		out = append(out, strings.TrimSpace(left))
		from = next
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// subjectOf is what the first of several questions is about, for those after it that
// name nothing.
func subjectOf(text string) string {
	s := newSentence(text)
	r := readOne(s)
	if len(r.Subjects) > 0 {
		return strings.Join(r.Subjects, " and ")
	}
	for _, w := range slices.Concat(procedureOpening.Phrases(), subjectOpening.Phrases()) {
		if rest, ok := s.cutStart(w); ok && rest.line != "" {
			s = rest
			break
		}
	}
	w := strings.Fields(s.line)
	// "mark a node unschedulable": the verb stays with the second question.
	if len(w) > 1 {
		if _, ok := verbs()[strings.ToLower(w[0])]; ok {
			w = w[1:]
		}
	}
	for len(w) > 1 {
		if _, verb := verbs()[strings.TrimSuffix(strings.ToLower(w[len(w)-1]), "d")]; !verb && !strings.HasSuffix(w[len(w)-1], "ed") {
			break
		}
		w = w[:len(w)-1]
	}
	if len(w) > mostSubject {
		return ""
	}
	return bareNoun(strings.Join(w, " "))
}

var standsForSubject = wordlist.Compile("kind", `(?i)<stands-for>`)

// carrySubject puts the subject of the first question into one that has a pronoun in its
// place or names nothing.
func carrySubject(part, subject, lead string) string {
	if subject == "" {
		return part
	}
	if m := standsForSubject().FindStringIndex(part); m != nil && !determined(part[:m[0]]) {
		with := subject
		if p := strings.ToLower(part[m[0]:m[1]]); possessive.Has(p) {
			with += "'s"
		}
		return question.OneLine(part[:m[0]] + with + part[m[1]:])
	}
	if lead == "" && lacksNoun(part) {
		if isHanText(part) {
			return subject + " " + part
		}
		return subject + ": " + part
	}
	return part
}

// determined reports whether a pronoun after these words stands for something in its own
// question, or is no pronoun: "if a container exceeds its limit", "is there
// one", "this flag".
func determined(before string) bool {
	w := strings.Fields(strings.ToLower(before))
	for i, d := range w {
		if determiner.Has(d) && i+1 < len(w) {
			return true
		}
	}
	return false
}

// lacksNoun reports whether a question has no noun of its own.
func lacksNoun(part string) bool {
	n := 0
	for _, w := range strings.Fields(strings.ToLower(part)) {
		w = strings.Trim(w, ",.?;:")
		if emptyWord.Has(w) {
			continue
		}
		if _, verb := verbs()[w]; verb {
			continue
		}
		n++
	}
	if isHanText(part) {
		return len([]rune(part)) <= 6
	}
	return n == 0
}
