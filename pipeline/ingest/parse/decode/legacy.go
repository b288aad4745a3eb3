package decode

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"docent/pipeline/text/pattern"
)

// ToUTF8 brings a text to UTF-8: by the encoding it declares, else by its letters, else from windows-1252.
// as names that encoding; known reports whether the text declares it, or is UTF-8. A text with more UTF-8
// than other bytes comes back unchanged, as "utf-8".
func ToUTF8(src []byte) (text []byte, as string, known bool) {
	if wide, _, ok := DecodeUTF16(src); ok {
		return wide, "utf-16", true
	}
	if prevailsUTF8(src) {
		return src, "utf-8", true
	}
	if text, as = decodeBy(src, Declared(src)); as != "" {
		return text, as, true
	}
	if name := tellEncoding(src); name != "" {
		if text, as = decodeBy(src, name); as != "" {
			return text, as, false
		}
	}
	return Western(src), "windows-1252", false
}

// decodeBy decodes a text by the name of an encoding; as is "" where that is not known, or is UTF-8.
func decodeBy(src []byte, name string) (text []byte, as string) {
	if name == "" {
		return nil, ""
	}
	e, as := charset.Lookup(strings.TrimSpace(name))
	if e == nil || as == "utf-8" || as == "replacement" || strings.HasPrefix(as, "utf-16") {
		return nil, ""
	}
	text, err := e.NewDecoder().Bytes(src)
	if err != nil || !utf8.Valid(text) {
		return nil, ""
	}
	return text, as
}

// prevailsUTF8 reports whether a text has more characters of UTF-8 beyond ASCII than invalid bytes.
func prevailsUTF8(src []byte) bool {
	if utf8.Valid(src) {
		return true
	}
	whole, stray := 0, 0
	for len(src) > 0 {
		if src[0] < utf8.RuneSelf {
			src = src[1:]
			continue
		}
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			stray++
		} else {
			whole++
		}
		src = src[n:]
	}
	return whole > stray
}

// mostTold is how much of a text is looked at for its encoding, in bytes.
const mostTold = 256 << 10

// tellEncoding tells encodings by their letters: Russian consists of small letters, which koi8-r has where
// windows-1251 has capitals, and Japanese has hiragana in every sentence. "" for other texts: letters with
// accents are few, and stand alone.
func tellEncoding(src []byte) string {
	src = src[:min(len(src), mostTold)]
	var high, letters, small, capital, together, hiragana int
	for i, c := range src {
		if c < utf8.RuneSelf {
			continue
		}
		high++
		if i > 0 && src[i-1] >= utf8.RuneSelf {
			together++
		}
		switch {
		case c >= 0xe0:
			letters++
			capital++
		case c >= 0xc0:
			letters++
			small++
		case c == 0xa4 && i+1 < len(src) && src[i+1] >= 0xa1 && src[i+1] <= 0xf3:
			hiragana++
		}
	}
	switch {
	case high < 20 || together*3 < high*2:
		return ""
	case letters*5 >= high*4 && small >= capital:
		return "koi8-r"
	case letters*5 >= high*4:
		return "windows-1251"
	case hiragana*8 >= high:
		return "euc-jp"
	}
	return ""
}

// declaration is how texts say in which encoding they are: the comment of editors and of preconv(1),
// XML, HTML and gettext, POD, Texinfo.
var declaration = pattern.Lazy(`(?im)(?:\bcoding[:=][ \t]*|\bencoding\s*=\s*["']|\bcharset\s*=\s*["']?|^=encoding[ \t]+|` +
	`^@documentencoding[ \t]+)([a-z0-9][\w.:-]*?)(?:-unix|-dos|-mac)?(?:[^\w.:-]|$)`)

// mostDeclared is where a declaration stands at the latest, in bytes: Texinfo has licences before it.
const mostDeclared = 16 << 10

// Declared is the encoding that a text declares, "" without one.
func Declared(src []byte) string {
	m := declaration().FindSubmatch(src[:min(len(src), mostDeclared)])
	if m == nil {
		return ""
	}
	return string(m[1])
}
