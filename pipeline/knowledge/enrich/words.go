package enrich

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/question/wordlist"
	"docent/store/doc"
)

// common are words of English that name nothing by themselves, and those that every
// documentation has.
var common = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range wordlist.Rule("enrich/common").Phrases() {
		out[w] = true
	}
	return out
})

// Words that suggest the audience of a section. Each language of a code block and each
// word of the text counts once in a section.
var evidence = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for audience, words := range map[string]wordlist.Rule{
		developer: "enrich/developer",
		admin:     "enrich/admin",
		user:      "enrich/user",
	} {
		for _, w := range words.Phrases() {
			out[w] = audience
		}
	}
	for _, lang := range wordlist.Rule("enrich/developer-code").Phrases() {
		out["```"+lang] = developer
	}
	for _, lang := range wordlist.Rule("enrich/admin-code").Phrases() {
		out["```"+lang] = admin
	}
	return out
})

// mostAudience is how much of a section is looked at for its audience, in bytes.
const mostAudience = 32 << 10

// audienceOf is the audience of a section, judged by its words; Mixed where they disagree.
func (p *Page) audienceOf(section int) string {
	seen := map[string]bool{}
	count := map[string]int{}
	take := func(w string) {
		if a := evidence()[w]; a != "" && !seen[w] {
			seen[w] = true
			count[a]++
			if strings.HasPrefix(w, "```") {
				count[a]++
			}
		}
	}
	read := 0
	for b := range p.eachBlock(section) {
		if b.Kind == doc.Code && b.Lang != "" {
			take("```" + strings.ToLower(b.Lang))
		}
		if !isProse(b) || read > mostAudience {
			continue
		}
		text := b.Text[:min(len(b.Text), mostAudience)]
		read += len(text)
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
			take(strings.ToLower(w))
		}
	}
	best, most, next := mixed, 0, 0
	for _, a := range slices.Sorted(maps.Keys(count)) {
		switch n := count[a]; {
		case n > most:
			best, most, next = a, n, most
		case n > next:
			next = n
		}
	}
	if most < 2 || most < 2*next {
		return mixed
	}
	return best
}
