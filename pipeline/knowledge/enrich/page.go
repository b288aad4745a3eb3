package enrich

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/knowledge/references"
	"docent/store/doc"
)

// Whole stands for the page in place of the index of a section.
const Whole = -1

// Page is a parsed page of which enrichments are made. What one of them needs of the whole
// page is read once. It is not safe for concurrent use.
type Page struct {
	name string // as span ids hash it
	d    doc.Document

	paths      []string
	blocks     [][]int // of the document, by section
	links      [][]int
	refs       func() *references.Page
	finds      [][]int // of refs, by section
	leads      [][]int // refs' links, by section
	params     func() []parameters.Parameter
	documented [][]int        // of params, by section
	spread     map[string]int // in how many sections a term stands
}

// ReadPage reads a page of a doc set, Name@version.
func ReadPage(docSet string, d doc.Document) *Page {
	p := &Page{name: docSet + "/" + d.Path, d: d, paths: doc.SectionPaths(d.Sections)}
	n := len(d.Sections)
	p.blocks, p.links = make([][]int, n), make([][]int, n)
	for i, b := range d.Blocks {
		if b.Section >= 0 && b.Section < n {
			p.blocks[b.Section] = append(p.blocks[b.Section], i)
		}
	}
	for i, l := range d.Links {
		if l.Section >= 0 && l.Section < n {
			p.links[l.Section] = append(p.links[l.Section], i)
		}
	}
	p.refs = sync.OnceValue(func() *references.Page {
		refs := references.ReadPage(d, references.Defaults())
		p.finds, p.leads = make([][]int, n), make([][]int, n)
		note := func(to [][]int, place, i int) {
			if place >= 0 && place < n {
				to[place] = append(to[place], i)
			}
		}
		for i, x := range refs.Finds {
			note(p.finds, x.Place, i)
		}
		for i, x := range refs.Links {
			note(p.leads, x.Place, i)
		}
		return refs
	})
	p.params = sync.OnceValue(func() []parameters.Parameter {
		all := parameters.ReadParameters(d)
		p.documented = make([][]int, n)
		for i, x := range all {
			if x.Section >= 0 && x.Section < n {
				p.documented[x.Section] = append(p.documented[x.Section], i)
			}
		}
		return all
	})
	return p
}

// Span is a part of a page that has an enrichment: the page, or a section up to the next
// heading.
type Span struct {
	Section     int // Whole: the page
	SectionPath string
	ID          string
	Title       string
	Start, End  int    // of the page's text
	Hash        string // of all that an enrichment is made of
}

// AllSpans are the page and its sections.
func (p *Page) AllSpans() []Span {
	out := []Span{p.SpanOf(Whole)}
	for i, s := range p.d.Sections {
		if s.Level > 0 && s.Text != "" {
			out = append(out, p.SpanOf(i))
		}
	}
	return out
}

// SpanIDs are the ids of the spans of a page, Name@version/PATH, with these sections.
func SpanIDs(document string, sections []doc.Section) []string {
	out := []string{doc.SectionID(document, "")}
	paths := doc.SectionPaths(sections)
	for i, s := range sections {
		if s.Level > 0 && s.Text != "" {
			out = append(out, doc.SectionID(document, paths[i]))
		}
	}
	return out
}

// SpanOf is one of them. A text before the first heading belongs to the page.
func (p *Page) SpanOf(section int) Span {
	s := Span{Section: section, Title: p.d.Title, End: len(p.d.Text)}
	if section != Whole {
		own := p.d.Sections[section]
		s.SectionPath, s.Title = p.paths[section], own.Text
		s.Start, s.End = min(max(own.Span.Start, 0), len(p.d.Text)), min(max(own.Span.End, 0), len(p.d.Text))
		s.End = max(s.Start, s.End)
	}
	s.ID = doc.SectionID(p.name, s.SectionPath)
	h := sha256.New()
	h.Write([]byte(s.Title + "\x00" + s.SectionPath + "\x00"))
	h.Write(p.d.Text[s.Start:s.End])
	s.Hash = hex.EncodeToString(h.Sum(nil))[:32]
	return s
}

// Text is the text of a span, at most so many bytes of it.
func (p *Page) Text(s Span, most int) string {
	text := p.d.Text[s.Start:s.End]
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "")
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// proseLength is the length of what a span says in words, in bytes: without code and headings.
func (p *Page) proseLength(s Span) int {
	n := 0
	for b := range p.eachBlock(s.Section) {
		if isProse(b) || b.Kind == doc.Table {
			n += len(b.Text)
		}
	}
	return n
}

// eachBlock gives the blocks of a section, or of the page.
func (p *Page) eachBlock(section int) func(func(doc.Block) bool) {
	return func(yield func(doc.Block) bool) {
		if section == Whole {
			for _, b := range p.d.Blocks {
				if !yield(b) {
					return
				}
			}
			return
		}
		for _, i := range p.blocks[section] {
			if !yield(p.d.Blocks[i]) {
				return
			}
		}
	}
}

// indicesOf gives the indices noted for a section, or for all.
func indicesOf(by [][]int, section int) func(func(int) bool) {
	if section != Whole {
		by = by[section : section+1]
	}
	return func(yield func(int) bool) {
		for _, all := range by {
			for _, i := range all {
				if !yield(i) {
					return
				}
			}
		}
	}
}

func isProse(b doc.Block) bool {
	switch b.Kind {
	case doc.Paragraph, doc.List, doc.Procedure, doc.Admonition, doc.Quote:
		return true
	}
	return false
}
