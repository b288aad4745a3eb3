// Package objects reads what a directive of Sphinx describes: the signatures of functions, options and settings, and
// the names in them.
//
// It refuses to know directives with their options, and pages.
package objects

import (
	"strings"
	"unicode"
)

// IsPython reports whether a directive without a domain describes an object of Python.
func IsPython(name string) bool {
	switch name {
	case "function", "class", "method", "attribute", "data", "exception", "classmethod", "staticmethod", "property", "decorator",
		"decoratormethod", "abstractmethod", "coroutinefunction", "coroutinemethod", "awaitablefunction", "awaitablemethod", "typealias",
		"autofunction", "autoclass", "automethod", "autodata", "autoattribute", "autoexception", "autoproperty":
		return true
	}
	return false
}

// Signatures are the signatures of an object, one a line. A backslash joins lines, and so
// does a parenthesis that is open.
func Signatures(args []string) []string {
	var out []string
	var open []string // lines of a signature that goes on
	deep := 0         // parentheses that are open
	for i, a := range args {
		deep += strings.Count(a, "(") - strings.Count(a, ")")
		next := strings.HasSuffix(a, "\\") || deep > 0 && i+1 < len(args) && closesLater(args[i+1:], deep)
		if a = strings.TrimSpace(strings.TrimSuffix(a, "\\")); a != "" {
			open = append(open, a)
		}
		if !next && len(open) > 0 {
			out, open = append(out, strings.Join(open, " ")), nil
		}
	}
	if len(open) > 0 {
		out = append(out, strings.Join(open, " "))
	}
	for i := range out {
		out[i] = strings.ReplaceAll(strings.ReplaceAll(out[i], "\\\\", "\x00"), "\\", "")
		out[i] = strings.ReplaceAll(out[i], "\x00", "\\")
	}
	return out
}

// closesLater reports whether lines close so many parentheses before another signature ends.
func closesLater(lines []string, open int) bool {
	for _, l := range lines {
		if open += strings.Count(l, "(") - strings.Count(l, ")"); open <= 0 {
			return open == 0
		}
	}
	return false
}

// OwnName is the name in a signature of a project's own domain: its first word, or the second
// where that alone is written as a name and the first says what kind of thing it is
// ("CONFIG lamp.wick.length INT 5").
func OwnName(signature string) string {
	first, rest, _ := strings.Cut(signature, " ")
	second, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	if isPlainWord(first) && strings.ContainsAny(strings.Trim(second, ".,"), "._-/") {
		return second
	}
	return first
}

// IsTypeWord reports whether a word of a signature names a type of values.
func IsTypeWord(s string) bool {
	switch strings.ToLower(s) {
	case "string", "str", "text", "int", "integer", "long", "uint", "float", "double", "number", "bool", "boolean", "list", "duration",
		"size", "path", "enum":
		return true
	}
	return false
}

// isPlainWord reports whether a text has letters alone.
func isPlainWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool { return !unicode.IsLetter(c) }) < 0
}

// NameInC is the name that a declaration of C declares: the last word before its
// arguments.
func NameInC(signature string) string {
	s, _, _ := strings.Cut(signature, "(")
	s, _, _ = strings.Cut(s, "[")
	fields := strings.FieldsFunc(s, func(c rune) bool { return c == ' ' || c == '*' || c == '&' })
	if len(fields) == 0 {
		return ""
	}
	return fields[len(fields)-1]
}

// Prefix is the word that Sphinx writes before the signature of an object.
func Prefix(name string) string {
	switch name {
	case "class", "exception", "struct", "enum", "union", "macro", "type", "interface", "concept":
		return name
	case "classmethod", "property":
		return name
	case "staticmethod":
		return "static"
	case "abstractmethod":
		return "abstract"
	case "coroutinefunction", "coroutinemethod":
		return "async"
	case "awaitablefunction", "awaitablemethod":
		return "awaitable"
	case "autoclass":
		return "class"
	case "autoexception":
		return "exception"
	}
	return ""
}
