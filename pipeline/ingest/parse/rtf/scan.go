package rtf

import (
	"bytes"
	"context"
	"strconv"
)

// deepest is how deep groups are followed. Writers nest about ten; the state of deeper ones is that of the
// one around them.
const deepest = 200

// readAll reads the document, token after token; line is the number of its first line.
func (d *document) readAll(ctx context.Context, src []byte, line int) error {
	d.line = line
	for i := 0; i < len(src); {
		if d.tokens++; d.tokens%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch c := src[i]; c {
		case '{':
			d.endBytes()
			d.fallback = 0
			d.openGroup()
			i++
		case '}':
			d.endBytes()
			d.fallback = 0
			i++
			if d.closeGroup(); d.depth == 0 {
				return nil // what follows the document is not part of it
			}
		case '\\':
			i += d.readControl(src[i:])
		case '\r', '\n':
			if c == '\n' {
				d.line++
			}
			i++
		default:
			i += d.readText(src[i:])
		}
	}
	d.endBytes()
	d.w.Warn("its end is missing")
	return nil
}

// readText reads text up to the next sign, and returns its bytes.
func (d *document) readText(src []byte) int {
	n := 0
	for n < len(src) && src[n] != '{' && src[n] != '}' && src[n] != '\\' && src[n] != '\r' && src[n] != '\n' {
		n++
	}
	text := src[:n]
	if !d.damaged && d.now.to != nowhere && bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7F || r < ' ' && r != '\t' }) {
		d.damaged = true
		d.w.Warn("line %d has bytes that are no text of RTF; they are read by its code page", d.line)
	}
	if d.fallback > 0 {
		skip := min(d.fallback, n)
		d.fallback -= skip
		text = text[skip:]
	}
	if d.now.to != nowhere {
		d.bytes = append(d.bytes, text...)
	}
	return n
}

// readControl reads a control word or symbol, and returns its bytes.
func (d *document) readControl(src []byte) int {
	if len(src) < 2 {
		return len(src)
	}
	n := 1
	for n < len(src) && n <= longestWord && isLetter(src[n]) {
		n++
	}
	if n == 1 {
		return d.readSymbol(src)
	}
	word := string(src[1:n])
	from := n
	if n < len(src) && src[n] == '-' {
		n++
	}
	for n < len(src) && n-from <= longestNumber && src[n] >= '0' && src[n] <= '9' {
		n++
	}
	value, err := strconv.Atoi(string(src[from:n]))
	given := err == nil
	if !given && n > from && src[n-1] == '-' {
		n--
	}
	if n < len(src) && src[n] == ' ' {
		n++
	}
	if word == "bin" && value > 0 {
		return n + min(value, len(src)-n)
	}
	if d.fallback > 0 && word != "u" && word != "uc" {
		d.fallback-- // a word counts as one character
		return n
	}
	d.applyWord(word, value, given)
	return n
}

// The longest words and numbers; longer ones are damage.
const (
	longestWord   = 40
	longestNumber = 10
)

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// readSymbol reads a control symbol, and returns its bytes.
func (d *document) readSymbol(src []byte) int {
	if src[1] == '\'' {
		if len(src) < 4 {
			return len(src)
		}
		value, err := strconv.ParseUint(string(src[2:4]), 16, 8)
		if err != nil {
			return 2
		}
		if d.fallback > 0 {
			d.fallback--
		} else if d.now.to != nowhere {
			d.bytes = append(d.bytes, byte(value))
		}
		return 4
	}
	if d.fallback > 0 {
		d.fallback--
		return 2
	}
	switch src[1] {
	case '\\', '{', '}':
		if d.now.to != nowhere {
			d.bytes = append(d.bytes, src[1])
		}
		return 2
	}
	d.endBytes()
	switch src[1] {
	case '~':
		d.addText(" ")
	case '_':
		d.addText("-")
	case '*':
		d.ignorable = true
		return 2
	case '\n':
		d.line++
		d.applyWord("par", 0, false)
	case '\r':
		d.applyWord("par", 0, false)
	}
	return 2
}
