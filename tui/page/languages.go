package page

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// knownLanguages are the names of languages by which the highlighter finds its
// lexer at once. For any other name, and for code without one, it matches every
// lexer's file names and then has all lexers guess: 6 ms a block, which was half
// of the time that pages with much code took.
const knownLanguages = " awk bash batch c c# c++ clojure cmake console cpp csharp css cue dart diff django docker dockerfile " +
	"elixir erlang go " +
	"go-html-template golang graphql groovy haskell hcl html http ini java javascript jinja js json jsx julia kotlin latex " +
	"lua make makefile " +
	"markdown md mysql nginx nix objective-c ocaml perl php plaintext postgresql powershell promql properties proto protobuf ps1 pwsh py " +
	"python python3 r rb rst ruby rs rust sass scala scss sed sh shell shell-session sql svelte swift systemd tcl terraform text tf " +
	"toml ts " +
	"tsx typescript vim vue xml yaml zig zsh "

// otherNames are aliases, used in documentation, of names in knownLanguages.
var otherNames = map[string]string{"yml": "yaml", "jsonc": "json", "json5": "json", "cmd": "batch", "patch": "diff", "pycon": "python",
	"cs": "csharp"}

// highlighterName is the highlighter's name of a language, "text" for an unknown one.
func highlighterName(name string) string {
	name = strings.ToLower(name)
	if i := strings.IndexAny(name, "{,"); i > 0 { // yaml{3-5}; rust,compile_fail
		name = name[:i]
	}
	if other, ok := otherNames[name]; ok {
		return other
	}
	if name != "" && !strings.Contains(name, " ") && strings.Contains(knownLanguages, " "+name+" ") {
		return name
	}
	return "text"
}

// nameLanguages gives every block of code a language that the highlighter knows.
// In the parser's tree a name is a part of the source, so new names are appended
// to the source.
func nameLanguages(root ast.Node, source []byte) []byte {
	var blocks []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock) {
			blocks = append(blocks, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range blocks {
		name := ""
		fenced, ok := n.(*ast.FencedCodeBlock)
		if ok {
			name = string(fenced.Language(source))
		}
		known := highlighterName(name)
		if known == name {
			continue
		}
		from := len(source)
		source = append(source, known...)
		named := ast.NewFencedCodeBlock(ast.NewTextSegment(text.NewSegment(from, len(source))))
		named.SetLines(n.Lines())
		named.SetBlankPreviousLines(n.HasBlankPreviousLines())
		n.Parent().ReplaceChild(n.Parent(), n, named)
	}
	return source
}
