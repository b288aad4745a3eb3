// Package odt parses text documents of LibreOffice and others (OpenDocument): headings, lists,
// tables, code, links, footnotes.
//
// Headings are known by their element, the title by its style, code by styles named so and by
// fonts of equal widths. Pages are those of the last time that a program laid the document
// out, where it says so. Deleted text is not read.
//
// It refuses to lay out, to read macros, drawings and spreadsheets, and to open encrypted
// files.
package odt

import (
	"bytes"
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

// Parser is the parser of OpenDocument text. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatODT, Version: version, Name: "OpenDocument", Extensions: []string{".odt", ".ott"}}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a document. Errors are of type *parse.Failed, or the context's.
func (Parser) Parse(ctx context.Context, src []byte, _ parse.Options) (doc.Document, error) {
	a, err := archive.Open(src, "an OpenDocument text")
	if err != nil {
		return doc.Document{}, err
	}
	if manifest, err := a.Read("META-INF/manifest.xml"); err == nil && bytes.Contains(manifest, []byte("encryption-data")) {
		return doc.Document{}, &parse.Failed{Code: parse.PasswordProtected, Reason: "it is protected by a password; save it without one"}
	}
	content, err := a.Read("content.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no OpenDocument text, whatever its name says: it has no content.xml"}
	}
	if err != nil {
		return doc.Document{}, err
	}
	d := &document{w: build.New(), styles: map[string]*style{}, lists: map[string][]level{}, counters: map[string]int{}, page: 1}
	if err := d.readParts(ctx, a); err != nil {
		return doc.Document{}, err
	}
	root, whole := office.Read(ctx, content)
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	if !whole {
		d.w.Warn("its text is damaged: what follows after the damage is not read")
	}
	d.readStyles(root.Find("automatic-styles"))
	d.paged = root.Find("soft-page-break") != nil
	body := root.Find("text")
	if root.Find("body") != nil {
		body = root.Find("body").Child("text")
	}
	if body == nil && whole {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no OpenDocument text: it has a table or a drawing instead"}
	}
	if body != nil {
		d.writeBlocks(body)
	}
	d.endCode()
	d.writeNotes()
	d.w.Title(d.title)
	if d.w.Len() == 0 {
		d.w.Warn("it has no text")
	}
	return d.w.Document(ctx, src)
}

// style is what the parser asks of a style.
type style struct {
	name         string // as it is shown, in lower case
	parent       string
	bold, italic bool
	mono, code   bool
	done         bool // what it takes over is known
}

// level is one level of a list.
type level struct {
	numbered bool
	start    int
}

// document is a document while it is written.
type document struct {
	w        *build.Writer
	styles   map[string]*style  // by name
	lists    map[string][]level // by name
	counters map[string]int     // of numbered lists that go on, by name and level
	title    string
	page     int
	paged    bool
	shift    int // of headings: 1 below a title
	headings int
	code     []string
	notes    []*office.Node
	noted    int
	depth    int
}

// readParts reads the document's properties and styles. Missing and damaged parts are
// skipped.
func (d *document) readParts(ctx context.Context, a *archive.Archive) error {
	for _, name := range []string{"meta.xml", "styles.xml"} {
		data, err := a.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		root, whole := office.Read(ctx, data)
		if !whole {
			d.w.Warn("its part %s is damaged", name)
		}
		if name == "styles.xml" {
			d.readStyles(root.Find("styles"))
			continue
		}
		d.title = spacing.Single(root.Find("title").PlainText())
		for _, about := range []string{"subject", "keyword", "description"} {
			d.w.AddMetadata(root.Find(about).PlainText())
		}
	}
	return nil
}

// readStyles reads styles of text and lists.
func (d *document) readStyles(in *office.Node) {
	if in == nil {
		return
	}
	for _, n := range in.Children {
		switch n.Name {
		case "style":
			properties := n.Child("text-properties")
			name := n.Attr("display-name")
			if name == "" {
				name = strings.ReplaceAll(n.Attr("name"), "_20_", " ")
			}
			s := &style{name: strings.ToLower(name), parent: n.Attr("parent-style-name"),
				bold: isBold(properties.Attr("font-weight")), italic: properties.Attr("font-style") == "italic",
				mono: office.IsMonoFont(strings.ToLower(properties.Attr("font-name") + " " + properties.Attr("font-family")))}
			s.code = office.IsCodeStyle(s.name)
			d.styles[n.Attr("name")] = s
		case "list-style":
			levels := make([]level, 10)
			for _, l := range n.Children {
				if at := numberOr(l.Attr("level"), 0) - 1; at >= 0 && at < len(levels) {
					levels[at] = level{numbered: l.Name == "list-level-style-number" && l.Attr("num-format") != "",
						start: numberOr(l.Attr("start-value"), 1)}
				}
			}
			d.lists[n.Attr("name")] = levels
		}
	}
}

func isBold(weight string) bool { return weight == "bold" || numberOr(weight, 0) >= 600 }

// numberOr reads a number, or other.
func numberOr(s string, other int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && n >= 0 {
		return n
	}
	return other
}

// styleOf is a style with what it takes over from others.
func (d *document) styleOf(name string) *style {
	s := d.styles[name]
	if s == nil {
		return &style{name: strings.ToLower(strings.ReplaceAll(name, "_20_", " "))}
	}
	if !s.done {
		s.done = true
		if s.parent != "" && s.parent != name {
			base := d.styleOf(s.parent)
			s.code, s.mono = s.code || base.code, s.mono || base.mono
			s.bold, s.italic = s.bold || base.bold, s.italic || base.italic
			if !s.isNamed() && base.isNamed() || s.name == strings.ToLower(name) && strings.HasPrefix(s.name, "p") && len(s.name) < 6 {
				s.name = base.name
			}
		}
	}
	return s
}

// isNamed reports whether a style has a name that says what it is for.
func (s *style) isNamed() bool { return s.name == "title" || s.name == "subtitle" }

// place is the place of the block that is written next.
func (d *document) place() doc.Location {
	if d.paged {
		return doc.Location{Page: d.page}
	}
	return doc.Location{}
}
