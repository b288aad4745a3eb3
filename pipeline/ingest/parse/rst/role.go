package rst

import (
	"cmp"
	"docent/pipeline/text/spacing"
	"path"
	"strings"
)

// explicitTarget reads "text <target>".
func explicitTarget(s string) (text, target string, ok bool) {
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
func (p *page) phrase(text string, anonymous bool) inline {
	shown, to, ok := explicitTarget(text)
	if ok {
		address := oneAddress(to)
		if name, ok := strings.CutSuffix(address, "_"); ok {
			address, _ = p.findTarget(strings.Trim(name, "`"))
		}
		if shown == "" {
			shown = to
		}
		shown = unescape(shown)
		if !anonymous {
			p.define(spacing.Folded(shown), address)
		}
		return inline{text: shown, target: address}
	}
	shown = unescape(text)
	if anonymous {
		to, _ := p.nextAnonymous()
		return inline{text: shown, target: to}
	}
	to, _ = p.findTarget(shown)
	return inline{text: shown, target: to}
}

// showRole is the text of a role as Sphinx shows it.
func (p *page) showRole(name, text string) inline {
	name = strings.ToLower(name)
	domain, short := "", name
	if d, s, ok := strings.Cut(name, ":"); ok {
		domain, short = d, s
	}
	switch short {
	case "":
		return inline{kind: emphasis, text: unescape(text)}
	case "emphasis", "title-reference", "title", "dfn", "t", "cite":
		return inline{kind: emphasis, text: unescape(text)}
	case "strong", "guilabel", "menuselection", "bolditalic":
		text = strings.ReplaceAll(unescape(text), "-->", "→")
		if short == "guilabel" || short == "menuselection" {
			text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "&&", "\x00"), "&", ""), "\x00", "&")
		}
		return inline{kind: strong, text: text}
	case "code", "literal", "kbd", "command", "program", "regexp", "mimetype", "mailheader", "makevar", "newsgroup", "math", "eq", "py",
		"sh", "console":
		return inline{kind: literal, text: unescape(text)}
	case "file", "samp":
		return inline{kind: literal, text: braces(text)}
	case "ref", "numref", "keyword-ref":
		return p.labelled(text)
	case "doc":
		shown, to, ok := explicitTarget(text)
		if !ok {
			to = strings.TrimSpace(text)
			shown = strings.TrimPrefix(to, "/")
		}
		return inline{text: unescape(shown), target: strings.TrimSuffix(strings.TrimSuffix(to, ".rst"), ".txt")}
	case "sup":
		return inline{text: "^" + unescape(text)}
	case "sub", "abbr", "abbreviation", "acronym", "raw", "raw-html", "html":
		return inline{text: unescape(text)}
	case "any", "download", "term", "index", "token", "productionlist":
		return inline{text: titled(text)}
	case "rfc", "pep", "cve", "cwe", "issue", "ticket", "gh", "pr", "pull", "bpo":
		return numbered(short, text)
	}
	if domain == "" && !codeRole(short) {
		shown := titled(text)
		if strings.ContainsAny(shown, "_()=<>/$*{}") && !strings.ContainsAny(shown, " \n") {
			return inline{kind: literal, text: shown} // a name in code, of a project's own role
		}
		return inline{text: shown}
	}
	return inline{kind: literal, text: p.symbol(short, text)}
}

// titled is the shown text of a role.
func titled(text string) string {
	if shown, _, ok := explicitTarget(text); ok && shown != "" {
		return unescape(shown)
	}
	return unescape(strings.TrimPrefix(text, "!"))
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
func (p *page) symbol(role, text string) string {
	if shown, _, ok := explicitTarget(text); ok && shown != "" {
		return unescape(shown)
	}
	text = unescape(strings.TrimPrefix(strings.TrimSpace(text), "!"))
	if rest, ok := strings.CutPrefix(text, "~"); ok {
		name, args := rest, ""
		if i := strings.IndexByte(rest, '('); i >= 0 {
			name, args = rest[:i], rest[i:]
		}
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i+1:]
		}
		text = name + args
	}
	text = strings.TrimPrefix(text, ".")
	switch role {
	case "func", "function", "meth", "method", "cfunc":
		if text != "" && !strings.HasSuffix(text, ")") {
			text += "()"
		}
	}
	return text
}

// numbered is a reference to a document or ticket by its number.
func numbered(role, text string) inline {
	shown, to, explicit := explicitTarget(text)
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
	return inline{text: unescape(label), target: address}
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

// labelled is a reference to a label: of this page, or of another. A label that the doc
// set does not have is a target of its own.
func (p *page) labelled(text string) inline {
	shown, to, ok := explicitTarget(text)
	if !ok {
		to = strings.TrimSpace(text)
	}
	to = strings.TrimPrefix(to, "!")
	name := spacing.Folded(unescape(to))
	if n, here := p.labels[name]; here {
		if !ok && n != nil {
			shown = p.plainInline(n.text)
		}
		if shown == "" {
			shown = to
		}
		return inline{text: unescape(shown), target: "#" + p.names[name].id}
	}
	found, there := p.elsewhere(name)
	if shown == "" {
		shown = cmp.Or(found.title, to)
	}
	if there {
		return inline{text: unescape(shown), target: "/" + strings.TrimSuffix(found.path, path.Ext(found.path)) + "#" + found.anchor}
	}
	return inline{text: unescape(shown), target: "label:" + name}
}
