package usage

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/text/shorten"
)

// matcher matches the tokens and keys of files with forms.
type matcher struct {
	products map[string]bool
	forms    []Form
	tokens   map[string][]ref // names in code, and last parts of dotted ones
	flags    map[string][]ref
	keys     map[string][]ref // by the last key
	naming   map[string]bool  // the files that name the product
	named    bool
}

// ref is a name of a form.
type ref struct {
	form     int
	path     []string // the name's own keys
	strength strength
	last     bool // a dotted name by its last part alone
	vague    bool // a dotted name of two words, of which the first is that of any object
}

// anyObject are names of objects in any program.
var anyObject = []string{"options", "opts", "config", "params", "props", "args", "settings", "event", "data", "result", "response",
	"request", "object", "obj", "item", "context", "ctx", "self", "this", "model", "instance"}

func newMatcher(req Request) *matcher {
	m := &matcher{products: productWords(req.Products), forms: req.Forms, tokens: map[string][]ref{}, flags: map[string][]ref{},
		keys: map[string][]ref{}, naming: map[string]bool{}}
	for i, f := range req.Forms {
		for _, name := range f.Names {
			r := ref{form: i, path: strings.Split(strings.Trim(name, "."), "."), strength: strengthOf(name)}
			r.vague = len(r.path) == 2 && slices.Contains(anyObject, strings.ToLower(r.path[0]))
			if strings.HasPrefix(name, "-") {
				m.flags[name] = append(m.flags[name], r)
				continue
			}
			m.tokens[name] = append(m.tokens[name], r)
			if !f.Call {
				m.keys[lastPart(name)] = append(m.keys[lastPart(name)], r)
			}
			if end := lastPart(name); end != name && !f.Narrow && !f.Whole && len(end) > 1 {
				r.last, r.strength = true, strengthOf(end)
				m.tokens[end] = append(m.tokens[end], r)
			}
		}
	}
	return m
}

// nameProduct notes whether a file names the product.
func (m *matcher) nameProduct(name string, text []byte) {
	if m.namesProduct(name) || m.namesProduct(withoutComments(name, string(text))) {
		m.naming[name], m.named = true, true
	}
}

// withoutComments is the text of a program without its lines of comments: a comment for a
// linter makes no file one of the linter. The comments of settings say what these are for.
func withoutComments(name, text string) string {
	marks := commentMarks(name)
	if k := kindOf(name); len(marks) == 0 || k != code && k != json {
		return text
	}
	var b strings.Builder
	for l := range strings.Lines(text) {
		if !isComment(l, marks) {
			b.WriteString(l)
		}
	}
	return b.String()
}

// namesProduct reports whether a text has a word of the product.
func (m *matcher) namesProduct(text string) bool {
	at := 0
	for at < len(text) {
		if !isWordByte(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && (isWordByte(text[end]) || text[end] == '-') {
			end++
		}
		word := strings.ToLower(text[at:end])
		if m.products[strings.Trim(word, "-")] {
			return true
		}
		for part := range strings.SplitSeq(word, "-") {
			if m.products[part] {
				return true
			}
		}
		at = end
	}
	return false
}

// file is a file as it is matched.
type file struct {
	*matcher
	name     string
	kind     kind
	lines    []string
	imported map[string][]string // names with their modules
	own      bool                // its name names the product
	naming   bool                // its name or its text does
	shared   bool
	marks    []string
	out      *Report
	seen     map[[2]int]bool // form and line
}

func (m *matcher) readFile(name, text string, out *Report) {
	f := &file{matcher: m, name: name, kind: kindOf(name), lines: strings.Split(text, "\n"), own: m.isOwn(name),
		naming: m.naming[name], shared: isShared(name), marks: commentMarks(name), out: out, seen: map[[2]int]bool{}}
	if f.naming {
		f.imported = importedFrom(text, m.namesProduct)
	}
	for _, k := range keysOf(f.kind, f.lines) {
		f.matchKey(k)
	}
	for i, l := range f.lines {
		if len(l) > mostLine || isComment(l, f.marks) && !m.isDirective(l) {
			continue
		}
		f.matchLine(i, l)
	}
}

// isOwn reports whether a file is the product's own: its name, or its folder's, is the
// product's.
func (m *matcher) isOwn(name string) bool {
	folder := strings.TrimPrefix(path.Base(path.Dir(name)), ".")
	return m.namesProduct(path.Base(name)) || m.products[strings.ToLower(folder)]
}

// isDirective reports whether a comment begins with the product: it is for a program.
func (m *matcher) isDirective(line string) bool {
	line = strings.TrimLeft(line, " \t/#*;-")
	word, _, _ := strings.Cut(line, " ")
	return m.namesProduct(word)
}

// mostLine is the length of a line that a person wrote.
const mostLine = 2000

func (f *file) addUse(form, line int) {
	at := [2]int{form, line}
	if f.seen[at] {
		return
	}
	f.seen[at] = true
	f.out.Uses[form] = append(f.out.Uses[form], Use{f.name, line, shorten.Line(strings.TrimSpace(f.lines[line-1]), 120)})
}

// matchKey matches a key of a structured file.
func (f *file) matchKey(k key) {
	refs := f.keys[k.path[len(k.path)-1]]
	for _, r := range refs {
		if len(k.path) < len(r.path) || !slices.Equal(k.path[len(k.path)-len(r.path):], r.path) {
			continue
		}
		if above := k.path[:len(k.path)-len(r.path)]; f.isKeyMeant(r, above) {
			f.addUse(r.form, k.line)
		} else {
			f.out.Unclear[r.form] = true
		}
	}
}

// isKeyMeant reports whether a key is the one of a form by the keys above it.
func (f *file) isKeyMeant(r ref, above []string) bool {
	form := f.forms[r.form]
	inProduct := slices.ContainsFunc(above, f.namesProduct)
	around := inProduct || f.own || f.naming && !f.shared
	below := 0 // keys of the documentation above it
	for _, p := range form.Parents {
		n := 0
		for n < len(p) && n < len(above) && p[len(p)-1-n] == above[len(above)-1-n] {
			n++
		}
		below = max(below, n)
	}
	rooted := len(above) == below
	switch {
	case r.vague:
		return f.own && below == len(above)
	case below > 0 || len(r.path) > 1:
		return around || rooted && f.named || r.strength == telling && !form.Narrow
	case form.Narrow:
		return false
	case r.strength == telling:
		return true
	case r.strength >= double:
		return inProduct || f.own || f.naming && !f.shared
	case hasParents(form):
		return false
	}
	return len(above) > 0 && f.namesProduct(above[len(above)-1]) || f.own && len(above) == 0
}

func hasParents(f Form) bool {
	return slices.ContainsFunc(f.Parents, func(p []string) bool { return len(p) > 0 })
}

// matchLine matches the flags and the tokens of a line.
func (f *file) matchLine(i int, l string) {
	for at := 0; at < len(l); {
		c := l[at]
		before := byte(' ')
		if at > 0 {
			before = l[at-1]
		}
		switch {
		case c == '-' && !isWordByte(before) && before != '-':
			end := at
			for end < len(l) && (isWordByte(l[end]) || l[end] == '-' || l[end] == '.') {
				end++
			}
			f.matchFlag(i, l, at, strings.TrimRight(l[at:end], "-."))
			at = max(end, at+1)
		case isWordByte(c) || c == '@' && at+1 < len(l) && isWordByte(l[at+1]):
			end := at + 1
			for end < len(l) && isTokenByte(l, end) {
				end++
			}
			f.matchToken(i, l, at, strings.TrimRight(l[at:end], "-.:"))
			at = end
		default:
			at++
		}
	}
}

// isTokenByte reports whether a token goes on: with a letter, a dash or a dot between letters,
// or "::".
func isTokenByte(l string, at int) bool {
	c := l[at]
	next := byte(' ')
	if at+1 < len(l) {
		next = l[at+1]
	}
	return isWordByte(c) || (c == '-' || c == '.') && isWordByte(next) || c == ':' && (next == ':' || l[at-1] == ':' && isWordByte(next))
}

// matchFlag matches a flag of a command line.
func (f *file) matchFlag(i int, l string, at int, flag string) {
	for _, r := range f.flags[flag] {
		form := f.forms[r.form]
		isCommand := func(l string) bool {
			if len(form.Commands) > 0 && hasCommand(l, form.Commands) {
				return true
			}
			return !form.Narrow && f.namesProduct(l)
		}
		alone := f.naming && strings.Trim(l[:at], " \t-\"'`,[(") == "" // an item of a list of arguments
		if r.strength == telling && !form.Narrow && alone || f.isBehind(i, isCommand) {
			f.addUse(r.form, i+1)
		} else {
			f.out.Unclear[r.form] = true
		}
	}
}

func hasCommand(l string, commands []string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(l, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}), func(w string) bool { return slices.Contains(commands, w) })
}

// mostContinued is how many lines a command with its flags has.
const mostContinued = 24

// isBehind reports whether a line, or one above that it continues, names the command.
func (f *file) isBehind(i int, isCommand func(string) bool) bool {
	for n := 0; n < mostContinued && i >= 0; n, i = n+1, i-1 {
		if isCommand(f.lines[i]) {
			return true
		}
		if i == 0 || !continues(f.lines[i-1], f.lines[i]) {
			return false
		}
	}
	return false
}

// continues reports whether a line goes on with a command of the line before: behind a
// backslash, or as an item of a list of arguments.
func continues(before, l string) bool {
	b, t := strings.TrimSpace(before), strings.TrimSpace(l)
	if strings.HasSuffix(b, `\`) || strings.HasSuffix(b, "`") || strings.HasSuffix(b, "^") {
		return true
	}
	item := strings.HasPrefix(t, "- ") || strings.HasPrefix(t, `"`) || strings.HasPrefix(t, "'")
	return item && b != "" && (strings.HasPrefix(b, "- ") || strings.HasPrefix(b, `"`) || strings.HasPrefix(b, "'") ||
		strings.HasSuffix(b, "[") || strings.HasSuffix(b, "(") || strings.HasSuffix(b, ":"))
}

// matchToken matches a token, and the parts of a dotted one.
func (f *file) matchToken(i int, l string, at int, token string) {
	end := at + len(token)
	parts := strings.Split(strings.ReplaceAll(token, "::", "."), ".")
	if len(parts) > 8 {
		return
	}
	for a := range parts {
		for b := a + 1; b <= len(parts); b++ {
			name := strings.Join(parts[a:b], ".")
			for _, n := range []string{name, strings.TrimPrefix(name, "@")} {
				for _, r := range f.tokens[n] {
					f.matchRef(i, l, place{at: at, end: end, first: a == 0, closing: b == len(parts)}, n, r)
				}
				if !strings.HasPrefix(name, "@") {
					break
				}
			}
		}
	}
}

// place is where a token stands in its line.
type place struct {
	at, end        int
	first, closing bool // it begins, or ends, the token
}

func (f *file) matchRef(i int, l string, p place, name string, r ref) {
	form := f.forms[r.form]
	switch {
	case f.kind == yaml || f.kind == toml || f.kind == json && strings.HasSuffix(f.name, ".json"):
		if !f.isCertain(name, r) || form.Narrow || r.last || !isValue(l, p) {
			return // keys were read by themselves
		}
	case f.kind == prose:
		if !f.isCertain(name, r) || form.Narrow || r.last {
			return
		}
	}
	if f.isTokenMeant(l, p, name, r, form) {
		f.addUse(r.form, i+1)
	} else if f.naming {
		f.out.Unclear[r.form] = true
	}
}

// isTokenMeant reports whether a token is the name of a form.
func (f *file) isTokenMeant(l string, p place, name string, r ref, form Form) bool {
	called := p.closing && strings.HasPrefix(l[p.end:], "(")
	switch {
	case form.Narrow:
		return false
	case r.last:
		return f.isLastMeant(name, r, called && !p.first)
	case r.vague:
		return false
	case r.strength >= double && isComment(l, f.marks):
		return true // of a directive
	case f.isCertain(name, r):
		return true
	case !f.naming:
		return false
	case len(f.imported[name]) > 0, r.strength == several:
		return true
	case r.strength == single:
		return false
	case form.Call:
		return called || l[max(0, p.at-1):p.at] == "@" || l[p.at] == '@'
	case strings.Contains(name, ".") || isConstant(name):
		return true
	case name[0] >= 'A' && name[0] <= 'Z':
		return false // a class that is not imported is another one
	}
	return isKey(l, p) && (f.kind == json || l[p.end] != ' ') || isQuoted(l, p)
}

// isCertain reports whether a name is enough by itself: a telling one, or a variable of the
// environment that has the product's name in its own.
func (f *file) isCertain(name string, r ref) bool {
	if isConstant(name) {
		own := r.strength > single && f.namesProduct(strings.ReplaceAll(name, "_", " "))
		return own || r.strength == telling && f.naming
	}
	return r.strength == telling
}

// isLastMeant reports whether the last part of a dotted name is that name: imported from the
// module before it, or called on something where that is no module of the product.
func (f *file) isLastMeant(name string, r ref, method bool) bool {
	if !f.naming {
		return false
	}
	owner := strings.Join(r.path[:len(r.path)-1], ".")
	if f.products[strings.ToLower(r.path[0])] {
		return slices.Contains(f.imported[name], owner)
	}
	return len(f.imported[name]) > 0 || f.forms[r.form].Call && method && r.strength != single
}

// isValue reports whether a token is a whole value: in quotes, behind a colon, as an item.
func isValue(l string, p place) bool {
	before, after := strings.TrimSpace(l[:p.at]), strings.TrimSpace(l[p.end:])
	alone := before == "" || before == "-" || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=") ||
		strings.HasSuffix(before, "[") || strings.HasSuffix(before, ",")
	return isQuoted(l, p) || p.first && p.closing && alone && (after == "" || after == "," || after == "]")
}

// isKey reports whether a token is the key of what follows: name = 3, name: 3.
func isKey(l string, p place) bool {
	rest := strings.TrimLeft(strings.TrimLeft(l[p.end:], `"'`), " \t")
	return p.first && p.closing && (strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, ":=") ||
		strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="))
}

func isQuoted(l string, p place) bool {
	if p.at == 0 || p.end >= len(l) || !p.first || !p.closing {
		return false
	}
	q := l[p.at-1]
	return (q == '"' || q == '\'') && l[p.end] == q
}

func isConstant(name string) bool { return strings.ToUpper(name) == name }
