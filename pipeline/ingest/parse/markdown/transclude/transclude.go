// Package transclude puts the text of other files into a page of Markdown where the page
// includes them: mdBook's {{#include x}}, the snippets of MkDocs (--8<-- "x"), Hugo's
// shortcodes include and readfile, and docs/shared of Grafana's sites, partials of MDX and tags that name one by its file
// (<Include src="x" />, <Snippet file="x.mdx" />), VitePress' <!--@include: x-->
// and <<< x, FastAPI's {* x *} and {!x!}, MyST's directives include and literalinclude, and MkDocs' {% include-markdown "x" %}.
//
// A directive is a line of its own; its indentation stands before each included line. Of a
// file a range of lines or a named part may be wanted. Front matter of an included file is
// left out. An included file may include others. The texts of MyST's substitutions, which front matter and conf.py
// define, stand in the places of their names, {{ name }}; so do those of docs-builder's docset.yml, and
// its marks of places are written as other Markdown does. Hugo's shortcode param stands for the value that it shows.
//
// It refuses to read files itself, to run anything, and to guess: a directive whose file is
// not in the doc set stays as it is, and is counted.
package transclude

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a page with what it includes.
const (
	maxPage     = 1 << 20 // of the page, in bytes; a larger one is read alone
	maxAdded    = 4 << 20 // of all included texts, in bytes
	maxIncludes = 300     // directives that are followed
	maxDepth    = 6       // files that include each other
	maxMissing  = 5       // files that are looked for in vain: each costs a look at several places
)

// Result is a page with what it includes.
type Result struct {
	Text []byte
	// Lines has the page's line, from 1, of each line of Text; of an included line that of
	// the directive.
	Lines []int
	// Missing are the files that are not in the doc set, by the line of the first directive
	// that names them.
	Missing []Missing
}

// Missing is an included file that cannot be read.
type Missing struct {
	Line int
	File string
}

// Includes reports whether a page may include other files.
func Includes(src []byte) bool {
	switch {
	case len(src) > maxPage:
		return false
	case bytes.Contains(src, []byte("{{")) && (substitution().Match(src) || hasParameter(src)):
		return utf8.Valid(src)
	case hasPlaces(src):
		return utf8.Valid(src)
	}
	return hasSign(src) && utf8.Valid(src) && hasDirective(string(src))
}

// hasParameter reports whether a page has Hugo's shortcode param.
func hasParameter(src []byte) bool {
	return bytes.Contains(src, []byte("param ")) && parameter().Match(src)
}

// hasSign reports whether a page has a text that stands in some directive. A search asks for it of each
// page that it found, so that it is quick; the most frequent texts are words of prose too, and count where
// a directive can have them.
func hasSign(src []byte) bool {
	for _, sign := range [...]string{"{{#", "--8<--", "@include", "include}", "{*", "{!", "<<<", "<Include",
		"<Snippet"} {
		if bytes.Contains(src, []byte(sign)) {
			return true
		}
	}
	return hasTag(src, "include") || hasTag(src, "readfile") || hasTag(src, "docs/shared") || importsPage(src)
}

// importsPage reports whether a line may import a page of Markdown, as MDX does.
func importsPage(src []byte) bool {
	if !bytes.HasPrefix(src, []byte("import")) && !bytes.Contains(src, []byte("\nimport")) {
		return false
	}
	for _, ending := range [...]string{".mdx", ".md'", `.md"`} {
		if bytes.Contains(src, []byte(ending)) {
			return true
		}
	}
	return false
}

// hasTag reports whether a word stands in a line, or below a line, that begins as a tag of Hugo or Liquid
// does: "{{" or "{%". MkDocs' tag of several lines may have its name below the sign.
func hasTag(src []byte, word string) bool {
	for at := 0; ; {
		n := bytes.Index(src[at:], []byte(word))
		if n < 0 {
			return false
		}
		at += n
		line := bytes.LastIndexByte(src[:at], '\n') + 1
		if isTag(src[line:at]) {
			return true
		}
		for n := 0; n < mostOptions && line > 0; n++ {
			above := src[:line-1]
			line = bytes.LastIndexByte(above, '\n') + 1
			text := bytes.TrimSpace(above[line:])
			if len(text) > 0 {
				if string(text) == "{%" || string(text) == "{%-" {
					return true
				}
				break
			}
		}
		at += len(word)
	}
}

// isTag reports whether a line begins as a tag does.
func isTag(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\v\f")
	return bytes.HasPrefix(line, []byte("{{")) || bytes.HasPrefix(line, []byte("{%"))
}

func hasDirective(text string) bool {
	e := expander{}
	s := state{file: "page", below: text}
	for line := range strings.Lines(text) {
		s.below = s.below[len(line):]
		if d := e.directive(&s, strings.TrimRight(line, "\r\n")); d != nil || s.block {
			return true
		}
	}
	return false
}

// Expand gives a page with the files that it includes. file is its path in the doc set,
// open reads another file of it. ok is false where nothing was included.
func Expand(src []byte, file string, open func(string) ([]byte, error)) (r Result, ok bool) {
	e := expander{open: open, known: map[string]*string{}}
	if substitution().Match(src) || hasPlaces(src) {
		s := substitutionsOf(string(src), file, open)
		e.fill, e.shape = s.fill, s.shape
	}
	if hasParameter(src) {
		e.parameters = parametersOf(string(src), file, open).fill
	}
	e.expand(string(src), state{file: file, open: []string{file}}, "")
	return Result{Text: []byte(e.out.String()), Lines: e.lines, Missing: e.missing}, e.added > 0
}

// expander expands one page.
type expander struct {
	lead    string // what stands before the next line that is no blank one, in place of its indentation
	open    func(string) ([]byte, error)
	known   map[string]*string // files that were read; nil: no such file
	out     strings.Builder
	lines   []int
	missing []Missing
	added   int // bytes
	count   int // directives that were followed

	shape func(line string) (string, bool) // a line outside of code with texts in the places of names of MyST; nil without such names
	fill  func(line string) (string, bool) // the same for code, without other marks

	parameters func(line string) (string, bool) // a line with the values of Hugo's parameters; nil without such
}

// state is a file while it is expanded.
type state struct {
	file    string
	open    []string          // this file and those that include it
	at      int               // line of the page for all lines; 0: the file is the page
	fence   string            // the fence that is open
	filled  bool              // its code has names in place of texts: "subs=true" of docs-builder
	imports map[string]string // partials of MDX, by their name
	block   bool              // within the list of files of a MkDocs snippet
	below   string            // the text behind the line that is read
	frames  []string          // fences of the directives of MyST around the line
	closes  string            // the fence that ends a directive of MyST which was followed
}

// expand writes a text with what it includes, each line behind an indentation.
func (e *expander) expand(text string, s state, indent string) {
	number := 0
	s.below = text
	for line := range strings.Lines(text) {
		number++
		s.below = s.below[len(line):]
		if s.closes != "" {
			if s.ends(line) {
				s.closes = ""
			}
			continue
		}
		at := s.at
		if at == 0 {
			at = number
		}
		plain := strings.TrimRight(line, "\r\n")
		d := e.directive(&s, plain)
		if d == nil || !e.include(s, *d, at, indent) {
			e.writeFilled(indent, line, at, s)
			if d != nil && d.closes != "" {
				s.inCode(line)
			}
			continue
		}
		s.closes = d.closes
	}
}

// writeFilled writes a line of a page, with the texts for the names of MyST in it: outside of code, and in
// code that asks for them.
func (e *expander) writeFilled(indent, line string, at int, s state) {
	if e.parameters != nil && e.added < maxAdded {
		if filled, ok := e.parameters(line); ok {
			e.added += len(filled)
			line = filled
		}
	}
	fill := e.shape
	if s.fence != "" {
		fill = e.fill
	}
	if fill != nil && (s.fence == "" || s.filled) {
		if filled, ok := fill(line); ok && e.added+len(filled) <= maxAdded {
			e.added += max(1, len(filled))
			for l := range strings.Lines(filled) {
				e.write(indent, l, at)
			}
			return
		}
	}
	e.write(indent, line, at)
}

func (e *expander) write(indent, line string, at int) {
	switch {
	case strings.TrimSpace(line) == "":
		indent = ""
	case e.lead != "":
		indent, e.lead = e.lead, ""
	}
	e.out.WriteString(indent)
	e.out.WriteString(line)
	e.lines = append(e.lines, at)
}

// include writes the files of a directive; false where none of them is there.
func (e *expander) include(s state, d directive, at int, indent string) bool {
	if e.count++; e.count > maxIncludes || len(s.open) > maxDepth {
		return false
	}
	name, text := e.find(s.file, d.file)
	if text == nil {
		if name == "" && !slices.ContainsFunc(e.missing, func(m Missing) bool { return m.File == d.file }) {
			e.missing = append(e.missing, Missing{at, d.file})
		}
		return false
	}
	part, ok := d.part.of(*text)
	if !ok || slices.Contains(s.open, name) || e.added+len(part) > maxAdded {
		return false
	}
	e.added += len(part)
	indent += d.indent
	fence := "```"
	for strings.Contains(part, fence) {
		fence += "`"
	}
	if d.lead != "" {
		e.lead = strings.TrimSuffix(indent, d.indent) + d.lead
	}
	if d.fence != "" {
		e.write(indent, fence+d.fence+"\n", at)
	}
	if d.closes != "" && d.closes != pluginEnd && d.fence == "" {
		part = "\n" + part + "\n"
	}
	inner := state{file: name, open: append(slices.Clip(s.open), name), at: at}
	if d.fence != "" || s.fence != "" {
		inner.fence = cmp.Or(s.fence, fence) // code: nothing of MDX in it
	}
	e.expand(ended(part), inner, indent)
	if d.fence != "" {
		e.write(indent, fence+"\n", at)
	}
	return true
}

// ended is a text whose last line has an end.
func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return text + "\n"
	}
	return text
}

// find gives the path and the text of an included file: relative to the file that includes
// it, to the folders above, and to the folders in which sites keep their content. name is
// "" for a missing file.
func (e *expander) find(from, file string) (name string, text *string) {
	for _, path := range candidates(from, file) {
		found, known := e.known[path]
		if !known && len(e.missing) >= maxMissing {
			continue
		}
		if !known {
			if src, err := e.open(path); err == nil && len(src) <= maxPage && utf8.Valid(src) {
				plain := withoutFrontMatter(strings.ReplaceAll(strings.TrimPrefix(string(src), "\ufeff"), "\r\n", "\n"))
				found = &plain
			}
			e.known[path] = found
		}
		if found != nil {
			return path, found
		}
	}
	return "", nil
}

// withoutFrontMatter is a text without the metadata between "---" at its top.
func withoutFrontMatter(text string) string {
	for _, fence := range [...]string{"---\n", "+++\n"} {
		if rest, ok := strings.CutPrefix(text, fence); ok {
			if _, body, ok := strings.Cut("\n"+rest, "\n"+fence); ok {
				return strings.TrimLeft(body, "\n")
			}
		}
	}
	return text
}
