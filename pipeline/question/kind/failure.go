package kind

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/wordlist"
)

// The forms of messages that programs print. They are looked for in text as it was
// pasted, with its line breaks.
var messageForms = message.Compile()

// pastedFormOf is the form of a program's message that a text has, "" for a text in a
// person's words.
func pastedFormOf(text string) string {
	text = strings.TrimSpace(text)
	line := strings.ToLower(question.OneLine(text))
	if questionStart.Begins(line) {
		return ""
	}
	if m := messageForms().FindString(text); m != "" {
		return strings.TrimSpace(m)
	}
	// "exec: node: not found", "x509: certificate signed by unknown authority".
	if strings.Count(text, ": ") >= 1 && !strings.ContainsAny(text, "?？") {
		if w, i := trouble.FindPhrase(newSentence(text).lower); i >= 0 && !hasQuestionWord(line) {
			return w
		}
	}
	return ""
}

// hasQuestionWord reports whether a question word stands in a line.
func hasQuestionWord(line string) bool {
	s := sentence{line: line, lower: line}
	return s.hasPhrase(questionStands) || strings.ContainsAny(line, "?？") ||
		questionInside.Inside(line) != ""
}

// goesOnForm finds that something goes on which should not.
var goesOnForm = wordlist.Compile("kind", `(?i)<goes-on>`)

// readFailure reads a question about something that goes wrong.
func readFailure(s sentence) (Reading, bool) {
	found := func(cue string) (Reading, bool) {
		return Reading{Kind: contract.KindError, Subjects: errorNames(s.line), Cue: cue}, true
	}
	if _, w, ok := s.opensWith(fixOpening); ok {
		return found(w)
	}
	if cue := asksWhyNot(s); cue != "" {
		return found(cue)
	}
	if names := errorNames(s.line); len(names) > 0 && !s.hasPhrase(handle) {
		return found(names[0])
	}
	for _, w := range troubleInside.Phrases() {
		if strings.Contains(s.lower, w) && !hanName(s.lower, w) {
			return found(w)
		}
	}
	if w, i := troubleSure.FindPhrase(s.lower); i >= 0 && !isProcedure(s) {
		return found(w)
	}
	for _, w := range fixVerb.Phrases() {
		if rest, ok := s.cutStart(w); ok && rest.line != "" {
			return found(w)
		}
	}
	if isProcedure(s) {
		return Reading{}, false
	}
	if instruction(s) != "" {
		return Reading{}, false // "replace a failed disk"
	}
	if m := goesOnForm().FindString(s.line); m != "" && !conditional(s) {
		return found(m)
	}
	if cue := complaint(s); cue != "" {
		return found(cue)
	}
	const long = 9
	for _, open := range descriptionOpening.Phrases() {
		if _, ok := s.cutStart(open); ok && countWords(s.line) >= long && !s.hasPhrase(firstPerson) {
			return Reading{}, false // a description of a thing
		}
	}
	w, i := trouble.FindPhrase(s.lower)
	if i < 0 || isPartOfName(s, w, i) || conditional(s) {
		return Reading{}, false
	}
	return found(w)
}

// asksWhyNot finds "why does … not", "why … my", "warum … nicht".
func asksWhyNot(s sentence) string {
	for _, w := range why.Phrases() {
		rest, ok := s.cutStart(w)
		if !ok {
			continue
		}
		if n, i := whyTrouble.FindPhrase(rest.lower); i >= 0 {
			return w + " … " + n
		}
	}
	return ""
}

// complaint finds the words by which a text that neither asks nor tells says what
// happens: "terraform apply wants to recreate everything", "works locally but not in
// production". A text that begins with an article describes a thing instead.
func complaint(s sentence) string {
	w := strings.Fields(s.lower)
	const most = 14
	if len(w) < 3 || len(w) > most || startsQuestion(s.line) || strings.ContainsAny(s.line, "?？") || w[0] == "a" || w[0] == "an" {
		return ""
	}
	if s.hasPhrase(relative) {
		return ""
	}
	if n, i := negatedVerb.FindPhrase(s.lower); i > 0 {
		return n
	}
	if s.hasPhrase(but) {
		return "but"
	}
	if w[0] == "my" || w[0] == "our" {
		return w[0]
	}
	for i := 1; i+1 < len(w); i++ {
		// "runs twice", "lags behind", "drops every minute"
		if on := strings.HasSuffix(w[i], "s") && !strings.HasSuffix(w[i], "ss") && len(w[i]) > 3 &&
			goesOnAfter.Has(w[i+1]); on {
			return w[i] + " " + w[i+1]
		}
		if !happens.Has(w[i]) {
			continue
		}
		if happensNotAfter.Has(w[i-1]) || w[i] == "makes" && w[i+1] == "it" {
			continue
		}
		return w[i]
	}
	return ""
}

// hanName reports whether a word of trouble is a part of the name of a thing: 错误处理,
// 超时时间 and 失败策略 are no failures.
func hanName(s, w string) bool {
	i := strings.Index(s, w)
	rest := s[i+len(w):]
	if troubleName.Begins(rest) {
		return true
	}
	if always.Has(w) && until.Begins(rest) {
		return true
	}
	return guideTopic.Has(w) && guide.Closes(strings.TrimSpace(s))
}

// isPartOfName reports whether a word of trouble at i is a part of a name or is what a question
// is about rather than what happens: "error handling", "what happens when … fails".
func isPartOfName(s sentence, w string, i int) bool {
	rest := s.cutBetween(i+len(w), len(s.line))
	if !troubleNoun.Has(w) {
		return false
	}
	if r := s.line[i]; unicode.IsUpper(rune(r)) && i > 0 {
		return true // Node Problem Detector
	}
	if _, _, ok := rest.opensWith(troubleCompound); ok {
		return true
	}
	if rest.line == "" && countWords(s.line) <= 2 && troubleTitle.Has(w) {
		return true
	}
	if _, _, ok := s.opensWith(troubleQuestion); ok {
		return true
	}
	return troubleProperty.Has(w) && countWords(s.line) < 4
}

// conditional reports whether trouble is only supposed: "what happens if a pod fails",
// "does it retry when a job fails".
func conditional(s sentence) bool {
	_, _, ok := s.opensWith(conditionOpening)
	return ok
}

// statusEndings are the last parts of the names of statuses and errors.
const statusEndings = `Error Exception BackOff Backoff Killed Failed Failure Exceeded NotFound NotReady NotAllowed NotSupported Denied
	Refused Unavailable Unschedulable Evicted Fault Invalid Forbidden Overflow Warning Mismatch Violation Conflict`

// isStatusName reports whether a word is a status or an error that programs print: its last
// part says that something went wrong.
func isStatusName(w string) bool {
	w = strings.Trim(w, "`\"'.,:;()[]")
	if strings.ContainsAny(w, " \t") || len(w) < 4 {
		return false
	}
	for end := range strings.FieldsSeq(statusEndings) {
		if head, ok := strings.CutSuffix(w, end); ok && (head != "" && unicode.IsUpper(rune(w[0])) || end == "Evicted") &&
			!strings.Contains(w, ".") {
			return true
		}
	}
	if strings.HasPrefix(w, "Not") && len(w) > 5 && unicode.IsUpper(rune(w[3])) {
		return true
	}
	if strings.HasPrefix(w, "Err") && len(w) > 5 && unicode.IsUpper(rune(w[3])) {
		return true
	}
	return isErrorNumber(w)
}

// isErrorNumber reports whether a word is the number of an error: E0716, ENOENT, ORA-00942,
// SIGSEGV, ERR_CONNECTION_REFUSED.
func isErrorNumber(w string) bool {
	digits, upper, other := 0, 0, 0
	for _, r := range w {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'A' && r <= 'Z':
			upper++
		case r != '-' && r != '_':
			other++
		}
	}
	if other > 0 || upper == 0 || len(w) < 4 {
		return false
	}
	switch {
	case w[0] == 'E' && digits == 0 && !strings.ContainsAny(w, "_-") && upper >= 5:
		return isErrnoName(w)
	case strings.HasPrefix(w, "SIG") && digits == 0 && !strings.Contains(w, "_"):
		return true
	case strings.HasPrefix(w, "ERR_"), strings.HasSuffix(w, "_ERROR"), strings.HasSuffix(w, "_ERR"):
		return true
	}
	// E0716, TS2345, ORA-00942, C4996
	return upper <= 4 && digits >= 4 && unicode.IsUpper(rune(w[0])) && unicode.IsDigit(rune(w[len(w)-1])) &&
		!strings.HasPrefix(w, "RFC") && !strings.HasPrefix(w, "ISO") && !strings.HasPrefix(w, "CVE") && !strings.HasPrefix(w, "UTF") &&
		!strings.HasPrefix(w, "KEP") && !strings.HasPrefix(w, "PEP")
}

// errnoNames are the numbers of POSIX's errno and the codes that npm made like them,
// without their E.
const errnoNames = `NOENT ACCES PERM EXIST INVAL ADDRINUSE ADDRNOTAVAIL CONNREFUSED CONNRESET CONNABORTED TIMEDOUT HOSTUNREACH NETUNREACH
	PIPE MFILE NFILE NOSPC NOTDIR ISDIR NOTEMPTY BUSY AGAIN ROFS NOTFOUND AI_AGAIN NOMEM BADF FAULT OVERFLOW RANGE LOOP INTR RESOLVE
	INTEGRITY RESOLVERR LIFECYCLE`

// isErrnoName reports whether a word of capitals is such a number.
func isErrnoName(w string) bool { return slices.Contains(strings.Fields(errnoNames), w[1:]) }

// exits are statuses by number.
var exits = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bexit(?:ed)?(?: with)?(?: code| status)?:? (?:code )?\d+\b|` +
		`\b(?:http|status|error|code|errno)(?: status)?(?: code)? [45]\d\d\b|` +
		`\b[45]\d\d (?:error|not found|forbidden|unauthorized|bad gateway|bad request|internal server error|` +
		`service unavailable|gateway timeout|too many requests|conflict|method not allowed|gone)\b`)
})

// errorNames are the statuses and errors that a text names.
func errorNames(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:()[]{}\"'`?!，。：；（）“”", r) || r >= 0x2e80
	}) {
		if w = strings.Trim(w, "."); isStatusName(w) {
			out = append(out, w)
		}
	}
	if m := exits().FindString(text); m != "" {
		out = append(out, m)
	}
	return distinctSubjects(out)
}
