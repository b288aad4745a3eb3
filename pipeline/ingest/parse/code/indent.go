package code

import (
	"strings"

	"docent/pipeline/text/pattern"
)

var (
	pythonHead = pattern.Lazy(`^(?:async\s+def|def|class)\s+([\pL_][\pL\pN_]*)`)
	docString  = pattern.Lazy(`^\s*[rRuUbB]{0,2}("""|'''|"|')`)
)

// outlineByIndent reads the outline of Python: a declaration ends where a line begins that is
// indented no further than it.
func outlineByIndent(f *file) []item {
	begins := f.logicalLines()
	type open struct {
		item   *item
		indent int
		class  bool
	}
	root := &item{}
	stack := []open{{item: root, indent: -1, class: true}}
	decorated := -1
	lastCode := 0
	for i, l := range f.mlines {
		if strings.TrimSpace(l) == "" {
			if f.inText[i] {
				lastCode = i
			}
			continue
		}
		if !begins[i] {
			lastCode = i
			continue
		}
		indent := indentOfLine(l)
		for len(stack) > 1 && indent <= stack[len(stack)-1].indent {
			stack[len(stack)-1].item.to = lastCode + 1
			stack = stack[:len(stack)-1]
		}
		lastCode = i
		word := l[indent:]
		if strings.HasPrefix(word, "@") {
			if decorated < 0 {
				decorated = i
			}
			continue
		}
		m := pythonHead().FindStringSubmatch(word)
		top := stack[len(stack)-1]
		from := i
		if decorated >= 0 {
			from = decorated
		}
		decorated = -1
		if m == nil || !top.class || len(stack) > maxDepth {
			continue
		}
		it := item{name: qualified(top.item.name, m[1]), from: from, to: i + 1}
		it.docs = f.docsAbove(from)
		if docs, hide := f.docString(i, begins); docs != nil {
			if len(it.docs) > 0 { // a comment above and a text within: the comment stays code
				it.docs = nil
			}
			it.inner, it.hide = docs, hide
		}
		top.item.items = append(top.item.items, it)
		stack = append(stack, open{item: &top.item.items[len(top.item.items)-1], indent: indent, class: strings.HasPrefix(word, "class")})
	}
	for _, o := range stack[1:] {
		o.item.to = lastCode + 1
	}
	return root.items
}

// logicalLines says of each line whether a statement may begin there: not within
// brackets, strings and lines that go on.
func (f *file) logicalLines() []bool {
	begins := make([]bool, len(f.lines))
	depth, goesOn := 0, false
	for i, l := range f.mlines {
		begins[i] = depth == 0 && !goesOn && !f.inText[i]
		for k := 0; k < len(l); k++ {
			switch l[k] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
			}
		}
		goesOn = strings.HasSuffix(l, `\`)
		// A declaration at the margin cannot stand in brackets: one was not closed.
		if depth > 0 && i+1 < len(f.lines) && pythonHead().MatchString(f.mlines[i+1]) {
			depth = 0
		}
	}
	return begins
}

// docString is the text that stands as the first thing in a declaration whose head begins
// on a line, and the lines that it takes.
func (f *file) docString(head int, begins []bool) ([]docLine, [2]int) {
	for i := head + 1; i < len(f.lines); i++ {
		if strings.TrimSpace(f.mlines[i]) == "" && !f.inText[i] || !begins[i] {
			continue
		}
		return f.docStringAt(i)
	}
	return nil, [2]int{}
}

// docStringAt is the text of a string that is a line's statement.
func (f *file) docStringAt(i int) ([]docLine, [2]int) {
	m := docString().FindStringSubmatchIndex(f.lines[i])
	if m == nil || indentOfLine(f.mlines[i]) >= len(f.mlines[i]) {
		return nil, [2]int{}
	}
	mark := f.lines[i][m[2]:m[3]]
	text := f.lines[i][m[3]:]
	var out []docLine
	for line := i; line < len(f.lines); line++ {
		if line > i {
			text = f.lines[line]
		}
		before, rest, ended := strings.Cut(text, mark)
		out = append(out, docLine{text: before, line: line})
		if !ended {
			if len(mark) == 1 {
				return nil, [2]int{}
			}
			continue
		}
		if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '#' && rest[0] != ';' {
			return nil, [2]int{}
		}
		return removeCommonIndent(out), [2]int{i, line + 1}
	}
	return nil, [2]int{}
}

// removeCommonIndent takes from all lines but the first the blanks that all of them begin with.
func removeCommonIndent(lines []docLine) []docLine {
	least := -1
	for _, l := range lines[1:] {
		if strings.TrimSpace(l.text) != "" && (least < 0 || indentOfLine(l.text) < least) {
			least = indentOfLine(l.text)
		}
	}
	for i := range lines {
		if i == 0 {
			lines[i].text = strings.TrimSpace(lines[i].text)
		} else {
			lines[i].text = strings.TrimRight(lines[i].text[min(max(0, least), len(lines[i].text)):], " \t")
		}
	}
	return lines
}
