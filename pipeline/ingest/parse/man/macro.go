package man

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// maxItems is the most containers that are open at once.
const maxItems = 100

// readMacro reads a request or a macro of man(7); those of mdoc(7) have names of their own.
func (p *page) readMacro(name, rest string) {
	if strings.HasPrefix(name, `\"`) || name == "" {
		return
	}
	if p.requests(name, rest) || p.structure(name, rest) || p.mdocMacro(name, rest) {
		return
	}
	switch name {
	case "B", "I", "SM", "SB", "R":
		font := map[string]byte{"B": 'B', "SB": 'B', "I": 'I', "SM": 'R', "R": 'R'}[name]
		if rest == "" {
			p.next = font
			return
		}
		p.output([]run{{font, strings.Join(p.splitArguments(rest), " ")}})
	case "BR", "BI", "IB", "IR", "RB", "RI":
		p.output(p.alternating(name[0], name[1], rest))
	case "UR", "MT":
		if args := p.splitArguments(rest); len(args) > 0 {
			p.addText(build.LinkInline("", args[0]))
		}
	case "UE", "ME":
		if tail := strings.Join(p.splitArguments(rest), ""); tail != "" {
			p.addText(build.TextInline(tail))
		}
	case "OP":
		args := p.splitArguments(rest)
		if len(args) > 0 {
			runs := []run{{'R', "["}, {'B', args[0]}}
			if len(args) > 1 {
				runs = append(runs, run{'R', " "}, run{'I', args[1]})
			}
			p.output(append(runs, run{'R', "]"}))
		}
	case "SY":
		p.paragraph()
		p.output([]run{{'B', strings.Join(p.splitArguments(rest), " ")}})
	case "YS":
		p.paragraph()
	}
}

// requests are those of roff itself; true where name is one.
func (p *page) requests(name, rest string) bool {
	switch name {
	case "de", "de1", "am", "ig":
		end := ".."
		if args := strings.Fields(rest); len(args) > 1 && name != "ig" {
			end = "." + args[1]
		}
		for p.at+1 < len(p.lines) && strings.TrimSpace(p.lines[p.at+1]) != end {
			p.at++
		}
		p.at++
	case "ds":
		key, value := splitMacro(rest)
		if len(p.strings) < 1000 && len(value) < 1000 {
			p.strings[key] = strings.TrimPrefix(value, `"`)
		}
	case "if", "ie":
		p.condition(rest, name == "ie")
	case "el":
		p.decide(!p.last, rest)
	case "so":
		if args := strings.Fields(rest); len(args) > 0 {
			p.other = args[0]
		}
	case "br", "sp":
		if p.code != nil {
			p.code = append(p.code, "")
		} else if name == "sp" {
			p.paragraph()
		} else if n := len(p.para); n > 0 && !strings.HasSuffix(p.para[n-1], `\`) {
			p.para[n-1] += `\` // a break
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
		for p.at+1 < len(p.lines) && !strings.HasPrefix(p.lines[p.at+1], ".EN") {
			p.at++
		}
	default:
		return false
	}
	return true
}

// condition decides .if and .ie: n, a terminal, holds; conditions that cannot be
// evaluated do not.
func (p *page) condition(rest string, remember bool) {
	not := strings.HasPrefix(rest, "!")
	rest = strings.TrimPrefix(rest, "!")
	what, then := splitMacro(rest)
	holds := strings.HasPrefix(what, "n")
	if strings.HasPrefix(what, "'") || strings.HasPrefix(what, `"`) || strings.HasPrefix(what, "(") {
		holds, then = false, rest
	} else if i := strings.Index(what, `\{`); i > 0 {
		then = what[i:] + then
	}
	if holds = holds != not; remember {
		p.last = holds
	}
	p.decide(holds, then)
}

// decide reads what a condition stands before, or skips it.
func (p *page) decide(holds bool, then string) {
	if !holds {
		p.skip = max(0, strings.Count(then, `\{`)-strings.Count(then, `\}`))
		return
	}
	then = strings.TrimSpace(strings.NewReplacer(`\{\`, "", `\{`, "", `\}`, "").Replace(then))
	if then != "" && len(then) < 10_000 && !strings.Contains(then, ".if ") && !strings.Contains(then, ".ie ") {
		p.readLine(then)
	}
}

// structure are the macros of man(7) that begin and end blocks; true where name is one.
func (p *page) structure(name, rest string) bool {
	switch name {
	case "TH":
		args := p.splitArguments(rest)
		if len(args) > 0 {
			p.name = p.plainLine(args[0])
		}
		if len(args) > 1 {
			p.number = p.plainLine(args[1])
		}
	case "SH", "SS":
		text := strings.Join(p.splitArguments(rest), " ")
		if text == "" && p.at+1 < len(p.lines) { // on the next line
			p.at++
			text = p.lines[p.at]
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
		args := p.splitArguments(rest)
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

// readTable reads a table of tbl: rows of cells, up to .TE.
func (p *page) readTable() {
	p.flush()
	p.placeLine(p.at + 1)
	sep := "\t"
	var rows [][]string
	form := true // the lines before the data
	for p.at++; p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], ".TE"); p.at++ {
		line := strings.TrimRight(p.lines[p.at], "\r")
		switch {
		case form:
			if i := strings.Index(line, "tab("); i >= 0 && i+4 < len(line) {
				sep = line[i+4 : i+5]
			}
			form = !strings.HasSuffix(strings.TrimSpace(line), ".")
		case strings.HasPrefix(line, ".T&"):
			form = true
		case strings.HasPrefix(line, ".") || line == "_" || line == "=" || strings.TrimSpace(line) == "":
		default:
			var cells []string
			for _, c := range strings.Split(line, sep) {
				if strings.TrimSpace(c) == "T{" { // a text of several lines
					var text []string
					for p.at++; p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], "T}"); p.at++ {
						if !strings.HasPrefix(p.lines[p.at], ".") {
							text = append(text, p.lines[p.at])
						}
					}
					c = strings.Join(text, " ")
				}
				cells = append(cells, p.inline(c))
			}
			rows = append(rows, cells)
		}
	}
	if len(rows) > 0 {
		p.w.WriteTable(rows[0], rows[1:])
		p.blocks++
	}
}

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
	var b strings.Builder
	for _, r := range joined(runs) {
		was, before := p.font, p.before
		p.font = r.font
		b.WriteString(p.inline(r.text))
		p.font, p.before = was, before
	}
	p.addText(b.String())
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
	for i, arg := range p.splitArguments(rest) {
		runs = append(runs, run{[2]byte{a, b}[i%2], arg})
	}
	return runs
}

// splitArguments cuts a macro's arguments: words, or texts in quotes in which "" is a quote.
func (p *page) splitArguments(rest string) []string {
	if i := strings.Index(rest, ` \"`); i >= 0 {
		rest = rest[:i]
	}
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
