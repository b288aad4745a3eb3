package references

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/knowledge/references/sentence"
	"docent/pipeline/question/wordlist"
)

// rule is a pattern over a sentence. What it matches is the first group, or where a link
// stands behind the match, that.
type rule struct {
	name  string
	typ   Type
	score float64
	// triggers are words, in lower case, of which the pattern needs one. They are looked
	// for first: most sentences have none.
	triggers wordlist.Rule
	re       wordlist.Pattern
	// unless excludes sentences.
	unless wordlist.Pattern
}

// newRule gives the rule of the lists "references/NAME" and "references/NAME-words".
func newRule(name string, typ Type, score float64, unless wordlist.Pattern) rule {
	list := wordlist.Rule("references/" + name)
	return rule{name, typ, score, list + "-words", list.Compile(), unless}
}

// The patterns. Their scores are the shares that were right of samples, rounded; see the
// manual. (?i) is not used where the sentence was brought to lower case before.
var (
	denied    = wordlist.Rule("references/denied").Compile()
	aQuestion = wordlist.Rule("references/a-question").Compile()
)

// requireRules find what something requires, outside of sections of prerequisites.
var requireRules = []rule{
	newRule("requires.this", Requires, .85, aQuestion),
	newRule("requires.version", Requires, .9, nil),
	newRule("must.have", Requires, .85, conditional),
	newRule("must.lead", Requires, .85, nil),
	newRule("prerequisites.lead", Requires, .85, nil),
	newRule("before.you", Requires, .85, aQuestion),
	newRule("assumes", Requires, .85, nil),
}

// prerequisite finds what an item or sentence of a section of prerequisites asks for.
var prerequisite = wordlist.Rule("references/prerequisite").Compile()

// conditional are sentences that ask for something in some cases only, and questions.
var conditional = wordlist.Rule("references/conditional").Compile()

// statement tells an item that says something from one that names something.
var statement = wordlist.Rule("references/statement").Compile()

// seeRules find sections that a sentence names without a link.
var seeRules = []rule{
	newRule("see.quoted", References, .8, nil),
	newRule("see.title", References, .75, nil),
}

// supersedeRules find replacements. The first group is the replaced thing, "" for the
// section's subject, the second its replacement.
var supersedeRules = []rule{
	newRule("deprecated.favor", Supersedes, .9, nil),
	newRule("deprecated.use", Supersedes, .9, nil),
	newRule("replaced.by", Supersedes, .85, nil),
	newRule("renamed.to", Supersedes, .85, nil),
}

// relatedRules find pages that a sentence names as related ones, without links.
var relatedRules = []rule{newRule("related.lead", RelatedTo, .75, nil)}

// replacesRules find versions that the section itself takes the place of.
var replacesRules = []rule{newRule("replaces.lead", Supersedes, .8, nil)}

// thisPage is a sentence about the page or section that it stands in.
var thisPage = wordlist.Rule("references/this-page").Compile()

// warnRules find warnings in sentences outside of notes.
var warnRules = []rule{
	newRule("warning.lead", WarnsAbout, .9, nil),
	newRule("note.lead", WarnsAbout, .4, nil),
	newRule("careful", WarnsAbout, .85, nil),
	newRule("data.loss", WarnsAbout, .85, harmless),
	newRule("do.not", WarnsAbout, .85, nil),
	newRule("insecure", WarnsAbout, .85, harmless),
}

// harmless are sentences that tell of a danger that is not there, or is no more.
var harmless = wordlist.Rule("references/harmless").Compile()

// Words that identify the headings of sections, in the languages of the dictionaries.
var (
	relatedHeading = wordlist.Compile("references", `(?i)^(?:[\d.]+\s+)?(?:<related-heading>)\s*[:：.…]?$`)
	requireHeading = wordlist.Compile("references", `(?i)^(?:[\d.]+\s+)?(?:<require-heading>)\s*[:：.…]?$`)
)

// plainHeading is a heading for comparison: without signs in front, with plain quotes.
func plainHeading(s string) string {
	s = strings.ReplaceAll(s, "’", "'")
	return strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Families of rules, for the gate.
const (
	requireFamily = 1 << iota
	seeFamily
	supersedeFamily
	warnFamily
)

// gate maps the beginnings of words to the families of rules that need one of them: most
// sentences have none, and looking at each word once is a quarter of the time of looking
// for each trigger.
var gate = sync.OnceValue(newGate)

// gateLetters is how many letters of a word the gate looks at.
const gateLetters = 5

func newGate() map[string]int {
	out := map[string]int{}
	for family, rules := range map[int][]rule{requireFamily: requireRules, seeFamily: slices.Concat(seeRules, relatedRules),
		supersedeFamily: slices.Concat(supersedeRules, replacesRules), warnFamily: warnRules} {
		for _, r := range rules {
			for _, t := range r.triggers.Phrases() {
				out[firstLetters(t)] |= family
			}
		}
	}
	return out
}

// firstLetters are the letters that a text in lower case begins with.
func firstLetters(s string) string {
	n := 0
	for n < len(s) && n < gateLetters && 'a' <= s[n] && s[n] <= 'z' {
		n++
	}
	return s[:n]
}

// familiesOfRules are the families of rules that a sentence in lower case may match.
func familiesOfRules(lower string) int {
	out, starts := 0, gate()
	for i := 0; i < len(lower); i++ {
		c := lower[i]
		if c < 'a' || c > 'z' {
			continue
		}
		out |= starts[firstLetters(lower[i:])]
		for i < len(lower) && 'a' <= lower[i] && lower[i] <= 'z' {
			i++
		}
	}
	return out
}

// matchSentence applies a rule to a sentence: the place of its groups, nil where it does not
// match, or the word that makes it match is code.
func (r rule) matchSentence(s sentence.Sentence, lower string) []int {
	if r.triggers.Inside(lower) == "" {
		return nil
	}
	at := r.re().FindStringSubmatchIndex(s.Text)
	if at == nil || r.unless != nil && r.unless().MatchString(s.Text) || len(lower) != len(s.Text) {
		return nil
	}
	for _, t := range r.triggers.Phrases() {
		if i := strings.Index(lower[at[0]:at[1]], t); i >= 0 && !s.IsInlineCode(at[0]+i) {
			return at
		}
	}
	return nil
}

// firstClauseOf is the beginning of a text up to where it says something else, at most 120
// bytes.
func firstClauseOf(s string) string {
	const most = 120
	for i, r := range s {
		end := i > 0 && strings.ContainsRune(".;:!?", r) && (i+1 == len(s) || s[i+1] == ' ')
		if end || r == '(' && i > 3 {
			s = s[:i]
			break
		}
	}
	for _, stop := range []string{" in order ", " so that ", " because ", " which ", " before ", " to be able ", ", and ", ", but ",
		", as ", ", so "} {
		if i := strings.Index(s, stop); i > 3 {
			s = s[:i]
		}
	}
	if len(s) > most {
		s = s[:most]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
		if i := strings.LastIndexByte(s, ' '); i > 0 {
			s = s[:i]
		}
		s += "…"
	}
	return strings.TrimSpace(strings.Trim(s, " ,.;:"))
}

// isCodeName reports whether a word is written as names in code are, and not as a word of
// English.
func isCodeName(s string) bool {
	s = strings.Trim(s, "`")
	if len(s) < 2 {
		return false
	}
	if strings.ContainsAny(s, "_./$<>{}@=[]()") || strings.HasPrefix(s, "-") {
		return true
	}
	r, size := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r) && strings.IndexFunc(s[size:], unicode.IsUpper) >= 0 ||
		unicode.IsUpper(r) && strings.IndexFunc(s[size:], unicode.IsUpper) >= 0 && strings.IndexFunc(s, unicode.IsLower) >= 0
}
