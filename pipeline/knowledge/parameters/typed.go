package parameters

import (
	"strings"
	"unicode"

	"docent/pipeline/text/pattern"
)

// mostTypeWords is how far the types behind a name are read, in bytes.
const mostTypeWords = 300

var (
	// typeAhead is one type at the beginning of a text: a link to its page, a name with its arguments or "[]", or a word.
	typeAhead = pattern.Lazy(`^(?:\[[^\[\]()]{1,60}\]\([^()\s]{1,200}\)` +
		`|\(?[A-Za-z][\w.]{0,60})(?:\\?<[^<>]{1,80}\\?>)?(?:\\?\[\\?\])?\)?(?:\\?\[\\?\])?`)
	// typeBetween stands between types of which one holds.
	typeBetween = pattern.Lazy(`^ ?(?:\\?\||or|/) ?`)
	// marksBehind are words in italics behind the type: the systems that have the parameter.
	marksBehind = pattern.Lazy(`^(?: +(?:_[^_\n]{1,30}_|\*[^*\n]{1,30}\*))+`)
)

// readTypeWords reads what stands behind a name in code where types are written without brackets, or in braces:
// "`wick` Integer (optional) - how long it is", "`oil` {string|Oil} which oil". It gives the description. false: the
// name begins a sentence, or has no description.
func (p *Parameter) readTypeWords(rest, body string) (desc string, ok bool) {
	t := strings.TrimLeft(rest, " ")
	if t == rest || t == "" {
		return "", false
	}
	typ, after, braced := typeInBraces(t)
	known := braced
	if !braced {
		typ, known = typesAhead(t[:min(len(t), mostTypeWords)])
		after = t[len(typ):]
	}
	if typ == "" {
		return "", false
	}
	named := Parameter{Type: plainText(typ)}
	after, bracketed, _ := named.readBrackets(after)
	if !known && !bracketed || len(named.Type) > MostType {
		return "", false
	}
	after = after[len(marksBehind().FindString(after)):]
	if after = strings.TrimSpace(after); after == "-" || after == "–" || after == "—" { // before the next line
		after = ""
	}
	desc, ok = description(after)
	if braced && !ok {
		desc, ok = after, true
	}
	if !ok || desc == "" && !bracketed && strings.TrimSpace(body) == "" {
		return "", false
	}
	p.Type, p.Default, p.Required = named.Type, named.Default, named.Required
	return desc, true
}

// typeInBraces cuts "{string|Oil} which oil".
func typeInBraces(t string) (typ, after string, ok bool) {
	if t[0] != '{' {
		return "", t, false
	}
	end := strings.IndexByte(t[:min(len(t), mostTypeWords)], '}')
	if end < 2 || !isTypeName(plainText(t[1:end])) {
		return "", t, false
	}
	return t[1:end], t[end+1:], true
}

// typesAhead are the types with which a text begins. known: the text says in its form, or by a word, that they are
// types.
func typesAhead(t string) (types string, known bool) {
	known = true
	at := 0
	for {
		one := typeAhead().FindString(t[at:])
		if one == "" {
			return "", false
		}
		switch {
		case isTypeInWords(one):
		case unicode.IsUpper(rune(strings.TrimLeft(one, "(")[0])):
			known = false
		default:
			return "", false
		}
		at += len(one)
		between := typeBetween().FindString(t[at:])
		if between == "" || typeAhead().FindString(t[at+len(between):]) == "" {
			return t[:at], known
		}
		at += len(between)
	}
}

// isTypeInWords reports whether a word is a type whatever stands around it.
func isTypeInWords(s string) bool {
	if s[0] == '[' || strings.HasSuffix(s, "]") || strings.HasSuffix(s, ">") {
		return true
	}
	switch word := strings.ToLower(strings.Trim(s, "()")); word {
	case "function", "buffer", "promise", "regexp", "null", "undefined", "none":
		return true
	case "path", "time", "date", "list", "map", "any", "enum": // words of sentences too
		return unicode.IsUpper(rune(strings.Trim(s, "()")[0]))
	default:
		return isKnownType(word)
	}
}
