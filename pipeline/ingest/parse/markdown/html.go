package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"

	"github.com/yuin/goldmark/ast"
)

// appendHTML appends the words of HTML without tags, comments, scripts and styles. Entities
// are resolved, rows and blocks are lines of their own, tabs separate cells. The text
// of <pre> goes to the code, the text of <code> to text and code. lineAt maps an
// offset in b to its line.
func (e *extractor) appendHTML(b []byte, lineAt func(int) int) {
	pre, cell := false, false
	codeFrom := -1 // in text
	for i := 0; i < len(b); {
		if b[i] != '<' {
			n := bytes.IndexByte(b[i:], '<')
			if n < 0 {
				n = len(b) - i
			}
			if pre {
				e.preText(b[i : i+n])
			} else {
				e.htmlText(b[i : i+n])
			}
			i += n
			continue
		}
		if bytes.HasPrefix(b[i:], []byte("<!--")) {
			n := bytes.Index(b[i:], []byte("-->"))
			if n < 0 {
				return
			}
			i += n + 3
			continue
		}
		t, n := dialect.ScanTag(b[i:min(len(b), i+dialect.MaxTag)])
		if n == 0 {
			if n = e.oddTag(b[i:]); n > 0 {
				i += n
				continue
			}
			e.text = append(e.text, '<')
			i++
			continue
		}
		at := i
		i += n
		switch t.Name {
		case "script", "style":
			if !t.Closing && !t.Self {
				end := bytes.Index(b[i:], []byte("</"+t.Name))
				if end < 0 {
					return
				}
				i += end
			}
		case "pre":
			if pre = !t.Closing; pre {
				e.newline()
				if len(e.code) > e.codeAt && e.code[len(e.code)-1] != '\n' {
					e.code = append(e.code, '\n')
				}
			}
		case "code", "kbd", "samp", "tt":
			if pre {
				break
			}
			if !t.Closing {
				codeFrom = len(e.text)
			} else if codeFrom >= 0 && codeFrom <= len(e.text) {
				if len(e.code) > e.codeAt && e.code[len(e.code)-1] != '\n' {
					e.code = append(e.code, '\n')
				}
				e.code = append(e.code, e.text[codeFrom:]...)
				codeFrom = -1
			}
		case "td", "th":
			if cell = !t.Closing; cell {
				e.separateCell()
			}
		case "br":
			e.addSpace()
		case "a":
			e.anchorTag(t, func() int { return lineAt(at) })
		case "img":
			e.htmlText([]byte(t.Attribute("alt")))
		case "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "thead", "tbody", "caption", "section", "article",
			"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "details", "summary", "figure", "figcaption":
			if t.Name == "tr" || t.Name == "table" {
				cell = false
			}
			if cell { // a row stays on its line
				e.addSpace()
			} else {
				e.newline()
			}
		default:
			if title := t.Attribute("title"); title != "" && dialect.ClassOf(t.Name) == dialect.WrapperTag && !t.Closing {
				e.htmlText([]byte(title))
				e.addSpace()
			}
		}
	}
}

// oddTag is the length of a declaration or processing instruction at b[0], or 0.
func (e *extractor) oddTag(b []byte) int {
	if len(b) < 3 || b[1] != '!' && b[1] != '?' {
		return 0
	}
	return bytes.IndexByte(b, '>') + 1
}

func (e *extractor) htmlText(b []byte) {
	for len(b) > 0 {
		n := oddByte(b)
		e.text = append(e.text, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return
		}
		switch b[0] {
		case '\\':
			e.text = append(e.text, '\\')
			b = b[1:]
		case '&':
			b = b[e.entity(b):]
		case 0xc2:
			e.addSpace()
			b = b[2:]
		default:
			e.addSpace()
			b = b[1:]
		}
	}
}

// preText appends preformatted text to the code, entities resolved.
func (e *extractor) preText(b []byte) {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '&')
		if n < 0 {
			n = len(b)
		}
		e.code = append(e.code, b[:n]...)
		if b = b[n:]; len(b) > 0 {
			mark := len(e.text)
			used := e.entity(b)
			if len(e.text) == mark {
				e.code = append(e.code, ' ')
			}
			e.code = append(e.code, e.text[mark:]...)
			e.text = e.text[:mark]
			b = b[used:]
		}
	}
}

// anchorTag follows <a href="…"> to its </a> and records the link.
func (e *extractor) anchorTag(t dialect.Tag, line func() int) {
	if !t.Closing {
		if href := t.Attribute("href"); href != "" && !t.Self && len(e.anchors) < 16 {
			e.anchors = append(e.anchors, openAnchor{href, len(e.text), line()})
		}
		return
	}
	if n := len(e.anchors); n > 0 {
		a := e.anchors[n-1]
		e.anchors = e.anchors[:n-1]
		e.addLink(a.at, a.href, a.line)
	}
}

// rawHTML reads an inline tag of a paragraph.
func (e *extractor) rawHTML(n *ast.RawHTML) {
	if n.Segments.Len() == 0 {
		return
	}
	seg := n.Segments.At(0)
	e.pos = seg.Start
	raw := seg.Value(e.src)
	if n.Segments.Len() > 1 {
		raw = append([]byte{}, raw...)
		for i := 1; i < n.Segments.Len(); i++ {
			s := n.Segments.At(i)
			raw = append(raw, s.Value(e.src)...)
		}
	}
	t, used := dialect.ScanTag(raw)
	if used == 0 {
		return
	}
	switch t.Name {
	case "br":
		e.addSpace()
	case "a":
		e.anchorTag(t, func() int { return e.lineAt(n) })
	case "img":
		e.unmarked()
		e.htmlText([]byte(t.Attribute("alt")))
	default:
		if !t.Closing && dialect.ClassOf(t.Name) == dialect.WrapperTag {
			if words := dialect.TitleOf(t); words != "" {
				e.unmarked()
				e.addSpace()
				e.htmlText([]byte(words))
				e.addSpace()
			}
		}
	}
}
