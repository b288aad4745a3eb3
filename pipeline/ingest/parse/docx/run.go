package docx

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/office"
)

// run collects the text of a paragraph.
type run struct {
	d    *document
	code bool // all of it is code, whatever its fonts

	parts  []office.Run
	any    bool    // there is text
	anchor string  // the first bookmark
	pages  int     // breaks of pages in it
	boxes  []*node // texts in frames, which stand behind the paragraph
	notes  []note  // that it refers to, which are written behind it
	link   string  // target of the link that is read
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
			r.addPart(office.Run{Text: c.plainText()})
		}
	}
}

// readRun reads one run of equal looks.
func (r *run) readRun(n *node) {
	properties := n.firstChild("rPr")
	if properties.isSwitchedOn("vanish") {
		return
	}
	p := office.Run{Bold: properties.isSwitchedOn("b"), Italic: properties.isSwitchedOn("i"), Mono: isMono(properties), Link: r.link}
	if s := r.d.styles[properties.valueOf("rStyle")]; s != nil {
		p.Mono = p.Mono || s.code
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
		q.Text = text
		r.addPart(q)
	}
}

func (r *run) addPart(p office.Run) {
	if p.Text == "" {
		return
	}
	r.any = r.any || strings.TrimSpace(p.Text) != ""
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
		r.addPart(office.Run{Text: " [" + strconv.Itoa(number) + "]"})
		return
	}
	r.d.written++
	if r.d.numbers == nil {
		r.d.numbers = map[*node]int{}
	}
	r.d.numbers[n] = r.d.written
	r.notes = append(r.notes, note{r.d.written, n})
	r.addPart(office.Run{Text: " [" + strconv.Itoa(r.d.written) + "]"})
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
		r.addPart(office.Run{Text: "[" + about.attrs["descr"] + "]"})
	}
}

// allCode reports whether all text is in a font of equal widths, and no single word.
func (r *run) allCode() bool { return office.RunsAreCode(r.parts) }

// plainText is the text without marks.
func (r *run) plainText() string { return office.RunsText(r.parts) }

// inlineText is the text as an inline.
func (r *run) inlineText() string { return office.RunsInline(r.parts) }
