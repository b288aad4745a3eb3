package usage

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// key is a key of a structured file with the keys above it.
type key struct {
	path []string // the key itself is the last
	line int      // from 1
}

// keysOf reads the keys of a structured file. What is no key is passed over: templates stand in
// many files.
func keysOf(k kind, lines []string) []key {
	switch k {
	case yaml:
		return yamlKeys(lines)
	case toml:
		return tomlKeys(lines)
	case json:
		return jsonKeys(strings.Join(lines, "\n"))
	}
	return nil
}

var (
	yamlKey = pattern.Lazy(`^(\s*)((?:- +)*)(?:"([^"]+)"|'([^']+)'|([A-Za-z_$@/][\w$@./-]*)):(?:\s+(.*))?$`)
	block   = pattern.Lazy(`^(?:[!&]\S+\s+)*[|>][-+0-9]*\s*(?:#.*)?$`)
)

// yamlKeys reads keys by their indentation. Texts in blocks have none.
func yamlKeys(lines []string) []key {
	type level struct {
		indent int
		key    string
	}
	var out []key
	var stack []level
	text := -1 // the indentation of the key of a block of text
	for i, l := range lines {
		trimmed := strings.TrimSpace(l)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if text >= 0 && indent > text {
			continue
		}
		text = -1
		if strings.HasPrefix(trimmed, "---") {
			stack = nil
			continue
		}
		m := yamlKey().FindStringSubmatch(strings.TrimRight(l, "\r"))
		if m == nil {
			continue
		}
		at := len(m[1]) + len(m[2])
		for len(stack) > 0 && stack[len(stack)-1].indent >= at {
			stack = stack[:len(stack)-1]
		}
		name := m[3] + m[4] + m[5]
		stack = append(stack, level{at, name})
		var path []string
		for _, s := range stack {
			path = append(path, s.key)
		}
		out = append(out, key{dottedPath(path), i + 1})
		if block().MatchString(m[6]) {
			text = len(m[1])
		}
		out = append(out, flowKeys(path, m[6], i+1)...)
	}
	return out
}

// flowKeys are the keys of a value in braces: {port: 80, host: a}.
func flowKeys(path []string, value string, line int) []key {
	if !strings.HasPrefix(value, "{") && !strings.HasPrefix(value, "[") {
		return nil
	}
	var out []key
	for _, k := range jsonKeys(value) {
		out = append(out, key{append(dottedPath(path), k.path...), line})
	}
	return out
}

// dottedPath is a copy of a path whose keys with dots are parted.
func dottedPath(path []string) []string {
	var out []string
	for _, p := range path {
		if strings.Contains(p, ".") && !strings.Contains(p, "/") {
			out = append(out, strings.Split(strings.Trim(p, "."), ".")...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

var (
	table    = pattern.Lazy(`^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$`)
	tomlLine = pattern.Lazy(`^\s*(?:export\s+)?("[^"]+"|'[^']+'|[A-Za-z_$@][\w$@.:/-]*(?:\."[^"]+")?)\s*[=:]\s*(.*)$`)
)

// tomlKeys reads keys of tables, sections and properties.
func tomlKeys(lines []string) []key {
	var out []key
	var section []string
	quoted := ""
	for i, l := range lines {
		if quoted != "" {
			if strings.Contains(l, quoted) {
				quoted = ""
			}
			continue
		}
		if t := strings.TrimSpace(l); t == "" || t[0] == '#' || t[0] == ';' {
			continue
		}
		if m := table().FindStringSubmatch(l); m != nil {
			section = dottedPath([]string{strings.NewReplacer(`"`, "", "'", "", ":", ".").Replace(m[1])})
			continue
		}
		m := tomlLine().FindStringSubmatch(strings.TrimRight(l, "\r"))
		if m == nil {
			continue
		}
		path := append(section[:len(section):len(section)], dottedPath([]string{strings.NewReplacer(`"`, "", "'", "").Replace(m[1])})...)
		out = append(out, key{path, i + 1})
		for _, q := range []string{`"""`, "'''"} {
			if strings.Count(m[2], q) == 1 {
				quoted = q
			}
		}
		for _, k := range flowKeys(nil, strings.ReplaceAll(m[2], "=", ":"), i+1) {
			out = append(out, key{append(path[:len(path):len(path)], k.path...), i + 1})
		}
	}
	return out
}

// jsonKeys reads the keys of JSON and of object literals in JavaScript. A bracket without a
// key begins no level of its own.
func jsonKeys(text string) []key {
	r := jsonReader{text: text, line: 1}
	for r.at < len(text) {
		r.readToken()
	}
	return r.keys
}

type jsonReader struct {
	text    string
	at      int
	line    int
	path    []string
	opened  []bool // whether a bracket has a key
	pending string // the key whose value begins
	keys    []key
}

func (r *jsonReader) readToken() {
	switch c := r.text[r.at]; {
	case strings.HasPrefix(r.text[r.at:], "//"):
		r.advance(lengthUntil(r.text[r.at:], "\n"))
	case strings.HasPrefix(r.text[r.at:], "/*"):
		r.advance(min(len(r.text)-r.at, lengthUntil(r.text[r.at:], "*/")+2))
	case c == '"' || c == '\'' || c == '`':
		n := lengthOfString(r.text[r.at:])
		word := strings.Trim(r.text[r.at:r.at+n], string(c))
		r.advance(n)
		r.takeWord(word)
	case isWordByte(c):
		n := 1
		for r.at+n < len(r.text) && isWordByte(r.text[r.at+n]) {
			n++
		}
		word, chosen := r.text[r.at:r.at+n], precededBy(r.text, r.at, '?')
		r.advance(n)
		if !chosen {
			r.takeWord(word)
		}
	case c == '{' || c == '[' || c == '(':
		if r.opened = append(r.opened, r.pending != ""); r.pending != "" {
			r.path = append(r.path, r.pending)
		}
		r.pending = ""
		r.advance(1)
	case c == '}' || c == ']' || c == ')':
		if n := len(r.opened); n > 0 {
			if r.opened[n-1] && len(r.path) > 0 {
				r.path = r.path[:len(r.path)-1]
			}
			r.opened = r.opened[:n-1]
		}
		r.pending = ""
		r.advance(1)
	case c == ',' || c == ';':
		r.pending = ""
		r.advance(1)
	default:
		r.advance(1)
	}
}

// advance goes on in the text.
func (r *jsonReader) advance(n int) {
	n = max(1, n)
	r.line += strings.Count(r.text[r.at:r.at+n], "\n")
	r.at += n
}

// takeWord takes a word that has just been passed: a key if a colon follows.
func (r *jsonReader) takeWord(word string) {
	rest := strings.TrimLeft(r.text[r.at:min(len(r.text), r.at+4)], " \t")
	isKey := strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::")
	if !isKey || len(word) >= 100 || strings.ContainsAny(word, "\n ") || word == "" {
		return
	}
	r.keys = append(r.keys, key{dottedPath(append(r.path[:len(r.path):len(r.path)], word)), r.line})
	r.pending = word
}

func precededBy(text string, at int, c byte) bool {
	t := strings.TrimRight(text[max(0, at-8):at], " \t\n")
	return t != "" && t[len(t)-1] == c
}

func lengthUntil(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i
	}
	return len(s)
}

// lengthOfString is the length of the string that s begins with, with its quotes. One that does
// not end on its line is a quote alone, unless it is a template.
func lengthOfString(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && s[0] != '`':
			return 1
		}
	}
	return 1
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}
