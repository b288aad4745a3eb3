package po

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"docent/pipeline/text/pattern"
)

// budget bounds what a hostile catalog can cost.
type budget struct {
	left int // comparisons of words
	out  int // bytes that translations may add
}

// word is a word of an original: the letters and signs between two blanks.
type word struct{ start, end, line int }

// edit is a piece of an original that is replaced.
type edit struct {
	start, end int
	text       string
	line       int // of the catalog
}

// original is a page that is translated.
type original struct {
	src    string
	kind   markup
	starts []int // of lines
	of     []int // for each line, that of the page as its messages count; nil: the same
	words  []word
	// starting are the words at which a block may begin. begins has them by their text and by
	// that of three words, as many blocks begin with "The"; all are in their order.
	starting []int
	begins   map[string][]int
	taken    []bool // of words: a message stands there
	edits    []edit
	budget   *budget
}

// markers stand before the text of a block, in reStructuredText and in Markdown: signs of lists,
// fields, footnotes, directives, headings and tasks.
var markers = pattern.Lazy(`^(?:[-*+•‣⁃]|\(?(?:[0-9]+|[A-Za-z]|[ivxlcIVXLC]+|#)[.)]|\||:(?:[^:\\\n]|\\.){1,200}:|` +
	`\.\. \[[^\]\n]{1,100}\]|\.\. (?:\|[^|\n]{1,100}\| )?[\w:.+-]{1,60}::|#{1,6}|>|:|\[[ xX]\])(?:[ \t]+|$)`)

// newOriginal reads the words of a page.
func newOriginal(src string, kind markup, b *budget) *original {
	o := &original{src: src, kind: kind, begins: map[string][]int{}, budget: b}
	if kind == markupRST {
		o.src, o.of = listTables(src)
		src = o.src
	}
	b.left += 20 * len(src)
	for at := 0; at < len(src); {
		end := strings.IndexByte(src[at:], '\n')
		if end < 0 {
			end = len(src)
		} else {
			end += at
		}
		o.starts = append(o.starts, at)
		o.readLine(at, end)
		at = end + 1
	}
	o.taken = make([]bool, len(o.words))
	for _, i := range o.starting {
		o.begins[o.text(i)] = append(o.begins[o.text(i)], i)
		if i+2 < len(o.words) {
			key := o.text(i) + " " + o.text(i+1) + " " + o.text(i+2)
			o.begins[key] = append(o.begins[key], i)
		}
	}
	return o
}

// mostMarkers is how many marks may stand before a text.
const mostMarkers = 6

// readLine reads the words of a line.
func (o *original) readLine(at, end int) {
	line := o.src[at:end]
	content := len(line) - len(strings.TrimLeft(line, " \t"))
	if o.kind == markupMarkdown { // the lines of a quotation each have its mark
		for content < len(line) && line[content] == '>' {
			content++
			content += len(line[content:]) - len(strings.TrimLeft(line[content:], " \t"))
		}
	}
	cells := o.kind == markupMarkdown && strings.HasPrefix(line[content:], "|")
	first, from := len(o.words), at+content
	starts := map[int]bool{at + content: true}
	for range mostMarkers {
		m := markers().FindString(line[content:])
		if m == "" {
			break
		}
		content += len(m)
		starts[at+content] = true
		if strings.HasSuffix(strings.TrimRight(m, " \t"), "::") { // the argument may be one word: a version
			next := strings.IndexByte(line[content:], ' ')
			if next < 0 {
				break
			}
			starts[at+content+next+1] = true
		}
	}
	o.addWords(from, end, cells)
	for i := first; i < len(o.words); i++ {
		w := o.words[i]
		if starts[w.start] || cells && i > first && o.text(i-1) == "|" {
			o.starting = append(o.starting, i)
		}
	}
}

// addWords adds the words of a line; cells are divided by "|".
func (o *original) addWords(at, end int, cells bool) {
	for at < end {
		c := o.src[at]
		if c == ' ' || c == '\t' || c == '\r' {
			at++
			continue
		}
		stop := at + 1
		if !cells || c != '|' {
			for stop < end && strings.IndexByte(" \t\r", o.src[stop]) < 0 && (!cells || o.src[stop] != '|' || o.src[stop-1] == '\\') {
				stop++
			}
		}
		o.words = append(o.words, word{at, stop, len(o.starts)})
		at = stop
	}
}

// place is the line of a word in the page.
func (o *original) place(i int) int {
	line := o.words[i].line
	if o.of == nil {
		return line
	}
	return o.of[line-1]
}

func (o *original) text(i int) string { return o.src[o.words[i].start:o.words[i].end] }

// translate puts translations into their places, and counts the messages that have one.
func (o *original) translate(messages []placed) (found int) {
	for _, m := range messages {
		ok := false
		if m.isTranslated() {
			ok = o.put(m.id, m.texts[0], m)
			if m.plural != "" {
				ok = o.put(m.plural, m.texts[len(m.texts)-1], m) || ok
			}
		} else {
			ok = o.claim(m.id, m.places())
		}
		if ok {
			found++
		}
	}
	return found
}

// places are the lines near which a message is looked for.
func (m placed) places() []int {
	if len(m.lines) == 0 {
		return []int{0}
	}
	return m.lines
}

// claim marks the places of a message that is not translated, which no other message may take.
func (o *original) claim(id string, lines []int) (found bool) {
	words := strings.Fields(id)
	for _, line := range lines {
		if i, ok := o.find(words, line); ok {
			o.taken[i], found = true, true
		}
	}
	return found
}

// put replaces a text by its translation, at each of its places.
func (o *original) put(id, text string, m placed) bool {
	words := strings.Fields(id)
	found := false
	for _, line := range m.places() {
		i, ok := o.find(words, line)
		if !ok || o.budget.out < len(text) {
			continue
		}
		o.budget.out -= len(text)
		o.taken[i], found = true, true
		o.replace(i, i+len(words)-1, o.fit(text, strings.Contains(strings.Trim(id, "\n"), "\n"), i), m.line)
	}
	return found
}

// fit is a translation as it can stand at a word: on one line, or each line of code with the
// indentation of the first.
func (o *original) fit(text string, code bool, at int) string {
	if !code {
		return strings.Join(strings.Fields(text), " ")
	}
	w := o.words[at]
	indent := strings.Repeat(" ", w.start-o.starts[w.line-1])
	return strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n"+indent)
}

// nearest is how many places on each side of a line are looked at.
const nearest = 40

// find finds a text near a line: the first of its words.
func (o *original) find(words []string, line int) (at int, ok bool) {
	if len(words) == 0 {
		return 0, false
	}
	places := o.begins[words[0]]
	if len(words) > 3 {
		places = o.begins[words[0]+" "+words[1]+" "+words[2]]
	}
	if len(words) == 1 { // "Example:" for "Example::"
		places = slices.Concat(places, o.begins[words[0]+":"])
		slices.Sort(places)
	}
	after := sort.Search(len(places), func(i int) bool { return o.place(places[i]) >= line })
	for before, tries := after-1, 0; (before >= 0 || after < len(places)) && tries < 2*nearest; tries++ {
		// A paragraph's reference is its first line, and at times one a little above.
		var i int
		if before < 0 || after < len(places) && o.place(places[after])-line <= line-o.place(places[before]) {
			i = places[after]
			after++
		} else {
			i = places[before]
			before--
		}
		if !o.taken[i] && o.matches(words, i) {
			return i, true
		}
	}
	return 0, false
}

// matches reports whether a text stands at a word and is the whole of its block.
func (o *original) matches(words []string, at int) bool {
	if at+len(words) > len(o.words) {
		return false
	}
	for i, w := range words {
		if o.budget.left--; o.budget.left < 0 {
			return false
		}
		have := o.text(at + i)
		if have != w && (i+1 < len(words) || have != w+":" || !strings.HasSuffix(w, ":")) {
			return false
		}
	}
	return o.endsAt(at + len(words) - 1)
}

// These may follow a text on its line: the target of an entry of a table of contents,
// a classifier of a term, and in Markdown the end of a cell or a heading.
var (
	behindRST      = pattern.Lazy(`^(?:[ \t\r]*|[ \t]+<[^<>\n]*>[ \t\r]*|[ \t]+::[ \t\r]*|[ \t]+: [^\n]*)$`)
	behindMarkdown = pattern.Lazy(`^[ \t\r]*(?:\|[^\n]*|#+[ \t\r]*|\{[^\n]*\}[ \t\r]*|\\)?$`)
)

func (o *original) endsAt(last int) bool {
	w := o.words[last]
	end := len(o.src)
	if w.line < len(o.starts) {
		end = o.starts[w.line] - 1
	}
	rest := strings.TrimSuffix(o.src[w.end:end], "\n")
	if rest == "" {
		return true
	}
	if o.budget.left -= len(rest); len(rest) > 4000 {
		return false
	}
	if o.kind == markupMarkdown {
		return behindMarkdown().MatchString(rest)
	}
	return behindRST().MatchString(rest)
}

// replace has words replaced, and lengthens the lines of a heading.
func (o *original) replace(first, last int, text string, line int) {
	a, b := o.words[first], o.words[last]
	if old := o.text(last); strings.HasSuffix(old, "::") && strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "::") {
		text += ":"
	}
	o.edits = append(o.edits, edit{a.start, b.end, text, line})
	if o.kind != markupRST || a.line != b.line {
		return
	}
	for _, i := range []int{a.line - 2, a.line} { // above and below, counted from 0
		if i < 0 || i >= len(o.starts) {
			continue
		}
		start := o.starts[i]
		end := start + strings.IndexByte(o.src[start:]+"\n", '\n')
		rule := strings.TrimRight(o.src[start:end], " \t\r")
		width := widthOf(text) + a.start - o.starts[a.line-1]
		if isRule(rule) && len(rule) < width && (i == a.line || o.isRuled(a.line, rule)) {
			o.edits = append(o.edits, edit{start, start + len(rule), strings.Repeat(rule[:1], width), line})
		}
	}
}

// isRuled reports whether the line below a line, both counted from 0 and 1, is a rule like
// another.
func (o *original) isRuled(below int, rule string) bool {
	return below < len(o.starts) && strings.HasPrefix(o.src[o.starts[below]:], rule)
}

// isRule reports whether a line consists of one sign that is no letter, as those of headings.
func isRule(line string) bool {
	if len(line) < 2 || line[0] > unicode.MaxASCII || !unicode.IsPunct(rune(line[0])) && !unicode.IsSymbol(rune(line[0])) {
		return false
	}
	return strings.Count(line, line[:1]) == len(line)
}

// widthOf is the most columns that a text takes: letters of Chinese take two.
func widthOf(text string) int {
	n := 0
	for _, r := range text {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// write writes the page with its edits.
func (o *original) write() translated {
	slices.SortStableFunc(o.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var t translated
	var b strings.Builder
	line := 0 // of the catalog, of the line that is being written
	add := func(text string) {
		b.WriteString(text)
	}
	lines := func(text string) {
		for range strings.Count(text, "\n") {
			t.lines = append(t.lines, line)
			line = 0
		}
	}
	at := 0
	for _, e := range o.edits {
		if e.start < at {
			continue // a text within a text
		}
		add(o.src[at:e.start])
		lines(o.src[at:e.start])
		line = e.line
		add(e.text)
		for range strings.Count(e.text, "\n") {
			t.lines = append(t.lines, e.line)
		}
		at = e.end
	}
	add(o.src[at:])
	lines(o.src[at:])
	t.lines = append(t.lines, line)
	t.text = b.String()
	return t
}
