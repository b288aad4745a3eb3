package question

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/question/gloss"
	"docent/pipeline/question/letters"
	"docent/pipeline/question/wordlist"
)

// functionWord are words that are frequent in one language and rare in the others.
// They distinguish the languages of Latin script, and English prose from English terms
// in a Chinese text.
const functionWord wordlist.Rule = "detect/function-word"

// latinLanguages in the order that breaks ties.
func latinLanguages() []string { return []string{"en", "de", "fr", "es", "pt", "it"} }

// Language is the question's language as an ISO 639-1 code, "" for a text
// without letters. The script decides. Languages of Latin script are distinguished by
// function words, or by their letters if there are none; the default is English.
//
// Chinese questions have many Latin terms ("hooks 和 skills"), and English ones may
// quote a Chinese word. A text with both is English only if it has fewer Chinese
// characters than twice its English function words.
func Language(text string) string {
	var han, kana, hangul, latin int
	others := map[string]int{}
	for _, r := range text {
		switch {
		case r < 0x80:
			if unicode.IsLetter(r) {
				latin++
			}
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Cyrillic, r):
			others["ru"]++
		case unicode.Is(unicode.Arabic, r):
			others["ar"]++
		case unicode.Is(unicode.Hebrew, r):
			others["he"]++
		case unicode.Is(unicode.Greek, r):
			others["el"]++
		case unicode.Is(unicode.Thai, r):
			others["th"]++
		case unicode.Is(unicode.Devanagari, r):
			others["hi"]++
		}
	}
	counts := wordCounts(text)
	switch {
	case kana > 0 && kana+han >= 2*counts["en"]:
		return "ja"
	case hangul > 0 && hangul >= 2*counts["en"]:
		return "ko"
	case han > 0 && han >= 2*counts["en"]:
		return "zh"
	}
	best, most := "", 0
	for _, l := range []string{"ru", "ar", "he", "el", "th", "hi"} {
		if others[l] > most {
			best, most = l, others[l]
		}
	}
	// A Greek letter in an English sentence is a symbol.
	if most > 0 && most >= 2*counts["en"] && 4*most >= latin {
		return best
	}
	if latin == 0 {
		return ""
	}
	best, most = "en", counts["en"]
	for _, l := range latinLanguages()[1:] {
		// Two words more than English: one "la" or "no" proves nothing.
		if counts[l] > most && counts[l] >= 2 {
			best, most = l, counts[l]
		}
	}
	if best == "en" && counts["en"] == 0 {
		if l := letters.Language(text); l == "en" || gloss.Foreign(text, l) {
			return l
		}
	}
	return best
}

func wordCounts(text string) map[string]int {
	counts := map[string]int{}
	// By spaces and apostrophes: the y of "%y" is no Spanish word.
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || r == '\'' || r == '’' || unicode.Is(unicode.Han, r)
	})
	for i, w := range words {
		words[i] = strings.TrimFunc(w, func(r rune) bool {
			return strings.ContainsRune(`,;:.?!¿¡"“”()«»…，。；：？！（）`, r)
		})
	}
	for _, l := range latinLanguages() {
		list := functionWord.In(l)
		for _, w := range words {
			if slices.Contains(list, w) {
				counts[l]++
			}
		}
	}
	return counts
}

// FunctionWord reports whether a lower-case word is a function word of a language of
// Latin script (en, de, fr, es, pt, it), which is meaningless for a search.
func FunctionWord(w, language string) bool {
	return slices.Contains(functionWord.In(language), w)
}
