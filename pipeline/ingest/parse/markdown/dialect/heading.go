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
// since they are not shown. Nextra and Fumadocs write [#name], Docsify :id=name and {docsify-ignore}.
func headingAnchor(text []byte, level int) (rest []byte, anchor string, changed bool) {
	for _, mark := range [...]string{"{docsify-ignore}", "{docsify-ignore-all}"} {
		if rest, ok := bytes.CutSuffix(text, []byte(mark)); ok && len(rest) > level {
			return rest, "", true
		}
	}
	if at := bytes.LastIndex(text, []byte(" :id=")); at > level {
		if name := text[at+len(" :id="):]; isAnchorName(name) {
			return text[:at], string(name), true
		}
	}
	if text[len(text)-1] == ']' {
		return bracketAnchor(text, level)
	}
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

// bracketAnchor cuts [#name] off a heading's end, as Nextra and Fumadocs write it, and [toc] and [!toc], by
// which Fumadocs puts a heading into the list of contents alone or leaves it out there. A number is the name
// of an issue, as change logs have it.
func bracketAnchor(text []byte, level int) (rest []byte, anchor string, changed bool) {
	rest = text
	for len(rest) > level && rest[len(rest)-1] == ']' {
		open := bytes.LastIndexByte(rest, '[')
		if open < level || rest[open-1] == '\\' || rest[open-1] == '!' {
			break
		}
		mark := rest[open+1 : len(rest)-1]
		switch name, named := bytes.CutPrefix(mark, []byte("#")); {
		case named && anchor == "" && isAnchorName(name):
			anchor = string(name)
		case !named && (string(mark) == "toc" || string(mark) == "!toc"):
		default:
			return rest, anchor, len(rest) < len(text)
		}
		rest = bytes.TrimRight(rest[:open], " \t")
	}
	return rest, anchor, len(rest) < len(text)
}

// isAnchorName reports whether a name is one of a place, and not the number of an issue.
func isAnchorName(name []byte) bool {
	return len(name) > 0 && len(bytes.TrimLeft(name, "0123456789")) > 0 && !bytes.ContainsAny(name, " \t`#<>\"'()")
}
