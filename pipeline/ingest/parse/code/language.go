package code

import (
	"path"
	"slices"
	"strings"
)

// language is a language and how it is read.
type language struct {
	name    string // of the fence
	endings []string
	syntax  syntax
	outline func(f *file) []item // nil: Go
	grammar grammar              // of a language with braces
	ended   ended                // of a language whose declarations end with a word
	docs    dialect
}

// dialect says how the comments of a language are written.
type dialect int

const (
	plainDocs    dialect = iota
	markdownDocs         // Rust, Swift, Kotlin, TypeScript
	goDocs               // code is indented
	tagDocs              // Javadoc, Doxygen and their like: @param, HTML
)

// The ways of comments and strings that several languages share.
var (
	slashes  = []string{"//"}
	stars    = [][2]string{{"/*", "*/"}}
	cQuotes  = []quote{{open: `"`, end: `"`, escapes: true}, {open: `'`, end: `'`, escapes: true}}
	longText = quote{open: `"""`, end: `"""`, escapes: true, lines: true}
)

// languages are those that are read, by the order of their names.
func languages() []*language {
	return []*language{
		{name: "c", endings: []string{".c", ".h"}, docs: tagDocs, outline: outlineByBraces, grammar: cGrammar,
			syntax: syntax{line: slashes, block: stars, quotes: cQuotes}},
		{name: "cpp", endings: []string{".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl"}, docs: tagDocs,
			outline: outlineByBraces,
			grammar: cppGrammar,
			syntax:  syntax{line: slashes, block: stars, quotes: cQuotes, special: maskCPlusPlus}},
		{name: "csharp", endings: []string{".cs"}, docs: tagDocs, outline: outlineByBraces, grammar: csharpGrammar,
			syntax: syntax{line: slashes, block: stars, quotes: append([]quote{longText}, cQuotes...), special: maskCSharp}},
		{name: "go", endings: []string{".go"}, docs: goDocs},
		{name: "java", endings: []string{".java"}, docs: tagDocs, outline: outlineByBraces, grammar: javaGrammar,
			syntax: syntax{line: slashes, block: stars, quotes: append([]quote{longText}, cQuotes...)}},
		{name: "javascript", endings: []string{".js", ".jsx", ".mjs", ".cjs"}, docs: tagDocs, outline: outlineByBraces,
			grammar: scriptGrammar,
			syntax:  syntax{line: slashes, block: stars, quotes: cQuotes, special: maskScriptText}},
		{name: "kotlin", endings: []string{".kt", ".kts"}, docs: markdownDocs, outline: outlineByBraces, grammar: kotlinGrammar,
			syntax: syntax{line: slashes, block: stars, nested: true, quotes: append([]quote{longText}, cQuotes...)}},
		{name: "lua", endings: []string{".lua"}, outline: outlineByWords, ended: luaWords,
			syntax: syntax{line: []string{"--"}, block: [][2]string{{"--[[", "]]"}},
				quotes: append([]quote{{open: "[[", end: "]]", lines: true}}, cQuotes...)}},
		{name: "php", endings: []string{".php"}, docs: tagDocs, outline: outlineByBraces, grammar: phpGrammar,
			syntax: syntax{line: []string{"//", "#"}, block: stars,
				quotes:  []quote{{open: `"`, end: `"`, escapes: true, lines: true}, {open: `'`, end: `'`, escapes: true, lines: true}},
				special: maskPHPText}},
		{name: "proto", endings: []string{".proto"}, docs: markdownDocs, outline: outlineByBraces, grammar: protoGrammar,
			syntax: syntax{line: slashes, block: stars, quotes: cQuotes}},
		{name: "python", endings: []string{".py", ".pyi"}, outline: outlineByIndent,
			syntax: syntax{line: []string{"#"}, quotes: []quote{longText, {open: `'''`, end: `'''`, escapes: true, lines: true},
				cQuotes[0], cQuotes[1]}}},
		{name: "ruby", endings: []string{".rb", ".rake"}, docs: markdownDocs, outline: outlineByWords, ended: rubyWords,
			syntax: syntax{line: []string{"#"}, quotes: cQuotes, special: maskRubyText}},
		{name: "rust", endings: []string{".rs"}, docs: markdownDocs, outline: outlineByBraces, grammar: rustGrammar,
			syntax: syntax{line: slashes, block: stars, nested: true, quotes: []quote{{open: `"`, end: `"`, escapes: true, lines: true}},
				special: maskRustText}},
		{name: "sh", endings: []string{".sh", ".bash", ".zsh", ".ksh", ".bats"}, outline: outlineByWords, ended: shellWords,
			syntax: syntax{line: []string{"#"}, quotes: []quote{{open: `'`, end: `'`, lines: true},
				{open: `"`, end: `"`, escapes: true, lines: true}}, special: maskShell}},
		{name: "swift", endings: []string{".swift"}, docs: markdownDocs, outline: outlineByBraces, grammar: swiftGrammar,
			syntax: syntax{line: slashes, block: stars, nested: true, quotes: []quote{longText, cQuotes[0]}}},
		{name: "typescript", endings: []string{".ts", ".tsx", ".mts", ".cts"}, docs: markdownDocs, outline: outlineByBraces,
			grammar: typeScriptGrammar,
			syntax:  syntax{line: slashes, block: stars, quotes: cQuotes, special: maskScriptText}},
	}
}

// endingsOfLanguages are those of all languages.
func endingsOfLanguages() []string {
	var all []string
	for _, l := range languages() {
		all = append(all, l.endings...)
	}
	return all
}

// languageOf is the language of a file by its name: C where the name tells nothing.
func languageOf(file string) *language {
	all := languages()
	ext := strings.ToLower(path.Ext(file))
	for _, l := range all {
		if slices.Contains(l.endings, ext) {
			return l
		}
	}
	return all[0]
}
