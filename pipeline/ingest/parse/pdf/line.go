package pdf

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/build"
)

// line is a line of text of one region of a page.
type line struct {
	box
	words       []word
	page        int
	ocr         bool
	style       style
	mono        bool
	left, right float64 // of its region
	first       bool    // of its region
	indented    bool    // the next line begins more to the left
	gap         float64 // to the line before in the region
	pitch       float64 // the usual distance of two lines in the region, from middle to middle
	segments    int
	heading     int    // its level, 0: none
	joined      int    // further lines that belong to the heading
	title       string // of the heading by the outline, "": the words
}

// style distinguishes headings from text.
type style struct {
	size float64 // in half points
	bold bool
}

// lineOf makes a line of a row.
func lineOf(r row, p *page) *line {
	l := &line{box: r.box, page: p.number, ocr: p.ocr, segments: len(r.segments)}
	for _, s := range r.segments {
		l.words = append(l.words, s.words...)
	}
	sizes := map[float64]int{}
	most, mono, bold, all := 0, 0, 0, 0
	for _, w := range l.words {
		n := utf8.RuneCountInString(w.text)
		all += n
		size := math.Round(2*w.boxHeight()) / 2
		if w.font != nil {
			size = math.Round(2*w.font.size) / 2
			if w.font.mono {
				mono += n
			}
			if w.font.bold {
				bold += n
			}
		}
		if sizes[size] += n; sizes[size] > most {
			most, l.style.size = sizes[size], size
		}
	}
	if p.ocr { // the height of a word says what letters it has
		l.style.size = 2 * math.Round(medianHeight(l.words)/2)
	}
	l.style.bold = bold*20 >= all*19 && bold > 0
	l.mono = mono > 0 && mono*10 >= all*9
	return l
}

func medianHeight(words []word) float64 {
	var all []float64
	for _, w := range words {
		all = append(all, w.boxHeight())
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func (l *line) lineText() string { return textOfWords(l.words) }

// textOfWords joins words with blanks.
func textOfWords(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// inlineOf is words as an inline of Markdown: words in a monospaced font are code.
func inlineOf(words []word) string {
	var b strings.Builder
	for i := 0; i < len(words); {
		n := i + 1
		code := isCode(words[i])
		for n < len(words) && isCode(words[n]) == code {
			n++
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if text := textOfWords(words[i:n]); code && hasLetters(text, 1) {
			bare := strings.TrimRight(text, ".,;:") // of the sentence
			b.WriteString(build.CodeInline(bare) + text[len(bare):])
		} else {
			b.WriteString(build.TextInline(text))
		}
		i = n
	}
	return b.String()
}

func isCode(w word) bool { return w.font != nil && w.font.mono }

// bullets are the signs that begin items of lists; dashes do where a gap follows.
const (
	bullets = "•◦▪■●○◆➢❑✓‣∙·"
	dashes  = "-–—*o"
)

// itemLabel says how a line begins that is an item of a list: with a bullet, or with a
// number, which is returned; "" is no label.
func (l *line) itemLabel() (kind string, number int) {
	if len(l.words) < 2 {
		return "", 0
	}
	first := l.words[0].text
	r, size := utf8.DecodeRuneInString(first)
	if size == len(first) && strings.ContainsRune(bullets, r) {
		return "bullet", 0
	}
	gap := l.words[1].x0 - l.words[0].x1
	if size == len(first) && strings.ContainsRune(dashes, r) && gap >= 0.45*l.words[1].boxHeight() {
		return "bullet", 0
	}
	if n, ok := listNumberOf(first); ok {
		return "number", n
	}
	if isLabel(first) && strings.ContainsAny(first, "()[") {
		return "letter", 0
	}
	return "", 0
}

// listNumberOf reads "12." and "12)".
func listNumberOf(s string) (int, bool) {
	if n := len(s); n < 2 || n > 4 || s[n-1] != '.' && s[n-1] != ')' {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s[:len(s)-1], "("))
	return n, err == nil && n >= 0
}

// isLabel reports whether a text is the label of a list item or a heading: a bullet,
// "12.", "(a)", "iv)", "A.2.3".
func isLabel(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	if size == len(s) && strings.ContainsRune(bullets+dashes, r) {
		return true
	}
	if isReference(s) {
		return true
	}
	if len(s) > 12 || s == "" {
		return false
	}
	body := strings.Trim(s, "().:")
	if !strings.ContainsAny(s[1:], ").:") {
		return false
	}
	for part := range strings.SplitSeq(body, ".") {
		_, err := strconv.Atoi(part)
		roman := part != "" && strings.Trim(strings.ToLower(part), "ivx") == ""
		letter := len(part) == 1 && unicode.IsLetter(rune(part[0]))
		if err != nil && !roman && !letter {
			return false
		}
	}
	return true
}

// isReference reports whether a text is the mark of an entry in a list of references.
func isReference(s string) bool {
	return len(s) > 2 && len(s) < 24 && s[0] == '[' && strings.IndexByte(s, ']') == len(s)-1
}

// endsSentence reports whether a text ends a sentence.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, `)]"'”’»`)
	return s != "" && strings.ContainsAny(s[len(s)-1:], ".:;?!") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, "。")
}

// beginsLow reports whether a text begins with a lower case letter.
func beginsLow(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// depthByNumber is how deep a heading's number says that it is: 2 of "3.1 Scope" and "A.2",
// 0 of a heading without a number.
func depthByNumber(words []word) int {
	if len(words) < 2 {
		return 0
	}
	s := strings.TrimRight(words[0].text, ".")
	if s == "" || len(s) > 12 {
		return 0
	}
	depth := 0
	for i, part := range strings.Split(s, ".") {
		_, err := strconv.Atoi(part)
		if err != nil && (i > 0 || len(part) != 1 || part < "A" || part > "Z" || !strings.Contains(s, ".")) {
			return 0
		}
		if len(part) > 3 {
			return 0
		}
		depth++
	}
	return depth
}
