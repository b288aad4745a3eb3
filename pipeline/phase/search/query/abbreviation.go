package query

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/gloss"
	"docent/store"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// Abbreviations that the documentation itself defines are asked besides, with
// little weight: the page on "Horizontal Pod Autoscaling" may say HPA once, and
// one on HPA need not say it in full.
const (
	abbreviationWeight = 0.1
	mostAbbreviations  = 8  // of a question
	mostLongForm       = 7  // words of the question that may have a short form
	abbreviationWords  = 48 // of a question that are looked at
)

// word is a word of the question, with its lookup key.
type word struct {
	start, end int
	text       string // without quotation marks
	key        string // as an abbreviation
	stem       string // as a word of a long form; empty for a small word
}

// abbreviations asks for the long forms of what the question abbreviates, and
// for the short forms of what it writes in full.
func (m *Maker) abbreviations(ctx context.Context, s wordsearch.Searcher, native bool) error {
	m.Abbreviations = nil
	if len(m.Queries) == 0 || m.Empty || native {
		return nil
	}
	text := m.Queries[0].Text
	words := abbreviable(text)
	shorts, longs := map[string]int{}, map[string][2]int{} // places among words
	for i, w := range words {
		if _, ok := shorts[w.key]; !ok && w.key != "" {
			shorts[w.key] = i
		}
		var stems []string
		for j := i; w.stem != "" && j < min(len(words), i+mostLongForm); j++ {
			if words[j].stem == "" {
				continue
			}
			if stems = append(stems, words[j].stem); len(stems) > 1 {
				k := strings.Join(stems, " ")
				if _, ok := longs[k]; !ok {
					longs[k] = [2]int{i, j}
				}
			}
		}
	}
	defs, err := s.Definitions(ctx, slices.Sorted(maps.Keys(shorts)), slices.Sorted(maps.Keys(longs)))
	if err != nil {
		return err
	}
	total := map[string]int{} // passages that define a key
	for _, d := range defs {
		total[d.Key] += d.Passages
	}
	add := func(q Query, words, also string) {
		q.Weight = abbreviationWeight
		m.Queries = append(m.Queries, q)
		m.Abbreviations = append(m.Abbreviations, contract.Abbreviation{Words: words, Also: also})
	}
	var used [][2]int        // places of long forms that have one
	for _, d := range defs { // what most passages define comes first
		if len(m.Abbreviations) == mostAbbreviations {
			break
		}
		single := !strings.Contains(d.Stems, " ")
		if i, ok := shorts[d.Key]; ok {
			// One that means several things means nothing certain; and one word in
			// parentheses after another may be anything.
			if 2*d.Passages < total[d.Key] || single && d.Passages < 2 || !isAbbreviated(words[i].text) {
				continue
			}
			delete(shorts, d.Key)
			add(Query{Text: d.Long}, words[i].text, d.Long)
			m.Note("%s was also looked for as %q, which the documentation says it stands for", words[i].text, d.Long)
			continue
		}
		at, ok := longs[d.Stems]
		if !ok || d.Passages < 2 || slices.ContainsFunc(used, func(u [2]int) bool { return at[0] <= u[1] && u[0] <= at[1] }) {
			continue
		}
		used = append(used, at)
		// The title of a page is no evidence by an abbreviation alone: no text.
		q := Query{}
		for _, t := range analysis.New().Terms(d.Short) {
			q.Terms = append(q.Terms, store.WeightedTerm{Term: t, Weight: 1})
		}
		add(q, text[words[at[0]].start:words[at[1]].end], d.Short)
	}
	return nil
}

// abbreviable takes a question apart.
func abbreviable(text string) []word {
	a := analysis.New()
	var out []word
	for _, t := range question.Tokens(question.Shorten(text, 16*abbreviationWords)) {
		if len(out) == abbreviationWords {
			break
		}
		out = append(out, word{start: t.Start, end: t.End, text: t.Text, key: analysis.AbbreviationKey(t.Text),
			stem: analysis.LongFormKey(a, t.Text)})
	}
	return out
}

// isAbbreviated reports whether a word is written as an abbreviation; in small
// letters, whether it is no English word.
func isAbbreviated(written string) bool {
	capitals := 0
	for _, r := range written {
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	return capitals >= 2 || capitals == 0 && !gloss.English(written)
}
