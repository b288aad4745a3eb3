package build

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/spacing"
)

// escapeLineStart escapes the beginning of a paragraph's line that Markdown, or a dialect, would
// read as another block. margin says that it is the first line of a paragraph at the
// page's margin, first that it is the page's first line.
func escapeLineStart(line string, margin, first bool) string {
	switch c := line[0]; c {
	case '#':
		if n := leadingRun(line, '#'); n <= 6 && (n == len(line) || line[n] == ' ') {
			return `\` + line
		}
	case '>', '=':
		if c == '>' || strings.Trim(line, "= ") == "" || strings.HasPrefix(line, "===") {
			return `\` + line
		}
	case '-', '+', '*', '_', '|', ':':
		switch {
		case c != '_' && c != '|' && c != ':' && (len(line) == 1 || line[1] == ' '): // an item
			return `\` + line
		case first && c == '+' && strings.HasPrefix(line, "+++"): // front matter
			return `\` + line
		case strings.Trim(line, "-:| ") == "" || looksLikeRule(line): // an underline, a table's second line, a rule
			return `\` + line
		case strings.HasPrefix(line, ":::"):
			return `\` + line
		}
	case '!', '?':
		if strings.HasPrefix(line, "!!! ") || strings.HasPrefix(line, "???") {
			return `\` + line
		}
	case '{':
		if len(line) > 1 && strings.IndexByte("%/", line[1]) >= 0 {
			return `\` + line
		}
	case '[':
		if len(line) > 2 && strings.IndexByte(" xX", line[1]) >= 0 { // a task's box, unless it is a link
			if rest, ok := strings.CutPrefix(strings.TrimPrefix(line[2:], `\`), "]"); ok && !strings.HasPrefix(rest, "(") {
				return `\` + line
			}
		}
	case 'i', 'e':
		if margin && looksLikeModule(line) {
			return "&#" + strconv.Itoa(int(c)) + ";" + line[1:]
		}
	default:
		if n := digitCount(line); n > 0 && n < len(line) && (line[n] == '.' || line[n] == ')') && (n+1 == len(line) || line[n+1] == ' ') {
			return line[:n] + `\` + line[n:]
		}
	}
	return line
}

// looksLikeModule reports whether a line may be read as JavaScript, as in MDX.
func looksLikeModule(line string) bool {
	if rest, ok := strings.CutPrefix(line, "import "); ok {
		return strings.ContainsAny(rest, `"'{`)
	}
	rest, ok := strings.CutPrefix(line, "export ")
	if !ok || !strings.ContainsAny(rest, "={(*") && !strings.HasPrefix(rest, "default ") {
		return false
	}
	word, _, _ := strings.Cut(rest, " ")
	switch word {
	case "const", "let", "var", "function", "async", "default", "class", "interface", "type", "enum", "*":
		return true
	}
	return strings.HasPrefix(rest, "{") // else a variable of a shell
}

func digitCount(s string) int {
	n := 0
	for n < len(s) && n < 10 && isDigit(s[n]) {
		n++
	}
	return n
}

func looksLikeRule(line string) bool {
	return strings.Trim(line, line[:1]+" ") == "" && strings.Count(line, line[:1]) >= 3
}

// unescapeEnd takes the backslash from a "!" or "]" at the end of a line: nothing can
// follow there that makes markup of it. linked says that the block has links, whose
// texts a "]" may end.
func unescapeEnd(line string, linked bool) string {
	n := len(line)
	if n < 2 || line[n-1] != '!' && (line[n-1] != ']' || linked) {
		return line
	}
	if trailingBackslashes(line[:n-1])%2 == 0 {
		return line
	}
	return line[:n-2] + line[n-1:]
}

// containsLinks reports whether an inline has links.
func containsLinks(inline string) bool {
	for from := 0; ; {
		n := strings.Index(inline[from:], "](")
		if n < 0 {
			return false
		}
		if trailingBackslashes(inline[:from+n])%2 == 0 {
			return true
		}
		from += n + 2
	}
}

// trailingBackslashes is the number of backslashes at the end of s.
func trailingBackslashes(s string) int { return len(s) - len(strings.TrimRight(s, `\`)) }

// headingText is an inline on one line, without what would end the heading or be read
// as its anchor.
func headingText(inline string) string {
	s := spacing.Single(withBreaksReplaced(inline, " "))
	s = unescapeEnd(s, containsLinks(s))
	if body := strings.TrimRight(s, "#"); len(body) < len(s) && (body == "" || strings.HasSuffix(body, " ")) {
		s = body + `\` + s[len(body):]
	}
	if at := strings.LastIndex(s, "{"); at >= 0 && strings.HasSuffix(s, "}") && listBegin().MatchString(s[at:]) {
		list := s[at+1:]
		if strings.IndexByte("#.", list[0]) >= 0 { // an escape is gone where the text of a heading is looked at
			list = " " + list
		}
		if s = s[:at]; trailingBackslashes(s)%2 == 0 {
			s += `\`
		}
		s += "{" + list
	}
	return s
}

// withBreaksReplaced is an inline with something else in place of each Break.
func withBreaksReplaced(inline, with string) string {
	var b strings.Builder
	for {
		n := strings.Index(inline, Break)
		if n < 0 {
			b.WriteString(inline)
			return b.String()
		}
		if trailingBackslashes(inline[:n])%2 == 0 {
			b.WriteString(inline[:n] + with)
		} else { // the end of an escaped backslash
			b.WriteString(inline[:n+len(Break)])
		}
		inline = inline[n+len(Break):]
	}
}

// mostFilled is up to how many cells short rows are filled: a wide row and many short
// ones would take space out of proportion to the input.
const mostFilled = 64

// tableRow is a line of a table.
func tableRow(cells []string, columns int) string {
	var b strings.Builder
	b.WriteByte('|')
	for i := range max(len(cells), min(columns, mostFilled)) {
		b.WriteByte(' ')
		if i < len(cells) {
			b.WriteString(tableCell(cells[i]))
			b.WriteByte(' ')
		}
		b.WriteByte('|')
	}
	return b.String()
}

// tableCell is an inline as a table's cell: on one line, its pipes escaped.
func tableCell(inline string) string {
	inline = withBreaksReplaced(strings.Trim(inline, " \n\t"), "<br>")
	inline = unescapeEnd(spacing.Single(inline), containsLinks(inline))
	if !strings.Contains(inline, "|") {
		return inline
	}
	var b strings.Builder
	slashes := 0
	for i := range len(inline) {
		c := inline[i]
		if c == '|' && slashes%2 == 0 {
			b.WriteByte('\\')
		}
		if slashes++; c != '\\' {
			slashes = 0
		}
		b.WriteByte(c)
	}
	return b.String()
}

// codeText is the text of a code block: valid, with "\n" as line ends and without
// control characters but tabs.
func codeText(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\f' || r == '\v':
			return ' '
		case r == 0:
			return utf8.RuneError
		case r == 0xfeff || r != '\n' && r != '\t' && unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}

// fenceLanguage is a name that may follow a fence.
func fenceLanguage(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 40 || strings.IndexFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !isLetter(byte(r)) && !isDigit(byte(r)) && !strings.ContainsRune("+-_#./", r)
	}) >= 0 {
		return ""
	}
	return s
}

// cleanAnchor is the source's name of a place, "" where it cannot be one.
func cleanAnchor(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "#")
	if len(s) > maxAnchor || !utf8.ValidString(s) ||
		strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) >= 0 {
		return ""
	}
	return s
}

// capitalized is s with a capital letter at its beginning.
func capitalized(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
