package kind

import (
	"slices"
	"strings"
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/lexicon"
)

func procedureOpenings() []string {
	return words("how to|how do i|how do you|how do we|how does one|how can i|how can you|how can we|how should i|how should we|how would i|how would you|howto|how i can|how i|show me how to|show me how|steps to|steps for|the steps to|walk me through|step by step|best way to|what is the best way to|what's the best way to|easiest way to|is there a way to|way to|can i|can you|can we|could i|is it possible to|guide to|tutorial|instructions for|example of how to|i want to|i need to|i'd like to|i would like to|i am trying to|i'm trying to|trying to|help me|where do i|where can i|what do i need to|what do i have to|what should i do to|" +
		"如何|怎么|怎样|怎麼|如何才能|怎么才能|怎么样才能|" +
		"wie kann ich|wie kann man|wie mache ich|wie macht man|wie richte ich|wie konfiguriere ich|wie erstelle ich|wie installiere ich|wie lösche ich|wie füge ich|wie starte ich|wie benutze ich|wie verwende ich|wie setze ich|wie ändere ich|wie aktiviere ich|wie deaktiviere ich|wie stelle ich|wie bekomme ich|wie|" +
		"comment|comment puis-je|cómo|como puedo|как|каким образом|どうやって|どのように|どうすれば")
}

func procedureInside() []string {
	return []string{"怎么", "如何", "怎样", "的方法", "的步骤", "方法を", "する方法", "には どう", "にはどう", "どうやって", "どのように", "どうすれば", "手順", "作り方", "やり方", "使い方", "書き方", "設定方法", "するには", "できますか"}
}

// AsksHow says whether a question asks how something is done in so many words, and does
// not only tell what is to be done.
func AsksHow(text string) bool { return isProcedure(newSentence(question.Shorten(text, mostRead))) }

// isProcedure says whether a question asks how something is done.
func isProcedure(s sentence) bool {
	for _, w := range procedureOpenings() {
		if rest, ok := s.opens(w); ok && rest.line != "" {
			return true
		}
	}
	for _, w := range procedureInside() {
		if strings.Contains(s.lower, w) {
			return true
		}
	}
	return s.has(words("how to|how do i|how can i|how do you|how do we"))
}

// procedure reads "how do I …", "怎么 …", and instructions: "copy a file from a
// container".
func procedure(s sentence) (Reading, bool) {
	for _, w := range procedureOpenings() {
		if rest, ok := s.opens(w); ok && rest.line != "" {
			return Reading{Kind: contract.KindProcedure, Cue: w}, true
		}
	}
	for _, w := range procedureInside() {
		if strings.Contains(s.lower, w) {
			return Reading{Kind: contract.KindProcedure, Cue: w}, true
		}
	}
	if w, i := s.find(words("how to|how do i|how can i|how do you|how do we")); i >= 0 {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	if w := hanInstruction(s); w != "" {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	if w := instruction(s); w != "" {
		return Reading{Kind: contract.KindProcedure, Cue: w}, true
	}
	return Reading{}, false
}

// verbs are the English verbs of the lexicon; true: hardly ever a noun.
var verbs = sync.OnceValue(func() map[string]bool {
	out, nouns := map[string]bool{}, map[string]bool{}
	lexicon.English(func(g string, verb bool) {
		switch {
		case strings.Contains(g, " "):
		case verb:
			out[g] = true
		default:
			nouns[strings.ToLower(g)] = true
		}
	})
	for _, v := range words("turn|keep|pull|push|go|let|give|take|make|put|bring|switch|replace|attach|detach|mount|unmount|call|invoke|embed|wrap|pass|send|receive|ssh|exec|spin|tear|bootstrap|provision|roll|revert|undo|rename|move|copy|paste|get|set|see|find|show|list|combine|split|join|merge|clean|prevent|stop|avoid|force|allow|ensure|safely|automatically|programmatically|cross|cross-compile|use|promote|demote|compress|resize|rotate|annotate|subscribe|unlock|throttle|center|animate|parse|serialize|encode|decode|minify|bundle|evict|squash|rebase|fetch|upload|download|redirect|rewrite|forward|bind|notify|redact|encrypt|decrypt|impersonate|delegate|replicate|truncate|purge|archive|aggregate|extract|transform|visualize|train|quantize|speed|reduce|increase|limit|choose|pick|decide|handle|catch|throw|define|declare|implement|iterate|loop|sort|filter|convert|cast") {
		out[v] = true
	}
	for v := range out {
		out[v] = !nouns[v] || v == "use"
	}
	return out
})

// instruction is the verb of a text that tells to do something, "" for any other
// text. A word that is a noun as well is a verb before an article or a pronoun, or
// before "all" and "from" and the like.
//
// The documentation of options tells too ("Set to 1 to skip validation. Use when …"):
// several sentences and long ones are descriptions.
func instruction(s sentence) string {
	w := strings.Fields(s.line)
	const most = 14
	if len(w) > most || strings.Contains(s.line, ". ") || strings.Contains(s.line, ": ") || strings.HasPrefix(s.lower, "set to ") {
		return ""
	}
	for len(w) > 1 && (strings.HasSuffix(w[0], "ly") || strings.EqualFold(w[0], "do") && strings.EqualFold(w[1], "not")) {
		w = w[1:]
	}
	if len(w) < 2 {
		return ""
	}
	verb := strings.ToLower(w[0])
	sure, ok := verbs()[verb]
	if !ok && len(w) > 2 && slices.Contains(words("back up|sign up|sign in|log in|log out|spin up|shut down|look up|clean up|roll back|roll out|tear down|opt in|opt out|power off|warm up|wake up|set up"), verb+" "+strings.ToLower(w[1])) {
		return verb + " " + w[1]
	}
	if !ok || w[0] != verb && w[0] != strings.ToUpper(verb[:1])+verb[1:] {
		return ""
	}
	switch next := strings.ToLower(w[1]); next {
	case "a", "an", "the", "my", "your", "our", "all", "any", "some", "this", "that", "it", "two", "multiple", "several", "only", "each", "every", "new", "off", "on", "up", "down", "out", "back", "into", "from", "to":
		return verb
	case "is", "are", "hangs", "rejected", "refused", "denied", "crashes", "takes", "error", "errors", "exception", "keeps", "never", "times", "works", "returns", "shows", "was", "vs", "vs.", "or", "default", "failed", "fails", "does", "doesn't", "not", "of", "and", "stuck":
		return ""
	}
	if sure && len(w) > 2 {
		return verb
	}
	// "pull image from a private registry": a noun before a noun is rather a name, but
	// not where the sentence goes on with what a verb needs.
	const long = 4
	if len(w) >= long && s.has(words("from|to|into|onto|with|without|using|automatically|of a|of the|for|the|my")) {
		return verb
	}
	return ""
}

// hanInstruction is the Chinese verb of a text that tells to do something: 清理过期数据.
func hanInstruction(s sentence) string {
	rest := s.line
	for _, w := range words("自动|批量|手动|快速|定期|一键|在线|本地|请|帮我") {
		rest = strings.TrimPrefix(rest, w)
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < 0x2e80 })
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return ""
	}
	p := lexicon.Segment(rest[:end])
	if len(p) == 0 || p[0].End == len(rest) {
		return ""
	}
	if c := p[0].Entry.Class; c == lexicon.Verb || c == lexicon.VerbNoun && rest != s.line {
		return p[0].Text
	}
	return ""
}
