package sphinx

import (
	"strconv"
	"strings"
)

// expression reads an expression of Python whose value is a string.
type expression struct {
	*module
	src    string
	at     int
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

// sum reads an expression that is a string.
func (x *expression) sum() (string, bool) {
	v, ok := x.any()
	return v.text, ok && v.kind == isText
}

// any reads values that are joined by "+".
func (x *expression) any() (value, bool) {
	v, ok := x.factor()
	for ok && v.kind == isText && x.take("+") {
		var more value
		more, ok = x.factor()
		ok = ok && more.kind == isText && len(v.text)+len(more.text) <= maxText
		v.text += more.text
	}
	return v, ok && !x.failed
}

// factor reads a value and the calls of its methods.
func (x *expression) factor() (value, bool) {
	v, ok := x.term()
	if !ok {
		return value{}, false
	}
	return x.postfix(v)
}

// term reads a name, a call, strings that follow each other, a list, or an expression in parentheses.
func (x *expression) term() (value, bool) {
	x.skip()
	if x.take("(") {
		if x.depth++; x.depth > maxDepth {
			return value{}, false
		}
		v, ok := x.any()
		ok = ok && x.take(")")
		x.depth--
		return v, ok
	}
	if x.take("[") {
		return x.items()
	}
	text, ok := x.literal()
	for ok {
		x.skip()
		more, again := x.literal()
		if !again {
			return value{text: text}, true
		}
		text += more
	}
	return x.named()
}

// items reads the strings of a list, up to its end.
func (x *expression) items() (value, bool) {
	if x.depth++; x.depth > maxDepth {
		return value{}, false
	}
	defer func() { x.depth-- }()
	v, size := value{kind: isList}, 0
	for !x.take("]") {
		item, ok := x.sum()
		if size += len(item); !ok || len(v.list) == mostParts || size > maxText {
			return value{}, false
		}
		v.list = append(v.list, item)
		if !x.take(",") {
			return v, x.take("]")
		}
	}
	return v, true
}

// named reads a name with a value, or a call of a function of Python's library.
func (x *expression) named() (value, bool) {
	name := x.name()
	if v, ok := x.values[name]; ok {
		return v, true
	}
	from, imported := x.imports[name]
	switch {
	case name == "":
		return value{}, false
	case name == "__file__":
		return value{text: x.file}, true
	case imported && from.name == "" && x.take("."): // a part of a module
		if v, ok := x.partOf(from.module, x.name()); ok {
			return v, true
		}
		return value{}, false
	case imported && from.name != "" && !from.isVersion() && !libraries[from.module]:
		return x.partOf(from.module, from.name)
	}
	for x.take(".") {
		name += "." + x.name()
	}
	if !x.take("(") || x.depth >= maxDepth {
		return value{}, false
	}
	x.depth++
	v, ok := x.call(name)
	x.depth--
	return v, ok
}

// dotted reads names with dots between them.
func (x *expression) dotted() string {
	name := x.name()
	for name != "" && x.take(".") {
		name += "." + x.name()
	}
	return name
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
		value = x.fill(value, x.inBraces)
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

// inBraces is the value of an expression in an f-string.
func (x *expression) inBraces(src string) (string, bool) {
	if x.depth+1 >= maxDepth {
		return "", false
	}
	inner := expression{module: x.module, src: src, depth: x.depth + 1}
	v, ok := inner.sum()
	return v, ok && inner.ends()
}

// fill puts values in the places of names in braces. A name without a value fails the expression.
func (x *expression) fill(s string, valueOf func(name string) (string, bool)) string {
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
		v, ok := valueOf(s[i+1 : i+end])
		if !ok || b.Len()+len(v) > maxText {
			x.failed = true
			return ""
		}
		b.WriteString(v)
		s = s[i+end+1:]
	}
	return b.String() + s
}

// argument reads an argument: a string, a path, or a number as its digits.
func (x *expression) argument() (string, bool) {
	at := x.at
	if n, there := x.bound(); there {
		return strconv.Itoa(n), true
	}
	x.at = at
	v, ok := x.any()
	return v.text, ok && v.kind != isList
}

// arguments reads the arguments up to a parenthesis: values by their places and by names.
func (x *expression) arguments() (places []string, named map[string]string, ok bool) {
	x.depth++
	defer func() { x.depth-- }()
	named = map[string]string{}
	size := 0
	for !x.take(")") {
		at := x.at
		name := x.name()
		if name == "" || !x.take("=") {
			x.at, name = at, ""
		}
		value, ok := x.argument()
		if size += len(value) + maxText/mostParts; !ok || size > 2*maxText {
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
	s = x.fill(s, func(name string) (string, bool) { v, ok := named[name]; return v, ok })
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
		if !ok || v.kind != isText {
			return "", false
		}
		places = []string{v.text}
	}
	for _, v := range places {
		if !strings.Contains(s, "%s") || len(s)+len(v) > maxText {
			return "", false
		}
		s = strings.Replace(s, "%s", v, 1)
	}
	return strings.ReplaceAll(s, "%%", "%"), true
}

// dictionary reads the dictionary of a name, and reports whether it is read whole.
func (x *expression) dictionary(name string) bool {
	if x.depth++; !x.take("{") {
		return false
	}
	for entries := 0; entries < maxValues && !x.take("}"); entries++ {
		x.skip()
		key, ok := x.literal()
		if !ok || !x.take(":") {
			return false
		}
		if name == "extlinks" {
			x.module.links[key], ok = x.link()
		} else {
			x.module.texts[key], ok = x.sum()
		}
		if !ok {
			delete(x.module.links, key)
			delete(x.module.texts, key)
			return false
		}
		x.take(",")
	}
	return true
}

// link reads an entry of the extension extlinks.
func (x *expression) link() (Link, bool) {
	if !x.take("(") && !x.take("[") {
		return Link{}, false
	}
	address, ok := x.sum()
	if !ok || !x.take(",") {
		return Link{}, false
	}
	caption := ""
	if !x.take("None") {
		if caption, ok = x.sum(); !ok {
			return Link{}, false
		}
	}
	x.take(",")
	return Link{Address: address, Caption: caption}, x.take(")") || x.take("]")
}
