package sphinx

import "strings"

// expression reads an expression of Python whose value is a string.
type expression struct {
	src    string
	at     int
	values map[string]string
	depth  int  // of parentheses: line ends are blanks in them
	failed bool // something that is not read
}

// maxDepth is how deep parentheses are read.
const maxDepth = 20

// skip goes past blanks and comments, and past line ends within parentheses.
func (x *expression) skip() {
	for x.at < len(x.src) {
		switch c := x.src[x.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' && x.depth > 0:
			x.at++
		case c == '\\' && strings.HasPrefix(x.src[x.at:], "\\\n"):
			x.at += 2
		case c == '#' && x.depth > 0:
			if end := strings.IndexByte(x.src[x.at:], '\n'); end >= 0 {
				x.at += end
			} else {
				x.at = len(x.src)
			}
		default:
			return
		}
	}
}

// take goes past a text, and reports whether the source goes on with it.
func (x *expression) take(s string) bool {
	x.skip()
	if !strings.HasPrefix(x.src[x.at:], s) {
		return false
	}
	x.at += len(s)
	return true
}

// ends reports whether the expression ends its line.
func (x *expression) ends() bool {
	x.skip()
	return x.at == len(x.src) || strings.IndexByte("\n#;", x.src[x.at]) >= 0
}

// sum reads strings that are joined by "+".
func (x *expression) sum() (string, bool) {
	value, ok := x.factor()
	for ok && x.take("+") {
		var more string
		more, ok = x.factor()
		value += more
	}
	return value, ok && !x.failed
}

// factor reads a string, a name or an expression in parentheses, and calls of its methods.
func (x *expression) factor() (string, bool) {
	value, ok := x.term()
	for ok {
		switch {
		case x.take(".format("):
			value, ok = x.format(value)
		case x.take(".strip()"), x.take(".lstrip()"), x.take(".rstrip()"):
			value = strings.TrimSpace(value)
		case x.take("%"):
			value, ok = x.percent(value)
		default:
			return value, true
		}
	}
	return "", false
}

// term reads a name, strings that follow each other, or an expression in parentheses.
func (x *expression) term() (string, bool) {
	x.skip()
	if x.take("(") {
		if x.depth++; x.depth > maxDepth {
			return "", false
		}
		value, ok := x.sum()
		ok = ok && x.take(")")
		x.depth--
		return value, ok
	}
	value, ok := x.literal()
	for ok {
		x.skip()
		more, again := x.literal()
		if !again {
			return value, true
		}
		value += more
	}
	value, ok = x.values[x.name()]
	return value, ok
}

// name reads a name; "" where none stands.
func (x *expression) name() string {
	x.skip()
	from := x.at
	for x.at < len(x.src) && (isWord(x.src[x.at])) {
		x.at++
	}
	return x.src[from:x.at]
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// literal reads one string with its prefix.
func (x *expression) literal() (string, bool) {
	rest := x.src[x.at:]
	n := 0
	for n < len(rest) && n < 2 && strings.IndexByte("rRuUfFbB", rest[n]) >= 0 {
		n++
	}
	if n == len(rest) || rest[n] != '"' && rest[n] != '\'' {
		return "", false
	}
	prefix, quote := strings.ToLower(rest[:n]), rest[n:n+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(rest[n:], long) {
		quote = long
	}
	body := rest[n+len(quote):]
	end := 0
	for ; !strings.HasPrefix(body[end:], quote); end++ {
		if end >= len(body) || len(quote) == 1 && body[end] == '\n' {
			return "", false
		}
		if body[end] == '\\' && end+1 < len(body) {
			end++
		}
	}
	x.at += n + 2*len(quote) + end
	value := body[:end]
	if !strings.Contains(prefix, "r") {
		value = unescaped(value)
	}
	if strings.Contains(prefix, "f") {
		value = x.fill(value, x.values)
	}
	return value, true
}

// unescaped is the value of a string with backslashes.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer("\\\n", "", `\n`, "\n", `\t`, "\t", `\\`, `\`, `\'`, `'`, `\"`, `"`).Replace(s)
}

// fill puts values in the places of names in braces. A name without a value fails the expression.
func (x *expression) fill(s string, values map[string]string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		if i+1 < len(s) && s[i+1] == s[i] { // a brace that is doubled is itself
			b.WriteByte(s[i])
			s = s[i+2:]
			continue
		}
		end := strings.IndexByte(s[i:], '}')
		if s[i] == '}' || end < 0 {
			x.failed = true
			return ""
		}
		v, ok := values[s[i+1:i+end]]
		if !ok || b.Len()+len(v) > maxText {
			x.failed = true
			return ""
		}
		b.WriteString(v)
		s = s[i+end+1:]
	}
	return b.String() + s
}

// arguments reads the arguments up to a parenthesis: values by their places and by names.
func (x *expression) arguments() (places []string, named map[string]string, ok bool) {
	x.depth++
	defer func() { x.depth-- }()
	named = map[string]string{}
	for !x.take(")") {
		at := x.at
		name := x.name()
		if name == "" || !x.take("=") {
			x.at, name = at, ""
		}
		value, ok := x.sum()
		if !ok {
			return nil, nil, false
		}
		if named[name] = value; name == "" {
			places = append(places, value)
		}
		if !x.take(",") {
			return places, named, x.take(")")
		}
	}
	return places, named, true
}

// format is s.format(…).
func (x *expression) format(s string) (string, bool) {
	places, named, ok := x.arguments()
	if !ok {
		return "", false
	}
	for i, v := range places {
		named[string(rune('0'+min(i, 9)))] = v
	}
	for _, v := range places {
		s = strings.Replace(s, "{}", v, 1)
	}
	s = x.fill(s, named)
	return s, !x.failed && len(s) <= maxText
}

// percent is s % value, or s % (values).
func (x *expression) percent(s string) (string, bool) {
	var places []string
	if x.take("(") {
		var ok bool
		if places, _, ok = x.arguments(); !ok {
			return "", false
		}
	} else {
		v, ok := x.term()
		if !ok {
			return "", false
		}
		places = []string{v}
	}
	for _, v := range places {
		if !strings.Contains(s, "%s") || len(s)+len(v) > maxText {
			return "", false
		}
		s = strings.Replace(s, "%s", v, 1)
	}
	return strings.ReplaceAll(s, "%%", "%"), true
}

// texts reads a dictionary of strings. Entries that are not plain are left out with all that follow.
func (x *expression) texts(into map[string]string) {
	if x.depth++; !x.take("{") {
		return
	}
	for len(into) < maxValues && !x.take("}") {
		x.skip()
		name, ok := x.literal()
		if !ok || !x.take(":") {
			return
		}
		value, ok := x.sum()
		if !ok {
			return
		}
		into[name] = value
		x.take(",")
	}
}

// links reads the dictionary of the extension extlinks. Entries that are not plain are left out
// with all that follow.
func (x *expression) links(into map[string]Link) {
	if x.depth++; !x.take("{") {
		return
	}
	for len(into) < maxValues && !x.take("}") {
		x.skip()
		name, ok := x.literal()
		if !ok || !x.take(":") || !x.take("(") && !x.take("[") {
			return
		}
		address, ok := x.sum()
		if !ok || !x.take(",") {
			return
		}
		caption := ""
		if !x.take("None") {
			if caption, ok = x.sum(); !ok {
				return
			}
		}
		x.take(",")
		if !x.take(")") && !x.take("]") {
			return
		}
		into[name] = Link{Address: address, Caption: caption}
		x.take(",")
	}
}
