package po

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"docent/pipeline/ingest/parse/decode"
)

// reference is a place that a message was taken from.
type reference struct {
	file string
	line int // 0: unknown
}

// message is a text and its translation.
type message struct {
	id, plural string
	texts      []string // translations: one, or one for each number of things
	refs       []reference
	line       int // of the catalog, where the message begins
	fuzzy      bool
	format     bool // it is a format of a program's: "%d lamps"
}

// isTranslated reports whether the catalog has a translation that a person agreed to.
func (m *message) isTranslated() bool {
	return !m.fuzzy && len(m.texts) > 0 && strings.TrimSpace(m.texts[0]) != ""
}

// catalog is a file of messages.
type catalog struct {
	messages []*message
	broken   int // the first line that no catalog has, 0: all lines are right
}

// readCatalog reads a catalog.
func readCatalog(text string) *catalog {
	r := &reader{c: &catalog{}, m: &message{}}
	n := 0
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		n++
		r.readLine(strings.TrimSpace(line), n)
	}
	r.endMessage()
	return r.c
}

// reader reads the lines of a catalog.
type reader struct {
	c *catalog
	m *message
	// into collects the strings of the keyword that was read last, which setText takes.
	into    strings.Builder
	keyword string
	begun   bool // the message has a msgid
}

func (r *reader) readLine(line string, n int) {
	switch {
	case line == "":
	case strings.HasPrefix(line, "#"):
		if r.begun {
			r.endMessage()
		}
		r.readComment(line)
	case strings.HasPrefix(line, `"`):
		r.addString(line)
	default:
		keyword, value, ok := cutKeyword(line)
		if !ok {
			if r.c.broken == 0 {
				r.c.broken = n
			}
			return
		}
		r.setText()
		if r.begun && (keyword == "msgctxt" || keyword == "msgid") {
			r.endMessage()
		}
		if keyword == "msgid" {
			r.begun, r.m.line = true, n
		}
		r.keyword = keyword
		r.addString(value)
	}
}

// cutKeyword cuts a line into its keyword and the string behind it.
func cutKeyword(line string) (keyword, value string, ok bool) {
	for _, k := range []string{"msgctxt", "msgid_plural", "msgid", "msgstr"} {
		rest, found := strings.CutPrefix(line, k)
		if !found {
			continue
		}
		if k == "msgstr" && strings.HasPrefix(rest, "[") {
			if end := strings.IndexByte(rest, ']'); end > 0 {
				rest = rest[end+1:]
			}
		}
		value = strings.TrimSpace(rest)
		return k, value, strings.HasPrefix(value, `"`)
	}
	return "", "", false
}

// readComment reads the places and the flags of the next message.
func (r *reader) readComment(line string) {
	switch {
	case strings.HasPrefix(line, "#:"):
		r.m.refs = appendReferences(r.m.refs, line[2:])
	case strings.HasPrefix(line, "#,"):
		for flag := range strings.SplitSeq(line[2:], ",") {
			flag = strings.TrimSpace(flag)
			r.m.fuzzy = r.m.fuzzy || flag == "fuzzy"
			r.m.format = r.m.format || strings.HasSuffix(flag, "-format") && !strings.HasPrefix(flag, "no-")
		}
	}
}

// addString adds a quoted string to the text that is being read. One that is not closed ends
// with its line.
func (r *reader) addString(quoted string) {
	if r.keyword != "" {
		unescape(&r.into, quoted[1:])
	}
}

// setText gives the message the text that was read.
func (r *reader) setText() {
	text := r.into.String()
	r.into.Reset()
	switch r.keyword {
	case "msgid":
		r.m.id = text
	case "msgid_plural":
		r.m.plural = text
	case "msgstr":
		r.m.texts = append(r.m.texts, text)
	}
	r.keyword = ""
}

func (r *reader) endMessage() {
	r.setText()
	if r.begun && strings.TrimSpace(r.m.id) != "" { // that without a text is the header
		r.c.messages = append(r.c.messages, r.m)
	}
	r.m, r.begun = &message{}, false
}

// escapes are the characters that a backslash stands before; other control characters are no
// text.
var escapes = strings.NewReplacer("n", "\n", "t", "\t", "r", "", "a", "", "b", "", "f", "", "v", "")

// unescape adds a string up to the quote that closes it.
func unescape(b *strings.Builder, s string) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"':
			return
		case c == '\\' && i+1 < len(s):
			i += 1 + addEscape(b, s[i+1:])
		case c < ' ' && c != '\t' || c == 0x7f:
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
}

// addEscape adds the character of an escape sequence and gives its length without the
// backslash.
func addEscape(b *strings.Builder, s string) int {
	size, base := 0, 8
	for size < 3 && size < len(s) && s[size] >= '0' && s[size] <= '7' {
		size++
	}
	digits := s[:size]
	if s[0] == 'x' {
		for size = 1; size < 3 && size < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[size]) >= 0; {
			size++
		}
		base, digits = 16, s[1:size]
	}
	if size == 0 {
		_, n := utf8.DecodeRuneInString(s)
		escapes.WriteString(b, s[:n])
		return n
	}
	if v, err := strconv.ParseUint(digits, base, 8); err == nil && v >= ' ' && v != 0x7f {
		b.WriteRune(rune(v))
	}
	return size
}

const mostReferences = 1000 // of a message

// docstring stands for the text of a program that autodoc of Sphinx puts into a page.
const docstring = "docstring"

// appendReferences adds the places that a line of references names. A name with blanks stands
// between U+2068 and U+2069. Sphinx writes "a.py:docstring of lamp.trim:1" or
// "lamp.trim:1 of" for the documentation in a program.
func appendReferences(refs []reference, line string) []reference {
	if trimmed := strings.TrimSpace(line); strings.Contains(trimmed, "docstring of ") || strings.HasSuffix(trimmed, " of") {
		return append(refs, reference{file: docstring})
	}
	for len(refs) < mostReferences {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			break
		}
		var name string
		if after, ok := strings.CutPrefix(line, "\u2068"); ok {
			file, rest, _ := strings.Cut(after, "\u2069")
			number, rest, _ := strings.Cut(rest, " ")
			name, line = file+number, rest
		} else if end := strings.IndexAny(line, " \t"); end >= 0 {
			name, line = line[:end], line[end:]
		} else {
			name, line = line, ""
		}
		ref := reference{file: name}
		if i := strings.LastIndexByte(name, ':'); i > 0 {
			if n, err := strconv.Atoi(name[i+1:]); err == nil {
				ref = reference{name[:i], max(n, 0)}
			}
		}
		refs = append(refs, ref)
	}
	return refs
}

// toUTF8 is a catalog as text: UTF-8 where it is that, whatever its header says, else what the
// header says. whole reports whether all of it could be decoded.
func toUTF8(src []byte) (text string, whole bool) {
	if wide, _, ok := decode.DecodeUTF16(src); ok {
		return string(wide), true
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if utf8.Valid(src) {
		return string(src), true
	}
	head := string(src[:min(len(src), 64<<10)])
	if _, after, ok := strings.Cut(head, "charset="); ok {
		name := after
		if end := strings.IndexFunc(after, func(r rune) bool {
			return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}); end >= 0 {
			name = after[:end]
		}
		if e, n := charset.Lookup(name); e != nil && n != "utf-8" && n != "replacement" {
			if out, err := e.NewDecoder().Bytes(src); err == nil && utf8.Valid(out) {
				return string(out), true
			}
		}
	}
	return strings.ToValidUTF8(string(src), "\uFFFD"), false
}
