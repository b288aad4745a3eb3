package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/phase/search/query"
	"docent/store/analysis"
)

// plainPreview takes the markup off a piece of Markdown for a one-line preview: cheap
// and approximate, as opposed to the parser's. Text is never added.
func plainPreview(src string) string {
	var b strings.Builder
	b.Grow(len(src))
	space := true
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '<':
			if j := strings.IndexByte(src[i:], '>'); j > 0 && j < 400 && i+1 < len(src) && isTagByte(src[i+1]) {
				i += j + 1
				continue
			}
		case c == ']' && i+1 < len(src) && src[i+1] == '(':
			if j := strings.IndexByte(src[i:], ')'); j > 0 && j < 600 {
				i += j + 1
				continue
			}
		case c == '*' || c == '`' || c == '[' || c == ']' || c == '|' || c == '\\' || c == '#' && space:
			i++
			continue
		case c == '{' && i+1 < len(src) && (src[i+1] == '{'):
			if j := strings.Index(src[i:], "}}"); j > 0 && j < 400 {
				words := plainPreview(shortcodeText(src[i+2 : i+j]))
				if words == "" {
					words = plainPreview(corpus.MacroTerm(src[i : i+j+2]))
				}
				if words != "" {
					b.WriteString(words)
					space = false
				}
				i += j + 2
				continue
			}
		}
		if c < utf8.RuneSelf {
			i++
			if c <= ' ' || c == 0x7f {
				if !space {
					b.WriteByte(' ')
				}
				space = true
				continue
			}
			b.WriteByte(c)
			space = false
			continue
		}
		r, size := utf8.DecodeRuneInString(src[i:])
		i += size
		if r == utf8.RuneError && size == 1 || r < 0xa0 { // no text; C1 controls
			continue
		}
		b.WriteRune(r)
		space = false
	}
	return strings.TrimSpace(b.String())
}

// shortcodeText is the text that a shortcode shows: {{< tooltip text="pods" >}}.
func shortcodeText(in string) string {
	_, value, _ := strings.Cut(in, " text=\"")
	value, _, _ = strings.Cut(value, "\"")
	return value
}

// behindMetadata is the text behind the front matter at its beginning; all of it without
// front matter, or if nothing follows.
func behindMetadata(text string) string {
	for _, fence := range [...]string{"---", "+++"} {
		begin, rest, ok := strings.Cut(text, "\n")
		if !ok || strings.TrimSpace(begin) != fence {
			continue
		}
		for {
			line, after, more := strings.Cut(rest, "\n")
			if strings.TrimSpace(line) == fence && strings.TrimSpace(after) != "" {
				return after
			}
			if !more {
				return text
			}
			rest = after
		}
	}
	return text
}

func isTagByte(c byte) bool {
	return c == '/' || c == '!' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// snippet is the part of a passage with the most weight of query terms, about
// snippetRunes long, cut at spaces. Terms are looked for as substrings, which is
// cheap and finds the place: a stem is mostly the beginning of its word.
func (r resultMaker) snippet(text string) string {
	if utf8.RuneCountInString(text) <= snippetRunes {
		return text
	}
	bestAt, best := 0, -1.0
	type hit struct {
		at     int
		weight float64
	}
	var hits []hit
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text // some letters change their length: places would not fit
	}
	for term, w := range r.terms {
		for at := 0; w > 0; {
			i := strings.Index(lower[at:], term)
			if i < 0 {
				break
			}
			hits = append(hits, hit{at + i, w})
			at += i + len(term)
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.weight, b.weight)) })
	for i, h := range hits {
		sum := 0.0
		for _, o := range hits[i:] {
			if o.at-h.at > snippetRunes {
				break
			}
			sum += o.weight
		}
		if sum > best {
			best, bestAt = sum, h.at
		}
	}
	start := bestAt
	if start > 40 { // a few words before
		if j := strings.IndexByte(text[start-40:start], ' '); j >= 0 {
			start = start - 40 + j + 1
		}
	} else {
		start = 0
	}
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	end, n := start, 0
	for end < len(text) && n < snippetRunes {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
		n++
	}
	out := text[start:end]
	if end < len(text) {
		if j := strings.LastIndexByte(out, ' '); j > len(out)*3/4 {
			out = out[:j]
		}
		out += " …"
	}
	if start > 0 {
		out = "… " + out
	}
	return out
}

// coverage reports which of the question's words are in the results.
func (r resultMaker) coverage(results []contract.Result) *contract.Coverage {
	question := query.Sought(r.Queries[0].Text)
	a := r.b.analyzers.Get()
	defer r.b.analyzers.Put(a)
	c := &contract.Coverage{Terms: []string{}, Covered: []string{}, Missing: []string{}}
	have := map[string]bool{}
	for _, text := range r.texts[:min(10, len(r.texts))] {
		for _, t := range a.Terms(text) {
			have[t] = true
		}
	}
	for _, t := range a.Tokens(question) {
		if t.Kind == analysis.Stop || slices.Contains(c.Terms, t.Word) {
			continue
		}
		if t.Kind == analysis.Identifier && !have[t.Term] {
			continue // its parts are looked at
		}
		if len(c.Terms) == 64 { // of a question of thousands of words, the first
			break
		}
		c.Terms = append(c.Terms, t.Word)
		if have[t.Term] {
			c.Covered = append(c.Covered, t.Word)
		} else {
			c.Missing = append(c.Missing, t.Word)
		}
	}
	switch {
	case len(results) == 0:
		c.Note = "nothing was found"
	case len(c.Missing) == 0:
		c.Note = "every word of the first query stands in the best hits"
	default:
		c.Note = "not in the best hits: " + strings.Join(c.Missing, ", ")
	}
	return c
}
