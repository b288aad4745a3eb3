package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
)

// Width is the columns that a line takes: the larger of the two ways of
// counting that terminals have, by grapheme clusters and by code points. They
// differ for some scripts and joined emoji (Bubble Tea issue 1777). Bubble Tea
// counts code points until a terminal says that it knows clusters, and a line
// that is too wide by its count loses its end, and with it the frame.
func Width(s string) int {
	if plainLine(s) {
		return len(s)
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
}

// Cut shortens a line to at most w columns; what was cut shows as "…".
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	short := ansi.Truncate(s, w, "…")
	for n := w; Width(short) > w && n > 0; n-- {
		short = ansi.TruncateWc(s, n, "…")
	}
	return short
}

// Fit makes a line exactly w columns wide.
func Fit(s string, w int) string {
	s = Cut(s, w)
	return s + Spaces(w-Width(s))
}

// FitLeft makes a line exactly w columns wide, with its text at the right.
func FitLeft(s string, w int) string {
	s = Cut(s, w)
	return Spaces(w-Width(s)) + s
}

// CutStart shortens from the left, for paths: their end says more.
func CutStart(s string, w int) string {
	n := Width(s)
	if n <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	cut := ansi.TruncateLeft(s, n-w+1, "…")
	if Width(cut) > w { // a wide character stood on the edge
		cut = ansi.TruncateLeft(s, n-w+2, "…")
	}
	return Cut(cut, w)
}

const blanks = "                                                                                "

// Spaces is n spaces, none for n below 1.
func Spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// Sides sets left at the left end and right at the right end of w columns. Left
// is cut first; right goes when fewer than a third would be left for the other.
func Sides(left, right string, w int) string {
	rw := Width(right)
	if rw == 0 || rw+1 > w*2/3 {
		return Fit(left, w)
	}
	return Fit(left, w-rw-1) + " " + right
}

// Exact makes lines exactly h lines of exactly w columns: the last word before
// anything goes to the screen.
func Exact(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], w)
		} else {
			out[i] = Spaces(w)
		}
	}
	return out
}

// Wrap breaks one clean line of text at spaces, and within words that are too
// long, into lines of at most w columns. It gives at least one line.
func Wrap(s string, w int) []string {
	if w < 1 {
		w = 1
	}
	if Width(s) <= w {
		return []string{s}
	}
	wrap := ansi.Wrap
	if ansi.StringWidthWc(s) > ansi.StringWidth(s) {
		wrap = ansi.WrapWc
	}
	return strings.Split(wrap(s, w, ""), "\n")
}

// Carry makes lines of a styled text stand alone: a style that is open at the
// end of a line is closed there and opened again on the next.
func Carry(lines []string) []string {
	out := make([]string, len(lines))
	open := ""
	for i, line := range lines {
		start := open
		open = after(open, line)
		if start == "" && open == "" && strings.IndexByte(line, 0x1b) < 0 {
			out[i] = line
			continue
		}
		out[i] = start + line + style.Reset
	}
	return out
}

// after is the styles that are open behind a line that began with open ones.
func after(open, line string) string {
	for {
		i := strings.IndexByte(line, 0x1b)
		if i < 0 {
			return open
		}
		n := sequence(line[i:])
		if n == 0 {
			line = line[i+1:]
			continue
		}
		seq := line[i : i+n]
		line = line[i+n:]
		switch {
		case seq == "\x1b[m" || seq == "\x1b[0m":
			open = ""
		case isSGR(seq):
			open += seq
		}
	}
}

// Bar is a bar of w columns for a value in [0,1], in eighths of a column.
func Bar(v float64, w int) string {
	if v != v || v < 0 {
		v = 0
	}
	eighths := int(min(v, 1)*float64(w*8) + 0.5)
	full, rest := eighths/8, eighths%8
	bar := strings.Repeat("█", full)
	if rest > 0 {
		bar += string([]rune(" ▏▎▍▌▋▊▉")[rest])
		full++
	}
	return bar + strings.Repeat("·", max(0, w-full))
}
