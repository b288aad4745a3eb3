// Package store has the interfaces of the program's stores, with their values and errors.
// A catalog holds the primary data on the documentation; an index holds passages by their
// words and vectors and is derived from it; blobs hold texts by the hash of their
// content.
//
// The packages below it are the embedded implementations. Only the package that wires the
// program imports them: all others use the interfaces of this package, or smaller ones of
// their own.
//
// It refuses to implement anything.
package store

import (
	"errors"

	"docent/store/doc"
)

// ErrNotFound means that a doc set or document is not in the catalog.
var ErrNotFound = errors.New("not in the catalog")

// ErrCatalogDamaged means that a catalog, or a row of it, is not as it was written.
var ErrCatalogDamaged = errors.New("the catalog is damaged")

// Set is a doc set as the catalog knows it.
type Set struct {
	ID  int64
	Ref doc.Ref
	// Root is the absolute folder. Where another machine has it, Host is that machine, and Root
	// tells a person where it lies: it is no path of this machine.
	Root, Host string
	// Place is Root as a catalog keeps it that several machines share; "": Root itself.
	Place  string
	Layout doc.Layout
	Domain string
	// DomainGiven says that a person gave the domain with the doc set.
	DomainGiven bool
	// URLBase is the address below which its pages lie, as a person gave it (see
	// doc.PageURL), or "". Site is the one by which the pages got their addresses when
	// they were read: URLBase, or the address found next to the pages.
	URLBase, Site string
	// Counted when the set was last indexed.
	Documents, Sections, Chunks, Lines int
	Bytes                              int64
}

// Document is one page of a doc set, as it was when it was indexed.
type Document struct {
	ID     int64 // never used again, so that a changed page has a new one
	SetID  int64
	Path   string // inside the set, with slashes
	Title  string
	H1     string
	URL    string
	Format doc.Format
	Parser int // version of the format's parser that read it
	Lines  int // of its text
	Bytes  int64
	SHA256 string // of its file
	// TextSHA256 is the hash of its text; "" where the text is the file itself.
	TextSHA256 string
	ModTime    int64  // of the file, nanoseconds since 1970
	TOCPath    string // inside the set, "" if it has none
	TOCModTime int64  // of that file
	Warnings   []string
	Uses       []doc.Use // see doc.Document
	// Fingerprint tells texts that are nearly the same, see package fingerprint; nil:
	// the page has almost no text.
	Fingerprint []byte
	Words       int // outside of its headings and lists of links, code included; 0: it has no text of its own
	// Arrival says how many words of its file its text has; zero of a document that was read
	// before this was counted.
	Arrival doc.WordCount
	Domain  string // "" of a document that was read before there were domains
	Routing Routing
	Outline Outline
}

// Routing is why a document has its domain, and the names that follow from it.
type Routing struct {
	Reason    string `json:"reason"`
	SliceType string `json:"slice_type"`
	Route     string `json:"route"`
	Index     string `json:"index"`
	Profile   string `json:"profile,omitempty"` // of embeddings, "" for the default one
	Extractor string `json:"extractor"`         // the way in which it is cut into passages
	Tokens    int    `json:"tokens"`            // of its passages
}

// Outline is a document's sections and chunks, without texts.
type Outline struct {
	Sections []doc.Section
	Chunks   []doc.Chunk
}

// FileState is what an update compares with the disk.
type FileState struct {
	ID         int64
	Path       string
	Bytes      int64
	ModTime    int64
	SHA256     string
	TOCPath    string
	TOCModTime int64
	Format     doc.Format
	Parser     int // version of the format's parser that read it
	Uses       []doc.Use
	Domain     string // as Document.Domain
	Routing    Routing
}
