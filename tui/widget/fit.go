// Package widget holds the small parts that panes are made of: text fitted to a
// width, frames, a scrolled sheet, a text input, a bar.
//
// It refuses to know the content of the panes, and does no work outside its
// arguments: no disk, no clock, no state that is not in a value.
//
// Terms. Width is columns on the screen, as ansi.StringWidth counts them.
// Clean text has passed through pipeline/text/sanitize.
package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/text/sanitize"
	"docent/tui/style"
)

// Width is the columns that a line takes. Terminals count by grapheme clusters or by
// code points, and the two differ for some scripts and joined emoji (Bubble Tea
// issue 1777); Width is the larger count. Bubble Tea counts code points until a
// terminal reports that it knows clusters, and cuts lines that are too wide by its
// count, which would cut the frame off.
func Width(s string) int {
	if n, ok := narrowWidth(s); ok {
		return n
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
}

// narrowWidth is the width of a line of styles and characters of one column; ok is
// false for any other line. Nearly every line of a frame is of this kind, and the
// general case takes ten times as long.
func narrowWidth(s string) (n int, ok bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f:
			n++
			i++
		case c == 0x1b:
			k := sanitize.Sequence(s[i:])
			if k == 0 {
				return 0, false
			}
			i += k
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isNarrow(r) {
				return 0, false
			}
			n++
			i += size
		}
	}
	return n, true
}

// isNarrow reports whether a character takes one column by both counts, before and behind any
// other narrow character.
func isNarrow(r rune) bool {
	return r >= 0xa1 && r < 0x250 && r != 0xa9 && r != 0xad && r != 0xae || // Latin
		r >= 0x2500 && r < 0x25a0 || // lines and blocks
		r == '–' || r == '—' || r == '…' || r == '›' || r == '•' || r == '’' || r == '▸' || r == '✓' || r == '✗' || r == '●'
}

// Cut shortens a line to at most w columns, with "…" at a cut.
func Cut(s string, w int) string { return CutTail(s, w, "…") }

// CutTail shortens a line to at most w columns, with tail at a cut. Styles are kept.
// ansi.Truncate is not used because it counts columns in only one of the two
// ways.
func CutTail(s string, w int, tail string) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	head, rest := splitBehind(s, w-Width(tail))
	var styles strings.Builder // the styles behind the cut, among them the reset
	for {
		i := strings.IndexByte(rest, 0x1b)
		if i < 0 {
			break
		}
		n := sanitize.Sequence(rest[i:])
		styles.WriteString(rest[i : i+n])
		rest = rest[i+max(1, n):]
	}
	return head + tail + styles.String()
}

// splitBehind splits a line behind at most w columns, between grapheme clusters. Control
// sequences take no columns.
func splitBehind(s string, w int) (head, rest string) {
	i := 0
	for i < len(s) {
		if n := sanitize.Sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		g, gw := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		if g == "" {
			break
		}
		gw = max(gw, ansi.StringWidthWc(g))
		if gw > w {
			break
		}
		w -= gw
		i += len(g)
	}
	return s[:i], s[i:]
}

// BreakHard breaks a line, styled or not, after every w columns.
func BreakHard(s string, w int) []string {
	var out []string
	for Width(s) > w {
		head, rest := splitBehind(s, w)
		if head == "" { // a character that is wider than the line is dropped
			g, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
			rest = rest[max(1, len(g)):]
		}
		if head != "" {
			out = append(out, head)
		}
		s = rest
	}
	return append(out, s)
}

// BreakBeforeWord breaks a wrapped line, styled or not, of which signs alone stand behind the w-th
// column: they and the word before them become a line of their own, behind the indent of the first,
// so that no line is a full stop. ok is false for another line.
func BreakBeforeWord(s string, w int) (head, rest string, ok bool) {
	const most = 2 // signs: glamour's wrapping lets one stand behind the end of a line
	plain := ansi.Strip(s)
	over := Width(plain) - w
	if over < 1 || over > most {
		return "", "", false
	}
	if _, signs := splitBehind(plain, w); strings.IndexFunc(signs, isLetterOrSpace) >= 0 {
		return "", "", false
	}
	lead := hangingIndent(plain)
	space := strings.LastIndexByte(plain, ' ')
	if space < len(lead) {
		return "", "", false
	}
	head, rest = splitBehind(s, Width(plain[:space]))
	_, rest = splitBehind(rest, 1) // the space
	return head, strings.Map(blankUnlessBar, lead) + rest, true
}

func isLetterOrSpace(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r)
}

// hangingIndent is what stands before the text of a line: spaces, bars of quotations, the mark of
// a list's item.
func hangingIndent(plain string) string {
	rest := strings.TrimLeft(plain, " │|")
	mark := strings.TrimPrefix(rest, "•")
	if mark == rest {
		if number := strings.TrimLeft(rest, "0123456789"); number != rest {
			mark = strings.TrimPrefix(number, ".")
		}
	}
	if strings.HasPrefix(mark, " ") && mark != rest {
		rest = strings.TrimLeft(mark, " ")
	}
	return plain[:len(plain)-len(rest)]
}

// blankUnlessBar is a sign of a line's indent as it stands before a further line: a quotation keeps
// its bar, and the mark of an item is left out.
func blankUnlessBar(r rune) rune {
	if r == '│' || r == '|' {
		return r
	}
	return ' '
}

// leastWidth is the width from which every pane has room for the fixed parts of
// its rows: marks, numbers, labels. The app's smallest screen has 38 columns.
const leastWidth = 28

// TitleBeside is a title cut for the text next to it, in w columns together, which is
// what tells rows of one page from each other: it leaves that as much as it needs, and
// keeps a third of the columns.
func TitleBeside(title, what string, w int) string {
	if Width(title)+Width(what) <= w {
		return title
	}
	return Cut(title, max(1, w-Width(what), w/3))
}

// CutMiddle shortens a message in its middle: its beginning names the operation and its
// end the cause.
func CutMiddle(text string, w int) string {
	if Width(text) <= w || w < 20 {
		return Cut(text, w)
	}
	head := CutTail(text, w/3, "")
	return head + " " + CutStart(text, w-Width(head)-1)
}

// EndOfMessage shortens a message that names its subject before a colon, then the cause,
// and what to do: it leaves out the parts before colons, and cuts only a part without one.
func EndOfMessage(text string, w int) string {
	short := text
	for Width(short) > w {
		_, rest, several := strings.Cut(short, ": ")
		if !several {
			return CutMiddle(text, w)
		}
		short = rest
	}
	return short
}

// FirstParts shortens a message of parts with semicolons between: it leaves out the last ones, and cuts
// only a single part in its middle.
func FirstParts(text string, w int) string {
	for Width(text) > w {
		at := strings.LastIndex(text, "; ")
		if at < 0 {
			return CutMiddle(text, w)
		}
		text = text[:at]
	}
	return text
}

// CutLines cuts the lines of a pane of w columns, where w is below leastWidth. It
// does nothing at any other width, where lines fit by themselves.
func CutLines(lines []string, w int) []string {
	if w < leastWidth {
		for i := range lines {
			lines[i] = CutTail(lines[i], w, "")
		}
	}
	return lines
}

// Fit makes a line exactly w columns wide.
func Fit(s string, w int) string {
	n := Width(s)
	if n > w {
		s = Cut(s, w)
		n = Width(s)
	}
	return s + Spaces(w-n)
}

// FitLeft makes a line exactly w columns wide, with its text at the right.
func FitLeft(s string, w int) string {
	s = Cut(s, w)
	return Spaces(w-Width(s)) + s
}

// CutStart shortens a text without styles at its beginning. It is for paths, whose
// end says more.
func CutStart(s string, w int) string {
	if w <= 0 {
		return ""
	}
	for cut := s; ; {
		if n := Width(cut); n <= w && len(cut) == len(s) {
			return s
		} else if n < w {
			return "…" + cut
		}
		g, _ := ansi.FirstGraphemeCluster(cut, ansi.GraphemeWidth)
		if g == "" {
			return ""
		}
		cut = cut[len(g):]
	}
}

// Path is a doc set and the path of a page in it, in w columns: the end of the path
// says most.
func Path(docSet, path string, w int) string {
	if Width(docSet)+3+Width(path) > w {
		docSet = Cut(docSet, w/2)
	}
	return docSet + " › " + CutStart(path, max(0, w-Width(docSet)-3))
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

// Sides puts left at the left end and right at the right end of w columns. Left is
// cut first; right is dropped when left would have less than a third.
func Sides(left, right string, w int) string {
	rw := Width(right)
	if rw == 0 || rw+1 > w*2/3 {
		return Fit(left, w)
	}
	return Fit(left, w-rw-1) + " " + right
}

// Exact makes exactly h lines of exactly w columns. Every frame passes through it.
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
	var out []string
	for _, l := range strings.Split(ansi.Wrap(s, w, ""), "\n") {
		out = append(out, BreakHard(l, w)...)
	}
	return out
}

// CarryStyles makes each line of a styled text independent: a style that is open at the
// end of a line is closed there and opened again on the next.
func CarryStyles(lines []string) []string {
	out := make([]string, len(lines))
	open := ""
	for i, line := range lines {
		start := open
		open = stylesAfter(open, line)
		if start == "" && open == "" && strings.IndexByte(line, 0x1b) < 0 {
			out[i] = line
			continue
		}
		out[i] = start + line + style.Reset
	}
	return out
}

// stylesAfter is the open styles at the end of a line, given those at its beginning.
func stylesAfter(open, line string) string {
	for {
		i := strings.IndexByte(line, 0x1b)
		if i < 0 {
			return open
		}
		n := sanitize.Sequence(line[i:])
		if n == 0 {
			line = line[i+1:]
			continue
		}
		seq := line[i : i+n]
		line = line[i+n:]
		switch {
		case seq == "\x1b[m" || seq == "\x1b[0m":
			open = ""
		case sanitize.IsStyle(seq):
			open += seq
		}
	}
}

// ScoreBar is a bar of w columns for a value in [0,1], in halves of a column. It is drawn
// as a line, since blocks in neighbouring rows would touch.
func ScoreBar(v float64, w int) string {
	if v != v || v < 0 {
		v = 0
	}
	halves := int(min(v, 1)*float64(w*2) + 0.5)
	full := halves / 2
	bar := strings.Repeat("━", full)
	if halves%2 > 0 {
		bar += "╸"
		full++
	}
	return bar + strings.Repeat("·", max(0, w-full))
}
