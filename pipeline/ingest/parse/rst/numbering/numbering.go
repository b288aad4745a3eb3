// Package numbering reads the marks of the items of numbered lists: "1.", "(a)", "iv)", "#.".
//
// It refuses to know lists.
package numbering

import "strings"

// Sequence is the kind of the numbers of a list.
type Sequence int

const (
	automatic Sequence = iota + 1
	arabic
	lowerAlpha
	upperAlpha
	lowerRoman
	upperRoman
)

// Mark is the mark of an item of a numbered list.
type Mark struct {
	Sequence Sequence
	Number   int
	Width    int  // bytes
	Column   int  // of its text
	form     byte // '.', ')' or '('
}

// Read reads "1.", "(a)", "iv)", "#." at the beginning of a line. want is the
// sequence of the list that the item may continue, 0 for the first item.
func Read(t string, want Sequence) (Mark, bool) {
	e := Mark{}
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
	e.Width, e.Column = i, i+1
	if i < len(t) {
		if t[i] != ' ' {
			return e, false
		}
		e.Column = i + len(t[i:]) - len(strings.TrimLeft(t[i:], " "))
	}
	e.Sequence, e.Number = ordinal(body, want)
	return e, e.Sequence != 0
}

// ordinal reads the number of an enumerator. One letter is a letter of the alphabet
// except for "i", which begins Roman numbers, and where the list says otherwise.
func ordinal(s string, want Sequence) (Sequence, int) {
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

// Follows reports whether an item continues a list that has come to a number.
func (e Mark) Follows(first Mark, number int) bool {
	return e.form == first.form && (e.Sequence == automatic || first.Sequence == e.Sequence && e.Number == number+1)
}
