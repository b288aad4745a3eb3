package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
)

// isInFormula reports whether what looks like a link is a part of a formula within a line, as in $f[a](x)$. The
// dollars of a formula have no blank on its side, and no digit stands behind the last.
func (e *extractor) isInFormula(c *ast.Link) bool {
	if pos := c.Pos(); pos >= 0 && !bytes.ContainsAny(c.Destination, "/#.:") {
		from := bytes.LastIndexByte(e.src[:pos], '\n') + 1
		line, _, _ := bytes.Cut(e.src[from:], []byte{'\n'})
		return formulaAround(line, pos-from)
	}
	return false
}

// formulaAround reports whether a byte of a line stands in a formula between two dollars.
func formulaAround(line []byte, at int) bool {
	open := -1
	for i := 0; i < len(line); i++ {
		blankAfter := i+1 == len(line) || line[i+1] == ' '
		switch {
		case line[i] == '\\':
			i++
		case line[i] != '$':
		case open < 0 && !blankAfter:
			open = i
		case open >= 0 && line[i-1] != ' ' && !(i+1 < len(line) && '0' <= line[i+1] && line[i+1] <= '9'):
			if open < at && at < i {
				return true
			}
			open = -1
		}
	}
	return false
}
