package fidelity

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
)

// leftByRTF are the groups of RTF whose text is none of the document.
var leftByRTF = map[string]bool{"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true,
	"header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true, "footerf": true,
	"nonshppict": true, "annotation": true, "fldinst": true, "shprslt": true, "listtext": true, "pntext": true, "xe": true, "tc": true}

// textOfRTF is a scan of a document.
type textOfRTF struct {
	t       *tally
	skips   []bool // of the groups that are open: their text is left out
	skip    bool
	hidden  []bool
	hide    bool
	uc, eat int
	foreign bool // bytes have other code pages than the western one
	high    rune
}

// scanRTF takes the words of RTF. Words with bytes of another code page than the western one are
// not counted; those in Unicode escapes are.
func scanRTF(t *tally, src []byte) {
	r := &textOfRTF{t: t, uc: 1}
	r.foreign = bytes.Contains(src, []byte(`\mac`)) ||
		bytes.Contains(src, []byte(`\ansicpg`)) && !bytes.Contains(src, []byte(`\ansicpg1252`))
	for charset := range strings.FieldsSeq("2 77 128 129 134 136 161 162 163 177 178 186 204 222 238 255") {
		for _, end := range []string{" ", `\`, ";", "{"} {
			r.foreign = r.foreign || bytes.Contains(src, []byte(`\fcharset`+charset+end))
		}
	}
	for len(src) > 0 {
		n := 1
		switch c := src[0]; {
		case c == '{':
			r.skips, r.hidden, r.eat = append(r.skips, r.skip), append(r.hidden, r.hide), 0
		case c == '}':
			if k := len(r.skips) - 1; k >= 0 {
				r.skip, r.hide, r.skips, r.hidden = r.skips[k], r.hidden[k], r.skips[:k], r.hidden[:k]
			}
			if r.eat = 0; len(r.skips) == 0 {
				return
			}
		case c == '\\' && len(src) > 1:
			n = r.readControl(src)
		case c == '\r' || c == '\n':
		case r.eat > 0:
			r.eat--
		default:
			r.addRune(rune(c))
		}
		src = src[n:]
	}
}

func (r *textOfRTF) addRune(c rune) {
	if r.skip || r.hide {
		return
	}
	if c >= 0x80 && c <= 0xFF && r.foreign {
		r.t.resetWord()
		return
	}
	if c < 0x80 && c != '&' {
		r.t.addText([]byte{byte(c)})
		return
	}
	r.t.addText([]byte(string(c)))
}

// readControl reads a control word or symbol and returns its bytes.
func (r *textOfRTF) readControl(src []byte) int {
	n := 1
	for n < len(src) && (src[n]|0x20) >= 'a' && (src[n]|0x20) <= 'z' {
		n++
	}
	if n == 1 {
		return r.readSymbol(src)
	}
	word, from := string(src[1:n]), n
	for n < len(src) && (src[n] >= '0' && src[n] <= '9' || n == from && src[n] == '-') {
		n++
	}
	value, err := strconv.Atoi(string(src[from:n]))
	if n < len(src) && src[n] == ' ' {
		n++
	}
	switch {
	case word == "bin" && value > 0:
		return min(len(src), n+value)
	case word == "u" && err == nil:
		r.addUnicode(value)
		r.eat = r.uc
	case word == "uc":
		r.uc = max(0, min(value, 16))
	case r.eat > 0:
		r.eat--
	case word == "shptxt":
		r.skip = false
		r.t.endWord()
	case leftByRTF[word]:
		r.skip = true
	case word == "v" || word == "deleted":
		r.hide = err != nil || value != 0
	case word == "par" || word == "cell" || word == "row" || word == "tab" || word == "line" || word == "nestcell" || word == "page" ||
		word == "footnote" || word == "sect" || len(word) > 4 && (word[len(word)-4:] == "dash" || word[len(word)-5:] == "quote"):
		r.t.endWord()
	case word == "plain":
		r.hide = false
	}
	return n
}

func (r *textOfRTF) addUnicode(value int) {
	c := rune(uint16(value)) //nolint:gosec // as the format has it
	if utf16.IsSurrogate(c) && r.high == 0 {
		r.high = c
		return
	}
	if r.high != 0 {
		c, r.high = utf16.DecodeRune(r.high, c), 0
	}
	if !r.skip && !r.hide {
		r.t.addText([]byte(string(c)))
	}
}

func (r *textOfRTF) readSymbol(src []byte) int {
	switch src[1] {
	case '\'':
		value, err := strconv.ParseUint(string(src[2:min(4, len(src))]), 16, 8)
		if err == nil && r.eat > 0 {
			r.eat--
		} else if err == nil {
			if r.skip || r.hide {
				return min(4, len(src))
			}
			if value >= 0x80 && !r.foreign {
				r.t.addText([]byte{byte(value)}) // which is read as the western code page has it
			} else {
				r.addRune(rune(value))
			}
		}
		return min(4, len(src))
	case '*':
		r.skip = true
	case '\\', '{', '}':
		if r.eat > 0 {
			r.eat--
		} else {
			r.addRune(rune(src[1]))
		}
	case '~', '_', '\r', '\n':
		r.t.endWord()
	}
	return 2
}
