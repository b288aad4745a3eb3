// Package org reads Org, the format of Emacs: headlines, lists, definitions, tables, blocks of
// code and examples, footnotes, links, macros and included files.
//
// A section's anchor is its CUSTOM_ID, else the slug of its text. What Org does not export is
// not shown: comments, drawers of properties, and the trees of headlines with the word
// COMMENT or the tag "noexport".
//
// It refuses to run code and macros written in Lisp, to show text for another
// backend of the exporter, and to read files outside of the doc set.
//
// Terms. A headline begins with stars in the first column. A keyword is a line "#+NAME: value".
// A mark is a line break that says its line, as in package build.
//
// Rejected: github.com/niklasfasching/go-org 1.9.1, whose nodes do not say their lines.
package org

import (
	"context"
	"regexp"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// version is the parser's version.
const version = 3

// Parser is the parser of Org. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatOrg, Version: version, Name: "Org", Extensions: []string{".org"}, Packed: true}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	w := build.New()
	s := &source{w: w, opt: opt, macros: map[string]string{}, abbreviations: map[string]string{}, left: mostIncluded + 4*len(src)}
	s.readFile(w.ToUTF8(src), opt.Path, 0, 0)
	p := &page{source: s, w: w, anchors: map[string]string{}, unended: map[string]int{}, numbers: map[string]bool{},
		ends: map[string]int{}}
	lines := p.surveyHeadlines()
	if s.title != "" {
		w.Title(p.plain(s.title))
		p.place(s.titledAt)
		inline, _ := build.RawLines(p.inline(s.title))
		w.Heading(1, inline, "")
		p.shift = 1
	}
	p.writeBlocks(lines)
	p.writeNotes()
	return w.Document(ctx, src)
}

// page is a page while it is written.
type page struct {
	*source
	w       *build.Writer
	shift   int // of headlines: 1 below a title
	anchors map[string]string
	para    []line
	depth   int
	unended map[string]int // of a kind of block, the line up to which none ends
	ends    map[string]int // of a kind of block, the last line that ends one

	line    int    // of the text that is read as inlines
	noted   []note // footnotes that stand in the text
	numbers map[string]bool
}

// note is a footnote that was written within the text.
type note struct {
	name, text string
	at         int
}

// line is a line of the text, and the line of the page's file that it comes from.
type line struct {
	text string
	at   int
	head *headline // nil for other lines
}

// headline is a headline as it was read.
type headline struct {
	level  int
	text   string
	anchor string
}

// place sets the place of the text that is written next.
func (p *page) place(at int) { p.w.At(doc.Location{Line: at}) }

var (
	headlineStart = pattern.Lazy(`^(\*+)[ \t]+(.*)$`)
	headlineTags  = pattern.Lazy(`[ \t]+:((?:[\pL\pN_@#%]+:)+)[ \t]*$`)
	priority      = pattern.Lazy(`^\[#[A-Z0-9]{1,2}\][ \t]*`)
	planning      = pattern.Lazy(`^[ \t]*(?:(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[][^>\]]*[>\]][-0-9<> :\[\]A-Za-z]*)+$`)
	drawerStart   = pattern.Lazy(`^[ \t]*:([\pL\pN_-]+):[ \t]*$`)
	drawerEnd     = pattern.Lazy(`(?i)^[ \t]*:end:[ \t]*$`)
	property      = pattern.Lazy(`(?i)^[ \t]*:(custom_id|id|description|subtitle):[ \t]+(.*\S)`)
	noteName      = pattern.Lazy(`\[fn:([\pL\pN_-]+)`)
	target        = pattern.Lazy(`<<([^<>\n]{1,200})>>`)
)

// surveyHeadlines reads the headlines of a page with their properties, gives them anchors, and
// leaves out the trees that are not exported.
func (p *page) surveyHeadlines() []line {
	var out []line
	slugs := markdown.Slugs{}
	hidden := 0   // the level of the headline whose tree is left out
	block := ""   // the block in which a line stands
	var at string // the anchor of the section
	for i := 0; i < len(p.lines); i++ {
		l := p.lines[i]
		m := headlineStart().FindStringSubmatch(l.text)
		if m == nil {
			if hidden > 0 {
				continue
			}
			if block == "" && !strings.HasPrefix(l.text, "#") {
				for _, t := range target().FindAllStringSubmatch(l.text, 8) {
					p.remember(t[1], at)
				}
			}
			if m := blockEnd().FindStringSubmatch(l.text); m != nil {
				p.ends[strings.ToLower(m[1])] = l.at
			}
			for _, n := range noteName().FindAllStringSubmatch(l.text, -1) {
				p.numbers[n[1]] = true
			}
			out = append(out, l)
			continue
		}
		if hidden > 0 && len(m[1]) > hidden {
			continue
		}
		hidden, block = 0, ""
		h, shown := p.readHeadline(m)
		if !shown {
			hidden = h.level
			continue
		}
		custom, id, end := p.readProperties(i + 1)
		text := p.plain(h.text)
		if custom != "" {
			h.anchor = slugs.Unique(custom)
		} else {
			h.anchor = slugs.Unique(markdown.HeadingSlug(text))
		}
		at = h.anchor
		p.remember("#"+custom, at)
		p.remember("#"+id, at)
		p.remember("*"+text, at)
		p.remember(text, at)
		l.head = &h
		out = append(out, l)
		i = end - 1
	}
	return out
}

// remember notes the anchor of a name that links use; the first of a name counts.
func (p *page) remember(name, anchor string) {
	name = nameKey(name)
	if _, ok := p.anchors[name]; !ok && anchor != "" && len(p.anchors) < 50_000 {
		p.anchors[name] = anchor
	}
}

func nameKey(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// readHeadline reads a headline without its word, priority and tags. shown is false where
// it is not exported.
func (p *page) readHeadline(m []string) (h headline, shown bool) {
	h.level, h.text = len(m[1]), strings.TrimSpace(m[2])
	if tags := headlineTags().FindStringSubmatchIndex(" " + h.text); tags != nil {
		if strings.Contains(":"+(" " + h.text)[tags[2]:tags[3]], ":noexport:") {
			return h, false
		}
		h.text = strings.TrimSpace((" " + h.text)[:tags[0]])
	}
	word, rest, _ := strings.Cut(h.text, " ")
	if p.todo[word] || len(p.todo) == 0 && (word == "TODO" || word == "DONE") {
		h.text = strings.TrimSpace(rest)
	}
	h.text = strings.TrimSpace(h.text[len(priority().FindString(h.text)):])
	if word, rest, _ := strings.Cut(h.text, " "); word == "COMMENT" {
		h.text = rest
		return h, false
	}
	return h, true
}

// readProperties reads the planning and the drawer below a headline; it returns the next line.
func (p *page) readProperties(i int) (custom, id string, next int) {
	for i < len(p.lines) && planning().MatchString(p.lines[i].text) {
		i++
	}
	if i >= len(p.lines) || !strings.EqualFold(strings.TrimSpace(p.lines[i].text), ":properties:") {
		return "", "", i
	}
	for j := i + 1; j < len(p.lines) && j < i+100 && !strings.HasPrefix(p.lines[j].text, "*"); j++ {
		if drawerEnd().MatchString(p.lines[j].text) {
			return custom, id, j + 1
		}
		if m := property().FindStringSubmatch(p.lines[j].text); m != nil {
			switch strings.ToLower(m[1]) {
			case "custom_id":
				custom = m[2]
			case "id":
				id = m[2]
			default:
				p.w.AddMetadata(m[2])
			}
		}
	}
	return "", "", i
}

// matchOf is the first group of a pattern in a text, "" without a match.
func matchOf(r *regexp.Regexp, s string) string {
	if m := r.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}
