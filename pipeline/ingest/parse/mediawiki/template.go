package mediawiki

import (
	"html"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// argument is an argument of a template.
type argument struct {
	name  string // "" for one without a name
	value string
	at    int
}

// templateOf cuts the body of a template into its name and arguments.
func (u *markup) templateOf(body string) (name string, args []argument) {
	parts := strings.Split(body, "|")
	name = strings.Join(strings.Fields(stripMarks(parts[0])), " ")
	if head, rest, ok := strings.Cut(name, ":"); ok && head != "" && (head[0] == '#' || isMagic(head)) {
		name = strings.ToLower(head)
		args = append(args, argument{value: rest})
	}
	at := lastLine(parts[0], 0)
	for _, a := range parts[1:] {
		arg := argument{value: a, at: at}
		if key, value, ok := strings.Cut(a, "="); ok && !strings.ContainsAny(key, "\x02<[]{}:/") && len(key) < 80 {
			if arg.name = strings.TrimSpace(stripMarks(key)); strings.Trim(arg.name, "0123456789") == "" {
				arg.name = ""
			}
			arg.value, arg.at = value, lastLine(key, at)
		}
		args = append(args, arg)
		at = lastLine(a, at)
	}
	return name, args
}

// isMagic reports whether a name before a colon is a word of MediaWiki's and no page's.
func isMagic(s string) bool {
	return magicNames[strings.ToLower(s)]
}

var magicNames = spacing.WordSet("displaytitle defaultsort lc uc lcfirst ucfirst formatnum plural grammar int ns " +
	"fullurl localurl urlencode " +
	"padleft padright anchorencode tag msg subst safesubst pagename")

// lastLine is the line of the last mark of a text, or other.
func lastLine(s string, other int) int {
	at := other
	if i := strings.LastIndexByte(s, build.BreakMark); i > 0 {
		if j := strings.LastIndexByte(s[:i], build.BreakMark); j >= 0 {
			at = numberOr(s[j+1:i], other)
		}
	}
	return at
}

// stripMarks is a text with blanks in the place of marks.
func stripMarks(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "\x00\x01")
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		b.WriteByte(' ')
		end := strings.IndexByte(s[i+1:], s[i])
		if end < 0 {
			break
		}
		s = s[i+end+2:]
	}
	return b.String()
}

// notices are the templates that are notes, by their names in lower case, with the kind of
// the note.
var notices = map[string]string{"note": "note", "notice": "note", "tip": "tip", "warning": "warning", "warn": "warning",
	"caution":   "caution",
	"important": "important", "info": "note", "hint": "tip", "danger": "danger", "attention": "attention", "fixme": "note",
	"todo": "note", "see": "see also", "see also": "see also", "main": "see also", "related articles start": ""}

// codes are the templates of code in a line, blocks those of code that is a block.
var (
	codes = spacing.WordSet(`code c ic mono tt kbd key keypress button path file filename cmd-inline lc samp var pkg
		package aur grp bug man parameter
		param inlinecode useflag package keyword`)
	listings = spacing.WordSet("bc cmd rootcmd usercmd gencmd codebox filebox hc kernelbox genbox consolebox codeblock sourcecode")
	// hidden are the templates of which nothing is shown: they sort, place or mark a page.
	hidden = spacing.WordSet(`defaultsort reflist references toc clear clearright clearleft anchor languages notoc displaytitle pagename
		subst safesubst #invoke #seo`)
	// looks are arguments that say how a note looks.
	looks = spacing.WordSet("style type class width align small icon image color colour id lang")
	// constants are templates that stand for a sign.
	constants = map[string]string{"=": "=", "!": "|", "pipe": "|", "!!": "||", "(": "{", ")": "}", "((": "{{", "))": "}}", "-": "",
		"*":     "•",
		"ndash": "–", "mdash": "—", "snd": " – ", "nbsp": " ", "spaces": " "}
)

// isBlockTemplate reports whether a template is a block by itself.
func (u *markup) isBlockTemplate(e *part) bool {
	name, args := u.templateOf(e.body)
	lower := strings.ToLower(name)
	if _, ok := notices[lower]; ok || listings[lower] {
		return true
	}
	if _, ok := constants[lower]; ok || codes[lower] || hidden[lower] || strings.HasPrefix(lower, "#") {
		return false
	}
	named := 0
	for _, a := range args {
		if a.name != "" {
			named++
		}
		if v := strings.TrimLeft(a.value, " \t"); strings.HasPrefix(v, "\x00") && strings.Count(v, "\x00") > 2 && a.name == "" {
			return true // its text begins on a line of its own
		}
	}
	return named >= 2 && strings.Contains(e.body, "\x00")
}

// writeTemplate writes a template that is a block.
func (p *page) writeTemplate(e *part) {
	name, args := p.templateOf(e.body)
	for i := range args {
		if args[i].at == 0 {
			args[i].at = e.at
		}
	}
	if p.depth >= mostNested {
		p.w.Paragraph(build.TextInline(p.plain(e.body)))
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	lower := strings.ToLower(name)
	if kind, ok := notices[lower]; ok {
		p.writeNotice(e, kind, args)
		return
	}
	if listings[lower] {
		p.writeListing(args)
		return
	}
	for _, a := range args {
		if a.name == "" {
			p.writeInside(a)
			continue
		}
		if strings.TrimSpace(stripMarks(a.value)) == "" {
			continue
		}
		p.place(a.at)
		p.w.Open(build.Bullet)
		label := "'''" + a.name + "''': "
		if one := strings.TrimRight(a.value, " \t0123456789\x00"); !strings.Contains(one, "\x00") && !p.hasBlocks(a.value) {
			value, _, _ := strings.Cut(a.value, "\x00")
			p.para = append(p.para, line{label + strings.TrimSpace(value), a.at})
			p.endParagraph()
		} else {
			p.para = append(p.para, line{label, a.at})
			p.writeInside(a)
		}
		p.w.Close()
	}
}

// writeInside writes the blocks of an argument.
func (p *page) writeInside(a argument) {
	outer := p.items
	p.items = nil
	p.writeText(strings.TrimLeft(a.value, " \t"), a.at)
	p.closeItems(0)
	p.dropItems(0)
	p.items = outer
}

func (p *page) writeNotice(e *part, kind string, args []argument) {
	if kind == "see also" || kind == "" {
		for _, a := range args {
			if a.name == "" && strings.TrimSpace(a.value) != "" {
				p.place(a.at)
				var b strings.Builder
				p.addLink(&b, &part{kind: '[', body: a.value, at: a.at, from: a.at}, 0, nil)
				inline, _ := build.RawLines(b.String())
				if inline != "" {
					p.w.Open(build.NoteContainer("seealso", ""))
					p.w.Paragraph(inline)
					p.w.Close()
				}
			}
		}
		return
	}
	p.place(e.at)
	p.w.Open(build.NoteContainer(kind, ""))
	for _, a := range args {
		if !looks[strings.ToLower(a.name)] {
			p.writeInside(a)
		}
	}
	p.w.Close()
}

// writeListing writes the code of a template, with its title.
func (p *page) writeListing(args []argument) {
	lang := ""
	code := -1
	for i, a := range args {
		switch strings.ToLower(a.name) {
		case "lang":
			lang = p.plain(a.value)
		case "title", "filename", "header":
			if inline, _ := build.RawLines(p.inline(a.value)); inline != "" {
				p.place(a.at)
				p.w.Paragraph(inline)
			}
		case "", "content", "code":
			if code >= 0 && args[code].name == "" && strings.TrimSpace(args[code].value) != "" {
				if inline, _ := build.RawLines(p.inline(args[code].value)); inline != "" { // two texts: a title and the code
					p.place(args[code].at)
					p.w.Paragraph(inline)
				}
			}
			code = i
		}
	}
	if code < 0 {
		return
	}
	var lines []build.Line
	for _, l := range splitLines(args[code].value, args[code].at) {
		rest := l.text
		for _, text := range strings.Split(p.codeOf(rest), "\n") {
			lines = append(lines, build.Line{Text: text, At: doc.Location{Line: l.at}})
		}
	}
	p.w.Listing(lang, lines)
}

// addTemplate adds a template that stands in a line.
func (p *page) addTemplate(b *strings.Builder, e *part, depth int) {
	name, args := p.templateOf(e.body)
	lower := strings.ToLower(name)
	sign, isSign := constants[lower]
	switch {
	case strings.HasPrefix(name, "{"): // a parameter, which shows its default
		if len(args) > 0 {
			p.addInline(b, args[0].value, depth+1)
		}
	case lower == "displaytitle" && len(args) > 0:
		p.w.Title(html.UnescapeString(p.plain(args[0].value)))
	case hidden[lower]:
	case isSign:
		b.WriteString(build.TextInline(sign))
	case lower == "man" && len(args) > 1 && args[0].name == "" && args[1].name == "":
		b.WriteString(build.CodeInline(p.plain(args[1].value) + "(" + p.plain(args[0].value) + ")"))
	case codes[lower]:
		for i, a := range args {
			if a.name == "" || i == 0 {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(build.CodeInline(p.plain(a.value)))
			}
		}
	case lower == "ll" || lower == "l" || lower == "ml":
		if len(args) > 0 {
			p.addLink(b, &part{kind: '[', body: joinArguments(args)}, depth, nil)
		}
	default:
		for i, a := range args {
			if i > 0 {
				b.WriteByte(' ')
			}
			p.addInline(b, strings.TrimSpace(a.value), depth+1)
		}
	}
}

func joinArguments(args []argument) string {
	var all []string
	for _, a := range args {
		if a.name == "" {
			all = append(all, a.value)
		}
	}
	return strings.Join(all, "|")
}
