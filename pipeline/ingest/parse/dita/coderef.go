package dita

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// maxCode is the most bytes of code that one reference takes.
const maxCode = 256 << 10

// textOfCodeFile is the text of a file that a block of code takes in: whole, by its lines
// (#line-range(5,10)), or between two marks (#token=begin,end).
func (p *page) textOfCodeFile(n *node) string {
	href := n.attribute("href")
	from := n.file
	if ref := n.attribute("keyref"); ref != "" {
		name, _, _ := strings.Cut(ref, "/")
		if k, err := p.s.keys.findKey(name); err == nil && k.href != "" {
			from, href = k.file, k.href
		}
	}
	if isRemote(href) || href == "" {
		return "[" + href + "]"
	}
	target, fragment := resolveReference(from, href)
	src, err := p.library.readRaw(target)
	if err != nil {
		p.unresolved(n.line, err, "the code %s is not shown", target)
		return "[" + href + "]"
	}
	text, _ := toUTF8(src)
	text = linesOf(text, fragment)
	if p.s.left -= len(text); p.s.left < 0 || len(text) > maxCode {
		p.warnOnce(fmt.Sprintf("line %d: the code %s is too long to be shown", n.line, target), nil)
		return "[" + href + "]"
	}
	return string(bytes.TrimRight(text, "\n"))
}

// linesOf are the lines of a text that a fragment asks for.
func linesOf(text []byte, fragment string) []byte {
	lines := bytes.SplitAfter(text, []byte{'\n'})
	from, to := 0, len(lines)
	switch kind, rest, _ := strings.Cut(fragment, "("); {
	case kind == "line-range":
		a, b, two := strings.Cut(strings.TrimSuffix(rest, ")"), ",")
		if n, err := strconv.Atoi(strings.TrimSpace(a)); err == nil {
			from = n - 1
		}
		if n, err := strconv.Atoi(strings.TrimSpace(b)); two && err == nil {
			to = n
		}
	case strings.HasPrefix(fragment, "token=") || strings.HasPrefix(fragment, "line="):
		kind, rest, _ := strings.Cut(fragment, "=")
		a, b, _ := strings.Cut(rest, ",")
		if kind == "line" {
			if n, err := strconv.Atoi(a); err == nil {
				from = n
			}
			if n, err := strconv.Atoi(b); err == nil {
				to = n
			}
			break
		}
		for i, l := range lines {
			if a != "" && bytes.Contains(l, []byte(a)) {
				from, a = i+1, ""
			} else if a == "" && b != "" && i > from && bytes.Contains(l, []byte(b)) {
				to = i
				break
			}
		}
	}
	from = min(max(0, from), len(lines))
	to = max(from, min(to, len(lines)))
	return bytes.Join(lines[from:to], nil)
}
