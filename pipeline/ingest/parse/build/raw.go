package build

import (
	"strconv"
	"strings"

	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// A raw inline knows the lines of the source: "\x00LINE\x00" stands in it for a break behind
// which LINE begins, and "\x01LINE\x01" says the line where there is no break. A text has
// neither character.
const (
	BreakMark = '\x00'
	LineMark  = '\x01'
)

// MarkLine adds to a raw inline the line of the text that follows, with or without a break.
func MarkLine(b *strings.Builder, line int, isBreak bool) {
	kind := byte(LineMark)
	if isBreak {
		kind = BreakMark
	}
	b.WriteByte(kind)
	b.WriteString(strconv.Itoa(line))
	b.WriteByte(kind)
}

// LastMark is the last mark of a raw inline, as one without a break, or "". It says the line
// again behind text without marks.
func LastMark(raw string) string {
	end := strings.LastIndexAny(raw, "\x00\x01")
	if end < 0 {
		return ""
	}
	start := strings.LastIndexByte(raw[:end], raw[end])
	if start < 0 {
		return ""
	}
	return string(LineMark) + raw[start+1:end] + string(LineMark)
}

// AddText adds a text that begins on a line to a raw inline: a break for each run of blanks
// that has one, or a blank if its breaks do not count.
func AddText(b *strings.Builder, text string, line int, breaks bool) {
	for text != "" {
		at := strings.IndexAny(text, "\n\r\t")
		if at < 0 {
			b.WriteString(TextInline(text))
			return
		}
		b.WriteString(TextInline(text[:at]))
		rest := strings.TrimLeft(text[at:], " \n\t\r")
		if n := strings.Count(text[at:len(text)-len(rest)], "\n"); n > 0 && breaks {
			line += n
			MarkLine(b, line, true)
		} else {
			b.WriteByte(' ')
		}
		text = rest
	}
}

// RawLines makes an inline of a raw one, with the place of each of its lines (see Places).
func RawLines(raw string) (string, []doc.Location) {
	var b strings.Builder
	var places []doc.Location
	line, space, broke := 0, false, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case BreakMark, LineMark:
			end := strings.IndexByte(raw[i+1:], c)
			if end < 0 {
				return b.String(), places
			}
			line, _ = strconv.Atoi(raw[i+1 : i+1+end])
			broke = broke || c == BreakMark
			i += end + 1
		case ' ', '\n', '\t':
			space = true
		default:
			switch {
			case b.Len() == 0:
				places = append(places, doc.Location{Line: line})
			case broke:
				b.WriteByte('\n')
				places = append(places, doc.Location{Line: line})
			case space:
				b.WriteByte(' ')
			}
			space, broke = false, false
			b.WriteByte(c)
		}
	}
	return b.String(), places
}

// WrapRaw adds a raw inline that something is around: on one line, with the blanks at its ends
// outside. One that does not say its line begins on that of the text before it.
func WrapRaw(b *strings.Builder, inner string, around func(string) string) {
	text, places := RawLines(inner)
	if text == "" {
		b.WriteString(inner)
		return
	}
	if inner[0] == ' ' {
		b.WriteByte(' ')
	}
	first, last := places[0].Line, places[len(places)-1].Line
	if first > 0 { // else that of the text before it
		MarkLine(b, first, false)
	}
	b.WriteString(around(spacing.Single(text)))
	if inner[len(inner)-1] == ' ' {
		b.WriteByte(' ')
	}
	if last != first {
		MarkLine(b, last, false)
	}
}
