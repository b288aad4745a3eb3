package ingest

import (
	"strings"
	"unicode"

	"docent/store"
	"docent/store/doc"
)

// A chunk of more than wholeWords is indexed in windows of about windowWords,
// cut between lines (a table's rows, a list's items), each beginning with the
// last line of the one before.
const (
	wholeWords  = 400
	windowWords = 160
	// wholeBytes is the same for a chunk with hardly any white space, windowBytes is
	// where its windows end: no text of known documentation is as long.
	wholeBytes  = 64 << 10
	windowBytes = 8 << 10
)

// Passages makes the indexed form of a page's chunks. The section path, and what the
// page's metadata says of it, are in the indexed form only. The latter is text of the
// first passage, whose headings include those missing from the page that its table of
// contents has.
func Passages(d doc.Document, chunks []doc.Chunk, missing []string) []store.Passage {
	title := d.Title
	if d.H1 != "" && d.H1 != d.Title {
		title += "\n" + d.H1
	}
	out := make([]store.Passage, 0, len(chunks))
	for _, c := range chunks {
		var path []string
		if c.Section < len(d.Sections) {
			path = d.Sections[c.Section].Path
		}
		name := d.Title // of a chunk before the first heading
		if len(path) > 0 {
			name = path[len(path)-1]
		}
		headings := strings.Join(path, "\n")
		if c.Index == 0 && len(missing) > 0 {
			headings = strings.TrimSpace(headings + "\n" + strings.Join(missing, "\n"))
		}
		add := func(part int, body, code string) {
			out = append(out, store.Passage{Chunk: c.Index, Part: part, Fields: [store.NumFields]string{
				store.Title: title, store.Heading: headings, store.Body: body, store.Code: code,
				store.Parameters: strings.Join(parameters(body), "\n"), store.Name: name,
			}, Abbreviations: abbreviations(name + "\n" + body)})
		}
		text := c.Text
		if c.Index == 0 && d.About != "" {
			text = d.About + "\n" + text
		}
		if countWords(text)+countWords(c.Code) <= wholeWords && len(text)+len(c.Code) <= wholeBytes {
			add(0, text, c.Code)
			continue
		}
		part := 0
		for _, w := range windows(text) {
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

func countWords(s string) int { return len(strings.Fields(s)) }

// longLine is how many words a line has that is cut too. A paragraph that was written
// on one line is shorter, and its window is better whole.
const longLine = 16 * windowWords

// windows cuts a text between lines, and a long line between words.
func windows(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	start, last, n := 0, 0, 0
	at := 0
	for line := range strings.Lines(text) {
		w := countWords(line)
		if w > longLine || len(line) > wholeBytes {
			if start < at {
				out = append(out, text[start:at])
			}
			out = append(out, pieces(line)...)
			at += len(line)
			start, last, n = at, at, 0
			continue
		}
		if n > 0 && n+w > windowWords {
			out = append(out, text[start:at])
			start, n = last, countWords(text[last:at])
		}
		n += w
		last = at
		at += len(line)
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// pieces cuts a line between words, into windows of windowWords or windowBytes. A run of
// twice that length without a blank is cut anywhere.
func pieces(line string) []string {
	var out []string
	start, n, in := 0, 0, false
	cut := func(at int) {
		out = append(out, line[start:at])
		start, n = at, 1
	}
	for i, r := range line {
		space := unicode.IsSpace(r)
		if !space && !in {
			n++
		}
		in = !space
		long := i - start
		switch {
		case n > windowWords, long >= 2*windowBytes:
			cut(i)
		case long >= windowBytes && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
		}
	}
	return append(out, line[start:])
}

// parameters are the names that a text explains: identifiers and flags at the
// beginning of a line, and the first cell of a table's row if it is short.
func parameters(text string) []string {
	const mostWords = 3
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if cell, _, row := strings.Cut(line, "\t"); row {
			if n := countWords(cell); n > 0 && n <= mostWords {
				out = append(out, cell)
			}
			continue
		}
		first, _, _ := strings.Cut(line, " ")
		if first = strings.TrimRight(first, ":,;."); isParameter(first) {
			out = append(out, first)
		}
	}
	return out
}

// isParameter reports whether a word is a flag or an identifier: it begins with "-", or
// has "_", ".", "$", "=" or a capital letter behind a small one inside.
func isParameter(w string) bool {
	if strings.Contains(w, "://") || strings.IndexFunc(w, unicode.IsLetter) < 0 {
		return false
	}
	if strings.HasPrefix(w, "-") {
		return true
	}
	lower := false
	for i, r := range w {
		switch {
		case lower && unicode.IsUpper(r), i > 0 && i < len(w)-1 && strings.ContainsRune("_.$=", r):
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
