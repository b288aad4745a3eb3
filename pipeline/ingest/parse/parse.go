// Package parse knows the formats of documentation: which files are pages, and
// which parser reads them.
//
// A Parser turns the source of one format into a doc.Document: the rendition,
// which is the page as text, and the structure of that text. A Registry holds
// the parsers of a program. Everything that depends on a page's format asks the
// registry; no package compares file endings or formats itself.
//
// A format is chosen by a file's ending and, where the ending does not tell (.txt,
// .xml), by the file's beginning: see Info.Sniffed.
//
// A page whose text is not its source is converted once: the registry keeps the document
// in blobs, by the hash of its source, its path and the parser's version, if it has a
// store for them (see Registry.Keep). A stored document is valid while the other files
// that the page took text from are unchanged (doc.Document.Uses). Nothing is kept of
// Markdown and plain text.
//
// It refuses to read files: the caller gives access to the other files of the doc set,
// see Files.
package parse

import (
	"context"
	"strings"
	"unicode/utf8"

	"docent/store/doc"
)

// Parser reads pages of one format. It is safe for concurrent use.
type Parser interface {
	// Info describes the format. It is the same at every call.
	Info() Info
	// Parse reads a page: its rendition, and the sections, blocks and links of
	// the text. The same source and options give the same document. An error
	// concerns this page alone. Where Info.Verbatim is false, the registry gives no
	// titles and sets the path, the title of a page that names none, and what it
	// can count (format, version, hash, lines, bytes).
	Parse(ctx context.Context, src []byte, opt Options) (doc.Document, error)
	// Structure reads the sections and blocks of a text that Parse made, or, where the
	// text is Markdown, of some of its blocks. Spans are places in the given text.
	Structure(ctx context.Context, text []byte) (doc.Document, error)
}

// Includer is a parser whose text is the source (Info.Verbatim), but of pages that include
// other files of the doc set: those are converted. Includes reports whether a page may be
// one, by its source alone.
type Includer interface {
	Includes(src []byte) bool
}

// Info describes a format and its parser.
type Info struct {
	Format doc.Format
	// Version is raised whenever the parser makes another rendition of the same
	// source: pages of the version before are then read again. At least 1.
	Version int
	Name    string // for people: "Markdown"
	// Extensions are the endings of the files that are pages of the format, in
	// lower case with the dot. Two parsers must not have the same in one layout.
	Extensions []string
	// Sniffed are the endings of files in doc.LayoutTree that are pages of the format
	// where Sniff says so. It is asked before a parser that has the ending among its
	// Extensions; several parsers may share such an ending, and the one that was
	// registered first is asked first.
	Sniffed []string
	// Sniff says by the beginning of a file, at most HeadBytes of it, whether it is a
	// page of the format. It takes no longer than a look at each byte. nil where
	// Sniffed is.
	Sniff func(head []byte) bool
	// Domain is the domain of the files that are pages of the format: source code is
	// none in a doc set of documentation. "": files of any domain.
	Domain string
	// Layouts are the layouts of doc sets in which these files are pages; nil: all
	// but doc.LayoutText.
	Layouts []doc.Layout
	// Verbatim says that the text is the source itself: nothing is converted and
	// no rendition is kept. An Includer says of which pages it is not.
	Verbatim bool
	// Packed says that files of the format are read too where they are compressed with
	// gzip: their names have ".gz" behind the ending.
	Packed bool
	// Plain says that the text is not Markdown and is shown unchanged.
	Plain bool
}

// MaxFile is the size of the largest page that is read, in bytes.
const MaxFile = 64 << 20

// HeadBytes is how much of a file Sniff is given, at most.
const HeadBytes = 4 << 10

// MaxTitle is the length of the longest title of a page, in bytes.
const MaxTitle = 300

// CutTitle cuts a title that is longer than MaxTitle, between words where there are
// some: it stands in every list of pages and counts as a field of each of their
// passages.
func CutTitle(title string) string {
	if len(title) <= MaxTitle {
		return title
	}
	cut := MaxTitle
	for !utf8.RuneStart(title[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(title[:cut], ' '); i > MaxTitle/2 {
		cut = i
	}
	return title[:cut] + "…"
}

// LeftOut is the error of a parser that has read a file and found that it is no page: a
// redirect, an index of names, data. It is the reason, for a person.
type LeftOut string

func (l LeftOut) Error() string { return string(l) }

// Options say what the page's bytes cannot.
type Options struct {
	Path          string // inside the doc set, with slashes
	FallbackTitle string // the title of a page that names none
	Titled        bool   // layout "titled": FallbackTitle is the title, always
	// Wanted says that a person handed the file in by itself: it is a page also where a
	// file of a folder would be taken for data.
	Wanted bool
	// Open reads another file of the doc set by its path, with slashes. It refuses files
	// outside of the doc set and files that are too large. nil: the page is read without
	// its doc set.
	Open func(path string) ([]byte, error)
	// Files lists the paths of the doc set's pages with one of some endings (".ditamap"),
	// in order. nil: they are not known.
	Files func(endings ...string) []string
	// Survey returns a parser's index of many files of the doc set, such as the places of
	// its labels: made once for all pages of an update. Files read for it do not count as
	// used; text that a page takes from a file is read with Open. A survey is not
	// changed. nil: the page is read without its doc set.
	Survey func(name string, of func(Files) any) any
	// UseAll notes that the page depends on what all of the doc set's pages with one of some endings
	// hold, as by an index that Survey made of them. nil: the page is read without its doc set.
	UseAll func(endings ...string)
}

// File is a page of a doc set.
type File struct {
	Path   string // inside the doc set, with slashes
	Layout doc.Layout
	Files  Files // nil: the page is read without its doc set
	OCR    OCR   // of a page of doc.LayoutUploads
}

// Files are the files of a doc set. They are safe for concurrent use.
type Files interface {
	// Open reads a file by its path inside the doc set. The error wraps fs.ErrNotExist
	// for a missing file; it refuses symbolic links, files that are not regular, hidden
	// ones and those over MaxFile.
	Open(path string) (Opened, error)
	// List gives the paths of the pages that have one of some endings, in order.
	List(endings ...string) []string
}

// Opened is a file that was read.
type Opened struct {
	Data    []byte
	ModTime int64 // before it was read, nanoseconds since 1970
}
