package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/gloss"
	"docent/store"
	"docent/store/analysis"
	"docent/store/wordsearch"
)

// A word of the question that stands nowhere in the doc sets and is not spelled as
// English words are is likely mistyped. Its repair is a word that does stand there, one edit
// away (Norvig, "How to Write a Spelling Corrector", 2007: an insertion, a
// deletion, a substitution or two neighbours exchanged), or two where it is long.
const (
	shortestRepaired = 4 // letters; of shorter words too many are one edit away
	longRepaired     = 8 // letters from which two edits are looked for
	mostRepaired     = 4 // words of a question
)

// A mistyped word may also be a word: "handeling" is of Handel, "sever" is not "server".
// What the doc sets do not have, or only in one or two places, is also looked for as
// the word that is one slip away where that stands in many passages; the word as it was
// written stays.
const (
	rarely        = 2   // passages: the documentation has mistyped it too
	often         = 20  // passages from which a word is frequent
	oftenShare    = 200 // one in so many passages
	alsoWeight    = 0.3 // in addition to the question as written
	shortestSlips = 5   // letters
)

// repair is a word that is searched in place of another, or besides.
type repair struct {
	wrote, used string
	also        bool
}

// repairs finds what the first query has mistyped.
func (m *Maker) repairs(ctx context.Context, s wordsearch.Searcher) ([]repair, error) {
	a := analysis.New()
	var out []repair
	text := question.Shorten(m.In.Query[0], nativeRunes)
	if m.Prefix { // the last word is not written yet
		text = text[:strings.LastIndexFunc(text, unicode.IsSpace)+1]
	}
	for _, t := range question.Tokens(text) {
		w := strings.ToLower(t.Text)
		if t.Kind != question.Word || len(out) == mostRepaired || !repairable(w) ||
			slices.ContainsFunc(out, func(x repair) bool { return strings.EqualFold(x.wrote, t.Text) }) {
			continue
		}
		terms := a.Terms(w)
		if len(terms) != 1 {
			continue
		}
		n, err := s.ApproxFrequencies(ctx, terms)
		if err != nil {
			return nil, err
		}
		if n[0] > rarely || n[0] > 0 && gloss.English(w) || m.isTranslated(w) {
			continue
		}
		x := repair{wrote: t.Text, also: n[0] > 0 || gloss.Spelled(w)}
		switch {
		case !x.also:
			x.used, err = m.repaired(ctx, s, a, w, terms[0])
		case utf8.RuneCountInString(w) >= shortestSlips:
			x.used, err = m.slipped(ctx, s, a, w)
		}
		if err != nil {
			return nil, err
		}
		if x.used != "" && (!gloss.English(w) || x.also || m.frequent(ctx, s, a, x.used)) {
			out = append(out, x)
		}
	}
	return out, nil
}

// slipped is the frequent word from which a word differs by a letter left out, doubled
// or exchanged with its neighbour, not at the beginning; "" if there is none.
func (m *Maker) slipped(ctx context.Context, s wordsearch.Searcher, a *analysis.Analyzer, word string) (string, error) {
	var near []string
	var terms []string
	for _, v := range wordEdits(word) {
		// A letter replaced by another makes too many other words.
		if v.text[:1] != word[:1] || v.replaced || v.weight == undoubled || v.text+"s" == word || word+"s" == v.text {
			continue
		}
		if t := a.Terms(v.text); len(t) == 1 {
			near, terms = append(near, v.text), append(terms, t[0])
		}
	}
	df, err := s.ApproxFrequencies(ctx, terms)
	if err != nil {
		return "", err
	}
	own := a.Terms(word)
	best, used := max(often, s.Statistics().Passages/oftenShare), ""
	for i, n := range df {
		if n > best && gloss.Spelled(near[i]) && terms[i] != own[0] {
			best, used = n, near[i]
		}
	}
	return used, nil
}

// frequent reports whether a word stands in more than a few passages.
func (m *Maker) frequent(ctx context.Context, s wordsearch.Searcher, a *analysis.Analyzer, word string) bool {
	n, err := s.ApproxFrequencies(ctx, a.Terms(word))
	return err == nil && len(n) > 0 && n[0] > rarely
}

func repairable(w string) bool {
	n := utf8.RuneCountInString(w)
	return n >= shortestRepaired && n <= 32 && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) || r > 0x24f }) < 0
}

// isTranslated reports whether a word belongs to another language, or renders one that does. A
// rendering was not typed, so that it was not mistyped.
func (m *Maker) isTranslated(w string) bool {
	c := m.In.Context
	return c != nil && slices.ContainsFunc(c.Translations, func(t contract.Translation) bool {
		return strings.EqualFold(t.Word, w) || slices.ContainsFunc(t.Terms, func(r contract.Rendering) bool {
			return slices.ContainsFunc(strings.Fields(r.Text), func(x string) bool { return strings.EqualFold(x, w) })
		})
	})
}

// repaired is the best repair of a word, or "".
func (m *Maker) repaired(ctx context.Context, s wordsearch.Searcher, a *analysis.Analyzer, word, term string) (string, error) {
	variants := wordEdits(word)
	terms := make([]string, len(variants))
	for i, v := range variants {
		if t := a.Terms(v.text); len(t) == 1 {
			terms[i] = t[0]
		}
	}
	df, err := s.ApproxFrequencies(ctx, terms)
	if err != nil {
		return "", err
	}
	best, used := 0.0, ""
	for i, v := range variants {
		x := v.weight * math.Log1p(float64(df[i]))
		if x > 0 && gloss.Spelled(v.text) {
			x *= 3 // "configure" rather than "configer", which has the same stem
		}
		if x > best {
			best, used = x, v.text
		}
	}
	if used != "" || utf8.RuneCountInString(word) < longRepaired {
		return used, nil
	}
	near, err := s.Fuzzy(ctx, term, 2)
	if err != nil {
		return "", err
	}
	found := make([]string, 0, len(near))
	for t := range near {
		if t != term && utf8.RuneCountInString(t) >= shortestRepaired &&
			!strings.ContainsFunc(t, func(r rune) bool { return !unicode.IsLetter(r) }) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	slices.SortFunc(found, func(x, y string) int { return cmp.Or(cmp.Compare(near[y], near[x]), strings.Compare(x, y)) })
	// Of the words with that stem, the one most similar to the written word.
	used = found[0]
	shared := -1
	for _, w := range gloss.EnglishWords(used[:min(len(used), shortestRepaired)]) {
		if t := a.Terms(w); len(t) != 1 || t[0] != found[0] {
			continue
		}
		if n := common(w, word); n > shared || n == shared && len(w) < len(used) {
			used, shared = w, n
		}
	}
	return used, nil
}

// common is the length of the common beginning and end of two words.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	m := 0
	for m < len(a)-n && m < len(b)-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}

// undoubled is the weight of an edit that takes one of two equal letters out.
const undoubled = 3.0

// edit is a word one edit away; weight says how likely that edit is.
type edit struct {
	text     string
	weight   float64
	replaced bool // a letter by another
}

// wordEdits are the words one edit away, each once, the likeliest first.
func wordEdits(word string) []edit {
	rs := []rune(word)
	short := len(rs) < 6
	var out []edit
	replaced := false
	add := func(weight float64, parts ...[]rune) {
		var b strings.Builder
		for _, p := range parts {
			for _, r := range p {
				b.WriteRune(r)
			}
		}
		out = append(out, edit{b.String(), weight, replaced})
	}
	for i := 0; i+1 < len(rs); i++ {
		if rs[i] != rs[i+1] {
			add(4, rs[:i], rs[i+1:i+2], rs[i:i+1], rs[i+2:])
		}
	}
	for i := range rs {
		w := 2.0
		if i > 0 && rs[i] == rs[i-1] {
			w = undoubled
		}
		if !short || i > 0 {
			add(w, rs[:i], rs[i+1:])
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		for i := range len(rs) + 1 {
			if i > 0 || !short {
				add(2, rs[:i], []rune{c}, rs[i:])
			}
			if i < len(rs) && rs[i] != c && i > 0 && !short {
				replaced = true
				w := 1.0
				if c == 'i' && rs[i] == 'y' {
					w = 4 // "readyness"
				}
				add(w, rs[:i], []rune{c}, rs[i+1:])
				replaced = false
			}
		}
	}
	seen := map[string]bool{word: true}
	return slices.DeleteFunc(out, func(e edit) bool {
		again := seen[e.text]
		seen[e.text] = true
		return again || utf8.RuneCountInString(e.text) < 3
	})
}

// applyRepairs replaces misspelled words with their repairs in all queries.
func (m *Maker) applyRepairs(repairs []repair) {
	if len(repairs) == 0 {
		return
	}
	in := m.In
	in.Query, in.DomainNouns = slices.Clone(in.Query), slices.Clone(in.DomainNouns)
	for _, p := range repairs {
		if p.also {
			m.Note("%s", fmt.Sprintf("%q was also looked for as %q", p.wrote, p.used))
			continue
		}
		for i := range in.Query {
			in.Query[i] = replaceWord(in.Query[i], p.wrote, p.used)
		}
		for i := range in.DomainNouns {
			in.DomainNouns[i] = replaceWord(in.DomainNouns[i], p.wrote, p.used)
		}
		in.Context = mended(in.Context, p)
		m.Note("%s", fmt.Sprintf("showing results for %q; you wrote %q", p.used, p.wrote))
	}
	m.In = in
}

// mended is a context whose reading of the question has a repair; the question itself is
// unchanged.
func mended(c *contract.Context, p repair) *contract.Context {
	if c == nil || len(c.Subjects) == 0 && len(c.Parts) == 0 {
		return c
	}
	out := *c
	out.Subjects, out.Parts = slices.Clone(c.Subjects), slices.Clone(c.Parts)
	for _, texts := range [][]string{out.Subjects, out.Parts} {
		for i := range texts {
			texts[i] = replaceWord(texts[i], p.wrote, p.used)
		}
	}
	return &out
}

// replaceWord replaces whole words, in any case.
func replaceWord(text, word, with string) string {
	var b strings.Builder
	at := 0
	for _, t := range question.Tokens(text) {
		if t.Kind == question.Word && strings.EqualFold(t.Text, word) {
			b.WriteString(text[at:t.Start])
			b.WriteString(with)
			at = t.End
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

// mostFinished is how many words an unfinished one may become.
const mostFinished = 8

// unfinished is the last word of a question that is still being typed, by what
// it may become; nil for a question that ends otherwise.
func (m *Maker) unfinished(ctx context.Context, s wordsearch.Searcher) (store.Group, error) {
	text := m.In.Query[0]
	last, _ := utf8.DecodeLastRuneInString(text)
	if !m.Prefix || !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		return nil, nil
	}
	word := text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
	tokens := analysis.New().Tokens(word)
	if len(tokens) == 0 {
		return nil, nil
	}
	prefix := strings.ToLower(strings.TrimLeft(tokens[len(tokens)-1].Word, "-"))
	if utf8.RuneCountInString(prefix) < 2 {
		return nil, nil
	}
	terms, err := s.Prefix(ctx, prefix, mostFinished)
	var g store.Group
	for _, t := range terms {
		g = append(g, store.Alternative{Terms: []string{t}, Weight: 1})
	}
	return g, err
}
