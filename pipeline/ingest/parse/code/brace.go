package code

import (
	"sort"
	"strings"

	"docent/pipeline/text/pattern"
)

// outlineByBraces reads the outline of a language whose declarations stand in braces.
//
// A statement is read up to its brace, or its end; its head says what it declares. The
// body of a function is not read.
func outlineByBraces(f *file) []item {
	b := braceReader{f: f, g: &f.lang.grammar, text: f.masked}
	if b.g.directives {
		b.text = withoutDirectives(f.mlines)
	}
	at := 0
	for _, l := range f.mlines {
		b.starts = append(b.starts, at)
		at += len(l) + 1
	}
	b.pairBraces()
	return b.readDeclarations(0, len(b.text), "", 0)
}

// withoutDirectives is masked text without the lines for the preprocessor, and without
// the second branches of its conditions: both branches may open the same brace.
func withoutDirectives(lines []string) string {
	var b strings.Builder
	var otherwise []bool // by open condition: its second branch is read
	hidden, goesOn := 0, false
	for _, l := range lines {
		is := goesOn
		if word := strings.TrimSpace(l); !goesOn && strings.HasPrefix(word, "#") {
			is = true
			switch word = strings.TrimSpace(word[1:]); {
			case strings.HasPrefix(word, "if"):
				otherwise = append(otherwise, false)
			case strings.HasPrefix(word, "el") && len(otherwise) > 0:
				if last := &otherwise[len(otherwise)-1]; !*last {
					*last = true
					hidden++
				}
			case strings.HasPrefix(word, "endif") && len(otherwise) > 0:
				if otherwise[len(otherwise)-1] {
					hidden--
				}
				otherwise = otherwise[:len(otherwise)-1]
			}
		}
		goesOn = is && strings.HasSuffix(l, `\`)
		if is || hidden > 0 {
			b.WriteString(strings.Repeat(" ", len(l)))
		} else {
			b.WriteString(l)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// braceReader reads an outline.
type braceReader struct {
	f      *file
	g      *grammar
	text   string      // masked
	starts []int       // of the lines
	ends   map[int]int // of the braces
	next   int         // the next character behind the last line's end that was looked at
}

// lineOfOffset is the line of an offset.
func (b *braceReader) lineOfOffset(offset int) int {
	return sort.Search(len(b.starts), func(i int) bool { return b.starts[i] > offset }) - 1
}

// pairBraces finds the ends of the braces. One that is not closed ends where a line with as many
// blanks before it begins with a closing one.
func (b *braceReader) pairBraces() {
	b.ends = map[int]int{}
	var open []int
	for i := 0; i < len(b.text); i++ {
		switch b.text[i] {
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				b.ends[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	for _, at := range open[max(0, len(open)-20):] {
		first := b.lineOfOffset(at)
		indent := indentOfLine(b.f.mlines[first])
		for l := first + 1; l < len(b.f.mlines); l++ {
			if line := b.f.mlines[l]; indentOfLine(line) == indent && strings.HasPrefix(line[indent:], "}") {
				b.ends[at] = b.starts[l] + indent
				break
			}
		}
	}
}

// closingBrace is the offset of the brace that closes the one at an offset, to where it has none.
func (b *braceReader) closingBrace(at, to int) int {
	if end, ok := b.ends[at]; ok && end < to {
		return end
	}
	return to
}

// statement is a statement while it is read.
type statement struct {
	start int    // -1: none
	head  string // up to its first brace, "" before
	paren int
	inits bool // members are initialised in braces before its block
}

// readDeclarations reads the declarations between two offsets. inside is the name of the container
// around them.
func (b *braceReader) readDeclarations(from, to int, inside string, depth int) []item {
	var items []item
	s := statement{start: -1}
	emit := func(end int, block bool) {
		if it, ok := b.declarationOf(s, end, inside, block); ok {
			items = append(items, it)
		}
		s = statement{start: -1}
	}
	for i := from; i < to; i++ {
		c := b.text[i]
		switch {
		case c == ' ' || c == '\t':
			continue
		case c == '\n':
			if s.start >= 0 && s.paren == 0 && b.g.lines && b.endsStatementLine(s, i, to) {
				emit(i, false)
			}
			continue
		case c == ';' && s.paren == 0:
			if s.start >= 0 {
				emit(i+1, false)
			}
			continue
		case c == '}':
			s = statement{start: -1}
			continue
		}
		if s.start < 0 {
			s.start = i
		}
		switch c {
		case '(', '[':
			s.paren++
		case ')', ']':
			s.paren = max(0, s.paren-1)
		case '{':
			end := b.closingBrace(i, to)
			if s.paren > 0 || s.head != "" && !s.inits {
				i = end
				continue
			}
			if next := b.characterBehind(end, to); next == ',' || next == '{' || next == '>' && b.g.members {
				s.head, s.inits, i = s.head+" ", true, end // members that are initialised, a type in braces
				continue
			}
			s.head, s.inits = "", false
			it, done := b.readBlock(s, i, end, inside, depth)
			switch {
			case done && it.name != "":
				items = append(items, it)
				s, i = statement{start: -1}, max(end, b.offsetOfLine(it.to)-1)
			case done:
				s, i = statement{start: -1}, end
			default:
				s.head, i = b.text[s.start:i], end
			}
		}
	}
	if s.start >= 0 {
		emit(to, false)
	}
	return items
}

// offsetOfLine is where a line begins.
func (b *braceReader) offsetOfLine(line int) int {
	if line < len(b.starts) {
		return b.starts[line]
	}
	return len(b.text)
}

// readBlock reads a statement that has come to a brace at an offset. done says that it ends
// with the brace's partner.
func (b *braceReader) readBlock(s statement, at, end int, inside string, depth int) (it item, done bool) {
	head := b.text[s.start:at]
	k, name, heading := b.g.declarationOfHead(head, inside, true)
	switch k {
	case nothing:
		return item{}, !strings.Contains(head, "=") || strings.HasSuffix(strings.TrimSpace(head), ")")
	case value:
		return item{}, false
	}
	last := end
	if b.g.directives || b.f.lang.name == "c" { // } name;
		if i := strings.IndexAny(b.text[end:min(len(b.text), end+200)], ";\n"); i >= 0 && b.text[end+i] == ';' {
			last = end + i
			if name == "" && strings.HasPrefix(head, "typedef") {
				name = plainName(strings.Trim(b.text[min(end+1, last):last], " *"))
			}
		}
	}
	it = item{name: qualified(inside, name), heading: heading, from: b.lineOfOffset(s.start),
		to: b.lineOfOffset(min(last, len(b.text)-1)) + 1, unnamed: k == transparent}
	it.docs = b.f.docsAbove(it.from)
	if k == transparent {
		it.items = b.readDeclarations(at+1, end, inside, depth)
		return it, true
	}
	if k == container && depth < maxDepth && name != "" {
		it.items = b.readDeclarations(at+1, end, it.name, depth+1)
	}
	return it, true
}

// characterBehind is the first character behind a brace's end that is not blank.
func (b *braceReader) characterBehind(end, to int) byte {
	for i := end + 1; i < min(to, end+200); i++ {
		if c := b.text[i]; c != ' ' && c != '\n' && c != '\t' {
			return c
		}
	}
	return 0
}

// leastValue is how many lines a value has that is a section without a comment.
const leastValue = 8

// aliases begin names of types.
var aliases = pattern.Lazy(`^(?:[\w()]+\s+){0,3}(?:type|typealias)\s`)

// declarationOf is the declaration of a statement without a block of its own.
func (b *braceReader) declarationOf(s statement, end int, inside string, block bool) (item, bool) {
	head := s.head
	if head == "" {
		head = b.text[s.start:end]
	}
	k, name, heading := b.g.declarationOfHead(strings.TrimSuffix(head, ";"), inside, block)
	it := item{name: qualified(inside, name), heading: heading, from: b.lineOfOffset(s.start), to: b.lineOfOffset(end-1) + 1}
	if k == nothing || k == transparent || name == "" {
		return it, false
	}
	it.docs = b.f.docsAbove(it.from)
	whole := b.text[s.start:end]
	switch k {
	case function:
		if b.g.members && inside != "" && len(it.docs) == 0 {
			return it, false
		}
	case value:
		calls := strings.Contains(head, "=>") || strings.Contains(head, "function") || strings.Contains(head, "class") ||
			aliases().MatchString(whole)
		if inside != "" && !calls || len(it.docs) == 0 && !calls && it.to-it.from < leastValue {
			return it, false
		}
	}
	return it, true
}

func qualified(inside, name string) string {
	switch {
	case name == "":
		return ""
	case inside == "" || strings.HasPrefix(name, inside+"."):
		return name
	}
	return inside + "." + name
}

// continues are words that begin a line which belongs to the one before it.
var continues = lazyWordSet("where extends implements with as in instanceof throws else catch finally by is satisfies")

// endsStatementLine reports whether the end of a line at an offset ends a statement.
func (b *braceReader) endsStatementLine(s statement, at, to int) bool {
	last := at - 1
	for last > s.start && (b.text[last] == ' ' || b.text[last] == '\t') {
		last--
	}
	if c := b.text[last]; strings.IndexByte(",=+-*/&|<:([{?.", c) >= 0 || c == '>' && last > s.start &&
		(b.text[last-1] == '=' || b.text[last-1] == '-') {
		return false
	}
	if b.next <= at {
		for b.next = at + 1; b.next < to && (b.text[b.next] == ' ' || b.text[b.next] == '\n' || b.text[b.next] == '\t'); b.next++ {
		}
	}
	if b.next >= to {
		return true
	}
	if strings.IndexByte(".?:=&|+*/,)]<>{", b.text[b.next]) >= 0 {
		return false
	}
	end := b.next
	for end < to && isWordCharacter(b.text[end]) && end-b.next < 20 {
		end++
	}
	if continues()[b.text[b.next:end]] {
		return false
	}
	// Annotations stand on lines of their own before what they are about.
	return b.text[s.start] != '@' || at-s.start > maxHead || len(withoutNotes(lexemesOf(b.text[s.start:at]))) > 0
}

// docsAbove is what the comment says that ends on the line above one.
func (f *file) docsAbove(line int) []docLine {
	if f.noteEnd == nil {
		f.noteEnd = map[int]int{}
		for i, c := range f.notes {
			if c.own {
				f.noteEnd[c.last] = i
			}
		}
	}
	i, ok := f.noteEnd[line-1]
	if !ok {
		return nil
	}
	first := i
	if !f.notes[i].block {
		for first > 0 && f.notes[first-1].own && !f.notes[first-1].block && f.notes[first-1].last == f.notes[first].first-1 {
			first--
		}
	}
	return f.commentText(first, i)
}

// commentText is the text of some comments that follow each other.
func (f *file) commentText(first, last int) []docLine {
	var out []docLine
	for _, c := range f.notes[first : last+1] {
		text := f.text[c.from:c.to]
		line := c.first
		for l := range strings.SplitSeq(text, "\n") {
			out = append(out, docLine{text: bareComment(l, c, line), line: line})
			line++
		}
	}
	return out
}

// bareComment is a line of a comment without its marks.
func bareComment(l string, c comment, line int) string {
	l = strings.TrimRight(l, " \t")
	if line == c.first {
		l = strings.TrimLeft(l, " \t")
		switch {
		case strings.HasPrefix(l, "/*"), strings.HasPrefix(l, "//"):
			l = strings.TrimLeft(l, "/*!<")
		case strings.HasPrefix(l, "--"):
			l = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(l, "-"), "[["), "-")
		case strings.HasPrefix(l, "=begin"):
			l = ""
		default:
			l = strings.TrimLeft(l, "#!")
		}
		if c.block {
			l = strings.TrimLeft(l, " \t")
		}
	} else if c.block {
		t := strings.TrimLeft(l, " \t")
		if strings.HasPrefix(t, "*") {
			l = strings.TrimPrefix(t, "*")
		} else if t == "=end" {
			l = ""
		}
	}
	if c.block && line == c.last {
		l = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(l, "*/"), "/"), "]]"), "* \t")
	}
	return strings.TrimPrefix(l, " ")
}

func indentOfLine(line string) int {
	return len(line) - len(strings.TrimLeft(line, " \t"))
}
