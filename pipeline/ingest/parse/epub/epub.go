// Package epub parses books in the format EPUB, 2 and 3: the chapters in the order of the
// book's spine, read as HTML. A book is one page.
//
// Each line's place names the chapter's file. A chapter without a heading gets the one
// that the book's table of contents has for it. The table itself is not read, nor are
// pictures and scripts; nothing outside of the file is.
//
// Rejected: a page for each chapter. Documents of a doc set are files, and a citation
// must name the file that can be opened.
//
// It refuses to remove protection from books.
package epub

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/archive"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/html"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of EPUB. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatEPUB, Version: version, Name: "EPUB", Extensions: []string{".epub"}}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Bounds of a book.
const (
	mostChapters = 5000
	mostLabels   = 20_000
	mostAbout    = 20 // entries of each kind in its description
)

// Parse reads a book. Errors are of type *parse.Failed, or the context's.
func (Parser) Parse(ctx context.Context, src []byte, _ parse.Options) (doc.Document, error) {
	a, err := archive.Open(src, "an EPUB book")
	if err != nil {
		return doc.Document{}, err
	}
	b, err := openBook(a)
	if err != nil {
		return doc.Document{}, err
	}
	w := build.New()
	w.Title(b.title)
	for _, about := range b.about {
		w.AddMetadata(about)
	}
	for _, chapter := range b.chapters {
		if err := ctx.Err(); err != nil {
			return doc.Document{}, err
		}
		if b.locked[chapter] {
			return doc.Document{}, &parse.Failed{Code: parse.PasswordProtected,
				Reason: "it is protected against copying; only the programs of its shop can read it"}
		}
		text, err := a.Read(chapter)
		if errors.Is(err, fs.ErrNotExist) {
			w.Warn("its chapter %s is missing", chapter)
			continue
		}
		if err != nil {
			return doc.Document{}, err
		}
		at := doc.Location{Element: chapter}
		w.At(at)
		if label := b.labels[chapter]; label != "" && !hasHeading(text) {
			w.Heading(1, build.TextInline(label), "")
		}
		html.Fragment(ctx, w, string(chapterBody(text)), at)
	}
	if len(b.chapters) == mostChapters {
		w.Warn("it has more than %d chapters: the others are not read", mostChapters)
	}
	if w.Len() == 0 {
		w.Warn("it has no text")
	}
	return w.Document(ctx, src)
}

// chapterBody is a chapter without its head and in UTF-8.
func chapterBody(text []byte) []byte {
	text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	if i := bytes.Index(text, []byte("<body")); i >= 0 {
		return text[i:]
	}
	return text
}

// hasHeading reports whether a chapter has a heading.
func hasHeading(text []byte) bool {
	for rest := text; ; {
		i := bytes.Index(rest, []byte("<h"))
		if i < 0 || i+2 >= len(rest) {
			return false
		}
		if c := rest[i+2]; c >= '1' && c <= '6' {
			return true
		}
		rest = rest[i+2:]
	}
}

// book is what a book's package says of it.
type book struct {
	title    string
	about    []string
	chapters []string          // paths in the archive, in order
	labels   map[string]string // of chapters, by the table of contents
	locked   map[string]bool   // parts that are encrypted
}

// element is an XML element with the attributes and texts that are asked for.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// elementsInOrder reads the elements of a part in order; malformed XML ends them.
func elementsInOrder(data []byte, each func(element)) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var open *element
	var text strings.Builder
	end := func() {
		if open != nil {
			open.text = spacing.Single(text.String())
			each(*open)
		}
		open = nil
		text.Reset()
	}
	for {
		token, err := dec.RawToken()
		if err != nil {
			end()
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			end()
			open = &element{name: t.Name.Local, attrs: map[string]string{}}
			for _, a := range t.Attr {
				open.attrs[a.Name.Local] = a.Value
			}
		case xml.EndElement:
			end()
		case xml.CharData:
			if open != nil && text.Len() < 4<<10 {
				text.Write(t)
			}
		}
	}
}

// openBook reads the container and the package of a book.
func openBook(a *archive.Archive) (*book, error) {
	container, err := a.Read("META-INF/container.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no EPUB book, whatever its name says: it has no META-INF/container.xml"}
	}
	if err != nil {
		return nil, err
	}
	at := ""
	elementsInOrder(container, func(e element) {
		if e.name == "rootfile" && at == "" {
			at = e.attrs["full-path"]
		}
	})
	opf, err := a.Read(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &parse.Failed{Code: parse.CorruptFile, Reason: "it is damaged: its list of chapters is missing; save it anew"}
	}
	if err != nil {
		return nil, err
	}
	b := &book{labels: map[string]string{}, locked: map[string]bool{}}
	contents := b.readPackage(opf, path.Dir(at))
	for _, part := range contents {
		if data, err := a.Read(part); err == nil {
			b.readContents(data, path.Dir(part))
		}
	}
	if data, err := a.Read("META-INF/encryption.xml"); err == nil {
		elementsInOrder(data, func(e element) {
			if e.name == "CipherReference" {
				b.locked[pathWithinArchive("", e.attrs["URI"])] = true
			}
		})
	}
	return b, nil
}

// pathWithinArchive is the path of a reference in the archive, "" for one that leads out of it.
func pathWithinArchive(dir, ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	if plain, err := url.PathUnescape(ref); err == nil {
		ref = plain
	}
	return strings.TrimPrefix(path.Join("/", dir, ref), "/")
}

// readPackage reads the description, the order of the chapters, and which parts are
// tables of contents.
func (b *book) readPackage(opf []byte, dir string) (contents []string) {
	type part struct{ path, kind, properties string }
	manifest := map[string]part{}
	seen := map[string]bool{}
	about := map[string]int{}
	var spine []string
	elementsInOrder(opf, func(e element) {
		switch e.name {
		case "title":
			if b.title == "" {
				b.title = e.text
			}
		case "creator", "subject", "description":
			if about[e.name]++; about[e.name] <= mostAbout {
				b.about = append(b.about, html.OneLine(e.text))
			}
		case "item":
			p := part{pathWithinArchive(dir, e.attrs["href"]), e.attrs["media-type"], e.attrs["properties"]}
			manifest[e.attrs["id"]] = p
			if len(contents) < 4 && (p.kind == "application/x-dtbncx+xml" || hasWord(p.properties, "nav")) {
				contents = append(contents, p.path)
			}
		case "itemref":
			if len(spine) < mostChapters {
				spine = append(spine, e.attrs["idref"])
			}
		}
	})
	for _, id := range spine {
		p := manifest[id]
		if p.path == "" || seen[p.path] || hasWord(p.properties, "nav") || p.kind != "application/xhtml+xml" && p.kind != "text/html" &&
			p.kind != "application/x-dtbook+xml" {
			continue
		}
		seen[p.path] = true
		b.chapters = append(b.chapters, p.path)
	}
	return contents
}

func hasWord(list, word string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// readContents reads what a table of contents calls the chapters: of EPUB 3 the links, of
// EPUB 2 labels before their targets.
func (b *book) readContents(data []byte, dir string) {
	label := ""
	elementsInOrder(data, func(e element) {
		target := ""
		switch e.name {
		case "a":
			label, target = e.text, e.attrs["href"]
		case "text":
			label = e.text
		case "content":
			target = e.attrs["src"]
		}
		if target == "" || label == "" || len(b.labels) >= mostLabels {
			return
		}
		if p := pathWithinArchive(dir, target); b.labels[p] == "" {
			b.labels[p] = label
		}
	})
}
