package rtf

import "strings"

// left are the destinations that are no text of the document. Of those that are marked as ignorable only
// the ones that word knows are read.
var left = map[string]bool{"colortbl": true, "pict": true, "object": true, "objdata": true, "header": true, "headerl": true,
	"headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true, "footerf": true, "ftnsep": true,
	"ftnsepc": true, "ftncn": true, "listtable": true, "listoverridetable": true, "filetbl": true, "revtbl": true, "xe": true,
	"tc": true, "nonshppict": true, "annotation": true, "atnid": true, "atnauthor": true, "bkmkstart": true, "bkmkend": true,
	"generator": true, "themedata": true, "info": true, "private": true, "sp": true, "pgdsctbl": true, "shprslt": true}

// signs are words that stand for a character.
var signs = map[string]string{"tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
	"ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " "}

// applyWord does what a control word says.
func (d *document) applyWord(word string, value int, given bool) {
	if word == "u" {
		if given {
			d.addUnicode(value)
		}
		return
	}
	d.endBytes()
	ignorable := d.ignorable
	d.ignorable = false
	if d.openDestination(word) {
		return
	}
	if ignorable && d.now.to != toStyles || left[word] {
		d.now.to = nowhere
		return
	}
	if sign, ok := signs[word]; ok {
		d.addText(sign)
		return
	}
	if d.now.to == toBody && d.breakText(word) {
		return
	}
	d.setState(word, value, !given || value != 0)
}

// openDestination begins a destination whose text is read.
func (d *document) openDestination(word string) bool {
	s := &d.now
	switch word {
	case "fonttbl":
		s.to = toFonts
	case "stylesheet":
		s.to, d.stylesAt = toStyles, d.depth
	case "ts", "ds": // styles of tables and sections
		if s.to != toStyles {
			return false
		}
		s.to = nowhere
	case "title":
		if s.to == nowhere || s.to == toBody && d.w.Len() == 0 {
			s.to = toTitle
		}
	case "field":
		s.field = &field{}
	case "fldinst":
		if s.to == toBody {
			s.to = toField
		}
	case "fldrslt":
		if s.field != nil {
			s.link = linkOf(s.field.instruction.String())
		}
	case "footnote":
		d.beginNote()
	case "listtext", "pntext":
		if s.to == toBody {
			s.to, d.marker = toMarker, ""
		}
	case "shptxt":
		d.endParagraph(*s)
		s.to = toBody
	default:
		return false
	}
	return true
}

// linkOf is the target of a field's instruction, as in HYPERLINK "https://docs.example.org" \o "tip".
func linkOf(instruction string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(instruction), "HYPERLINK")
	if !ok {
		return ""
	}
	rest = strings.TrimSpace(rest)
	if inside, ok := strings.CutPrefix(rest, `\l`); ok { // a place of the document
		rest = strings.TrimSpace(inside)
		return "#" + strings.Trim(strings.Fields(rest + " x")[0], `"`)
	}
	if inside, ok := strings.CutPrefix(rest, `"`); ok {
		target, _, _ := strings.Cut(inside, `"`)
		return target
	}
	target, _, _ := strings.Cut(rest, " ")
	return target
}

// breakText ends a paragraph, a cell or a row.
func (d *document) breakText(word string) bool {
	switch word {
	case "par", "sect", "page":
		d.endParagraph(d.now)
	case "cell":
		d.endCell()
	case "nestcell":
		d.addText(" ")
	case "nestrow":
		d.addText("\n")
	case "row":
		d.endRow()
	default:
		return false
	}
	return true
}

// setState changes the state of the group.
func (d *document) setState(word string, value int, on bool) {
	s := &d.now
	switch word {
	case "b":
		s.bold = on
	case "i":
		s.italic = on
	case "v", "deleted":
		s.hidden = on
	case "plain":
		s.bold, s.italic, s.hidden, s.font, s.charStyle = false, false, false, d.defaultFont, 0
	case "f":
		s.font = value
	case "cs":
		s.charStyle = value
	case "uc":
		s.unicodeSkip = min(max(value, 0), 16)
	case "pard":
		s.style, s.outline, s.list, s.level, s.inTable, s.nesting = 0, -1, 0, 0, false, 0
	case "s":
		s.style = value
	case "outlinelevel":
		s.outline = value
	case "ls":
		s.list = value
	case "ilvl":
		s.level = min(max(value, 0), mostLevels)
	case "intbl":
		s.inTable = on
	case "itap":
		s.inTable = value > 0
	case "ansicpg":
		if page := codePage(value); page != nil {
			d.page = page
		}
	case "mac":
		d.page = codePage(10000)
	case "pc":
		d.page = codePage(437)
	case "pca":
		d.page = codePage(850)
	case "deff":
		d.defaultFont, s.font = value, value
	case "fcharset", "cpg":
		d.setCharset(word, value)
	case "fprq":
		if s.to == toFonts && value == 1 { // a fixed pitch
			d.mono[s.font] = true
		}
	}
}

// setCharset takes the code page of a font.
func (d *document) setCharset(word string, value int) {
	if d.now.to != toFonts || len(d.pages) >= mostStyles {
		return
	}
	if word == "fcharset" {
		d.symbols[d.now.font] = value == 2
		number, ok := charsets[value]
		if !ok || value == 0 {
			return
		}
		value = number
	}
	if page := codePage(value); page != nil {
		d.pages[d.now.font] = page
	}
}
