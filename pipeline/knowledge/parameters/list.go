package parameters

import (
	"strings"
	"sync"

	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// item is an item of a list.
type item struct {
	indent      int
	first, last int
	head        string // its first line, without the bullet
	body        string // the lines below it, up to the next item of any depth
	numbered    bool
	manual      bool     // it stands in a manual page, where a list of definitions is one of names
	perl        bool     // it stands in a page of POD
	required    bool     // it says so in another way than by words
	terms       []string // the heads of items without a text before it, to which its text belongs too
	among       func() bool
}

// mostList is how much of a list is read, in bytes.
const mostList = 8 << 20

// readList takes the parameters of a list. Items below a parameter, such as its values,
// belong to it, unless they are parameters themselves.
func (r *reader) readList(b doc.Block) {
	if r.isFull() {
		return
	}
	src := r.spanText(b.Span)
	r.readItems(b, src[:min(len(src), mostList)])
}

// readItems takes the parameters of the items of a list.
func (r *reader) readItems(b doc.Block, src string) {
	if !strings.ContainsAny(src, "`*<") {
		return
	}
	announced := func() bool { return announces(r.lead) || r.announced(b.Section) }
	if strings.HasPrefix(strings.TrimLeft(src, " \t"), "<") {
		r.readDefinitions(b, src, sync.OnceValue(announced))
		return
	}
	all := joinTerms(itemsOf(src, b.Span.StartLine))
	context := sync.OnceValue(func() bool { return announced() || r.areArguments(b.Section, all) })
	among := sync.OnceValue(func() bool { return areLabelled(all) || arePartsOf(r.d.Sections[b.Section].Text, all) })
	var stack []openItem
	for _, it := range all {
		for len(stack) > 0 && it.indent <= stack[len(stack)-1].indent {
			stack = stack[:len(stack)-1]
		}
		it.manual, it.perl, it.among = r.d.Format == doc.FormatMan, r.d.Format == doc.FormatPOD, among
		here := context
		if n := len(stack); n > 0 && stack[n-1].announces {
			here = func() bool { return true }
		}
		p, ok := it.parameter(here)
		if !ok {
			for _, o := range stack[max(0, len(stack)-1):] {
				r.found[o.found].Last = it.last
			}
			continue
		}
		stack = stack[:min(len(stack), 20)]
		p.Form, p.Section = Item, b.Section
		if r.isFull() {
			return
		}
		p.nameBelow(stack)
		r.addParameter(p)
		stack = append(stack, openItem{found: len(r.found) - 1, indent: it.indent, name: p.nestedName(), announces: it.announcesFields()})
	}
}

// itemsOf are the items of a list, at most twice as many as parameters are kept.
func itemsOf(src string, line int) []item {
	var out []item
	fence := false
	from := -1 // where the body of the last item begins
	at := 0
	for l := range strings.SplitSeq(src, "\n") {
		start := at
		at += len(l) + 1
		t := strings.TrimLeft(l, " \t")
		indent := len(l) - len(t) + 3*strings.Count(l[:len(l)-len(t)], "\t")
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fence = !fence
		}
		n, numbered := bulletLength(t)
		if n == 0 || fence {
			if len(out) > 0 && t != "" {
				out[len(out)-1].last = line
			}
			line++
			continue
		}
		if len(out) > 0 {
			out[len(out)-1].body = src[min(from, start):start]
		}
		if len(out) > 2*MostPerPage {
			return out
		}
		out = append(out, item{indent: indent, first: line, last: line, head: strings.TrimSpace(t[n:]), numbered: numbered})
		from = at
		line++
	}
	if len(out) > 0 && from < len(src) {
		out[len(out)-1].body = src[from:]
	}
	return out
}

// bulletLength is the length of the bullet or number that begins a line, 0 without one.
func bulletLength(t string) (n int, numbered bool) {
	if len(t) < 2 {
		return 0, false
	}
	if (t[0] == '-' || t[0] == '*' || t[0] == '+') && (t[1] == ' ' || t[1] == '\t') {
		return 2, false
	}
	for n < len(t) && n < 4 && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(t) && (t[n] == '.' || t[n] == ')') && t[n+1] == ' ' {
		return n + 2, true
	}
	return 0, false
}

// parameter reads an item; context says that its surroundings announce parameters.
func (it item) parameter(context func() bool) (Parameter, bool) {
	var p Parameter
	if it.numbered {
		return p, false
	}
	head, rest, bold := splitItemHead(it.head)
	if head == "" {
		return p, false
	}
	if bold && it.manual && rest == "" { // "tcp_wick (integer; default: 1)" of a manual page is one term
		if name, in, ok := strings.Cut(head, "* ("); ok && strings.HasSuffix(in, ")") {
			head, rest = name+"*", "("+in
		}
	}
	value := ""
	if bold && it.manual && rest == "" {
		head, rest, value = cutAssigned(head)
	}
	coded := isCoded(head) || bold && it.manual && isItalic(head) && looksLikeCodeName(strings.Trim(head, "*"))
	if coded && value == "" {
		head, value = cutValue(head)
	}
	name, ok := it.readTerms(strings.TrimRight(plainText(head), ":：. "))
	if !ok && bold {
		name, ok = keywordIn(head)
	}
	perl := false
	if bold && it.perl && strings.TrimSpace(rest) == "" && it.body != "" {
		if n, is := perlNames(plainText(head)); is {
			name, ok, perl = n, true, true
		}
	}
	function := false
	if !ok && coded && len(it.terms) == 0 {
		name, ok = declaredName(strings.TrimRight(plainText(head), ":：. "))
		function = ok
	}
	if !ok {
		return p, false
	}
	p = Parameter{Name: name.name, Aliases: name.aliases, Type: name.typ, First: it.first, Last: it.last}
	bracketed, sure := false, false
	rest, bracketed, sure = p.readBrackets(rest)
	typed := bracketed || p.Type != "" && !isFlagName(p.Name)
	inside := strings.HasSuffix(plainText(head), ":")
	desc, ends := description(rest)
	if !ends && !bold && coded && !bracketed && p.Type == "" {
		if said, in := p.readTypeWords(rest, it.body); in {
			desc, ends, typed = said, true, true
		}
	}
	ends = ends || coded && sure // "`wick` (since 2.1) how long it is"
	if !bold && isItalic(head) { // "*wick* is how long it burns" among parameters
		if coded = context() && !isClass(p.Name); !coded {
			return p, false
		}
		ends = true
	}
	switch {
	case !ends && !inside:
		return p, false
	case perl:
	case function && desc != "":
	case isFlagName(p.Name) && (coded || context() || bold):
	case typed && (coded || bold):
	case coded && (context() || looksLikeCodeName(p.Name) || it.among()):
	case bold && coded && it.manual && desc == "" && !strings.Contains(p.Name, "("):
	case bold && context() && (looksLikeCodeName(p.Name) || it.among() && !isClass(p.Name)):
	case bold && context() && desc == "" && !strings.Contains(it.head, " "): // a list of definitions
	default:
		return p, false
	}
	if p.Type == "in query" || p.Type == "in path" || p.Type == "in body" || p.Type == "in header" {
		typ, required := strings.CutSuffix(plainText(desc), ", required")
		if p.Required = p.Required || required; isTypeName(typ) {
			p.Type, desc = typ, ""
		}
	}
	p.Required = p.Required || name.required || it.required
	p.Description = plainText(strings.TrimSpace(desc + "\n" + it.body))
	if p.Description == "" && !typed {
		return p, false // its name alone says nothing
	}
	p.fillFromText(p.Description)
	if p.Default == "" {
		p.Default = value
	}
	return p, true
}

// isItalic reports whether a head is one name in italics: names of settings and of files of the kernel
// in manual pages.
func isItalic(head string) bool {
	return len(head) > 2 && head[0] == '*' && head[len(head)-1] == '*' && !strings.ContainsAny(head[1:len(head)-1], "* ")
}

// keywordHead is a head of keywords in code with the placeholders of their values behind them, as
// manual pages have: `smtp` `max-size` *size*.
var keywordHead = pattern.Lazy("^((?:`[^`]+`[ ]?)+)(?:\\[?\\*[^*]+\\*.*|\\[.*)$")

// keywordIn is the last keyword of such a head, and as another name all of them.
func keywordIn(head string) (naming, bool) {
	m := keywordHead().FindStringSubmatch(strings.ReplaceAll(head, `\[`, "["))
	if m == nil {
		return naming{}, false
	}
	words := strings.Fields(strings.ReplaceAll(m[1], "`", ""))
	n := naming{name: words[len(words)-1], typ: strings.Trim(plainText(head[len(m[1]):]), "[] ")}
	if len(words) > 1 {
		n.aliases = []string{strings.Join(words, " ")}
	}
	return n, len(words) <= 4 && isParameterName(n.name) && !isFlagName(n.name)
}

// assigned is a name in code with the value that it has by default: `trim = 3`. Several values
// between bars are those that it may have.
var assigned = pattern.Lazy("^`([A-Za-z_][\\w.-]{0,80})\\s*=\\s*([^`=>|]{1,80})`$")

// cutValue parts a name in code from its default.
func cutValue(head string) (name, value string) {
	if m := assigned().FindStringSubmatch(head); m != nil {
		return "`" + m[1] + "`", strings.TrimSpace(m[2])
	}
	return head, ""
}

// assignedTerm is a term of a manual page that is a name in code with its default and its type:
// `trim_length`=`3`mm (int). Behind a bar stand other values.
var assignedTerm = pattern.Lazy("^(`[A-Za-z_][\\w.-]{0,80}`) ?= ?(?:(`[^`]+`[^|]*?)(?:\\|.*)?)? ?(\\(\\w{1,20}\\))$")

// cutAssigned parts such a term: rest is its type, in brackets. Of others the head is the term.
func cutAssigned(term string) (head, rest, value string) {
	if m := assignedTerm().FindStringSubmatch(term); m != nil {
		return m[1], m[3], strings.TrimSpace(plainText(m[2]))
	}
	return term, "", ""
}

// splitItemHead parts an item's first line into what names it, in bold or in code, and the rest.
func splitItemHead(l string) (head, rest string, bold bool) {
	switch {
	case strings.HasPrefix(l, "**"):
		end := strings.Index(l[2:min(len(l), 400)], "**")
		if end <= 0 {
			return "", "", false
		}
		end += 2
		for end+2 < len(l) && l[end+2] == '*' {
			end++
		}
		return l[2:end], l[end+2:], true
	case isCoded(l):
		end := codeEnd(l)
		for end > 0 { // `-n`, `--namespace`
			next := strings.TrimLeft(l[end:], " ")
			for _, sep := range [...]string{", ", "/ ", "| ", "or "} {
				next = strings.TrimPrefix(next, sep)
			}
			next = strings.TrimLeft(next, " ")
			if len(next) == len(strings.TrimLeft(l[end:], " ")) || !isCoded(next) {
				break
			}
			more := codeEnd(next)
			if more == 0 {
				break
			}
			end = len(l) - len(next) + more
		}
		return strings.ReplaceAll(l[:end], "` or `", "`, `"), l[end:], false
	case strings.HasPrefix(l, "*"):
		if end := strings.IndexByte(l[1:min(len(l), 200)], '*'); end > 0 && isItalic(l[:end+2]) {
			return l[:end+2], l[end+2:], false
		}
	}
	return "", "", false
}

// codeEnd is where the code at the beginning of a text ends, with its link; 0: nowhere.
func codeEnd(l string) int {
	n := len(l) - len(strings.TrimLeft(l, " *_["))
	marks := l[:n]
	part := l[n:min(len(l), n+400)]
	end := 0
	switch {
	case strings.HasPrefix(part, "`"):
		k := leadingRun(part, '`')
		if i := strings.Index(part[k:], part[:k]); i >= 0 {
			end = n + k + i + k
		}
	case strings.HasPrefix(part, "<"):
		if i := strings.Index(part, "</"); i >= 0 {
			if j := strings.IndexByte(part[i:], '>'); j >= 0 {
				end = n + i + j + 1
			}
		}
	}
	if end == 0 {
		return 0
	}
	for end < len(l) && (l[end] == '*' || l[end] == '_') {
		end++
	}
	if strings.Contains(marks, "[") && strings.HasPrefix(l[end:], "](") {
		if i := strings.IndexByte(l[end:], ')'); i > 0 {
			end += i + 1
		}
	}
	return end
}

// readBrackets reads the brackets behind a name: "(string, default 3, required)", and a type
// there in italics or in code. sure: they say a type that is known, or what only a parameter has.
func (p *Parameter) readBrackets(text string) (rest string, ok, sure bool) {
	t := strings.TrimLeft(text, " *_")
	if !strings.HasPrefix(t, "(") {
		return text, false, false
	}
	depth, end := 0, -1
	for i := 0; i < min(len(t), 400) && end < 0; i++ {
		switch t[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				end = i
			}
		}
	}
	if end < 0 {
		return text, false, false
	}
	words := plainText(t[1:end])
	var types []string
	required, def := false, ""
	for part := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		lower := strings.ToLower(part)
		switch {
		case mandatoryWord.Has(lower):
			required = true
		case optionalWord.Has(lower) || part == "" || strings.HasPrefix(lower, "since "):
		case strings.HasPrefix(lower, "default"):
			def = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(part[len("default"):], "s to"), " is"), ":= ")
		default:
			types = append(types, part)
		}
	}
	typ := strings.Join(types, ", ")
	if typ != "" && !isTypeName(typ) {
		return text, false, false
	}
	if p.Type == "" {
		p.Type = typ
	}
	p.Default, p.Required = def, required
	rest = strings.TrimLeft(t[end+1:], "*_")
	if after, ok := strings.CutPrefix(rest, ", required"); ok {
		rest, p.Required = after, true
	}
	return rest, true, typ == "" && strings.TrimSpace(words) != "" || isKnownType(typ)
}

// description is what follows a name. false: the name is part of a sentence.
func description(rest string) (string, bool) {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return "", true
	}
	for _, sep := range [...]string{":", "：", "- ", "-- ", "--- ", "– ", "— ", "=> "} {
		if after, ok := strings.CutPrefix(rest, sep); ok {
			return strings.TrimSpace(after), true
		}
	}
	return rest, strings.HasPrefix(rest, "\\") || strings.HasPrefix(rest, "<br")
}
