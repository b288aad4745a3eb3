package enrich

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/wordlist"
	"docent/store/doc"

	"docent/pipeline/text/spacing"
)

// How far a summary is looked for: the first paragraphs of a section, and the first
// sentences of each. What a section is about it says early or nowhere.
const (
	summaryParagraphs = 4
	summarySentences  = 4
	summaryFrom       = 4 << 10 // bytes of a paragraph
)

// Summary is one sentence on what a section is about: its first sentence that says
// something, rather one that defines the subject of the heading or announces what follows.
// A section without prose is summed up by what it lists. It reads the section alone.
func (p *Page) Summary(section int) string {
	s := p.SpanOf(section)
	best, score := "", -10.0
	seen := 0
	for b := range p.eachBlock(section) {
		if b.Kind != doc.Paragraph || section == Whole && seen > 0 && b.Section > 0 && best != "" {
			continue
		}
		for i, sentence := range firstSentences(b.Text) {
			if v, ok := sentenceScore(sentence, s.Title, i == 0); ok {
				if v -= .6 * float64(i+2*seen); v > score {
					best, score = sentence, v
				}
			}
		}
		if seen++; seen == summaryParagraphs {
			break
		}
	}
	switch {
	case best == "":
		best = p.contentsSummary(section, s.Title)
	case strings.HasSuffix(best, ":"): // what follows is what it says
		if items := p.listedItems(section); len(items) > 0 {
			best += " " + strings.Join(items, "; ")
		}
	}
	e := Enrichment{Summary: best}
	if e.limitFields(); e.Summary == "" {
		if e.Summary, _ = limitText(cleanLine(s.Title), maxSummary, maxSummaryWords); e.Summary == "" {
			e.Summary = "no text"
		}
	}
	return e.Summary
}

// contentsSummary sums up a section without a sentence: what its lists, notes and tables begin
// with, or the sections below it.
func (p *Page) contentsSummary(section int, title string) string {
	for b := range p.eachBlock(section) {
		if b.Kind == doc.Admonition || b.Kind == doc.Quote {
			for _, s := range firstSentences(b.Text) {
				if _, ok := sentenceScore(s, title, true); ok {
					return s
				}
			}
		}
	}
	items := p.listedItems(section)
	if len(items) == 0 {
		for _, s := range p.d.Sections[max(0, section+1):] {
			if section != Whole && s.Parent == section || section == Whole && s.Level > 0 && s.Parent <= 0 &&
				!strings.EqualFold(cleanLine(s.Text), cleanLine(title)) {
				if items = append(items, s.Text); len(items) == 4 {
					break
				}
			}
			if section != Whole && s.Level <= p.d.Sections[section].Level {
				break
			}
		}
	}
	if len(items) == 0 {
		return title
	}
	return title + ": " + strings.Join(items, "; ")
}

// listedItems are the beginnings of the first items of a section's first list or table.
func (p *Page) listedItems(section int) []string {
	for b := range p.eachBlock(section) {
		if b.Kind == doc.List || b.Kind == doc.Procedure || b.Kind == doc.Table {
			if items := firstLines(b.Text, 4); len(items) > 0 {
				return items
			}
		}
	}
	return nil
}

// firstLines are the beginnings of the first items of a list or rows of a table.
func firstLines(text string, most int) []string {
	if len(text) > summaryFrom {
		text = strings.ToValidUTF8(text[:summaryFrom], "")
	}
	var out []string
	for l := range strings.SplitSeq(text, "\n") {
		l = strings.Trim(strings.TrimSpace(l), "-*•|: ")
		if r, _ := utf8.DecodeRuneInString(l); l == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '`' {
			continue
		}
		l, _ = limitText(l, 48, 8)
		if out = append(out, l); len(out) == most {
			break
		}
	}
	return out
}

var (
	// boilerplate begins sentences that say nothing of their section.
	boilerplate = wordlist.Rule("enrich/boilerplate").Compile()
	// leaning begins sentences that need the one before.
	leaning = wordlist.Rule("enrich/leaning").Compile()
	// announcing sentences say what a section is for.
	announcing = wordlist.Rule("enrich/announces").Compile()
	// conditional sentences define nothing, whatever is in them.
	conditional = wordlist.Rule("enrich/conditional").Compile()
	// defining sentences say what something is or does.
	defining = wordlist.Rule("enrich/defines").Compile()
)

// sentenceScore says how well a sentence tells what the section of a heading is about; false: not
// at all. What a sentence behind the first one of a paragraph defines is the subject of
// the section only where it has its name: "The port to use. An empty string means 80."
func sentenceScore(sentence, title string, first bool) (float64, bool) {
	words := strings.Fields(sentence)
	letters, upper, cjk := 0, 0, false
	for _, r := range sentence {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			cjk = true
			letters++
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	n := utf8.RuneCountInString(sentence)
	if !cjk && len(words) < 4 || cjk && n < 8 || letters*2 < n || upper*2 > letters || boilerplate().MatchString(sentence) {
		return 0, false
	}
	score := 0.0
	condition := conditional().MatchString(sentence)
	names := namesTitle(sentence, title) && (first || !condition)
	switch {
	case announcing().MatchString(sentence):
		score += 1.6
	case condition:
	case defining().MatchString(sentence) && (first || names):
		score += 1
	}
	if leaning().MatchString(sentence) {
		score -= 1.5
	}
	if strings.HasSuffix(sentence, ":") || strings.HasSuffix(sentence, "?") {
		score -= 2
	}
	if n > maxSummary {
		score -= .7
	}
	if names {
		score += 1.2
	}
	return score, true
}

// namesTitle reports whether a sentence has a longer word of a heading.
func namesTitle(sentence, title string) bool {
	lower := strings.ToLower(sentence)
	for _, w := range strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 3 && strings.Contains(lower, strings.TrimSuffix(w, "s")) {
			return true
		}
	}
	return false
}

// firstSentences cuts the beginning of a text into sentences.
func firstSentences(text string) []string {
	cut := len(text) > summaryFrom
	if cut {
		text = strings.ToValidUTF8(text[:summaryFrom], "")
	}
	text = spacing.Single(text)
	var out []string
	start := 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch {
		case r == '。' || r == '！' || r == '？':
		case (r == '.' || r == '!' || r == '?') && endsSentence(text, i):
		default:
			continue
		}
		if s := strings.TrimSpace(text[start:end]); s != "" {
			out = append(out, s)
		}
		if start = end; len(out) == summarySentences {
			return out
		}
	}
	if s := strings.TrimSpace(text[start:]); s != "" {
		out = append(out, s)
	}
	return out
}

// endsSentence reports whether the sign at i ends a sentence: a blank and a possible
// beginning of a sentence follow, and no abbreviation is before it.
func endsSentence(text string, i int) bool {
	if i+1 >= len(text) {
		return true
	}
	if text[i+1] != ' ' {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[i+1:], " \"'`(")); unicode.IsLower(r) {
		return false
	}
	switch strings.ToLower(text[strings.LastIndexAny(text[:i], " (")+1 : i]) {
	case "e.g", "i.e", "etc", "vs", "cf", "fig", "no", "approx", "incl":
		return false
	}
	return true
}
