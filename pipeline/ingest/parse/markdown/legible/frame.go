package legible

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// Lines gives the lines of a page without the frames around its text: containers of colons, components of MDX,
// indented admonitions and tabs, lists of attributes. Element i has the words of line i of the page, and further
// line ends where a label stands apart. The result is nil for a page without frames.
//
// A reader that shows parts of a page takes their lines from here: whether a line is code depends on the
// components that are open above it, which a part by itself does not show.
func Lines(page []byte) []string {
	if !hasFrames(page) || dialect.UsesMyST(page) {
		return nil
	}
	page = dialect.ExpandShortcodes(page) // as the parser does: one that begins a line would be a frame
	starts, front := dialect.LineStarts(page), FrontMatterLines(string(page))
	shape := dialect.Rewrite(page, starts, front)
	f := framed{source: bytes.SplitAfter(page, []byte("\n")), shape: bytes.SplitAfter(shape.Text, []byte("\n"))}
	f.out = make([]string, len(starts)-1)
	f.writePlain(front)
	for _, o := range shape.Opaques {
		f.writeOpaque(o.First, o.Last)
	}
	names := make(map[int]string, len(shape.Regions))
	for _, r := range shape.Regions {
		if r.Kind == doc.Admonition && r.First < len(f.source) {
			names[r.First] = admonitionName(string(f.source[r.First]))
		}
	}
	for _, m := range shape.Marks {
		f.writeMark(m, names[m.Line])
	}
	return f.out
}

// hasFrames reports whether a page may have frames.
func hasFrames(page []byte) bool {
	for _, sign := range [...]string{":::", "!!!", "???", "=== \"", "<details", "<summary", "<div", "{.", "{:", "+--", "\nimport "} {
		if bytes.Contains(page, []byte(sign)) {
			return true
		}
	}
	if liquidTag().Match(page) || indentedTag().Match(page) {
		return true
	}
	for rest := page; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 || i+1 >= len(rest) {
			return false
		}
		if rest = rest[i+1:]; rest[0] >= 'A' && rest[0] <= 'Z' {
			return true
		}
	}
}

// liquidTag is a tag of Liquid on a line of its own that stands around text or takes text in.
var liquidTag = pattern.Lazy(`(?m)^[ \t]*\{%-?[ \t]*(?:end)?(?:tab|hint|step|note|tip|warn|danger|info|code|highlight|content|detail|` +
	`include|if|for|capture|column|card|callout|alert|assign|comment|prompt|expand|accordion)`)

// indentedTag is a line of HTML within a block of it, or in code.
var indentedTag = pattern.Lazy(`(?m)^(?: {4}|[ ]{0,3}\t)[ \t]*</?[a-z]`)

// framed is a page whose lines are written.
type framed struct {
	source, shape [][]byte
	out           []string
}

// strayColons is the end of a container that begins in another part of the page.
var strayColons = pattern.Lazy(`^\s*:{3,}\s*$`)

// writePlain writes the lines without the frames around them, and the metadata at the top unchanged.
func (f *framed) writePlain(front int) {
	var fence dialect.Fence
	for i := range f.out {
		if i < front {
			f.out[i] = string(f.source[i])
			continue
		}
		line := string(f.shape[i])
		said := strings.TrimSuffix(line, "\n")
		switch {
		case fence.Step([]byte(said)):
		case strings.TrimSpace(said) == "<!---->", strayColons().MatchString(said):
			line = "\n"
		}
		f.out[i] = line
	}
}

// writeOpaque writes lines of HTML unchanged but for their indentation, which only says something
// in preformatted text: a part that begins with such a line would be taken for indented code, and
// shown as its tags.
func (f *framed) writeOpaque(first, last int) {
	inPre := false
	for i := first; i <= last && i < len(f.out); i++ {
		line := string(f.source[i])
		if !inPre {
			line = line[dialect.IndentBytes(f.source[i]):]
		}
		inPre = isPreAfter(line, inPre)
		if said := strings.TrimSpace(line); strings.HasPrefix(said, "{/*") && strings.HasSuffix(said, "*/}") {
			line = "\n"
		}
		f.out[i] = line
	}
}

// isPreAfter reports whether what follows a line of HTML is preformatted, given whether the line is.
func isPreAfter(line string, inPre bool) bool {
	low := strings.ToLower(line)
	for _, name := range [...]string{"pre", "textarea"} {
		switch opens, closes := strings.LastIndex(low, "<"+name), strings.LastIndex(low, "</"+name); {
		case opens > closes:
			return true
		case closes >= 0:
			return false
		}
	}
	return inPre
}

// writeMark writes a line of tags: nothing, or their title; name is that of the admonition that it opens.
func (f *framed) writeMark(m dialect.Mark, name string) {
	if m.Line >= len(f.out) || m.Kind != dialect.MarkBreak && m.Kind != dialect.MarkTitle {
		return
	}
	line := string(f.shape[m.Line])
	indent := line[:dialect.IndentBytes(f.shape[m.Line])]
	title := ""
	if m.Kind == dialect.MarkTitle {
		title = strings.TrimSpace(strings.TrimLeft(line, " #"))
	}
	switch {
	case title == "" || strings.EqualFold(title, name):
		title = name
	case name != "":
		title = name + ": " + title
	}
	f.out[m.Line] = "\n"
	if title == "" {
		return
	}
	if !strings.Contains(title, "**") {
		title = "**" + title + "**"
	}
	f.out[m.Line] = indent + title + "\n\n"
	if m.Line > 0 && strings.TrimSpace(f.out[m.Line-1]) != "" {
		f.out[m.Line] = "\n" + f.out[m.Line]
	}
}

var (
	// admonitionOpening begins an admonition: the sign, and its name.
	admonitionOpening = pattern.Lazy(`^[\s>*-]*(?:!!!|\?\?\?\+?|:{3,}|<|\{%-?|\{\{[<%])\s*\{?\s*\.?(?:callout-)?(\pL+)`)
	// admonitionKind names an admonition among attributes.
	admonitionKind = pattern.Lazy(`\.callout-(\pL+)|\b(?:type|variant|kind|severity|intent|style|color)\s*=\s*\{?["']?(\pL+)`)
)

// admonitionName is the name of the admonition that a line opens, "" of one that the site names.
func admonitionName(line string) string {
	var names []string
	if m := admonitionKind().FindStringSubmatch(line); m != nil {
		names = append(names, m[1]+m[2])
	}
	if m := admonitionOpening().FindStringSubmatch(line); m != nil {
		names = append(names, m[1])
	}
	for _, name := range slices.Backward(names) {
		switch name = strings.ToLower(name); name {
		case "callout", "alert", "admonition", "aside", "hint":
			continue
		case "warn":
			name = "warning"
		}
		if is, _ := dialect.Admonition(name, ""); is {
			first, n := utf8.DecodeRuneInString(name)
			return string(unicode.ToUpper(first)) + name[n:]
		}
	}
	return ""
}
