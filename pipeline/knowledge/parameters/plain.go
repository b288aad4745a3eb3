package parameters

import (
	"html"
	"strings"
	"unicode"

	"docent/pipeline/text/sanitize"
	"docent/pipeline/text/spacing"
)

// mostMarkup is how much of a text is read for its plain form, in bytes: no text that is
// kept is nearly as long.
const mostMarkup = 4 << 10

// plainText is a stretch of Markdown as text on one line: without tags, emphasis, the marks
// of code and the targets of links. It takes time in proportion to the text.
func plainText(s string) string {
	cut := len(s) > mostMarkup
	if cut {
		s = strings.ToValidUTF8(s[:mostMarkup], "")
	}
	s = withoutShortcodes(s)
	b := make([]byte, 0, len(s))
	skip := -1  // up to there is the target of a link
	opened := 0 // underscores that begin emphasis
	var brackets []int
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case i < skip:
		case c == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
			b = append(b, s[i])
		case c == '`':
			n := leadingRun(s[i:], '`')
			end := strings.Index(s[i+n:], s[i:i+n])
			if end < 0 {
				i += n - 1
				continue
			}
			b = append(b, strings.ReplaceAll(s[i+n:i+n+end], `\|`, "|")...)
			i += n + end + n - 1
		case c == '<' && beginsTag(s[i:]):
			blank, n := tagLength(s[i:])
			b = append(b, blank...)
			i += n
		case c == '*':
			i += leadingRun(s[i:], c) - 1
		case c == '_' && (i == 0 || !isWord(s[i-1])):
			opened++
			i += leadingRun(s[i:], c) - 1
		case c == '_' && opened > 0 && endsEmphasis(s[i:]):
			opened--
			i += leadingRun(s[i:], c) - 1
		case c == '!' && i+1 < len(s) && s[i+1] == '[':
		case c == '[':
			brackets = append(brackets, len(b))
			b = append(b, c)
		case c == ']' && len(brackets) > 0:
			last := brackets[len(brackets)-1]
			brackets = brackets[:len(brackets)-1]
			if i+1 < len(s) && s[i+1] == '(' {
				if end := strings.IndexByte(s[i:], ')'); end > 0 {
					b[last], skip = 0, i+end+1
					continue
				}
			}
			b = append(b, c)
		default:
			b = append(b, c)
		}
	}
	return cleanLine(html.UnescapeString(strings.ReplaceAll(string(b), "\x00", "")), cut)
}

// withoutShortcodes leaves the text that Hugo's shortcodes show where they say it.
func withoutShortcodes(s string) string {
	if !strings.Contains(s, "{{<") && !strings.Contains(s, "{{%") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "{{")
		if i < 0 || i+3 >= len(s) {
			break
		}
		end := strings.Index(s[i:], "}}")
		if end < 0 || s[i+2] != '<' && s[i+2] != '%' {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:i])
		if _, text, ok := strings.Cut(s[i:i+end], `text="`); ok {
			text, _, _ = strings.Cut(text, `"`)
			b.WriteString(text)
		}
		s = s[i+end+2:]
	}
	b.WriteString(s)
	return b.String()
}

// tagLength gives the blank that a tag at the beginning of s leaves, and where the tag ends. A
// script ends with its end tag, or with the text.
func tagLength(s string) (string, int) {
	name, blank := tagName(s), " "
	switch name {
	case "code", "em", "strong", "a", "b", "i", "span":
		blank = ""
	}
	if (name == "script" || name == "style") && s[1] != '/' {
		end := strings.Index(s, "</")
		if end < 0 {
			return blank, len(s)
		}
		return blank, end - 1
	}
	return blank, strings.IndexByte(s, '>')
}

// cleanLine is a text without control characters, on one line.
func cleanLine(s string, cut bool) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r > '~' }) {
		s = sanitize.Text(s)
	}
	s = spacing.Single(s)
	if cut {
		s += "…"
	}
	return s
}

// leadingRun counts how often c stands at the beginning of s.
func leadingRun(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// endsEmphasis reports whether the underscores at the beginning of s stand at the end of a word.
func endsEmphasis(s string) bool {
	n := leadingRun(s, '_')
	return n == len(s) || !isWord(s[n])
}

func isPunct(c byte) bool { return c < 0x80 && (unicode.IsPunct(rune(c)) || unicode.IsSymbol(rune(c))) }

func isWord(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// beginsTag reports whether an HTML tag or a comment begins s: "<value>" is a placeholder and
// not a tag.
func beginsTag(s string) bool {
	if strings.HasPrefix(s, "<!--") {
		return strings.IndexByte(s, '>') > 0
	}
	switch tagName(s) {
	case "a", "abbr", "b", "br", "br/", "code", "dd", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "hr", "i", "iframe", "img", "kbd",
		"li", "mark", "object", "ol", "p", "pre", "q", "s", "script", "small", "span", "strong", "style", "sub", "sup", "svg", "table",
		"tbody", "td", "th", "thead", "tr", "tt", "u", "ul", "var":
		return strings.IndexByte(s[:min(len(s), 500)], '>') > 0
	}
	return false
}

// tagName is the name of the tag that begins s, in lower case, "" without one.
func tagName(s string) string {
	if s == "" || s[0] != '<' {
		return ""
	}
	s = strings.TrimPrefix(s[1:], "/")
	n := 0
	for n < len(s) && n < 10 && ('a' <= s[n] && s[n] <= 'z' || 'A' <= s[n] && s[n] <= 'Z' || n > 0 && '0' <= s[n] && s[n] <= '9') {
		n++
	}
	return strings.ToLower(s[:n])
}

// clipText cuts a text to a number of characters, between words where that costs little.
func clipText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == most {
			if len(s[i:]) > 1 && strings.IndexFunc(s[i+1:], func(rune) bool { return true }) >= 0 {
				cut := s[:i]
				if at := strings.LastIndexByte(cut, ' '); at > len(cut)*3/4 {
					cut = cut[:at]
				}
				return strings.TrimRight(cut, " ,;") + "…"
			}
		}
	}
	return s
}
