package table

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
)

// Normal is a word as keys are written: lower case, accents composed, ё as е, ß
// as ss, no stress marks.
func Normal(language, word string) string {
	word = strings.ToLower(word)
	ascii := true
	for i := 0; i < len(word); i++ {
		if word[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return word
	}
	out := make([]rune, 0, len(word))
	for _, r := range word {
		switch {
		case r == 'ё':
			r = 'е'
		case r == 'ß':
			out = append(out, 's')
			r = 's'
		case r == '’' || r == 'ʼ':
			r = '\''
		case r == '\u00ad': // a soft hyphen
			continue
		case unicode.Is(unicode.Mn, r) && r < 0x370:
			if n := len(out); n > 0 {
				out[n-1] = composeLetter(out[n-1], r)
			}
			continue
		}
		out = append(out, r)
	}
	// ё and й are the only accents of Russian; a stress mark on a vowel was
	// dropped by compose, and е with two dots is е here.
	if language == "ru" {
		for i, r := range out {
			if r == 'ё' {
				out[i] = 'е'
			}
		}
	}
	return string(out)
}

// marked lists, for each combining mark, letters and what they are with it.
const marked = "\u0300aàeèiìoòuù\u0301aáeéiíoóuúyý\u0302aâeêiîoôuû\u0303nñaãoõ\u0308aäeëiïoöuüyÿ\u0327cç\u0306ий"

func composeLetter(letter, mark rune) rune {
	_, list, _ := strings.Cut(marked, string(mark))
	var from rune
	for _, r := range list {
		switch {
		case r < 0x80 || r == 'и':
			from = r
		case unicode.Is(unicode.Mn, r):
			return letter
		case from == letter:
			return r
		}
	}
	return letter
}

// WithoutAccents is a normal word without accents: how people write who do not have them
// on the keyboard.
func WithoutAccents(word string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'à', 'á', 'â', 'ã', 'ä', 'å':
			return 'a'
		case 'ç':
			return 'c'
		case 'è', 'é', 'ê', 'ë':
			return 'e'
		case 'ì', 'í', 'î', 'ï':
			return 'i'
		case 'ñ':
			return 'n'
		case 'ò', 'ó', 'ô', 'õ', 'ö':
			return 'o'
		case 'ù', 'ú', 'û', 'ü':
			return 'u'
		case 'ý', 'ÿ':
			return 'y'
		}
		return r
	}, word)
}

// Unspelled is a normal German word whose umlauts are spelled out with them: ä
// for ae.
func Unspelled(word string) string {
	return strings.NewReplacer("ae", "ä", "oe", "ö", "ue", "ü", "que", "que", "aue", "aue", "eue", "eue").Replace(word)
}

// Inflects reports whether a language's words are looked up by their stems.
func Inflects(language string) bool {
	switch language {
	case "de", "fr", "es", "it", "pt", "ru":
		return true
	}
	return false
}

// StemWords is the stems of normal words with a space between them.
func StemWords(language, words string) string {
	if !strings.Contains(words, " ") {
		return StemWord(language, words)
	}
	ws := strings.Split(words, " ")
	for i, w := range ws {
		ws[i] = StemWord(language, w)
	}
	return strings.Join(ws, " ")
}

// StemForm says under which form a key is listed so that words with the same
// stems find it; ok is false if it needs none, because the key begins with the
// form, and a look at the keys that do finds it.
func StemForm(language, key string) (form string, ok bool) {
	form = StemWords(language, key)
	return form, !strings.HasPrefix(key, form)
}

// StemWord is the Snowball stem of a normal word, without accents.
func StemWord(language, word string) string {
	env := snowballstem.NewEnv(word)
	switch language {
	case "de":
		german.Stem(env)
	case "fr":
		french.Stem(env)
	case "es":
		spanish.Stem(env)
	case "it":
		italian.Stem(env)
	case "pt":
		portuguese.Stem(env)
	case "ru":
		russian.Stem(env)
	}
	return WithoutAccents(env.Current())
}
