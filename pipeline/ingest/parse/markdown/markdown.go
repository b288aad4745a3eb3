// Package markdown parses Markdown pages: sections, blocks, links, title and source
// address, with their exact places in the page.
//
// It reads CommonMark with tables, strikethrough and task lists, and the dialects of
// real documentation: front matter, MDX (imports, JSX tags), Hugo shortcodes, Liquid
// tags, ":::", "!!!" and "===" containers, GitHub alerts, HTML, any line ending and any encoding. No
// content is an error: problems are reported in Document.Warnings. It does no I/O of its
// own, resolves no links and renders nothing.
//
// Terms. The source is the page's bytes, which are never changed. The shape is a copy
// of the source in which dialects are rewritten into plain Markdown, line for line;
// goldmark parses the shape. Line i of the shape is line i of the source, and blocks
// are whole lines, so places in the source are exact whatever was rewritten. Package
// dialect makes it. A piece is a run of lines that becomes a block.
//
// Plain text. Block.Text holds words without markup, link targets and tags. Inline
// code is in Text and in Code; fenced and indented code is in Code alone. Tabs
// separate the cells of a table, newlines its rows and list items. What front matter
// says of the page is in Document.About.
//
// Rejected: parsing the source itself with a goldmark extension for each dialect.
// JSX indents its content, which Markdown reads as code, and goldmark's offsets
// cannot be mapped through removed indentation except by lines.
//
// Rejected: the tokenizer of golang.org/x/net/html, which package html reads pages with.
// It knows no JSX: it ends a tag at the ">" of an arrow function in an attribute, and
// takes a fragment, <>, for text. It also drops the case of names, by which a component
// is distinguished from HTML. Of 137 000 tags in real pages, 128 in 11 pages came out with another
// length, and 9 200 names in another case. Hugo's shortcodes need the same attributes.
package markdown

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown/transclude"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

// version is the parser's version.
const version = 20

// Parser is the parser of Markdown. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatMarkdown, Version: version, Name: "Markdown",
		Extensions: []string{".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".markdn", ".qmd", ".rmd", ".mdc"},
		Sniffed:    []string{parse.NoEnding}, Sniff: looksLikeMarkdown, Verbatim: true, Packed: true}
}

// Parse is as the function ParseMarkdown. A page that includes other files of the doc set
// is read with them: its text is then not its source.
func (Parser) Parse(_ context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if opt.Open == nil || opt.Titled || !transclude.Includes(src) {
		return ParseMarkdown(src, opt)
	}
	whole, ok := transclude.Expand(src, opt.Path, opt.Open)
	text := src
	if ok {
		text = whole.Text
	}
	d, err := ParseMarkdown(text, opt)
	if err != nil {
		return d, err
	}
	if n := len(whole.Missing); n > 0 {
		m := whole.Missing[0]
		d.Warnings = append(d.Warnings, fmt.Sprintf("line %d: it includes %s, which is not in the doc set%s", m.Line, m.File, andMore(n-1)))
	}
	if ok {
		d.Source = src
		d.Map = make([]doc.Location, len(whole.Lines))
		for i, line := range whole.Lines {
			d.Map[i].Line = line
		}
	}
	return d, nil
}

// Includes reports whether a page may include other files. It implements parse.Includer.
func (Parser) Includes(src []byte) bool { return transclude.Includes(src) }

func andMore(files int) string {
	if files == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s more", plural.Count(files, "file", "files"))
}

// Structure reads the structure of a page or of a part of it.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return ParseMarkdown(text, parse.Options{})
}

// ParseMarkdown parses a page. It fails only on invalid options (Titled without a title),
// never on content.
func ParseMarkdown(src []byte, opt parse.Options) (doc.Document, error) {
	if opt.Titled && strings.TrimSpace(opt.FallbackTitle) == "" {
		return doc.Document{}, errors.New("markdown: a page of a titled doc set has no title; pass the name of its folder as FallbackTitle")
	}
	sum := sha256.Sum256(src)
	d := doc.Document{
		Rendition: doc.Rendition{Source: src, Text: src, Parser: version},
		Path:      opt.Path,
		Format:    doc.FormatMarkdown,
		Lines:     doc.CountLines(src),
		Bytes:     len(src),
		SHA256:    hex.EncodeToString(sum[:]),
	}
	p := newPage(src)
	p.buildDocument()
	d.Sections, d.Blocks, d.Links = p.sections, p.blocks, p.links
	d.Warnings = firstFew(p.warnings)
	d.H1 = p.h1
	d.URL = p.url
	d.About, d.Permalink = p.front.description(), p.front.place
	if opt.Titled && path.Base(opt.Path) == doc.TOCFile {
		readTOC(&d)
	}
	d.Title = parse.CutTitle(pageTitle(opt, p))
	if t := p.front.title; t != "" && t != d.Title && t != d.H1 {
		d.About = strings.TrimSpace(t + "\n" + d.About)
	}
	return d, nil
}

// firstFew is the first warnings of many, and how many there are.
func firstFew(warnings []string) []string {
	if len(warnings) <= maxWarnings {
		return warnings
	}
	return append(warnings[:maxWarnings:maxWarnings], fmt.Sprintf("and %d more warnings", len(warnings)-maxWarnings))
}

func pageTitle(opt parse.Options, p *page) string {
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
