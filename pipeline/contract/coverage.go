package contract

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// mostLacked is how many words are named that the hits lack: a question that lacks more of its
// words is said in other ones.
const mostLacked = 4

const shortestLacked = 3 // letters; a shorter word tells nothing

// LackedWords names the words of the question that none of the best hits has, such as
// " (not in the best hits: rename)": often they are why nothing reaches the threshold. It is "" where
// all words stand there, where many do not, and for a question whose words were translated. The
// words of a comparison that compare ("vs") are not looked for, and words within a title, a heading or
// a snippet of the reranked hits are there ("auth" in "BasicAuth"): these may be others than the first
// ones of the search.
func (o *SearchOutput) LackedWords(reranked *RerankOutput) string {
	if o == nil || o.SearchStats.Coverage == nil || o.Context != nil && len(o.Context.Translations) > 0 {
		return ""
	}
	if o.Context != nil && o.Context.Kind == KindComparison {
		return ""
	}
	missing := slices.DeleteFunc(slices.Clone(o.SearchStats.Coverage.Missing), func(w string) bool {
		return utf8.RuneCountInString(w) < shortestLacked || reranked.shows(w)
	})
	if len(missing) == 0 || len(missing) > mostLacked || len(o.Results) == 0 {
		return ""
	}
	return " (not in the best hits: " + strings.Join(missing, ", ") + ")"
}

// shows reports whether a word stands in a title, a heading or a snippet of the hits, also within
// another word.
func (o *RerankOutput) shows(word string) bool {
	if o == nil {
		return false
	}
	word = strings.ToLower(word)
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	return slices.ContainsFunc(o.Results, func(r Result) bool {
		return has(r.PageTitle) || slices.ContainsFunc(r.Headings, func(h Heading) bool { return has(h.Text) || has(h.Snippet) })
	})
}
