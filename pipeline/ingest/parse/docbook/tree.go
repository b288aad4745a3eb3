package docbook

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/decode"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// Bounds of one file.
const (
	maxDepth    = 150     // elements nested deeper count as their text
	maxNodes    = 400_000 // elements and texts
	maxMended   = 100     // errors after which the rest of a file is text
	maxWarnings = 20
)

// node is an element, or text where name is empty. Names have no prefix.
type node struct {
	name  string
	attrs []xml.Attr
	kids  []*node
	text  string
	line  int
	fixed bool   // it was taken from another file; line is where
	from  string // path of the file that it stands in, "" for the page's own
}

// attribute is an attribute by its name without a prefix.
func (n *node) attribute(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *node) id() string { return n.attribute("id") }

// child is the first child with one of some names, or nil.
func (n *node) child(names ...string) *node {
	for _, k := range n.kids {
		for _, name := range names {
			if k.name == name {
				return k
			}
		}
	}
	return nil
}

// plainText is the text of an element on one line.
func (n *node) plainText() string {
	var b strings.Builder
	n.addPlain(&b)
	return spacing.Single(b.String())
}

// addPlain adds the text of an element without that of hidden ones in it.
func (n *node) addPlain(b *strings.Builder) {
	b.WriteString(n.text)
	for _, k := range n.kids {
		if !isHidden[k.name] && k.name != "footnote" {
			if isNamePart[k.name] {
				b.WriteByte(' ')
			}
			k.addPlain(b)
		}
	}
}

var (
	xmlDeclaration = pattern.Lazy(`^\s*<\?xml\s[^>]*?\?>`)
	markedSection  = pattern.Lazy(`<!\[\s*(?:%[\w.-]+;?|INCLUDE|TEMP)\s*\[`)
	anyTag         = pattern.Lazy(`<[^<>]*>`)
)

// toUTF8 gives a file as UTF-8, line for line.
func toUTF8(src []byte) (text []byte, warning string) {
	if wide, _, ok := decode.DecodeUTF16(src); ok {
		return wide, ""
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if utf8.Valid(src) {
		return src, ""
	}
	text, as, known := decode.ToUTF8(src)
	if as == "utf-8" { // with stray bytes
		text, _ = decode.MendWindows1252(src)
		return text, "not all of it is UTF-8; these bytes are read as windows-1252"
	}
	if known {
		return text, ""
	}
	return text, "it is not UTF-8 and is read as " + as + "; save it as UTF-8"
}

// prepared is the text of a file without its declaration, marks of sections of SGML and
// characters that XML does not allow: blanks stand in their places.
func prepared(text []byte) []byte {
	text = bytes.Clone(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	if loc := xmlDeclaration().FindIndex(text[:min(len(text), 1000)]); loc != nil {
		blank(loc[0], loc[1])
	}
	if marks := markedSection().FindAllIndex(text, -1); len(marks) > 0 {
		for _, m := range marks {
			blank(m[0], m[1])
		}
		cdata := false
		for i := 0; i+2 < len(text); i++ {
			switch {
			case bytes.HasPrefix(text[i:], []byte("<![CDATA[")):
				cdata = true
			case bytes.HasPrefix(text[i:], []byte("]]>")):
				if !cdata {
					blank(i, i+3)
				}
				cdata = false
			}
		}
	}
	for i, c := range text {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			text[i] = ' '
		}
	}
	return text
}

// treeReader makes a tree of a file's tags and text.
type treeReader struct {
	text     []byte
	dec      *xml.Decoder
	base     int
	counted  int // line is the line of this offset
	line     int
	open     []*node
	over     int
	nodes    int
	mended   int
	again    int
	entities map[string]string
	warnings []string
}

// readTree reads a file. The root has no name; its children are those of the file.
func readTree(src []byte, file string, opt parse.Options) (root *node, warnings []string) {
	text, warning := toUTF8(src)
	names := entityFiles{opt: opt}
	declared := names.declaredFor(text, file)
	text = names.withFiles(withKeysApart(text), file, declared)
	r := &treeReader{text: prepared(text), line: 1, open: []*node{{}}, again: 2*len(text) + 1<<20}
	if warning != "" {
		r.warnings = append(r.warnings, warning)
	}
	r.entities = entitiesOf(r.text, declared, names.sharedText)
	r.restartAt(0)
	for r.readToken() {
	}
	if n := len(r.open); n > 1 {
		r.warn(r.line, fmt.Sprintf("the file ends before </%s>", r.open[n-1].name))
	}
	return r.open[0], r.warnings
}

var keyCombination = pattern.Lazy(`(?s)<keycombo\b.{0,400}?</keycombo>`)

// withKeysApart is a text with blanks between the keys of combinations that are entities: nothing
// else is between the names that such entities may stand for.
func withKeysApart(text []byte) []byte {
	if !bytes.Contains(text, []byte("<keycombo")) {
		return text
	}
	return keyCombination().ReplaceAllFunc(text, func(keys []byte) []byte {
		return bytes.ReplaceAll(keys, []byte(";&"), []byte("; &"))
	})
}

func (r *treeReader) warn(line int, what string) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, fmt.Sprintf("line %d: %s", line, what))
	}
}

func (r *treeReader) restartAt(offset int) {
	r.base = offset
	r.dec = xml.NewDecoder(bytes.NewReader(r.text[offset:]))
	r.dec.Strict, r.dec.Entity = false, r.entities
}

func (r *treeReader) lineAt(offset int) int {
	if offset > r.counted {
		r.line += bytes.Count(r.text[r.counted:offset], []byte{'\n'})
		r.counted = offset
	}
	return r.line
}

// readToken reads a tag or a text; false at the end.
func (r *treeReader) readToken() bool {
	start := r.base + int(r.dec.InputOffset())
	line := r.lineAt(start)
	token, err := r.dec.RawToken()
	switch {
	case errors.Is(err, io.EOF):
		return false
	case err != nil:
		return r.mend(start, line, err)
	}
	switch t := token.(type) {
	case xml.StartElement:
		r.startElement(t, line)
	case xml.EndElement:
		r.endElement(t.Name.Local, line)
	case xml.CharData:
		r.addText(string(t), line)
	}
	return true
}

func (r *treeReader) startElement(t xml.StartElement, line int) {
	if len(r.open) > maxDepth || r.nodes >= maxNodes {
		if r.over++; r.over == 1 {
			r.warn(line, "elements are nested too deep, or too many; from here on they are read as text")
		}
		return
	}
	r.nodes++
	n := &node{name: t.Name.Local, attrs: t.Copy().Attr, line: line}
	top := r.open[len(r.open)-1]
	top.kids = append(top.kids, n)
	r.open = append(r.open, n)
}

func (r *treeReader) endElement(name string, line int) {
	if r.over > 0 {
		r.over--
		return
	}
	if name == "" { // SGML closes the innermost element so
		name = r.open[len(r.open)-1].name
	}
	for i := len(r.open) - 1; i > 0; i-- {
		if r.open[i].name == name {
			if i < len(r.open)-1 {
				r.warn(line, fmt.Sprintf("<%s> is not closed before </%s>", r.open[len(r.open)-1].name, name))
			}
			r.open = r.open[:i]
			return
		}
	}
	r.warn(line, fmt.Sprintf("</%s> closes nothing", name))
}

func (r *treeReader) addText(s string, line int) {
	top := r.open[len(r.open)-1]
	if n := len(top.kids); n > 0 && top.kids[n-1].name == "" && r.nodes >= maxNodes {
		return // a text that is cut into too many
	}
	r.nodes++
	top.kids = append(top.kids, &node{text: s, line: line})
}

// mend continues behind an error: the sign there is text. After many errors the rest of the
// file is text without structure.
func (r *treeReader) mend(start, line int, err error) bool {
	what := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		what = syntax.Msg
	}
	r.mended++
	r.again -= r.base + int(r.dec.InputOffset()) - start
	if start >= len(r.text) {
		return false
	}
	if r.mended > maxMended || r.again < 0 {
		r.warn(line, "the XML has too many errors; from here on its text is shown without structure")
		for part := range strings.SplitSeq(string(r.text[start:]), "\n\n") {
			para := &node{name: "para", line: line, kids: []*node{{text: anyTag().ReplaceAllString(part, " "), line: line}}}
			r.open[0].kids = append(r.open[0].kids, para)
			line += strings.Count(part, "\n") + 2
		}
		r.open = r.open[:1]
		return false
	}
	r.warn(line, "the XML is not well-formed: "+what)
	r.addText(string(r.text[start:start+1]), line)
	r.restartAt(start + 1)
	return true
}
