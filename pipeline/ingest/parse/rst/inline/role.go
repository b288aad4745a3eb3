package inline

import (
	"cmp"
	"strings"

	"docent/pipeline/text/spacing"
)

// ExplicitTarget reads "text <target>".
func ExplicitTarget(s string) (text, target string, ok bool) {
	s = strings.TrimSpace(s)
	if !strings.HasSuffix(s, ">") || strings.HasSuffix(s, "\\>") {
		return "", "", false
	}
	i := strings.LastIndexByte(s, '<')
	if k := max(strings.LastIndex(s, " <"), strings.LastIndex(s, "\n<")); k > 0 { // "name <a<b>>"
		i = k + 1
	}
	if i < 0 || i > 0 && s[i-1] == '\\' || i == len(s)-2 {
		return "", "", false
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1 : len(s)-1]), true
}

// phrase is a reference in backticks: `text`_, `text <address>`_, `text <name_>`_, or
// an anonymous one.
func (p *Names) phrase(text string, anonymous bool) Inline {
	shown, to, ok := ExplicitTarget(text)
	if ok {
		address := OneAddress(to)
		if name, ok := strings.CutSuffix(address, "_"); ok {
			address, _ = p.findTarget(strings.Trim(name, "`"))
		}
		if shown == "" {
			shown = to
		}
		shown = Unescape(shown)
		if !anonymous {
			p.Define(spacing.Folded(shown), address)
		}
		return Inline{Text: shown, Target: address}
	}
	shown = Unescape(text)
	if anonymous {
		to, _ := p.nextAnonymous()
		return Inline{Text: shown, Target: to}
	}
	to, _ = p.findTarget(shown)
	return Inline{Text: shown, Target: to}
}

// showRole is the text of a role as Sphinx shows it.
func (p *Names) showRole(name, text string) Inline {
	if name = cmp.Or(name, p.role); name == "" {
		name = p.outside.DefaultRole()
	}
	name = strings.ToLower(name)
	domain, short := "", name
	if d, s, ok := strings.Cut(name, ":"); ok {
		domain, short = d, s
	}
	switch short {
	case "":
		return Inline{Kind: Emphasis, Text: Unescape(text)}
	case "emphasis", "title-reference", "title", "dfn", "t", "cite":
		return Inline{Kind: Emphasis, Text: Unescape(text)}
	case "strong", "guilabel", "menuselection", "bolditalic":
		text = strings.ReplaceAll(Unescape(text), "-->", "→")
		if short == "guilabel" || short == "menuselection" {
			text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "&&", "\x00"), "&", ""), "\x00", "&")
		}
		return Inline{Kind: Strong, Text: text}
	case "literal", "kbd", "command", "program", "regexp", "mimetype", "mailheader", "makevar", "newsgroup", "eq", "py",
		"sh", "console":
		return Inline{Kind: Literal, Text: Unescape(text)}
	case "code", "math": // raw: its backslashes are those of TeX
		return Inline{Kind: Literal, Text: text}
	case "file", "samp":
		return Inline{Kind: Literal, Text: braces(text)}
	case "ref", "numref", "keyword-ref":
		return p.labelled(text)
	case "doc":
		shown, to, ok := ExplicitTarget(text)
		if !ok {
			to = strings.TrimSpace(text)
		}
		page := strings.TrimSuffix(strings.TrimSuffix(to, ".rst"), ".txt")
		if !ok {
			shown = cmp.Or(p.ReadTitle(p.outside.PageTitle(page)), strings.TrimPrefix(to, "/"))
		}
		return Inline{Text: Unescape(shown), Target: page}
	case "sup":
		return Inline{Text: "^" + Unescape(text)}
	case "sub", "abbr", "abbreviation", "acronym", "raw", "raw-html", "html":
		return Inline{Text: Unescape(text)}
	case "any", "download", "term", "index", "token", "productionlist":
		return Inline{Text: titled(text)}
	case "rfc", "pep":
		return numbered(short, text)
	}
	if domain == "" {
		if shown, address, ok := p.outside.LinkRole(short, text); ok {
			return Inline{Text: shown, Target: address}
		}
	}
	switch short {
	case "cve", "cwe", "issue", "ticket", "gh", "pr", "pull", "bpo":
		return numbered(short, text)
	}
	if domain == "" && !codeRole(short) {
		shown := titled(text)
		if strings.ContainsAny(shown, "_()=<>/$*{}") && !strings.ContainsAny(shown, " \n") {
			return Inline{Kind: Literal, Text: shown} // a name in code, of a project's own role
		}
		return Inline{Text: shown}
	}
	return Inline{Kind: Literal, Text: p.symbol(short, text)}
}

// titled is the shown text of a role.
func titled(text string) string {
	if shown, _, ok := ExplicitTarget(text); ok && shown != "" {
		return Unescape(shown)
	}
	return Unescape(strings.TrimPrefix(text, "!"))
}

// codeRole reports whether a role names something that stands in code.
func codeRole(name string) bool {
	switch name {
	case "class", "func", "function", "meth", "method", "attr", "attribute", "mod", "module", "exc", "exception", "data", "const", "obj",
		"type",
		"member", "macro", "struct", "enum", "enumerator", "union", "var", "setting", "ttag", "tfilter", "lookup", "djadmin", "option",
		"envvar",
		"confval", "keyword", "opcode", "pdbcmd", "cfunc", "cmember", "cdata", "ctype", "cmacro", "directive", "dir", "role", "signal",
		"reqmeta",
		"fixture", "hook", "globalvar", "manpage", "cpp", "js", "py-obj", "deco", "key", "parameter", "cmd", "bash", "python", "c", "rst",
		"exe",
		"dockerfile", "yaml", "json", "xml", "sql", "expr", "texpr", "monitoring-event", "autolink", "namespace", "config", "templatetag",
		"templatefilter", "filter", "model", "view", "template", "tag", "tok":
		return true
	}
	return false
}

// symbol is the name of an object as Sphinx shows it: "~" keeps its last part, "!" and
// a dot at its beginning are no part of it, a function has its parentheses.
func (p *Names) symbol(role, text string) string {
	if shown, _, ok := ExplicitTarget(text); ok && shown != "" {
		return Unescape(shown)
	}
	text = Unescape(strings.TrimPrefix(strings.TrimSpace(text), "!"))
	text = strings.TrimPrefix(ShortName(text), ".")
	switch role {
	case "func", "function", "meth", "method", "cfunc":
		if text != "" && !strings.HasSuffix(text, ")") {
			text += "()"
		}
	}
	return text
}

// ShortName is the name of an object as Sphinx shows it: of "~a.b.c" the last part.
func ShortName(text string) string {
	rest, ok := strings.CutPrefix(text, "~")
	if !ok {
		return text
	}
	name, args := rest, ""
	if i := strings.IndexByte(rest, '('); i >= 0 {
		name, args = rest[:i], rest[i:]
	}
	return name[strings.LastIndexByte(name, '.')+1:] + args
}

// numbered is a reference to a document or ticket by its number.
func numbered(role, text string) Inline {
	shown, to, explicit := ExplicitTarget(text)
	if !explicit {
		to = strings.TrimPrefix(strings.TrimSpace(text), "!")
	}
	number, anchor, _ := strings.Cut(to, "#")
	label := to
	address := ""
	digits := number != "" && strings.Trim(number, "0123456789") == ""
	switch role {
	case "rfc":
		label = "RFC " + number
		if digits {
			address = "https://datatracker.ietf.org/doc/html/rfc" + number
		}
	case "pep":
		label = "PEP " + number
		if digits && len(number) <= 4 {
			address = "https://peps.python.org/pep-" + "0000"[len(number):] + number + "/"
		}
	case "cve":
		label = "CVE-" + strings.TrimPrefix(number, "CVE-")
	case "cwe":
		label = "CWE-" + number
	case "bpo":
		label = "bpo-" + number
	default:
		if digits {
			label = "#" + number
		}
	}
	if explicit && shown != "" {
		label = shown
	}
	if address != "" && anchor != "" {
		address += "#" + anchor
	}
	return Inline{Text: Unescape(label), Target: address}
}

// braces removes the braces that mark variable parts: "/lib/python{X.Y}".
func braces(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '{' || s[i] == '}':
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// mostTitles is how deep titles of other pages are read that name pages themselves.
const mostTitles = 2

// ReadTitle is the text of a title of another page, with the substitutions that this page knows.
func (p *Names) ReadTitle(title string) string {
	if title == "" || p.titles >= mostTitles {
		return ""
	}
	p.titles++
	defer func() { p.titles-- }()
	return p.PlainText(title)
}

// labelled is a reference to a label: of this page, or of another. A label that the doc
// set does not have is a target of its own.
func (p *Names) labelled(text string) Inline {
	shown, to, ok := ExplicitTarget(text)
	if !ok {
		to = strings.TrimSpace(text)
	}
	to = strings.TrimPrefix(to, "!")
	name := spacing.Folded(Unescape(to))
	if title, here := p.labels[name]; here {
		if !ok && title != "" {
			shown = p.PlainText(title)
		}
		if shown == "" {
			shown = to
		}
		return Inline{Text: Unescape(shown), Target: "#" + p.names[name].id}
	}
	found, there := p.outside.LabelledPlace(name)
	if shown == "" {
		shown = cmp.Or(p.ReadTitle(found.Title), to)
	}
	if there {
		return Inline{Text: Unescape(shown), Target: "/" + found.Page + "#" + found.Anchor}
	}
	return Inline{Text: Unescape(shown), Target: "label:" + name}
}
