// Package why says in one sentence why a section was found: which words of the
// question its title or heading has, and how many of them stand in its text.
//
// It refuses to compute scores, and to show figures: it reads the explanation that
// phases 1 and 1.5 give with a heading. Without one it says nothing.
package why

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/store/analysis"
)

// Sentence says why a section was found, "" where that is not known. It may hold text
// of the page; it is one clean line.
func Sentence(page contract.Result, h contract.Heading) string {
	if h.Explain == nil || len(h.Explain.Parts) == 0 {
		return ""
	}
	query, terms := bestQuery(h.Explain.Parts)
	others := otherTerms(h.Explain.Parts, terms)
	if query == "" && len(others) == 0 {
		return "like the question in meaning; it has none of its words"
	}
	a := analysis.New()
	var say []string
	heading := strings.TrimSpace(strings.TrimLeft(h.Text, "#"))
	if own, title := namedPart(a, heading, terms), namedPart(a, page.PageTitle, terms); own != "" || title != "" {
		where, what := "heading", own
		if title != "" && (heading == page.PageTitle || len(strings.Fields(title)) > len(strings.Fields(own))) {
			where, what = "title", title
		}
		say = append(say, where+" has “"+what+"”")
	}
	if n, all := countWords(a, query, terms); all > 0 {
		say = append(say, fmt.Sprintf("%d of %d %s in this section", n, all, plural(all)))
	}
	switch part := namedPart(a, heading, others); {
	case part != "":
		say = append(say, "heading has “"+part+"”, another word for the question's")
	case query == "":
		say = append(say, "it has other words for the question's, and none of its own")
	}
	return sanitize.Line(strings.Join(say, "; "))
}

// otherTerms are the terms of a section that were looked for in the place of the question's
// own, which are left out.
func otherTerms(parts []contract.ExplainPart, own map[string]fields) map[string]fields {
	others := map[string]fields{}
	for _, p := range parts {
		if _, ok := own[p.Term]; p.Query == contract.OtherWords && !ok {
			others[p.Term] = fields{text: true}
		}
	}
	return others
}

func plural(n int) string {
	if n == 1 {
		return "word"
	}
	return "words"
}

// fields says of a term in which fields of a section it stands.
type fields struct{ title, text bool }

// bestQuery is the query by which most of the score came about, and its terms in the
// section. Terms that other passages share with the best ones, and likeness of
// meaning, are no query.
func bestQuery(parts []contract.ExplainPart) (query string, terms map[string]fields) {
	sums := map[string]float64{}
	var order []string
	for _, p := range parts {
		switch {
		case strings.HasPrefix(p.Query, "("), p.Field == "meaning", p.Field == "model":
			continue
		case sums[p.Query] == 0:
			order = append(order, p.Query)
		}
		sums[p.Query] += p.Value
	}
	for _, q := range order {
		if query == "" || sums[q] > sums[query] {
			query = q
		}
	}
	terms = map[string]fields{}
	for _, p := range parts {
		if p.Query != query {
			continue
		}
		f := terms[p.Term]
		if p.Field == "title" {
			f.title = true
		} else {
			f.text = true
		}
		terms[p.Term] = f
	}
	return query, terms
}

// namedPart is the part of a title or heading that has words of the question: its
// longest run of them.
func namedPart(a *analysis.Analyzer, text string, terms map[string]fields) string {
	words := strings.Fields(sanitize.Line(text))
	var longest, run []string
	stops := 0 // at the end of run
	for _, w := range words {
		switch has, stop := matchesWord(a, w, terms); {
		case has:
			run, stops = append(run, w), 0
		case stop && len(run) > 0:
			run, stops = append(run, w), stops+1
		default:
			run, stops = nil, 0
		}
		if r := run[:len(run)-stops]; len(r) > len(longest) {
			longest = slices.Clone(r)
		}
	}
	return withoutPunctuation(strings.Join(longest, " "))
}

// withoutPunctuation takes off the punctuation at the end of a text: "git-revert(1)," becomes
// "git-revert(1)". A bracket that closes one in the text stays.
func withoutPunctuation(text string) string {
	const opening, closing = "([{", ")]}"
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		if !unicode.IsPunct(r) {
			break
		}
		rest := text[:len(text)-size]
		if i := strings.IndexRune(closing, r); i >= 0 &&
			strings.Count(rest, opening[i:i+1]) > strings.Count(rest, closing[i:i+1]) {
			break
		}
		text = rest
	}
	return text
}

// matchesWord reports whether a word is one of the question's, and whether it is a word that
// is not looked up at all.
func matchesWord(a *analysis.Analyzer, word string, terms map[string]fields) (has, stop bool) {
	stop = true
	for _, t := range a.Tokens(word) {
		if t.Kind == analysis.Stop {
			continue
		}
		stop = false
		if _, ok := terms[t.Term]; ok {
			has = true
		}
	}
	return has, stop
}

// countWords says how many words of a query stand in the section's own text and headings,
// and how many it has. Text without spaces between its words is not counted.
func countWords(a *analysis.Analyzer, query string, terms map[string]fields) (n, all int) {
	seen := map[string]bool{}
	for _, w := range strings.Fields(query) {
		if strings.ContainsFunc(w, analysis.IsCJK) {
			return 0, 0
		}
		if seen[strings.ToLower(w)] {
			continue
		}
		seen[strings.ToLower(w)] = true
		if _, stop := matchesWord(a, w, terms); stop {
			continue
		}
		all++
		for _, t := range a.Tokens(w) {
			if terms[t.Term].text {
				n++
				break
			}
		}
	}
	return n, all
}
