package question

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// mostRendered is how many renderings of a text are given.
const mostRendered = 3

// Rendered gives a part of a question with its words translated: by the best
// renderings first, then by the next ones. It is empty where no word of the text was
// translated.
func Rendered(text string, translations []contract.Translation) []string {
	var out []string
	for k := range mostRendered {
		now, changed := text, false
		for _, tr := range translations {
			if tr.Word == "" || len(tr.Terms) == 0 || !strings.Contains(now, tr.Word) {
				continue
			}
			r := tr.Terms[min(k, len(tr.Terms)-1)].Text
			if strings.EqualFold(r, tr.Word) {
				continue
			}
			now, changed = strings.ReplaceAll(now, tr.Word, " "+r+" "), true
		}
		// A word that the text has in English too is not said twice.
		var words []string
		for _, w := range strings.Fields(now) {
			if !slices.ContainsFunc(words, func(o string) bool { return strings.EqualFold(o, w) }) {
				words = append(words, w)
			}
		}
		if now = strings.Join(words, " "); changed && !slices.Contains(out, now) {
			out = append(out, now)
		}
	}
	return out
}
