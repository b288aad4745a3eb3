package man

import (
	"cmp"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// maxItems is the most containers that are open at once.
const maxItems = 100

// readMacro reads a request or a macro of man(7); those of mdoc(7) have names of their own.
func (p *page) readMacro(name, rest string) {
	if i := strings.Index(name, `\{`); i > 0 { // .el\{\
		name, rest = name[:i], name[i:]+" "+rest
	}
	name, rest = p.aliasOf(strings.TrimSuffix(name, `\}`)), withoutComment(rest)
	if strings.HasPrefix(name, `\"`) || name == "" {
		return
	}
	if p.requests(name, rest) || p.structure(name, rest) {
		return
	}
	first, last := p.fontMacro, mdocReader{p}.mdocMacro
	if p.mdoc.is {
		first, last = last, first
	}
	if !first(name, rest) && !p.expandMacro(name, rest) {
		last(name, rest)
	}
}

// withoutComment is a line without the comment that it ends with.
func withoutComment(line string) string {
	if i := strings.Index(line, `\"`); i == 0 || i > 0 && line[i-1] != '\\' {
		return strings.TrimRight(line[:i], " \t")
	}
	return line
}

// fontMacro reads the macros of man(7) for fonts, links and synopses; true where name is
// one.
func (p *page) fontMacro(name, rest string) bool {
	switch name {
	case "B", "I", "SM", "SB", "R":
		font := map[string]byte{"B": 'B', "SB": 'B', "I": 'I', "SM": 'R', "R": 'R'}[name]
		if rest == "" {
			p.next = font
			break
		}
		p.output([]run{{font, strings.Join(splitArguments(rest), " ")}})
	case "BR", "BI", "IB", "IR", "RB", "RI":
		p.output(p.alternating(name[0], name[1], rest))
	case "UR", "MT":
		if rest == "" && p.expandMacro(name, rest) { // Tcl has an MT of its own
			break
		}
		if args := splitArguments(rest); len(args) > 0 {
			p.addText(build.LinkInline("", p.plainLine(args[0])))
		}
	case "URL", "MTO", "FTP": // of the package www, and of pages that Asciidoctor makes
		p.linkMacro(splitArguments(rest))
	case "UE", "ME":
		if tail := strings.Join(splitArguments(rest), ""); tail != "" {
			p.addText(build.TextInline(tail))
		}
	case "OP":
		args := splitArguments(rest)
		if p.widgetOption(args) || p.expandMacro(name, rest) {
			break
		}
		if len(args) > 0 {
			runs := []run{{'R', "["}, {'B', args[0]}}
			if len(args) > 1 {
				runs = append(runs, run{'R', " "}, run{'I', args[1]})
			}
			p.output(append(runs, run{'R', "]"}))
		}
	case "SY":
		p.paragraph()
		p.output([]run{{'B', strings.Join(splitArguments(rest), " ")}})
	case "YS":
		p.paragraph()
	default:
		return false
	}
	return true
}

// widgetOption writes an option of a widget of Tk as a definition, and reports whether it is one: OP
// as the manual of Tk defines it, with the option's name, and its name and class in the database of
// options. Its own lines are a table of these three, above a text that does not belong to it.
func (p *page) widgetOption(args []string) bool {
	if _, own := p.macros["OP"]; !own || len(args) != 3 || !strings.HasPrefix(p.plainLine(args[0]), "-") || len(p.items) >= maxItems {
		return false
	}
	p.endCode()
	p.newParagraph()
	p.openItem(p.inlineOf([]run{{'B', args[0]}}))
	p.addText(p.inlineOf([]run{{'R', "Database Name: "}, {'B', args[1]}, {'R', ", Database Class: "}, {'B', args[2]}}))
	p.flush()
	return true
}

// linkMacro writes an address with its text and what follows without a blank.
func (p *page) linkMacro(args []string) {
	if len(args) == 0 {
		return
	}
	args = append(args, "", "")
	target := p.plainLine(args[0])
	text := build.TextInline(cmp.Or(p.plainLine(args[1]), target))
	if strings.Contains(target, "@") && !strings.ContainsAny(target, ":/") {
		target = "mailto:" + target
	}
	p.addText(build.LinkInline(text, target) + build.TextInline(p.plainLine(args[2])))
}

// requests are those of roff itself; true where name is one.
func (p *page) requests(name, rest string) bool {
	switch name {
	case "de", "de1":
		p.define(rest, false)
	case "am", "am1":
		p.define(rest, true)
	case "ig":
		end, _ := splitMacro(rest)
		p.linesUntil(cmp.Or(end, "."))
	case "als":
		p.addAlias(rest)
	case "rm":
		for _, name := range strings.Fields(rest) {
			delete(p.macros, name)
			delete(p.aliases, name)
		}
	case "shift":
		p.shift(rest)
	case "return":
		p.endMacro()
	case "ds":
		key, value := splitMacro(rest)
		if key == "C`" || key == "C'" { // quotes of Pod::Man around code, which has its font too
			value = ""
		}
		if len(p.strings) < 1000 && len(value) < 1000 {
			p.strings[key] = strings.TrimPrefix(value, `"`)
		}
	case "if", "ie":
		p.condition(rest, name == "ie")
	case "el":
		p.otherwise(rest)
	case "so":
		if args := strings.Fields(rest); len(args) > 0 && !p.takeFile(args[0]) {
			p.other = args[0]
		}
	case "br", "sp":
		p.goesOn = false
		if p.code != nil {
			p.code = append(p.code, "")
		} else if name == "sp" {
			p.paragraph()
		} else {
			p.breakLine()
		}
	case "nf", "EX":
		p.flush()
		p.verbatim = true
	case "fi", "EE":
		p.endCode()
	case "ft":
		p.setFont(strings.TrimSpace(rest))
	case "TS":
		p.readTable()
	case "EQ":
		p.linesUntil("EN")
	default:
		return false
	}
	return true
}

// breakLine ends the line of a paragraph.
func (p *page) breakLine() {
	if n := len(p.para); n > 0 && !strings.HasSuffix(p.para[n-1], `\`) {
		p.para[n-1] += `\`
	}
}

// structure are the macros of man(7) that begin and end blocks; true where name is one.
func (p *page) structure(name, rest string) bool {
	switch name {
	case "TH":
		args := splitArguments(rest)
		if len(args) > 0 {
			p.name = p.plainLine(args[0])
		}
		if len(args) > 1 {
			p.number = p.plainLine(args[1])
		}
	case "SH", "SS":
		text := strings.Join(splitArguments(rest), " ")
		if text == "" {
			text, _ = p.nextLine()
		}
		p.heading(2+len(name)-len(strings.TrimSuffix(name, "S")), p.plainLine(text))
	case "PP", "P", "LP", "HP":
		p.endCode()
		p.newParagraph()
	case "TP":
		p.endCode()
		p.newParagraph()
		p.term = len(p.items) < maxItems
	case "TQ": // one more term
		p.flush()
		p.newParagraph()
		p.term = len(p.items) < maxItems
	case "IP":
		p.endCode()
		p.newParagraph()
		args := splitArguments(rest)
		if len(p.items) >= maxItems || len(args) == 0 || p.plainLine(args[0]) == "" {
			break
		}
		switch tag := p.plainLine(args[0]); {
		case len([]rune(tag)) == 1 && !isWord(tag[0]): // a bullet
			p.placeLine(p.at + 1)
			p.w.Open(build.Bullet)
			p.items = append(p.items, item{tagged: true, open: true})
		default:
			p.openItem(p.inline(args[0]))
		}
	case "RS":
		p.endCode()
		if n := len(p.para); n > 0 && n <= 4 && (p.para[0][0] == '`' || p.para[0][0] == '-') && len(p.items) < maxItems {
			// A term above the text that it is defined by, as asciidoctor writes it.
			term := strings.ReplaceAll(strings.Join(p.para, " "), "\\ ", " ")
			p.para, p.where = p.para[:0], p.where[:0]
			p.openItem(term)
			p.items[len(p.items)-1].tagged = false
			break
		}
		p.paragraph()
		if len(p.items) < maxItems {
			p.items = append(p.items, item{})
		}
	case "RE":
		p.endCode()
		p.paragraph()
		n := len(p.items)
		for n > 0 && p.items[n-1].tagged {
			n--
		}
		p.closeTo(max(0, n-1))
	default:
		return false
	}
	return true
}

func isWord(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// output writes runs of text where the page is: in a paragraph, a term or a display.
func (p *page) output(runs []run) {
	if p.code != nil || p.verbatim {
		var b strings.Builder
		for _, r := range runs {
			b.WriteString(p.plainLine(r.text))
		}
		p.addCode(b.String())
		return
	}
	p.addText(p.inlineOf(runs))
}

// joined joins the runs of roman text that follow each other: one text is escaped less
// than its parts.
func joined(runs []run) []run {
	var out []run
	for i := 0; i < len(runs); i++ {
		if runs[i].font != 'R' {
			out = append(out, runs[i])
			continue
		}
		var b strings.Builder
		for ; i < len(runs) && runs[i].font == 'R'; i++ {
			b.WriteString(runs[i].text)
		}
		i--
		out = append(out, run{'R', b.String()})
	}
	return out
}

// alternating are the arguments of .BR and the like.
func (p *page) alternating(a, b byte, rest string) []run {
	var runs []run
	for i, arg := range splitArguments(rest) {
		runs = append(runs, run{[2]byte{a, b}[i%2], arg})
	}
	return runs
}

// splitArguments cuts a macro's arguments: words, or texts in quotes in which "" is a quote.
func splitArguments(rest string) []string {
	var out []string
	for rest = strings.TrimLeft(rest, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		var b strings.Builder
		if rest[0] == '"' {
			i := 1
			for i < len(rest) {
				if rest[i] == '"' {
					if i+1 < len(rest) && rest[i+1] == '"' {
						i++
					} else {
						break
					}
				}
				b.WriteByte(rest[i])
				i++
			}
			rest = rest[min(len(rest), i+1):]
		} else {
			i := 0
			for i < len(rest) && rest[i] != ' ' && rest[i] != '\t' {
				if rest[i] == '\\' && i+1 < len(rest) { // an escaped blank is none
					b.WriteByte(rest[i])
					i++
				}
				b.WriteByte(rest[i])
				i++
			}
			rest = rest[i:]
		}
		out = append(out, b.String())
	}
	return out
}
