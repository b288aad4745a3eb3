package rst

import (
	"strings"
)

// bullets reads a list of items with the same mark.
func (r *reader) bullets(b *run, i int) int {
	list := r.newNode(bullets, b.view, i)
	mark, _ := bulletMark(b.lineAt(i))
	for i < b.lineCount() {
		if b.isBlank(i) {
			i++
			continue
		}
		m, column := bulletMark(b.lineAt(i))
		if m != mark {
			break
		}
		n, end := r.readItem(b, i, len(string(m)), column)
		list.kids = append(list.kids, n)
		i = end
	}
	b.out = append(b.out, list)
	return i
}

// readItem reads one item: the text behind its mark, and the lines below that.
func (r *reader) readItem(b *run, i, mark, column int) (*node, int) {
	n := r.newNode(item, b.view, i)
	var v view
	end := i
	if len(b.lineAt(i)) <= mark {
		v, end = b.hanging(i, mark)
	} else {
		end = b.indented(i+1, column)
		b.maskBytes(i, column)
		v = b.linesBetween(i, end).inner(column)
	}
	n.kids = r.blocks(v, false)
	return n, end
}

// sequence is the kind of an enumerator.
type sequence int

const (
	automatic sequence = iota + 1
	arabic
	lowerAlpha
	upperAlpha
	lowerRoman
	upperRoman
)

// enumerator is the mark of an item of a numbered list.
type enumerator struct {
	seq    sequence
	form   byte // '.', ')' or '('
	number int
	mark   int // bytes
	column int // of its text
}

// readEnumerator reads "1.", "(a)", "iv)", "#." at the beginning of a line. want is the
// sequence of the list that the item may continue, 0 for the first item.
func readEnumerator(t string, want sequence) (enumerator, bool) {
	e := enumerator{}
	i := 0
	if t != "" && t[0] == '(' {
		e.form, i = '(', 1
	}
	from := i
	for i < len(t) && i < from+9 && (t[i] >= '0' && t[i] <= '9' || t[i]|0x20 >= 'a' && t[i]|0x20 <= 'z' || t[i] == '#') {
		i++
	}
	if i == from || i >= len(t) {
		return e, false
	}
	body := t[from:i]
	switch {
	case t[i] == ')':
		if e.form == 0 {
			e.form = ')'
		}
	case t[i] == '.' && e.form == 0:
		e.form = '.'
	default:
		return e, false
	}
	i++
	e.mark, e.column = i, i+1
	if i < len(t) {
		if t[i] != ' ' {
			return e, false
		}
		e.column = i + indentOf(t[i:])
	}
	e.seq, e.number = ordinal(body, want)
	return e, e.seq != 0
}

// ordinal reads the number of an enumerator. One letter is a letter of the alphabet
// except for "i", which begins Roman numbers, and where the list says otherwise.
func ordinal(s string, want sequence) (sequence, int) {
	c := s[0]
	switch {
	case s == "#":
		return automatic, 1
	case c >= '0' && c <= '9':
		n := 0
		for _, d := range []byte(s) {
			if d < '0' || d > '9' {
				return 0, 0
			}
			n = n*10 + int(d-'0')
		}
		return arabic, n
	}
	roman := romanNumber(s)
	lower := s == strings.ToLower(s)
	single := len(s) == 1 && c != '#'
	wantsRoman := want == lowerRoman || want == upperRoman
	wantsAlpha := want == lowerAlpha || want == upperAlpha
	switch {
	case roman > 0 && (!single || wantsRoman || !wantsAlpha && (c == 'i' || c == 'I')):
		if lower {
			return lowerRoman, roman
		}
		return upperRoman, roman
	case single && lower:
		return lowerAlpha, int(c-'a') + 1
	case single:
		return upperAlpha, int(c-'A') + 1
	}
	return 0, 0
}

// romanNumber reads a Roman number in one case, 0 where the letters are none.
func romanNumber(s string) int {
	if s != strings.ToLower(s) && s != strings.ToUpper(s) {
		return 0
	}
	value := func(c byte) int {
		switch c | 0x20 {
		case 'i':
			return 1
		case 'v':
			return 5
		case 'x':
			return 10
		case 'l':
			return 50
		case 'c':
			return 100
		case 'd':
			return 500
		case 'm':
			return 1000
		}
		return 0
	}
	total := 0
	for i := range len(s) {
		v := value(s[i])
		if v == 0 {
			return 0
		}
		if i+1 < len(s) && value(s[i+1]) > v {
			total -= v
		} else {
			total += v
		}
	}
	return max(0, total)
}

// follows reports whether an item continues a list that has come to a number.
func (e enumerator) follows(first enumerator, number int) bool {
	return e.form == first.form && (e.seq == automatic || first.seq == e.seq && e.number == number+1)
}

// stands reports whether the line after an enumerator lets it be one: a blank or indented
// line, or the next item. "A. Einstein was a great" … is a paragraph.
func (b *run) stands(i int, e enumerator) bool {
	if i+1 >= b.lineCount() || b.isBlank(i+1) || b.lineAt(i + 1)[0] == ' ' {
		return true
	}
	next, ok := readEnumerator(b.lineAt(i+1), e.seq)
	return ok && next.form == e.form && (next.seq == automatic || next.seq == e.seq && next.number == e.number+1)
}

// numbers reads a numbered list. It returns i where none begins.
func (r *reader) numbers(b *run, i int) int {
	first, ok := readEnumerator(b.lineAt(i), 0)
	if !ok || !b.stands(i, first) {
		return i
	}
	list := r.newNode(numbers, b.view, i)
	list.level = first.number
	number := first.number - 1
	for i < b.lineCount() {
		if b.isBlank(i) {
			i++
			continue
		}
		e, ok := readEnumerator(b.lineAt(i), first.seq)
		if !ok || len(list.kids) > 0 && (!e.follows(first, number) || !b.stands(i, e)) {
			break
		}
		n, end := r.readItem(b, i, e.mark, e.column)
		list.kids = append(list.kids, n)
		number++
		i = end
	}
	b.out = append(b.out, list)
	return i
}
