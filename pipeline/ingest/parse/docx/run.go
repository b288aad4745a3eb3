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
	any    bool           // there is text
	anchor string         // the first bookmark
	pages  int            // breaks of pages in it
	boxes  []*office.Node // texts in frames, which stand behind the paragraph
	notes  []note         // that it refers to, which are written behind it
	link   string         // target of the link that is read
}

// readChildren reads the children of an element of a paragraph.
func (r *run) readChildren(n *office.Node) {
	for _, c := range n.Children {
		switch c.Name {
		case "r":
			r.readRun(c)
		case "hyperlink":
			was := r.link
			if target := r.d.links[c.Attr("id")]; target != "" {
				r.link = target
			} else if at := c.Attr("anchor"); at != "" {
				r.link = "#" + at
			}
			r.readChildren(c)
			r.link = was
		case "bookmarkStart":
			if name := c.Attr("name"); r.anchor == "" && name != "" && !strings.HasPrefix(name, "_") {
				r.anchor = name
			}
		case "ins", "moveTo", "smartTag", "customXml", "fldSimple", "sdtContent", "dir", "bdo":
			r.readChildren(c)
		case "sdt":
			r.readChildren(textOrNone(c.Child("sdtContent")))
		case "oMath", "oMathPara":
			r.addPart(office.Run{Text: c.PlainText()})
		}
	}
}

// readRun reads one run of equal looks.
func (r *run) readRun(n *office.Node) {
	properties := n.Child("rPr")
	if isSwitchedOn(properties, "vanish") {
		return
	}
	p := office.Run{Bold: isSwitchedOn(properties, "b"), Italic: isSwitchedOn(properties, "i"), Mono: isMono(properties), Link: r.link}
	if s := r.d.styles[valueOf(properties, "rStyle")]; s != nil {
		p.Mono = p.Mono || s.code
	}
	for _, c := range n.Children {
		text := ""
		switch c.Name {
		case "t":
			text = c.PlainText()
		case "tab", "ptab":
			text = "\t"
		case "br", "cr":
			if c.Attr("type") == "page" {
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
			r.readNote(c)
			continue
		case "drawing", "pict", "object":
			r.readDrawing(c)
			continue
		case "AlternateContent":
			r.readDrawing(textOrNone(c.Child("Choice")))
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

// readNote writes the mark of a note.
func (r *run) readNote(c *office.Node) {
	kind := strings.TrimSuffix(c.Name, "Reference")
	n := r.d.notes[kind+" "+c.Attr("id")]
	if n == nil {
		return
	}
	if number := r.d.numbers[n]; number > 0 { // it is written once
		r.addPart(office.Run{Text: " [" + strconv.Itoa(number) + "]"})
		return
	}
	r.d.written++
	if r.d.numbers == nil {
		r.d.numbers = map[*office.Node]int{}
	}
	r.d.numbers[n] = r.d.written
	r.notes = append(r.notes, note{r.d.written, n})
	r.addPart(office.Run{Text: " [" + strconv.Itoa(r.d.written) + "]"})
}

// readDrawing reads the texts of frames, and what a picture shows.
func (r *run) readDrawing(n *office.Node) {
	if box := n.Find("txbxContent"); box != nil {
		if len(r.boxes) < 100 {
			r.boxes = append(r.boxes, box)
		}
		return
	}
	if about := n.Find("docPr"); about != nil && about.Attr("descr") != "" {
		r.addPart(office.Run{Text: "[" + about.Attr("descr") + "]"})
	}
}

// allCode reports whether all text is in a font of equal widths, and no single word.
func (r *run) allCode() bool { return office.RunsAreCode(r.parts) }

// plainText is the text without marks.
func (r *run) plainText() string { return office.RunsText(r.parts) }

// inlineText is the text as an inline.
func (r *run) inlineText() string { return office.RunsInline(r.parts) }
