package parameters

import (
	"strings"
	"unicode"

	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// declaration is a property as TypeDoc declares it in a quote: `optional` **wick**: `number`.
var declaration = pattern.Lazy(`^(?:(?:optional|readonly|static|abstract|protected) )*(\w+)\??: (.+)$`)

// declaredBelow gives the name and the type of the property that a section documents, where a quote below its heading
// declares it; the heading has a question mark behind an optional one.
func declaredBelow(head string, blocks []doc.Block) (name, typ string) {
	if len(blocks) == 0 || blocks[0].Kind != doc.Quote || len(blocks[0].Text) > mostMarkup {
		return "", ""
	}
	m := declaration().FindStringSubmatch(cleanLine(blocks[0].Text, false))
	if m == nil || m[1] != strings.TrimSuffix(head, "?") {
		return "", ""
	}
	return m[1], m[2]
}

// readStatement reads a line such as "Type: integer. Required. Default: 3."
func (p *Parameter) readStatement(l string) bool {
	if len(l) > mostMarkup {
		return false
	}
	m := stating().FindStringSubmatchIndex(l)
	if m == nil {
		return false
	}
	word, rest := strings.ToLower(l[m[2]:m[3]]), l[m[1]:]
	v := cleanLine(leadingValue(rest, false), false)
	switch {
	case statesDefault.Inside(word) != "":
		if p.Default == "" {
			p.Default = v
		}
	case requiredWord.Has(word):
		p.Required = saysRequired(v)
	default:
		if p.Type == "" {
			p.Type = v
		}
		if p.Default == "" {
			p.Default = defaultIn(rest)
		}
		p.Required = p.Required || strings.Contains(rest, " Required.")
	}
	return true
}

// isStatingWord reports whether the first item of a list is a word such as "Type" alone. The type stands
// in code below it, as the references of Vue and its libraries have it.
func isStatingWord(list string) bool {
	var p Parameter
	first, _, _ := strings.Cut(list, "\n")
	return !strings.ContainsAny(first, ":. ") && p.readStatement(first+": ") && !p.Required
}

// isTypeAlone reports whether code below a heading is a type, and not an example.
func isTypeAlone(s string) bool {
	word := strings.TrimLeft(s, "[({")
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); end >= 0 {
		word = word[:end]
	}
	switch strings.ToLower(word) {
	case "function", "regexp", "regex", "promise", "buffer":
		return true
	case "": // 'eval' | 'source'
		return strings.IndexByte(s, '|') > 0 && (s[0] == '\'' || s[0] == '"')
	}
	return isKnownType(word)
}

// readTypesAlone reads a paragraph of types in code and nothing more, as references of settings have it
// below the name: `boolean = false`, `string` `[string]`.
func (p *Parameter) readTypesAlone(b doc.Block) bool {
	text := b.Text[:min(len(b.Text), mostMarkup)]
	if isClass(p.Name) || b.Code == "" || b.Kind != doc.Paragraph && b.Kind != doc.Quote {
		return false
	}
	if cleanLine(b.Code, false) != cleanLine(text, false) {
		return false
	}
	var types []string
	value, sure := "", false
	for l := range strings.SplitSeq(b.Code, "\n") {
		typ, stated, assigned := strings.Cut(strings.TrimSpace(l), " = ")
		is := typ != "" && isTypeAlone(typ)
		if typ == "" || !is && !isValue(typ) && typ[0] != '"' && typ[0] != '\'' {
			return false
		}
		sure = sure || is
		if assigned {
			value = cleanLine(stated, false)
		}
		types = append(types, cleanLine(typ, false))
	}
	if !sure { // values alone are an example
		return false
	}
	if p.Type == "" {
		p.Type = strings.Join(types, ", ")
	}
	if p.Default == "" {
		p.Default = value
	}
	return true
}

// mostBeforeAttributes is how many blocks stand between a heading and what declares its parameter.
const mostBeforeAttributes = 2

// attributed is a shortcode or a component whose attributes say what the columns of a table say:
// {{< setting type="string" default="rye" required="no" >}}.
var (
	attributed = pattern.Lazy(`^(?:\{\{[<%]|<)\s*[\w./-]+((?:\s+[\w-]+="[^"]*")+)\s*(?:[>%]\}\}|/?>)$`)
	attribute  = pattern.Lazy(`([\w-]+)="([^"]*)"`)
)

// readAttributes reads such a line: it has a type, and a default or whether the parameter is required.
func (p *Parameter) readAttributes(l string) bool {
	l = strings.TrimSpace(l)
	if len(l) > mostMarkup {
		return false
	}
	m := attributed().FindStringSubmatch(l)
	if m == nil {
		return false
	}
	said := map[string]string{}
	for _, a := range attribute().FindAllStringSubmatch(m[1], -1) {
		said[strings.ToLower(a[1])] = plainText(a[2])
	}
	_, hasDefault := said["default"]
	required, hasRequired := said["required"]
	if said["type"] == "" || !hasDefault && !hasRequired {
		return false
	}
	if p.Type == "" {
		p.Type = said["type"]
	}
	if p.Default == "" {
		p.Default = said["default"]
	}
	p.Required = p.Required || saysRequired(required)
	return true
}

// readNamesStated reads a line that says by which flags or variables a setting is given, too:
// "Command line: -w LENGTH, --wick LENGTH". They are other names of the parameter.
func (p *Parameter) readNamesStated(l string) bool {
	if len(l) > mostMarkup || isClass(p.Name) {
		return false
	}
	m := statingNames().FindStringIndex(l)
	if m == nil {
		return false
	}
	n, ok := readNames(strings.TrimRight(cleanLine(l[m[1]:], false), ". "))
	if !ok {
		return false
	}
	names := append([]string{n.name}, n.aliases...)
	for _, name := range names {
		if !isFlagName(name) && !isConstantName(name) {
			return false
		}
	}
	p.Aliases = append(p.Aliases, names...)
	if p.Type == "" {
		p.Type = n.typ
	}
	return true
}
