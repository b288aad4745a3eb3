package question

import (
	"slices"
	"strings"
	"unicode"
)

// Preference reports whether a question asks for the text in full or asks for it
// compressed. Both may hold ("summarize hooks, but the hooks table in full");
// full wins then, which is for the caller to apply.
//
// The words alone prove nothing: "How do I compress images?" is about
// compression and "complete guide to hooks" is a title. The rule:
//
//  1. The question is cut into clauses at punctuation and line breaks, and each
//     clause is judged by itself. A clause is a question (how ..., why ...,
//     如何 ...) or it is not; "can you ..." and 请 ... are requests, not
//     questions.
//  2. Compression is preferred when its word stands as an instruction: it begins a
//     clause or a request ("summarize the hooks page", "总结一下 hooks"), is all
//     that a clause says ("hooks reference, summary"), or ends a clause that is
//     no question ("hooks 压缩"). It is not when its object is something that
//     programs compress ("compress images", "上下文压缩", "压缩算法").
//  3. Full text is preferred when a word for wholeness stands with a word for text
//     ("full content", "the original text", "完整内容") in a clause that is no
//     question, or is all that a clause says ("in full", "original").
//     A word written as code ("/summarize", "`compress`", "--summarize") is a name, and
//     so is one before what makes it a name ("the summarize option").
//  4. A negated word for compression ("don't summarize", "不要压缩") prefers full
//     text, in a question only where it ends the clause, and never compression.
//
// Where in doubt, neither is preferred: too much text is the smaller harm.
func Preference(text string) (full, compress bool) {
	if len(text) > 4*maxPreferenceBytes {
		// Instructions stand at the ends, not in the middle of a pasted file.
		text = prefixOfBytes(text, maxPreferenceBytes) + "\n" + strings.ToValidUTF8(text[len(text)-maxPreferenceBytes:], "")
	}
	for _, c := range clausesOf(withoutCode(text)) {
		f, s := c.preference()
		full, compress = full || f, compress || s
	}
	return full, compress
}

const maxPreferenceBytes = 4096

// withoutCode replaces code by a word without a meaning.
func withoutCode(text string) string {
	if !strings.ContainsAny(text, "`/-$@_(") {
		return text
	}
	var b strings.Builder
	at := 0
	for _, t := range Tokens(text) {
		if t.Kind == Code {
			b.WriteString(text[at:t.Start] + "code")
			at = t.End
		}
	}
	return b.String() + text[at:]
}

// clause is a piece of a question between marks: its Latin words in lower case
// and, for Chinese, its characters without spaces.
type clause struct {
	words []string
	han   string // lower case, no spaces; "" for a clause without Chinese
}

func clausesOf(text string) []clause {
	var out []clause
	text = strings.NewReplacer("’", "'", "tl;dr", "tldr").Replace(strings.ToLower(text))
	runes := []rune(text)
	start := 0
	flush := func(end int) {
		if c := newClause(string(runes[start:end])); len(c.words) > 0 {
			out = append(out, c)
		}
	}
	for i, r := range runes {
		// A dot, colon or dash inside a word (v1.2, a:b, full-text) ends no clause.
		inner := strings.ContainsRune(".:-–", r) && i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) && !(r == '–')
		if r == '-' && (i == 0 || !unicode.IsSpace(runes[i-1])) {
			inner = true
		}
		if !inner && strings.ContainsRune(".,;:?!()[]\n-–—。，、；：？！（）【】…\"“”", r) {
			flush(i)
			start = i + 1
		}
	}
	flush(len(runes))
	return out
}

func newClause(s string) clause {
	var c clause
	c.words = strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'-_", r)
	})
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		c.han = strings.Join(strings.Fields(s), "")
	}
	return c
}

func (c clause) preference() (full, compress bool) {
	if c.han != "" {
		return preferenceHan(c.han)
	}
	return preferenceEnglish(c.words)
}

// dropPolite removes polite words before an instruction, and reports whether they are a
// request ("can you").
func dropPolite(w []string) (rest []string, request bool) {
	for len(w) > 0 {
		switch two := strings.Join(w[:min(2, len(w))], " "); {
		case preferRequests.Has(two):
			w, request = w[2:], true
			continue
		}
		if preferPoliteWord.Has(w[0]) {
			w = w[1:]
			continue
		}
		return w, request
	}
	return w, request
}

func compressWord(w string) bool {
	return preferVerb.Has(w) || preferCompressedWord.Has(w)
}

func preferenceEnglish(words []string) (full, compress bool) {
	w, request := dropPolite(words)
	if len(w) == 0 {
		return false, false
	}
	if request && wantsToDo(words) {
		request, w = false, append([]string{"how"}, w...) // asks how it is done
	}
	asks := !request && preferInterrogative.Has(w[0]) && !(w[0] == "do" && len(w) > 1 && w[1] == "not")
	full = fullPreferred(w, asks)
	if i, j := findNegation(w); i >= 0 {
		rest := w[j+1:]
		atEnd := len(fillerAfter(rest)) == 0
		if !slices.ContainsFunc(rest, preferCompressible.Has) && (atEnd || !asks && i == 0) {
			return true, false
		}
		if !asks && preferWithout.Has(w[i]) && atEnd {
			return true, false
		}
		return full, false
	}
	return full, compressionPreferred(w, asks) || request && summaryOf(w)
}

// wantsToDo reports whether someone wants to do something and not to have it done: "I want to
// summarize a conversation".
func wantsToDo(w []string) bool {
	line := " " + strings.Join(w, " ") + " "
	for _, p := range preferWant.Phrases() {
		if strings.Contains(line, " "+p+" ") {
			return true
		}
	}
	return false
}

// summaryOf reports whether words after a request such as "I want" name a summary.
func summaryOf(w []string) bool {
	for len(w) > 0 && preferSummaryBefore.Has(w[0]) {
		w = w[1:]
	}
	w = dropAdjectives(w)
	return len(w) > 0 && w[0] == "summary"
}

// findNegation finds a negated word for compression: w[i] negates, w[j] is the word.
func findNegation(w []string) (i, j int) {
	for i, n := range w {
		reach := 0
		switch {
		case n == "don't" || n == "dont" || n == "never" || n == "without" || n == "not" && (i == 0 || w[i-1] != "does"):
			reach = 6
		case n == "no":
			reach = 2
		}
		for j := i + 1; j < len(w) && j <= i+reach; j++ {
			if compressWord(w[j]) {
				if i > 0 && w[i-1] == "do" {
					i--
				}
				return i, j
			}
		}
	}
	return -1, -1
}

// fillerAfter removes words that may follow an instruction without changing its object.
func fillerAfter(w []string) []string {
	for len(w) > 0 && (preferTextWord.Has(w[0]) || preferFillerAfter.Has(w[0])) {
		w = w[1:]
	}
	return w
}

func compressionPreferred(w []string, asks bool) bool {
	last := w[len(w)-1]
	if preferThanks.Has(last) && len(w) > 1 {
		return compressionPreferred(w[:len(w)-1], asks)
	}
	if preferBriefly.Has(w[0]) || preferBriefly.Has(last) {
		return true
	}
	line := " " + strings.Join(w, " ") + " "
	for _, p := range preferInBrief.Phrases() {
		if strings.HasPrefix(line, " "+p+" ") || strings.HasSuffix(line, " "+p+" ") {
			return true
		}
	}
	if preferKeep.Has(w[0]) && len(w) > 2 && preferIt.Has(w[1]) && preferShort.Has(w[2]) {
		return true
	}
	if asks || slices.ContainsFunc(w, preferCompressible.Has) && !preferSummarize.Has(w[0]) {
		return false
	}
	switch {
	case preferVerb.Has(w[0]) || w[0] == "sum" && len(w) > 1 && w[1] == "up":
		// "summarize hook events" instructs; "compress option" may be a name.
		if slices.ContainsFunc(w, func(s string) bool { return preferTask.Has(s) }) {
			return false // a task of the documentation
		}
		if len(w) > 1 && preferName.Has(w[1]) && (len(w) == 2 || preferAfterName.Has(w[2])) {
			return false
		}
		return len(w) == 1 || w[0] != "compress" || !preferSetting.Has(w[1])
	case preferVerb.Has(last):
		return !slices.ContainsFunc(w, func(s string) bool { return preferAutomatic.Has(s) })
	}
	rest := w
	if preferGiving.Has(rest[0]) {
		for rest = rest[1:]; len(rest) > 0 && preferGivingObject.Has(rest[0]); rest = rest[1:] {
		}
		rest = dropAdjectives(rest)
		return len(rest) > 0 && preferSummaryGiven.Has(rest[0])
	}
	for len(rest) > 0 && preferSummaryArticle.Has(rest[0]) {
		rest = rest[1:]
	}
	bare := dropAdjectives(rest)
	if len(bare) > 0 && preferSummaryAlone.Has(bare[0]) && len(fillerAfter(bare[1:])) == 0 {
		return true
	}
	// "summary of hooks"; but "summary of changes" is a title.
	if len(bare) > 2 && bare[0] == "summary" && bare[1] == "of" && !preferChange.Has(bare[2]) &&
		(bare[2] != "the" || len(bare) > 3 && bare[3] != "changes") {
		return true
	}
	if last == "summary" && len(w) > 1 {
		// "hooks summary"; but "change summary" and "cost summary" are names.
		if len(w) == 2 && !preferSummaryName.Has(w[0]) {
			return true
		}
		return preferTextWord.Has(w[len(w)-2]) || preferSummaryOf.Has(w[len(w)-2])
	}
	return false
}

func dropAdjectives(w []string) []string {
	for len(w) > 0 && preferAdjective.Has(w[0]) {
		w = w[1:]
	}
	return w
}

func fullPreferred(w []string, asks bool) bool {
	for len(w) > 1 && preferThanks.Has(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	line := " " + strings.Join(w, " ") + " "
	for _, p := range preferInFull.Phrases() {
		if strings.TrimSpace(line) == p || !asks && strings.HasSuffix(line, " "+p+" ") {
			return true
		}
	}
	bare := w
	for len(bare) > 0 && preferWholeArticle.Has(bare[0]) {
		bare = bare[1:]
	}
	if len(bare) == 1 && preferWholeAlone.Has(bare[0]) {
		return true
	}
	gives := preferGiving.Has(w[0])
	for i, a := range w[:len(w)-1] {
		n := w[i+1]
		if !preferWhole.Has(a) || !preferTextWord.Has(n) {
			continue
		}
		if n == "version" && a != "full" && a != "complete" && a != "uncompressed" && a != "unabridged" && a != "original" {
			continue
		}
		rest := w[i+2:]
		if len(rest) > 0 && !preferAfterText.Has(rest[0]) &&
			!(i == 0 && !preferCompound.Has(rest[0])) {
			continue // "full text search", "whole page screenshot"
		}
		if asks && !(preferWhat.Has(w[0]) && i <= 3 && !slices.Contains(w, "mean")) {
			continue
		}
		// Documentation is often about documents: only a verb of giving or the end of
		// the clause makes it a preference.
		if gives || preferContent.Has(n) || len(rest) == 0 {
			return true
		}
		if preferPage.Has(n) && preferOf.Has(rest[0]) {
			return true
		}
	}
	return false
}
