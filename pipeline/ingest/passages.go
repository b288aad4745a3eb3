package ingest

import (
	"strings"

	"docent/store/doc"
	"docent/store/lexical"
)

// A chunk of more than wholeWords is indexed in windows of about windowWords,
// cut between lines (a table's rows, a list's items), each beginning with the
// last line of the one before.
const (
	wholeWords  = 400
	windowWords = 160
)

// Passages makes the indexed form of a page's chunks: the section path stands
// in a field of its own, in the indexed text only.
func Passages(d doc.Document, chunks []doc.Chunk) []lexical.Passage {
	title := d.Title
	if d.H1 != "" && d.H1 != d.Title {
		title += "\n" + d.H1
	}
	out := make([]lexical.Passage, 0, len(chunks))
	for _, c := range chunks {
		var path []string
		if c.Section < len(d.Sections) {
			path = d.Sections[c.Section].Path
		}
		add := func(part int, body, code string) {
			out = append(out, lexical.Passage{Chunk: c.Index, Part: part, Fields: [lexical.NumFields]string{
				lexical.Title: title, lexical.Heading: strings.Join(path, "\n"), lexical.Body: body, lexical.Code: code,
			}})
		}
		if words(c.Text)+words(c.Code) <= wholeWords {
			add(0, c.Text, c.Code)
			continue
		}
		part := 0
		for _, w := range windows(c.Text) {
			add(part, w, "")
			part++
		}
		for _, w := range windows(c.Code) {
			add(part, "", w)
			part++
		}
	}
	return out
}

func words(s string) int { return len(strings.Fields(s)) }

// windows cuts a text between lines.
func windows(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	start, last, n := 0, 0, 0
	at := 0
	for line := range strings.Lines(text) {
		w := words(line)
		if n > 0 && n+w > windowWords {
			out = append(out, text[start:at])
			start, n = last, words(text[last:at])
		}
		n += w
		last = at
		at += len(line)
	}
	return append(out, text[start:])
}
