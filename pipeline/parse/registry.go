package parse

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/store/doc"
)

// ErrNoParser means that no parser reads a file or a format.
var ErrNoParser = errors.New("no parser reads it")

// Registry holds parsers by format. It is safe for concurrent use once all
// parsers are registered. The zero value has no parsers.
type Registry struct {
	parsers []Parser
	blobs   Blobs // nil: converted documents are not kept
}

// Register adds a parser. The error says what is wrong with its Info: two
// parsers must not share a format, nor an ending of files in one layout.
func (r *Registry) Register(p Parser) error {
	info := p.Info()
	if info.Format == "" || info.Version < 1 || info.Name == "" || len(info.Extensions) == 0 {
		return fmt.Errorf("register the parser of %q: it lacks a format, a version, a name or extensions: %+v", info.Format, info)
	}
	for _, e := range info.Extensions {
		if !strings.HasPrefix(e, ".") || e != strings.ToLower(e) {
			return fmt.Errorf("register the parser of %q: the extension %q must be in lower case and begin with a dot", info.Format, e)
		}
	}
	for _, other := range r.parsers {
		o := other.Info()
		if o.Format == info.Format {
			return fmt.Errorf("register the parser of %q: the format has a parser", info.Format)
		}
		for _, e := range info.Extensions {
			if slices.Contains(o.Extensions, e) && slices.ContainsFunc(layouts(info), func(l doc.Layout) bool { return slices.Contains(layouts(o), l) }) {
				return fmt.Errorf("register the parser of %q: files %s are pages of %q", info.Format, e, o.Format)
			}
		}
	}
	r.parsers = append(r.parsers, p)
	return nil
}

func layouts(i Info) []doc.Layout {
	if i.Layouts == nil {
		return []doc.Layout{doc.LayoutTitled, doc.LayoutTree}
	}
	return i.Layouts
}

// For is the parser of a file inside a doc set; ErrNoParser where the file is no
// page. In doc.LayoutTitled a table of contents is one too: it stands for a page
// whose text is missing.
func (r *Registry) For(file string, layout doc.Layout) (Parser, error) {
	base := path.Base(file)
	if strings.HasPrefix(base, ".") || layout == doc.LayoutTitled && base != doc.ContentFile && base != doc.TOCFile {
		return nil, fmt.Errorf("%s: %w", file, ErrNoParser)
	}
	ext := strings.ToLower(path.Ext(base))
	for _, p := range r.parsers {
		if info := p.Info(); slices.Contains(info.Extensions, ext) && slices.Contains(layouts(info), layout) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", file, ErrNoParser)
}

// IsPage says whether a file inside a doc set is a page.
func (r *Registry) IsPage(file string, layout doc.Layout) bool {
	_, err := r.For(file, layout)
	return err == nil
}

// Of is the parser of a format, or ErrNoParser.
func (r *Registry) Of(format doc.Format) (Parser, error) {
	for _, p := range r.parsers {
		if p.Info().Format == format {
			return p, nil
		}
	}
	return nil, fmt.Errorf("format %q: %w", format, ErrNoParser)
}

// Parse reads a page of a doc set by its format. A page whose text is not its
// source is converted once, where documents are kept.
func (r *Registry) Parse(ctx context.Context, src []byte, file string, layout doc.Layout) (doc.Document, error) {
	return r.parse(ctx, src, file, layout, false)
}

// Again is as Parse, but converts the page even where its document is kept, and
// replaces that.
func (r *Registry) Again(ctx context.Context, src []byte, file string, layout doc.Layout) (doc.Document, error) {
	return r.parse(ctx, src, file, layout, true)
}

func (r *Registry) parse(ctx context.Context, src []byte, file string, layout doc.Layout, again bool) (d doc.Document, err error) {
	p, err := r.For(file, layout)
	if err != nil {
		return doc.Document{}, err
	}
	info := p.Info()
	defer survive(&err, info)
	opt := Options{Path: file, FallbackTitle: Title(file, layout), Titled: layout == doc.LayoutTitled}
	if info.Verbatim {
		return p.Parse(ctx, src, opt)
	}
	return r.converted(ctx, p, src, opt, again)
}

// Rendition gives a page's format and text; of a page whose text is its source
// nothing is parsed.
func (r *Registry) Rendition(ctx context.Context, src []byte, file string, layout doc.Layout) (doc.Format, doc.Rendition, error) {
	p, err := r.For(file, layout)
	if err != nil {
		return "", doc.Rendition{}, err
	}
	if info := p.Info(); info.Verbatim {
		return info.Format, doc.Rendition{Source: src, Text: src, Parser: info.Version, Plain: info.Plain}, nil
	}
	d, err := r.Parse(ctx, src, file, layout)
	return d.Format, d.Rendition, err
}

// Outdated says whether a page that was read by a version of a format's parser
// may have another text by now: the text is not the source, and the parser is of
// another version or gone.
func (r *Registry) Outdated(format doc.Format, version int) bool {
	p, err := r.Of(format)
	if err != nil {
		return true
	}
	info := p.Info()
	return !info.Verbatim && info.Version != version
}

// Structure reads the sections and blocks of a page's text by the rule of its
// format.
func (r *Registry) Structure(ctx context.Context, text []byte, format doc.Format) (d doc.Document, err error) {
	p, err := r.Of(format)
	if err != nil {
		return doc.Document{}, err
	}
	defer survive(&err, p.Info())
	return p.Structure(ctx, text)
}

// survive makes an error of a parser's panic: it concerns one page, which is then
// left out, and not the program.
func survive(err *error, info Info) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("the parser of %s (version %d) panicked: %v", info.Name, info.Version, v)
	}
}

// Describe lists the formats of a folder's pages for a person: "Markdown: .md,
// .markdown, .mdx".
func (r *Registry) Describe() string {
	var all []string
	for _, p := range r.parsers {
		if info := p.Info(); slices.Contains(layouts(info), doc.LayoutTree) {
			all = append(all, info.Name+": "+strings.Join(info.Extensions, ", "))
		}
	}
	return strings.Join(all, "; ")
}

// Title is the title of a page whose text has none: the folder's name in
// doc.LayoutTitled, the file's name without its ending otherwise (the folder's
// for an index page).
func Title(file string, layout doc.Layout) string {
	dir := path.Base(path.Dir(file))
	if layout == doc.LayoutTitled && dir != "." {
		return dir
	}
	base := path.Base(file)
	name := strings.TrimSuffix(base, path.Ext(base))
	switch strings.ToLower(name) {
	case "index", "_index", "readme":
		if dir != "." && dir != "/" {
			return dir
		}
	}
	return name
}
