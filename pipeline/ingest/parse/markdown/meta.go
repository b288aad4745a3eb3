package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/text/spacing"
)

// frontMatter is the metadata at the top of a page.
type frontMatter struct {
	lines int // that it takes, fences included; 0 without front matter
	title string
	url   string
	place string   // see doc.Document.Permalink
	about []string // descriptions, keywords, other names
	bad   bool     // it has no end
}

// maxAbout is the most descriptions and other names that a page may have.
const maxAbout = 500

// readFrontMatter reads YAML between "---" or TOML between "+++" at the top of a page,
// JSON in a comment there, or Pandoc's title block. Of YAML and TOML it reads only top-level keys with plain,
// quoted or folded values. at gives line i.
func readFrontMatter(at func(int) []byte, n int) frontMatter {
	var fm frontMatter
	if n == 0 {
		return fm
	}
	if bytes.HasPrefix(at(0), []byte("<!--")) {
		return commentMatter(at, n)
	}
	if title, lines := dialect.ReadTitleBlock(at, n); lines > 0 {
		return frontMatter{title: title, lines: lines}
	}
	fence := string(bytes.TrimSpace(at(0)))
	indented := len(at(0)) > 0 && dialect.IndentBytes(at(0)) > 0 // which Hugo takes too
	sep := byte(':')
	switch fence {
	case "---":
	case "+++":
		sep = '='
	default:
		return fm
	}
	end := -1
	for i := 1; i < n && i < 2000; i++ {
		l := bytes.TrimRight(at(i), " \t")
		if string(l) == fence || sep == ':' && string(l) == "..." {
			end = i
			break
		}
	}
	if indented && end < 0 {
		return fm
	}
	first := 1
	for first < n && (dialect.IsBlank(at(first)) || end > 0 && at(first)[0] == '#') { // a comment
		first++
	}
	if first < end && sep == ':' {
		at = withoutMargin(at, end, dialect.IndentBytes(at(first)))
	}
	if first != end && (first >= n || !keyLike(at(first), sep)) || indented && first == end {
		return fm // a rule, and the page begins
	}
	if end < 0 {
		// Only lines that are certainly keys belong to it; the page begins after them.
		fm.bad = true
		end = first
		for end < n && (keyLike(at(end), sep) || dialect.IndentBytes(at(end)) > 0 && !dialect.IsBlank(at(end))) {
			end++
		}
		end--
	}
	fm.lines = end + 1
	var key string
	var value []string
	done := func() {
		fm.setField(key, unquote(strings.TrimSpace(strings.Join(value, " "))))
		key, value = "", nil
	}
	for i := 1; i <= end; i++ {
		line := at(i)
		if i == end && !fm.bad {
			break
		}
		if keyLike(line, sep) {
			done()
			k, v, _ := bytes.Cut(line, []byte{sep})
			key = strings.ToLower(unquote(strings.TrimSpace(string(k))))
			v = bytes.TrimSpace(v)
			if len(v) > 0 && (v[0] == '>' || v[0] == '|') && len(v) <= 3 {
				continue
			}
			value = append(value, string(uncomment(v)))
			continue
		}
		if key != "" && (dialect.IndentBytes(line) > 0 || dialect.IsBlank(line) || sep == ':' && bytes.HasPrefix(line, []byte("- "))) {
			value = append(value, string(bytes.TrimSpace(line)))
		} else {
			done()
		}
	}
	done()
	return fm
}

// withoutMargin gives lines without the columns by which all keys of a page's front matter
// are indented.
func withoutMargin(at func(int) []byte, end, margin int) func(int) []byte {
	if margin == 0 {
		return at
	}
	return func(i int) []byte {
		line := at(i)
		if i == 0 || i >= end {
			return line
		}
		return line[min(margin, dialect.IndentBytes(line)):]
	}
}

// mostComment is the most lines of a comment with metadata.
const mostComment = 60

// commentMatter reads <!--{ "Title": "…" }--> at the top of a page, and a comment of
// lines "title: …".
func commentMatter(at func(int) []byte, n int) frontMatter {
	var fm frontMatter
	var in []byte
	for i := range min(n, mostComment) {
		in = append(append(in, at(i)...), '\n')
		end := bytes.Index(in, []byte("-->"))
		if end < 0 {
			continue
		}
		if !dialect.IsBlank(bytes.TrimSpace(in[end+3:])) {
			return fm
		}
		body := bytes.TrimSpace(in[len("<!--"):end])
		if len(body) > 0 && body[0] == '{' {
			var values map[string]any
			if json.Unmarshal(body, &values) != nil {
				return fm
			}
			for _, k := range slices.Sorted(maps.Keys(values)) {
				key := strings.ToLower(k)
				if key == "path" { // of the page on its site, as on go.dev
					key = "permalink"
				}
				fm.setField(key, jsonText(values[k]))
			}
			fm.lines = i + 1
			return fm
		}
		lines := bytes.Split(body, []byte{'\n'})
		for _, l := range lines {
			if !keyLike(l, ':') {
				return frontMatter{}
			}
			k, v, _ := bytes.Cut(l, []byte{':'})
			fm.setField(strings.ToLower(unquote(string(k))), unquote(string(bytes.TrimSpace(v))))
		}
		if fm.title == "" && len(fm.about) == 0 && fm.url == "" {
			return frontMatter{} // a comment that has a colon
		}
		fm.lines = i + 1
		return fm
	}
	return fm
}

// jsonText is a string, or the strings of a list as YAML has them in a line.
func jsonText(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case []any:
		var all []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				all = append(all, strings.TrimSpace(s))
			}
		}
		if len(all) > 0 {
			return "[" + strings.Join(all, ", ") + "]"
		}
	}
	return ""
}

func (fm *frontMatter) setField(key, value string) {
	if value == "" {
		return
	}
	switch key {
	case "title":
		fm.title = value
	case "url", "source", "permalink", "source_url", "original_url", "canonical", "canonical_url":
		if isAddress(value) && (fm.url == "" || key == "url") {
			fm.url = value
		}
		if (key == "url" || key == "permalink") && strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//") {
			fm.place = value
		}
	case "slug":
		if fm.place == "" {
			fm.place = value
			if strings.HasPrefix(value, "/") {
				fm.place = "~" + value
			}
		}
	case "description", "summary", "short_description", "abstract", "subtitle", "excerpt", "intro", "lead", "tagline",
		"linktitle", "sidebar_label", "sidebartitle", "shorttitle", "short_title", "navtitle", "nav_title",
		"keywords", "aka", "synonyms":
		fm.addText(plainValue(value))
	case "aliases", "redirect_from":
		// Names, or the addresses that the page had: of those the last part is a name.
		for _, name := range strings.Fields(plainValue(value)) {
			if name = strings.TrimRight(name, "/"); strings.Contains(name, "/") {
				name = strings.TrimSuffix(path.Base(name), path.Ext(name))
			}
			fm.addText(name)
		}
	}
}

func (fm *frontMatter) addText(text string) {
	if text != "" && len(fm.about) < maxAbout && !slices.Contains(fm.about, text) {
		fm.about = append(fm.about, text)
	}
}

// plainValue is a value without the signs of lists: [a, "b"] and lines of "- a".
func plainValue(value string) string {
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") || strings.HasPrefix(value, "- ") {
		value = strings.NewReplacer("[", " ", "]", " ", `"`, " ", "'", " ", " - ", "  ", ",", " ").Replace(" " + value)
	}
	return spacing.Single(value)
}

// description is the front matter's description of the page, without its title.
func (fm *frontMatter) description() string { return strings.Join(fm.about, "\n") }

// keyLike reports whether a line begins `key:` (or `key =`) at the margin.
func keyLike(line []byte, sep byte) bool {
	i := 0
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') {
		i++
	}
	start := i
	for i < len(line) && (dialect.IsNameByte(line[i]) && line[i] != ':' || line[i] == '@') {
		i++
	}
	if i == start {
		return false
	}
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		i++
	}
	i += dialect.IndentBytes(line[i:])
	if i >= len(line) || line[i] != sep {
		return false
	}
	return sep == '=' || i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'
}

// uncomment removes a trailing " # …" from a plain value.
func uncomment(v []byte) []byte {
	if len(v) > 0 && (v[0] == '"' || v[0] == '\'') {
		if end := bytes.LastIndexByte(v, v[0]); end > 0 {
			if after := bytes.TrimSpace(v[end+1:]); len(after) == 0 || after[0] == '#' {
				return v[:end+1]
			}
		}
		return v
	}
	if i := bytes.Index(v, []byte(" #")); i >= 0 {
		return bytes.TrimSpace(v[:i])
	}
	return v
}

func unquote(v string) string {
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
		q := v[:1]
		v = v[1 : len(v)-1]
		if q == "'" {
			return strings.ReplaceAll(v, "''", "'")
		}
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, " ", `\t`, " ").Replace(v)
	}
	return v
}

func isAddress(s string) bool {
	for _, scheme := range [...]string{"https://", "http://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return !strings.ContainsAny(s, " \t\n<>\"")
		}
	}
	return false
}

// sourceLine is the address in a line such as "原文链接: https://…", "" if the text is
// not such a line.
func sourceLine(text string) string {
	for _, label := range [...]string{"原文链接", "原文鏈接", "原文", "来源", "Source", "Original URL", "Source URL", "Original", "URL"} {
		if len(text) < len(label) || !strings.EqualFold(text[:len(label)], label) {
			continue
		}
		rest := strings.TrimSpace(text[len(label):])
		colon, ok := strings.CutPrefix(rest, ":")
		if !ok {
			if colon, ok = strings.CutPrefix(rest, "："); !ok {
				continue
			}
		}
		url, _, _ := strings.Cut(strings.TrimSpace(colon), " ")
		if isAddress(url) {
			return url
		}
	}
	return ""
}
