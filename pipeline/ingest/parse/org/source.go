package org

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

// Bounds of what a file includes.
const (
	mostIncluded = 1 << 20 // bytes, in addition to four times the file
	mostNested   = 6       // files in each other
)

// source reads files into lines; keywords that concern the whole page are taken in.
type source struct {
	w             *build.Writer
	opt           parse.Options
	lines         []line
	title         string
	titledAt      int
	todo          map[string]bool // words before headlines
	macros        map[string]string
	abbreviations map[string]string // of links
	left          int               // bytes that may still be included
}

var (
	keyword     = pattern.Lazy(`^[ \t]*#\+([A-Za-z][A-Za-z0-9_-]*):(?:[ \t]+(.*))?$`)
	includeArgs = pattern.Lazy(`^"([^"]+)"(.*)$`)
	lineRange   = pattern.Lazy(`:lines[ \t]+"(\d*)-(\d*)"`)
)

// readFile reads a file. at is the line on which it is included, 0 for the page's own.
func (s *source) readFile(text, file string, at, depth int) {
	text = strings.Map(func(r rune) rune {
		if r == '\uFEFF' || r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	block := "" // what ends the block in which a line stands
	n := 0
	for part := range strings.SplitSeq(text, "\n") {
		n++
		here := at
		if at == 0 {
			here = n
		}
		lower := strings.ToLower(strings.TrimSpace(part))
		switch {
		case block != "":
			if strings.HasPrefix(lower, block) || headlineStart().MatchString(part) {
				block = ""
			}
		case strings.HasPrefix(lower, "#+begin_"):
			name, _, _ := strings.Cut(lower[len("#+begin_"):], " ")
			if name == "src" || name == "example" || name == "comment" || name == "export" {
				block = "#+end_" + name
			}
		case strings.HasPrefix(lower, "#+"):
			m := keyword().FindStringSubmatch(part)
			if m != nil && s.takeKeyword(strings.ToLower(m[1]), strings.TrimSpace(m[2]), file, here, depth) {
				part = "#"
			}
		}
		s.lines = append(s.lines, line{text: part, at: here})
	}
}

// takeKeyword reads a keyword that concerns the whole page, or an included file; it reports
// whether nothing of its line is shown.
func (s *source) takeKeyword(name, value, file string, at, depth int) bool {
	switch name {
	case "title":
		if depth == 0 && value != "" {
			if s.title == "" {
				s.titledAt = at
			} else {
				value = s.title + " " + value
			}
			s.title = value
		}
	case "subtitle":
		return value == ""
	case "description", "keywords", "filetags":
		s.w.AddMetadata(strings.ReplaceAll(value, ":", " "))
	case "todo", "seq_todo", "typ_todo":
		if s.todo == nil {
			s.todo = map[string]bool{}
		}
		for word := range strings.FieldsSeq(value) {
			word, _, _ = strings.Cut(word, "(")
			if word != "|" && word != "" && len(s.todo) < 100 {
				s.todo[word] = true
			}
		}
	case "macro":
		if word, body, _ := strings.Cut(value, " "); word != "" && len(s.macros) < 2000 {
			s.macros[strings.ToLower(word)] = strings.TrimSpace(body)
		}
	case "link":
		if word, body, _ := strings.Cut(value, " "); word != "" && len(s.abbreviations) < 500 {
			s.abbreviations[word] = strings.TrimSpace(body)
		}
	case "setupfile":
		s.readSetup(strings.Trim(value, `"`), file, depth)
	case "include":
		s.include(value, file, at, depth)
	default:
		return false
	}
	return true
}

// readSetup reads the keywords of another file.
func (s *source) readSetup(name, file string, depth int) {
	if s.opt.Open == nil || depth >= mostNested || strings.Contains(name, "://") {
		return
	}
	src, err := s.opt.Open(path.Join(path.Dir(file), name))
	if s.left -= len(src) + 1000; err != nil || s.left < 0 {
		return // Org goes on without it too
	}
	for part := range strings.SplitSeq(string(src), "\n") {
		if m := keyword().FindStringSubmatch(strings.TrimSuffix(part, "\r")); m != nil {
			switch key := strings.ToLower(m[1]); key {
			case "macro", "link", "todo", "seq_todo", "typ_todo", "setupfile":
				s.takeKeyword(key, strings.TrimSpace(m[2]), path.Join(path.Dir(file), name), 0, depth+1)
			}
		}
	}
}

// include reads a file of the doc set in place.
func (s *source) include(value, file string, at, depth int) {
	name, rest := value, ""
	if m := includeArgs().FindStringSubmatch(value); m != nil {
		name, rest = m[1], strings.TrimSpace(m[2])
	}
	name, section, _ := strings.Cut(name, "::")
	if s.opt.Open == nil {
		return
	}
	full := path.Join(path.Dir(file), name)
	src, err := s.opt.Open(full)
	if err != nil || depth >= mostNested || len(src) > s.left {
		s.w.Warn("line %d: %s is not included: it is not in the doc set, or too large", at, name)
		return
	}
	s.left -= len(src) + 1000
	text := strings.ToValidUTF8(string(src), "\uFFFD")
	if m := lineRange().FindStringSubmatch(rest); m != nil {
		text = linesOf(text, m[1], m[2])
	}
	word, _, _ := strings.Cut(rest, " ")
	switch {
	case word == "src" || word == "example" || word == "export":
		s.lines = append(s.lines, line{text: "#+begin_" + rest, at: at})
		for part := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			if strings.HasPrefix(part, "*") || strings.HasPrefix(part, "#+") {
				part = "," + part
			}
			s.lines = append(s.lines, line{text: strings.TrimSuffix(part, "\r"), at: at})
		}
		s.lines = append(s.lines, line{text: "#+end_" + word, at: at})
	case section != "":
		s.lines = append(s.lines, line{text: "[[file:" + value[1:strings.LastIndexByte(value, '"')] + "]]", at: at})
	default:
		s.readFile(text, full, at, depth+1)
	}
}

// linesOf are the lines of a text from one up to another, which is not among them; "" is an
// end of the text.
func linesOf(text, from, to string) string {
	lines := strings.SplitAfter(text, "\n")
	first, last := 1, len(lines)
	if n, err := strconv.Atoi(from); err == nil {
		first = n
	}
	if n, err := strconv.Atoi(to); err == nil {
		last = n - 1
	}
	first, last = max(1, first), min(len(lines), last)
	if first > last {
		return ""
	}
	return strings.Join(lines[first-1:last], "")
}
