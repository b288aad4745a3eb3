package man

import (
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// mdocState is what a page in mdoc(7) said so far.
type mdocState struct {
	is    bool   // the page is in mdoc(7)
	name  string // by the first Nm
	open  []list // the lists that are open
	call  string // the function whose parameters follow, on lines of their own
	args  []string
	typed bool // the line before was the type of a function
	tight bool // words stand without blanks between them: Sm off

	cited map[string][]string // the parts of a reference between Rs and Re, by their macros; nil outside
}

// list is an open list: where its items stand among the containers, and of which kind
// they are.
type list struct {
	kind string // "-tag", "-bullet", "-enum" ...
	n    int    // items so far
}

// font of a macro that marks its arguments; 0: of none.
func fontOf(name string) byte {
	switch name {
	case "Nm", "Fl", "Cm", "Ic", "Sy", "Li", "Dv", "Ev", "Er", "Fn", "Fd", "In", "Cd", "Ql":
		return 'B'
	case "Ar", "Em", "Pa", "Va", "Fa", "Vt", "Ft":
		return 'I'
	case "No", "Tn", "An", "Ad", "Xr", "Nd", "Lk", "Mt", "Sx", "Ms", "%A", "%B", "%D", "%J", "%N", "%O", "%P", "%R", "%T", "%U",
		"%V", "%I", "%Q", "%C":
		return 'R'
	}
	return 0
}

// enclosures are the macros that put something around their arguments, on a line (Op)
// and over several (Oo, Oc).
var enclosures = map[string][2]string{
	"Op": {"[", "]"}, "Pq": {"(", ")"}, "Bq": {"[", "]"}, "Brq": {"{", "}"}, "Aq": {"<", ">"}, "Dq": {"“", "”"}, "Sq": {"‘", "’"},
	"Qq": {`"`, `"`},
	"Oo": {"[", ""}, "Oc": {"", "]"}, "Po": {"(", ""}, "Pc": {"", ")"}, "Bo": {"[", ""}, "Bc": {"", "]"}, "Bro": {"{", ""},
	"Brc": {"", "}"},
	"Ao":  {"<", ""}, "Ac": {"", ">"}, "Do": {"“", ""}, "Dc": {"", "”"}, "So": {"‘", ""}, "Sc": {"", "’"}, "Qo": {`"`, ""}, "Qc": {"", `"`},
}

// mdocReader reads the macros of mdoc(7) in a page.
type mdocReader struct{ *page }

// mdocMacro reads a macro of mdoc(7); true where name is one.
func (p mdocReader) mdocMacro(name, rest string) bool {
	switch name {
	case "Dd":
		p.mdoc.is = true
	case "Sm":
		p.setSpacing(rest)
	case "An":
		if arg := strings.TrimSpace(rest); arg == "-split" || arg == "-nosplit" { // how the authors that follow are laid out
			break
		}
		p.output(p.readWords(append([]string{name}, splitArguments(rest)...)))
	case "Os", "Bk", "Ek", "Bf", "Ef", "Xc", "Xo", "Db", "Hf":
	case "Rs":
		p.mdoc.cited = map[string][]string{}
	case "Re":
		p.endReference()
	case "Dt":
		if args := splitArguments(rest); len(args) > 0 {
			p.name = p.plainLine(args[0])
			if len(args) > 1 {
				p.number = p.plainLine(args[1])
			}
		}
	case "Sh", "Ss":
		p.endCall()
		p.mdoc.open = nil
		var b strings.Builder
		for _, r := range p.readWords(splitArguments(rest)) {
			b.WriteString(p.plainLine(r.text))
		}
		p.heading(2+strings.Count(name, "s"), b.String())
	case "Pp", "Lp":
		p.endCode()
		p.flush()
	case "Bd":
		p.flush()
		p.verbatim = strings.Contains(rest, "-literal") || strings.Contains(rest, "-unfilled")
	case "Ed":
		p.endCode()
		p.flush()
	case "D1", "Dl":
		p.flush()
		var b strings.Builder
		for _, r := range p.readWords(splitArguments(rest)) {
			b.WriteString(p.plainLine(r.text))
		}
		p.addCode(b.String())
		p.endCode()
	case "Bl":
		p.flush()
		kind, _ := splitMacro(rest)
		if kind == "-column" && p.columnList() {
			break
		}
		p.mdoc.open = append(p.mdoc.open, list{kind: kind})
		p.items = append(p.items, item{list: true})
	case "It":
		p.listItem(rest)
	case "El":
		p.endCode()
		p.flush()
		if n := len(p.mdoc.open); n > 0 {
			p.closeTo(max(0, p.listAt()))
			p.mdoc.open = p.mdoc.open[:n-1]
		}
	case "Fo", "Fc", "Fa":
		p.callMacro(name, splitArguments(rest))
	case "Ex":
		names := standardNames(rest)
		if len(names) == 0 {
			names = []string{p.mdoc.name}
		}
		p.addText(p.inline(exitText(names)))
	case "Rv":
		p.addText(p.inline(returnText(standardNames(rest))))
	default:
		if p.mdoc.cited != nil && name[0] == '%' {
			p.mdoc.cited[name] = append(p.mdoc.cited[name], p.inlineOf(p.readWords(append([]string{name}, splitArguments(rest)...))))
			break
		}
		e, encloses := enclosures[name]
		_, system := systems[name]
		if fontOf(name) == 0 && !encloses && !system && name != "Ns" && name != "Pf" && name != "Ap" && name != "St" && name != "Lb" {
			return false
		}
		p.beginForm(name)
		args := append([]string{name}, splitArguments(rest)...)
		if encloses && e[0] == "" {
			p.goesOn = true // what closes stands directly behind the line before
		}
		p.output(p.readWords(args))
		if opensAtEnd(args) || p.mdoc.tight {
			p.goesOn = true // and what opens before the line that follows
		}
	}
	return true
}

// standardNames are the arguments of a macro behind -std.
func standardNames(rest string) []string {
	var names []string
	for _, a := range splitArguments(rest) {
		if a != "-std" && !closes(a) {
			names = append(names, a)
		}
	}
	return names
}

// standardOrLibrary is the text of St or Lb with its argument.
func standardOrLibrary(macro, arg string) string {
	if macro == "Lb" {
		return libraryName(arg)
	}
	if title := standards[arg]; title != "" {
		return title
	}
	return strings.TrimPrefix(arg, "-")
}

// callMacro reads the macros of a function whose parameters stand on lines of their own.
func (p mdocReader) callMacro(name string, args []string) {
	switch {
	case name == "Fc":
		p.endCall(args...)
	case name == "Fo":
		if p.endCall(); len(args) > 0 {
			p.mdoc.call = args[0]
		}
	case p.mdoc.call == "":
		p.output(p.readWords(append([]string{name}, args...)))
	default:
		for _, a := range args {
			if !closes(a) {
				p.mdoc.args = append(p.mdoc.args, a)
			}
		}
	}
}

// endCall writes the function that is open with its parameters, and the punctuation behind it.
func (p mdocReader) endCall(behind ...string) {
	name, args := p.mdoc.call, p.mdoc.args
	if p.mdoc.call, p.mdoc.args = "", nil; name == "" {
		return
	}
	p.beginForm("Fo")
	p.output(p.readWords(append(append([]string{"Fn", name}, args...), behind...)))
}

// forms are the macros that begin a form of the command, or a declaration.
var forms = [...]string{"Nm", "Ft", "In", "Fd", "Vt", "Cd"}

// beginForm begins a line where a form of the command, or a declaration, begins in a synopsis.
func (p mdocReader) beginForm(name string) {
	typed := p.mdoc.typed
	p.mdoc.typed = name == "Ft"
	switch {
	case p.section != "SYNOPSIS" || p.code != nil:
	case slices.Contains(forms[:], name) || !typed && (name == "Fn" || name == "Fo"):
		p.breakLine()
	}
}

// listAt is the container of the innermost open list.
func (p mdocReader) listAt() int {
	for i := len(p.items) - 1; i >= 0; i-- {
		if p.items[i].list {
			return i
		}
	}
	return -1
}

// listItem begins an item of the innermost open list.
func (p mdocReader) listItem(rest string) {
	p.endCode()
	p.flush()
	n := len(p.mdoc.open)
	if n == 0 || len(p.items) >= maxItems {
		return
	}
	l := &p.mdoc.open[n-1]
	l.n++
	p.closeTo(p.listAt() + 1)
	p.placeLine(p.at + 1)
	switch l.kind {
	case "-enum":
		p.w.Open(build.Number(l.n))
	case "-bullet", "-dash", "-hyphen", "-item":
		p.w.Open(build.Bullet)
	default:
		var b strings.Builder
		for _, r := range p.itemHead(rest) {
			was := p.font
			p.font = r.font
			b.WriteString(p.inline(r.text))
			p.font = was
		}
		if strings.TrimSpace(b.String()) == "" {
			p.w.Open(build.Bullet)
		} else {
			p.w.Definition(b.String())
		}
	}
	p.items = append(p.items, item{open: true})
	p.blocks++
}

// readWords reads the words of a line: macros among them mark those behind them. Between
// words stand blanks, but not before punctuation and behind what opens.
func (p mdocReader) readWords(args []string) []run {
	var out []run
	var closers []string
	glue := true // no blank before the next word
	args, behind := p.cutClosing(args)
	add := func(font byte, text string) {
		if glue = glue || p.mdoc.tight; !glue && !closes(text) {
			out = append(out, run{'R', " "})
		}
		if n := len(out); glue && n > 0 && font != 'R' && out[n-1].font == font {
			out[n-1].text += text // one word: --long of "Fl Fl long"
		} else {
			out = append(out, run{font, text})
		}
		glue = text == "(" || text == "["
	}
	for i := 0; i < len(args); i++ {
		name := args[i]
		if e, ok := enclosures[name]; ok {
			if e[0] != "" {
				add('R', e[0])
				glue = true
			} else {
				glue = true
				add('R', e[1])
			}
			if e[0] != "" && e[1] != "" {
				closers = append(closers, e[1])
			}
			continue
		}
		if _, ok := systems[name]; ok {
			s, n := systemName(name, args[i+1:])
			add('R', s)
			i += n
			continue
		}
		switch name {
		case "St", "Lb":
			if i++; i < len(args) {
				add('R', standardOrLibrary(name, args[i]))
			}
			continue
		case "Ta": // between columns
			add('R', "–")
			continue
		case "Xo", "Xc": // around the head of an item that takes several lines
			continue
		case "Ns":
			glue = true
			continue
		case "Ap":
			glue = true
			add('R', "'")
			glue = true
			continue
		case "Pf":
			if i+1 < len(args) {
				i++
				add('R', args[i])
				glue = true
			}
			continue
		}
		font := fontOf(name)
		if font == 0 {
			add('R', name)
			continue
		}
		i = p.marked(args, i, font, add, &glue)
	}
	for _, c := range slices.Backward(closers) {
		glue = true
		add('R', c)
	}
	for _, c := range behind {
		add('R', c)
	}
	return out
}

// marked reads the words that a macro at i marks, and gives the last one's index.
// Punctuation among them is not marked, and what follows it is again.
func (p mdocReader) marked(args []string, i int, font byte, add func(byte, string), glue *bool) int {
	name := args[i]
	for {
		begin := i + 1
		for i+1 < len(args) && !isMacro(args[i+1]) && !closes(args[i+1]) && args[i+1] != "|" {
			i++
		}
		p.markWords(name, args[begin:i+1], font, add)
		if name == "Fl" && begin > i {
			*glue = i+1 < len(args) && !closes(args[i+1]) && args[i+1] != "|"
		}
		if !goesOnBehindPunctuation(name) || begin > i || i+2 >= len(args) || isMacro(args[i+1]) || isMacro(args[i+2]) ||
			closes(args[i+2]) || args[i+2] == "|" {
			return i
		}
		i++
		add('R', args[i])
	}
}

// isMacro reports whether a word among the arguments of a macro is a macro itself.
func isMacro(word string) bool {
	_, encloses := enclosures[word]
	return encloses || fontOf(word) != 0 || word == "Ns" || word == "Pf" || word == "Ap" || word == "St" || word == "Lb" ||
		word == "Ta" || word == "Xo" || word == "Xc"
}

// goesOnBehindPunctuation reports whether a macro marks the words behind a comma or bar too.
func goesOnBehindPunctuation(name string) bool {
	switch name {
	case "Fl", "Ar", "Cm", "Ic", "Li", "Dv", "Ev", "Er", "Va", "Pa", "Fa", "Em", "Sy":
		return true
	}
	return false
}

// markWords adds the words that a macro marks.
func (p mdocReader) markWords(name string, own []string, font byte, add func(byte, string)) {
	switch name {
	case "Fl":
		if len(own) == 0 {
			add(font, "-")
		}
		for _, o := range own {
			add(font, "-"+o)
		}
	case "Nm":
		if len(own) == 0 {
			own = []string{p.mdoc.name}
		} else if p.mdoc.name == "" {
			p.mdoc.name = own[0]
		}
		add(font, strings.Join(own, " "))
	case "Nd":
		add(font, "— "+strings.Join(own, " "))
	case "Ar":
		if len(own) == 0 {
			own = []string{"file ..."}
		}
		for _, o := range own {
			add(font, o)
		}
	case "Xr":
		switch len(own) {
		case 0:
		case 1:
			add(font, own[0])
		default:
			add(font, own[0]+"("+own[1]+")")
		}
	case "Fn":
		if len(own) > 0 {
			add(font, own[0]+"("+strings.Join(own[1:], ", ")+")")
		}
	case "In":
		file := "<" + strings.Join(own, " ") + ">"
		if p.section == "SYNOPSIS" { // where it is a line of code
			file = "#include " + file
		}
		add(font, file)
	case "Fa":
		if len(own) > 0 {
			add(font, strings.Join(own, ", "))
		}
	default:
		if len(own) > 0 {
			add(font, strings.Join(own, " "))
		}
	}
}

// closes reports whether a word is punctuation that stands behind the word before it.
func closes(s string) bool {
	switch s {
	case ".", ",", ";", ":", "?", "!", ")", "]":
		return true
	}
	return false
}
