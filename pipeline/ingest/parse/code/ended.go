package code

import (
	"regexp"
	"strings"

	"docent/pipeline/text/pattern"
)

// ended says how the declarations of a language begin whose ends are a word, or a brace,
// on a line that is indented as the declaration is.
type ended struct {
	head       func() *regexp.Regexp // its submatches: the word, the name
	containers []string
	end        func() *regexp.Regexp // of the line that ends one, without its blanks
	whole      func() *regexp.Regexp // heads that are whole on their line; nil: none
}

var (
	rubyWords = ended{
		head: pattern.Lazy(`^(class|module|(?:private |protected |public |private_class_method |module_function |memoize )?def)\s+` +
			`([\pL_:][\pL\pN_:.]*[?!=]?|[-+*/%<>=!~^&|\[\]]+)`),
		containers: []string{"class", "module"}, end: pattern.Lazy(`^end\b`),
		whole: pattern.Lazy(`\bend\s*$|;\s*end\b|^(?:\w+ )?def\s+\S+(?:\(.*\))?\s+=\s`),
	}
	luaWords = ended{
		head: pattern.Lazy(`^((?:local\s+)?function)\s+([\w.:]+)`), end: pattern.Lazy(`^end\b`), whole: pattern.Lazy(`\bend[)\s]*$`),
	}
	shellWords = ended{
		head: pattern.Lazy(`^(function\s+|)([A-Za-z_@][\w:.@+-]*)(?:\s*\(\s*\)|\s*\{)`), end: pattern.Lazy(`^[})]`),
		whole: pattern.Lazy(`\}\s*$`),
	}
)

// outlineByWords reads the outline of a language whose declarations end with a word. Blocks of
// other kinds end with the same word, so the indentation decides which end closes which
// block.
func outlineByWords(f *file) []item {
	r := wordReader{f: f, rule: &f.lang.ended}
	return r.readDeclarations(0, len(f.lines), "", 0)
}

type wordReader struct {
	f    *file
	rule *ended
}

func (r *wordReader) readDeclarations(from, to int, inside string, depth int) []item {
	var items []item
	for i := from; i < to; i++ {
		l := r.f.mlines[i]
		indent := indentOfLine(l)
		word := l[indent:]
		m := r.rule.head().FindStringSubmatch(word)
		if m == nil || r.f.lang.name == "sh" && !shellFunction(m) {
			continue
		}
		end := r.declarationEnd(i, to, indent)
		name := strings.TrimPrefix(strings.ReplaceAll(strings.ReplaceAll(strings.Trim(m[2], ":"), "::", "."), ":", "."), "self.")
		it := item{name: qualified(inside, name), from: i, to: end, docs: r.f.docsAbove(i)}
		if m[2] == "<<" { // class << self
			it.unnamed = true
		}
		if containsWord(r.rule.containers, strings.TrimSpace(m[1])) && depth < maxDepth {
			in := it.name
			if it.unnamed {
				in = inside
			}
			it.items = r.readDeclarations(i+1, end, in, depth+1)
		}
		items = append(items, it)
		i = end - 1
	}
	return items
}

// shellFunction reports whether a line is a function's head and no other command.
func shellFunction(m []string) bool {
	return m[1] != "" || strings.HasSuffix(strings.TrimSpace(m[0]), ")")
}

// declarationEnd is the line behind a declaration that begins on a line.
func (r *wordReader) declarationEnd(at, to, indent int) int {
	l := strings.TrimSpace(r.f.mlines[at])
	if r.rule.whole != nil && r.rule.whole().MatchString(l) {
		return at + 1
	}
	for i := at + 1; i < to; i++ {
		l := r.f.mlines[i]
		n := indentOfLine(l)
		if n == len(l) || n > indent {
			continue
		}
		word := l[n:]
		switch {
		case n == indent && r.rule.end().MatchString(word):
			return i + 1
		case n < indent || r.rule.head().MatchString(word): // its end is missing
			return i
		}
	}
	return to
}
