package settings

import (
	"cmp"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// entry is a key of a mapping with its value, and the blocks of comments before it.
type entry struct {
	path     string
	key, val *yaml.Node
	blocks   [][]comment
	last     int // the last line of its value
}

// comment is a line of a comment without its sign.
type comment struct {
	text string
	at   int
}

// indentOf is the indentation of a line.
func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// isComment reports whether a line is a comment.
func isComment(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " \t"), "#") }

// entriesOf are the entries of a mapping that ends before a line, and the blocks of
// comments behind the last one.
func (p *page) entriesOf(n *yaml.Node, prefix string, end int) (all []entry, rest [][]comment) {
	column := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		column = key.Column - 1
		next := end
		if i+2 < len(n.Content) {
			next = n.Content[i+2].Line
		}
		e := entry{path: prefix + strings.ReplaceAll(key.Value, "\n", " "), key: key, val: val, last: key.Line}
		if i == 0 {
			e.blocks = p.blocksOf(p.startOfComments(key.Line, column), key.Line)
		} else {
			e.blocks = p.blocksOf(all[len(all)-1].last+1, key.Line)
		}
		if next > key.Line {
			e.last = p.startOfComments(next, column) - 1
			for e.last > key.Line && strings.TrimSpace(p.textOfLine(e.last)) == "" {
				e.last--
			}
			e.last = max(e.last, key.Line)
		}
		all = append(all, e)
	}
	if len(all) > 0 {
		rest = p.blocksOf(all[len(all)-1].last+1, end)
	}
	return all, rest
}

// startOfComments is the first of the lines of comments, and empty ones, that stand before a
// line and are not indented further than a column.
func (p *page) startOfComments(n, column int) int {
	for n > 1 {
		text := p.textOfLine(n - 1)
		if t := strings.TrimSpace(text); t != "" && t != "---" && (!isComment(text) || indentOf(text) > column) {
			return n
		}
		n--
	}
	return n
}

// blocksOf are the blocks of comments from one line up to another, which is not among them.
func (p *page) blocksOf(from, to int) (all [][]comment) {
	var block []comment
	for n := from; n < to; n++ {
		text := p.textOfLine(n)
		if !isComment(text) {
			if len(block) > 0 {
				all = append(all, block)
			}
			block = nil
			continue
		}
		text = strings.TrimLeft(strings.TrimLeft(text, " \t"), "#")
		block = append(block, comment{strings.TrimRight(strings.TrimPrefix(text, " "), " \t"), n})
	}
	if len(block) > 0 {
		all = append(all, block)
	}
	return all
}

// writeMapping writes a mapping that ends before a line: first the keys that no comment
// explains.
func (p *page) writeMapping(n *yaml.Node, prefix string, level, end, depth int) {
	if depth > deepest {
		return
	}
	all, rest := p.entriesOf(n, prefix, end)
	if depth == 0 && len(all) > 0 && len(all[0].blocks) > 0 {
		first := &all[0]
		last := first.blocks[len(first.blocks)-1]
		above := first.blocks
		if last[len(last)-1].at == first.key.Line-1 { // it explains the key
			above, first.blocks = above[:len(above)-1], [][]comment{last}
		} else {
			first.blocks = nil
		}
		for _, block := range above {
			p.writeBlock(block, prefix, level)
		}
	}
	for i := range all {
		e := &all[i]
		if !p.isExplained(e) && len(e.blocks) == 0 {
			p.writeItem(e)
			e.val = nil
		}
	}
	for _, e := range all {
		if e.val != nil {
			p.writeEntry(e, prefix, level, depth)
		}
	}
	for _, block := range rest {
		p.writeBlock(block, prefix, level)
	}
}

// isExplained reports whether a comment explains a key, or one within it.
func (p *page) isExplained(e *entry) bool {
	if _, ok := p.params[e.path]; ok || inlineComment(p.textOfLine(e.key.Line)) != "" {
		return true
	}
	if e.val.Kind != yaml.MappingNode || e.val.Style&yaml.FlowStyle != 0 {
		return false
	}
	for n := e.key.Line + 1; n <= e.last; n++ {
		if isComment(p.textOfLine(n)) {
			return true
		}
	}
	for name := range p.params {
		if strings.HasPrefix(name, e.path+".") {
			return true
		}
	}
	return e.last-e.key.Line > 12
}

// writeItem writes a key without a comment as an item of a list.
func (p *page) writeItem(e *entry) {
	p.place(e.key.Line)
	p.w.Open(build.Bullet)
	value, one := p.valueOf(e)
	switch {
	case one && value == "":
		p.w.Paragraph(build.CodeInline(e.path))
	case one:
		p.w.Paragraph(build.CodeInline(e.path) + ": " + build.CodeInline(value))
	default:
		p.w.Paragraph(build.CodeInline(e.path) + ":")
		p.writeLines(e.key.Line+1, e.last)
	}
	p.w.Close()
}

// valueOf is the value of a key as the file has it, and whether it stands on the key's line.
func (p *page) valueOf(e *entry) (value string, one bool) {
	if e.last > e.key.Line {
		return "", false
	}
	text := p.textOfLine(e.key.Line)
	if from := e.key.Column - 1 + len(e.key.Value); from <= len(text) {
		if i := strings.IndexByte(text[from:], ':'); i >= 0 {
			text = text[from+i+1:]
		}
	}
	if c := inlineComment(p.textOfLine(e.key.Line)); c != "" {
		text = strings.TrimSuffix(strings.TrimRight(text, " \t"), c)
		text = strings.TrimRight(text, "# \t")
	}
	return strings.TrimSpace(text), true
}

// inlineComment is the comment behind a value, without its sign.
func inlineComment(text string) string {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			} else if c == '\\' && quote == '"' {
				i++
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" \t[{,:", text[i-1]) >= 0):
			quote = c
		case c == '#' && i > 0 && (text[i-1] == ' ' || text[i-1] == '\t'):
			if isComment(text) {
				return ""
			}
			return strings.TrimSpace(strings.TrimLeft(text[i:], "#"))
		}
	}
	return ""
}

// writeLines writes lines of the file as code.
func (p *page) writeLines(from, to int) {
	least := -1
	for n := from; n <= to; n++ {
		if text := p.textOfLine(n); strings.TrimSpace(text) != "" && (least < 0 || indentOf(text) < least) {
			least = indentOf(text)
		}
	}
	var code []build.Line
	for n := from; n <= to; n++ {
		text := p.textOfLine(n)
		code = append(code, build.Line{Text: text[min(max(0, least), len(text)):], At: doc.Location{Line: n}})
	}
	p.w.Listing("yaml", code)
}

// writeEntry writes a key that a comment explains as a section, and the keys in it below.
func (p *page) writeEntry(e entry, prefix string, level, depth int) {
	own := []comment(nil)
	for i, block := range e.blocks {
		if i == len(e.blocks)-1 && block[len(block)-1].at == e.key.Line-1 {
			own = block
			break
		}
		p.writeBlock(block, prefix, level)
	}
	said := readBlock(own)
	p.writeNamed(said.sections)
	p.place(e.key.Line)
	p.w.Heading(min(6, level), build.TextInline(e.path), e.path)
	value, one := p.valueOf(&e)
	isMapping := e.val.Kind == yaml.MappingNode && e.val.Style&yaml.FlowStyle == 0 && len(e.val.Content) > 0
	var about []string
	if kind := cmp.Or(said.kind, kindOf(e.val)); kind != "" {
		about = append(about, build.Strong("Type:")+" "+build.TextInline(kind)+".")
	}
	switch {
	case said.standard != "":
		about = append(about, "Default: "+inlineOf(said.standard)+".")
	case one && value != "" && len(value) < 500:
		about = append(about, "Default: "+build.CodeInline(value)+".")
	}
	if !isMapping && len(about) > 0 {
		p.w.Paragraph(strings.Join(about, " "))
	}
	p.writePieces(said.pieces)
	if param, ok := p.params[e.path]; ok {
		p.writeParameter(param)
		delete(p.params, e.path)
	}
	if c := inlineComment(p.textOfLine(e.key.Line)); c != "" {
		p.place(e.key.Line)
		p.w.Paragraph(inlineOf(c))
	}
	inside := entry{path: e.path, key: e.key, val: e.val, last: e.last}
	switch {
	case isMapping && (p.isExplained(&inside) || len(e.val.Content) > 2):
		p.writeMapping(e.val, e.path+".", level+1, e.last+1, depth+1)
	case !one:
		p.writeLines(e.key.Line+1, e.last)
	}
}

// kindOf is the type of a value in the words of Helm's documentation, "" for one that is
// empty.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "list"
	case yaml.ScalarNode:
		switch n.Tag {
		case "!!int":
			return "int"
		case "!!bool":
			return "bool"
		case "!!float":
			return "float"
		case "!!str":
			return "string"
		}
	}
	return ""
}
