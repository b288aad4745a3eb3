package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// builtinFormats are the codes of the formats that a workbook uses without having them
// (ECMA-376 part 1, 18.8.30). Those of dates that depend on the country are in ISO's order.
var builtinFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
	21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
	40: "#,##0.00;(#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0",
}

// piece is a part of a format's code: text that is shown, or a run of one sign with a meaning.
type piece struct {
	text    string
	literal bool
}

// shownNumber is a number in the format of its cell. A code that is not understood shows the
// number in the general format.
func shownNumber(n float64, code string, is1904 bool) string {
	if math.IsNaN(n) || math.IsInf(n, 0) || len(code) > 500 {
		return generalNumber(n)
	}
	sections := sectionsOf(code)
	section := sections[0]
	switch {
	case n < 0 && len(sections) > 1:
		section, n = sections[1], -n
	case n == 0 && len(sections) > 2:
		section = sections[2]
	}
	pieces, ok := piecesOf(section)
	switch {
	case !ok, section == "" && len(sections) == 1:
		return generalNumber(n)
	case isDate(pieces):
		if at, ok := timeOf(n, is1904); ok {
			return shownTime(at, n, pieces)
		}
		return generalNumber(n)
	}
	return shownDigits(n, pieces)
}

// generalNumber is a number as cells without a format show it: integers whole, others with ten
// digits.
func generalNumber(n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1e15 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	if abs := math.Abs(n); abs >= 1e-9 && abs < 1e15 {
		text := strconv.FormatFloat(n, 'f', max(0, min(17, 9-int(math.Floor(math.Log10(abs))))), 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	return strconv.FormatFloat(n, 'G', 6, 64)
}

// sectionsOf are the parts of a code: for positive numbers, negative ones, zero, and texts.
func sectionsOf(code string) []string {
	var sections []string
	from, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\':
			i++
		case c == ';':
			sections = append(sections, code[from:i])
			from = i + 1
		}
	}
	return append(sections, code[from:])
}

// piecesOf cuts a section of a code; false: it has a condition, or a fraction.
func piecesOf(section string) (pieces []piece, ok bool) {
	signs := []rune(section)
	add := func(text string, literal bool) { pieces = append(pieces, piece{text, literal}) }
	for i := 0; i < len(signs); i++ {
		switch c := signs[i]; c {
		case '"':
			from := i + 1
			for i++; i < len(signs) && signs[i] != '"'; i++ {
			}
			add(string(signs[from:min(i, len(signs))]), true)
		case '\\':
			if i++; i < len(signs) {
				add(string(signs[i]), true)
			}
		case '_':
			i++
			add(" ", true)
		case '*':
			i++
		case '[':
			from := i + 1
			for i++; i < len(signs) && signs[i] != ']'; i++ {
			}
			inner := string(signs[from:min(i, len(signs))])
			switch {
			case inner == "" || strings.ContainsAny(inner, "<>="):
				return nil, false
			case inner[0] == '$':
				symbol, _, _ := strings.Cut(inner[1:], "-")
				add(symbol, true)
			case strings.Trim(strings.ToLower(inner), inner[:1]) == "" && strings.ContainsAny(inner[:1], "hmsHMS"):
				add("["+strings.ToLower(inner), false)
			}
		default:
			rest := string(signs[i:])
			switch {
			case strings.HasPrefix(rest, "General"):
				add("General", false)
				i += len("General") - 1
			case len(rest) >= 5 && strings.EqualFold(rest[:5], "AM/PM"):
				add("AM/PM", false)
				i += 4
			case strings.HasPrefix(rest, "A/P"):
				add("A/P", false)
				i += 2
			default:
				from := i
				for i+1 < len(signs) && signs[i+1] == c {
					i++
				}
				add(string(signs[from:i+1]), false)
			}
		}
	}
	return pieces, true
}

// isDate reports whether a code shows a date or a time.
func isDate(pieces []piece) bool {
	for _, p := range pieces {
		if !p.literal && (p.text[0] == '[' || strings.ContainsAny(p.text[:1], "yYmMdDhHsS")) {
			return true
		}
	}
	return false
}

// timeOf is the time that a number of days stands for. Excel counts a 29 February 1900 that
// there was not.
func timeOf(days float64, is1904 bool) (time.Time, bool) {
	if days < 0 || days >= 2_958_466 { // the year 10000
		return time.Time{}, false
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case is1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		first = first.AddDate(0, 0, 1)
	}
	whole := math.Floor(days)
	return first.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round((days-whole)*86_400_000)) * time.Millisecond), true
}

// timeLayouts are the layouts of package time for the pieces of dates and times, but for those
// of months, which are written as those of minutes are.
var timeLayouts = map[string]string{"y": "06", "yy": "06", "yyy": "2006", "yyyy": "2006",
	"d": "2", "dd": "02", "ddd": "Mon", "dddd": "Monday", "s": "5", "ss": "05", "AM/PM": "PM"}

var (
	monthLayouts  = map[string]string{"m": "1", "mm": "01", "mmm": "Jan", "mmmm": "January"}
	minuteLayouts = map[string]string{"m": "4", "mm": "04"}
)

// shownTime shows a time in a format.
func shownTime(at time.Time, days float64, pieces []piece) string {
	twelve, fraction := false, false
	for i, p := range pieces {
		twelve = twelve || !p.literal && (p.text == "AM/PM" || p.text == "A/P")
		fraction = fraction || !p.literal && p.text == "." && i+1 < len(pieces) && strings.Trim(pieces[i+1].text, "0") == ""
	}
	if !fraction {
		at = at.Round(time.Second)
	}
	var b strings.Builder
	for i, p := range pieces {
		lower := strings.ToLower(p.text)
		switch {
		case p.literal:
			b.WriteString(p.text)
		case lower[0] == '[':
			unit := map[byte]float64{'h': 24, 'm': 24 * 60, 's': 24 * 3600}[lower[1]]
			count := strconv.FormatFloat(math.Floor(days*unit+1e-6), 'f', 0, 64)
			b.WriteString(strings.Repeat("0", max(0, len(lower)-1-len(count))) + count)
		case lower[0] == 'h':
			hour := at.Hour()
			if twelve {
				hour = (hour+11)%12 + 1
			}
			if len(lower) > 1 && hour < 10 {
				b.WriteByte('0')
			}
			b.WriteString(strconv.Itoa(hour))
		case lower[0] == 'm' && isMinute(pieces, i) && minuteLayouts[lower] != "":
			b.WriteString(at.Format(minuteLayouts[lower]))
		case lower[0] == 'm' && len(lower) == 5:
			b.WriteString(at.Month().String()[:1])
		case lower[0] == 'm':
			b.WriteString(at.Format(monthLayouts[lower]))
		case p.text == "A/P":
			b.WriteString(at.Format("PM")[:1])
		case timeLayouts[lower] != "":
			b.WriteString(at.Format(timeLayouts[lower]))
		case timeLayouts[p.text] != "":
			b.WriteString(at.Format(timeLayouts[p.text]))
		case strings.Trim(lower, "0") == "" && i > 0 && pieces[i-1].text == ".":
			b.WriteString((strconv.Itoa(1000 + at.Nanosecond()/1e6)[1:] + strings.Repeat("0", len(lower)))[:len(lower)])
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// isMinute reports whether an m is one of minutes: behind hours, or before seconds.
func isMinute(pieces []piece, i int) bool {
	near := func(step int) byte {
		for k := i + step; k >= 0 && k < len(pieces); k += step {
			if text := strings.ToLower(strings.TrimPrefix(pieces[k].text, "[")); !pieces[k].literal && text != "" &&
				strings.ContainsAny(text[:1], "ymdhs") {
				return text[0]
			}
		}
		return 0
	}
	return near(-1) == 'h' || near(1) == 's'
}
