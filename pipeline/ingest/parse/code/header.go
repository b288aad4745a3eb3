package code

import (
	"strings"
	"sync"

	"docent/pipeline/text/pattern"
)

// grammar says how the declarations of a language with braces begin.
type grammar struct {
	containers  []string // words before the name of a declaration with declarations in it
	transparent []string // words of containers whose declarations belong to the enclosing one
	functions   []string // words before the name of a function
	values      []string // words before the name of a value or a type without braces
	typed       bool     // functions are written as in C: int name(…)
	members     bool     // functions in containers have no word before them: name(…)
	lines       bool     // a line's end may end a statement
	directives  bool     // lines that begin with # are for the preprocessor
}

var (
	cGrammar = grammar{containers: []string{"struct", "union", "enum"}, transparent: []string{"extern"}, typed: true,
		directives: true}
	cppGrammar = grammar{containers: []string{"class", "struct", "union", "enum", "concept"},
		transparent: []string{"namespace", "extern"}, typed: true, directives: true}
	csharpGrammar = grammar{containers: []string{"class", "interface", "struct", "enum", "record"}, transparent: []string{"namespace"},
		typed: true, directives: true}
	javaGrammar   = grammar{containers: []string{"class", "interface", "enum", "record", "@interface"}, typed: true}
	scriptGrammar = grammar{containers: []string{"class"}, functions: []string{"function"}, values: []string{"const", "let", "var"},
		members: true, lines: true}
	typeScriptGrammar = grammar{containers: []string{"class", "interface", "enum"}, transparent: []string{"namespace", "module", "global"},
		functions: []string{"function"},
		values:    []string{"const", "let", "var", "type"}, members: true, lines: true}
	kotlinGrammar = grammar{containers: []string{"class", "interface", "object"}, functions: []string{"fun"},
		values: []string{"typealias"}, lines: true}
	phpGrammar = grammar{containers: []string{"class", "interface", "trait", "enum"}, transparent: []string{"namespace"},
		functions: []string{"function"}}
	protoGrammar = grammar{containers: []string{"message", "service", "enum", "extend"}, functions: []string{"rpc"}}
	rustGrammar  = grammar{containers: []string{"struct", "enum", "trait", "union", "mod", "impl", "macro_rules!"},
		transparent: []string{"extern"}, functions: []string{"fn"},
		values: []string{"const", "static", "type"}}
	swiftGrammar = grammar{containers: []string{"class", "struct", "enum", "protocol", "extension", "actor"},
		functions: []string{"func", "init", "subscript", "deinit", "macro"},
		values:    []string{"typealias"}, lines: true}
)

// kind says what a statement declares.
type kind int

const (
	nothing kind = iota
	container
	transparent
	function
	value
)

// notNames are words that stand before a parenthesis and are no function's name.
var notNames = lazyWordSet("if for while switch catch return else do try synchronized using lock foreach sizeof defined case throw new " +
	"delete await yield assert fixed when match unless until elif with typeof super this static_assert alignas decltype noexcept " +
	"__attribute__ __declspec requires import require")

// notTypes are words before a name that make a statement of it.
var notTypes = lazyWordSet("return new throw case goto else await yield delete co_return typeof in of")

// lazyWordSet is a set of words that is made when it is first used.
func lazyWordSet(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(s) {
			m[w] = true
		}
		return m
	})
}

// lexeme is a word or a sign of a statement's head.
type lexeme struct {
	text string
	word bool
}

const maxHead = 4000 // bytes of a head that are looked at

// lexemesOf cuts masked text into words and signs. A group in parentheses, brackets or,
// behind a word, angle brackets is one lexeme: "(", "[" or "<".
func lexemesOf(head string) []lexeme {
	head = head[:min(len(head), maxHead)]
	var out []lexeme
	for i := 0; i < len(head); {
		c := head[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case isWordCharacter(c) || c == '$' || c >= 0x80:
			j := i
			for j < len(head) && (isWordCharacter(head[j]) || head[j] == '$' || head[j] >= 0x80 || head[j] == ':' && j+2 < len(head) &&
				head[j+1] == ':' && (isWordCharacter(head[j+2]) || head[j+2] == '~')) {
				if head[j] == ':' {
					j += 2
				}
				j++
			}
			out = append(out, lexeme{text: head[i:j], word: true})
			i = j
		case c == '(' || c == '[' || c == '{' || c == '<' && opensTypeParameters(out, head, i):
			out = append(out, lexeme{text: string(c)})
			i = offsetBehindGroup(head, i)
		case c == '=' && i+1 < len(head) && (head[i+1] == '>' || head[i+1] == '='), c == '-' && i+1 < len(head) && head[i+1] == '>':
			out = append(out, lexeme{text: head[i : i+2]})
			i += 2
		default:
			out = append(out, lexeme{text: string(c)})
			i++
		}
	}
	return out
}

// opensTypeParameters reports whether a "<" begins type parameters.
func opensTypeParameters(before []lexeme, head string, i int) bool {
	if len(before) == 0 || !before[len(before)-1].word || i+1 < len(head) && (head[i+1] == '<' || head[i+1] == '=') {
		return false
	}
	return strings.IndexByte(head[i:], '>') > 0
}

// offsetBehindGroup is the offset behind the group that the bracket at an offset opens.
func offsetBehindGroup(s string, i int) int {
	opens, closes := s[i], byte(')')
	switch opens {
	case '[':
		closes = ']'
	case '{':
		closes = '}'
	case '<':
		closes = '>'
	}
	depth := 0
	for ; i < len(s); i++ {
		switch {
		case s[i] == opens:
			depth++
		case s[i] == closes && !(closes == '>' && (s[i-1] == '-' || s[i-1] == '=')):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

var pubIn = pattern.Lazy(`\bpub\s*\([^)]*\)`)

// declarationOfHead returns the declaration of a statement, read from its head, which is masked
// text up to its brace or its end. inside is the name of the container around it, or "";
// block says that a brace follows.
func (g *grammar) declarationOfHead(head, inside string, block bool) (kind, string, string) {
	if strings.Contains(head, "pub") {
		head = pubIn().ReplaceAllString(head, "pub")
	}
	ts := withoutNotes(lexemesOf(head))
	if g.directives { // template <…>
		for len(ts) > 1 && ts[0].text == "template" && ts[1].text == "<" {
			ts = ts[2:]
		}
	}
	assigned := len(ts)
	for i, t := range ts {
		if t.text == "=" {
			assigned = i
			break
		}
	}
	if k, name, heading := g.declarationByWord(ts, assigned, block); k != nothing {
		return k, name, heading
	}
	if g.members && assigned < len(ts) {
		if name := assignedTo(ts[:assigned], ts[assigned+1:], inside); name != "" {
			return value, name, ""
		}
	}
	if g.typed || g.members && inside != "" {
		if name := g.functionName(ts[:assigned], inside, block); name != "" {
			return function, name, ""
		}
	}
	return nothing, "", ""
}

// notParts are words that are no part of the name of what a function is assigned to.
var notParts = lazyWordSet("module exports prototype window this global globalThis self static async private public protected readonly " +
	"override declare accessor")

// assignedTo is the name of what a function or class is assigned to, in JavaScript:
// Lamp.prototype.light = function, or a member of a class.
func assignedTo(left, right []lexeme, inside string) string {
	is := false
	for i, t := range right {
		is = is || t.text == "=>" || t.word && i < 2 && (t.text == "function" || t.text == "class")
	}
	if !is {
		return ""
	}
	var parts []string
	for _, t := range left {
		switch {
		case t.word && !notParts()[t.text]:
			parts = append(parts, t.text)
		case t.text == ":" || t.text == "(":
			if inside == "" || len(parts) == 0 {
				return ""
			}
			return parts[0]
		case !t.word && t.text != "." && t.text != "#":
			return ""
		}
	}
	if inside != "" && len(parts) > 1 {
		return ""
	}
	return strings.Join(parts, ".")
}

// withoutNotes leaves out annotations and attributes: @X(…), #[…], [[…]].
func withoutNotes(ts []lexeme) []lexeme {
	for i := 0; i < len(ts); {
		switch {
		case ts[i].text == "@" && i+1 < len(ts) && ts[i+1].word && ts[i+1].text != "interface":
			i += 2
			for i+1 < len(ts) && ts[i].text == "." {
				i += 2
			}
			if i < len(ts) && ts[i].text == "(" {
				i++
			}
		case ts[i].text == "#" && i+1 < len(ts) && ts[i+1].text == "[":
			i += 2
		case ts[i].text == "[" && i == 0:
			ts = ts[1:]
			continue
		default:
			return ts[i:]
		}
		ts, i = ts[i:], 0
	}
	return nil
}

// declarationByWord reads declarations that a word begins.
func (g *grammar) declarationByWord(ts []lexeme, assigned int, block bool) (kind, string, string) {
	for i, t := range ts {
		if !t.word {
			switch {
			case t.text == "(" && !g.typed, t.text == "=", t.text == "<" && i == 0, t.text == "?", t.text == ".":
				return nothing, "", ""
			case t.text == "(" && i > 0 && ts[i-1].word: // a function's name stands before it
				return nothing, "", ""
			case t.text == "@" && i+1 < len(ts) && ts[i+1].text == "interface":
				return container, nameAfter(ts, i+2), ""
			case t.text == "!" && i > 0 && ts[i-1].text == "macro_rules":
				return function, nameAfter(ts, i+1), ""
			}
			continue
		}
		switch {
		case containsWord(g.transparent, t.text) && block:
			return transparent, "namespace", ""
		case containsWord(g.functions, t.text):
			return function, functionName(ts, i), ""
		case t.text == "impl" && containsWord(g.containers, "impl"):
			return implementation(ts[i+1:])
		case t.text == "extension" && containsWord(g.containers, t.text):
			name := nameAfter(ts, i+1)
			return container, name, "extension " + name
		case containsWord(g.containers, t.text):
			if t.text == "enum" && i+1 < len(ts) && containsWord(g.containers, ts[i+1].text) {
				continue // enum class
			}
			if t.text == "class" && i+1 < len(ts) &&
				(containsWord(g.functions, ts[i+1].text) || ts[i+1].text == "var") { // a member of the class itself, in Swift
				continue
			}
			if t.text == "object" && i > 0 && ts[i-1].text == "companion" && nameAfter(ts, i+1) == "" {
				return container, "Companion", ""
			}
			name := nameAfter(ts, i+1)
			if g.typed && (!block || returnsStruct(ts[i+1:])) {
				if !block {
					return nothing, "", ""
				}
				continue // a function that returns a struct
			}
			if name == "" && t.text == "class" && i > 0 && ts[i-1].text == "default" {
				name = "default"
			}
			return container, name, ""
		case containsWord(g.values, t.text):
			if containsWord(g.functions, "fn") && i+1 < len(ts) &&
				(ts[i+1].text == "fn" || ts[i+1].text == "unsafe" || ts[i+1].text == "extern") { // const fn
				continue
			}
			if t.text == "const" && i+1 < len(ts) && ts[i+1].text == "enum" {
				continue
			}
			if t.text == "type" && assigned == len(ts) {
				continue
			}
			return value, nameAfter(ts, i+1), ""
		}
	}
	return nothing, "", ""
}

func containsWord(list []string, s string) bool {
	for _, w := range list {
		if w == s {
			return true
		}
	}
	return false
}

// nameAfter is the word at an index, after any attributes in brackets.
func nameAfter(ts []lexeme, i int) string {
	for ; i < len(ts); i++ {
		switch t := ts[i]; {
		case t.word && (t.text == "mut" || t.text == "final" || t.text == "alignas"):
		case t.word && (t.text == "extends" || t.text == "implements" || t.text == "where"):
			return ""
		case t.word && i+1 < len(ts) && ts[i+1].word && strings.ToUpper(t.text) == t.text &&
			strings.Contains(t.text, "_"): // class EXPORT_API Name
		case t.word:
			return plainName(t.text)
		case t.text == "[" || t.text == "(" || t.text == "<":
		default:
			return ""
		}
	}
	return ""
}

// plainName is a name with dots as the signs between its parts.
func plainName(s string) string {
	return strings.Trim(strings.ReplaceAll(s, "::", "."), ".")
}

// functionName is the name behind the word for a function: the last of Receiver.name.
func functionName(ts []lexeme, i int) string {
	word := ts[i].text
	name := ""
	for i++; i < len(ts); i++ {
		switch t := ts[i]; {
		case t.word:
			name = t.text
		case t.text == "(" || t.text == ":" || t.text == "=":
			if name == "" && word != "function" && word != "fun" && word != "func" && word != "fn" {
				return word // init, subscript
			}
			return plainName(name)
		}
	}
	if name == "" && word == "deinit" {
		return word
	}
	return plainName(name)
}

// implementation names the block of Rust that gives a type its functions.
func implementation(ts []lexeme) (kind, string, string) {
	if len(ts) > 0 && ts[0].text == "<" {
		ts = ts[1:]
	}
	var name, trait string
	for _, t := range ts {
		switch {
		case t.text == "for":
			trait, name = name, ""
		case t.text == "where":
			return implBlock(name, trait)
		case t.word && t.text != "dyn" && t.text != "mut" && t.text != "unsafe" && t.text != "const" && t.text != "crate":
			name = t.text[strings.LastIndex(t.text, ":")+1:]
		}
	}
	return implBlock(name, trait)
}

func implBlock(name, trait string) (kind, string, string) {
	if trait != "" {
		return container, name, "impl " + trait + " for " + name
	}
	return container, name, "impl " + name
}

// returnsStruct reports whether what follows the word struct is the name of a type, and then of a
// function.
func returnsStruct(ts []lexeme) bool {
	seen := 0
	for _, t := range ts {
		switch {
		case t.word:
			seen++
		case t.text == "(":
			return seen > 1
		case t.text == ":" || t.text == "=":
			return false
		}
	}
	return false
}

// functionName is the name of a function that is written as in C: the word before the first
// parenthesis.
func (g *grammar) functionName(ts []lexeme, inside string, block bool) string {
	for i, t := range ts {
		if t.text != "(" || i == 0 {
			continue
		}
		at := i - 1
		if ts[at].text == "<" && at > 0 { // name<T>(
			at--
		}
		name := ts[at]
		if at > 3 && ts[at-1].text == ":" && ts[at-2].text == ":" && ts[at-3].text == "<" && ts[at-4].word { // Lamp<T>::light
			return plainName(ts[at-4].text + "::" + name.text)
		}
		if !name.word || notNames()[name.text] {
			if op := operatorName(ts[:i]); op != "" {
				return op
			}
			return ""
		}
		last := name.text[strings.LastIndex(name.text, ":")+1:]
		typed := at > 0
		for _, before := range ts[:at] {
			if before.word && notTypes()[before.text] || before.text == "." || before.text == "==" || before.text == "=>" {
				return ""
			}
		}
		if at > 0 && ts[at-1].text == "~" {
			return "~" + last
		}
		switch {
		case g.members && !block && !typed && !hasResultType(ts[i+1:]):
			return "" // a call, or a member's type
		case typed, block && inside != "", block && g.directives, strings.Contains(name.text, "::"), g.members:
			return plainName(strings.TrimSuffix(name.text, last) + last)
		case !g.members && inside != "" && (last == inside || strings.HasSuffix(inside, "."+last)): // a constructor
			return last
		}
		return ""
	}
	return ""
}

// hasResultType reports whether a type stands behind a function's parentheses.
func hasResultType(ts []lexeme) bool { return len(ts) > 0 && ts[0].text == ":" }

// operatorName is the name of an operator of C++ or C#, or "".
func operatorName(ts []lexeme) string {
	for i, t := range ts {
		if t.word && (t.text == "operator" || strings.HasSuffix(t.text, "::operator")) {
			var b strings.Builder
			b.WriteString(plainName(t.text))
			for _, sign := range ts[i+1:] {
				b.WriteString(sign.text)
			}
			return b.String()
		}
	}
	return ""
}
