package build

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// Break is an inline that ends the line: what follows stands on the next one.
const Break = "\\\n"

// TextInline is s as an inline that is read as s: what Markdown and its dialects would read as
// markup is escaped, and no more than that. Runs of blanks become one, line ends stay.
// Bytes that are not UTF-8 and NUL become U+FFFD; other control characters are left out.
func TextInline(s string) string {
	s = cleanText(s)
	if strings.IndexFunc(s, func(r rune) bool { return strings.ContainsRune("\\`*_~[]<&!{", r) }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if needsBackslash(s, i) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// needsBackslash reports whether byte i of s needs a backslash. The text around s is unknown.
func needsBackslash(s string, i int) bool {
	before, after := byte(0), byte(0) // 0: not known
	if i > 0 {
		before = s[i-1]
	}
	if i+1 < len(s) {
		after = s[i+1]
	}
	switch s[i] {
	case '\\':
		return after == 0 || isSpace(after) || isPunct(after)
	case '`':
		return true
	case '*':
		return !isSpace(before) || !isSpace(after)
	case '_':
		in := wordBefore(s, i) && wordAfter(s, i+1)
		return !in && (!isSpace(before) || !isSpace(after))
	case '~':
		return !isSpace(before)
	case ']':
		return after == 0 || after == '(' || after == '[' || after == ':' && opensLine(s[:i])
	case '!':
		return after == 0 || after == '['
	case '<':
		return after == 0 || isLetter(after) || after == '/' || after == '!' || after == '?' || after == '>'
	case '{':
		// A shortcode, {{< or {{%, is sought before escapes are.
		return (before == 0 || before == '{') && (after == 0 || after == '<' || after == '%') || listBegin().MatchString(s[i:])
	case '&':
		return beginsEntity(s[i:])
	}
	return false
}

// listBegin is the beginning of a list of attributes, which is no text: {#id}, {.class}, {: note}.
var listBegin = pattern.Lazy(`^\{(?::|[ \t]*[#.]|[ \t]*-?[\w:-]+=)`)

// opensLine reports whether the bracket that is open at the end of s may be the first of
// its line: only there does "]:" define a link.
func opensLine(s string) bool {
	open := strings.LastIndexByte(s, '[')
	return open < 0 || strings.TrimSpace(s[strings.LastIndexByte(s[:open], '\n')+1:open]) == ""
}

// beginsEntity reports whether the "&" at s[0] may begin a character reference.
func beginsEntity(s string) bool {
	if len(s) == 1 {
		return true
	}
	if c := s[1]; !isLetter(c) && c != '#' {
		return false
	}
	if end := strings.IndexByte(s[:min(len(s), 42)], ';'); end > 0 {
		return html.UnescapeString(s[:end+1]) != s[:end+1]
	}
	return len(s) < 42 && strings.IndexFunc(s[1:],
		func(r rune) bool { return r >= utf8.RuneSelf || !isLetter(byte(r)) && !isDigit(byte(r)) && r != '#' }) < 0
}

// CodeInline is s as inline code.
func CodeInline(s string) string {
	s = spacing.Single(cleanText(s))
	switch {
	case s == "":
		return ""
	case strings.Contains(s, "{{<") || strings.Contains(s, "{{%"):
		return TextInline(s) // a shortcode is expanded even in inline code
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// Strong is an inline in bold.
func Strong(inline string) string { return markAround(inline, "**") }

// Emphasis is an inline in italics.
func Emphasis(inline string) string { return markAround(inline, "*") }

// markAround puts marks around an inline, inside of the blanks at its ends.
func markAround(inline, mark string) string {
	in := strings.Trim(inline, " \n\t")
	if in == "" || mark == "**" && strings.Count(in, mark) == 2 && strings.HasPrefix(in, mark) && strings.HasSuffix(in, mark) {
		return inline // nothing, or bold as it is
	}
	at := strings.Index(inline, in)
	tail := inline[at+len(in):]
	if mark == "**" {
		in = withoutBold(in)
	}
	return inline[:at] + mark + escapeEnds(in) + mark + tail
}

// escapeEnds escapes an asterisk at an end of an inline that has a blank at its other side. It
// marks nothing there, and would be one of the marks that come around the inline.
func escapeEnds(in string) string {
	if before, ok := strings.CutSuffix(in, "*"); ok && before != "" && isSpace(before[len(before)-1]) {
		in = before + `\*`
	}
	if in == "*" || strings.HasPrefix(in, "*") && isSpace(in[1]) {
		in = `\` + in
	}
	return in
}

// withoutBold is an inline without the marks of bold text in it, which would end that
// around it. Inline code and escaped signs stay.
func withoutBold(in string) string {
	if !strings.Contains(in, "**") {
		return in
	}
	var b strings.Builder
	for i := 0; i < len(in); {
		n := 1
		switch in[i] {
		case '\\':
			n = min(2, len(in)-i)
		case '`':
			n = leadingRun(in[i:], '`')
			n += closingRunLength(in[i+n:], n)
		case '*':
			if run := leadingRun(in[i:], '*'); run >= 2 {
				b.WriteString(in[i+2 : i+run]) // bold in italics leaves the italics
				i += run
				continue
			}
		}
		b.WriteString(in[i : i+n])
		i += n
	}
	return b.String()
}

// LinkInline is a link: text is an inline, target an address or a path as the source has it.
// Without a target it is the text alone.
func LinkInline(text, target string) string {
	target = linkDestination(target)
	in := strings.TrimSpace(text)
	switch {
	case target == "":
		return text
	case in == "":
		in = TextInline(target)
	}
	return "[" + escapeBrackets(in) + "](" + target + ")"
}

// ImageInline is a picture by its alternative text, plain, and its address.
func ImageInline(alt, target string) string {
	if target = linkDestination(target); target == "" {
		return TextInline(alt)
	}
	return "![" + escapeBrackets(TextInline(oneLine(alt))) + "](" + target + ")"
}

// linkDestination is a link's target as Markdown reads it.
func linkDestination(s string) string {
	s = strings.TrimSpace(cleanText(s))
	if strings.IndexFunc(s, func(r rune) bool { return strings.ContainsRune(" \n\t()<>\\|`{}&\"'", r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\n', '\t', '(', ')', '<', '>', '\\', '|', '`', '{', '}', '"':
			const hex = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		case '&':
			if b.WriteByte(c); beginsEntity(s[i:]) && i+1 < len(s) {
				b.WriteString("amp;")
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapeBrackets escapes the brackets of a link's text that would end it: all but those of
// links in it and of inline code.
func escapeBrackets(in string) string {
	if !strings.ContainsAny(in, "[]") || containsLinks(in) {
		return in
	}
	var b strings.Builder
	for i := 0; i < len(in); i++ {
		switch c := in[i]; c {
		case '\\':
			b.WriteByte(c)
			if i++; i < len(in) {
				b.WriteByte(in[i])
			}
		case '`':
			n := leadingRun(in[i:], '`')
			end := closingRunLength(in[i+n:], n)
			b.WriteString(in[i : i+n+end])
			i += n + end - 1
		case '[', ']':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// closingRunLength is the length of s up to and with the run of exactly n backticks, or 0.
func closingRunLength(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		r := leadingRun(s[i:], '`')
		if i += r; r == n {
			return i
		}
	}
	return 0
}

// leadingRun is how often c stands at the beginning of s.
func leadingRun(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func longestRun(s string, c byte) int {
	longest := 0
	for i := 0; i < len(s); {
		n := leadingRun(s[i:], c)
		longest = max(longest, n)
		i += max(1, n)
	}
	return longest
}

// cleanText makes s what the text of a page may have: valid, with "\n" as the only line
// end, single blanks, and no control characters.
func cleanText(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c < utf8.RuneSelf && (c >= ' ' && c != 0x7f || c == '\n') && (c != ' ' || i == 0 || s[i-1] != ' ')
	}
	if plain {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s { // invalid bytes are U+FFFD
		switch {
		case r != '\n' && r != '\r' && unicode.IsSpace(r):
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		case r == '\r':
			r = '\n'
		case r == 0:
			r = utf8.RuneError
		case r == 0xfeff || r != '\n' && unicode.IsControl(r):
			continue
		}
		b.WriteRune(r)
		blank = false
	}
	return b.String()
}

// oneLine is clean text on one line, without blanks at its ends.
func oneLine(s string) string { return spacing.Single(cleanText(s)) }

func isSpace(c byte) bool { return c == ' ' || c == '\n' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isPunct(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) }

func wordBefore(s string, i int) bool {
	r, n := utf8.DecodeLastRuneInString(s[:i])
	return n > 0 && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func wordAfter(s string, i int) bool {
	r, n := utf8.DecodeRuneInString(s[i:])
	return n > 0 && (unicode.IsLetter(r) || unicode.IsNumber(r))
}
