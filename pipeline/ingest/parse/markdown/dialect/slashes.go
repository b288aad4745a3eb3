package dialect

import (
	"bytes"
	"strings"

	"docent/store/doc"
)

// slashes takes a line of a block of PyMdown, "/// note | Title", or its end, "///"; body begins with "/".
func (s fences) slashes(i int, body []byte, cols int) int {
	rest := bytes.TrimLeft(body, "/")
	run := string(body[:len(body)-len(rest)])
	if rest = bytes.TrimSpace(rest); len(run) < 3 || len(run) > 12 {
		return i
	}
	if len(rest) == 0 {
		if !s.popFrame(run, i) {
			return i
		}
		s.breakLine(i)
		return i + 1
	}
	head, title, _ := bytes.Cut(rest, []byte{'|'})
	name := string(bytes.TrimSpace(head))
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }) ||
		s.closers.lastOf("\n"+run+"\n") < s.lines[i] && !bytes.HasSuffix(s.in, []byte("\n"+run)) {
		return i
	}
	f := frame{name: run, line: i, list: s.list, indent: -1}
	if is, warns := Admonition(name, ""); is {
		f.kind, f.warning = doc.Admonition, warns
	}
	s.titleLine(i, string(bytes.TrimSpace(title)))
	s.pushFrame(f, i, cols)
	return i + 1
}
