package dialect

import "bytes"

// mostTemplateCode is how many lines the code of a component may have.
const mostTemplateCode = 500

// templateCode shapes the code of a component of Docusaurus that has it in a template of JavaScript: the first line
// begins with {` and the last one ends with `}. The shape has a fence in place of the tags. It was a paragraph of one
// piece, in which comments of a shell were headings.
func (s fences) templateCode(i, from int, t Tag) int {
	if from > s.lines[i+1] || !IsBlank(s.in[from:s.lines[i+1]]) {
		return i
	}
	first, last := i+1, i+1
	for ; last < len(s.lines)-1 && last-i <= mostTemplateCode; last++ {
		if bytes.HasPrefix(bytes.TrimSpace(s.lineAt(last)), []byte("</CodeBlock>")) {
			break
		}
	}
	if last >= len(s.lines)-1 || last-i > mostTemplateCode || first == last {
		return i
	}
	opening := bytes.TrimSpace(s.lineAt(first))
	ending := bytes.TrimSpace(s.lineAt(last - 1))
	if !bytes.HasPrefix(opening, []byte("{`")) || !bytes.HasSuffix(ending, []byte("`}")) || first == last-1 && len(opening) < 4 {
		return i
	}
	fence, indent := []byte("~~~~~~~~"), s.indent()
	s.emitParts(i, indent, fence, []byte(t.Attribute("language")))
	for k := first; k < last; k++ {
		line := s.lineAt(k)
		if k == first {
			line = opening[2:]
		}
		if k == last-1 {
			line = bytes.TrimSuffix(bytes.TrimRight(line, " \t\r"), []byte("`}"))
		}
		s.keepLine(k, line, k == first || k == last-1)
	}
	s.emitParts(last, indent, fence)
	s.apart = true
	return last + 1
}
