package code

import (
	"context"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"

	"docent/pipeline/text/pattern"
)

// page is a page while it is written.
type page struct {
	file   *file
	w      *build.Writer
	ctx    context.Context
	hidden []bool // by line: it is shown as text, or every file has it
}

func (p *page) placeLine(line int) { p.w.At(lineLocation(line)) }

// writePage writes the page of a file: what it says of itself, the code that stands outside
// of declarations, the declarations.
func (p *page) writePage(ctx context.Context, path string, items []item) {
	p.ctx = ctx
	for _, warning := range p.file.warnings {
		p.w.Warn("%s", warning)
	}
	p.w.Title(path)
	p.placeLine(0)
	p.w.Heading(1, build.TextInline(path), "")
	p.hideComments(items)
	p.writeProse(p.fileComment(items))
	p.writeCode(p.looseLines(0, len(p.file.lines), items))
	p.writeItems(items, 2)
}

// hideComments marks the lines of comments and texts of declarations, which are shown as text.
func (p *page) hideComments(items []item) {
	if p.hidden == nil {
		p.hidden = make([]bool, len(p.file.lines))
		p.hidden[0] = strings.HasPrefix(p.file.text, "#!") // what runs it
	}
	for _, it := range items {
		for _, d := range it.docs {
			if d.line < it.from {
				p.hidden[d.line] = true
			}
		}
		for l := it.hide[0]; l < it.hide[1]; l++ {
			p.hidden[l] = true
		}
		p.hideComments(it.items)
	}
}

// writeItems writes declarations.
func (p *page) writeItems(items []item, level int) {
	for i := range items {
		if p.ctx.Err() != nil {
			return
		}
		it := &items[i]
		heading := it.heading
		if heading == "" {
			heading = it.name
		}
		anchor := it.name
		if it.heading != "" && strings.HasPrefix(it.heading, "impl ") || strings.HasPrefix(it.heading, "extension ") {
			anchor = strings.ReplaceAll(it.heading, " ", "-") // the type has the name itself
		}
		p.placeLine(it.firstLine()) // a citation of the section begins with the comment
		inline := build.TextInline(heading)
		if inline != heading {
			inline = build.CodeInline(heading)
		}
		p.w.Heading(min(level, 6), inline, anchor)
		p.writeProse(it.docs)
		p.writeProse(it.inner)
		p.writeCode(p.looseLines(it.from, it.to, it.items))
		p.writeItems(it.items, level+1)
	}
}

// looseLines are the lines between two that stand in no declaration. Where lines were left
// out, a blank one stands.
func (p *page) looseLines(from, to int, items []item) []int {
	var out []int
	next := 0
	for l := from; l < to; l++ {
		for next < len(items) && l >= items[next].to {
			next++
		}
		if next < len(items) && l >= items[next].firstLine() || p.hidden[l] {
			continue
		}
		if blank := strings.TrimSpace(p.file.lines[l]) == ""; blank &&
			(len(out) == 0 || strings.TrimSpace(p.file.lines[out[len(out)-1]]) == "") {
			continue
		}
		if n := len(out); n > 0 && strings.TrimSpace(p.file.lines[out[n-1]]) == "" && onlyClosesBlock(p.file.lines[l]) {
			out = out[:n-1]
		}
		out = append(out, l)
	}
	return out
}

// onlyClosesBlock reports whether a line only closes the enclosing block.
func onlyClosesBlock(l string) bool {
	l = strings.TrimSpace(l)
	return l == "end" || strings.Trim(l, "});,") == ""
}

// Bounds of a block of code, in lines. Blocks are never cut later on, and a passage is as
// long as its longest block.
const (
	mostLines  = 48
	leastLines = 16
)

// writeCode writes lines as blocks of code.
func (p *page) writeCode(lines []int) {
	for len(lines) > 0 {
		n := p.blockLength(lines)
		out := make([]build.Line, n)
		for i, l := range lines[:n] {
			out[i] = build.Line{Text: p.file.lines[l], At: lineLocation(l)}
		}
		p.w.Listing(p.file.lang.name, out)
		lines = lines[n:]
	}
}

// blockLength is how many of some lines make a block: up to a blank line, or one that is indented
// as little as possible.
func (p *page) blockLength(lines []int) int {
	if len(lines) <= mostLines {
		return len(lines)
	}
	best, least := mostLines, 1000
	for i := mostLines; i >= leastLines; i-- {
		l := p.file.lines[lines[i]]
		if strings.TrimSpace(l) == "" {
			continue
		}
		cost := 2 * indentColumns(l)
		if strings.TrimSpace(p.file.lines[lines[i-1]]) != "" {
			cost += 3
		}
		if onlyClosesBlock(l) {
			cost += 8
		}
		if cost < least {
			best, least = i, cost
		}
	}
	return best
}

// fileComment is what a file says of itself: the comment at its top that belongs to no
// declaration, or the text at the top of a module. Licences are left out.
func (p *page) fileComment(items []item) []docLine {
	f := p.file
	if f.lang.outline == nil {
		p.markShown(f.about)
		p.markShown(f.licence)
		return f.about
	}
	first := f.firstCode()
	if len(items) > 0 {
		first = min(first, items[0].firstLine())
	}
	var out []docLine
	for i := 0; i < len(f.notes) && f.notes[i].own && f.notes[i].first < first; i++ {
		last := i
		for !f.notes[i].block && last+1 < len(f.notes) && f.notes[last+1].own && !f.notes[last+1].block &&
			f.notes[last+1].first == f.notes[last].last+1 {
			last++
		}
		says := f.commentText(i, last)
		if says[0].line == 0 && strings.HasPrefix(f.text, "#!") {
			says = says[1:] // what runs it
		}
		if len(says) > 0 && forPrograms().MatchString(says[0].text) {
			says = says[1:]
		}
		i = last
		if len(says) == 0 {
			continue
		}
		if isLicence(says) {
			p.markShown(says)
		} else if out == nil {
			p.markShown(says)
			out = says
		}
	}
	if i := f.firstCode(); f.lang.name == "python" && i < len(f.lines) {
		if docs, hide := f.docStringAt(i); docs != nil {
			for l := hide[0]; l < hide[1]; l++ {
				p.hidden[l] = true
			}
			return append(out, docs...)
		}
	}
	return out
}

func (p *page) markShown(docs []docLine) {
	for _, d := range docs {
		p.hidden[d.line] = true
	}
}

// firstCode is the first line with code. Names of packages and the like are none.
func (f *file) firstCode() int {
	for i, l := range f.mlines {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "package ") && !strings.HasPrefix(l, "<?php") &&
			!strings.HasPrefix(l, "#!") && !(strings.HasPrefix(l, `"`) && strings.HasSuffix(l, `";`)) {
			return i
		}
	}
	return len(f.lines)
}

// forPrograms are comments at the top of files that tell people nothing.
var forPrograms = pattern.Lazy(`^\s*(?:frozen_string_literal:|-\*-|vim?:|encoding:|coding:|eslint|tslint|@ts-|prettier|` +
	`shellcheck|typed:|rubocop:|pylint:|mypy:|flake8|nolint|clang-format|jshint|global |<reference)`)

// licenceWords are words of licences, which every file of a project may begin with.
var licenceWords = []string{"copyright", "licensed under", "spdx-license", "permission is hereby granted", "redistribution and use",
	"all rights reserved", "gnu general public", "(c) 20", "distributed under"}

func isLicence(docs []docLine) bool {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString(strings.ToLower(d.text) + " ")
	}
	text := b.String()
	return slices.ContainsFunc(licenceWords, func(w string) bool { return strings.Contains(text, w) })
}
