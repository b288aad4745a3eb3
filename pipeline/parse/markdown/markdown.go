// Package markdown turns a Markdown page into a doc.Document: sections, blocks,
// links, title and source address, each with its exact place in the source.
//
// It reads CommonMark with tables, strikethrough and task lists, and tolerates
// what real documentation carries besides: front matter, MDX (imports, JSX
// tags), Hugo shortcodes, ":::" and "!!!" containers, GitHub alerts, left-over
// HTML, any line ending and any encoding. It refuses to fail on content: what
// cannot be read is survived and reported in Document.Warnings. It does no I/O,
// resolves no links and renders nothing.
//
// Terms. The source is the page's bytes, which are never changed. The shape is
// a copy of it, line for line, in which dialects are rewritten into plain
// Markdown; goldmark parses the shape. Since line i of the shape stands for line
// i of the source, and a block is always whole lines, places in the source are
// exact whatever was rewritten. A piece is a run of lines that becomes a block.
//
// Plain text. Block.Text holds words without markup, link targets and tags.
// Inline code stands in Text (a sentence without it says nothing) and again in
// Code; fenced and indented code stands in Code alone. Cells of a table are
// parted by tabs, rows and list items by newlines. The Text of a front matter
// block is its title and descriptions.
//
// Rejected: giving goldmark the source itself with extensions for each dialect.
// JSX indents its content, which Markdown then takes for code, and goldmark's
// offsets cannot be mapped through a dedent except by lines.
package markdown

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"strings"

	"docent/pipeline/parse"
	"docent/store/doc"
)

// Version is the parser's version.
const Version = 1

// Parser is the parser of Markdown. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatMarkdown, Version: Version, Name: "Markdown",
		Extensions: []string{".md", ".markdown", ".mdx"}, Verbatim: true}
}

// Parse is as the function Parse.
func (Parser) Parse(_ context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	return Parse(src, opt)
}

// Structure reads the structure of a page or of a part of it.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return Parse(text, parse.Options{})
}

// Parse reads a page. It fails only on options that cannot be meant (Titled
// without a title), never on content.
func Parse(src []byte, opt parse.Options) (doc.Document, error) {
	if opt.Titled && strings.TrimSpace(opt.FallbackTitle) == "" {
		return doc.Document{}, errors.New("markdown: a page of a titled doc set has no title; pass the name of its folder as FallbackTitle")
	}
	sum := sha256.Sum256(src)
	d := doc.Document{
		Rendition: doc.Rendition{Source: src, Text: src, Parser: Version},
		Path:      opt.Path,
		Format:    doc.FormatMarkdown,
		Lines:     doc.CountLines(src),
		Bytes:     len(src),
		SHA256:    hex.EncodeToString(sum[:]),
	}
	p := newPage(src)
	p.build()
	d.Sections, d.Blocks, d.Links = p.sections, p.blocks, p.links
	d.Warnings = p.warnings
	d.H1 = p.h1
	d.URL = p.url
	d.Title = title(opt, p)
	return d, nil
}

func title(opt parse.Options, p *page) string {
	candidates := []string{p.front.title, p.h1, opt.FallbackTitle}
	if opt.Titled {
		candidates = []string{opt.FallbackTitle}
	}
	for _, c := range candidates {
		if c = strings.TrimSpace(c); c != "" {
			return c
		}
	}
	base := path.Base(opt.Path)
	if base == "." || base == "/" {
		return ""
	}
	return strings.TrimSuffix(base, path.Ext(base))
}
