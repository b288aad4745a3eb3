// Package parsetest has what tests of formats share: a format whose text is not
// its source, and the suite that every parser runs.
//
// It refuses to be registered by anything but tests.
package parsetest

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// NotesFormat is the format of Notes.
const NotesFormat doc.Format = "notes"

// Notes is the parser of a small format, in files .notes, and in files .txt that begin
// with ".title". A line that begins with a dot is a command:
//
//	.title TEXT     the page's title
//	.url URL        where it was taken from
//	.page N         what follows stands on page N
//	.h ID TEXT      a heading of level 2, an element with that id
//	.code … .end    code
//	.include PATH   the lines of another file of the doc set
//	.list ENDING    the paths of the pages with an ending
//
// Every other line is text. The rendition is Markdown.
type Notes struct {
	Version   int          // 0: 1
	Converted atomic.Int64 // how often Parse was called
	// Alter changes the rendition's lines; nil: nothing. For parsers of another
	// version, and for those that do not keep their promises.
	Alter func(line string) string
}

// Info describes the format.
func (n *Notes) Info() parse.Info {
	return parse.Info{Format: NotesFormat, Version: max(1, n.Version), Name: "Notes", Extensions: []string{".notes"},
		Sniffed: []string{".txt"}, Sniff: func(head []byte) bool { return bytes.HasPrefix(head, []byte(".title ")) }}
}

// Parse makes Markdown of notes.
func (n *Notes) Parse(_ context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	n.Converted.Add(1)
	var warnings []string
	var b strings.Builder
	var places []doc.Location
	var title, url string
	at := doc.Location{}
	write := func(line string) {
		if n.Alter != nil {
			line = n.Alter(line)
		}
		b.WriteString(line + "\n")
		places = append(places, at)
	}
	for line := range strings.Lines(string(src)) {
		at.Line++
		line = strings.TrimRight(line, "\r\n")
		command, rest, _ := strings.Cut(line, " ")
		switch command {
		case ".title":
			title = rest
			write("# " + rest)
			write("")
		case ".url":
			url = rest
		case ".page":
			page, err := strconv.Atoi(rest)
			if err != nil {
				return doc.Document{}, fmt.Errorf("line %d: .page %q is no number", at.Line, rest)
			}
			at.Page = page
		case ".h":
			id, text, _ := strings.Cut(rest, " ")
			at.Element = id
			write("")
			write("## " + text)
			write("")
		case ".code":
			write("")
			write("```sh")
		case ".end":
			write("```")
			write("")
		case ".include":
			if opt.Open == nil {
				warnings = append(warnings, rest+" is not taken in")
				break
			}
			data, err := opt.Open(rest)
			if err != nil {
				warnings = append(warnings, fmt.Sprintf("it is not taken in: %v", err))
			}
			for included := range strings.Lines(string(data)) {
				write(strings.TrimRight(included, "\r\n"))
			}
		case ".list":
			if opt.Files != nil {
				write(strings.Join(opt.Files(rest), " "))
			}
		case ".panic":
			panic("the notes say so")
		default:
			write(line)
		}
	}
	text := []byte(b.String())
	d, err := markdown.ParseMarkdown(text, parse.Options{})
	if err != nil {
		return d, err
	}
	d.Title, d.URL, d.Warnings = title, url, append(d.Warnings, warnings...)
	d.Rendition = doc.Rendition{Source: src, Text: text, Map: places}
	return d, nil
}

// Structure reads the rendition, which is Markdown.
func (*Notes) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return markdown.ParseMarkdown(text, parse.Options{})
}
