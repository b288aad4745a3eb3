package parameters

import (
	"slices"
	"strings"

	"docent/store/doc"
)

// mostTerms is how many terms share one text.
const mostTerms = MostAliases + 1

// joinTerms joins items that are terms without a text to the term below them that has one, as a
// list of definitions has them: the text is about all of them.
func joinTerms(all []item) []item {
	out := make([]item, 0, len(all))
	for _, it := range slices.Backward(all) {
		if n := len(out) - 1; n >= 0 && it.isTerm() && strings.TrimSpace(it.body) == "" && out[n].isTerm() &&
			strings.TrimSpace(out[n].body) != "" && out[n].indent == it.indent && out[n].first == it.last+1 &&
			len(out[n].terms)+1 < mostTerms {
			out[n].terms = append(out[n].terms, it.head)
			out[n].first = it.first
			continue
		}
		out = append(out, it)
	}
	slices.Reverse(out)
	for i := range out {
		slices.Reverse(out[i].terms)
	}
	return out
}

// isTerm reports whether the first line of an item is a name and nothing more.
func (it item) isTerm() bool {
	if it.numbered {
		return false
	}
	head, rest, _ := splitItemHead(it.head)
	return head != "" && strings.TrimSpace(rest) == ""
}

// readTerms reads the names of an item, and of the terms that share its text.
func (it item) readTerms(head string) (naming, bool) {
	if len(it.terms) > 0 {
		var all []string
		for _, t := range it.terms {
			name, _, _ := splitItemHead(t)
			all = append(all, strings.TrimRight(plainText(name), ":：. "))
		}
		if n, ok := readNames(strings.Join(append(all, head), ", ")); ok {
			return n, true
		}
	}
	return readNames(head)
}

// definition is an entry of a list of definitions in HTML.
type definition struct {
	terms       []string
	body        string
	first, last int
}

// readDefinitions takes the parameters of a list of definitions in HTML.
func (r *reader) readDefinitions(b doc.Block, src string, context func() bool) {
	for _, def := range htmlDefinitions(src, b.Span.StartLine) {
		if r.isFull() {
			return
		}
		if p, ok := def.parameter(context); ok {
			p.Form, p.Section = Item, b.Section
			r.addParameter(p)
		}
	}
}

// parameter reads an entry: its terms are names, in code or where the surroundings announce them.
func (def definition) parameter(context func() bool) (Parameter, bool) {
	var heads []string
	typ, coded := "", true
	for _, t := range def.terms {
		head, named, _ := cutType(strings.TrimRight(plainText(t), ":：. …"))
		heads = append(heads, head)
		if typ == "" {
			typ = named
		}
		coded = coded && strings.Contains(t, "<code")
	}
	name, ok := readNames(strings.Join(heads, ", "))
	if !ok {
		return Parameter{}, false
	}
	p := Parameter{Name: name.name, Aliases: name.aliases, Type: name.typ, Required: name.required, First: def.first, Last: def.last,
		Description: plainText(def.body)}
	if p.Type == "" {
		p.Type = typ
	}
	typed := p.Type != "" && !isFlagName(p.Name)
	if p.Description == "" && !typed || !coded && !(isFlagName(p.Name) && context()) ||
		!isFlagName(p.Name) && !typed && !looksLikeCodeName(p.Name) && !context() {
		return p, false
	}
	p.fillFromText(p.Description)
	return p, true
}

// cutType parts a name and its type in brackets behind it, "work_mem (integer)". false: there is no
// type behind it, and head is s.
func cutType(s string) (head, typ string, ok bool) {
	head, inside, found := strings.Cut(s, " (")
	if typ, ok = strings.CutSuffix(inside, ")"); !found || !ok || !isKnownType(typ) {
		return s, "", false
	}
	return strings.TrimSpace(head), typ, true
}

// cutDefault parts a name and its default in brackets behind it, "trim_length (default: 3)".
// false: there is no default behind it, and head is s.
func cutDefault(s string) (head, value string, ok bool) {
	head, inside, found := strings.Cut(s, " (")
	inside, closed := strings.CutSuffix(inside, ")")
	from, to := defaultAt(inside)
	if !found || !closed || from != 0 || strings.TrimSpace(inside[to:]) == "" {
		return s, "", false
	}
	return strings.TrimSpace(head), strings.TrimSpace(inside[to:]), true
}

// htmlDefinitions are the entries of a list of definitions in HTML; entries of lists inside of one
// are entries too.
func htmlDefinitions(src string, line int) []definition {
	var out []definition
	kind, from := "", 0 // the element that is open, and where its content begins
	end := func(to int) {
		n := len(out) - 1
		switch text := src[min(from, to):to]; kind {
		case "dt":
			if len(out[n].terms) < mostTerms {
				out[n].terms = append(out[n].terms, text)
			}
		case "dd":
			if out[n].body == "" {
				out[n].body = text
			}
		}
		if n >= 0 && kind != "" {
			out[n].last = line
		}
	}
	told := true // the last entry has its text: the next term begins another one
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' {
			line++
		}
		name := ""
		if src[i] == '<' {
			name = tagName(src[i:])
		}
		if name != "dt" && name != "dd" && name != "dl" {
			continue
		}
		end(i)
		kind = ""
		stop := strings.IndexByte(src[i:min(len(src), i+2000)], '>')
		if stop < 0 || src[i+1] == '/' || name == "dl" || name == "dd" && len(out) == 0 {
			continue
		}
		if name == "dt" && told {
			if len(out) > MostPerPage {
				return out
			}
			out = append(out, definition{first: line})
		}
		told = name == "dd"
		kind, from = name, i+stop+1
		line += strings.Count(src[i:from], "\n")
		i = from - 1
	}
	end(len(src))
	return out
}
