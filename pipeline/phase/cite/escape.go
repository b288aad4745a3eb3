package cite

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/contract"
)

// escapeName writes a name on one line, as the package comment describes. bar says that
// vertical bars are escaped too.
func escapeName(s string, bar bool) string {
	if !needsEscape(s, bar) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case bar && r == '|', r == ' ' && (i == 0 || i+1 == len(s)), r < 0x80 && unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case contract.UnsafeRune(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func needsEscape(s string, bar bool) bool {
	if !utf8.ValidString(s) || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return true
	}
	return strings.ContainsFunc(s, func(r rune) bool {
		return r == '\\' || bar && r == '|' || contract.UnsafeRune(r)
	})
}

// unescapeName reverses escape. Invalid escapes stay as they are.
func unescapeName(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		size := 2
		switch c := s[i+1]; c {
		case '\\':
			b.WriteByte('\\')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		default:
			digits := 0
			switch c {
			case 'x':
				digits = 2
			case 'u':
				digits = 4
			}
			v, ok := hexDigits(s[i+2:], digits)
			switch {
			case !ok:
				b.WriteString(s[i : i+2])
			case c == 'x':
				b.WriteByte(byte(v))
				size += digits
			default:
				b.WriteRune(rune(v))
				size += digits
			}
		}
		i += size
	}
	return b.String()
}

func hexDigits(s string, digits int) (uint64, bool) {
	if digits == 0 || len(s) < digits {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:digits], 16, 32)
	return v, err == nil
}
