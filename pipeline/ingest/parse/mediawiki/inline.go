package mediawiki

import (
	"html"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// htmlTags are the tags of HTML that wikitext knows, and those of its own that show nothing.
var htmlTags = spacing.WordSet(`abbr b bdi bdo big blockquote br caption center cite code data dd del dfn div dl dt
	em font h1 h2 h3 h4 h5 h6 hr i ins
	kbd li mark meta link ol p q rb rp rt rtc ruby s samp section small span strike strong sub sup table td th tr tt u ul var wbr
	noinclude includeonly onlyinclude translate tvar languages references nowiki ref poem gallery img`)

// inline is a text as a raw inline.
func (p *page) inline(s string) string {
	var b strings.Builder
	p.addInline(&b, s, 0)
	return b.String()
}

// nextSign is the place of the next character that may begin markup, -1 without one.
func nextSign(s string) int {
	from := 0
	for {
		i := strings.IndexAny(s[from:], "\x00\x01\x02'<[_")
		end := len(s)
		if i >= 0 {
			end = from + i
		}
		if u := strings.Index(s[from:end], "http"); u >= 0 && bareURL().MatchString(s[from+u:min(len(s), from+u+20)]) {
			return from + u
		} else if u >= 0 {
			end = from + u + 4
			if end == len(s) {
				return -1
			}
			from = end
			continue
		}
		if i < 0 {
			return -1
		}
		if beginsMarkup(s[end:]) {
			return end
		}
		from = end + 1
	}
}

func (p *page) addInline(b *strings.Builder, s string, depth int) {
	if depth > mostNested {
		b.WriteString(build.TextInline(p.plain(s)))
		return
	}
	for s != "" {
		n := nextSign(s)
		if n < 0 {
			n = len(s)
		}
		if n > 0 {
			build.AddText(b, strings.ReplaceAll(html.UnescapeString(s[:n]), "\n", " "), 0, false)
			s = s[n:]
			continue
		}
		s = s[p.addMarkup(b, s, depth):]
	}
}

// beginsMarkup reports whether the sign at the beginning of a text is not just a character.
func beginsMarkup(s string) bool {
	switch c := s[0]; c {
	case '_', '\'':
		return len(s) > 1 && s[1] == c
	case '<':
		return len(s) > 1 && (s[1] == '/' || s[1]|0x20 >= 'a' && s[1]|0x20 <= 'z')
	case '[':
		return externalStart().MatchString(s[:min(len(s), 12)])
	}
	return true
}

// addMarkup adds what a sign begins, and returns its length in the text.
func (p *page) addMarkup(b *strings.Builder, s string, depth int) int {
	switch s[0] {
	case build.BreakMark, build.LineMark:
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return len(s)
		}
		b.WriteString(s[:end+2])
		return end + 2
	case partSign:
		e, n := p.partAt(s)
		switch {
		case n == 0:
			return 1
		case e.kind == '<' && e.tag == "ref":
			p.addNote(b, e, s[n:])
		default:
			p.addPart(b, e, depth)
		}
		return n
	case '\'':
		return p.addQuotes(b, s, depth)
	case '<':
		return p.addTag(b, s, depth)
	case '[':
		if n := p.addExternal(b, s, depth); n > 0 {
			return n
		}
	case '_':
		if m := magicWord().FindString(s[:min(len(s), 40)]); m != "" {
			return len(m)
		}
	case 'h':
		if m := bareURL().FindString(s[:min(len(s), 2000)]); m != "" {
			m = strings.TrimRight(m, ".,;:!?")
			if strings.Contains(m, ")") && !strings.Contains(m, "(") {
				m = m[:strings.IndexByte(m, ')')]
			}
			m = strings.TrimRight(m, "'")
			b.WriteString(build.TextInline(html.UnescapeString(m)))
			return len(m)
		}
	}
	b.WriteString(build.TextInline(s[:1]))
	return 1
}

var (
	magicWord = pattern.Lazy(`^__[A-Z]{3,30}__`)
	bareURL   = pattern.Lazy(`^https?://[^\s<>\[\]"\x00-\x02|{}]+`)
)

// addQuotes adds bold or italic text.
func (p *page) addQuotes(b *strings.Builder, s string, depth int) int {
	n := 0
	for n < len(s) && s[n] == '\'' {
		n++
	}
	if n == 1 {
		b.WriteString("'")
		return 1
	}
	if n == 4 || n > 5 { // an apostrophe before the mark
		b.WriteString(strings.Repeat("'", n-min(5, n-1)))
		if n == 4 {
			return 1
		}
		return n - 5
	}
	line := s
	if i := strings.IndexByte(s, build.BreakMark); i >= 0 {
		line = s[:i]
	}
	if n == 5 { // one of both may end first
		switch firstQuotes(line[n:]) {
		case 2:
			n = 3
		case 3:
			n = 2
		}
	}
	inner, rest := closeQuotes(line[n:], n)
	var in strings.Builder
	p.addInline(&in, inner, depth+1)
	build.WrapRaw(b, in.String(), func(text string) string {
		if n != 3 {
			text = build.Emphasis(text)
		}
		if n != 2 {
			text = build.Strong(text)
		}
		return text
	})
	return len(line) - len(rest)
}

// firstQuotes is the length of the first run of at least two quotes in a text.
func firstQuotes(s string) int {
	i := strings.Index(s, "''")
	if i < 0 {
		return 0
	}
	return len(s[i:]) - len(strings.TrimLeft(s[i:], "'"))
}

// closeQuotes cuts a text at the quotes that close a mark of n of them; without any, the end
// of the line closes it.
func closeQuotes(s string, n int) (inner, rest string) {
	for i := 0; i < len(s); {
		if s[i] != '\'' {
			i++
			continue
		}
		run := 0
		for i+run < len(s) && s[i+run] == '\'' {
			run++
		}
		switch {
		case run == n || run == 4 && n == 3:
			return s[:i+run-n], s[i+run:]
		case run >= 5 && n < 5:
			if n == 2 && strings.Contains(s[:i], "'''") {
				return s[:i+run-2], s[i+run:]
			}
			if n == 3 && strings.Contains(strings.ReplaceAll(s[:i], "'''", ""), "''") {
				return s[:i+run-3], s[i+run:]
			}
			return s[:i], s[i+n:]
		}
		i += run
	}
	return s, ""
}

// addTag adds the content of a tag of HTML.
func (p *page) addTag(b *strings.Builder, s string, depth int) int {
	m := tagStart().FindStringSubmatch(s[:min(len(s), 2100)])
	if m == nil || !htmlTags[strings.ToLower(m[2])] {
		b.WriteString(build.TextInline("<"))
		return 1
	}
	tag := strings.ToLower(m[2])
	if m[1] == "/" || m[4] == "/" && tag != "references" {
		if tag == "br" {
			b.WriteString(" ")
		}
		return len(m[0])
	}
	around := wraps[tag]
	switch {
	case tag == "references":
		return len(m[0])
	case tag == "br":
		b.WriteString(" ")
		return len(m[0])
	case around == nil && tag != "code" && tag != "tt" && tag != "kbd" && tag != "samp":
		return len(m[0])
	}
	inner, size, ok := elementAt(s, m[0], tag)
	if !ok {
		return len(m[0])
	}
	if around != nil {
		var in strings.Builder
		p.addInline(&in, inner, depth+1)
		build.WrapRaw(b, in.String(), around)
		return size
	}
	p.addCode(b, inner, depth)
	return size
}

// wraps are what tags put around a text.
var wraps = map[string]func(string) string{"b": build.Strong, "strong": build.Strong, "i": build.Emphasis, "em": build.Emphasis,
	"cite": build.Emphasis, "dfn": build.Emphasis, "var": build.Emphasis}

// elementAt is the content of the element at the beginning of a text, and the element's
// length.
func elementAt(s, tag, name string) (inner string, size int, ok bool) {
	rest := s[len(tag):]
	lower := asciiLower(rest[:min(len(rest), 2000)])
	end := strings.Index(lower, "</"+name)
	if end < 0 {
		return "", 0, false
	}
	stop := strings.IndexByte(lower[end:], '>')
	if stop < 0 {
		return "", 0, false
	}
	return rest[:end], len(tag) + end + stop + 1, true
}

// addCode adds inline code. One that is a link alone stays a link.
func (p *page) addCode(b *strings.Builder, inner string, depth int) {
	trimmed := strings.TrimSpace(inner)
	if e, n := p.partAt(trimmed); n > 0 && n == len(trimmed) && e.kind == '[' {
		var in strings.Builder
		p.addLink(&in, e, depth, func(shown string) string { return build.CodeInline(p.plain(shown)) })
		b.WriteString(in.String())
		return
	}
	build.WrapRaw(b, build.LastMark(inner)+build.CodeInline(p.plain(inner)), func(text string) string { return text })
}

// addExternal adds a link in single brackets, and returns its length.
func (p *page) addExternal(b *strings.Builder, s string, depth int) int {
	m := externalLink().FindStringSubmatchIndex(s[:min(len(s), 4000)])
	if m == nil {
		return 0
	}
	target, text := html.UnescapeString(s[m[2]:m[3]]), strings.TrimSpace(s[m[4]:m[5]])
	if strings.HasPrefix(target, "//") {
		target = "https:" + target
	}
	var in strings.Builder
	if text == "" {
		in.WriteString(build.TextInline(target))
	} else {
		p.addInline(&in, text, depth+1)
	}
	build.WrapRaw(b, in.String(), func(text string) string { return build.LinkInline(text, target) })
	return m[1]
}

var (
	externalStart = pattern.Lazy(`^\[(?:https?:|ftp:|mailto:|irc:|git:|//)`)
	externalLink  = pattern.Lazy(`^\[((?:https?:|ftp:|mailto:|irc:|git:|//)[^\s\[\]\x00-\x02]+)([^\[\]]*)\]`)
)

// addPart adds a part within a line.
func (p *page) addPart(b *strings.Builder, e *part, depth int) {
	switch {
	case e.kind == '[':
		p.addLink(b, e, depth, nil)
	case e.kind == '{':
		p.addTemplate(b, e, depth)
	case e.tag == "nowiki":
		p.addRaw(b, e.body)
	case e.tag == "gallery" || e.tag == "poem":
		p.addInline(b, e.body, depth+1)
	default:
		b.WriteString(build.CodeInline(rawText(strings.ReplaceAll(e.body, "\n", " "))))
	}
}

// addRaw adds text without markup.
func (p *page) addRaw(b *strings.Builder, text string) {
	build.AddText(b, strings.ReplaceAll(rawText(text), "\n", " "), 0, false)
}

// rawText is the content of a raw tag: entities are read in it.
func rawText(s string) string {
	if strings.Contains(s, "<nowiki>") {
		s = strings.NewReplacer("<nowiki>", "", "</nowiki>", "").Replace(s)
	}
	return html.UnescapeString(s)
}

// codeOf is a line of indented text as code.
func (u *markup) codeOf(s string) string {
	var b strings.Builder
	u.addPlain(&b, s, 0)
	return html.UnescapeString(b.String())
}

// linkOf cuts the body of a link into its target and the text that is shown, "" where that
// is the target.
func linkOf(body string) (target, shown string) {
	target, shown, _ = strings.Cut(body, "|")
	return strings.TrimSpace(target), shown
}

var language = pattern.Lazy(`^[a-z]{2,3}(-[a-z]{2,8})?$`)

// addLink adds a link in double brackets. around, unless nil, makes an inline of its text.
func (p *page) addLink(b *strings.Builder, e *part, depth int, around func(string) string) {
	target, shown := linkOf(e.body)
	target = html.UnescapeString(p.plain(target))
	colon := strings.HasPrefix(target, ":")
	target = strings.TrimPrefix(target, ":")
	space, rest, spaced := strings.Cut(target, ":")
	switch kind := strings.ToLower(strings.TrimSpace(space)); {
	case !spaced || colon:
	case kind == "category":
		p.w.AddMetadata(strings.TrimSpace(rest))
		return
	case kind == "file" || kind == "image" || kind == "media":
		p.addCaption(b, shown, depth)
		return
	case language().MatchString(kind) && len(rest) > 0 && shown == "":
		return
	}
	if shown == "" {
		shown = strings.TrimSpace(strings.TrimPrefix(target, "#"))
		if colon {
			shown = target
		}
	}
	var in strings.Builder
	if around != nil {
		in.WriteString(around(shown))
	} else {
		p.addInline(&in, shown, depth+1)
	}
	to := p.fileOf(target)
	build.WrapRaw(b, in.String(), func(text string) string { return build.LinkInline(text, to) })
}

// addCaption adds what a picture says of itself.
func (p *page) addCaption(b *strings.Builder, options string, depth int) {
	if options == "" {
		return
	}
	all := strings.Split(options, "|")
	last := strings.TrimSpace(all[len(all)-1])
	if last == "" || pictureOption().MatchString(last) {
		return
	}
	b.WriteByte(' ')
	p.addInline(b, last, depth+1)
	b.WriteByte(' ')
}

var pictureOption = pattern.Lazy(`(?i)^(thumb|thumbnail|frame|framed|frameless|border|left|right|center|none|baseline|middle|top|bottom|` +
	`upright|\d*x?\d+ ?px|(link|alt|page|class|lang|upright|thumb)\s*=.*)$`)

// addNote adds the mark of a footnote, whose text stands below the page. rest is what follows
// it.
func (p *page) addNote(b *strings.Builder, e *part, rest string) {
	name := attribute(e.attrs, "name")
	number := p.notes[name]
	own := strings.TrimSpace(e.body) != ""
	if name == "" || number == 0 || own && p.noted[number-1].text != "" && p.noted[number-1].text != e.body {
		p.noted = append(p.noted, note{at: e.from})
		number = len(p.noted)
		if name != "" {
			p.notes[name] = number
		}
	}
	if n := &p.noted[number-1]; n.text == "" && own {
		n.text, n.at = e.body, e.from
	}
	mark := "[" + decimal(number) + "]"
	if rest != "" && strings.IndexByte("([:{", rest[0]) >= 0 {
		mark = build.TextInline(mark)
	}
	b.WriteString(mark)
}

// writeNotes writes the footnotes that were referred to.
func (p *page) writeNotes() {
	for ; p.written < len(p.noted); p.written++ { // a note may refer to others
		n := p.noted[p.written]
		if strings.TrimSpace(n.text) == "" || p.written > mostParts {
			continue
		}
		p.para = append(p.para, line{"[" + decimal(p.written+1) + "] " + n.text, n.at})
		p.endParagraph()
	}
}
