package usage

import (
	"strings"

	"docent/pipeline/text/pattern"
)

var (
	fromPython = pattern.Lazy(`(?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]*))`)
	fromScript = pattern.Lazy(`\bimport\s+(?:type\s+)?([^;'"()]*?)\s*from\s*['"]([^'"\n]+)['"]`)
	required   = pattern.Lazy(`\b(?:const|let|var)\s+(\{[^}]*\}|\w+)\s*=\s*(?:await\s+import|require)\(\s*['"]([^'"\n]+)['"]`)
	usedInRust = pattern.Lazy(`(?m)^\s*(?:pub\s+)?use\s+([\w:]+)::(?:\{([^}]*)\}|(\w+))`)
	fromJava   = pattern.Lazy(`(?m)^\s*import\s+(?:static\s+)?([\w.]+)\.(\w+)\s*;?\s*$`)
)

// mostImports bounds the imports that are read of a file.
const mostImports = 400

// importedFrom are the names that a file imports from the modules of a product, with these.
func importedFrom(text string, isProduct func(string) bool) map[string][]string {
	out := map[string][]string{}
	take := func(module, names string) {
		if !isProduct(module) {
			return
		}
		for _, n := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == '{' || r == '}' || r == '\n' }) {
			if words := strings.Fields(strings.ReplaceAll(n, ":", " ")); len(words) > 0 {
				name := words[0]
				if name == "type" && len(words) > 1 {
					name = words[1]
				}
				out[name] = append(out[name], strings.ReplaceAll(module, "::", "."))
			}
		}
	}
	for _, m := range fromPython().FindAllStringSubmatch(text, mostImports) {
		take(m[1], m[2]+m[3])
	}
	for _, m := range fromScript().FindAllStringSubmatch(text, mostImports) {
		take(m[2], m[1])
	}
	for _, m := range required().FindAllStringSubmatch(text, mostImports) {
		take(m[2], m[1])
	}
	for _, m := range usedInRust().FindAllStringSubmatch(text, mostImports) {
		take(m[1], m[2]+m[3])
	}
	for _, m := range fromJava().FindAllStringSubmatch(text, mostImports) {
		take(m[1], m[2])
	}
	return out
}
