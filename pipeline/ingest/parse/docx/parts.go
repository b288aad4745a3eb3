package docx

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
)

// style is what the parser asks of a style.
type style struct {
	name    string // in lower case
	basedOn string
	heading int // 1 to 9, 0: none
	code    bool
	list    string // id of its numbering
	level   int
}

// level is one level of a numbering.
type level struct {
	bullet bool
	start  int
}

// readParts reads the other parts than the text. Missing and damaged parts are skipped; a
// part that unpacks to too much is an error.
func (d *document) readParts() error {
	parts := map[string]*office.Node{}
	for _, name := range []string{"docProps/core.xml", "word/styles.xml", "word/numbering.xml", "word/_rels/document.xml.rels",
		"word/footnotes.xml", "word/endnotes.xml"} {
		data, err := d.archive.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			parts[name] = &office.Node{}
			continue
		}
		if err != nil {
			return err
		}
		root, whole := readPart(context.Background(), data)
		if !whole {
			d.w.Warn("its part %s is damaged", name)
		}
		parts[name] = root
	}
	core := parts["docProps/core.xml"]
	d.title = spacing.Single(core.Find("title").PlainText())
	for _, about := range []string{"subject", "keywords", "description"} {
		d.w.AddMetadata(core.Find(about).PlainText())
	}
	d.readStyles(parts["word/styles.xml"])
	d.readNumbering(parts["word/numbering.xml"])
	d.links = map[string]string{}
	if all := parts["word/_rels/document.xml.rels"].Child("Relationships"); all != nil {
		for _, r := range all.Children {
			if r.Attr("TargetMode") == "External" && len(r.Attr("Target")) <= longestTarget {
				d.links[r.Attr("Id")] = r.Attr("Target")
			}
		}
	}
	d.notes = map[string]*office.Node{}
	for _, kind := range []string{"footnote", "endnote"} {
		if all := parts["word/"+kind+"s.xml"].Child(kind + "s"); all != nil {
			for _, n := range all.Children {
				if n.Attr("type") == "" || n.Attr("type") == "normal" {
					d.notes[kind+" "+n.Attr("id")] = n
				}
			}
		}
	}
	return nil
}

func (d *document) readStyles(root *office.Node) {
	d.styles = map[string]*style{}
	all := root.Child("styles")
	if all == nil {
		return
	}
	for _, n := range all.Children {
		if n.Name != "style" {
			continue
		}
		s := &style{name: strings.ToLower(valueOf(n, "name")), basedOn: valueOf(n, "basedOn")}
		if level, ok := strings.CutPrefix(s.name, "heading "); ok {
			s.heading = numberOrDefault(level, 0)
		} else if at := n.Child("pPr").Child("outlineLvl"); at != nil {
			s.heading = numberOrDefault(at.Attr("val"), -1) + 1
		}
		if s.heading > 9 || s.heading < 0 {
			s.heading = 0
		}
		s.code = office.IsCodeStyle(s.name) || isMono(n.Child("rPr"))
		if num := n.Child("pPr").Child("numPr"); num != nil {
			s.list, s.level = valueOf(num, "numId"), numberOrDefault(valueOf(num, "ilvl"), 0)
		}
		d.styles[n.Attr("styleId")] = s
	}
	for _, s := range d.styles { // what a style takes over
		for base, depth := d.styles[s.basedOn], 0; base != nil && depth < 10; base, depth = d.styles[base.basedOn], depth+1 {
			if s.heading == 0 {
				s.heading = base.heading
			}
			s.code = s.code || base.code && s.heading == 0
			if s.list == "" && s.heading == 0 {
				s.list, s.level = base.list, base.level
			}
		}
	}
}

// isMono reports whether properties of a run name a font of equal widths.
func isMono(properties *office.Node) bool {
	f := properties.Child("rFonts")
	if f == nil {
		return false
	}
	return office.IsMonoFont(strings.ToLower(f.Attr("ascii") + " " + f.Attr("hAnsi")))
}

func (d *document) readNumbering(root *office.Node) {
	d.numbering = map[string][]level{}
	all := root.Child("numbering")
	if all == nil {
		return
	}
	abstract := map[string][]level{}
	for _, n := range all.Children {
		switch n.Name {
		case "abstractNum":
			levels := make([]level, 9)
			for _, l := range n.Children {
				if at := numberOrDefault(l.Attr("ilvl"), -1); l.Name == "lvl" && at >= 0 && at < len(levels) {
					format := valueOf(l, "numFmt")
					levels[at] = level{bullet: format == "bullet" || format == "none", start: numberOrDefault(valueOf(l, "start"), 1)}
				}
			}
			abstract[n.Attr("abstractNumId")] = levels
		case "num":
			d.numbering[n.Attr("numId")] = abstract[valueOf(n, "abstractNumId")]
		}
	}
}

// numberOrDefault reads a number, or other.
func numberOrDefault(s string, other int) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return other
	}
	return n
}

// longestTarget is the length of a link's target, in bytes, that is kept. It is written at
// each use of the link.
const longestTarget = 2 << 10
