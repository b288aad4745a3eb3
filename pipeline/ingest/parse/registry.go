package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/fidelity"
	"docent/store/doc"
)

// ErrNoParser means that no parser reads a file or a format.
var ErrNoParser = errors.New("no parser reads it")

// Registry holds parsers by format. It is safe for concurrent use once all
// parsers are registered. The zero value has no parsers.
type Registry struct {
	parsers []Parser
	infos   []Info // of the parsers: making them took 4 % of a search
	blobs   Blobs  // nil: converted documents are not kept
	small   compression
}

// Register adds a parser. The error is a fault of its Info: two parsers must not share a
// format, nor an ending of files in one layout.
func (r *Registry) Register(p Parser) error {
	info := p.Info()
	if info.Format == "" || info.Version < 1 || info.Name == "" || len(info.Extensions)+len(info.Sniffed) == 0 {
		return fmt.Errorf("register the parser of %q: it lacks a format, a version, a name or extensions: %s", info.Format, info.Name)
	}
	if (info.Sniff == nil) != (len(info.Sniffed) == 0) {
		return fmt.Errorf("register the parser of %q: Sniff and Sniffed go together", info.Format)
	}
	for _, e := range slices.Concat(info.Extensions, info.Sniffed) {
		if !strings.HasPrefix(e, ".") || e != strings.ToLower(e) {
			return fmt.Errorf("register the parser of %q: the extension %q must be in lower case and begin with a dot", info.Format, e)
		}
	}
	for _, o := range r.infos {
		if o.Format == info.Format {
			return fmt.Errorf("register the parser of %q: the format has a parser", info.Format)
		}
		for _, e := range info.Extensions {
			if slices.Contains(o.Extensions, e) &&
				slices.ContainsFunc(parserLayouts(&info), func(l doc.Layout) bool { return slices.Contains(parserLayouts(&o), l) }) {
				return fmt.Errorf("register the parser of %q: files %s are pages of %q", info.Format, e, o.Format)
			}
		}
	}
	r.parsers, r.infos = append(r.parsers, p), append(r.infos, info)
	return nil
}

func parserLayouts(i *Info) []doc.Layout {
	if i.Layouts == nil {
		return []doc.Layout{doc.LayoutTitled, doc.LayoutTree, doc.LayoutUploads}
	}
	return i.Layouts
}

// ParserFor is the parser of a file inside a doc set; ErrNoParser where the file is no
// page. head gives the file's beginning; it is called only where the ending does not
// tell, and its error is returned. In doc.LayoutUploads what no parser knows by its
// beginning is read by its ending. In doc.LayoutTitled a table of contents is a page
// too: it stands for a page whose text is missing.
func (r *Registry) ParserFor(file string, layout doc.Layout, head func() ([]byte, error)) (Parser, error) {
	i, compressed, err := r.findParser(file, layout, head)
	switch {
	case err != nil:
		return nil, err
	case compressed:
		return packed{r.parsers[i]}, nil
	}
	return r.parsers[i], nil
}

// InfoFor is the Info of ParserFor. It is for all files of the format, and must not be changed.
func (r *Registry) InfoFor(file string, layout doc.Layout, head func() ([]byte, error)) (*Info, error) {
	i, compressed, err := r.findParser(file, layout, head)
	switch {
	case err != nil:
		return nil, err
	case compressed:
		info := packed{r.parsers[i]}.Info()
		return &info, nil
	}
	return &r.infos[i], nil
}

// findParser finds the parser for ParserFor by its place; compressed says that it reads what the file
// expands to.
func (r *Registry) findParser(file string, layout doc.Layout, head func() ([]byte, error)) (i int, compressed bool, err error) {
	base := path.Base(file)
	if strings.HasPrefix(base, ".") || layout == doc.LayoutTitled && base != doc.ContentFile && base != doc.TOCFile {
		return none, false, fmt.Errorf("%s: %w", file, ErrNoParser)
	}
	ext := endingOf(base)
	i, err = r.parserOfEnding(ext, layout, head)
	if i != none || err != nil {
		return i, false, wrapFile(file, err)
	}
	if section, ok := sectionOf(ext); ok {
		if i, err := r.parserOfEnding(section, layout, head); i != none || err != nil {
			return i, false, wrapFile(file, err)
		}
	}
	if isReadmeOfTopic(base) {
		if i, err := r.parserOfEnding(".txt", layout, head); i != none || err != nil {
			return i, false, wrapFile(file, err)
		}
	}
	if name, ok := unpackedName(base); ok && layout != doc.LayoutTitled {
		i, err := r.parserOfEnding(endingOf(name), layout, func() ([]byte, error) {
			begins, err := head()
			return ExpandHead(begins), err
		})
		if i != none && r.infos[i].Packed {
			return i, true, nil
		}
		if err != nil {
			return none, false, wrapFile(file, err)
		}
	}
	if layout == doc.LayoutUploads {
		if i := r.parserByEnding(ext); i != none {
			return i, false, nil
		}
	}
	return none, false, fmt.Errorf("%s: %w", file, ErrNoParser)
}

// none is the place of no parser.
const none = -1

func wrapFile(file string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// parserOfEnding is the parser of files with an ending, by their beginning where the ending
// does not tell; none if no parser reads them.
func (r *Registry) parserOfEnding(ext string, layout doc.Layout, head func() ([]byte, error)) (int, error) {
	var begins []byte
	for i := range r.infos {
		info := &r.infos[i]
		if layout != doc.LayoutTree && layout != doc.LayoutUploads || !slices.Contains(info.Sniffed, ext) {
			continue
		}
		if begins == nil {
			var err error
			if begins, err = head(); err != nil {
				return none, err
			}
			begins = begins[:min(len(begins), HeadBytes)]
		}
		if recognizesFile(*info, begins) {
			return i, nil
		}
	}
	for i := range r.infos {
		if info := &r.infos[i]; slices.Contains(info.Extensions, ext) && slices.Contains(parserLayouts(info), layout) {
			return i, nil
		}
	}
	return none, nil
}

// parserByEnding is the parser of files with an ambiguous ending, whatever they begin with:
// that of plain text where it has the ending, else the first; none where there is none.
func (r *Registry) parserByEnding(ext string) int {
	found := none
	for i := range r.infos {
		if info := &r.infos[i]; slices.Contains(info.Sniffed, ext) && (found == none || info.Plain) {
			found = i
		}
	}
	return found
}

// recognizesFile asks a parser whether a file is a page of its format. One that panics says no.
func recognizesFile(info Info, head []byte) (is bool) {
	defer func() {
		if recover() != nil {
			is = false
		}
	}()
	return info.Sniff(head)
}

// HeadOf gives the beginning of a file that was read.
func HeadOf(src []byte) func() ([]byte, error) {
	return func() ([]byte, error) { return src[:min(len(src), HeadBytes)], nil }
}

// ParserOf is the parser of a format, or ErrNoParser.
func (r *Registry) ParserOf(format doc.Format) (Parser, error) {
	for i, p := range r.parsers {
		if r.infos[i].Format == format {
			return p, nil
		}
	}
	return nil, fmt.Errorf("format %q: %w", format, ErrNoParser)
}

// IsVerbatim reports whether the text of a page is its source.
func IsVerbatim(p Parser, src []byte) bool {
	if !p.Info().Verbatim {
		return false
	}
	i, ok := p.(Includer)
	return !ok || !i.Includes(src)
}

// Parse reads a page of a doc set by its format. A page whose text is not its
// source is converted once, where documents are kept.
func (r *Registry) Parse(ctx context.Context, src []byte, file File) (doc.Document, error) {
	return r.parseLooked(ctx, src, file, whole)
}

// ParseAgain is as Parse, but converts the page even where its document is kept, and
// replaces that.
func (r *Registry) ParseAgain(ctx context.Context, src []byte, file File) (doc.Document, error) {
	return r.parseLooked(ctx, src, file, anew)
}

func (r *Registry) parseLooked(ctx context.Context, src []byte, file File, how looked) (d doc.Document, err error) {
	p, err := r.ParserFor(file.Path, file.Layout, HeadOf(src))
	if err != nil {
		return doc.Document{}, err
	}
	info := p.Info()
	defer survivePanic(&err, info)
	opt := Options{Path: file.Path, FallbackTitle: DefaultTitle(file.Path, file.Layout), Titled: file.Layout == doc.LayoutTitled}
	if info.Verbatim && (file.Files == nil || IsVerbatim(p, src)) {
		d, err := p.Parse(ctx, src, opt)
		d.Words = fidelity.CountOwn(src)
		return d, err
	}
	return r.converted(ctx, p, src, file, opt, how)
}

// Rendition gives a page's format and text, and its sections, whose anchors the text
// does not say; of a page whose text is its source nothing is parsed, and no sections
// are given.
func (r *Registry) Rendition(ctx context.Context, src []byte, file File) (doc.Document, error) {
	p, err := r.ParserFor(file.Path, file.Layout, HeadOf(src))
	if err != nil {
		return doc.Document{}, err
	}
	if info := p.Info(); info.Verbatim && (file.Files == nil || IsVerbatim(p, src)) {
		return doc.Document{Format: info.Format, Rendition: doc.Rendition{Source: src, Text: src, Parser: info.Version,
			Plain: info.Plain}}, nil
	}
	d, err := r.parseLooked(ctx, src, file, asText)
	return doc.Document{Format: d.Format, Rendition: d.Rendition, Sections: d.Sections}, err
}

// Text returns a page's text, and the other files that it was made of.
func (r *Registry) Text(ctx context.Context, src []byte, file File) ([]byte, []doc.Use, error) {
	d, err := r.parseLooked(ctx, src, file, asText)
	return d.Text, d.Uses, err
}

// Outdated reports whether a page that was read by a version of a format's parser
// may have another text by now: the text is not the source, and the parser is of
// another version or gone.
func (r *Registry) Outdated(format doc.Format, version int) bool {
	p, err := r.ParserOf(format)
	if err != nil {
		return true
	}
	info := p.Info()
	return !info.Verbatim && info.Version != version
}

// Structure reads the sections and blocks of a page's text by the rule of its
// format.
func (r *Registry) Structure(ctx context.Context, text []byte, format doc.Format) (d doc.Document, err error) {
	p, err := r.ParserOf(format)
	if err != nil {
		return doc.Document{}, err
	}
	defer survivePanic(&err, p.Info())
	return p.Structure(ctx, text)
}

// survivePanic makes an error of a parser's panic: it concerns one page, which is then
// left out, and not the program.
func survivePanic(err *error, info Info) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("the parser of %s (version %d) panicked: %v", info.Name, info.Version, v)
	}
}

// TakesDomain reports whether files of a domain are pages of the format.
func (i Info) TakesDomain(domain string) bool { return i.Domain == "" || i.Domain == domain }

// Endings gives the domain of files by their endings, for doc sets whose files are of
// several domains: that of the parser, or def where it takes any.
func (r *Registry) Endings(def string) map[string]string {
	out := map[string]string{}
	for _, info := range r.infos {
		if !slices.Contains(parserLayouts(&info), doc.LayoutTree) {
			continue
		}
		for _, e := range info.Extensions {
			out[e] = cmp.Or(info.Domain, def)
		}
	}
	return out
}

// Describe lists the formats of a folder's pages for a person by their names: "Markdown, HTML,
// JSON". The endings of them all would fill a screen.
func (r *Registry) Describe() string {
	var all []string
	for _, info := range r.infos {
		if !slices.Contains(parserLayouts(&info), doc.LayoutTree) && len(info.Sniffed) == 0 {
			continue
		}
		name := info.Name
		if info.Domain != "" {
			name += " (domain " + info.Domain + ")"
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// DefaultTitle is the title of a page whose text has none: the folder's name in
// doc.LayoutTitled, the file's name without its ending otherwise (the folder's
// for an index page).
func DefaultTitle(file string, layout doc.Layout) string {
	dir := path.Base(path.Dir(file))
	if layout == doc.LayoutTitled && dir != "." {
		return dir
	}
	base := path.Base(file)
	if name, ok := unpackedName(base); ok {
		base = name
	}
	if page, ok := TemplateOf(base); ok {
		base = page
	}
	name := strings.TrimSuffix(base, path.Ext(base))
	switch strings.ToLower(name) {
	case "index", "_index", "readme":
		if dir != "." && dir != "/" {
			return dir
		}
	}
	return name
}
