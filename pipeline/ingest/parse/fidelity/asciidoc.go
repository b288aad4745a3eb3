package fidelity

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// asciiText is a page of AsciiDoc while it is read.
type asciiText struct {
	t          *tally
	comment    bool   // in a block of comments
	fence      string // the line that ends a block of code
	conditions int    // how deep it lies in conditions
	entry      bool   // the value of an attribute goes on in the next line
	before     int    // the characters of the line before, 0 unless it is text
}

// scanAsciiDoc takes the words of AsciiDoc: without comments, attributes, the lists of
// attributes of blocks, targets of macros, and text in conditions.
func scanAsciiDoc(t *tally, src []byte) {
	a := &asciiText{t: t}
	eachLine(src, func(line []byte) {
		line = bytes.TrimRight(line, " \t")
		title := a.isUnderline(line)
		if a.before = 0; !title {
			a.readLine(line)
		}
		t.endWord()
	})
}

func (a *asciiText) readLine(line []byte) {
	switch {
	case a.comment:
		a.comment = !isFence(line, '/')
		return
	case isFence(line, '/') && a.fence == "":
		a.comment = true
		return
	case a.readCondition(line) || a.conditions > 0:
		return
	case a.fence != "":
		if string(line) == a.fence {
			a.fence = ""
		} else if !isDirective(line, "include::") {
			a.addCode(line)
		}
		return
	case isFence(line, '-') || isFence(line, '.') || isFence(line, '+') || bytes.HasPrefix(line, []byte("```")):
		if a.fence = string(line); line[0] == '`' {
			a.fence = "```"
		}
		return
	case bytes.HasPrefix(line, []byte("//")), isDirective(line, "include::"):
		return
	case a.entry || isAttributeEntry(line):
		a.entry = bytes.HasSuffix(line, []byte{'\\'})
		return
	case isBlockAttributes(line), isBlockMacro(line):
		return
	}
	a.before = utf8.RuneCount(line)
	a.addInline(line)
}

// isUnderline reports whether a line makes a title of the one before: a run of one
// character that is about as long.
func (a *asciiText) isUnderline(line []byte) bool {
	const marks, slack = "=-~^+.", 2
	return a.before > 0 && len(line) >= 2 && a.before-slack <= len(line) && len(line) <= a.before+slack &&
		strings.IndexByte(marks, line[0]) >= 0 && len(bytes.Trim(line, string(rune(line[0])))) == 0
}

// readCondition reads a line that begins or ends a condition.
func (a *asciiText) readCondition(line []byte) bool {
	begins := isDirective(line, "ifdef::") || isDirective(line, "ifndef::")
	switch {
	case begins && bytes.HasSuffix(line, []byte("[]")), isDirective(line, "ifeval::"):
		a.conditions++
	case isDirective(line, "endif::"):
		a.conditions = max(0, a.conditions-1)
	case !begins:
		return false
	}
	return true
}

func isDirective(line []byte, name string) bool { return bytes.HasPrefix(line, []byte(name)) }

// isFence reports whether a line is a run of at least four of a character.
func isFence(line []byte, c byte) bool {
	return len(line) >= 4 && len(bytes.Trim(line, string(rune(c)))) == 0
}

// isAttributeEntry reports whether a line sets an attribute: ":name: value".
func isAttributeEntry(line []byte) bool {
	if len(line) < 3 || line[0] != ':' {
		return false
	}
	end := bytes.IndexByte(line[1:], ':')
	return end > 0 && bytes.IndexByte(line[1:1+end], ' ') < 0
}

// isBlockAttributes reports whether a line is the attributes of a block, or its anchor.
func isBlockAttributes(line []byte) bool {
	return len(line) > 2 && line[0] == '[' && line[len(line)-1] == ']' && line[1] != ' '
}

// isBlockMacro reports whether a line is a macro such as "image::a.png[]".
func isBlockMacro(line []byte) bool {
	i := bytes.Index(line, []byte("::"))
	return i > 0 && line[len(line)-1] == ']' && i+2 < len(line) && line[i+2] != ' ' &&
		bytes.IndexFunc(line[:i], func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// addCode adds a line of code without the numbers of its callouts.
func (a *asciiText) addCode(line []byte) { a.t.addText(line) }

// hiddenMacros are the macros of which nothing is shown.
var hiddenMacros = []string{"image", "icon", "indexterm", "anchor", "ifdef", "bibitem", "counter2"}

// titledMacros are those whose target is not shown where they have a text.
var titledMacros = []string{"link", "xref", "mailto", "http", "https", "ftp", "irc", "pass", "stem", "latexmath", "asciimath"}

// addInline adds a line with its inline markup.
func (a *asciiText) addInline(line []byte) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch c := line[i]; {
		case c == '<' && bytes.HasPrefix(rest, []byte("<<")):
			i += a.addReference(rest)
		case c == '(' && bytes.HasPrefix(rest, []byte("(((")):
			i += lengthBehind(rest, ")))")
		case c == '[' && bytes.HasPrefix(rest, []byte("[[")):
			i += lengthBehind(rest, "]]")
		case c == '{':
			i += attributeLength(rest)
			a.t.endWord()
		case c == '|':
			a.t.endWord()
			i++
		case (i == 0 || !isWordByte(line[i-1])) && cellSpecLength(rest) > 0:
			a.t.endWord()
			i += cellSpecLength(rest)
		case c == '[' && (i == 0 || !isWordByte(line[i-1])) && roleLength(rest) > 0:
			i += roleLength(rest)
		case c == '&' && bytes.HasPrefix(rest, []byte("&#")):
			a.t.endWord()
			i += max(2, entityLength(rest))
		case isLetterByte(c) && (i == 0 || !isWordByte(line[i-1])):
			i += a.addMacro(rest)
		default:
			_, size := utf8.DecodeRune(rest)
			a.t.addText(rest[:size])
			i += size
		}
	}
}

// cellSpecLength is the length of the specification of a cell with its sign, "a|" or
// "2+^h|"; 0 for other text.
func cellSpecLength(rest []byte) int {
	i, most := 0, min(len(rest), mostCellSpec)
	for i < most && bytes.IndexByte([]byte("0123456789.+*<^>"), rest[i]) >= 0 {
		i++
	}
	if i < most && bytes.IndexByte([]byte("adehlmsv"), rest[i]) >= 0 {
		i++
	}
	if i == 0 || i >= len(rest) || rest[i] != '|' {
		return 0
	}
	if i > 0 && rest[i-1] >= '0' && rest[i-1] <= '9' {
		return 0 // a cell that is a number
	}
	return i + 1
}

const mostCellSpec = 12

// roleLength is the length of a role before marked text, "[.path]" of "[.path]*oil*"; 0 for other brackets.
func roleLength(rest []byte) int {
	for i := 1; i < min(len(rest), mostMarkup); i++ {
		switch c := rest[i]; {
		case c == ']':
			if i+1 < len(rest) && bytes.IndexByte([]byte("*_`+#"), rest[i+1]) >= 0 {
				return i + 1
			}
			return 0
		case !isWordByte(c) && bytes.IndexByte([]byte("._#%:=\", -"), c) < 0:
			return 0
		}
	}
	return 0
}

// entityLength is the length of a character by its number, "&#8212;"; 0 for other text.
func entityLength(rest []byte) int {
	i := bytes.IndexByte(rest[:min(len(rest), mostCellSpec)], ';')
	if i < 0 || bytes.IndexFunc(rest[2:i], func(r rune) bool { return !isWordByte(byte(r)) }) >= 0 {
		return 0
	}
	return i + 1
}

// lengthBehind is the length of a text up to the end of a mark, 1 where it is missing.
func lengthBehind(text []byte, mark string) int {
	i := bytes.Index(text[:min(len(text), mostMarkup)], []byte(mark))
	if i < 0 {
		return 1
	}
	return i + len(mark)
}

// attributeLength is the length of a reference to an attribute, "{name}"; 1 for another brace.
func attributeLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '}' && i > 1:
			return i + 1
		case !isWordByte(c) && c != '-' && c != '_' && c != ':':
			return 1
		}
	}
	return 1
}

// addReference adds the text of a reference, "<<id,text>>", and returns its length.
func (a *asciiText) addReference(rest []byte) int {
	end := bytes.Index(rest[:min(len(rest), mostMarkup)], []byte(">>"))
	if end < 0 {
		a.t.endWord()
		return 2
	}
	if _, text, titled := bytes.Cut(rest[2:end], []byte{','}); titled {
		a.t.addText(text)
	}
	a.t.endWord()
	return end + 2
}

// addMacro adds a word, or the text of a macro "name:target[text]", and returns its length.
func (a *asciiText) addMacro(rest []byte) int {
	end := 1
	for end < len(rest) && (isWordByte(rest[end]) || rest[end] == '_') {
		end++
	}
	name := string(rest[:end])
	if name == "image" && bytes.HasPrefix(rest[end:], []byte("::")) {
		end++ // a block in a cell
	}
	if end+1 >= len(rest) || rest[end] != ':' || isBlank(rest[end+1]) || rest[end+1] == ':' {
		a.t.addText(rest[:end])
		return end
	}
	rest = rest[:min(len(rest), end+mostMarkup)]
	open := bytes.IndexAny(rest[end:], " \t[")
	if open < 0 || rest[end+open] != '[' {
		a.t.addText(rest[:end])
		return end
	}
	open += end
	close := bytes.IndexByte(rest[open:], ']')
	if close < 0 {
		a.t.addText(rest[:end])
		return end
	}
	target, text := rest[end+1:open], rest[open+1:open+close]
	switch {
	case slices.Contains(hiddenMacros, name):
		text = nil
	case slices.Contains(titledMacros, name):
		if len(text) == 0 {
			text = target
		}
		text, _, _ = bytes.Cut(text, []byte(",window="))
		text, _, _ = bytes.Cut(text, []byte(",role="))
		text = bytes.TrimSuffix(text, []byte{'^'})
	default:
		a.t.addText(target)
		a.t.endWord()
	}
	a.t.endWord()
	a.t.addText(text)
	a.t.endWord()
	return open + close + 1
}
