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
		text = cutBytes(text, maxPreferenceBytes) + "\n" + strings.ToValidUTF8(text[len(text)-maxPreferenceBytes:], "")
	}
	for _, c := range clauses(withoutCode(text)) {
		f, s := c.preference()
		full, compress = full || f, compress || s
	}
	return full, compress
}

const maxPreferenceBytes = 4096

// withoutCode replaces what is written as code by a word that means nothing.
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

func clauses(text string) []clause {
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
		case two == "can you" || two == "could you" || two == "would you" || two == "will you" || two == "help me" ||
			two == "i want" || two == "i need" || two == "i'd like" || two == "want you" || two == "like you":
			w, request = w[2:], true
			continue
		}
		switch w[0] {
		case "please", "pls", "plz", "kindly", "just", "and", "then", "but", "also", "so", "now", "ok", "okay", "hi", "hello", "to", "you", "only":
			w = w[1:]
			continue
		}
		return w, request
	}
	return w, request
}

func oneOf(w string, list string) bool {
	for l := range strings.FieldsSeq(list) {
		if l == w {
			return true
		}
	}
	return false
}

func compressVerb(w string) bool {
	return oneOf(w, "compress summarize summarise condense shorten abridge tldr")
}

func compressWord(w string) bool {
	return compressVerb(w) || oneOf(w, "compressed compression compressing condensed condensing summary summaries summarized summarised summarizing summarising summarization abridged shortened truncate truncated tl dr")
}

// compressible reports whether programs compress such things: a clause with one is about
// compression.
func compressible(w string) bool {
	return oneOf(w, "image images file files folder folders directory log logs data response responses video videos asset assets backup "+
		"backups archive archives layer layers history messages payload payloads traffic request requests json css js html memory "+
		"string strings static http https session sessions conversation conversations disk volume volumes index indexes artifacts "+
		"package packages binary pdf pdfs table tables column columns cache gzip zip zstd brotli tar png jpg jpeg svg context prompt")
}

func textWord(w string) bool {
	return oneOf(w, "content contents text texts document documents documentation doc docs page pages article section chapter wording version")
}

func preferenceEnglish(words []string) (full, compress bool) {
	w, request := dropPolite(words)
	if len(w) == 0 {
		return false, false
	}
	if request && wants(words) {
		request, w = false, append([]string{"how"}, w...) // asks how it is done
	}
	asks := !request && interrogative(w) && !(w[0] == "do" && len(w) > 1 && w[1] == "not")
	full = fullPreferred(w, asks)
	if i, j := negation(w); i >= 0 {
		rest := w[j+1:]
		atEnd := len(fillerAfter(rest)) == 0
		if !slices.ContainsFunc(rest, compressible) && (atEnd || !asks && i == 0) {
			return true, false
		}
		if !asks && oneOf(w[i], "no without") && atEnd {
			return true, false
		}
		return full, false
	}
	return full, compressionPreferred(w, asks) || request && summaryOf(w)
}

// wants reports whether someone wants to do something and not to have it done: "I want to
// summarize a conversation".
func wants(w []string) bool {
	line := " " + strings.Join(w, " ") + " "
	for _, p := range []string{" i want to ", " i need to ", " i'd like to "} {
		if strings.Contains(line, p) {
			return true
		}
	}
	return false
}

// summaryOf reports whether words after a request such as "I want" name a summary.
func summaryOf(w []string) bool {
	for len(w) > 0 && oneOf(w[0], "me a an the only") {
		w = w[1:]
	}
	w = dropAdjectives(w)
	return len(w) > 0 && w[0] == "summary"
}

// negation finds a negated word for compression: w[i] negates, w[j] is the word.
func negation(w []string) (i, j int) {
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
	for len(w) > 0 && (textWord(w[0]) || oneOf(w[0], "it this that these them the please pls thanks thank you anything everything output result results answer "+
		"for me now here at all of briefly in short only or and too much further any way")) {
		w = w[1:]
	}
	return w
}

func interrogative(w []string) bool {
	return oneOf(w[0], "how what what's why when where which who whose is are does do did can could should would will has have may")
}

func givingVerb(w string) bool {
	return oneOf(w, "show give get print return send display provide want need write make output quote paste read include keep preserve use have produce tell")
}

func compressionPreferred(w []string, asks bool) bool {
	last := w[len(w)-1]
	if oneOf(last, "please pls thanks thx now only") && len(w) > 1 {
		return compressionPreferred(w[:len(w)-1], asks)
	}
	if oneOf(w[0], "briefly concisely tldr") || oneOf(last, "briefly concisely tldr") {
		return true
	}
	line := " " + strings.Join(w, " ") + " "
	for _, p := range []string{" in brief ", " in short ", " in a nutshell ", " in a few words ", " in a few sentences ", " in a few lines ", " in summary form ", " tl dr "} {
		if strings.HasPrefix(line, p) || strings.HasSuffix(line, p) {
			return true
		}
	}
	if oneOf(w[0], "keep make") && len(w) > 2 && oneOf(w[1], "it this that") && oneOf(w[2], "short shorter brief concise compact") {
		return true
	}
	if asks || slices.ContainsFunc(w, compressible) && !oneOf(w[0], "summarize summarise") {
		return false
	}
	switch {
	case compressVerb(w[0]) || w[0] == "sum" && len(w) > 1 && w[1] == "up":
		// "summarize hook events" instructs; "compress option" may be a name.
		if slices.ContainsFunc(w, func(s string) bool { return oneOf(s, "using via programmatically") }) {
			return false // a task of the documentation
		}
		if len(w) > 1 && oneOf(w[1], "option flag setting command mode middleware plugin algorithm method function tool parameter button hook endpoint api feature key field") && (len(w) == 2 || oneOf(w[2], "of in for is does do to with on and default value")) {
			return false
		}
		return len(w) == 1 || w[0] != "compress" || !oneOf(w[1], "options settings")
	case compressVerb(last):
		return !slices.ContainsFunc(w, func(s string) bool { return oneOf(s, "to auto automatically not") })
	}
	rest := w
	if givingVerb(rest[0]) {
		for rest = rest[1:]; len(rest) > 0 && oneOf(rest[0], "me us a an the it only just with your"); rest = rest[1:] {
		}
		rest = dropAdjectives(rest)
		return len(rest) > 0 && oneOf(rest[0], "summary compressed condensed summarized summarised")
	}
	for len(rest) > 0 && oneOf(rest[0], "a an the as in with") {
		rest = rest[1:]
	}
	bare := dropAdjectives(rest)
	if len(bare) > 0 && oneOf(bare[0], "summary compressed condensed summarized") && len(fillerAfter(bare[1:])) == 0 {
		return true
	}
	// "summary of hooks"; but "summary of changes" is a title.
	if len(bare) > 2 && bare[0] == "summary" && bare[1] == "of" && !oneOf(bare[2], "changes change") && (bare[2] != "the" || len(bare) > 3 && bare[3] != "changes") {
		return true
	}
	if last == "summary" && len(w) > 1 {
		return textWord(w[len(w)-2]) || oneOf(w[len(w)-2], "reference guide manual tutorial short brief quick concise")
	}
	return false
}

func dropAdjectives(w []string) []string {
	for len(w) > 0 && oneOf(w[0], "short brief quick concise compact small little simple") {
		w = w[1:]
	}
	return w
}

func fullPreferred(w []string, asks bool) bool {
	for len(w) > 1 && oneOf(w[len(w)-1], "please pls thanks thx now only") {
		w = w[:len(w)-1]
	}
	line := " " + strings.Join(w, " ") + " "
	ends := []string{" in full ", " in its entirety ", " verbatim ", " word for word ", " uncompressed ", " unabridged ", " untruncated ", " unshortened ", " unsummarized "}
	for _, p := range ends {
		if strings.TrimSpace(line) == strings.TrimSpace(p) || !asks && strings.HasSuffix(line, p) {
			return true
		}
	}
	bare := w
	for len(bare) > 0 && oneOf(bare[0], "the a as in its") {
		bare = bare[1:]
	}
	if len(bare) == 1 && oneOf(bare[0], "complete original full entire unmodified uncompressed") {
		return true
	}
	gives := givingVerb(w[0])
	for i, a := range w[:len(w)-1] {
		n := w[i+1]
		if !oneOf(a, "full complete entire whole original uncompressed unabridged unmodified exact") || !textWord(n) {
			continue
		}
		if n == "version" && a != "full" && a != "complete" && a != "uncompressed" && a != "unabridged" && a != "original" {
			continue
		}
		rest := w[i+2:]
		if len(rest) > 0 && !oneOf(rest[0], "of for from please about on in and or to with without thanks here now instead only as that which not at is no") &&
			!(i == 0 && !compoundOfText(rest[0])) {
			continue // "full text search", "whole page screenshot"
		}
		if asks && !(oneOf(w[0], "what what's") && i <= 3 && !slices.Contains(w, "mean")) {
			continue
		}
		// Documentation is often about documents: only a verb of giving or the end of
		// the clause makes it a preference.
		if gives || oneOf(n, "content contents text texts wording") || len(rest) == 0 {
			return true
		}
		if oneOf(n, "page document article section version") && oneOf(rest[0], "of please") {
			return true
		}
	}
	return false
}

// compoundOfText reports whether "full text X" with this X is a name.
func compoundOfText(w string) bool {
	return oneOf(w, "search searches searching index indexes indexing query queries hash type types length negotiation cache caching "+
		"screenshot screenshots width height mode layout security policy completion completions generation editor field fields "+
		"retrieval match matching engine support feature features api")
}
