package texinfo

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

var (
	codes    = spacing.WordSet("code command option samp kbd key file env verb t math indicateurl displaymath")
	strongs  = spacing.WordSet("strong b headitemfont")
	emphases = spacing.WordSet("emph i dfn cite slanted var")
	leftOut  = spacing.WordSet("anchor cindex findex kindex vindex pindex tindex inlineraw hyphenation titlefont " +
		"caption shortcaption sortas")
	// isFormat has the commands that a table may give to its terms.
	isFormat  = spacing.WordSet("code command option samp kbd key file env verb t math strong b emph i dfn cite slanted var r sc w asis")
	constants = map[string]string{"dots": "...", "enddots": "....", "bullet": "*", "copyright": "\u00a9", "registeredsymbol": "\u00ae",
		"minus": "-", "result": "=>", "expansion": "==>", "print": "-|", "error": "error-->", "equiv": "==", "point": "-!-", "TeX": "TeX",
		"LaTeX": "LaTeX", "pounds": "\u00a3", "euro": "EUR", "comma": ",", "atchar": "@", "lbracechar": "{", "rbracechar": "}",
		"backslashchar": `\`, "hashchar": "#", "ampchar": "&", "tie": " ", "space": " ", "ss": "\u00df", "ae": "\u00e6", "AE": "\u00c6",
		"o": "\u00f8", "O": "\u00d8", "aa": "\u00e5", "AA": "\u00c5", "quoteleft": "`", "quoteright": "'", "arrow": "->", "geq": ">=",
		"leq": "<=", "textdegree": "\u00b0", "exclamdown": "\u00a1", "questiondown": "\u00bf", "today": "", "click": "->"}
	accents = map[byte]rune{'\'': 0x301, '`': 0x300, '^': 0x302, '"': 0x308, '~': 0x303, ',': 0x327, '=': 0x304}
)

// mostDeep is how deep commands stand in each other.
const mostDeep = 30

// mostVerb is the most bytes of a @verb.
const mostVerb = 4 << 10

// inliner reads the commands within a text.
type inliner struct {
	*page
	text   string
	at     int
	places []int // of the text's lines; nil: not known
	row    int
	plain  bool // the result is plain text, else a raw inline
	deep   int
}

// inline is a text as a raw inline; places are the lines of its lines.
func (p *page) inline(text string, places []int) string {
	q := &inliner{page: p, text: text, places: places}
	var b strings.Builder
	q.mark(&b, false)
	for q.at < len(q.text) {
		q.read(&b)
	}
	return b.String()
}

// plain is a text without its commands.
func (p *page) plain(text string) string {
	if !strings.ContainsAny(text, "@{}") {
		return text
	}
	q := &inliner{page: p, text: text, plain: true}
	var b strings.Builder
	for q.at < len(q.text) {
		q.read(&b)
	}
	return b.String()
}

// plainArgument is the argument of a command without the commands in it.
func (q *inliner) plainArgument(arg string) string {
	if q.deep >= mostDeep || !strings.ContainsAny(arg, "@{}") {
		return arg
	}
	sub := &inliner{page: q.page, text: arg, plain: true, deep: q.deep + 1}
	var b strings.Builder
	for sub.at < len(sub.text) {
		sub.read(&b)
	}
	return b.String()
}

// mark says the line of the text that follows.
func (q *inliner) mark(b *strings.Builder, isBreak bool) {
	if !q.plain && q.row < len(q.places) {
		build.MarkLine(b, q.places[q.row], isBreak)
	}
}

// say adds text.
func (q *inliner) say(b *strings.Builder, s string) {
	if q.plain {
		b.WriteString(s)
		return
	}
	b.WriteString(build.TextInline(s))
}

// read reads a piece up to a brace that closes more than it opened, which is passed over.
func (q *inliner) read(b *strings.Builder) {
	for q.at < len(q.text) {
		switch c := q.text[q.at]; c {
		case '}':
			q.at++
			return
		case '{':
			q.at++
			q.nested(b)
		case '\n':
			q.at++
			q.row++
			if q.plain {
				b.WriteByte('\n')
			} else if q.row < len(q.places) {
				q.mark(b, true)
			} else {
				b.WriteByte(' ')
			}
		case '@':
			q.readCommand(b)
		default:
			end := strings.IndexAny(q.text[q.at:], "@{}\n")
			if end < 0 {
				end = len(q.text) - q.at
			}
			s := q.text[q.at : q.at+end]
			if !q.plain && strings.ContainsAny(s, "-`'") {
				s = typographic(s)
			}
			q.say(b, s)
			q.at += end
		}
	}
}

// longOption is the dashes of an option in a text. Readers type them, and search for them.
var longOption = pattern.Lazy(`(^|[\s("'/,=|\[])--([A-Za-z])`)

// typographic is a text with dashes and quotation marks as they are printed.
func typographic(s string) string {
	const kept = "\x00"
	if strings.Contains(s, "--") {
		s = longOption().ReplaceAllString(s, "${1}"+kept+"${2}")
	}
	return strings.NewReplacer(kept, "--", "---", "—", "--", "–", "``", "“", "''", "”").Replace(s)
}

// nested reads up to the closing brace.
func (q *inliner) nested(b *strings.Builder) {
	if q.deep++; q.deep > mostDeep {
		q.deep--
		return
	}
	q.read(b)
	q.deep--
}

// readCommand reads a command.
func (q *inliner) readCommand(b *strings.Builder) {
	q.at++
	if q.at >= len(q.text) {
		return
	}
	c := q.text[q.at]
	if !(c|0x20 >= 'a' && c|0x20 <= 'z') {
		q.readSign(b, c)
		return
	}
	from := q.at
	for q.at < len(q.text) && (q.text[q.at]|0x20 >= 'a' && q.text[q.at]|0x20 <= 'z' || q.text[q.at] >= '0' && q.text[q.at] <= '9') {
		q.at++
	}
	name := q.text[from:q.at]
	if q.at >= len(q.text) || q.text[q.at] != '{' {
		if value, ok := constants[name]; ok {
			q.say(b, value)
		}
		return
	}
	if name == "verb" {
		q.readVerb(b)
		return
	}
	end := closingBrace(q.text, q.at)
	if end < 0 {
		end = len(q.text)
	}
	arg := q.text[q.at+1 : end]
	if q.plain || q.takesArgument(name) {
		q.at = min(end+1, len(q.text))
		if q.deep < mostDeep {
			q.deep++
			q.writeCommand(b, name, arg)
			q.deep--
		}
		q.row += strings.Count(arg, "\n")
		if strings.Contains(arg, "\n") {
			q.mark(b, false)
		}
		return
	}
	q.at++
	q.nested(b)
}

// takesArgument reports whether a command does more with its argument than to show it.
func (q *inliner) takesArgument(name string) bool {
	_, constant := constants[name]
	switch name {
	case "xref", "pxref", "ref", "inforef", "uref", "url", "email", "footnote", "acronym", "abbr", "value", "image", "U", "w", "dotless",
		"ringaccent", "udotaccent", "ubaraccent", "v", "u", "H", "tieaccent", "inlinefmt", "inlineifset":
		return true
	}
	return constant || codes[name] || strongs[name] || emphases[name] || leftOut[name]
}

// readSign reads a command that is a sign.
func (q *inliner) readSign(b *strings.Builder, c byte) {
	q.at++
	switch c {
	case '@', '{', '}', '.', '!', '?', '&', '\\':
		q.say(b, string(c))
	case '*':
		b.WriteByte(' ')
	case ' ', '\t', '\n':
		b.WriteByte(' ')
		if c == '\n' {
			q.row++
		}
	case ':', '-', '/', '|':
	default:
		mark, ok := accents[c]
		if !ok {
			q.say(b, string(rune(c)))
			return
		}
		letter := ""
		if strings.HasPrefix(q.text[q.at:], "{") {
			if end := closingBrace(q.text, q.at); end > 0 && end-q.at < 12 {
				letter = q.plainArgument(q.text[q.at+1 : end])
				q.at = end + 1
			}
		} else if q.at < len(q.text) {
			letter = q.text[q.at : q.at+1]
			q.at++
		}
		q.say(b, norm.NFC.String(letter+string(mark)))
	}
}

// readVerb reads code between two signs of its own.
func (q *inliner) readVerb(b *strings.Builder) {
	rest := q.text[q.at+1:]
	if len(rest) < 2 {
		q.at = len(q.text)
		return
	}
	end := strings.Index(rest[1:min(len(rest), mostVerb)], rest[:1]+"}")
	if end < 0 {
		q.at++
		return
	}
	code := rest[1 : 1+end]
	q.at += 1 + 1 + end + 2
	q.row += strings.Count(code, "\n")
	if q.plain {
		b.WriteString(code)
	} else {
		b.WriteString(build.CodeInline(code))
	}
}

// inner is the argument of a command as a raw inline, or as plain text.
func (q *inliner) inner(arg string) string {
	sub := &inliner{page: q.page, text: arg, plain: q.plain, deep: q.deep}
	if q.row < len(q.places) {
		sub.places = q.places[q.row:]
	}
	var b strings.Builder
	sub.mark(&b, false)
	for sub.at < len(sub.text) {
		sub.read(&b)
	}
	return b.String()
}

// writeCommand writes a command with an argument in braces.
func (q *inliner) writeCommand(b *strings.Builder, name, arg string) {
	value, constant := constants[name]
	switch {
	case constant:
		q.say(b, value)
	case leftOut[name]:
	case codes[name]:
		text := q.plainArgument(arg)
		if q.plain {
			b.WriteString(text)
		} else {
			b.WriteString(build.CodeInline(text))
		}
	case strongs[name]:
		q.wrap(b, arg, build.Strong)
	case emphases[name]:
		q.wrap(b, arg, build.Emphasis)
	default:
		q.writeOther(b, name, arg)
	}
}

func (q *inliner) wrap(b *strings.Builder, arg string, f func(string) string) {
	if q.plain {
		b.WriteString(q.inner(arg))
		return
	}
	build.WrapRaw(b, q.inner(arg), f)
}

func (q *inliner) writeOther(b *strings.Builder, name, arg string) {
	args := splitArguments(arg)
	at := func(i int) string {
		if i < len(args) {
			return spacing.Single(q.plainArgument(args[i]))
		}
		return ""
	}
	switch name {
	case "xref", "pxref", "ref", "inforef":
		q.writeReference(b, name, at)
	case "uref", "url":
		text := at(1)
		if at(2) != "" {
			text = at(2)
		}
		if text == "" {
			text = at(0)
		}
		q.link(b, text, at(0))
	case "email":
		text := at(1)
		if text == "" {
			text = at(0)
		}
		q.link(b, text, "mailto:"+at(0))
	case "footnote":
		q.say(b, " (")
		text, _ := build.RawLines(q.inner(arg))
		b.WriteString(spacing.Single(text))
		q.say(b, ")")
	case "acronym", "abbr":
		q.say(b, at(0))
		if at(1) != "" {
			q.say(b, " ("+at(1)+")")
		}
	case "value":
		if v, ok := q.values[arg]; ok && q.deep < 3 {
			b.WriteString(q.inner(v))
		} else {
			q.say(b, arg)
		}
	case "image":
		if alt := at(3); alt != "" {
			q.say(b, alt)
		}
	case "U":
		if n, err := strconv.ParseUint(strings.TrimSpace(arg), 16, 21); err == nil && unicode.IsPrint(rune(n)) {
			q.say(b, string(rune(n)))
		}
	case "inlinefmt", "inlineifset":
		if at(0) == "info" || name == "inlineifset" {
			q.say(b, at(1))
		}
	default:
		b.WriteString(q.inner(arg))
	}
}

func (q *inliner) link(b *strings.Builder, text, target string) {
	if q.plain {
		b.WriteString(text)
		return
	}
	b.WriteString(build.LinkInline(build.TextInline(text), target))
}

// writeReference writes a reference to a node, of this manual or of another one.
func (q *inliner) writeReference(b *strings.Builder, name string, at func(int) string) {
	text := at(0)
	for _, i := range []int{2, 1} {
		if at(i) != "" && name != "inforef" {
			text = at(i)
			break
		}
	}
	switch name {
	case "xref":
		q.say(b, "See ")
	case "pxref":
		q.say(b, "see ")
	}
	manual := at(4)
	if manual == "" {
		manual = at(3)
	}
	switch {
	case manual != "" && text == "":
		q.say(b, manual)
	case manual != "":
		q.say(b, text+" in "+manual)
	case q.nodes[at(0)]:
		q.link(b, text, "#"+nodeID(at(0)))
	case q.placeOfNode(at(0)) != "":
		q.link(b, text, q.placeOfNode(at(0)))
	default:
		q.say(b, text)
	}
}
