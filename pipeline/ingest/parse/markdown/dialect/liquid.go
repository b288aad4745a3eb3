package dialect

import (
	"bytes"

	"docent/store/doc"
)

// liquid shapes a line that is one tag of Liquid, {% note %} or {% tab title="…" %}, as in
// Jekyll, GitBook and GitHub's documentation. Its title is a paragraph; the tags of
// admonitions stand around one.
func (s *shaper) liquid(i int, line []byte, cols, n int) int {
	body := bytes.TrimRight(line[n:], " \t")
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
