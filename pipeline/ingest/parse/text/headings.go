package text

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// heading is a heading of a text: a line with a line of one sign below it, and perhaps above, or a numbered line by
// itself. Lines count from 0, and offsets are in bytes.
type heading struct {
	text        string
	level       int
	first, last int // lines
	start, end  int // offsets of the first line and behind the last one
}

// underlines are the signs of which a line below a heading consists.
const underlines = "=-~^*#+\""

// mostHeadings is how many headings of a page are read; the text behind the last belongs to that.
const mostHeadings = 5000

// headingsOf finds the headings of a text. Numbered lines are headings where no others are but a title.
func headingsOf(src []byte) []heading {
	if !mayHaveHeadings(src) {
		return nil
	}
	lines := linesOf(src)
	out := underlined(src, lines)
	if len(out) <= 1 {
		out = append(out, numbered(src, lines, len(out))...)
	}
	return out
}

// mayHaveHeadings reports whether a text has what a heading needs: most texts do not, and a search for a few
// bytes is faster than a look at each line.
func mayHaveHeadings(src []byte) bool {
	for _, sign := range underlines {
		if bytes.Contains(src, []byte("\n"+strings.Repeat(string(sign), leastUnderline))) {
			return true
		}
	}
	return bytes.Contains(src, []byte("\n1. ")) || bytes.Contains(src, []byte("\n1 ")) || bytes.HasPrefix(src, []byte("1. "))
}

// linesOf are the offsets of the lines of a text, and behind them its length.
func linesOf(src []byte) []int {
	out := []int{0}
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			out = append(out, i+1)
		}
	}
	return append(out, len(src))
}

// leastUnderline is the length of the shortest line below a heading.
const leastUnderline = 3

// underlined finds headings by the lines below them. The level of a heading is that of its sign, which are ordered as
// they first appear.
func underlined(src []byte, lines []int) []heading {
	var out []heading
	var styles []string
	line := func(i int) string {
		if i < 0 || i+1 >= len(lines) {
			return ""
		}
		return strings.TrimSpace(string(src[lines[i]:min(lines[i+1], lines[i]+2*mostTitle)]))
	}
	for i := 1; i+1 < len(lines) && len(out) < mostHeadings; i++ {
		if c := src[lines[i]]; strings.IndexByte(underlines+" ", c) < 0 {
			continue
		}
		under, title, before := line(i), line(i-1), line(i-2)
		if !isUnderline(under) || !fitsUnderline(title, under) {
			continue
		}
		over := isUnderline(before) && before[0] == under[0]
		if before != "" && !over {
			continue
		}
		h := heading{text: strings.TrimRight(title, ": "), first: i - 1, last: i}
		style := under[:1]
		if over {
			h.first, style = i-2, style+style
		}
		h.start, h.end = lines[h.first], lines[i+1]
		if n := len(out); n > 0 && out[n-1].last >= h.first {
			continue
		}
		for h.level = 0; h.level < len(styles) && styles[h.level] != style; h.level++ {
		}
		if h.level == len(styles) {
			styles = append(styles, style)
		}
		h.level = min(h.level+1, 6)
		out = append(out, h)
	}
	return out
}

// isUnderline reports whether a line is of one sign.
func isUnderline(l string) bool {
	return len(l) >= leastUnderline && strings.IndexByte(underlines, l[0]) >= 0 && strings.Trim(l, l[:1]) == ""
}

// fitsUnderline reports whether a line is a heading above a line of one sign: no sentence and no row of a table, and
// not much longer than that.
func fitsUnderline(title, under string) bool {
	letters := strings.IndexFunc(title, unicode.IsLetter) >= 0
	return letters && len(title) <= mostTitle && !strings.HasSuffix(title, ".") && !strings.HasSuffix(title, ",") &&
		!strings.ContainsAny(title, "\t|") && !strings.Contains(title, "  ") && 3*len(under) >= 2*utf8.RuneCountInString(title)
}

// numberedLine is a line that a number begins: "2. Wicks", "2.1 Oil and wicks".
var numberedLine = pattern.Lazy(`^(\d{1,2}(?:\.\d{1,2}){0,3})\.?[ \t]+(\p{Lu}[^\t|]*)$`)

// numbered finds lines with numbers that are headings: each stands by itself at the margin, with text below it, and the
// numbers count on. A list looks the same without the text. base is the level above them.
func numbered(src []byte, lines []int, base int) []heading {
	var out []heading
	var at []int
	blank := func(i int) bool {
		return i < 0 || i+1 >= len(lines) || len(bytes.TrimSpace(src[lines[i]:lines[i+1]])) == 0
	}
	for i := 0; i+1 < len(lines) && len(out) < mostHeadings; i++ {
		if c := src[lines[i]]; c < '0' || c > '9' || !blank(i-1) || !blank(i+1) || lines[i+1]-lines[i] > mostTitle {
			continue
		}
		m := numberedLine().FindStringSubmatch(strings.TrimRight(string(src[lines[i]:lines[i+1]]), " \t\r\n"))
		if m == nil || strings.ContainsAny(m[2][len(m[2])-1:], ".,;") {
			continue
		}
		number := numberOf(m[1])
		if !follows(at, number) {
			return nil
		}
		if n := len(out); n > 0 && allBlank(src[out[n-1].end:lines[i]]) && len(number) <= len(at) {
			return nil // a list has nothing between its items
		}
		at = number
		out = append(out, heading{text: m[1] + " " + m[2], level: min(base+len(number), 6), first: i, last: i, start: lines[i],
			end: lines[i+1]})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

func allBlank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

func numberOf(s string) []int {
	var out []int
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// follows reports whether a number is the next one after another: 3 or 2.2 or 2.1.1 after 2.1.
func follows(before, next []int) bool {
	if n := len(next); n == len(before)+1 {
		return next[n-1] <= 1 && slices.Equal(before, next[:n-1])
	}
	n := len(next)
	return n > 0 && n <= len(before) && slices.Equal(before[:n-1], next[:n-1]) && next[n-1] == before[n-1]+1
}

// addSections cuts a page at its headings.
func addSections(d *doc.Document, src []byte, heads []heading) {
	d.Sections = nil
	add := func(s doc.Section, start, end, first, last int) {
		s.Index, s.Source = len(d.Sections), true
		s.Span = doc.Span{Start: start, End: end, StartLine: first + 1, EndLine: last}
		d.Sections = append(d.Sections, s)
	}
	if heads[0].start > 0 {
		add(doc.Section{}, 0, heads[0].start, 0, heads[0].first)
		paragraphs(d, src[:heads[0].start], 0, 1)
	}
	for i, h := range heads {
		end, last := len(src), d.Lines
		if i+1 < len(heads) {
			end, last = heads[i+1].start, heads[i+1].first
		}
		add(doc.Section{Level: h.level, Text: h.text}, h.start, end, h.first, last)
		own := len(d.Blocks)
		d.Blocks = append(d.Blocks, doc.Block{Kind: doc.HeadingRow, Text: h.text,
			Span: doc.Span{Start: h.start, End: h.end, StartLine: h.first + 1, EndLine: h.last + 1}})
		paragraphs(d, src[h.end:end], h.end, h.last+2)
		for k := own; k < len(d.Blocks); k++ {
			d.Blocks[k].Section = len(d.Sections) - 1
		}
	}
	build.NestSections(d, len(src))
}
