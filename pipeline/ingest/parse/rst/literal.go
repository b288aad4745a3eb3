package rst

import (
	"strconv"
	"strings"
)

// literal reads directives whose content is shown unchanged: code, mathematics, drawings
// in a language of their own.
func (r *reader) literal(b *run, n *node, c call, all view) bool {
	n.kind = code
	switch c.name {
	case "code-block", "code", "sourcecode", "ipython", "testcode", "codeblock", "code-tab", "jupyter-execute", "exec", "prompt",
		"ipython3", "plot":
		n.name = r.page.highlight
		if len(c.args) > 0 && c.name != "plot" {
			n.name, _, _ = strings.Cut(c.args[0], " ")
		}
		if c.name == "testcode" || c.name == "plot" {
			n.name = "python"
		}
		n.text = c.content.commonText()
	case "console":
		n.name, n.text = "console", c.bodyOf(all).commonText()
	case "testoutput", "productionlist", "grammar-snippet", "cli_tree", "command-output", "program-output", "literal", "parsed-literal",
		"code-output":
		n.text = c.bodyOf(all).commonText()
		if c.name == "parsed-literal" {
			n.text = r.page.PlainLines(n.text)
		}
	case "doctest":
		n.name, n.text = "pycon", c.content.commonText()
	case "math":
		n.kind, n.text = math, c.bodyOf(all).commonText()
	case "graphviz", "digraph", "graph", "mermaid", "uml", "plantuml", "aafig", "ditaa", "blockdiag", "seqdiag", "kernel-render":
		n.name, n.text = c.name, c.content.commonText()
	case "highlight", "highlightlang":
		if len(c.args) > 0 {
			r.page.highlight, _, _ = strings.Cut(c.args[0], " ")
		}
		return true
	case "literalinclude", "snippet", "codeinclude":
		r.fileReader().literalInclude(n, c)
	default:
		n.kind = 0
		return false
	}
	if n.name == "none" || n.name == "default" {
		n.name = ""
	}
	if caption, ok := c.option("caption"); ok && n.text != "" {
		b.out = append(b.out, &node{kind: rubric, line: c.line, text: caption})
	}
	b.out = append(b.out, n)
	return true
}

// pickPart is the part of a file that the options of a directive name.
func pickPart(text string, c call) string {
	if s, ok := c.option("start-after"); ok && s != "" {
		if i := strings.Index(text, s); i >= 0 {
			text = text[i+len(s):]
		}
	}
	if s, ok := c.option("start-at"); ok && s != "" {
		if i := strings.Index(text, s); i >= 0 {
			text = text[strings.LastIndexByte(text[:i], '\n')+1:]
		}
	}
	if s, ok := c.option("end-before"); ok && s != "" {
		if i := strings.Index(text, s); i >= 0 {
			text = text[:strings.LastIndexByte(text[:i], '\n')+1]
		}
	}
	if s, ok := c.option("end-at"); ok && s != "" {
		if i := strings.Index(text, s); i >= 0 {
			if k := strings.IndexByte(text[i:], '\n'); k >= 0 {
				text = text[:i+k]
			}
		}
	}
	from, okFrom := lineOption(c, "start-line")
	to, okTo := lineOption(c, "end-line")
	lines, okLines := c.option("lines")
	if !okFrom && !okTo && !okLines {
		return text
	}
	all := strings.Split(text, "\n")
	if okTo && to < 0 {
		to += len(all)
	}
	if !okTo || to > len(all) {
		to = len(all)
	}
	from = min(max(0, from), len(all))
	all = all[from:max(from, to)]
	if okLines {
		all = someLines(all, lines)
	}
	return strings.Join(all, "\n")
}

func lineOption(c call, name string) (int, bool) {
	s, ok := c.option(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// someLines are lines by their numbers: "1,3-5,8-".
func someLines(all []string, ranges string) []string {
	var out []string
	for part := range strings.SplitSeq(ranges, ",") {
		a, b, many := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(a)
		if err != nil {
			from = 1
		}
		to := from
		if many {
			if to, err = strconv.Atoi(b); err != nil {
				to = len(all)
			}
		}
		if from < 1 || from > len(all) || len(out) > len(all) {
			continue
		}
		out = append(out, all[from-1:max(from-1, min(to, len(all)))]...)
	}
	return out
}
