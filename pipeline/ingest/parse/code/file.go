package code

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// file is a source file while it is read. Lines are counted from 0.
type file struct {
	lang     *language
	text     string // UTF-8 without a byte order mark, "\n" as line end
	lines    []string
	warnings []string
	about    []docLine // what a file of Go says of its package
	licence  []docLine

	masked  string    // text with comments and the insides of strings as blanks
	mlines  []string  // its lines
	notes   []comment // the comments, in order
	inText  []bool    // by line: it begins within a string
	noteEnd map[int]int
}

// comment is a comment of a file.
type comment struct {
	from, to    int // offsets in the text
	first, last int // lines
	own         bool
	block       bool // with an end of its own: /* */
}

// item is a declaration.
type item struct {
	name     string // "Backoff.Next", also the anchor
	heading  string // "" for name
	from, to int    // its lines, to behind the last; with annotations, without the comment
	docs     []docLine
	items    []item
	unnamed  bool      // its declarations stand in the container around it: a namespace
	inner    []docLine // what a string in it says
	hide     [2]int    // the lines of that string
}

// docLine is a line of a comment without its marks.
type docLine struct {
	text string
	line int
}

// firstLine is the first line of a declaration and its comment.
func (i *item) firstLine() int {
	if len(i.docs) > 0 {
		return min(i.from, i.docs[0].line)
	}
	return i.from
}

func newFile(src []byte, lang *language) *file {
	f := &file{lang: lang}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if !utf8.Valid(src) {
		src = bytes.ToValidUTF8(src, []byte("\uFFFD"))
		f.warnings = append(f.warnings, "not all of it is UTF-8")
	}
	if bytes.IndexByte(src, 0) >= 0 {
		src = bytes.ReplaceAll(src, []byte{0}, []byte("\uFFFD"))
		f.warnings = append(f.warnings, "it has NUL bytes: it may be damaged")
	}
	f.text = string(src)
	if strings.Contains(f.text, "\r") {
		f.text = strings.ReplaceAll(f.text, "\r\n", "\n")
		f.text = strings.ReplaceAll(f.text, "\r", " ")
	}
	f.lines = strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
	return f
}

func (f *file) warnAbout(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

// outlineOfFile finds the file's declarations.
func (f *file) outlineOfFile() []item {
	if f.lang.outline == nil {
		return f.goOutline()
	}
	f.maskText()
	return f.declarationsInOrder(f.lang.outline(f), 0, len(f.lines), 0)
}

// declarationsInOrder keeps of declarations those that stand within some lines one behind the other,
// and lifts those of a namespace into its container.
func (f *file) declarationsInOrder(items []item, from, to, depth int) []item {
	var kept []item
	for _, it := range items {
		if it.unnamed {
			inner := f.declarationsInOrder(it.items, max(from, it.from), min(to, it.to), depth)
			kept = append(kept, inner...)
			if len(inner) > 0 {
				from = inner[len(inner)-1].to
			}
			continue
		}
		for len(it.docs) > 0 && it.docs[0].line < from {
			it.docs = it.docs[1:]
		}
		if it.from < from || it.to > to || it.to <= it.from || it.name == "" {
			continue
		}
		if it.items = f.declarationsInOrder(it.items, it.from+1, it.to, depth+1); depth >= maxDepth {
			it.items = nil
		}
		from = it.to
		kept = append(kept, it)
	}
	return kept
}

// maxDepth is how deep declarations may stand in each other.
const maxDepth = 8
