// Package code parses source code: a page a file, a section a declaration. A section has
// the declaration's name ("Backoff.Next"), what its comment says as text, and its source
// as code. Lines of the page know their lines of the source.
//
// Go is read by go/parser. Other languages are read by outlines of our own: a scanner
// that tells code from comments and strings, and rules for how a language's declarations
// begin and end (braces, indentation, a word). Code between declarations is shown before
// the next one, so all of a file's code is on its page.
//
// Rejected: tree-sitter. Its bindings need cgo, and no implementation in Go that is kept
// could be had. The lexers of chroma, which the program links, try backtracking regular
// expressions at every character: slow, and without bounds on hostile input.
//
// Terms. A declaration is what a file gives a name: a function, a type, a method. A
// container is a declaration with declarations in it: a class, an impl. An outline is the
// tree of a file's declarations. Masked text is source in which comments and the insides
// of strings are blanks.
//
// It refuses to read other files, to know what a name refers to, and to read generated
// and minified code.
package code

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of source code. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatCode, Version: version, Name: "source code", Extensions: endingsOfLanguages(),
		Domain: contract.DomainCode}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a file. Files that are no code of people are left out.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	lang := languageOf(opt.Path)
	if reason := leftOutReason(src, lang); reason != "" {
		return doc.Document{}, parse.LeftOut(reason)
	}
	f := newFile(src, lang)
	p := page{file: f, w: build.New()}
	p.writePage(ctx, opt.Path, f.outlineOfFile())
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	return p.w.Document(ctx, src)
}
