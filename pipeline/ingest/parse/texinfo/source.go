package texinfo

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// Bounds of what a file expands to.
const (
	mostExpanded = 1 << 20 // bytes, in addition to four times the file
	mostNested   = 12      // inclusions and macros in each other
	mostMacro    = 20      // lines of a call, or of the head of a definition
	mostMacros   = 2000    // defined at once
)

// line is a line of the text, and the line of the page's file that it comes from.
type line struct {
	text string
	at   int
}

// macro is a macro that a file defines.
type macro struct {
	params []string
	body   string
	alias  string // the command that it is another name of; it has no body then
}

// source reads files into lines: inclusions, macros, values and conditions are decided.
type source struct {
	w      *build.Writer
	opt    parse.Options
	lines  []line
	macros map[string]macro
	values map[string]string
	left   int // bytes that may still come from expansion
	// unended are commands of blocks that have no end: it is looked for once.
	unended map[string]bool
	// onPage is called with each file that is a page of its own, where it is included; may be nil.
	onPage func(file string)
}

// newSource is a source of a size before its first line is read.
func newSource(w *build.Writer, opt parse.Options, size int) *source {
	return &source{w: w, opt: opt, macros: map[string]macro{}, values: map[string]string{}, unended: map[string]bool{},
		left: mostExpanded + 4*size}
}

// skipped are blocks that are not shown: for other programs than info, and the parts of a
// manual around its text.
var skipped = spacing.WordSet(`ignore menu detailmenu titlepage copying direntry documentdescription tex html xml docbook latex iftex ifhtml
	ifplaintext ifxml ifdocbook iflatex ifnotinfo nodedescriptionblock`)

// shown are conditions that hold.
var shown = spacing.WordSet("ifinfo ifnottex ifnothtml ifnotxml ifnotdocbook ifnotplaintext ifnotlatex")

// commandOf is the command that a line begins with, and the rest of the line.
func commandOf(s string) (name, rest string) {
	s = strings.TrimLeft(s, " \t")
	if len(s) < 2 || s[0] != '@' {
		return "", s
	}
	n := 1
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 1 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if n < len(s) && s[n] == '{' && !strings.HasPrefix(s[1:n], "def") { // "@deffn{Variable} name" needs no blank
		return "", s
	}
	return s[1:n], strings.TrimSpace(s[n:])
}

// readFile reads a file. at is the line on which it is included, 0 for the page's own.
func (s *source) readFile(text string, at, depth int) {
	all := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	joined := 0 // lines before this one that it continues
	for i := 0; i < len(all); i++ {
		here := at
		if at == 0 {
			here = i + 1 - joined
		}
		name, rest := commandOf(all[i])
		if strings.HasPrefix(name, "def") && i+1 < len(all) && joined < mostMacro && goesOn(all[i]) {
			joined++
			all[i+1] = strings.TrimSuffix(strings.TrimRight(all[i], " \t"), "@") + strings.TrimLeft(all[i+1], " \t")
			continue
		}
		joined = 0
		switch {
		case name == "bye":
			return
		case name == "c" || name == "comment" || strings.HasPrefix(all[i], "\\input"):
		case name == "macro" || name == "rmacro":
			i = s.defineMacro(all, i, rest)
		case name == "set":
			key, value, _ := strings.Cut(rest, " ")
			if len(s.values) < 10_000 {
				s.values[key] = strings.TrimSpace(value)
			}
		case name == "alias":
			if to, from, ok := strings.Cut(rest, "="); ok && len(s.macros) <= mostMacros {
				s.macros[strings.TrimSpace(to)] = macro{alias: strings.TrimSpace(from)}
			}
		case name == "clear":
			delete(s.values, rest)
		case skipped[name] || name == "ifset" && !s.isSet(rest) || name == "ifclear" && s.isSet(rest):
			i = s.endOf(all, i, name)
		case shown[name] || name == "ifset" || name == "ifclear":
		case name == "end" && (shown[rest] || rest == "ifset" || rest == "ifclear"):
		case name == "include" || name == "verbatiminclude":
			s.include(name, rest, here, depth)
		default:
			i = s.addLine(all, i, here, depth)
		}
	}
}

// goesOn reports whether the line of a definition ends with the "@" by which it continues on the next line.
func goesOn(text string) bool {
	text = strings.TrimRight(text, " \t")
	return (len(text)-len(strings.TrimRight(text, "@")))%2 == 1
}

func (s *source) isSet(name string) bool {
	_, ok := s.values[strings.TrimSpace(name)]
	return ok
}

// endOf is the line that ends a block.
func (s *source) endOf(all []string, i int, name string) int {
	if s.unended[name] {
		return i
	}
	depth := 0
	for j := i; j < len(all); j++ {
		switch c, rest := commandOf(all[j]); {
		case c == name:
			depth++
		case c == "end" && rest == name:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	s.unended[name] = true
	return i // without an end only the line itself is left out
}

// defineMacro reads a macro; it returns its last line.
func (s *source) defineMacro(all []string, i int, head string) int {
	end := s.endOf(all, i, "macro")
	if name, _ := commandOf(all[i]); name == "rmacro" {
		end = s.endOf(all, i, "rmacro")
	}
	if end == i || len(s.macros) > mostMacros {
		return end
	}
	name, params, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(head), "}"), "{")
	m := macro{body: strings.Join(all[i+1:end], "\n")}
	for p := range strings.SplitSeq(params, ",") {
		if p = strings.TrimSpace(p); p != "" {
			m.params = append(m.params, p)
		}
	}
	s.macros[strings.TrimSpace(name)] = m
	return end
}

var ownNodes = pattern.Lazy(`(?m)^@(?:node|chapter)\s`)

// include reads a file of the doc set in place, or links to it where it is a page.
func (s *source) include(kind, name string, at, depth int) {
	file := path.Join(path.Dir(s.opt.Path), strings.TrimSpace(name))
	if s.opt.Open == nil {
		s.lines = append(s.lines, line{"", at})
		return
	}
	src, err := s.opt.Open(file)
	if other := s.elsewhere(name); err != nil && other != "" {
		file = other
		src, err = s.opt.Open(file)
	}
	isPage := err == nil && kind == "include" && ownNodes().Match(src)
	switch {
	case err != nil || depth >= mostNested || !isPage && len(src) > s.left:
		s.w.Warn("line %d: %s is not included: it is not in the doc set, or too large", at, name)
		return
	case isPage: // the place has a link to it, so its size does not count
		if s.onPage != nil {
			s.onPage(file)
		}
		s.lines = append(s.lines, line{"", at}, line{"@uref{" + build.RelativePath(s.opt.Path, file) + ", " + name + "}", at}, line{"", at})
		return
	case kind == "verbatiminclude":
		s.lines = append(s.lines, line{"@verbatim", at})
		for part := range strings.SplitSeq(string(src), "\n") {
			s.lines = append(s.lines, line{part, at})
		}
		s.lines = append(s.lines, line{"@end verbatim", at})
	default:
		s.readFile(string(src), at, depth+1)
	}
	s.left -= len(src) + 1000
}

// elsewhere is the only file of the doc set with a name, in whatever folder: manuals include files of
// folders that the build names. It is "" if no file, or more than one, has the name.
func (s *source) elsewhere(name string) string {
	found := ""
	if name = strings.TrimSpace(name); s.opt.Files == nil || strings.Contains(name, "/") {
		return ""
	}
	for _, file := range s.opt.Files(".texi", ".texinfo", ".txi") {
		if path.Base(file) != name {
			continue
		}
		if found != "" {
			return ""
		}
		found = file
	}
	return found
}

// addLine adds a line with its macros expanded; it returns the last line that it took.
func (s *source) addLine(all []string, i, at, depth int) int {
	text := all[i]
	if name, rest := commandOf(text); tables[name] {
		text = "@" + name + " @" + s.formatOf(strings.TrimPrefix(rest, "@"))
		s.lines = append(s.lines, line{text, at})
		return i
	}
	if len(s.macros) == 0 || !strings.Contains(text, "@") {
		s.lines = append(s.lines, line{text, at})
		return i
	}
	for more := 0; more < mostMacro && s.opensCall(text) && i+1 < len(all); more++ {
		i++
		text += "\n" + all[i]
	}
	expanded := s.expand(text, 0)
	if expanded == text {
		for k, part := range strings.Split(text, "\n") {
			if depth > 0 {
				k = 0
			}
			s.lines = append(s.lines, line{part, at + k})
		}
		return i
	}
	for part := range strings.SplitSeq(expanded, "\n") {
		if name, _ := commandOf(part); name != "c" && name != "comment" {
			s.lines = append(s.lines, line{part, at})
		}
	}
	return i
}

var wrapsArgument = pattern.Lazy(`^\s*@([A-Za-z]+)\{\\[A-Za-z]+\\\}\s*$`)

// formatOf is the command that the terms of a table are given, for one that a manual defines itself.
func (s *source) formatOf(name string) string {
	m, ok := s.macros[name]
	if !ok {
		return name
	}
	if m = s.withoutAliases(m); m.alias != "" {
		return m.alias
	}
	if wraps := wrapsArgument().FindStringSubmatch(m.body); wraps != nil {
		return wraps[1]
	}
	return "asis"
}

var macroCall = pattern.Lazy(`@([A-Za-z][A-Za-z0-9_-]*)`)

// opensCall reports whether a call of a macro in a text goes on behind its end.
func (s *source) opensCall(text string) bool {
	if len(text) > 2<<10 {
		return false
	}
	for _, m := range macroCall().FindAllStringSubmatchIndex(text, -1) {
		if _, ok := s.macros[text[m[2]:m[3]]]; ok && m[1] < len(text) && text[m[1]] == '{' && closingBrace(text, m[1]) < 0 {
			return true
		}
	}
	return false
}

// closingBrace is the place of the brace that closes the one at an offset, -1 without one.
func closingBrace(s string, at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '@':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// expand expands the macros in a text.
func (s *source) expand(text string, depth int) string {
	if depth > mostNested || s.left <= 0 {
		return text
	}
	var b strings.Builder
	for {
		m := macroCall().FindStringSubmatchIndex(text)
		if m == nil {
			b.WriteString(text)
			return b.String()
		}
		def, ok := s.macros[text[m[2]:m[3]]]
		if !ok || m[0] > 0 && text[m[0]-1] == '@' {
			b.WriteString(text[:m[1]])
			text = text[m[1]:]
			continue
		}
		b.WriteString(text[:m[0]])
		if def = s.withoutAliases(def); def.alias != "" { // of a command of Texinfo's own
			b.WriteString("@" + def.alias)
			text = text[m[1]:]
			continue
		}
		var arg string
		rest := text[m[1]:]
		if end := -1; strings.HasPrefix(rest, "{") {
			if end = closingBrace(rest, 0); end < 0 {
				end = len(rest) - 1
			}
			arg, rest = rest[1:max(1, end)], rest[end+1:]
		} else if len(def.params) > 0 {
			arg, rest, _ = strings.Cut(rest, "\n")
			arg = strings.TrimSpace(arg)
		}
		body := def.fill(arg)
		s.left -= len(body) + 20
		if s.left > 0 {
			b.WriteString(s.expand(body, depth+1))
		}
		text = rest
	}
}

// withoutAliases is the macro that another name of it stands for, or an alias of a command.
func (s *source) withoutAliases(m macro) macro {
	for range mostNested {
		next, ok := s.macros[m.alias]
		if !ok || m.alias == "" {
			break
		}
		m = next
	}
	return m
}

// fill is the body of a macro with its arguments.
func (m macro) fill(arg string) string {
	args := []string{strings.TrimSpace(arg)}
	if len(m.params) > 1 {
		args = splitArguments(arg)
	}
	body := m.body
	for i, param := range m.params {
		value := ""
		if i < len(args) {
			value = args[i]
		}
		if i == len(m.params)-1 && len(args) > len(m.params) {
			value = strings.Join(args[i:], ", ")
		}
		body = strings.ReplaceAll(body, `\`+param+`\`, value)
		if len(body) > mostExpanded {
			return ""
		}
	}
	return body
}

// splitArguments cuts arguments at the commas that stand in no braces.
func splitArguments(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '@', '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}
