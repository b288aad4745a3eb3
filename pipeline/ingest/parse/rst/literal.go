package rst

import (
	"docent/pipeline/text/shorten"
	"path"
	"slices"
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
		r.literalInclude(n, c)
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

// literalInclude reads code from another file of the doc set.
func (r *reader) literalInclude(n *node, c call) {
	text, ok := r.openNamed(c)
	if !ok {
		n.kind, n.text = paragraph, ""
		return
	}
	n.text = view{lines: splitLines(pickPart(text, c))}.commonText()
	n.name = strings.TrimPrefix(path.Ext(c.argument()), ".")
	if l, ok := c.option("language"); ok {
		n.name = l
	}
}

// include reads another file of the doc set in place of the directive.
func (r *reader) include(b *run, c call) {
	if strings.HasPrefix(c.argument(), "<") {
		return // a standard file of docutils: names of characters
	}
	file := r.resolve(c.argument())
	part := file // a page may include a part of itself
	for _, o := range []string{"start-after", "end-before", "start-line", "end-line", "start-at", "end-at"} {
		part += "\n" + c.options[o]
	}
	if slices.Contains(r.parts, part) || file == r.files[0] && strings.TrimRight(part, "\n") == file {
		r.warnAt(c.line, "%s includes itself", shorten.Bytes(file, mostQuoted))
		return
	}
	if len(r.files) > maxIncludes {
		r.warnAt(c.line, "%s is not included: files include files more than %d deep", shorten.Bytes(file, mostQuoted), maxIncludes)
		return
	}
	text, ok := r.openNamed(c)
	if !ok {
		return
	}
	text = pickPart(text, c)
	if lang, ok := c.option("code"); ok {
		b.out = append(b.out, &node{kind: code, line: c.line, name: lang, text: view{lines: splitLines(text)}.commonText()})
		return
	}
	if _, ok := c.option("literal"); ok {
		b.out = append(b.out, &node{kind: code, line: c.line, text: view{lines: splitLines(text)}.commonText()})
		return
	}
	at := r.at
	r.at = c.line
	r.files, r.parts = append(r.files, file), append(r.parts, part)
	b.out = append(b.out, r.blocks(view{lines: splitLines(text)}, b.titles)...)
	r.files, r.parts, r.at = r.files[:len(r.files)-1], r.parts[:len(r.parts)-1], at
}

// resolve is the path of a file in the doc set: relative to the file that names it, or
// from the doc set's folder.
func (r *reader) resolve(name string) string {
	if strings.HasPrefix(name, "/") {
		return strings.TrimPrefix(path.Clean(name), "/")
	}
	return path.Join(path.Dir(r.files[len(r.files)-1]), name)
}

// openNamed reads the file that a directive names.
func (r *reader) openNamed(c call) (string, bool) {
	name := c.argument()
	if name == "" {
		r.warnAt(c.line, "the directive %q names no file", c.name)
		return "", false
	}
	if r.page.opt.Open == nil {
		r.warnAt(c.line, "%s is not included: files of the doc set cannot be read here", shorten.Bytes(name, mostQuoted))
		return "", false
	}
	text, err := r.page.opt.Open(r.resolve(name))
	if err != nil {
		r.warnAt(c.line, "%s is not included: %v", shorten.Bytes(name, mostQuoted), err)
		return "", false
	}
	if r.size += len(text); r.size > maxIncluded {
		r.warnAt(c.line, "%s is not included: the files that the page includes have more than %d bytes", shorten.Bytes(name, mostQuoted),
			maxIncluded)
		return "", false
	}
	return toUTF8(text), true
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
