package enrich

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/knowledge/references"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// Builtin is what the built-in engine says of a section, or of the page. The same page
// gives the same enrichment.
func (p *Page) Builtin(section int) Enrichment {
	s := p.SpanOf(section)
	e := Enrichment{SpanID: s.ID, Summary: p.Summary(section), Audience: p.audienceOf(section)}
	e.Truncated = strings.HasSuffix(e.Summary, "…")
	for b := range p.eachBlock(section) {
		if b.Kind == doc.Code || b.Kind != doc.Table && isProse(b) && strings.Contains(string(p.spanBytes(b.Span)), "```") {
			e.CodeExamples = true
			break
		}
	}
	e.KeyConcepts, e.Parameters = p.conceptsOfSection(section), p.parametersOf(section)
	e.Prerequisites, e.Warnings, e.RelatedTopics = p.prerequisites(section), p.warningsOfSection(section), p.relatedTitles(section)
	e.limitFields()
	return e
}

func (p *Page) spanBytes(s doc.Span) []byte {
	if s.Start < 0 || s.End > len(p.d.Text) || s.Start >= s.End {
		return nil
	}
	return p.d.Text[s.Start:s.End]
}

// parametersOf are the parameters that a section documents.
func (p *Page) parametersOf(section int) []Parameter {
	var out []Parameter
	all := p.params()
	for i := range indicesOf(p.documented, section) {
		if len(out) > maxParameters { // one more says that some are left out
			break
		}
		x := all[i]
		out = append(out, Parameter{Name: x.Name, Type: x.Type, Description: x.Description})
	}
	return out
}

// prerequisites are what the reference graph finds that a section requires.
func (p *Page) prerequisites(section int) []string {
	refs := p.refs()
	out := []string{}
	if section == Whole {
		out = append(out, p.d.Metadata.Prereqs...)
	}
	for i := range indicesOf(p.finds, section) {
		if f := refs.Finds[i]; f.Type == references.Requires && f.Score >= references.DefaultThreshold {
			out = append(out, f.Target)
		}
	}
	for i := range indicesOf(p.leads, section) {
		if l := refs.Links[i]; l.Type == references.Requires && l.Score >= references.DefaultThreshold {
			out = append(out, cmp.Or(l.Match, l.Target))
		}
	}
	return out
}

// warningsOfSection are notes that warn, and sentences that do: those that the reference graph shows.
func (p *Page) warningsOfSection(section int) []string {
	refs := p.refs()
	var out []string
	for i := range indicesOf(p.finds, section) {
		if f := refs.Finds[i]; f.Type == references.WarnsAbout && f.Score >= references.DefaultThreshold && f.Own >= 0 {
			out = append(out, refs.Parts[f.Own].Message)
		}
	}
	return out
}

// relatedTitles are the texts of links to related pages, and then of those to other pages of
// the documentation.
func (p *Page) relatedTitles(section int) []string {
	refs := p.refs()
	type place struct {
		line   int
		target string
	}
	relates := map[place]bool{}
	for i := range indicesOf(p.leads, section) {
		if l := refs.Links[i]; l.Type == references.RelatedTo {
			relates[place{l.Line, l.Target}] = true
		}
	}
	var near, inside []string
	for i := range indicesOf(p.links, section) {
		l := p.d.Links[i]
		switch text := strings.TrimSpace(l.Text); {
		case utf8.RuneCountInString(text) < 3 || strings.Contains(text, "://"):
		case relates[place{l.Line, l.Target}]:
			near = append(near, text)
		case !strings.Contains(l.Target, "://") && !strings.HasPrefix(l.Target, "#") && !strings.HasPrefix(l.Target, "mailto:"):
			inside = append(inside, text)
		}
	}
	return firstDistinct(append(near, inside...), maxItems)
}

// firstDistinct are the first different ones of texts.
func firstDistinct(all []string, most int) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, s := range all {
		if key := strings.ToLower(s); !seen[key] && len(out) < most {
			seen[key] = true
			out = append(out, s)
		}
	}
	return out
}

// The weights of the places in which a term stands.
const (
	inHeading  = 3.0
	inCode     = 1.5
	inEmphasis = 2.5
	inLink     = 1.0
	inText     = .5 // a pair of words each time; a single word counts half
)

// mostTerms is how many terms of a section are weighed.
const mostTerms = 4000

// term is a candidate of a concept.
type term struct {
	text  string // as written
	at    int    // its order
	score float64
	marked,
	single bool
}

// conceptsOfSection are the terms that a section is about: those of its heading, in code, in
// emphasis and of links, and pairs of words that it repeats, each by how few sections of
// the page have it.
func (p *Page) conceptsOfSection(section int) []string {
	terms := map[string]*term{}
	add := func(text string, score float64, marked bool) {
		text = strings.ReplaceAll(spacing.Single(text), "(s)", "s")
		text = strings.Trim(text, " .,;:!?()[]\"'`*_")
		key := conceptKey(text)
		if key == "" || strings.Contains(text, "`") || len(terms) >= mostTerms {
			return
		}
		t := terms[key]
		if t == nil {
			t = &term{text: text, at: len(terms), single: !strings.Contains(text, " ")}
			terms[key] = t
		}
		t.score += score
		t.marked = t.marked || marked
	}
	heading := p.d.Title
	if section != Whole {
		heading = p.d.Sections[section].Text
	}
	for _, phrase := range candidatePhrases(heading) {
		score := inHeading
		if !strings.Contains(phrase, " ") {
			if score /= 2; len(phrase) < len(heading) && strings.HasSuffix(phrase, "ing") {
				continue // "Writing" of "Writing the function"
			}
		}
		add(phrase, score, true)
	}
	for b := range p.eachBlock(section) {
		p.weighBlock(b, add)
	}
	for i := range indicesOf(p.links, section) {
		if text := p.d.Links[i].Text; strings.Count(strings.TrimSpace(text), " ") < 4 && !strings.Contains(text, "://") &&
			!strings.Contains(text, "/") {
			add(text, inLink, true)
		}
	}
	spread, sections := p.spreadOf()
	var all []*term
	for _, key := range slices.Sorted(maps.Keys(terms)) {
		t := terms[key]
		if n := spread[key]; section != Whole && n > 1 && sections > 3 {
			t.score *= 1 - .5*float64(n)/float64(sections)
		}
		if t.score >= 1.5 || t.marked && t.score >= 1 {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b *term) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	var out []string
	for _, t := range all {
		if len(out) == maxItems {
			break
		}
		if !slices.ContainsFunc(out, func(o string) bool { return t.single && containsWord(o, t.text) }) {
			out = append(out, t.text)
		}
	}
	return out
}

func containsWord(phrase, word string) bool {
	return slices.ContainsFunc(strings.Fields(phrase), func(w string) bool { return conceptKey(w) == conceptKey(word) })
}

// weighBlock adds the terms of a block.
func (p *Page) weighBlock(b doc.Block, add func(text string, score float64, marked bool)) {
	if !isProse(b) && b.Kind != doc.Table {
		return
	}
	text := b.Text
	if len(text) > summaryFrom {
		text = strings.ToValidUTF8(text[:summaryFrom], "")
	}
	if b.Kind == doc.Paragraph || b.Kind == doc.Table {
		for c := range strings.SplitSeq(b.Code[:min(len(b.Code), summaryFrom)], "\n") {
			if n := utf8.RuneCountInString(c); n > 2 && n <= 40 && strings.Count(c, " ") < 2 && utf8.ValidString(c) {
				add(c, inCode, true)
			}
		}
	}
	if b.Kind != doc.Table {
		raw := p.spanBytes(b.Span)
		for _, m := range emphasis().FindAllSubmatch(raw[:min(len(raw), summaryFrom)], 40) {
			if e := string(m[1]) + string(m[2]); strings.Count(e, " ") < 4 && !strings.HasSuffix(e, ":") {
				add(e, inEmphasis, true)
			}
		}
		for _, phrase := range candidatePhrases(text) {
			score := inText
			if !strings.Contains(phrase, " ") {
				score /= 2
			}
			add(phrase, score, false)
		}
	}
}

var emphasis = pattern.Lazy(`\*\*([^*\n]{3,50})\*\*|\b_([^_\n]{3,50})_\b`)

// candidatePhrases are the runs of words of a text that may name something: single words and
// pairs, without the language's stop words.
func candidatePhrases(text string) []string {
	var out []string
	before := ""
	for w := range strings.FieldsSeq(text) {
		bare := strings.TrimRight(strings.TrimLeft(w, `("'[`+"`"), `.,;:!?)"'’]`+"`")
		if !mayBeName(bare) {
			before = ""
			continue
		}
		if before != "" {
			out = append(out, before+" "+bare)
		}
		out = append(out, bare)
		if before = bare; bare != strings.TrimLeft(w, `("'[`+"`") {
			before = "" // a sign ends the phrase
		}
	}
	return out
}

// mayBeName reports whether a word may be a part of a name.
func mayBeName(w string) bool {
	if n := utf8.RuneCountInString(w); n < 3 || n > 40 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(w)
	return (unicode.IsLetter(r) || r == '-' && len(w) > 3 || r == '.') && !common()[strings.ToLower(w)] && !strings.Contains(w, "://") &&
		!strings.ContainsAny(w, "{}<>|")
}

// conceptKey is a term for comparison: in lower case, without the plural of its last word.
func conceptKey(s string) string {
	s = strings.ToLower(s)
	if n := utf8.RuneCountInString(s); n < 3 || n > 60 || !strings.ContainsFunc(s, unicode.IsLetter) {
		return ""
	}
	if !strings.ContainsAny(s, "-_./=") && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") &&
		!strings.HasSuffix(s, "is") {
		s = strings.TrimSuffix(s, "s")
	}
	if common()[s] {
		return ""
	}
	return s
}

// spreadOf says in how many sections a term stands, and of how many.
func (p *Page) spreadOf() (map[string]int, int) {
	n := len(p.d.Sections)
	if p.spread != nil {
		return p.spread, n
	}
	p.spread = map[string]int{}
	last := map[string]int{}
	total := 0
	for _, b := range p.d.Blocks {
		if !isProse(b) || total > mostSpread {
			continue
		}
		total += len(b.Text)
		for _, phrase := range candidatePhrases(b.Text) {
			key := conceptKey(phrase)
			if key == "" {
				continue
			}
			if at, ok := last[key]; !ok || at != b.Section {
				last[key] = b.Section
				p.spread[key]++
			}
		}
	}
	return p.spread, n
}

// mostSpread is how much of a page is looked at for what all of its sections speak of, in
// bytes.
const mostSpread = 1 << 20
