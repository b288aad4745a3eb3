// Package pptx parses presentations of PowerPoint (Office Open XML): each slide is a section
// with its title, its text with the levels of its lists, tables, diagrams and the speaker's notes.
//
// A citation names the slide as the page. A slide without a title is called by its number.
//
// It refuses to read pictures, charts, videos, the footers of slides, and the formats of
// PowerPoint before 2007.
package pptx

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/archive"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of presentations. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatPPTX, Version: version, Name: "PowerPoint", Extensions: []string{".pptx", ".pptm", ".ppsx"}}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// mostSlides is how many slides of a presentation are read.
const mostSlides = 5000

// Parse reads a presentation. Errors are of type *parse.Failed, or the context's.
func (Parser) Parse(ctx context.Context, src []byte, _ parse.Options) (doc.Document, error) {
	a, err := archive.Open(src, "a presentation")
	if err != nil {
		return doc.Document{}, err
	}
	p := &presentation{Package: office.Package{Archive: a, Writer: build.New()}}
	main, err := p.ReadPart(ctx, "ppt/presentation.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no presentation, whatever its name says: it has no ppt/presentation.xml"}
	}
	if err != nil {
		return doc.Document{}, err
	}
	p.TakeProperties(ctx)
	slides := p.Relations(ctx, "ppt/presentation.xml")
	for i, id := range office.ChildrenOf(main.Find("sldIdLst")) {
		if err := ctx.Err(); err != nil {
			return doc.Document{}, err
		}
		if i >= mostSlides {
			p.Writer.Warn("it has more than %d slides: the others are not read", mostSlides)
			break
		}
		if err := p.writeSlide(ctx, i+1, slides[idOf(id)].Target); err != nil {
			return doc.Document{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	if p.Writer.Len() == 0 {
		p.Writer.Warn("it has no text")
	}
	return p.Writer.Document(ctx, src)
}

// presentation is a presentation while it is written.
type presentation struct {
	office.Package
	links   map[string]office.Relation // of the slide
	open    []int                      // levels of the items that are open
	numbers map[int]int                // of numbered items, by level
}

// idOf is the id of a relation that an element names: its number has the same name without a
// space.
func idOf(n *office.Node) string {
	id := ""
	for _, a := range n.Attrs {
		if a.Name == "id" && strings.IndexFunc(a.Value, func(r rune) bool { return r < '0' || r > '9' }) >= 0 {
			id = a.Value
		}
	}
	return id
}

// writeSlide writes a slide as a section. A part that unpacks to too much is an error.
func (p *presentation) writeSlide(ctx context.Context, number int, part string) error {
	root, err := p.ReadPart(ctx, part)
	if errors.Is(err, fs.ErrNotExist) {
		p.Writer.Warn("its slide %d is missing", number)
		return nil
	}
	if err != nil {
		return err
	}
	if root.Child("sld").Attr("show") == "0" {
		return nil // it is hidden
	}
	p.links = p.Relations(ctx, part)
	p.Writer.At(doc.Location{Page: number})
	shapes := root.Find("spTree")
	title := titleOf(shapes, 0)
	name := spacing.Single(textOf(title))
	if name == "" {
		title, name = nil, "Slide "+strconv.Itoa(number)
	}
	p.Writer.Heading(2, build.TextInline(name), "")
	p.writeShapes(shapes, title, 0)
	for _, id := range sortedIDs(p.links) {
		switch r := p.links[id]; r.Kind {
		case "diagramData":
			if data, err := p.ReadPart(ctx, r.Target); err == nil {
				p.writeDiagram(data)
			}
		case "notesSlide":
			if notes, err := p.ReadPart(ctx, r.Target); err == nil {
				p.writeNotes(notes)
			}
		}
	}
	return nil
}

// kindOf is the kind of a shape's placeholder: "title", "body", "ftr"; "" for other shapes.
func kindOf(shape *office.Node) (kind string, placeholder bool) {
	ph := shape.Child("nvSpPr").Child("nvPr").Child("ph")
	if ph == nil {
		return "", false
	}
	return ph.Attr("type"), true
}

// deepest is how deep groups of shapes are read.
const deepest = 30

// titleOf is the shape with the title of a slide, or nil.
func titleOf(in *office.Node, depth int) *office.Node {
	for _, n := range office.ChildrenOf(in) {
		switch n.Name {
		case "sp":
			if kind, _ := kindOf(n); kind == "title" || kind == "ctrTitle" {
				return n
			}
		case "grpSp":
			if depth < deepest {
				if t := titleOf(n, depth+1); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// textOf is the text of a shape without marks, with blanks between its paragraphs.
func textOf(shape *office.Node) string {
	var parts []string
	for _, para := range office.ChildrenOf(shape.Child("txBody")) {
		if para.Name == "p" {
			parts = append(parts, para.PlainText())
			for _, c := range para.Children {
				if c.Name == "br" {
					parts[len(parts)-1] = office.RunsText((&presentation{}).runsOf(para))
					break
				}
			}
		}
	}
	return strings.Join(parts, " ")
}
