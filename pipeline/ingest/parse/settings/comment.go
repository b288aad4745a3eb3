package settings

import (
	"cmp"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// said is what a block of comments says.
type said struct {
	sections []comment // names of groups of settings
	kind     string    // the type, where it is said
	standard string    // the default, where it is said
	pieces   []piece
	setting  int // the piece that is a setting in a comment, or -1
	key      string
}

// piece is a paragraph or a run of lines of code.
type piece struct {
	code  bool
	lines []comment
}

var (
	section     = pattern.Lazy(`^(?:@section[ \t]+(.*)|\+docs:section=(.*))$`)
	ignored     = pattern.Lazy(`^(?:@(?:skip|ignored?|description(?:Start|End)|raw|schema\b).*|\+docs:(?:property|hidden|enum|ignore).*)$`)
	helmDefault = pattern.Lazy(`^(?:@default[ \t]+--[ \t]*(.*)|\+docs:default=(.*))$`)
	helmType    = pattern.Lazy(`^\+docs:type=(.*)$`)
	helmText    = pattern.Lazy(`^--(?:[ \t]+\(([a-zA-Z/\[\]]+)\))?[ \t]*(.*)$`)
	oldHelmText = pattern.Lazy(`^[\w.-]+[ \t]+--[ \t]+(.*)$`)
	settingLine = pattern.Lazy(`^["']?([a-z][\w.-]*)["']?:(?:[ \t]+(\S.*))?$`)
	codeLine    = pattern.Lazy(`^(?:[ \t]{1,}\S.*|- [\w"'{\[].*|- ["']?[\w.-]+["']?:.*)$`)
	decoration  = pattern.Lazy(`^[^\pL\pN]*$`)
)

// readBlock reads a block of comments.
func readBlock(lines []comment) said {
	s := said{setting: -1}
	var run piece
	end := func() {
		if len(run.lines) > 0 {
			s.pieces = append(s.pieces, run)
		}
		run = piece{}
	}
	schema := false // within a schema between two annotations
	for i, l := range lines {
		text := l.text
		bare := strings.TrimSpace(text)
		if bare == "@schema" {
			schema = !schema
			continue
		}
		switch {
		case schema || ignored().MatchString(bare):
			continue
		case section().MatchString(bare):
			m := section().FindStringSubmatch(bare)
			s.sections = append(s.sections, comment{m[1] + m[2], l.at})
			continue
		case helmDefault().MatchString(bare):
			m := helmDefault().FindStringSubmatch(bare)
			s.standard = m[1] + m[2]
			continue
		case helmType().MatchString(bare):
			s.kind = helmType().FindStringSubmatch(bare)[1]
			continue
		case helmText().MatchString(bare) && !decoration().MatchString(bare):
			m := helmText().FindStringSubmatch(bare)
			s.kind, text = cmp.Or(m[1], s.kind), m[2]
		case i == 0 && oldHelmText().MatchString(bare):
			text = oldHelmText().FindStringSubmatch(bare)[1]
		}
		if decoration().MatchString(text) && !run.code || strings.TrimSpace(text) == "" {
			end()
			continue
		}
		code := isSetting(text) || codeLine().MatchString(text) && (run.code || startsCode(text, s, run))
		if code != run.code {
			end()
		}
		if code && len(run.lines) == 0 {
			if m := settingLine().FindStringSubmatch(text); m != nil {
				s.key, s.setting = m[1], len(s.pieces)
			}
		}
		run.code = code
		run.lines = append(run.lines, comment{text, l.at})
	}
	end()
	if s.setting != len(s.pieces)-1 { // text follows: it is an example
		s.setting = -1
	}
	return s
}

// startsCode reports whether an indented line begins code: one that looks like YAML, and does
// not go on with an item of a list in the text.
func startsCode(text string, s said, run piece) bool {
	bare := strings.TrimSpace(text)
	if strings.HasPrefix(bare, "- ") {
		bare = strings.TrimSpace(bare[2:])
		quoted := strings.HasSuffix(bare, `"`) || strings.HasSuffix(bare, "'") || strings.HasSuffix(bare, ":")
		return isSetting(bare) && (quoted || strings.HasPrefix(text, " ") || len(run.lines) == 0 && len(s.pieces) > 0)
	}
	return isSetting(bare)
}

// isSetting reports whether a line of a comment is a setting that is switched off, and no
// sentence with a colon.
func isSetting(text string) bool {
	m := settingLine().FindStringSubmatch(text)
	if m == nil || strings.HasPrefix(m[2], "http") || strings.HasSuffix(m[2], ".") ||
		countWords(m[2]) > 3 && strings.IndexByte("\"'[{&", m[2][0]) < 0 {
		return false
	}
	switch m[1] {
	case "ref", "see", "note", "e.g", "example", "default", "defaults":
		return false
	}
	return true
}

// kindOfSetting is the type of the value of a setting in a comment.
func kindOfSetting(lines []comment) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	var n yaml.Node
	if yaml.Unmarshal([]byte(b.String()), &n) != nil || len(n.Content) == 0 || len(n.Content[0].Content) < 2 {
		return ""
	}
	return kindOf(n.Content[0].Content[1])
}

// writeNamed writes the names of groups of settings.
func (p *page) writeNamed(sections []comment) {
	for _, c := range sections {
		if strings.TrimSpace(c.text) != "" {
			p.place(c.at)
			p.w.Paragraph(build.Strong(build.TextInline(strings.TrimSpace(c.text))))
		}
	}
}

// writeBlock writes a block that explains no key: as a section where it has a setting in it.
func (p *page) writeBlock(lines []comment, prefix string, level int) {
	s := readBlock(lines)
	p.writeNamed(s.sections)
	if s.setting < 0 || s.setting == 0 && len(s.pieces) == 1 {
		p.writePieces(s.pieces)
		return
	}
	at := s.pieces[s.setting].lines[0].at
	p.place(at)
	p.w.Heading(min(6, level), build.TextInline(prefix+s.key), prefix+s.key)
	line := ""
	if kind := cmp.Or(s.kind, kindOfSetting(s.pieces[s.setting].lines)); kind != "" {
		line = build.Strong("Type:") + " " + build.TextInline(kind) + ". "
	}
	if s.standard != "" {
		line += "Default: " + inlineOf(s.standard) + "."
	} else {
		line += "It is not set."
	}
	p.w.Paragraph(line)
	p.writePieces(s.pieces)
}

// writePieces writes paragraphs and code.
func (p *page) writePieces(pieces []piece) {
	for _, g := range pieces {
		if g.code {
			var code []build.Line
			least := -1
			for _, l := range g.lines {
				if n := indentOf(l.text); least < 0 || n < least {
					least = n
				}
			}
			for _, l := range g.lines {
				code = append(code, build.Line{Text: l.text[min(least, len(l.text)):], At: doc.Location{Line: l.at}})
			}
			p.w.Listing("yaml", code)
			continue
		}
		p.writeText(g.lines)
	}
}

// writeText writes the lines of a paragraph; those that begin as items of a list are items.
func (p *page) writeText(lines []comment) {
	var run []comment
	item := false
	end := func() {
		if len(run) == 0 {
			return
		}
		var text []string
		var places []doc.Location
		for _, l := range run {
			if strings.TrimSpace(l.text) == "" {
				continue
			}
			text, places = append(text, inlineOf(strings.TrimSpace(l.text))), append(places, doc.Location{Line: l.at})
		}
		p.place(run[0].at)
		if item {
			p.w.Open(build.Bullet)
		}
		p.w.Places(places)
		p.w.Paragraph(strings.Join(text, "\n"))
		if item {
			p.w.Close()
		}
		run = nil
	}
	for _, l := range lines {
		bare := strings.TrimSpace(l.text)
		if strings.HasPrefix(bare, "- ") || strings.HasPrefix(bare, "* ") {
			end()
			item = true
			l.text = bare[2:]
		}
		run = append(run, l)
	}
	end()
}

var modifiers = pattern.Lazy(`^\[([^\]]*)\][ \t]*(.*)$`)

// writeParameter writes what a comment elsewhere says of a path.
func (p *page) writeParameter(param parameter) {
	text := param.text
	if m := modifiers().FindStringSubmatch(text); m != nil {
		text = m[2]
		if m[1] != "" {
			text = strings.TrimSpace(text + " (" + m[1] + ")")
		}
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	p.place(param.at)
	p.w.Paragraph(inlineOf(text))
}

var marked = pattern.Lazy("`([^`]+)`|\\[([^\\]\\[]+)\\]\\((https?://[^\\s()]+)\\)")

// inlineOf is a line of a comment as an inline: code between backticks and links of Markdown
// are what they are there, the rest is text.
func inlineOf(s string) string {
	var b strings.Builder
	for {
		m := marked().FindStringSubmatchIndex(s)
		if m == nil {
			b.WriteString(build.TextInline(s))
			return b.String()
		}
		b.WriteString(build.TextInline(s[:m[0]]))
		if m[2] >= 0 {
			b.WriteString(build.CodeInline(s[m[2]:m[3]]))
		} else {
			b.WriteString(build.LinkInline(build.TextInline(s[m[4]:m[5]]), s[m[6]:m[7]]))
		}
		s = s[m[1]:]
	}
}
