package changes

import (
	"regexp"
	"slices"
	"strings"

	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// statement is what a sentence says of a name.
type statement struct {
	kind        Kind
	name        string // without parentheses
	replacement string
	sentence    string
	place       Place
}

// The parts of the patterns. A name stands in code or is checked to be written as one.
const (
	oneName = "(?:`[^`\\n]{1,120}`|[\"“]?[-@$.]{0,2}[A-Za-z_][-\\w.$:/]*(?:\\([^)\\s]*\\))?[\"”]?)"
	aName   = `(` + oneName + `)`
	someOf  = `(` + oneName + `(?:(?:,\s*(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+)(?:the\s+)?` + oneName + `)*)`
	noun    = `(?:option|flag|setting|field|parameter|argument|property|function|method|class|command|variable` +
		`|environment variable|key|attribute|hook|type|event|prop|config|configuration|api)(?:s|es)?`
	aNoun   = `(?:\s+` + noun + `)?`
	theNoun = `(?:the\s+|a\s+|an\s+)?(?:new\s+|old\s+|deprecated\s+)?(?:` + noun + `\s+)?`
	isWas   = `(?:(?:is|are|was|were|has|have|had|been|be|being|got|gets|now|also|will)\s+)+`
)

// rule is a pattern of statements. Old and by are the groups of the names and of what takes
// their place; 0: it has none.
type rule struct {
	kind    Kind
	pattern func() *regexp.Regexp
	old, by int
}

// rulesOfStatements are the patterns, the most telling first.
func rulesOfStatements() []rule {
	return []rule{
		{Renamed, renamesTo, 1, 2}, {Renamed, wasRenamed, 1, 2}, {Renamed, formerly, 2, 1}, {Renamed, renamedFrom, 2, 1},
		{Renamed, wasReplaced, 1, 2}, {Renamed, replaces, 2, 1}, {Deprecated, deprecatedFor, 1, 2}, {Renamed, insteadOf, 2, 1},
		{Removed, removedFor, 1, 2}, {Removed, wasRemoved, 1, 0}, {Removed, noLonger, 1, 0}, {Removed, removes, 1, 0},
		{Deprecated, isDeprecated, 1, 0}, {Deprecated, deprecates, 1, 0},
	}
}

var (
	renamesTo = pattern.Lazy(`(?i)\brenam(?:e|es|ed|ing)\s+` + theNoun + aName + aNoun + `\s+(?:to|as|into|->` +
		`|→|=>)\s+` + theNoun + aName)
	wasRenamed = pattern.Lazy(`(?i)` + aName + aNoun + `\s+` + isWas + `renamed\s+(?:to|as|into)\s+` + theNoun +
		aName)
	formerly = pattern.Lazy(`(?i)` + aName + aNoun + `,?\s+\(?(?:formerly|previously)(?:\s+(?:known\s+as` +
		`|called|named))?\s+` + theNoun + aName)
	renamedFrom = pattern.Lazy(`(?i)` + aName + aNoun + `,?\s+\(?(?:` + isWas + `)?renamed\s+from\s+` + theNoun +
		aName)
	wasReplaced = pattern.Lazy(`(?i)` + aName + aNoun + `\s+` + isWas + `(?:replaced|superseded)\s+(?:by` +
		`|with)\s+` + theNoun + aName)
	replaces  = pattern.Lazy(`(?i)` + aName + aNoun + `\s+(?:replaces|supersedes)\s+` + theNoun + aName)
	insteadOf = pattern.Lazy(`(?i)\b(?:use|prefer)\s+` + theNoun + aName + aNoun +
		`\s+instead\s+of\s+(?:the\s+)?(?:deprecated|removed|old|obsolete)\s+` + theNoun + aName)
	// The subject and what takes its place stand in one sentence, or in the one behind it.
	deprecatedFor = pattern.Lazy(`(?i)` + someOf + aNoun + `\s+` + isWas + `(?:deprecated` +
		`|obsolete)\b[^;]{0,80}?\b(?:use|in\s+favou?r\s+of|replaced\s+(?:by|with)|prefer)\s+` + theNoun + aName)
	removedFor = pattern.Lazy(`(?i)` + someOf + aNoun + `\s+` + isWas + `(?:removed` +
		`|dropped)\b[^;]{0,80}?\b(?:use|in\s+favou?r\s+of|replaced\s+(?:by|with))\s+` + theNoun + aName)
	wasRemoved = pattern.Lazy(`(?i)` + someOf + aNoun + `\s+` + isWas + `(?:completely\s+` +
		`|finally\s+)?(?:removed|dropped)\b`)
	noLonger = pattern.Lazy(`(?i)` + someOf + aNoun + `\s+(?:is|are)\s+no\s+longer\s+(?:supported` +
		`|available|accepted|recogni[sz]ed)\b`)
	removes = pattern.Lazy(`(?i)^\W{0,6}(?:breaking:?\s+)?(?:removed?|removes|drop(?:s` +
		`|ped)?)(?:\s+support\s+for)?:?\s+` + theNoun + someOf + aNoun + `(?:[\s.,;:)]|$)`)
	isDeprecated = pattern.Lazy(`(?i)` + someOf + aNoun + `\s+` + isWas +
		`(?:marked\s+(?:as\s+)?)?(?:deprecated|obsolete)\b`)
	deprecates = pattern.Lazy(`(?i)^\W{0,6}deprecate[sd]?:?\s+` + theNoun + someOf + aNoun + `(?:[\s.,;:)]|$)`)
	negated    = pattern.Lazy(`(?i)\b(?:not|never|no longer|un-?)\s*(?:be\s+)?(?:deprecated|removed|renamed` +
		`|obsolete|dropped)|\bif\b[^.]{0,40}\b(?:removed|deprecated)|\bcan be (?:removed|dropped|renamed` +
		`|replaced)|\bshould be (?:removed|replaced)`)
	names = pattern.Lazy(oneName)
	// A sentence about another thing than the name behind the preposition.
	ofAnother = pattern.Lazy(`(?i)\b(?:for|of|in|on|to|with|from|by|via|as|using|when)\s+(?:the\s+)?$`)
	support   = pattern.Lazy(`(?i)\b(?:support|use|usage)\s+(?:for|of)\s+(?:the\s+)?$`)
)

// keywords begin every statement's work: a paragraph without one is not read.
var keywords = []string{"renam", "remov", "deprecat", "obsolete", "formerly", "previously", "replace", "supersede", "no longer", "dropped",
	"instead of"}

func hasKeyword(lower string) bool {
	for _, k := range keywords {
		if strings.Contains(lower, k) {
			return true
		}
	}
	return false
}

// readStatements reads the statements of a page. Code is not read.
func (r *reader) readStatements() []statement {
	var out []statement
	r.eachParagraph(func(first, last int, text string) {
		at := r.placeOf(first, last)
		add := func(kind Kind, old, by, sentence string) bool {
			if by == old {
				return false
			}
			out = append(out, statement{kind: kind, name: old, replacement: by, sentence: clip(plainLine(sentence)), place: at})
			return true
		}
		if r.readRow(text, first, add) {
			return
		}
		if m := arrow().FindStringSubmatch(withoutLinks(text)); m != nil && r.tells(first) {
			if old, ok := nameInSentence(m[1]); ok {
				if by, ok := nameInSentence(m[2]); ok && add(Renamed, old, by, text) {
					return
				}
			}
		}
		if kind := kindOfHeading(at.Heading); kind != "" {
			readItem(kind, text, add)
		}
		if !hasKeyword(strings.ToLower(text)) {
			return
		}
		sentences := sentencesOf(withoutLinks(text))
		for i, s := range sentences {
			if i+1 < len(sentences) && continuesStatement().MatchString(sentences[i+1]) {
				s += " " + sentences[i+1]
			}
			if len(s) <= mostSentence && hasKeyword(strings.ToLower(s)) && !negated().MatchString(s) {
				r.readSentence(s, at, add)
			}
		}
	})
	return out
}

// readSentence reads a sentence by the first rule that holds.
func (r *reader) readSentence(s string, at Place, add func(kind Kind, old, by, sentence string) bool) {
	if m := ownRename().FindStringSubmatch(s); m != nil {
		if old, ok := nameInSentence(m[1]); ok {
			if own, ok := r.nameOfHeading(at); ok && add(Renamed, old, own, s) {
				return
			}
		}
	}
	for _, rule := range rulesOfStatements() {
		m := rule.pattern().FindStringSubmatchIndex(s)
		if m == nil {
			continue
		}
		old, from, to := namesAt(s, m[2*rule.old], m[2*rule.old+1])
		if before := s[:from]; len(old) == 0 || ofAnother().MatchString(before) && !support().MatchString(before) && rule.kind != Renamed ||
			to < len(s) && (isNameByte(s[to]) && s[to] != '.' && s[to] != '-' || s[to] == '(') {
			continue
		}
		by := ""
		if rule.by > 0 {
			var ok bool
			if by, ok = nameInSentence(s[m[2*rule.by]:m[2*rule.by+1]]); !ok {
				continue
			}
		}
		found := false
		for _, n := range old {
			found = add(rule.kind, n, by, s) || found
		}
		if found {
			return
		}
	}
}

// namesAt are the names of a list in a sentence, and where they stand: the match may begin with
// words before the first one.
func namesAt(s string, from, to int) (all []string, first, end int) {
	for _, at := range names().FindAllStringIndex(s[from:to], -1) {
		if n, ok := nameInSentence(s[from+at[0] : from+at[1]]); ok {
			if len(all) == 0 {
				first = from + at[0]
			}
			all = append(all, n)
		}
	}
	return all, first, to
}

// ownRename is a sentence about the name of its section's heading.
var ownRename = pattern.Lazy(`(?i)^\W{0,4}(?:this\s+\w+\s+)?(?:(?:was|is|has been)\s+)?(?:renamed\s+from` +
	`|formerly|previously)(?:\s+(?:known\s+as|called|named))?:?\s+` + aName)

// nameOfHeading is the name that the heading of a place has.
func (r *reader) nameOfHeading(at Place) (string, bool) {
	if s := r.sections[max(0, at.Lines[0]-1)]; s >= 0 {
		if n, ok := r.headingName(s); ok {
			return n.Name, true
		}
	}
	word, _, _ := strings.Cut(at.Heading, " ")
	return nameInSentence(word)
}

var (
	headingRemoved    = pattern.Lazy(`(?i)^[^(\x60]*\b(?:removed|removals?)\b`)
	headingDeprecated = pattern.Lazy(`(?i)^[^(\x60]*\b(?:deprecated|deprecations?)\b`)
	arrow             = pattern.Lazy(`^(?:[-*+]|\d+\.)\s+` + aName + `\s*(?:->|→|=>|➡️?|⇒)\s*` + aName + `\s*$`)
	item              = pattern.Lazy(`^(?:[-*+]|\d+\.)\s+` + someOf + `(?:\s*\([^)]*\))?\s*(?::|[-–—]\s|$)`)
	useInstead        = pattern.Lazy(`(?i)\buse\s+` + theNoun + aName)
)

// kindOfHeading is what the items below a heading are said to be, "" for other headings.
func kindOfHeading(heading string) Kind {
	if slices.ContainsFunc(strings.Fields(heading), isWrittenAsCode) {
		return "" // the heading of one thing
	}
	switch {
	case headingRemoved().MatchString(heading):
		return Removed
	case headingDeprecated().MatchString(heading):
		return Deprecated
	}
	return ""
}

// readItem reads an item of a list of removed or deprecated names. It begins with them.
func readItem(kind Kind, text string, add func(kind Kind, old, by, sentence string) bool) {
	text = withoutLinks(text)
	m := item().FindStringSubmatch(text)
	if m == nil {
		return
	}
	by := ""
	if u := useInstead().FindStringSubmatch(text); u != nil {
		by, _ = nameInSentence(u[1])
	}
	for _, n := range names().FindAllString(m[1], -1) {
		if old, ok := nameInSentence(n); ok {
			add(kind, old, by, text)
		}
	}
}

var (
	oldColumn = pattern.Lazy(`(?i)^(?:old|before|deprecated|removed|previous|from)\b`)
	newColumn = pattern.Lazy(`(?i)^(?:new|after|replacement|replaced|instead|use|now|to)\b`)
	number    = pattern.Lazy(`[\d.]+`)
)

// readRow reads a row of a table of old and new names; true: it is a row of a table.
func (r *reader) readRow(text string, line int, add func(kind Kind, old, by, sentence string) bool) bool {
	if !strings.HasPrefix(text, "|") {
		return false
	}
	top := line
	for top > 1 && strings.HasPrefix(strings.TrimSpace(r.lines[top-2]), "|") {
		top--
	}
	head, row := cellsOf(r.lines[top-1]), cellsOf(text)
	if top == line || len(head) < 2 || len(row) < 2 || !areOldAndNew(head[0], head[1]) {
		return false
	}
	old, ok := nameInSentence(row[0])
	by, named := nameInSentence(row[1])
	return ok && named && !strings.Contains(strings.Trim(row[0], "`"), "`") && add(Renamed, old, by, row[0]+" → "+row[1])
}

// areOldAndNew reports whether two columns are called so, or by two versions.
func areOldAndNew(a, b string) bool {
	if oldColumn().MatchString(a) && newColumn().MatchString(b) {
		return true
	}
	x, y := number().FindString(a), number().FindString(b)
	return x != "" && y != "" && doc.CompareVersions(x, y) < 0 && number().ReplaceAllString(a, "") == number().ReplaceAllString(b, "")
}

func cellsOf(row string) []string {
	var out []string
	for c := range strings.SplitSeq(strings.Trim(strings.TrimSpace(row), "|"), "|") {
		out = append(out, strings.TrimSpace(withoutLinks(c)))
	}
	return out
}

var continuesStatement = pattern.Lazy(`(?i)^(?:please\s+)?(?:use|prefer|instead)\b|^it\s+(?:was|is` +
	`|has been)\s+(?:replaced|superseded|renamed)`)

const mostSentence = 600

// nameInSentence is a name of a sentence. It must stand in code or be written as names in
// code are.
func nameInSentence(s string) (string, bool) {
	coded := strings.HasPrefix(s, "`")
	s = strings.Trim(s, "`\"“”.,:;/ ")
	s, _, _ = strings.Cut(s, "(")
	s = strings.TrimSuffix(s, "=")
	s = strings.NewReplacer("::", ".", "#", ".").Replace(s)
	return s, len(s) > 1 && comparableName().MatchString(s) && (coded || isWrittenAsCode(s))
}

// sentencesOf parts a paragraph at full stops that a blank and a capital or a code follow.
func sentencesOf(text string) []string {
	var out []string
	from := 0
	for i := 0; i+2 < len(text); i++ {
		if c := text[i]; (c == '.' || c == '!' || c == ';') && text[i+1] == ' ' {
			next := text[i+2]
			if next >= 'A' && next <= 'Z' || next == '`' || next == '-' {
				out, from = append(out, text[from:i+1]), i+2
			}
		}
	}
	return append(out, text[from:])
}

// eachParagraph calls do with the paragraphs, items and rows of the page, and their lines.
func (r *reader) eachParagraph(do func(first, last int, text string)) {
	fence, from := "", -1
	flush := func(to int) {
		if from >= 0 {
			var text []string
			for _, l := range r.lines[from:to] {
				text = append(text, strings.TrimLeft(l, "> \t"))
			}
			do(from+1, to, strings.Join(text, " "))
		}
		from = -1
	}
	for i, l := range r.lines {
		t := strings.TrimSpace(l)
		mark := strings.TrimLeft(t, "> ")
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```"), strings.HasPrefix(mark, "~~~"):
			flush(i)
			fence = mark[:3]
		case t == "":
			flush(i)
		case strings.HasPrefix(t, "|"), strings.HasPrefix(t, "#"):
			flush(i)
			do(i+1, i+1, t)
		case leading().MatchString(t) && !strings.HasPrefix(t, ">"):
			flush(i)
			from = i
		case from < 0:
			from = i
		}
	}
	flush(len(r.lines))
}
