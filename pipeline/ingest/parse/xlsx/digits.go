package xlsx

import (
	"math"
	"strconv"
	"strings"
)

// digits is a code for numbers: where its digits stand and what it does with the number.
type digits struct {
	first, last       int  // pieces with digits
	leastBefore       int  // digits before the point that are always shown
	after, leastAfter int  // digits after the point: all, and those that are always shown
	grouped           bool // a comma parts thousands
	thousands         int  // how often the number is divided by a thousand
	percent           int  // how often it is multiplied by a hundred
	exponent          bool
	inner             bool // text stands between digits
}

func isDigits(p piece) bool { return !p.literal && strings.ContainsAny(p.text[:1], "0#?") }

// digitsOf reads a code for numbers; false: it has no digits, or a fraction.
func digitsOf(pieces []piece) (d digits, ok bool) {
	d.first = -1
	for i, p := range pieces {
		if isDigits(p) {
			if d.first < 0 {
				d.first = i
			}
			d.last = i
		}
	}
	point := false
	for i, p := range pieces {
		switch {
		case p.literal || p.text == " " || p.text == "-":
			d.inner = d.inner || i > d.first && i < d.last
		case isDigits(p):
			always := 0
			if p.text[0] == '0' {
				always = len(p.text)
			}
			switch {
			case d.exponent:
			case point:
				d.after += len(p.text)
				d.leastAfter += always
			default:
				d.leastBefore += always
			}
		case p.text[0] == '.':
			point = true
		case p.text[0] == ',' && i > d.first && i < d.last && !point:
			d.grouped = true
		case p.text[0] == ',' && i > d.last:
			d.thousands += len(p.text)
		case p.text[0] == '%':
			d.percent += len(p.text)
		case strings.EqualFold(p.text, "e") && i > d.first && i < d.last:
			d.exponent = true
		case p.text[0] == '/':
			return d, false
		}
	}
	return d, d.first >= 0 && d.after <= 30
}

// shownDigits shows a number in a format.
func shownDigits(n float64, pieces []piece) string {
	d, ok := digitsOf(pieces)
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	var b strings.Builder
	b.WriteString(sign)
	if !ok {
		for _, p := range pieces {
			switch {
			case p.literal:
				b.WriteString(p.text)
			case p.text == "General" || p.text == "@":
				b.WriteString(generalNumber(n))
			case strings.ContainsAny(p.text, "0#?/"):
				return sign + generalNumber(n)
			default:
				b.WriteString(p.text)
			}
		}
		return b.String()
	}
	n = n * math.Pow(100, float64(d.percent)) / math.Pow(1000, float64(d.thousands))
	for i, p := range pieces {
		switch {
		case i == d.first && d.inner && d.after == 0 && !d.exponent:
			b.WriteString(spread(strconv.FormatFloat(math.Round(n), 'f', 0, 64), pieces[d.first:d.last+1]))
		case i == d.first:
			b.WriteString(d.shown(n))
		case i > d.first && i <= d.last, !p.literal && i > d.last && p.text[0] == ',', !p.literal && p.text == "." && i < d.first:
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// shown is a number with its digits grouped and rounded.
func (d digits) shown(n float64) string {
	// Excel rounds what it shows in decimals: 1.005 is 1.01, although the nearest binary number
	// is smaller.
	n *= 1 + 5e-16
	if d.exponent {
		return strconv.FormatFloat(n, 'E', d.after, 64)
	}
	whole, part, _ := strings.Cut(strconv.FormatFloat(n, 'f', d.after, 64), ".")
	for len(part) > d.leastAfter && part[len(part)-1] == '0' {
		part = part[:len(part)-1]
	}
	if whole == "0" && d.leastBefore == 0 {
		whole = ""
	}
	whole = strings.Repeat("0", max(0, min(100, d.leastBefore)-len(whole))) + whole
	if d.grouped {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if part != "" {
		return whole + "." + part
	}
	return whole
}

// spread sets the digits of a number between the text of a code, from the right: 000-0000.
func spread(number string, pieces []piece) string {
	out := ""
	for i := len(pieces) - 1; i >= 0; i-- {
		if !isDigits(pieces[i]) {
			out = pieces[i].text + out
			continue
		}
		for k := len(pieces[i].text) - 1; k >= 0; k-- {
			switch last := len(number) - 1; {
			case last >= 0:
				out, number = number[last:]+out, number[:last]
			case pieces[i].text[k] == '0':
				out = "0" + out
			}
		}
	}
	return number + out
}
