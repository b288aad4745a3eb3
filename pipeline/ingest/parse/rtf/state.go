package rtf

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
)

// destination is where the text of a group goes.
type destination int

const (
	toBody destination = iota
	nowhere
	toFonts
	toStyles
	toTitle
	toField  // the instruction of a field
	toMarker // the number or bullet of a list's item
)

// state is what a group takes over from the one around it, and gives back at its end.
type state struct {
	to                   destination
	bold, italic, hidden bool
	font                 int
	charStyle            int // by its number; 0: none
	unicodeSkip          int // bytes that stand for a \u in programs that do not know it
	style                int // of the paragraph
	outline              int // its level from 0, -1: none
	list                 int // number of its list, 0: none
	level                int // in the list
	inTable              bool
	nesting              int // of tables
	link                 string
	field                *field
	note                 bool // it is in a footnote
}

// field is a field of which the instruction has been read.
type field struct{ instruction strings.Builder }

// style is what a style of paragraphs or characters says.
type style struct {
	name          string // in lower case
	outline, font int    // -1: none
}

// openGroup begins a group.
func (d *document) openGroup() {
	d.depth++
	if d.depth <= deepest {
		d.states = append(d.states, d.now)
	}
	d.ignorable = false
}

// closeGroup ends a group.
func (d *document) closeGroup() {
	if d.depth == 0 {
		return
	}
	d.ignorable = false
	if d.depth <= deepest {
		was := d.now
		d.now = d.states[len(d.states)-1]
		d.states = d.states[:len(d.states)-1]
		if was.note && !d.now.note {
			d.endNote()
		}
		if was.to == toStyles && d.depth == d.stylesAt+1 {
			d.endStyle(was)
		}
		if was.to == toBody && d.now.to != toBody && len(d.runs) > 0 { // a text box in a drawing
			d.endParagraph(was)
		}
	}
	d.depth--
}

// endBytes decodes the bytes that have come by the code page of their font.
func (d *document) endBytes() {
	if len(d.bytes) == 0 {
		return
	}
	raw := d.bytes
	d.bytes = d.bytes[:0]
	ascii := true
	for _, c := range raw {
		ascii = ascii && c < 0x80
	}
	if ascii {
		d.addText(string(raw))
		return
	}
	if d.symbols[d.now.font] {
		d.addText(strings.Map(func(r rune) rune {
			if r >= 0x80 || r == '\uFFFD' {
				return '•'
			}
			return r
		}, string([]rune(latin(raw)))))
		return
	}
	page := d.page
	if own := d.pages[d.now.font]; own != nil {
		page = own
	}
	text, err := page.NewDecoder().Bytes(raw)
	if err != nil {
		text = []byte(latin(raw))
	}
	d.addText(string(text))
}

// latin is bytes as the western code page has them.
func latin(raw []byte) string {
	var b strings.Builder
	for _, c := range raw {
		b.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return b.String()
}

// addUnicode adds a character by its number, which is negative above 32767, and is half of a character
// beyond 65535.
func (d *document) addUnicode(value int) {
	d.endBytes()
	d.fallback = d.now.unicodeSkip
	r := rune(uint16(value)) //nolint:gosec // as the format has it
	if value > 0xFFFF && value <= 0x10FFFF {
		r = rune(value)
	}
	if d.high != 0 {
		whole := utf16.DecodeRune(d.high, r)
		d.high = 0
		d.addText(string(whole))
		return
	}
	if r >= 0xD800 && r < 0xDC00 {
		d.high = r
		return
	}
	if r >= 0xF000 && r <= 0xF0FF && d.symbols[d.now.font] { // a sign of a symbol font
		r = '•'
	}
	if r >= ' ' {
		d.addText(string(r))
	}
}

// addText adds text to where the text of the group goes.
func (d *document) addText(text string) {
	if text == "" {
		return
	}
	switch s := &d.now; s.to {
	case toBody:
		if !s.hidden {
			mono := d.mono[s.font] || office.IsCodeStyle(d.styles[s.charStyle].name) && s.charStyle != 0
			if len(d.runs) == 0 {
				d.begun = d.line
			}
			d.runs = append(d.runs, office.Run{Text: text, Bold: s.bold, Italic: s.italic, Mono: mono, Link: s.link})
		}
	case toFonts:
		if name := strings.ToLower(text); office.IsMonoFont(name) {
			d.mono[s.font] = true
		} else if strings.HasPrefix(name, "symbol") || strings.HasPrefix(name, "wingdings") {
			d.symbols[s.font] = true
		}
	case toStyles:
		d.styleName.WriteString(text)
	case toTitle:
		d.title += text
	case toField:
		if s.field != nil && s.field.instruction.Len() < 4096 {
			s.field.instruction.WriteString(text)
		}
	case toMarker:
		if len(d.marker) < 40 {
			d.marker += text
		}
	}
}

// endStyle takes an entry of the table of styles.
func (d *document) endStyle(was state) {
	name := strings.ToLower(spacing.Single(strings.TrimSuffix(strings.TrimSpace(d.styleName.String()), ";")))
	d.styleName.Reset()
	if len(d.styles) < mostStyles {
		number := was.style
		if was.charStyle != 0 {
			number = was.charStyle
		}
		d.styles[number] = style{name: name, outline: was.outline, font: was.font}
	}
}

// mostStyles is how many styles and fonts are kept.
const mostStyles = 10_000

// charsets are the code pages of fonts' character sets.
var charsets = map[int]int{0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
	178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 255: 437}

// codePage is the decoder of a code page, nil where it is not known.
func codePage(number int) encoding.Encoding {
	switch number {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 852:
		return charmap.CodePage852
	case 1252:
		return charmap.Windows1252
	case 10000:
		return charmap.Macintosh
	}
	name, ok := map[int]string{866: "ibm866", 874: "windows-874", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5",
		1250: "windows-1250", 1251: "windows-1251", 1253: "windows-1253", 1254: "windows-1254", 1255: "windows-1255",
		1256: "windows-1256", 1257: "windows-1257", 1258: "windows-1258", 10007: "x-mac-cyrillic", 65001: "utf-8"}[number]
	if !ok {
		return nil
	}
	page, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	return page
}
