package html

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The budget of a page. A page over it is read as plain text, see plain.go. The limits
// are counts and not times, so that a page is read alike on every machine. The largest
// known page, the standard of HTML in one file of 13 MB, has 900 000 tokens.
const (
	maxTokens = 2_000_000
	// maxOpen is how deep elements nest; a deeper one becomes a sibling of its parent.
	maxOpen = 200
	// maxTag is the length of a tag, in bytes: of a longer one, most of them pictures as
	// data, the rest is not read.
	maxTag = 8 << 10
)

// tree is the page as a tree of elements.
type tree struct {
	root     *node
	comments []string // before and right after <html>, where programs that save pages say whence
	warnings []string
	tooMuch  bool // it is over the budget; root is nil
}

// maxComments is the number of comments that are kept.
const maxComments = 20

// builder makes a tree of tokens. It reads what people write: tags that are not
// closed, closed twice or in another order.
//
// Rejected: html.Parse, which follows the standard to the letter but does not say where
// an element stands in the source, and gives up on deep pages.
type builder struct {
	tree
	open   []*node           // from the root to the innermost
	counts map[atom.Atom]int // of open elements, by tag
	beyond int               // open elements that are deeper than maxOpen
	pre    int               // open <pre>
	line   int
	slab   []node
}

// growTree reads a page.
func growTree(src []byte) tree {
	b := &builder{counts: map[atom.Atom]int{}, line: 1}
	b.root = b.newNode()
	b.root.tag, b.root.line = atom.Html, 1
	b.open = []*node{b.root}
	src = shortTags(src)
	z := html.NewTokenizer(bytes.NewReader(src))
	read, resumes := 0, 0
	for tokens := 0; ; tokens++ {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.tree
		}
		if tokens > maxTokens {
			return tree{tooMuch: true, warnings: []string{
				fmt.Sprintf("it has more than %d tags and texts; it is read as plain text, without headings", maxTokens)}}
		}
		raw := z.Raw()
		if read += len(raw); read == len(src) && resumes < mostResumes {
			if rest, ok := b.resume(kind, raw); ok {
				read, resumes = read-len(rest), resumes+1
				z = html.NewTokenizer(bytes.NewReader(src[read:]))
				continue
			}
		}
		lines := bytes.Count(raw, []byte{'\n'})
		switch kind {
		case html.TextToken:
			// The words begin behind the ends of lines.
			b.addText(z)
		case html.StartTagToken, html.SelfClosingTagToken:
			b.start(z, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			b.closeElement(atom.Lookup(name), name)
		case html.CommentToken:
			if len(b.comments) < maxComments && lines < 50 && len(raw) < maxTag {
				b.comments = append(b.comments, string(z.Text()))
			}
			if !bytes.HasSuffix(raw, []byte("-->")) && bytes.HasPrefix(raw, []byte("<!--")) {
				b.warnings = append(b.warnings, fmt.Sprintf("line %d: a comment does not end; what follows is not read", b.line))
			}
		}
		b.line += lines
	}
}

// newNode is a new node of the slab: single ones would be two allocations in three.
func (b *builder) newNode() *node {
	if len(b.slab) == 0 {
		b.slab = make([]node, 256)
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	return n
}

func (b *builder) topElement() *node { return b.open[len(b.open)-1] }

func (b *builder) addText(z *html.Tokenizer) {
	raw := z.Raw()
	n := b.newNode()
	n.line = b.line
	top := b.topElement()
	blank := true
	for _, c := range raw {
		if !isSpace(c) {
			blank = false
			break
		}
	}
	if blank && b.pre == 0 {
		// Between blocks it is nothing; between words it is a blank.
		if bytes.IndexByte(raw, '\n') >= 0 {
			n.text = "\n"
		} else {
			n.text = " "
		}
		top.addChild(n)
		return
	}
	n.text = string(z.Text())
	top.addChild(n)
}

func (b *builder) start(z *html.Tokenizer, self bool) {
	name, more := z.TagName()
	n := b.newNode()
	n.line = b.line
	if n.tag = atom.Lookup(name); n.tag == 0 {
		n.name = string(name)
		if n.name == "" {
			return
		}
	}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if k := atom.Lookup(key); k != 0 {
			if isKeptAttribute(k) {
				n.attrs = append(n.attrs, attr{k.String(), string(value)})
			}
		} else if keptName(key) {
			n.attrs = append(n.attrs, attr{string(key), string(value)})
		}
	}
	switch n.tag {
	case atom.Html, atom.Head:
		if len(b.open) == 1 {
			b.root.attrs = append(b.root.attrs, n.attrs...)
		}
		if n.tag == atom.Html {
			return
		}
	case atom.Body:
		if b.counts[atom.Body] > 0 {
			return
		}
		b.closeAll(atom.Head)
	}
	b.implied(n)
	b.topElement().addChild(n)
	if isVoid(n.tag) || self && n.tag == 0 || self && n.tag == atom.A && n.attribute("href") == "" {
		return // old XHTML writes <a name="x"/>
	}
	if len(b.open) >= maxOpen {
		if b.beyond == 0 {
			b.warnings = append(b.warnings, fmt.Sprintf(
				"line %d: elements nest deeper than %d; the innermost are read as if they stood beside each other", b.line, maxOpen))
		}
		b.beyond++
		return
	}
	b.pushElement(n)
}

func (b *builder) pushElement(n *node) {
	b.open = append(b.open, n)
	b.counts[n.tag]++
	if n.tag == atom.Pre {
		b.pre++
	}
}

func (b *builder) popElement() {
	n := b.topElement()
	b.open = b.open[:len(b.open)-1]
	b.counts[n.tag]--
	if n.tag == atom.Pre {
		b.pre--
	}
}

// implied closes what the opening tag of n ends without a closing tag.
func (b *builder) implied(n *node) {
	if b.beyond > 0 {
		return
	}
	if b.counts[atom.P] > 0 && endsParagraph(n) {
		b.popUntil(closeP, barriers)
	}
	these, within := closes(n.tag)
	for _, t := range these {
		if b.counts[t] > 0 {
			b.popUntil(these, within)
			return
		}
	}
}

var closeP = []atom.Atom{atom.P}

// popUntil closes the outermost of some elements inside the innermost open one of within,
// and all open elements in it.
func (b *builder) popUntil(these, within []atom.Atom) {
	at := -1
	for i := len(b.open) - 1; i > 0; i-- {
		tag := b.open[i].tag
		if slices.Contains(these, tag) {
			at = i
			if len(these) == 1 {
				break
			}
		} else if slices.Contains(within, tag) {
			break
		} else if tag == atom.Head || tag == atom.Body {
			break
		}
	}
	for at > 0 && len(b.open) > at {
		b.popElement()
	}
}

func (b *builder) closeAll(tag atom.Atom) {
	for b.counts[tag] > 0 {
		b.popElement()
	}
}

// closeElement closes the innermost open element of a tag. A tag of words closes no block.
func (b *builder) closeElement(tag atom.Atom, name []byte) {
	switch tag {
	case atom.Br: // </br> is <br>
		n := b.newNode()
		n.tag, n.line = atom.Br, b.line
		b.topElement().addChild(n)
		return
	case atom.Html, atom.Body:
		return // what follows belongs to the page too
	}
	if b.beyond > 0 {
		b.beyond--
		return
	}
	if b.counts[tag] == 0 {
		return
	}
	probe := node{tag: tag}
	block := isBlock(&probe) || tag == atom.Head
	for i := len(b.open) - 1; i > 0; i-- {
		n := b.open[i]
		if n.tag == tag && (tag != 0 || n.name == strings.ToLower(string(name))) {
			for len(b.open) > i {
				b.popElement()
			}
			return
		}
		if tag == 0 && isBlock(n) && n.tag != atom.P {
			continue // <my-element> may stand around blocks
		}
		if !block && tag != 0 && isBlock(n) && !transparent(tag) {
			return
		}
		if block && slices.Contains(barriers, n.tag) && !slices.Contains(closeTbody, tag) && tag != atom.Table {
			return
		}
		switch n.tag {
		case atom.Table: // </td> and </table> of an outer table
			return
		case atom.Main, atom.Article: // a </div> too many does not end the content of the page
			return
		}
	}
}

// transparent reports whether an element of words may stand around blocks.
func transparent(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Button, atom.Span, atom.Ins, atom.Del, atom.Template, atom.Svg, atom.Select, atom.Object, atom.Video, atom.Audio,
		atom.Canvas, atom.Label, atom.Font, atom.Noscript, atom.Math, atom.Map, atom.Slot:
		return true
	}
	return false
}

// isKeptAttribute reports whether an attribute is looked at.
func isKeptAttribute(key atom.Atom) bool {
	switch key {
	case atom.Id, atom.Name, atom.Class, atom.Href, atom.Alt, atom.Title, atom.Style, atom.Hidden, atom.Type, atom.Content, atom.Rel,
		atom.Charset,
		atom.Colspan, atom.Rowspan, atom.Start, atom.Value, atom.Lang, atom.Src, atom.For, atom.Open, atom.HttpEquiv, atom.Reversed,
		atom.Label, atom.Checked:
		return true
	}
	return false
}

func keptName(key []byte) bool {
	switch string(key) {
	case "role", "aria-hidden", "property", "http-equiv", "data-lang", "data-language", "itemprop", "alttext", "encoding", "data-syntax":
		return true
	}
	return false
}

// shortTags blanks the bytes of a tag beyond maxTag; line ends and quotes stay. It
// returns src itself if no tag is that long. The tokenizer takes memory for each
// attribute, and time for it at each later tag.
func shortTags(src []byte) []byte {
	out := src
	for i := 0; i < len(src); {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 || i+n+1 == len(src) {
			break
		}
		i += n + 1
		if c := src[i] | 0x20; c < 'a' || c > 'z' {
			if bytes.HasPrefix(src[i:], []byte("!--")) {
				end := bytes.Index(src[i:], []byte("-->"))
				if end < 0 {
					break
				}
				i += end
			}
			continue
		}
		end := bytes.IndexByte(src[i:], '>')
		if end < 0 {
			end = len(src) - i
		}
		for k := i + maxTag; k < i+end; k++ {
			if c := src[k]; c != '\n' && c != '"' && c != '\'' {
				if &out[0] == &src[0] {
					out = bytes.Clone(src)
				}
				out[k] = ' '
			}
		}
		i += end
	}
	return out
}
