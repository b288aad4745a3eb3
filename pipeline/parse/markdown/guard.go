package markdown

import "bytes"

// Limits of goldmark's input, far above what people write. Measured on goldmark 1.8.7:
// 20 000 "[a](" in one paragraph take 2.5 s and 20 000 "*a_ " 1.4 s, both quadratic;
// nested blocks take depth times lines.
const (
	maxDepth      = 40      // nested quotes and list items that one line opens
	maxOpeners    = 3000    // brackets, and emphasis marks, of one paragraph
	guardFromByte = 4 << 10 // shorter paragraphs are not looked at
)

// guard removes markup that would take goldmark quadratic time; the words stay.
type guard struct {
	bytes    int // of the paragraph so far
	brackets int
	marks    int
	warnings []string
	depth    bool // warned
	openers  bool // warned
}

// reset begins a new paragraph.
func (g *guard) reset() { g.bytes, g.brackets, g.marks = 0, 0, 0 }

// line takes the next line of a page and returns the line for goldmark.
func (g *guard) line(line []byte) (safe []byte, changed bool) {
	if out := g.nesting(line); len(out) != len(line) {
		line, changed = out, true
	}
	if b := line[indentBytes(line):]; len(b) > 0 && (b[0] == '|' || listMarker(b) > 0) {
		g.reset() // inline parsing begins anew with each row and item
	}
	g.bytes += len(line)
	if g.bytes < guardFromByte {
		return line, changed
	}
	g.brackets += bytes.Count(line, []byte{'['})
	g.marks += bytes.Count(line, []byte{'*'}) + bytes.Count(line, []byte{'_'}) + bytes.Count(line, []byte{'~'})
	if g.brackets <= maxOpeners && g.marks <= maxOpeners {
		return line, changed
	}
	if !g.openers {
		g.openers = true
		g.warnings = append(g.warnings, "a paragraph has thousands of brackets or emphasis marks; they are read as plain text")
	}
	out := make([]byte, 0, 2*len(line))
	for i, c := range line {
		switch c {
		case '[', '*', '_', '~':
			if i == 0 || line[i-1] != '\\' {
				out = append(out, '\\')
			}
		}
		out = append(out, c)
	}
	return out, true
}

// nesting removes the markers of quotes and lists that are nested deeper than maxDepth.
func (g *guard) nesting(line []byte) []byte {
	depth, i := 0, indentBytes(line)
	for i < len(line) {
		n := 1
		if line[i] != '>' {
			if n = listMarker(line[i:]); n == 0 {
				return line
			}
		}
		if depth++; depth > maxDepth {
			break
		}
		i += n
		i += indentBytes(line[i:])
	}
	if depth <= maxDepth {
		return line
	}
	if !g.depth {
		g.depth = true
		g.warnings = append(g.warnings, "quotes or lists are nested too deeply; the innermost are read as plain text")
	}
	rest := line[i:]
	for len(rest) > 0 {
		n := 1
		if rest[0] != '>' {
			if n = listMarker(rest); n == 0 {
				break
			}
		}
		rest = rest[n:]
		rest = rest[indentBytes(rest):]
	}
	return append(append([]byte{}, line[:i]...), rest...)
}
