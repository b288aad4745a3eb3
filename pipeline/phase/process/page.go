package process

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process/plain"
	"docent/pipeline/question/wordlist"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// page is one document that is being compressed.
type page struct {
	key       string
	title     string
	set       string // name of the doc set
	src       string
	starts    []int // byte at which each line begins; one more: the end
	sums      []int // quarters of the lines before each line; one more: of all
	longs     []int // the lines that are longer than longLine
	units     []unit
	blocks    []block
	sections  []section
	relevance int
	unread    int      // bytes that were not compared with the question, see mostScored
	found     [][2]int // the found lines
	warned    []int    // the units that are warnings
	marker    int      // quarters of an omission line without its digits

	keep *bitset.BitSet // the units that are kept
	used budget         // of the rendered page now
	own  bool           // a unit brings its section's own heading only
	// forSide marks a page of which a section was chosen for a side, instead of the page's best one.
	forSide bool
	lined   int // quarters of the citation lines of its quoted sections
	// summaries replace runs of kept units, by the first unit of the run.
	summaries map[int]summary
}

// summary is a text that replaces the units from its key to last.
type summary struct {
	last     int
	from, to int    // lines
	text     string // whole lines, the two that mark it included
}

// unit is a block, or a row or item of one, with its lines, from 1, both included;
// neither is blank.
type unit struct {
	first, last int
	kind        doc.BlockKind
	warning     bool
	section     int
	block       int
	row         int // first line of the row or block that the unit is a line of, or is
	score       int
	sides       []int // scores for the question's sides; nil if it has none
	intro       int   // the paragraph before that introduces this unit's block, or -1
	colon       bool  // the unit announces the next block
	stopped     bool  // it does so by a sentence that ends in a full stop
	subsections bool  // the unit announces the subsections that follow
	top         bool  // title, source line, front matter
	tab         bool  // see markTabs
}

func (u unit) lines() int { return u.last - u.first + 1 }

// section is a run of units [first, end) under one heading.
type section struct {
	heading    int // unit, or -1
	parent     int // section, or -1
	first, end int
	score      int
	text       string // of the heading
	// What phase 1.5 says: its rerank_sim, 0 if it did not keep the section, and the
	// lines of the passage that it judged.
	sim     float64
	passage [2]int
	// parameter is what the section documents of a question for one parameter.
	parameter *contract.Documented
	// Of the parsed page.
	path   []string
	anchor string
	sides  []bool // whether the heading has the words of a side of the question, and no others
	level  int
}

// newPage cuts a page into units. Every line that is not blank belongs to exactly one
// unit. Blocks larger than most are cut at their lines. found are the lines of the found
// passages.
func newPage(key, src string, blocks func([]byte) (doc.Document, error), most budget, found ...[2]int) *page {
	p := &page{key: key, src: src, found: found, marker: tokenQuarters(contract.OmissionLine(1, 1)) - 2}
	p.readLines()
	d, ok := doc.Document{}, false
	if blocks != nil && len(src) <= mostParsed {
		if parsed, err := blocks([]byte(src)); err == nil {
			d, ok = parsed, true
		}
	}
	if !ok {
		d = plain.Read(src, p.starts, len(src) > mostParsed)
	}
	p.cutUnits(d)
	p.joinSteps()
	p.newSplitter().splitAll(most)
	p.groupBySections(d)
	p.linkIntroductions()
	for i, u := range p.units {
		if u.warning {
			p.warned = append(p.warned, i)
		}
	}
	p.keep = bitset.New(uint(len(p.units)))
	p.used = p.newChooser().gapSize(-1, len(p.units))
	return p
}

// isKept reports whether a unit is kept.
func (p *page) isKept(i int) bool { return p.keep.Test(uint(i)) }

// keptBefore is the nearest kept unit before i, or -1.
func (p *page) keptBefore(i int) int {
	if i == 0 {
		return -1
	}
	if at, ok := p.keep.PreviousSet(uint(i - 1)); ok {
		return int(at)
	}
	return -1
}

// keptAfter is the nearest kept unit after i, or the number of units.
func (p *page) keptAfter(i int) int {
	if at, ok := p.keep.NextSet(uint(i + 1)); ok {
		return int(at)
	}
	return len(p.units)
}

func (p *page) readLines() {
	p.starts, p.sums = []int{0}, []int{0}
	for at := 0; at < len(p.src); {
		end := len(p.src)
		if i := strings.IndexByte(p.src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		p.sums = append(p.sums, p.sums[len(p.sums)-1]+tokenQuarters(p.src[at:end]))
		p.starts = append(p.starts, end)
		if end-at > longLine {
			p.longs = append(p.longs, p.lineCount())
		}
		at = end
	}
}

// mostParsed is the longest page whose headings and blocks are read again, in bytes. Of a
// longer one blank lines and fences part the blocks: reading 50 MB takes half a second.
const mostParsed = 32 << 20

// longLine is the longest line, in bytes, of a text that is compressed. A longer one is
// left out: it is unreadable, and counts as one line of the limit.
const longLine = 64 << 10

// hasLongLine reports whether a line that is too long to be kept is among lines first to last.
func (p *page) hasLongLine(first, last int) bool {
	i, _ := slices.BinarySearch(p.longs, first)
	return i < len(p.longs) && p.longs[i] <= last
}

// lineCount is the number of lines.
func (p *page) lineCount() int { return len(p.starts) - 1 }

// linesText is the text of lines first to last, newlines included.
func (p *page) linesText(first, last int) string {
	if first > last {
		return ""
	}
	return p.src[p.starts[first-1]:p.starts[last]]
}

func (p *page) isBlank(line int) bool { return strings.TrimSpace(p.linesText(line, line)) == "" }

// cutUnits makes units of a document's blocks. Spans are clipped to the page. Blocks that
// share a line become one unit; lines without a block become units of their own.
func (p *page) cutUnits(d doc.Document) {
	var us []unit
	for _, b := range d.Blocks {
		u := unit{first: max(1, b.Span.StartLine), last: min(p.lineCount(), b.Span.EndLine), kind: b.Kind, warning: b.Warning,
			section: b.Section}
		if b.Section < 0 || b.Section >= len(d.Sections) {
			u.section = -1
		}
		for u.first <= u.last && p.isBlank(u.first) {
			u.first++
		}
		for u.first <= u.last && p.isBlank(u.last) {
			u.last--
		}
		if u.first <= u.last {
			us = append(us, u)
		}
	}
	slices.SortStableFunc(us, func(a, b unit) int { return cmp.Compare(a.first, b.first) })
	line, owner := 1, -1 // next line without a unit; section of the last unit
	cover := func(end int) {
		for line <= end {
			for line <= end && p.isBlank(line) {
				line++
			}
			first := line
			for line <= end && !p.isBlank(line) {
				line++
			}
			if first < line {
				p.units = append(p.units, unit{first: first, last: line - 1, kind: doc.Paragraph, section: owner})
			}
		}
	}
	for _, u := range us {
		if n := len(p.units); u.first < line && n > 0 {
			before := &p.units[n-1]
			before.last = max(before.last, u.last)
			before.warning = before.warning || u.warning
			line = before.last + 1
			continue
		}
		cover(u.first - 1)
		p.units = append(p.units, u)
		line, owner = u.last+1, u.section
	}
	cover(p.lineCount())
}

// groupBySections groups units by sections and finds the sections' parents.
func (p *page) groupBySections(d doc.Document) {
	mine := map[int]int{} // index in d.Sections → index here
	for i := range p.units {
		u := &p.units[i]
		n := len(p.sections)
		if n == 0 || u.kind == doc.HeadingRow || p.units[p.sections[n-1].first].section != u.section {
			s := section{heading: -1, parent: -1, first: i}
			if u.kind == doc.HeadingRow {
				s.heading = i
				s.text = p.linesText(u.first, u.last)
			}
			if u.section >= 0 {
				for up := d.Sections[u.section].Parent; up >= 0 && up < len(d.Sections); up = d.Sections[up].Parent {
					if at, ok := mine[up]; ok {
						s.parent = at
						break
					}
					if d.Sections[up].Parent >= up { // not a tree: the parser is not trusted
						break
					}
				}
				if _, ok := mine[u.section]; !ok {
					mine[u.section] = n
				}
				own := d.Sections[u.section]
				if s.text == "" {
					s.text = own.Text
				}
				s.path, s.anchor, s.level = own.Path, own.Anchor, own.Level
			}
			p.sections = append(p.sections, s)
		}
		p.sections[len(p.sections)-1].end = i + 1
	}
	for k := range p.sections {
		for i := p.sections[k].first; i < p.sections[k].end; i++ {
			p.units[i].section = k
		}
	}
}

// linkIntroductions finds the introductions of units, and the units at the page's top.
func (p *page) linkIntroductions() {
	const tabs = 4 // code blocks in a row that share one introduction
	for i := range p.units {
		u := &p.units[i]
		u.intro = -1
		if at := p.blocks[u.block].first; at < i { // the first row's introduction is all rows'
			u.intro = p.units[at].intro
			continue
		}
		switch u.kind {
		case doc.Paragraph:
			text := strings.TrimRight(p.linesText(u.last, u.last), " \t\r\n*_")
			next := i+1 < len(p.units) && p.units[i+1].section == u.section
			colon := strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
			u.subsections = colon && i+1 < len(p.units) && p.sections[p.units[i+1].section].parent == u.section
			u.colon = colon && next || u.subsections || next && isBoldLabel(p.linesText(u.first, u.last))
			if !next || p.units[i+1].kind != doc.Code {
				break
			}
			u.colon = u.colon || isUnfinished(text)
			if u.stopped = !u.colon && pointsAhead(p.linesText(u.first, u.last)); u.stopped {
				u.colon = true
				break
			}
			if u.first == u.last && isLabel(text) {
				u.colon = true
				if i > 0 && p.units[i-1].kind == doc.Paragraph && p.units[i-1].section == u.section {
					u.intro = i - 1
				}
			}
		case doc.Code, doc.Table, doc.List, doc.Procedure:
			for j := i - 1; j >= max(0, i-tabs) && p.units[j].section == u.section; j-- {
				if p.units[j].kind == doc.Paragraph {
					if u.kind == doc.Code || p.units[j].colon && j == i-1 {
						u.intro = j
					}
					break
				}
				if p.units[j].kind != doc.Code {
					break
				}
			}
		}
	}
	p.findTop()
}

// boldLine is a line of bold text alone, with a colon inside or behind it.
var boldLine = pattern.Lazy(`^(\*\*[^*]+\*\*|__[^_]+__):?$`)

// isBoldLabel reports whether a paragraph is one line of bold text that does not end a sentence.
// It heads the block below it, as titles of blocks do in AsciiDoc ("Procedure") and the names of
// lists in references ("Options").
func isBoldLabel(paragraph string) bool {
	text := strings.TrimSpace(paragraph)
	return !strings.Contains(text, "\n") && boldLine().MatchString(text) && isLabel(strings.Trim(text, "*_"))
}

// isUnfinished reports whether a sentence before code ends without a mark: the code ends it.
func isUnfinished(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(last) || unicode.IsDigit(last) || strings.HasSuffix(text, "`")
}

// points are words by which a sentence speaks of the block below it: "run the following command."
const points wordlist.Rule = "process/points"

// pointsAhead reports whether the last sentence of a paragraph before code speaks of the code.
func pointsAhead(paragraph string) bool {
	said := strings.TrimRight(strings.Join(strings.Fields(paragraph), " "), " *_.。！!")
	last := said[max(strings.LastIndexAny(said, "。！"), strings.LastIndex(said, ". "), 0):]
	return points.Inside(strings.ToLower(last)) != ""
}

// isLabel reports whether a line before code is a label such as a file's name, not a
// sentence. The code's introduction is then the paragraph before the label.
func isLabel(text string) bool {
	const longest = 80
	return len(text) <= longest && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "。") &&
		!strings.HasSuffix(text, "!") && !strings.HasSuffix(text, "?")
}

// findTop marks the first units of a page: front matter, title, source line.
func (p *page) findTop() {
	titled := false
	for i := range p.units {
		u := &p.units[i]
		switch {
		case u.kind == doc.HeadingRow && !titled:
			titled = true
		case u.kind == doc.Rule:
			continue
		case u.kind == doc.Meta, u.first == u.last && isSourceLine(p.linesText(u.first, u.first)):
		default:
			return
		}
		u.top = true
	}
}

// isSourceLine recognises a line with the page's address, as pages have it below their
// titles.
func isSourceLine(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), ">")
	if !ok {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	for _, label := range []string{"**原文链接**", "**Source**", "**Original URL**"} {
		if strings.HasPrefix(rest, label) {
			return true
		}
	}
	return false
}

// render gives the compressed text and the omitted ranges of lines.
func (p *page) render() (string, [][2]int) {
	var b strings.Builder
	b.Grow(len(p.src))
	var omitted [][2]int
	next := 1 // the first line that is neither written nor omitted yet
	l := -1
	for r := 0; r <= len(p.units); r++ {
		if r < len(p.units) && !p.isKept(r) {
			continue
		}
		if from, to := p.newChooser().omittedBetween(l, r); from <= to {
			b.WriteString(p.linesText(next, from-1))
			b.WriteString(contract.OmissionLine(from, to))
			b.WriteString(p.lineEnding(to))
			omitted = append(omitted, [2]int{from, to})
			next = to + 1
		}
		l = r
		if s, ok := p.summaries[r]; ok {
			b.WriteString(p.linesText(next, s.from-1))
			b.WriteString(s.text)
			next, l, r = s.to+1, s.last, s.last
		}
	}
	b.WriteString(p.linesText(next, p.lineCount()))
	return b.String(), omitted
}

// lineEnding is how a line ends: "\n", "\r\n", or "" for a last one.
func (p *page) lineEnding(line int) string {
	text := p.linesText(line, line)
	switch {
	case strings.HasSuffix(text, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(text, "\n"):
		return "\n"
	}
	return ""
}
