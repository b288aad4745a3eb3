package dialect

import "bytes"

// Fence tracks fenced code through the lines of a page: code has no dialects. The zero
// value is outside of fenced code.
type Fence struct {
	char   byte
	n      int  // length of the opening run, 0 outside
	quoted bool // opened in a block quote, ends with it
}

// Step takes the next line and reports whether it belongs to fenced code: to the opening
// fence, the content or the closing fence.
func (f *Fence) Step(line []byte) bool {
	b := line[IndentBytes(line):]
	quoted := len(b) > 0 && b[0] == '>'
	if f.n > 0 {
		if !f.quoted || quoted {
			if f.quoted {
				b = trimQuote(b)
			}
			if c, n := fenceRun(b); c == f.char && n >= f.n && IsBlank(b[n:]) {
				f.n = 0
			}
			return true
		}
		f.n = 0
	}
	if len(b) < 3 {
		return false
	}
	if quoted {
		b = trimQuote(b)
	}
	for {
		n := listMarker(b)
		if n == 0 {
			break
		}
		b = b[n:]
		b = b[IndentBytes(b):]
	}
	c, n := fenceRun(b)
	if n < 3 || c == '`' && bytes.IndexByte(b[n:], '`') >= 0 {
		return false
	}
	f.char, f.n, f.quoted = c, n, quoted
	return true
}

// IsOpen reports whether the next line is one of fenced code or its end.
func (f *Fence) IsOpen() bool { return f.n > 0 }

func fenceRun(b []byte) (char byte, n int) {
	if len(b) == 0 || b[0] != '`' && b[0] != '~' {
		return 0, 0
	}
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return b[0], n
}

func trimQuote(b []byte) []byte {
	for len(b) > 0 && (b[0] == '>' || b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// listMarker is the length of the list marker at b[0] with one following space ("- ",
// "12. "), or 0.
func listMarker(b []byte) int {
	n := 0
	for n < len(b) && n < 10 && IsDigit(b[n]) {
		n++
	}
	switch {
	case n >= len(b):
		return 0
	case n == 0 && b[0] != '-' && b[0] != '*' && b[0] != '+':
		return 0
	case n > 0 && b[n] != '.' && b[n] != ')':
		return 0
	}
	n++
	switch {
	case n == len(b):
		return n
	case b[n] == ' ' || b[n] == '\t':
		return n + 1
	}
	return 0
}
