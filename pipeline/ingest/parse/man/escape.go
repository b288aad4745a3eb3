package man

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// run is a text in one font.
type run struct {
	font byte // 'R', 'B', 'I'
	text string
}

// inline is a line of text as Markdown: bold, which manual pages use for typed text, is
// code; italics, which they use for placeholders, are emphasis.
func (p *page) inline(line string) string {
	if p.next != 0 {
		p.font, p.before, p.next = p.next, p.font, 0
		defer func() { p.font = 'R' }()
	}
	var b strings.Builder
	for _, r := range p.resolveRuns(line) {
		switch r.font {
		case 'B':
			blank := strings.TrimSpace(r.text) == ""
			if blank {
				b.WriteString(r.text)
				break
			}
			lead := len(r.text) - len(strings.TrimLeft(r.text, " "))
			tail := len(strings.TrimRight(r.text, " "))
			b.WriteString(r.text[:lead] + build.CodeInline(r.text[lead:tail]) + r.text[tail:])
		case 'I':
			b.WriteString(build.Emphasis(build.TextInline(r.text)))
		default:
			b.WriteString(build.TextInline(r.text))
		}
	}
	return b.String()
}

// plainLine is a line of text without its fonts.
func (p *page) plainLine(line string) string {
	was, before := p.font, p.before
	defer func() { p.font, p.before = was, before }()
	var b strings.Builder
	for _, r := range p.resolveRuns(line) {
		b.WriteString(r.text)
	}
	return b.String()
}

func (p *page) setFont(name string) {
	was := p.font
	switch name {
	case "B", "3", "CB", "BI", "4", "CW", "C", "CR":
		p.font = 'B'
	case "I", "2", "CI":
		p.font = 'I'
	case "P", "":
		p.font = p.before
	default:
		p.font = 'R'
	}
	p.before = was
}

// Bounds of strings and macros: how deep strings may hold each other, and how many bytes
// both may bring into a page, by its own size. Pages expand into less than twice their size;
// hostile ones would fill the bound, and cost their time for nothing.
const (
	maxExpansion  = 4
	leastExpanded = 64 << 10
	expandedShare = 4
	mostExpanded  = 4 << 20
)

// resolveRuns resolves the escapes of a line.
func (p *page) resolveRuns(line string) []run {
	r := reader{p: p}
	r.readEscapes(line, 0)
	r.endRun()
	return r.out
}

// reader reads the escapes of one line.
type reader struct {
	p   *page
	b   strings.Builder
	out []run
}

// endRun ends a run.
func (r *reader) endRun() {
	if r.b.Len() > 0 {
		r.out = append(r.out, run{r.p.font, r.b.String()})
		r.b.Reset()
	}
}

func (r *reader) readEscapes(s string, depth int) {
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			n := strings.IndexByte(s[i:], '\\')
			if n < 0 {
				n = len(s) - i
			}
			r.b.WriteString(s[i : i+n])
			i += n
			continue
		}
		if i++; i == len(s) {
			return
		}
		c := s[i]
		i++
		switch c {
		case '"', '#': // a comment
			return
		case 'f':
			name, n := argument(s[i:])
			r.endRun()
			r.p.setFont(name)
			i += n
		case '(', '[', 'C':
			at := i - 1
			if c == 'C' {
				at = i
			}
			name, n := argument(s[at:])
			r.b.WriteString(special(name))
			i = at + n
		case '*':
			name, n := argument(s[i:])
			i += n
			value, ok := r.p.strings[name]
			if !ok {
				value = predefined(name)
			}
			if r.p.expanded += len(value); depth < maxExpansion && r.p.expanded <= r.p.budget {
				r.readEscapes(value, depth+1)
			}
		case 'n', 'm', 'M', 'F', 'g', 'k', 'V', 'Y': // registers, colours, families
			_, n := argument(s[i:])
			i += n
		case 's':
			i += sizeArgument(s[i:])
		case 'h', 'v', 'w', 'l', 'L', 'D', 'o', 'b', 'x', 'X', 'Z', 'A', 'B', 'H', 'R', 'S', 'N':
			i += quoted(s[i:])
		case '-':
			r.b.WriteByte('-')
		case 'e', '\\':
			r.b.WriteByte('\\')
		case ' ', '~', '0', 't':
			r.b.WriteByte(' ')
		case '&', '|', '^', '%', '/', ',', ':', ')', 'c', 'd', 'u', 'r', 'z', 'p', '{', '}', 'a':
		case '\'':
			r.b.WriteByte('\'')
		case '`':
			r.b.WriteByte('`')
		default:
			r.b.WriteByte(c)
		}
	}
}

// argument is the name behind an escape, one character, (xx or [name], and its length.
func argument(s string) (name string, n int) {
	switch {
	case s == "":
		return "", 0
	case s[0] == '(':
		n = min(len(s), 3)
		return s[1:n], n
	case s[0] == '[':
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return "", 1
		}
		return s[1:end], end + 1
	case s[0] == '\'':
		end := strings.IndexByte(s[1:], '\'')
		if end < 0 {
			return "", 1
		}
		return s[1 : end+1], end + 2
	}
	return s[:1], 1
}

// quoted is the length of an argument between delimiters.
func quoted(s string) int {
	if s == "" {
		return 0
	}
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 {
		return len(s)
	}
	return end + 2
}

// sizeArgument is the length of the argument of \s.
func sizeArgument(s string) int {
	n := 0
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	if n < len(s) && (s[n] == '(' || s[n] == '[' || s[n] == '\'') {
		_, m := argument(s[n:])
		return n + m
	}
	for digits := 0; n < len(s) && s[n] >= '0' && s[n] <= '9' && digits < 2; digits++ {
		n++
	}
	return n
}

// special is the character of a name, "" where it is not known.
func special(name string) string {
	if s, ok := characters[name]; ok {
		return s
	}
	if hex, ok := strings.CutPrefix(name, "u"); ok && len(hex) >= 4 {
		if n, err := strconv.ParseUint(strings.SplitN(hex, "_", 2)[0], 16, 32); err == nil && n > 0 && n <= 0x10ffff {
			return string(rune(n))
		}
	}
	if len(name) == 2 { // 'e, `a, :u, ~n, ,c, ^o
		if marks, ok := accents[name[0]]; ok {
			if i := strings.IndexByte("aeiouAEIOUncNCy", name[1]); i >= 0 {
				return string([]rune(marks)[i])
			}
		}
	}
	return ""
}

// accents are letters with a mark, in the order aeiouAEIOUncNCy.
var accents = map[byte]string{
	'\'': "áéíóúÁÉÍÓÚńćŃĆý", '`': "àèìòùÀÈÌÒÙǹcǸCỳ", '^': "âêîôûÂÊÎÔÛnĉNĈŷ",
	':': "äëïöüÄËÏÖÜnċNĊÿ", '~': "ãẽĩõũÃẼĨÕŨñcÑCỹ", ',': "aeiouAEIOUņçŅÇy",
}

var characters = map[string]string{
	"aq": "'", "dq": `"`, "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "ga": "`", "ha": "^", "ti": "~", "rs": `\`, "sl": "/", "at": "@",
	"sh": "#", "Do": "$", "ba": "|", "bv": "|",
	"lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "⟨", "ra": "⟩", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "Bq": "„", "bq": "‚",
	"hy": "-", "mi": "-", "en": "–", "em": "—", "bu": "•", "co": "©", "rg": "®", "tm": "™", "de": "°", "mu": "×", "di": "÷", "+-": "±",
	"<=": "≤", ">=": "≥", "!=": "≠", "==": "≡", "~~": "≈", "->": "→", "<-": "←", "<>": "↔",
	"ua": "↑", "da": "↓", "12": "½", "14": "¼", "34": "¾", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o/": "ø", "O/": "Ø",
	"oa": "å", "oA": "Å", "Po": "£", "Eu": "€", "eu": "€", "Ye": "¥", "ct": "¢", "sc": "§", "ps": "¶", "dg": "†", "dd": "‡",
	"*a": "α", "*b": "β", "*g": "γ", "*d": "δ", "*e": "ε", "*l": "λ", "*m": "μ", "*p": "π", "*s": "σ", "*W": "Ω", "if": "∞", "sq": "□",
	"ci": "○", "OK": "✓", "lh": "☞", "rh": "☜", "pl": "+", "eq": "=", "ul": "_", "rn": "‾", "fm": "′", "sd": "″", "br": "│", "or": "|",
	"no": "¬", "tno": "¬", "is": "∫", "sum": "∑",
}

// predefined are the strings of the macro packages.
func predefined(name string) string {
	switch name {
	case "R":
		return "®"
	case "Tm":
		return "™"
	case "lq", "L\"":
		return "“"
	case "rq", "R\"":
		return "”"
	case "Lt":
		return "<"
	case "Gt":
		return ">"
	case "Ba":
		return "|"
	case "Pm":
		return "±"
	case "Am":
		return "&"
	}
	return ""
}
