package asciidoc

import "strings"

// substituted makes the substitutions of code: attributes become their values, and marks
// are left out, since readers copy the code.
func (p *page) substituted(in []line, subs string) []line {
	attributes, quotes := false, false
	for name := range strings.SplitSeq(subs, ",") {
		switch strings.Trim(name, "+ ") {
		case "normal":
			attributes, quotes = true, true
		case "attributes", "a":
			attributes = true
		case "quotes", "q":
			quotes = true
		}
	}
	if !attributes && !quotes {
		return in
	}
	out := make([]line, len(in))
	for i, l := range in {
		if attributes {
			l.text = p.expand(l.text)
		}
		if quotes {
			l.text = withoutQuotes(l.text)
		}
		out[i] = l
	}
	return out
}

// withoutQuotes is a line without the marks of bold, italic, monospaced and marked text.
func withoutQuotes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '[' { // a role changes how the marked text behind it looks
			if m := roleRef().FindString(s[i:]); m != "" && (i == 0 || !touchesWord(s[:i], true)) {
				mark := i + len(m) - 1
				if in, n := quoted(s, mark, s[mark:mark+1]); n > 0 && s[mark] != '+' {
					b.WriteString(withoutQuotes(in))
					i = mark + n
					continue
				}
			}
		}
		if strings.IndexByte("*_`#", s[i]) >= 0 {
			if in, n := quoted(s, i, s[i:i+1]); n > 0 {
				b.WriteString(withoutQuotes(in))
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}
