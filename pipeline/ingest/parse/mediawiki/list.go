package mediawiki

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// item is an open item of a list: sign is its character in wikitext, or stands for a tag.
type item struct {
	sign   byte
	open   bool // a container is open for it
	number int
}

// deepest is how many signs a line of a list may begin with; more are text.
const deepest = 20

// isTag reports whether an item is one of a tag of HTML.
func (i item) isTag() bool { return strings.IndexByte("*#:;", i.sign) < 0 }

// below is the number of items of tags, in which those of signs stand.
func (p *page) below() int {
	n := len(p.items)
	for n > 0 && !p.items[n-1].isTag() {
		n--
	}
	return n
}

// closeItems closes the items of signs down to n of them.
func (p *page) closeItems(n int) { p.dropItems(p.below() + n) }

// dropItems closes items down to n.
func (p *page) dropItems(n int) {
	if len(p.items) <= n {
		return
	}
	p.endParagraph()
	for len(p.items) > n {
		if p.items[len(p.items)-1].open {
			p.w.Close()
		}
		p.items = p.items[:len(p.items)-1]
	}
}

// writeItem writes a line of a list.
func (p *page) writeItem(l line) {
	p.endParagraph()
	size := 0
	for size < len(l.text) && size < deepest && strings.IndexByte("*#:;", l.text[size]) >= 0 {
		size++
	}
	signs, text := l.text[:size], strings.TrimSpace(l.text[size:])
	base := p.below()
	open := p.items[base:]
	last := size - 1
	same := 0
	for same < last && same < len(open) && sameList(open[same].sign, signs[same]) {
		same++
	}
	if same < last { // the lists around it are not open
		p.closeItems(same)
		for _, s := range []byte(signs[same:last]) {
			p.items = append(p.items, item{sign: s})
		}
		open = p.items[base:]
	}
	sign, number := signs[last], 1
	if last < len(open) && sameList(open[last].sign, sign) {
		number = open[last].number + 1
		if sign == ':' { // it goes on with what the item says
			p.closeItems(last + 1)
			p.addText(line{text, l.at})
			return
		}
	}
	p.closeItems(last)
	p.place(l.at)
	switch sign {
	case '*':
		p.w.Open(build.Bullet)
	case '#':
		p.w.Open(build.Number(number))
	case ';':
		term, body := splitTerm(text)
		inline, _ := build.RawLines(p.inline(term))
		p.items = append(p.items, item{sign: ';', open: true})
		p.w.Definition(inline)
		if inline == "" {
			p.w.Paragraph("")
		}
		text = body
	default:
		p.items = append(p.items, item{sign: ':'})
	}
	if sign == '*' || sign == '#' {
		p.items = append(p.items, item{sign: sign, open: true, number: number})
	}
	if text != "" {
		p.addText(line{text, l.at})
	}
}

// sameList reports whether two signs are of one list.
func sameList(a, b byte) bool {
	return a == b || strings.IndexByte(":;", a) >= 0 && strings.IndexByte(":;", b) >= 0
}

// splitTerm cuts a term from the text that follows it on its line, behind a colon with a
// blank.
func splitTerm(s string) (term, body string) {
	for _, mark := range []string{" : ", " :", ": "} {
		if i := strings.Index(s, mark); i > 0 && !strings.HasPrefix(s[i+len(mark):], "//") {
			return s[:i], strings.TrimSpace(s[i+len(mark):])
		}
	}
	return s, ""
}

func numberOr(s string, other int) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return other
}
