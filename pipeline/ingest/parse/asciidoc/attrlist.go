package asciidoc

import "strings"

// listed is an attribute in a list in brackets. One without a name has its place alone.
type listed struct {
	name, value string
}

// attributeList reads the attributes between brackets, as Asciidoctor does: commas and "=" within
// quotes of either kind belong to values.
func attributeList(s string) []listed {
	var out []listed
	for len(out) < maxParts {
		value, rest, quoted := listValue(s, ",=")
		a := listed{value: value}
		if after, ok := strings.CutPrefix(rest, "="); ok && !quoted && value != "" {
			a.name = value
			a.value, rest, _ = listValue(after, ",")
		}
		out = append(out, a)
		at := strings.IndexByte(rest, ',')
		if at < 0 {
			break
		}
		s = rest[at+1:]
	}
	return out
}

// listValue is the value at the beginning of a text, up to one of some signs, and the rest.
func listValue(s, ends string) (value, rest string, quoted bool) {
	s = strings.TrimLeft(s, " ")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		for i := 1; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s) && s[i+1] == s[0]:
				i++
			case s[i] == s[0]:
				return strings.ReplaceAll(s[1:i], `\`+s[:1], s[:1]), strings.TrimLeft(s[i+1:], " "), true
			}
		}
	}
	end := strings.IndexAny(s, ends)
	if end < 0 {
		return strings.TrimSpace(s), "", false
	}
	return strings.TrimSpace(s[:end]), s[end:], false
}
