package asciidoc

import (
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/text/pattern"
)

// typographic are what Asciidoctor makes one character of, which no id has.
var typographic = strings.NewReplacer(" -- ", "", "->", "", "=>", "", "<-", "", "<=", "", "...", "", "(C)", "", "(R)", "", "(TM)", "")

// autoID is the id that Asciidoctor gives a section (Section.generate_id): of titles that
// repeat the second one has "_2".
func (p *page) autoID(title string) string {
	id, sep := p.idOfTitle(title)
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

// idOfTitle is the id of the first section with a title, and the sign between its words.
func (p *page) idOfTitle(title string) (id, sep string) {
	prefix, between := "_", " _.-"
	sep = "_"
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
	for _, r := range strings.ToLower(typographic.Replace(withoutMarks(withoutTargets(p.inline(title))))) {
		switch {
		case strings.ContainsRune(between, r):
			write(sep)
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_':
			write(string(r))
		}
	}
	id = b.String()
	if sep != "" {
		id = strings.TrimSuffix(id, sep)
		if prefix == "" {
			id = strings.TrimPrefix(id, sep)
		}
	}
	return id, sep
}

// linkTarget is the target of a link.
var linkTarget = pattern.Lazy(`\]\((?:<[^<>]*>|[^()\s]*)\)`)

// withoutTargets is an inline with the texts of its links alone.
func withoutTargets(inline string) string {
	if !strings.Contains(inline, "](") {
		return inline
	}
	return linkTarget().ReplaceAllString(inline, "]")
}

// titleOf is the title of the section or block of an id, as Asciidoctor shows it in a reference
// without a text; "" where the page has none.
func (p *page) titleOf(id string) string {
	if p.titles == nil {
		p.findTitles()
	}
	return p.titles[strings.TrimPrefix(id, "#")]
}

// findTitles finds the titles of all sections and blocks that have one. An id stands above them.
func (p *page) findTitles() {
	p.titles = map[string]string{}
	note := func(id, title string) {
		if _, ok := p.titles[id]; !ok && id != "" {
			p.titles[id] = title
		}
	}
	id := ""
	for i, l := range p.lines {
		if _, title, n := p.heading(p.lines, i); n > 0 {
			if m := trailingID().FindStringSubmatch(title); m != nil {
				title, id = strings.TrimSuffix(title, m[0]), m[1]
			}
			note(id, title)
			auto, _ := p.idOfTitle(p.expand(title))
			note(auto, title)
			id = ""
			continue
		}
		var a ahead
		switch t := l.text; {
		case strings.TrimSpace(t) == "":
		case idLine().MatchString(t):
			id = idLine().FindStringSubmatch(t)[1]
			if _, label, ok := strings.Cut(strings.TrimSuffix(t, "]]"), ","); ok { // what references to it say
				note(id, strings.TrimSpace(label))
			}
		case styleLine().MatchString(t):
			a.readAttributes(p.expand(styleLine().FindStringSubmatch(t)[1]))
			if a.id != "" {
				id = a.id
			}
		case id != "" && titleLine().MatchString(t) && !isFence(t):
			note(id, titleLine().FindStringSubmatch(t)[1])
		default:
			id = ""
		}
	}
}
