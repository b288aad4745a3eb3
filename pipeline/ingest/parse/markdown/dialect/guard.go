package dialect

import "bytes"

// Limits of goldmark's input, far above what people write. Measured on goldmark 1.8.7:
// 20 000 "[a](" in one paragraph of 80 kB take 2.5 s and 20 000 "*a_ " 1.4 s, both
// quadratic; nested blocks take depth times lines.
const (
	maxDepth  = 40  // nested quotes and list items that one line opens
	maxIndent = 120 // columns that a line in a list or quote is indented by; four of them nest once
	// maxWork and maxWorkByte bound, for a page, the sum of the unmatched marks of its
	// paragraphs times their bytes: 1e9 of them take goldmark about 1.5 s.
	maxWork, maxWorkByte = 200_000_000, 130
	guardFromByte        = 1 << 10 // shorter paragraphs are not looked at
)

// guard removes markup that would take goldmark quadratic time; the words stay.
type guard struct {
	work     int    // left for the page
	bytes    int    // of the paragraph so far
	brackets int    // open in the paragraph
	angles   int    // open in the paragraph
	runs     uint64 // lengths of runs of backticks in it
	openers  int    // of the paragraph: each may cost a scan of all of it
	warnings []string
	deep     bool // warned
	marked   bool // warned
}

// reset begins a new paragraph.
func (g *guard) reset() { g.bytes, g.brackets, g.angles, g.runs, g.openers = 0, 0, 0, 0, 0 }

// guardLine takes the next line of a page and returns the line for goldmark.
func (g *guard) guardLine(line []byte) (safe []byte, changed bool) {
	if out := g.nesting(line); len(out) != len(line) {
		line, changed = out, true
	}
	if b := line[IndentBytes(line):]; len(b) > 0 && (b[0] == '|' || listMarker(b) > 0) {
		g.reset() // inline parsing begins anew with each row and item
	}
	before := g.openers
	g.openers += g.countMarks(line)
	g.bytes += len(line)
	if g.bytes < guardFromByte {
		return line, changed
	}
	work := (before + (g.openers-before)/2) * len(line)
	if work <= g.work {
		g.work -= work
		return line, changed
	}
	g.openers = before
	if !g.marked {
		g.marked = true
		g.warnings = append(g.warnings, "a paragraph has thousands of brackets or emphasis marks; they are read as plain text")
	}
	out := make([]byte, 0, len(line)+len(line)/2)
	for i, c := range line {
		switch c {
		case '[', '*', '_', '~', '`', '<':
			if i == 0 || line[i-1] != '\\' {
				out = append(out, '\\')
			}
		}
		out = append(out, c)
	}
	return out, true
}

// countMarks is the number of marks of a line that goldmark may seek an end for in vain.
// Brackets that are closed are none, and of backticks the first run of a length.
func (g *guard) countMarks(line []byte) int {
	openers, marks := 0, 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '[':
			if g.brackets++; g.brackets > 2 {
				openers++
			}
		case ']':
			g.brackets = max(0, g.brackets-1)
		case '<':
			if g.angles++; g.angles > 1 {
				openers++
			}
		case '>':
			g.angles = max(0, g.angles-1)
		case '*', '_', '~':
			marks++
		case '`':
			n := 1
			for i+n < len(line) && line[i+n] == '`' {
				n++
			}
			i += n - 1
			if n >= 64 {
				openers++
			} else if g.runs&(1<<n) == 0 {
				g.runs |= 1 << n
				openers++
			}
		}
	}
	return openers + marks/3
}

// nesting removes the markers of quotes and lists that are nested deeper than maxDepth.
func (g *guard) nesting(line []byte) []byte {
	line = g.indented(line)
	depth, i := 0, IndentBytes(line)
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
		i += IndentBytes(line[i:])
	}
	if depth <= maxDepth {
		return line
	}
	g.tooDeep()
	rest := line[i:]
	for len(rest) > 0 {
		n := 1
		if rest[0] != '>' {
			if n = listMarker(rest); n == 0 {
				break
			}
		}
		rest = rest[n:]
		rest = rest[IndentBytes(rest):]
	}
	return append(append([]byte{}, line[:i]...), rest...)
}

// indented cuts the indentation of a line that is deeper than maxIndent: lists that are
// nested thousands of times have each line looked at by all of them.
func (g *guard) indented(line []byte) []byte {
	i := 0
	for {
		n := IndentBytes(line[i:])
		if cols, _ := IndentOf(line[i:]); cols > maxIndent {
			g.tooDeep()
			return append(append(append([]byte{}, line[:i]...), bytes.Repeat([]byte{' '}, maxIndent)...), line[i+n:]...)
		}
		if i += n; i == len(line) || line[i] != '>' {
			return line
		}
		i++
	}
}

func (g *guard) tooDeep() {
	if !g.deep {
		g.deep = true
		g.warnings = append(g.warnings, "quotes or lists are nested too deeply; the innermost are read as plain text")
	}
}
