package asciidoc

import (
	"strconv"
	"strings"
	"unicode"
)

// typographic are what Asciidoctor makes one character of, which no id has.
var typographic = strings.NewReplacer(" -- ", "", "->", "", "=>", "", "<-", "", "<=", "", "...", "", "(C)", "", "(R)", "", "(TM)", "")

// autoID is the id that Asciidoctor gives a section (Section.generate_id): of titles that
// repeat the second one has "_2".
func (p *page) autoID(title string) string {
	prefix, sep, between := "_", "_", " _.-"
	if v, ok := p.attributes["idprefix"]; ok {
		prefix = v
	}
	if v, ok := p.attributes["idseparator"]; ok {
		sep = v[:min(1, len(v))]
		between = " .-" + sep
	}
	var b strings.Builder
	last := ""
	write := func(s string) {
		if s != sep || last != sep || sep == "" {
			b.WriteString(s)
		}
		last = s
	}
	for _, r := range prefix {
		write(string(r))
	}
	for _, r := range strings.ToLower(typographic.Replace(withoutMarks(p.inline(title)))) {
		switch {
		case strings.ContainsRune(between, r):
			write(sep)
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_':
			write(string(r))
		}
	}
	id := b.String()
	if sep != "" {
		id = strings.TrimSuffix(id, sep)
		if prefix == "" {
			id = strings.TrimPrefix(id, sep)
		}
	}
	if p.ids[id] == 0 {
		return id
	}
	for n := p.ids[id] + 1; ; n++ {
		if next := id + sep + strconv.Itoa(n); p.ids[next] == 0 {
			p.ids[id] = n
			return next
		}
	}
}
