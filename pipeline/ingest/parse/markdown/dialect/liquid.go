package dialect

import (
	"bytes"

	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// liquid shapes a line that is one tag of Liquid, {% note %} or {% tab title="…" %}, as in
// Jekyll, GitBook and GitHub's documentation. Its title is a paragraph; the tags of
// admonitions stand around one.
func (s *shaper) liquid(i int, line []byte, cols, n int) int {
	body := bytes.TrimRight(line[n:], " \t")
	if j := (fences{s}).liquidCode(i, body); j > i {
		return j
	}
	if len(body) > MaxTag || !bytes.HasSuffix(body, []byte("%}")) || bytes.Count(body, []byte("{%")) != 1 ||
		bytes.Count(body, []byte("%}")) != 1 {
		return i
	}
	in := bytes.Trim(body[2:len(body)-2], "- \t")
	end := 0
	for end < len(in) && (IsNameByte(in[end]) || in[end] == '_') {
		end++
	}
	if end == 0 {
		return i
	}
	t := Tag{Name: string(in[:end])}
	for in = in[end:]; len(in) > 0; {
		in = in[SpaceBytes(in):]
		if value, used := positional(in); used > 0 {
			t.Attrs = append(t.Attrs, Attribute{"title", value})
			in = in[used:]
			continue
		}
		key, value, used := ScanAttr(in)
		if used == 0 {
			used = min(1, len(in))
		} else {
			t.Attrs = append(t.Attrs, Attribute{key, value})
		}
		in = in[used:]
	}
	if name, closing := bytes.CutPrefix([]byte(t.Name), []byte("end")); closing {
		s.popFrame("{%"+string(name), i)
		s.breakLine(i)
		return i + 1
	}
	s.titleLine(i, t.Attribute("title", "label", "caption", "name"))
	is, warns := Admonition(t.Name, t.Attribute("style", "type"))
	if t.Name == "hint" {
		is, warns = true, WarningWord(t.Attribute("style"))
	}
	if is && s.closers.lastOf("end"+t.Name+" %}") > s.lines[i] {
		s.pushFrame(frame{name: "{%" + t.Name, line: i, list: s.list, kind: doc.Admonition, warning: warns, indent: -1}, i, cols)
	}
	return i + 1
}

// positional reads an argument in quotes without a name, {% tab 'macOS' %}, and its length; it has 0 for other text.
func positional(in []byte) (value string, n int) {
	if len(in) == 0 || in[0] != '\'' && in[0] != '"' {
		return "", 0
	}
	return quotedValue(in)
}

// codeNames are the names of tags that have code between them.
const codeNames = `highlight|codeblock|set|\w{0,30}[cC]ode\w{0,30}`

// codeTag opens code: {% highlight ruby %} of Jekyll, {% codeblock %} of Hexo, {% set code %}{% raw %} of
// Nunjucks, which a filter shows as code below, and tags of the site's own that have code in their name.
var (
	codeTag = pattern.Lazy(`^\{%-?[ \t]*(` + codeNames + `)\b[ \t]*([\w+#-]*)[^%=]*%\}[ \t]*(\{%-?[ \t]*raw[ \t]*-?%\})?$`)
	codeEnd = pattern.Lazy(`^[ \t]*(?:\{%-?[ \t]*endraw[ \t]*-?%\}[ \t]*)?\{%-?[ \t]*end(` + codeNames + `)[ \t]*-?%\}[ \t]*$`)
)

// mostLiquidCode is how many lines the code between two tags of Liquid may have.
const mostLiquidCode = 500

// liquidCode shapes code between tags of Liquid as a fence. Its lines were headings and lists of the page
// where they look like such.
func (s fences) liquidCode(i int, body []byte) int {
	if len(body) > MaxTag {
		return i
	}
	m := codeTag().FindSubmatch(body)
	if m == nil || s.closers.lastOf("end"+string(m[1])) < s.lines[i] {
		return i
	}
	for last := i + 1; last < len(s.lines)-1 && last-i <= mostLiquidCode; last++ {
		line := s.lineAt(last)
		if first := line[IndentBytes(line):]; bytes.HasPrefix(first, []byte("```")) || bytes.HasPrefix(first, []byte("~~~")) {
			return i // the code has a fence of its own
		}
		if !bytes.Contains(line, []byte("{%")) {
			continue
		}
		end := codeEnd().FindSubmatch(line)
		if end == nil || !bytes.Equal(end[1], m[1]) {
			continue
		}
		var language []byte
		switch string(m[1]) {
		case "highlight", "codeblock":
			language = m[2]
		case "set":
			if len(m[3]) == 0 && !s.highlights(last+1) {
				return i
			}
		}
		fenceLine, indent := []byte("~~~~~~~~"), s.indent()
		s.emitParts(i, indent, fenceLine, language)
		for k := i + 1; k < last; k++ {
			s.keepLine(k, s.lineAt(k), false)
		}
		s.emitParts(last, indent, fenceLine)
		s.apart = true
		return last + 1
	}
	return i
}

// highlights reports whether line i shows a variable as code.
func (s fences) highlights(i int) bool {
	return i < len(s.lines)-1 && bytes.Contains(s.lineAt(i), []byte("{{")) && bytes.Contains(s.lineAt(i), []byte("highlight"))
}
