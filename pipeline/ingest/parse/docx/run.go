package docx

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// run collects the text of a paragraph.
type run struct {
	d    *document
	code bool // all of it is code, whatever its fonts

	parts  []part
	any    bool    // there is text
	anchor string  // the first bookmark
	pages  int     // breaks of pages in it
	boxes  []*node // texts in frames, which stand behind the paragraph
	notes  []note  // that it refers to, which are written behind it
	link   string  // target of the link that is read
}

// part is a piece of text that looks alike.
type part struct {
	text               string // plain
	bold, italic, mono bool
	link               string
}

// readChildren reads the children of an element of a paragraph.
func (r *run) readChildren(n *node) {
	for _, c := range n.children {
		switch c.name {
		case "r":
			r.readRun(c)
		case "hyperlink":
			was := r.link
			if target := r.d.links[c.attrs["id"]]; target != "" {
				r.link = target
			} else if at := c.attrs["anchor"]; at != "" {
				r.link = "#" + at
			}
			r.readChildren(c)
			r.link = was
		case "bookmarkStart":
			if name := c.attrs["name"]; r.anchor == "" && name != "" && !strings.HasPrefix(name, "_") {
				r.anchor = name
			}
		case "ins", "moveTo", "smartTag", "customXml", "fldSimple", "sdtContent", "dir", "bdo":
			r.readChildren(c)
		case "sdt":
			r.readChildren(textOrNone(c.firstChild("sdtContent")))
		case "oMath", "oMathPara":
			r.addPart(part{text: c.plainText()})
		}
	}
}

// readRun reads one run of equal looks.
func (r *run) readRun(n *node) {
	properties := n.firstChild("rPr")
	if properties.isSwitchedOn("vanish") {
		return
	}
	p := part{bold: properties.isSwitchedOn("b"), italic: properties.isSwitchedOn("i"), mono: isMono(properties), link: r.link}
	if s := r.d.styles[properties.valueOf("rStyle")]; s != nil {
		p.mono = p.mono || s.code
	}
	for _, c := range n.children {
		text := ""
		switch c.name {
		case "t":
			text = c.plainText()
		case "tab", "ptab":
			text = "\t"
		case "br", "cr":
			if c.attrs["type"] == "page" {
				continue // lastRenderedPageBreak follows
			}
			text = "\n"
		case "noBreakHyphen":
			text = "-"
		case "lastRenderedPageBreak":
			r.pages++
			if !r.any { // before the text
				r.d.page++
				r.pages--
			}
			continue
		case "footnoteReference", "endnoteReference":
			r.note(c)
			continue
		case "drawing", "pict", "object":
			r.readDrawing(c)
			continue
		case "AlternateContent":
			r.readDrawing(textOrNone(c.firstChild("Choice")))
			continue
		default:
			continue
		}
		q := p
		q.text = text
		r.addPart(q)
	}
}

func (r *run) addPart(p part) {
	if p.text == "" {
		return
	}
	r.any = r.any || strings.TrimSpace(p.text) != ""
	r.parts = append(r.parts, p)
}

// note writes the mark of a note.
func (r *run) note(c *node) {
	kind := strings.TrimSuffix(c.name, "Reference")
	n := r.d.notes[kind+" "+c.attrs["id"]]
	if n == nil {
		return
	}
	if number := r.d.numbers[n]; number > 0 { // it is written once
		r.addPart(part{text: " [" + strconv.Itoa(number) + "]"})
		return
	}
	r.d.written++
	if r.d.numbers == nil {
		r.d.numbers = map[*node]int{}
	}
	r.d.numbers[n] = r.d.written
	r.notes = append(r.notes, note{r.d.written, n})
	r.addPart(part{text: " [" + strconv.Itoa(r.d.written) + "]"})
}

// readDrawing reads the texts of frames, and what a picture shows.
func (r *run) readDrawing(n *node) {
	if box := n.findBelow("txbxContent"); box != nil {
		if len(r.boxes) < 100 {
			r.boxes = append(r.boxes, box)
		}
		return
	}
	if about := n.findBelow("docPr"); about != nil && about.attrs["descr"] != "" {
		r.addPart(part{text: "[" + about.attrs["descr"] + "]"})
	}
}

// allCode reports whether all text is in a font of equal widths, and no single word.
func (r *run) allCode() bool {
	words := 0
	for _, p := range r.parts {
		if strings.TrimSpace(p.text) != "" && !p.mono {
			return false
		}
		words += len(strings.Fields(p.text))
	}
	return words > 1
}

// plainText is the text without marks.
func (r *run) plainText() string {
	var b strings.Builder
	for _, p := range r.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// inlineText is the text as an inline.
func (r *run) inlineText() string {
	var b strings.Builder
	for i := 0; i < len(r.parts); {
		n := i + 1
		for n < len(r.parts) && r.parts[n].link == r.parts[i].link {
			n++
		}
		var in strings.Builder
		for k := i; k < n; {
			p := r.parts[k]
			var text strings.Builder
			for ; k < n && r.parts[k].looksAlike(p); k++ {
				text.WriteString(r.parts[k].text)
			}
			p.text = text.String()
			in.WriteString(p.inlineOfPart())
		}
		if link := r.parts[i].link; link != "" {
			b.WriteString(build.LinkInline(in.String(), link))
		} else {
			b.WriteString(in.String())
		}
		i = n
	}
	return b.String()
}

// looksAlike reports whether two parts look alike.
func (p part) looksAlike(o part) bool {
	return p.bold == o.bold && p.italic == o.italic && p.mono == o.mono
}

func (p part) inlineOfPart() string {
	if strings.TrimSpace(p.text) == "" {
		return " "
	}
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(p.text, "\t", " "), "\n") {
		bare := strings.TrimSpace(line)
		if bare == "" {
			lines = append(lines, line)
			continue
		}
		before, after, _ := strings.Cut(line, bare)
		in := build.TextInline(bare)
		switch {
		case p.mono:
			in = build.CodeInline(bare)
		case p.bold:
			in = build.Strong(in)
		case p.italic:
			in = build.Emphasis(in)
		}
		lines = append(lines, before+in+after)
	}
	return strings.Join(lines, "\n")
}
