package references

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/pattern"
)

// rule is a pattern over a sentence. What it matches is the first group, or where a link
// stands behind the match, that.
type rule struct {
	name  string
	typ   Type
	score float64
	// triggers are words, in lower case, of which the pattern needs one. They are looked
	// for first: most sentences have none.
	triggers []string
	re       func() *regexp.Regexp
	// unless excludes sentences.
	unless func() *regexp.Regexp
}

// The patterns. Their scores are the shares that were right of samples, rounded; see the
// manual. (?i) is not used where the sentence was brought to lower case before.
var (
	denied    = pattern.Lazy(`(?i)\b(?:no longer|not|n['’]t|never|without|neither|nor|if|unless|whether|when|where|may|might|could|optional(?:ly)?)\b[^.;]{0,40}$`)
	aQuestion = pattern.Lazy(`\?\s*$`)
)

// requireRules find what something requires, outside of sections of prerequisites.
var requireRules = []rule{
	{"requires.this", Requires, .85, []string{"require"}, pattern.Lazy(`(?i)\b(?:this|these)\s+(?:[\w-]+\s+){0,3}?(?:features?|pages?|guides?|tutorials?|tasks?|examples?|commands?|options?|flags?|settings?|functions?|methods?|plug-?ins?|apis?|steps?|topics?|integrations?|modes?|tools?|sections?|procedures?)\s+(?:also\s+)?requires?\s+(.+)`), aQuestion},
	{"requires.version", Requires, .9, []string{"require"}, pattern.Lazy(`\b[Rr]equires?:?\s+((?:at least\s+|the\s+)?(?:[A-Z][\w.+#-]*\s+){1,4}(?:version\s+)?v?\d+(?:\.\d+)*\+?(?:\s+(?:or\s+(?:later|newer|higher|above|greater)|and\s+(?:later|above)))?)`), nil},
	{"must.have", Requires, .85, []string{"you must", "you need", "you should", "you'll need", "you’ll need"}, pattern.Lazy(`(?i)(?:^|[.;:,]\s+)you(?:'ll|’ll)?\s+(?:must|need\s+to|should)\s+(?:already\s+|first\s+)?(?:have\s+(?:a\s+working\s+)?|install\s+|be\s+(?:familiar\s+with|running|using)\s+)(.+)`), conditional},
	{"before.you", Requires, .85, []string{"before you ", "before starting", "before installing", "before beginning", "before configuring", "before deploying", "before continuing"}, pattern.Lazy(`(?i)^before\s+(?:you\s+(?:begin|start|can|use|install|run|configure|deploy|continue)|(?:starting|installing|beginning|configuring|deploying|continuing))\b[^,]*,\s*(?:please\s+)?(?:you\s+(?:must|need\s+to|should|have\s+to)\s+|make\s+sure\s+(?:that\s+)?|ensure\s+(?:that\s+)?)(?:you\s+have\s+)?(.+)`), aQuestion},
	{"assumes", Requires, .85, []string{"assumes"}, pattern.Lazy(`(?i)\bthis\s+(?:page|guide|tutorial|task|section|document|topic|example|walkthrough)\s+assumes\s+(?:that\s+)?(.+)`), nil},
}

// prerequisite finds what an item or sentence of a section of prerequisites asks for.
var prerequisite = pattern.Lazy(`(?i)(?:(?:^|[.;:,]\s+)you(?:'ll|’ll)?\s+(?:also\s+)?(?:must|need(?:\s+to)?|should|have\s+to|will\s+(?:also\s+)?need(?:\s+to)?)(?:\s+(?:have|use|be))?|\brequires?|^(?:make\s+sure|ensure)(?:\s+that)?(?:\s+you\s+have)?|\bmust\s+(?:be|have|support|run|use|allow)|^install|\bbe\s+familiar\s+with|\bneeds?\s+to|\bassumes?(?:\s+that)?)\s`)

// conditional are sentences that ask for something in some cases only, and questions.
var conditional = pattern.Lazy(`(?i)^(?:if|when|unless|where|to|for|by|in\s+case|alternatively|optionally)\b|\?\s*$`)

// statement tells an item that says something from one that names something.
var statement = pattern.Lazy(`(?i)^[^(:;,]*?\b(?:is|are|was|were|can|may|might|will|would|does|do|did|has|have|had|you|we|see|use|outlines?|not)\b`)

// seeRules find sections that a sentence names without a link.
var seeRules = []rule{
	{"see.quoted", References, .8, []string{"see ", "refer", "described in", "explained in", "covered in", "read "}, pattern.Lazy(`(?i)\b(?:see(?:\s+also)?|refer\s+to|described\s+in|explained\s+in|covered\s+in|read)\s+(?:the\s+)?["“'‘]([^"”’“]{3,80})["”'’]`), nil},
	{"see.title", References, .75, []string{"see ", "refer", "described in", "explained in", "covered in"}, pattern.Lazy(`(?:^(?:(?:Please|For\b[^,.]{0,80},|Also,?)\s+)?|[.;(,:–—]\s+)(?:[Pp]lease\s+)?(?:(?:[Ss]ee(?:\s+also)?|[Rr]efer\s+to)|[^.;]{0,80}\b(?:as|is|are)\s+(?:described|explained|covered)\s+in)\s+(?:the\s+)?([A-Z](?:[^.,;:()]|[.:](?:\S)){3,80}?)(?:\s+(?:page|guide|section|chapter|topic|tutorial|documentation|document|reference|below|above|for\s|to\s|on\s|and\s)|[.,;:()](?:\s|$)|$)`), nil},
}

// supersedeRules find replacements. The first group is the replaced thing, "" for the
// section's subject, the second its replacement.
var supersedeRules = []rule{
	{"deprecated.favor", Supersedes, .9, []string{"deprecated"}, pattern.Lazy(`(?i)(?:^|\s)(` + subject + `)?\s*(?:\b(?:is|are|was|were|has\s+been|have\s+been)\s+)?(?:now\s+)?deprecated(?:[^.;]{0,60}?)\s+in\s+fav(?:o|ou)r\s+of\s+(?:the\s+|using\s+)*(` + name + `)`), nil},
	{"deprecated.use", Supersedes, .9, []string{"deprecated"}, pattern.Lazy(`(?i)(?:^|\s)(` + subject + `)?\s*(?:\b(?:is|are|was|were|has\s+been|have\s+been)\s+)?(?:now\s+)?deprecated\b[^.;]{0,60}?[.;:,)–—-]\s*(?:please\s+)?(?:you\s+should\s+)?(?:instead,?\s+)?use\s+(?:the\s+)?(` + name + `)`), nil},
	{"replaced.by", Supersedes, .85, []string{"replaced by", "superseded by", "obsoleted by"}, pattern.Lazy(`(?i)(?:^|\s)(` + subject + `)\s+(?:(?:is|are|was|were|has\s+been|have\s+been)\s+)(?:now\s+)?(?:replaced|superseded|obsoleted)\s+by\s+(?:the\s+)?(` + name + `)`), nil},
	{"renamed.to", Supersedes, .85, []string{"renamed"}, pattern.Lazy(`(?i)(?:^|\s)(` + subject + `)\s+(?:(?:is|was|has\s+been)\s+)(?:now\s+)?renamed\s+(?:to|as)\s+(?:the\s+)?(` + name + `)`), nil},
}

const (
	// name is what people call an option, a function or a product, in code or in words.
	name = "`?[-\\w./$<{@][-\\w./:$<>{}@=*\\[\\]]*(?:\\(\\))?`?"
	// subject is a name, with its kind in front of it or behind it.
	subject = `(?:(?:the|this)\s+)?` + name + `(?:\s+(?:option|flag|setting|parameter|field|property|function|method|command|argument|attribute|annotation|label|class|module|api|feature|environment\s+variable|variable|tag|key)s?)?`
)

// warnRules find warnings in sentences outside of notes.
var warnRules = []rule{
	{"warning.lead", WarnsAbout, .9, []string{"warning", "caution", "danger", "important", "attention"}, pattern.Lazy(`(?i)^(?:⚠️?\s*)?(warning|caution|danger|important|attention)\s*[:!–—]\s*\S`), nil},
	{"note.lead", WarnsAbout, .4, []string{"note"}, pattern.Lazy(`^(Note)\s*[:!–—]\s*\S`), nil},
	{"careful", WarnsAbout, .85, []string{"careful"}, pattern.Lazy(`(?i)(?:^|[.;:,]\s+|\b(?:should|must|please)\s+)(?:please\s+)?be\s+(?:very\s+|especially\s+|extra\s+|particularly\s+)?careful\b`), nil},
	{"data.loss", WarnsAbout, .85, []string{"data loss", "loss of", "corruption", "downtime", "outage", "undone", "be reversed", "be recovered", "be reverted", "irreversibl", "permanently"}, pattern.Lazy(`(?i)\b(?:(?:can|may|could|will|might)\s+(?:\w+\s+){0,2}?(?:lead\s+to|cause|result\s+in)\s+(?:\w+\s+){0,3}?(?:data\s+loss|loss\s+of\s+(?:\w+\s+)?data|data\s+corruption|downtime|outages?)|(?:can\s*not|can['’]t)\s+be\s+(?:undone|reversed|recovered|reverted)|\b(?:is|are)\s+irreversible|\b(?:will|this)\s+permanently\s+(?:delete|remove|lose|destroy|erase)s?)\b`), harmless},
	{"do.not", WarnsAbout, .85, []string{"do not ", "don't ", "don’t ", "never "}, pattern.Lazy(`^(?:[Dd]o\s+(?:not|NOT)|[Dd]on['’]t|[Nn]ever|NEVER)\s+(?:use|run|expose|commit|share|store|delete|remove|edit|modify|disable|put|set|enable|deploy|trust|rely|hard-?code|change|ever)\b`), nil},
	{"insecure", WarnsAbout, .85, []string{"security risk", "security vuln", "security hole", "security hazard", "insecure", "dangerous", "production"}, pattern.Lazy(`(?i)\b(?:(?:is|are|be|poses?|creates?|opens?|introduces?|presents?)\s+(?:a\s+|an\s+)?(?:\w+\s+)?security\s+(?:risk|vulnerability|hole|hazard)s?|(?:is|are)\s+(?:inherently\s+|very\s+|highly\s+)?(?:insecure|dangerous)|(?:is|are)\s+not\s+(?:safe|suitable|recommended|intended|designed)\s+(?:to\s+\w+\s+|for\s+use\s+)?(?:in|for|on)\s+(?:a\s+)?production|should\s+not\s+be\s+used\s+in\s+production)\b`), harmless},
}

// harmless are sentences that tell of a danger that is not there, or is no more.
var harmless = pattern.Lazy(`(?i)\b(?:protect(?:s|ed)?|prevent(?:s|ed)?|preventing|avoids?|avoiding|avoided|to\s+(?:avoid|ensure)|that\s+(?:could|may|might)\s+pose|previously|fixed|fixes|no\s+longer|used\s+to|instead\s+of|was|were|not\s+(?:a|be)\s+(?:\w+\s+)?security)\b|\?\s*$`)

// Words that identify the headings of sections, in the languages of the dictionaries.
var (
	relatedHeading = headings(`see also|related|related (?:links|information|topics|resources|pages|content|reading|documentation|articles|commands|settings|tasks|concepts)|further reading|read more|learn more|more information|additional resources|next steps|what'?s next|where to go (?:next|from here)|what next|siehe auch|verwandte themen|weiterführende informationen|voir aussi|pour aller plus loin|véase también|ver también|temas relacionados|см\. также|смотрите также|参见|另请参阅|参考|相关内容|相关主题|接下来|関連項目|関連情報|次のステップ|次の項目`)
	requireHeading = headings(`prerequisites?|pre-requisites?|prerequisites? (?:and|for) .{1,60}|requirements?|system requirements?|before you (?:begin|start|get started)|before starting|what you(?:'ll| will)? need|you will need|objectives? and prerequisites|voraussetzungen|bevor sie beginnen|prérequis|avant de commencer|requisitos|requisitos previos|antes de (?:empezar|comenzar)|требования|предварительные требования|прежде чем начать|перед началом|先决条件|前提条件|准备工作|开始之前|始める前に|要件`)
)

func headings(words string) func() *regexp.Regexp {
	return pattern.Lazy(`(?i)^(?:[\d.]+\s+)?(?:` + words + `)\s*[:：.…]?$`)
}

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
var gate = newGate()

// gateLetters is how many letters of a word the gate looks at.
const gateLetters = 5

func newGate() map[string]int {
	out := map[string]int{}
	for family, rules := range map[int][]rule{requireFamily: requireRules, seeFamily: seeRules, supersedeFamily: supersedeRules, warnFamily: warnRules} {
		for _, r := range rules {
			for _, t := range r.triggers {
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

// families are the families of rules that a sentence in lower case may match.
func families(lower string) int {
	out := 0
	for i := 0; i < len(lower); i++ {
		c := lower[i]
		if c < 'a' || c > 'z' {
			continue
		}
		out |= gate[firstLetters(lower[i:])]
		for i < len(lower) && 'a' <= lower[i] && lower[i] <= 'z' {
			i++
		}
	}
	return out
}

// match applies a rule to a sentence: the place of its groups, nil where it does not
// match, or the word that makes it match is code.
func (r rule) match(s sentence, lower string) []int {
	if !slices.ContainsFunc(r.triggers, func(t string) bool { return strings.Contains(lower, t) }) {
		return nil
	}
	at := r.re().FindStringSubmatchIndex(s.text)
	if at == nil || r.unless != nil && r.unless().MatchString(s.text) || len(lower) != len(s.text) {
		return nil
	}
	for _, t := range r.triggers {
		if i := strings.Index(lower[at[0]:at[1]], t); i >= 0 && !s.inCode(at[0]+i) {
			return at
		}
	}
	return nil
}

// clause is the beginning of a text up to where it says something else, at most 120
// bytes.
func clause(s string) string {
	const most = 120
	for i, r := range s {
		end := i > 0 && strings.ContainsRune(".;:!?", r) && (i+1 == len(s) || s[i+1] == ' ')
		if end || r == '(' && i > 3 {
			s = s[:i]
			break
		}
	}
	for _, stop := range []string{" in order ", " so that ", " because ", " which ", " before ", " to be able ", ", and ", ", but ", ", as ", ", so "} {
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

// isName reports whether a word is written as names in code are, and not as a word of
// English.
func isName(s string) bool {
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
