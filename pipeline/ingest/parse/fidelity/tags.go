package fidelity

import (
	"bytes"
	"strings"
)

// tag is a tag of HTML or XML.
type tag struct {
	name   string // in lower case, without a namespace's prefix
	closes bool   // </name>
	empty  bool   // <name/>
	attrs  []byte // as written
}

// attribute is the value of an attribute in quotes, "" where it is missing.
func (t tag) attribute(name string) string {
	for rest := t.attrs; ; {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			return ""
		}
		before := i == 0 || isBlank(rest[i-1])
		if rest = bytes.TrimLeft(rest[i+len(name):], " \t\r\n"); !before || len(rest) == 0 || rest[0] != '=' {
			continue
		}
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		if len(rest) == 0 {
			return ""
		}
		if rest[0] != '"' && rest[0] != '\'' {
			end := bytes.IndexAny(rest, " \t\r\n")
			if end < 0 {
				end = len(rest)
			}
			return string(rest[:end])
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return ""
		}
		return string(rest[1 : 1+end])
	}
}

// hasAttribute reports whether a tag has an attribute with a value.
func (t tag) hasAttribute(name string) bool {
	return len(t.attrs) > len(name) && bytes.Contains(t.attrs, []byte(name)) && t.attribute(name) != ""
}

// scanTags gives the texts and tags of HTML or XML in order; tell returns how many bytes
// behind a tag are skipped. Comments, declarations and processing instructions are left
// out.
func scanTags(src []byte, text func([]byte), tell func(t tag, rest []byte) (skip int)) {
	for len(src) > 0 {
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			text(src)
			return
		}
		if i > 0 {
			text(src[:i])
			src = src[i:]
		}
		switch {
		case bytes.HasPrefix(src, []byte("<!--")):
			src = behindMark(src[4:], "-->")
		case bytes.HasPrefix(src, []byte("<![CDATA[")):
			inner, rest, _ := bytes.Cut(src[9:], []byte("]]>"))
			text(bytes.ReplaceAll(inner, []byte("&"), []byte(" ")))
			src = rest
		case bytes.HasPrefix(src, []byte("<!")):
			src = behindDeclaration(src)
		case bytes.HasPrefix(src, []byte("<?")):
			src = behindMark(src[2:], ">")
		default:
			t, rest, ok := readTag(src)
			if !ok {
				text([]byte{' '})
				src = src[1:]
				continue
			}
			src = rest[tell(t, rest):]
		}
	}
}

// behindMark is the text behind a mark; nothing where it is missing.
func behindMark(src []byte, mark string) []byte {
	_, rest, _ := bytes.Cut(src, []byte(mark))
	return rest
}

// behindDeclaration is the text behind a declaration such as a document type, whose
// internal subset stands in brackets.
func behindDeclaration(src []byte) []byte {
	end := bytes.IndexByte(src, '>')
	if end < 0 {
		return nil
	}
	if open := bytes.IndexByte(src[:end], '['); open >= 0 {
		return behindMark(behindMark(src[open:], "]"), ">")
	}
	return src[end+1:]
}

// readTag reads the tag at the beginning of src.
func readTag(src []byte) (t tag, rest []byte, ok bool) {
	i := 1
	if i < len(src) && src[i] == '/' {
		t.closes = true
		i++
	}
	from := i
	for i < len(src) && (isLetterByte(src[i]) || i > from && isNameByte(src[i])) {
		i++
	}
	if i == from {
		return t, src, false
	}
	name := strings.ToLower(string(src[from:i]))
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 {
		name = name[colon+1:]
	}
	t.name = name
	from = i
	for quote := byte(0); i < len(src); i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && src[i-1] == '=':
			quote = c
		case c == '>':
			t.empty = src[i-1] == '/'
			t.attrs = src[from:i]
			return t, src[i+1:], true
		}
	}
	return t, nil, true
}

func isLetterByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNameByte(c byte) bool { return c >= '0' && c <= '9' || c == ':' || c == '-' || c == '_' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// hidden counts the elements of one name inside of one that is left out.
type hidden struct {
	name  string
	depth int
}

// isInside reports whether a tag stands in an element that is left out, and counts it.
func (h *hidden) isInside(t tag) bool {
	if h.depth == 0 {
		return false
	}
	if t.name == h.name && !t.empty {
		if h.depth++; t.closes {
			h.depth -= 2
		}
	}
	return true
}

// hide leaves out the element that a tag opens.
func (h *hidden) hide(t tag) {
	if !t.empty && !t.closes {
		h.name, h.depth = t.name, 1
	}
}
