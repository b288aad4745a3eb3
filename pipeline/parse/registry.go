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
type Registry struct{ parsers []Parser }

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
// page.
func (r *Registry) For(file string, layout doc.Layout) (Parser, error) {
	base := path.Base(file)
	if strings.HasPrefix(base, ".") || layout == doc.LayoutTitled && base != doc.ContentFile {
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

// Parse reads a page of a doc set by its format.
func (r *Registry) Parse(ctx context.Context, src []byte, file string, layout doc.Layout) (doc.Document, error) {
	p, err := r.For(file, layout)
	if err != nil {
		return doc.Document{}, err
	}
	return p.Parse(ctx, src, Options{Path: file, FallbackTitle: Title(file, layout), Titled: layout == doc.LayoutTitled})
}

// Structure reads the sections and blocks of a page's text by the rule of its
// format.
func (r *Registry) Structure(ctx context.Context, text []byte, format doc.Format) (doc.Document, error) {
	p, err := r.Of(format)
	if err != nil {
		return doc.Document{}, err
	}
	return p.Structure(ctx, text)
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
