package pipeline

import (
	"slices"
	"time"
)

// placesFormat is the version of the file of places.
const placesFormat = 1

// Place is a place on a page that a person read or marked.
type Place struct {
	DocSet   string    `json:"doc_set"`
	FilePath string    `json:"file_path"`
	Title    string    `json:"page_title"`
	Path     []string  `json:"heading_path,omitempty"` // of the section
	Anchor   string    `json:"anchor,omitempty"`       // of the section
	Line     int       `json:"line,omitempty"`         // of the text, from 1; 0: its beginning
	At       time.Time `json:"at"`                     // when it was read or marked
}

// SamePage reports whether two places are on one page.
func (p Place) SamePage(o Place) bool { return p.DocSet == o.DocSet && p.FilePath == o.FilePath }

// SameSection reports whether two places are in one section.
func (p Place) SameSection(o Place) bool {
	return p.SamePage(o) && p.Anchor == o.Anchor && slices.Equal(p.Path, o.Path)
}

// Places are the pages that a person read, each once, at the place where they left
// it, and the sections that they marked, the newest first.
type Places struct {
	Format int     `json:"docent_places"`
	Read   []Place `json:"read"`
	Marked []Place `json:"marked"`
}

// mostRead bounds the pages that are remembered, mostMarked the marks.
const (
	mostRead   = 2000
	mostMarked = 2000
)

// Visit is the places after a page was read up to a place.
func (p Places) Visit(at Place) Places {
	p.Format = placesFormat
	rest := slices.DeleteFunc(slices.Clone(p.Read), at.SamePage)
	p.Read = append([]Place{at}, rest[:min(len(rest), mostRead-1)]...)
	return p
}

// Mark is the places with a section marked, or no longer.
func (p Places) Mark(at Place, on bool) Places {
	p.Format = placesFormat
	rest := slices.DeleteFunc(slices.Clone(p.Marked), at.SameSection)
	if on {
		rest = append([]Place{at}, rest[:min(len(rest), mostMarked-1)]...)
	}
	p.Marked = rest
	return p
}

// IsMarked reports whether a section is marked.
func (p Places) IsMarked(at Place) bool { return slices.ContainsFunc(p.Marked, at.SameSection) }

// Readable reports whether this version can read the places.
func (p Places) Readable() bool { return p.Format == placesFormat }
