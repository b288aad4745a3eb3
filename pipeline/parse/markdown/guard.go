package markdown

import "bytes"

// Limits on what goldmark is given. Measured on goldmark 1.8.7: 20 000 "[a]("
// in one paragraph take 2.5 s and 20 000 "*a_ " 1.4 s, both quadratic; block
// nesting costs depth times lines. All three are far over what people write.
const (
	maxDepth      = 40      // nested quotes and list items that one line opens
	maxOpeners    = 3000    // brackets, and emphasis marks, of one paragraph
	guardFromByte = 4 << 10 // shorter paragraphs are not looked at
)

// guard defuses paragraphs and nestings that would take goldmark quadratic
// time; their words stay.
type guard struct {
	bytes    int // of the paragraph so far
	brackets int
	marks    int
	warnings []string
	depth    bool // warned
	openers  bool // warned
}

// reset says that a paragraph ends.
func (g *guard) reset() { g.bytes, g.brackets, g.marks = 0, 0, 0 }

// line takes the next line of a page and returns what goldmark may see of it.
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

// nesting takes away the markers of quotes and lists beyond maxDepth.
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
