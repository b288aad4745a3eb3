// Package dita reads DITA: topics of all kinds, files of several topics, and maps.
//
// A topic becomes a page of Markdown: its title, its sections, the steps of a task as
// one numbered list. What it takes from other files of the doc set (conref, conkeyref,
// keyref, coderef) stands in its place, and so does what they push to it (conaction with
// conref), which stands in the page that pushes it too. A map becomes its title and the list of what it
// refers to. A section's anchor is the id that DITA-OT's HTML gives it: "topic", or
// "topic__element".
//
// The XML is read as a stream: a block at a time is held in memory. Malformed XML is
// corrected, or shown as plain text, with a warning that names the line.
//
// It refuses to fetch anything: external entities and document types are never read,
// files only through parse.Options.Open. It filters nothing: conditional content
// (audience, platform, print) is shown. It renders no drafts, no foreign content (SVG,
// MathML) and no relationship tables.
//
// Terms. An event is a tag or text of a file. The stream of a page has the events of its
// file with those of taken content in their place. A raw inline is one that knows the
// lines of its breaks.
//
// Rejected: a tree of the whole file. 20 MB of DITA make a tree of 400 MB.
package dita

import (
	"context"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// version is the parser's version.
const version = 7

// Parser is the parser of DITA. It implements parse.Parser. New makes one.
type Parser struct {
	maps *mapCache
}

// New makes a parser. It keeps the keys of the maps that it has read.
func New() *Parser { return &Parser{maps: &mapCache{}} }

// Info describes the format.
func (*Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatDITA, Version: version, Name: "DITA", Extensions: []string{".dita", ".ditamap", ".bookmap"},
		Sniffed: []string{".xml"}, Sniff: SniffDITA}
}

// Structure reads the rendition, which is Markdown.
func (*Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page. No content is an error.
func (d *Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	f, warning := newFile(opt.Path, src)
	w := build.New()
	if warning != "" {
		w.Warn("%s", warning)
	}
	lib := &library{open: opt.Open, files: map[string]*opened{}}
	p := &page{w: w, file: f, library: lib, titles: map[string]string{}, warned: map[string]bool{}, lost: map[missing]*lost{}}
	r := f.newReaderAtStart()
	r.warn = func(what string) { p.warnOnce(what, nil) }
	p.s = &stream{page: f, library: lib, sources: []*source{{r: r}}, left: maxTakenBytes + 4*len(src), say: p.warnOnce, ctx: ctx,
		survey: opt.Survey,
		keys: &keys{library: lib, page: opt.Path, index: func() *keyIndex {
			if opt.Survey == nil || opt.UseAll == nil {
				return nil
			}
			opt.UseAll(mapEndings[:]...)
			index, _ := opt.Survey("keys of DITA", func(all parse.Files) any { return indexKeys(all, d.maps) }).(*keyIndex)
			return index
		}}}
	p.writePage()
	out, err := w.Document(ctx, src)
	if err == nil {
		out.Metadata = p.topicMetadata(&out)
	}
	return out, err
}
