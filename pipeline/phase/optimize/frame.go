package optimize

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/question"
	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/gloss"
	"docent/pipeline/question/phrase"
	"docent/pipeline/question/wordlist"
)

// role is the function of a term in the question.
type role uint8

const (
	topic    role = iota // what the question is about
	action               // a verb, or a noun that stands for one
	modifier             // says more about a topic
	asking               // a question word
	joining              // separates two parts of the question
	compare              // asks for a difference
	coverb               // Chinese: begins a phrase that follows the verb in English
	nothing              // carries no meaning for a search
)

// term is one word of the question.
type term struct {
	role   role
	text   string             // as queries have it; English where the lexicon has it
	noun   string             // of a Chinese word that is verb and noun: the noun
	verb   string             // of an action: its base form
	other  []string           // other English translations
	named  bool               // an action by its noun: "deployment"
	inside bool               // a part of a known term of several words
	head   bool               // the first of its clause, modifiers apart, with more after it
	about  *concept           // its other names, nil if none are known
	code   bool               // written as code or quoted: never changed, never split
	han    bool               // translated: from Chinese, or by a dictionary
	gloss  []dictionary.Gloss // the translations of a translated word, the best first
	source string             // of a translated word: as the question has it
	joined string             // of a fixed expression: its other writing, "rollback" for "roll back"
	tail   bool               // followed by 的: modifies what follows
}

func (t term) isContent() bool { return t.role == topic || t.role == action || t.role == modifier }

// frame is a question as terms with roles.
type frame struct {
	terms    []term
	asks     string // kind of the first question word: how, what ...; or ""
	compares bool
}

// maxFrameTerms is the most terms of a question that are analysed. A longer question
// is a pasted text, whose first lines say what it is about.
const maxFrameTerms = 160

// readFrame makes the frame of a text in the given language.
func (t *tables) readFrame(text, language string) frame {
	var f frame
	tokens := question.Tokens(text)
	var words []gloss.Word
	if language != "zh" {
		words = gloss.SplitWords(text, language)
	}
	// foreign adds the words that begin in a token; one of several tokens is
	// added with the first of them.
	foreign := func(tok question.Token) {
		for len(words) > 0 && words[0].Start < tok.End {
			if words[0].Start >= tok.Start {
				f.addForeign(t, words[0], language)
			}
			words = words[1:]
		}
	}
	for i := 0; i < len(tokens) && len(f.terms) < maxFrameTerms; i++ {
		tok := tokens[i]
		switch tok.Kind {
		case question.Code, question.Quoted:
			if tok.Kind == question.Quoted && foreignTitle(tok.Text, language) {
				f.addQuoted(func() {
					if language != "zh" {
						foreign(tok)
						return
					}
					for _, inner := range question.Tokens(tok.Text) {
						if inner.Kind != question.Han {
							f.terms = append(f.terms, term{text: inner.Text})
							continue
						}
						for _, p := range gloss.SplitWords(inner.Text, "zh") {
							f.addHan(p)
						}
					}
				})
				continue
			}
			f.terms = append(f.terms, term{text: question.OneLine(tok.Text), code: true})
		case question.Symbol:
			f.terms = append(f.terms, term{text: tok.Text})
		case question.Punct:
			if strings.ContainsAny(tok.Text, ",;.?!、，；。？！&:：") {
				f.terms = append(f.terms, term{role: joining, text: tok.Text})
			}
		case question.Han:
			if language != "zh" && gloss.HasDictionary(language) {
				foreign(tok)
				continue
			}
			for _, p := range gloss.SplitWords(tok.Text, "zh") {
				f.addHan(p)
			}
		case question.Word:
			if language != "zh" && gloss.HasDictionary(language) {
				foreign(tok)
				continue
			}
			if n := joinedWords(tokens[i:]); n > 0 {
				f.terms = append(f.terms, term{role: joining, text: "and"})
				i += n - 1
				continue
			}
			if n := f.addExpression(tokens, i); n > 0 {
				i += n - 1
				continue
			}
			f.addWord(t, tokens, i, language)
		}
	}
	t.knownTopics(f.terms)
	head := true
	for i, tm := range f.terms {
		switch {
		case tm.role == joining:
			head = true
		case tm.role == topic || tm.role == action || tm.role == coverb:
			f.terms[i].head, head = head && continuesClause(f.terms[i+1:]), false
		case tm.role == compare && tm.tail && tm.han:
			f.terms[i].role = modifier // 不同的运行时 compares nothing
			f.compares = slices.ContainsFunc(f.terms, func(o term) bool { return o.role == compare })
		}
		// A thing in code is a name; only prose words have other names.
		if c := t.concepts[strings.ToLower(tm.text)]; c != nil && c.thing && tm.role == topic && !tm.code && !tm.inside {
			f.terms[i].about = c
		} else if c := t.concepts[tm.verb]; c != nil && !c.thing && tm.role == action {
			f.terms[i].about = c
		}
	}
	return f
}

// foreignTitle reports whether a quoted text is translated like the rest of the question:
// if its script is not Latin. In Latin script it may be a name, such as a button's,
// and is left as it is.
func foreignTitle(text, language string) bool {
	if !gloss.HasDictionary(language) && language != "zh" {
		return false
	}
	han, other := false, false
	for _, r := range text {
		han = han || unicode.Is(unicode.Han, r)
		other = other || unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
	}
	return language == "zh" && han || other && gloss.Foreign(text, language)
}

// addQuoted calls add to add the words of a title. The question is not split at these
// words, and they do not tell what kind of question it is.
func (f *frame) addQuoted(add func()) {
	n, asks, compares := len(f.terms), f.asks, f.compares
	add()
	f.asks, f.compares = asks, compares
	for i := range f.terms[n:] {
		switch tm := &f.terms[n+i]; tm.role {
		case joining, asking:
			tm.role = nothing
		case action, compare, coverb:
			tm.role, tm.verb, tm.noun = topic, "", ""
		}
	}
}

// continuesClause reports whether terms continue the clause.
func continuesClause(terms []term) bool {
	for _, tm := range terms {
		if tm.role == joining || tm.isContent() || tm.role == compare {
			return tm.isContent()
		}
	}
	return false
}

// knownTopics makes topics of the words of known terms: "denied" in "permission denied" is
// not an action.
func (t *tables) knownTopics(terms []term) {
	for i := 0; i < len(terms); i++ {
		n := t.knownPhraseLength(terms[i:])
		for j := i; n > 1 && j < i+n; j++ {
			if !terms[j].han {
				terms[j].role, terms[j].verb, terms[j].named, terms[j].inside = topic, "", false, true
			}
		}
		i += max(0, n-1)
	}
}

// joinedWords counts the words of a conjunction at the start of tokens: 3 for
// "as well as".
func joinedWords(tokens []question.Token) int {
	at := func(words ...string) bool {
		if len(tokens) < len(words) {
			return false
		}
		for i, w := range words {
			if !strings.EqualFold(tokens[i].Text, w) {
				return false
			}
		}
		return true
	}
	switch {
	case at("as", "well", "as"):
		return 3
	case at("along", "with"), at("together", "with"), at("and", "also"), at("and", "then"):
		return 2
	case at("and"), at("also"), at("plus"), at("or"):
		return 1
	}
	return 0
}

func (f *frame) addWord(t *tables, tokens []question.Token, i int, language string) {
	text := tokens[i].Text
	w := strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(text, "’", "'"), "'s"))
	tm := term{text: text}
	switch {
	case questionWord(w):
		tm.role = asking
		if f.asks == "" {
			f.asks = w
		}
	case w == "vs" || w == "versus":
		tm.role, f.compares = joining, true
	case w == "difference" || w == "differences" || w == "differ" || w == "compare" || w == "comparison" || w == "compared":
		tm.role, f.compares = compare, true
		if strings.HasPrefix(w, "compar") {
			tm.verb = "compare"
		}
	case f.compares && (w == "with" || w == "to" || w == "or"):
		tm.role = joining
	case stopWord(w) || language != "en" && language != "zh" && question.FunctionWord(w, language):
		tm.role = nothing
	default:
		verb, sure := t.baseVerb(w)
		c := t.concepts[w]
		switch {
		case verb != "" && (sure || t.verbPlace(tokens, i)):
			tm.role, tm.verb = action, verb
		case c != nil && !c.thing && w != c.verb && !f.namesThing(tokens, i, language):
			tm.role, tm.verb, tm.named = action, c.verb, true
		}
		if e, n := phrase.ExpressionAt([]string{w}); n == 1 {
			if e.Separable() {
				tm.joined = e.Verb
			}
			if e.Verb != "" && t.verbPlace(tokens, i) {
				tm.role, tm.verb = action, e.Verb
			}
		}
	}
	f.terms = append(f.terms, tm)
}

// compoundHead are nouns that make a noun of the verb before them.
var compoundHead wordlist.Rule = "kind/compound-head"

// verbPlace reports whether a word that may be verb or noun is in the position of a
// verb: after "to" or a pronoun, or first in a clause of several words.
func (t *tables) verbPlace(tokens []question.Token, i int) bool {
	if i+2 == len(tokens) && compoundHead.Has(strings.ToLower(tokens[i+1].Text)) {
		return false // "release strategy" names a thing
	}
	if i == 0 || tokens[i-1].Kind == question.Punct {
		// "install, upgrade and remove": the list goes on with verbs.
		return i+1 < len(tokens) && (tokens[i+1].Kind != question.Punct || tokens[i+1].Text == "," && i+3 < len(tokens))
	}
	switch strings.ToLower(tokens[i-1].Text) {
	case "to", "i", "you", "we", "can", "should", "could", "would", "will", "must", "not", "don't", "please", "cannot", "can't":
		return true
	case "and", "then", "or":
		if i < 2 {
			return false
		}
		// "hooks or plugins" are no verbs.
		verb, _ := t.baseVerb(strings.ToLower(tokens[i-2].Text))
		return verb != "" && t.verbPlace(tokens, i-2)
	}
	return false
}

func questionWord(w string) bool {
	switch w {
	case "how", "what", "why", "when", "where", "which", "who", "whose", "whom", "what's", "how's", "where's":
		return true
	}
	return false
}

// stopWord reports whether an English word is meaningless for a search.
func stopWord(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "doing", "done", "can", "could",
		"should",
		"would", "will", "may", "might", "must", "shall", "have", "has", "had", "having", "i", "me", "my", "mine", "we", "us", "our",
		"you", "your", "it",
		"its", "they", "them", "their", "he", "she", "his", "her", "this", "that", "these", "those", "there", "here", "to", "of", "in",
		"on", "at", "by",
		"for", "from", "with", "into", "onto", "about", "as", "if", "or", "so", "than", "then", "but", "not", "no", "nor", "any", "some",
		"all",
		"each", "every", "such", "own", "same", "too", "very", "just", "only", "please", "want", "need", "needs", "know", "tell",
		"explain", "describe",
		"let", "like", "get", "got", "make", "makes", "work", "works", "mean", "means", "related", "regarding", "concerning", "thanks",
		"thank", "hi",
		"hello", "hey", "help", "way", "ways", "thing", "things", "something", "someone", "it's", "i'm", "i'd", "i've", "we're", "you're",
		"that's",
		"between", "both", "up", "via", "per", "using", "etc", "also", "when's", "whether", "because", "while", "during", "possible",
		"able", "e.g", "i.e", "more",
		"most", "much", "many", "happen", "happens", "happened", "happening", "other",
		"another", "s", "t", "don't", "doesn't", "can't", "cannot", "isn't", "won't", "didn't", "aren't", "wasn't", "weren't", "couldn't",
		"wouldn't", "shouldn't", "hasn't", "haven't", "hadn't",
		"dont", "doesnt", "cant", "isnt", "wont", "didnt", "arent", "wasnt", "werent", "couldnt", "wouldnt", "shouldnt", "hasnt",
		"havent", "hadnt", "whats", "wheres", "hows", "thats", "theres", "ive", "youre", "theyre", "what's", "there's",
		"anybody", "anyone", "anything", "anyway", "everybody", "everyone", "everything", "him", "himself", "herself", "itself",
		"myself", "yourself", "themselves", "ours", "yours", "nobody", "somebody", "although", "though", "meanwhile":
		return true
	}
	return false
}

// contentTerms are the topics, actions and modifiers.
func contentTerms(terms []term) []term {
	var out []term
	for _, tm := range terms {
		if tm.isContent() {
			out = append(out, tm)
		}
	}
	return out
}

// splitParts splits the terms at conjunctions and commas. It returns nil for fewer than two
// parts with contents, and for so many that the text is prose.
func (f frame) splitParts() [][]term {
	const most, longest = 4, 9
	if len(contentTerms(f.terms)) > longest {
		return nil
	}
	var out [][]term
	var part []term
	flush := func() {
		if len(contentTerms(part)) > 0 {
			out = append(out, part)
		}
		part = nil
	}
	for i, tm := range f.terms {
		if tm.role == joining && !f.joinsWordsOfName(i) {
			flush()
			continue
		}
		part = append(part, tm)
	}
	flush()
	if len(out) < 2 || len(out) > most {
		return nil
	}
	return out
}

// joinsWordsOfName reports whether the "and" at i joins the words of a name: "Identity and
// Access Management".
func (f frame) joinsWordsOfName(i int) bool {
	if i == 0 || i+1 >= len(f.terms) || strings.ContainsAny(f.terms[i].text, ",;.?!、，；。？！:：") {
		return false
	}
	a, b := f.terms[i-1], f.terms[i+1]
	// Two words of code are two names. Two capitalised words are one name, unless both
	// are all capitals (CPU and GPU).
	return !a.code && !b.code && !a.han && !b.han && isTitle(a.text) && isTitle(b.text)
}

func isTitle(s string) bool {
	r := []rune(s)
	return len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1])
}

// domainNouns are the domain nouns. The words of a known term are one noun.
func (t *tables) domainNouns(terms []term, limit int) []string {
	out := []string{}
	add := func(s string) {
		if s != "" && len(out) < limit && !slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, s) }) {
			out = append(out, s)
		}
	}
	named := ""
	for i := 0; i < len(terms); {
		if n := t.knownPhraseLength(terms[i:]); n > 1 {
			add(joinText(terms[i : i+n]))
			i += n
			continue
		}
		switch tm := terms[i]; {
		case tm.role == topic:
			add(tm.text)
		case tm.role == action && named == "" && tm.named:
			named = tm.text
		case tm.role == action && named == "" && tm.noun != "":
			named = tm.noun
		}
		i++
	}
	if len(out) == 0 {
		add(named)
	}
	return out
}

// knownPhraseLength is the number of terms at the start that together are one known term.
func (t *tables) knownPhraseLength(terms []term) int {
	for n := min(4, len(terms)); n > 1; n-- {
		if slices.ContainsFunc(terms[:n], func(tm term) bool { return !tm.isContent() || tm.code }) {
			continue
		}
		s := strings.ToLower(joinText(terms[:n]))
		if t.phrases[s] || t.phrases[strings.TrimSuffix(s, "s")] {
			return n
		}
	}
	return 0
}

// predicateVerbs are the predicate verbs in their base forms.
func predicateVerbs(terms []term, limit int) []string {
	out := []string{}
	for _, tm := range terms {
		if (tm.role == action || tm.role == compare) && tm.verb != "" && len(out) < limit && !slices.Contains(out, tm.verb) {
			out = append(out, tm.verb)
		}
	}
	return out
}

func joinText(terms []term) string {
	words := make([]string, 0, len(terms))
	for _, tm := range terms {
		if tm.text != "" {
			words = append(words, tm.text)
		}
	}
	return strings.Join(words, " ")
}
