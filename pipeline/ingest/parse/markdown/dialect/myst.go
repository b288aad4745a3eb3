package dialect

import (
	"bytes"
	"strings"

	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// MyST is the Markdown of Sphinx: directives in fences, ```{note} and :::{note}, roles,
// {ref}`label`, labels, (label)=, comments, % text, and breaks, +++. A page is read so where
// it has one of the directives, roles or labels; in all others these signs are text.

// directiveKind is how the content of a directive is read.
type directiveKind int

const (
	unknownDirective directiveKind = iota // as code, which it may be
	frameDirective                        // as the text around it
	codeDirective                         // as code
	treeDirective                         // as a list of pages
	silentDirective                       // not at all
)

var directiveKinds = map[directiveKind]string{
	frameDirective: "note tip hint important attention caution warning danger error seealso admonition topic sidebar margin aside " +
		"dropdown details tab-set tab-item grid grid-item grid-item-card card card-carousel versionadded versionchanged deprecated " +
		"versionremoved glossary epigraph highlights pull-quote compound container div figure figure-md table list-table exercise " +
		"exercise-start solution solution-start only ifconfig rubric centered todo line-block stepper step " +
		"applies-switch applies-item",
	codeDirective: "code code-block sourcecode code-cell parsed-literal math literalinclude eval-rst mermaid graphviz csv-table " +
		"doctest prompt",
	treeDirective: "toctree tableofcontents button-ref button-link",
	silentDirective: "raw contents image bibliography index sectionauthor codeauthor tags currentmodule module " +
		"default-domain highlight exercise-end solution-end",
}

// kindOf is the kind of a directive by its name.
func kindOf(name string) directiveKind {
	if strings.HasPrefix(name, "prf:") || strings.HasPrefix(name, "proof:") {
		return frameDirective
	}
	for kind, names := range directiveKinds {
		if strings.Contains(" "+names+" ", " "+name+" ") && name != "" {
			return kind
		}
	}
	return unknownDirective
}

// directiveHead is the first line of a directive of MyST.
type directiveHead struct {
	mark     byte   // of its fence
	run      int    // the fence's length
	name     string // "note"
	argument string // the text behind the name
}

// Shown is how a reader sees the content of a directive.
type Shown int

const (
	AsText Shown = iota
	AsCode
	AsPages // a list of pages
	AsNothing
)

// Directive is the first line of a directive as it is shown.
type Directive struct {
	Shown    Shown
	Fence    string
	Title    string // "Note", or "Note: Read this"
	Language string // of code
}

// ReadDirective reads the first line of a directive, without its indentation. It reports
// whether the line is one of a directive that is known.
func ReadDirective(body []byte) (Directive, bool) {
	h, ok := headOf(body)
	if !ok {
		return Directive{}, false
	}
	d := Directive{Fence: h.frameName(), Title: h.title()}
	switch kindOf(h.name) {
	case codeDirective:
		d.Shown, d.Language = AsCode, h.language()
		if h.mark == ':' {
			d.Shown = AsNothing
		}
	case treeDirective:
		d.Shown, d.Title = AsPages, ""
	case silentDirective:
		d.Shown = AsNothing
	default:
		if is, _ := Admonition(h.name, ""); is && h.name != "admonition" && h.name != "seealso" {
			d.Title = strings.ToUpper(h.name[:1]) + h.name[1:]
			if h.argument != "" {
				d.Title += ": " + h.argument
			}
		}
	}
	return d, true
}

// IsFrame reports whether a line begins a directive whose content is text and not code.
func IsFrame(body []byte) bool {
	h, ok := headOf(body)
	return ok && kindOf(h.name) == frameDirective
}

func headOf(body []byte) (h directiveHead, ok bool) {
	if len(body) < 6 || body[0] != '`' && body[0] != ':' && body[0] != '~' {
		return h, false
	}
	h.mark = body[0]
	for h.run < len(body) && body[h.run] == h.mark {
		h.run++
	}
	rest := body[h.run:]
	if h.run < 3 || len(rest) == 0 || rest[0] != '{' {
		return h, false
	}
	end := bytes.IndexByte(rest[:min(len(rest), 60)], '}')
	if end < 2 || end+1 < len(rest) && rest[end+1] != ' ' && rest[end+1] != '\t' && rest[end+1] != '\r' {
		return h, false
	}
	h.name, h.argument = string(rest[1:end]), string(bytes.TrimSpace(rest[end+1:]))
	return h, kindOf(h.name) != unknownDirective && (h.mark == ':' || strings.IndexByte(h.argument, '`') < 0)
}

// labelLine is a label of MyST, which names what follows it.
var labelLine = pattern.Lazy(`^\(([^()\s][^()\n]{0,200})\)=\s*$`)

// mystRole is a role that other Markdown does not have, and the sign before it.
var mystRole = pattern.Lazy("(?:^|[^`\\w])\\{(?:ref|doc|term|numref|math|eq|func|class|meth|mod|attr|download|abbr|kbd|guilabel|any|" +
	"applies_to|py:[a-z]+)\\}`[^`\\s]")

// mostRoleName is the most bytes of the name of a role.
const mostRoleName = 40

// hasRole reports whether a page has a role of MyST.
func hasRole(in []byte) bool {
	for at := 0; ; at += 2 {
		n := bytes.Index(in[at:], []byte("}`"))
		if n < 0 {
			return false
		}
		at += n
		from := max(0, at-mostRoleName)
		open := bytes.LastIndexByte(in[from:at], '{')
		if open >= 0 && mystRole().Match(in[max(0, from+open-1):min(len(in), at+len("}`")+1)]) {
			return true
		}
	}
}

// hasLabel reports whether a line of a page is a label of MyST.
func hasLabel(in []byte) bool {
	for at := 0; ; at += 2 {
		n := bytes.Index(in[at:], []byte(")="))
		if n < 0 {
			return false
		}
		at += n
		line := in[bytes.LastIndexByte(in[:at], '\n')+1:]
		if line[0] != '(' {
			continue
		}
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		if labelLine().Match(line) {
			return true
		}
	}
}

// UsesMyST reports whether a page is written in MyST.
func UsesMyST(in []byte) bool {
	if hasRole(in) || hasLabel(in) {
		return true
	}
	for pos := 0; ; {
		n := bytes.IndexByte(in[pos:], '{')
		if n < 0 {
			return false
		}
		pos += n
		if pos >= 3 && (in[pos-1] == '`' || in[pos-1] == ':' || in[pos-1] == '~') && in[pos-3] == in[pos-1] {
			line := in[pos-3 : min(len(in), pos+100)]
			if n := bytes.IndexByte(line, '\n'); n >= 0 {
				line = line[:n]
			}
			if _, ok := headOf(line); ok {
				return true
			}
		}
		pos++
	}
}

// sphinx shapes what is of MyST on a page.
type sphinx struct{ *shaper }

// directiveOutside shapes a line of a directive, unless it stands in code that the directive
// around it does not end with it.
func (s sphinx) directiveOutside(i int, line []byte, cols, n int, inCode bool) int {
	if inCode {
		return s.endDirective(i, line[n:])
	}
	return s.directive(i, line, cols, n)
}

// directive shapes a line that begins or ends a directive of MyST, and returns the next line,
// i where it does neither.
func (s sphinx) directive(i int, line []byte, cols, n int) int {
	body := line[n:]
	if body[0] != '`' && body[0] != ':' && body[0] != '~' || cols-s.strip >= 4 && s.list < 0 {
		return i
	}
	h, ok := headOf(body)
	if !ok {
		return s.endDirective(i, body)
	}
	s.esm = false
	s.listState(cols, body)
	s.guard.reset()
	s.blank, s.apart = true, true
	switch kind := kindOf(h.name); kind {
	case codeDirective:
		return s.shapeCode(i, cols, h)
	case treeDirective, silentDirective:
		return s.shapeTree(i, cols, h, kind == treeDirective)
	}
	if len(s.frames) >= maxFrames {
		return i
	}
	f := frame{name: h.frameName(), line: i, list: s.list, indent: -1, strip: s.strip}
	if is, warns := Admonition(h.name, ""); is {
		f.kind, f.warning = doc.Admonition, warns
	}
	title, _ := ExpandRoles([]byte(h.title()))
	s.titleLine(i, string(title))
	s.frames = append(s.frames, f)
	j := s.skipOptions(i + 1)
	s.blank = true
	return j
}

func (h directiveHead) frameName() string { return strings.Repeat(string(h.mark), h.run) }

// title is what a reader sees in the place of a directive's first line.
func (h directiveHead) title() string {
	version := map[string]string{"versionadded": "New in version ", "versionchanged": "Changed in version ",
		"deprecated": "Deprecated since version ", "versionremoved": "Removed in version "}[h.name]
	switch {
	case version != "":
		return version + h.argument
	case h.name == "seealso" && h.argument == "":
		return "See also"
	}
	switch h.name {
	case "figure", "figure-md", "container", "div", "grid", "glossary", "only", "ifconfig", "compound":
		return ""
	}
	return h.argument
}

// endDirective shapes a line that ends the innermost directive.
func (s sphinx) endDirective(i int, body []byte) int {
	k := len(s.frames) - 1
	if k < 0 || body[0] == ':' || s.frames[k].name == "" || s.frames[k].name[0] != body[0] {
		return i
	}
	run := bytes.TrimRight(body, " \t\r")
	if len(run) < len(s.frames[k].name) || len(bytes.Trim(run, string(body[:1]))) > 0 {
		return i
	}
	s.popFrame(s.frames[k].name, i)
	s.fence.n = 0
	s.breakLine(i)
	s.blank = true
	return i + 1
}

// optionLine is an option of a directive, ":name: value".
var optionLine = pattern.Lazy(`^\s*:[A-Za-z][\w-]{0,40}:(\s|$)`)

// skipOptions makes the options of a directive blank, and returns the line behind them.
func (s sphinx) skipOptions(i int) int {
	next := s.optionsFrom(i)
	for ; i < next; i++ {
		s.emitParts(i)
	}
	return next
}

// mostOptions is the most lines between the two rules around options in YAML.
const mostOptions = 100

// optionsFrom is the line behind the options of a directive, which begin at line i if there
// are any: lines like ":name: value", or YAML between two rules.
func (s sphinx) optionsFrom(i int) int {
	last := len(s.lines) - 1
	isRule := func(j int) bool { return string(bytes.TrimSpace(s.lineAt(j))) == "---" }
	if i < last && isRule(i) {
		for j := i + 1; j < min(last, i+mostOptions); j++ {
			if isRule(j) {
				return j + 1
			}
		}
		return i
	}
	for i < last && optionLine().Match(s.lineAt(i)) {
		i++
	}
	return i
}

// endOf is the line that ends a directive, or the last of the page.
func (s sphinx) endOf(i int, h directiveHead) int {
	for j := i + 1; j < len(s.lines)-1; j++ {
		b := bytes.TrimSpace(s.lineAt(j))
		if len(b) >= h.run && b[0] == h.mark && len(bytes.Trim(b, string(b[:1]))) == 0 && (h.mark != ':' || len(b) == h.run) {
			return j
		}
	}
	return len(s.lines) - 1
}

// longFence is the fence of code in the shape: longer than those that pages have in it.
const longFence = "~~~~~~~~~~~~"

// language is the language of a directive whose content is code.
func (h directiveHead) language() string {
	switch h.name {
	case "math", "mermaid", "graphviz":
		return h.name
	case "eval-rst":
		return "rst"
	case "csv-table", "parsed-literal", "literalinclude":
		return ""
	}
	lang, _, _ := strings.Cut(h.argument, " ")
	return lang
}

// shapeCode makes fenced code of a directive whose content is code.
func (s sphinx) shapeCode(i, cols int, h directiveHead) int {
	lang := h.language()
	indent := spaces(max(0, cols-s.strip))
	end, j := s.endOf(i, h), s.skipOptionsOfCode(i, indent, lang)
	if j > i+1 {
		s.Regions = append(s.Regions, Region{First: i, Last: min(end, len(s.lines)-2), Kind: doc.Code})
	}
	for ; j < end; j++ {
		if line := s.lineAt(j); !IsBlank(line) {
			s.keepLine(j, line, false)
		}
	}
	if end < len(s.lines)-1 {
		s.emitParts(end, indent, []byte(longFence))
	}
	return min(end+1, len(s.lines)-1)
}

// skipOptionsOfCode writes the fence of code in the place of the last option of its directive,
// so that no blank line stands for them in the code, and returns the line behind them.
func (s sphinx) skipOptionsOfCode(i int, indent []byte, lang string) int {
	next := s.optionsFrom(i + 1)
	if next > i+1 && next < len(s.lines)-1 && IsBlank(s.lineAt(next)) {
		next++
	}
	for k := i; k < next-1; k++ {
		s.emitParts(k)
	}
	s.emitParts(next-1, indent, []byte(longFence), []byte(lang))
	return next
}

// shapeTree makes a list of links of a table of contents, and nothing of what is not shown.
func (s sphinx) shapeTree(i, cols int, h directiveHead, shown bool) int {
	end, target := s.endOf(i, h), s.buttonTarget(i, h)
	s.breakLine(i)
	for j := s.skipOptions(i + 1); j < end; j++ {
		entry := string(bytes.TrimSpace(s.lineAt(j)))
		if entry == "" {
			continue
		}
		if strings.HasPrefix(h.name, "button") {
			s.emitParts(j, spaces(max(0, cols-s.strip)), []byte(linkOf(entry, target)))
		} else if title, to := titledTarget(entry); shown && to != "self" && isPlainTarget(to) {
			s.emitParts(j, spaces(max(0, cols-s.strip)), []byte("- "+linkOf(title, to)))
		} else {
			s.emitParts(j)
		}
	}
	if end < len(s.lines)-1 {
		s.breakLine(end)
	}
	return min(end+1, len(s.lines)-1)
}

// buttonTarget is where a button leads: to an address, a page, or a label.
func (s sphinx) buttonTarget(i int, h directiveHead) string {
	if h.name == "button-link" || strings.Contains(h.argument, "/") {
		return h.argument
	}
	for j, end := i+1, min(s.optionsFrom(i+1), i+mostOptions); j < end; j++ {
		if bytes.Contains(s.lineAt(j), []byte("ref-type: doc")) {
			return h.argument
		}
	}
	return "label:" + strings.ToLower(h.argument)
}

// signs shapes labels, comments and breaks.
func (s sphinx) signs(i int, body []byte, cols int) int {
	switch {
	case body[0] == '(' && labelLine().Match(body):
		s.emitParts(i)
	case body[0] == '%' && cols == 0:
		s.emitParts(i)
	case cols == 0 && bytes.HasPrefix(body, []byte("+++")) && (len(body) == 3 || body[3] == ' '):
		s.breakLine(i)
	case len(s.frames) > 0 && string(bytes.TrimSpace(body)) == "^^^": // between a card's head and its text
		s.breakLine(i)
	default:
		return i
	}
	s.apart = true
	s.guard.reset()
	return i + 1
}
