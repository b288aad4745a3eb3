package parameters

import (
	"slices"
	"strings"

	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// openItem is a parameter of a list, around the items below it.
type openItem struct {
	found, indent int
	name          string // with those around it, "" where one of them is no part of a dotted name
	announces     bool   // its text says that its fields follow
}

// nameBelow gives a parameter below another one its name within that, lamp.oil.kind.
func (p *Parameter) nameBelow(around []openItem) {
	if len(around) == 0 || around[len(around)-1].name == "" || len(around) > mostDepth {
		return
	}
	outer := around[len(around)-1].name
	if !isPart(p.Name) || strings.HasPrefix(p.Name, outer+".") || strings.Contains(p.Name, ".") {
		return
	}
	p.within = outer + "." + p.Name
	p.Aliases = append(p.Aliases, p.within)
}

// nestedName is the name of a parameter with those around it, "" where it is no part of a dotted name.
func (p *Parameter) nestedName() string {
	if p.within != "" {
		return p.within
	}
	if !isPart(p.Name) {
		return ""
	}
	return p.Name
}

// isPart reports whether a name can stand before a dot.
func isPart(name string) bool {
	other := func(r rune) bool { return r < 0x80 && !isWord(byte(r)) && r != '-' && r != '.' }
	return !isFlagName(name) && strings.IndexFunc(name, other) < 0
}

// announcesFields reports whether the text of an item says that the items below it are parameters.
func (it item) announcesFields() bool {
	body, _, _ := strings.Cut(strings.TrimSpace(it.head+" "+it.body), "\n\n")
	return announces(lastSentence(plainText(body)))
}

// lastSentence is what stands behind the last full stop within a text.
func lastSentence(s string) string {
	s = strings.TrimRight(s, ". ")
	return s[strings.LastIndex(s, ". ")+1:]
}

// labelsOf are the names that the outermost items of a list begin with; nil where one of them begins
// otherwise.
func labelsOf(all []item) []string {
	outermost := 1 << 20
	for _, it := range all {
		outermost = min(outermost, it.indent)
	}
	var out []string
	for _, it := range all {
		if it.indent > outermost {
			continue
		}
		head, _, _ := splitItemHead(it.head)
		n, ok := readNames(strings.TrimRight(plainText(head), ":：. "))
		if head == "" || !ok || isClass(n.name) || strings.ContainsAny(head, `'"`) {
			return nil
		}
		out = append(out, n.name)
	}
	return out
}

// areLabelled reports whether all items of a list begin with a name, and two of three of these are
// written as in code: a plain word is a name too there.
func areLabelled(all []item) bool {
	labels, names := labelsOf(all), 0
	for _, l := range labels {
		if looksLikeCodeName(l) {
			names++
		}
	}
	return names > 1 && names*3 >= len(labels)*2
}

// arePartsOf reports whether a list below a heading that declares a function is one of names, of which a third are
// written as in code: "fhead" stands among "install_header" and "symbol_prefix" there.
func arePartsOf(heading string, all []item) bool {
	if len(heading) > 300 || !signature().MatchString(strings.TrimSpace(heading)) {
		return false
	}
	labels, names := labelsOf(all), 0
	for _, l := range labels {
		if looksLikeCodeName(l) {
			names++
		}
	}
	return names > 2 && names*3 >= len(labels)
}

// signature is a heading that declares a function: lamp.light(wick, oil).
var signature = pattern.Lazy(`^(?:[\w$]+(?:\.|::|->|:))*[\w$]+[?!]?\([^()]*\)$`)

// declaredName is the name of a function that a head declares, and what it takes: trim(wick, length). A word with
// its plural in brackets is none, nor is a page of the manual: lamp(s), lamp(8).
func declaredName(head string) (n naming, ok bool) {
	head = strings.TrimSpace(head)
	if len(head) > 300 || !signature().MatchString(head) {
		return n, false
	}
	name, takes, _ := strings.Cut(head, "(")
	takes = strings.TrimSpace(strings.TrimSuffix(takes, ")"))
	if len(name) < 2 || takes == "s" || takes == "es" || strings.Trim(takes, "0123456789") == "" && takes != "" {
		return n, false
	}
	if takes != "" {
		n.typ = "(" + takes + ")"
	}
	n.name = name
	return n, true
}

// areArguments reports whether the items of a list below a heading that declares a function are its
// arguments: half of them stand in the heading or in the section's code with a type or a value behind them.
// A list of the values that an argument may have looks the same.
func (r *reader) areArguments(section int, all []item) bool {
	heading := r.d.Sections[section].Text
	if len(heading) > 300 || !signature().MatchString(strings.TrimSpace(heading)) {
		return false
	}
	labels := labelsOf(all)
	if len(labels) == 0 {
		return false
	}
	code := heading
	at, _ := slices.BinarySearchFunc(r.d.Blocks, section, func(b doc.Block, section int) int { return b.Section - section })
	for _, b := range r.d.Blocks[at:min(len(r.d.Blocks), at+mostBelow)] {
		if b.Kind == doc.Code && b.Section == section {
			code += "\n" + b.Code[:min(len(b.Code), mostMarkup)]
		}
	}
	declared := 0
	for _, l := range labels {
		if isDeclaredIn(l, code) {
			declared++
		}
	}
	return declared*2 >= len(labels)
}

// isDeclaredIn reports whether a name stands in code as a word with a colon or an equals sign behind it, or
// alone between the brackets of a declaration.
func isDeclaredIn(name, code string) bool {
	for at := 0; ; {
		i := strings.Index(code[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		if i > 0 && (isWord(code[i-1]) || strings.IndexByte(`'"-`, code[i-1]) >= 0) {
			continue
		}
		if rest := strings.TrimLeft(code[at:], " ?"); rest != "" && strings.IndexByte(":=,)", rest[0]) >= 0 {
			return true
		}
	}
}

// readQuoted takes the parameters of a list that is indented, which makes it a quotation in
// reStructuredText, where the text before it announces them, and of lists within notes.
func (r *reader) readQuoted(b doc.Block) {
	src := r.spanText(b.Span)
	if r.isFull() || len(src) > mostList || b.Kind == doc.Quote && !strings.HasPrefix(src, "> - ") {
		return
	}
	var lead, list strings.Builder
	line := b.Span.StartLine
	for l := range strings.SplitSeq(src, "\n") {
		l = strings.TrimPrefix(strings.TrimPrefix(l, ">"), " ")
		if n, _ := bulletLength(l); n == 0 && list.Len() == 0 {
			if strings.TrimSpace(l) != "" {
				lead.WriteString(l + "\n")
			}
			line++
			continue
		}
		list.WriteString(l)
		list.WriteByte('\n')
	}
	if b.Kind == doc.Admonition {
		r.lead = plainText(lead.String())
	}
	if list.Len() == 0 || b.Kind == doc.Quote && !announces(r.lead) {
		return
	}
	b.Span.StartLine = line
	r.readItems(b, strings.TrimSuffix(list.String(), "\n"))
}
