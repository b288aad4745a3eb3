package dialect

import "bytes"

// headings shapes headings.
type headings struct{ *shaper }

// heading shapes a heading in "#" style: it reads an explicit anchor, and gives up
// wrappers that were not closed.
func (s headings) heading(i int, line []byte, cols, n int) int {
	eff := cols - s.strip
	if s.list >= 0 && eff >= s.list {
		return i
	}
	body := line[n:]
	level := 0
	for level < len(body) && body[level] == '#' {
		level++
	}
	if level > 6 || level < len(body) && body[level] != ' ' && body[level] != '\t' {
		return i
	}
	if cols == 0 && s.strip > 0 {
		s.dropFrames()
	}
	s.list = -1
	s.apart = true
	s.guard.reset()
	text, anchor, changed := headingAnchor(bytes.TrimRight(body, " \t"), level)
	if fences(s).isTab(level) {
		s.titleLine(i, string(bytes.Trim(text, "# \t")))
		return i + 1
	}
	if !changed {
		return i
	}
	if anchor != "" {
		s.addMark(Mark{Line: i, Kind: MarkAnchor, Anchor: anchor})
	}
	s.emitParts(i, text)
	return i + 1
}

// headingAnchor cuts the name of a heading off its end: {#name} and other attributes,
// %{#name}% of translated Vue documentation, and the comments of MDX that Docusaurus and
// react.dev write instead, {/* #name */} and {/*name*/}. Other comments are cut off too,
// since they are not shown.
func headingAnchor(text []byte, level int) (rest []byte, anchor string, changed bool) {
	listed := text
	if bytes.HasSuffix(text, []byte("}%")) && bytes.Contains(text, []byte("%{")) {
		listed = text[:len(text)-1]
	}
	if listed[len(listed)-1] != '}' {
		return text, "", false
	}
	if bytes.HasSuffix(text, []byte("*/}")) {
		open := bytes.LastIndex(text, []byte("{/*"))
		if open < level {
			return text, "", false
		}
		words := bytes.Fields(bytes.TrimSuffix(text[open+len("{/*"):], []byte("*/}")))
		if len(words) == 1 {
			anchor = string(bytes.TrimPrefix(words[0], []byte{'#'}))
		}
		return text[:open], anchor, true
	}
	open := bytes.LastIndexByte(listed, '{')
	if open < level || text[open-1] == '\\' {
		return text, "", false
	}
	a, n := scanAttributes(listed[open:])
	if n != len(listed)-open {
		return text, "", false
	}
	return bytes.TrimSuffix(text[:open], text[len(listed):]), a.id, true
}
