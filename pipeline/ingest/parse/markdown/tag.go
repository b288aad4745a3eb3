package markdown

import (
	"bytes"
	"strings"
)

// tag is one tag of HTML or JSX, or one Hugo shortcode.
type tag struct {
	name    string
	closing bool // </x>
	self    bool // <x/>
	attrs   []attr
}

// attr is one attribute; a positional argument of a shortcode has no key.
type attr struct{ key, value string }

func (t tag) attribute(keys ...string) string {
	for _, k := range keys {
		for _, a := range t.attrs {
			if a.key == k && a.value != "" {
				return a.value
			}
		}
	}
	return ""
}

// scanTag parses the tag at b[0] and returns its length, 0 if there is no complete tag.
func scanTag(b []byte) (tag, int) {
	var t tag
	i := 1
	if len(b) < 3 || b[0] != '<' {
		return t, 0
	}
	if b[i] == '/' {
		t.closing = true
		i++
	}
	if b[i] == '>' { // a JSX fragment, <> or </>
		return t, i + 1
	}
	if !isLetter(b[i]) {
		return t, 0
	}
	start := i
	for i < len(b) && isNameByte(b[i]) {
		i++
	}
	t.name = string(b[start:i])
	for {
		i += spaceBytes(b[i:])
		if i >= len(b) {
			return t, 0
		}
		switch {
		case b[i] == '>':
			return t, i + 1
		case b[i] == '/':
			i++
			if i < len(b) && b[i] == '>' {
				t.self = true
				return t, i + 1
			}
			return t, 0
		case b[i] == '{': // {...props}
			n := braces(b[i:])
			if n == 0 {
				return t, 0
			}
			i += n
		default:
			key, value, n := scanAttr(b[i:])
			if n == 0 {
				return t, 0
			}
			t.attrs = append(t.attrs, attr{key, value})
			i += n
		}
	}
}

// scanAttr parses key, key=value, key="value", key='value' or key={value}.
func scanAttr(b []byte) (key, value string, n int) {
	for n < len(b) && !isSpace(b[n]) && b[n] != '=' && b[n] != '>' && b[n] != '/' && b[n] != '<' && b[n] != '"' && b[n] != '\'' {
		n++
	}
	if n == 0 {
		return "", "", 0
	}
	key = string(b[:n])
	i := n + spaceBytes(b[n:])
	if i >= len(b) || b[i] != '=' {
		return key, "", n
	}
	i++
	i += spaceBytes(b[i:])
	if i >= len(b) {
		return "", "", 0
	}
	switch b[i] {
	case '"', '\'':
		end := bytes.IndexByte(b[i+1:], b[i])
		if end < 0 {
			return "", "", 0
		}
		return key, string(b[i+1 : i+1+end]), i + end + 2
	case '{':
		end := braces(b[i:])
		if end == 0 {
			return "", "", 0
		}
		value = strings.TrimSpace(string(b[i+1 : i+end-1]))
		if len(value) >= 2 && strings.IndexByte("\"'`", value[0]) >= 0 && value[len(value)-1] == value[0] {
			return key, value[1 : len(value)-1], i + end
		}
		return key, "", i + end // an expression is no text
	}
	start := i
	for i < len(b) && !isSpace(b[i]) && b[i] != '>' {
		i++
	}
	return key, string(b[start:i]), i
}

// braces is the length of the balanced {…} at b[0], 0 if it is not closed. Braces in
// strings do not count.
func braces(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '`':
			end := bytes.IndexByte(b[i+1:], b[i])
			if end < 0 {
				return 0
			}
			i += end + 1
		}
	}
	return 0
}

// scanShortcode parses the Hugo shortcode at b[0], {{< … >}} or {{% … %}}, and returns
// its length, 0 if there is no complete one. An escaped one ({{</* … */>}}) does not
// count.
func scanShortcode(b []byte) (tag, int) {
	var t tag
	if len(b) < 6 || b[0] != '{' || b[1] != '{' || (b[2] != '<' && b[2] != '%') {
		return t, 0
	}
	closer := []byte(">}}")
	if b[2] == '%' {
		closer = []byte("%}}")
	}
	end := bytes.Index(b[3:], closer) // "{{%}}" is none
	if end < 0 {
		return t, 0
	}
	in := b[3 : 3+end]
	n := end + 6
	if bytes.HasPrefix(in, []byte("/*")) {
		return t, 0
	}
	i := spaceBytes(in)
	if i < len(in) && in[i] == '/' {
		t.closing = true
		i++
		i += spaceBytes(in[i:])
	}
	start := i
	for i < len(in) && (isNameByte(in[i]) || in[i] == '_' || in[i] == '/') {
		i++
	}
	t.name = strings.TrimSuffix(string(in[start:i]), "/")
	if t.name == "" {
		return t, 0
	}
	if i > 0 && in[i-1] == '/' {
		t.self = true
	}
	for {
		i += spaceBytes(in[i:])
		switch {
		case i >= len(in):
			return t, n
		case in[i] == '/' && isBlank(in[i+1:]):
			t.self = true
			return t, n
		case in[i] == '"' || in[i] == '`':
			end := bytes.IndexByte(in[i+1:], in[i])
			if end < 0 {
				return t, n
			}
			t.attrs = append(t.attrs, attr{"", string(in[i+1 : i+1+end])})
			i += end + 2
		default:
			key, value, used := scanAttr(in[i:])
			if used == 0 {
				i++
				continue
			}
			if value == "" && bytes.IndexByte(in[i:i+used], '=') < 0 {
				key, value = "", key
			}
			t.attrs = append(t.attrs, attr{key, value})
			i += used
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '-' || c == '.' || c == ':' || c == '_'
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func spaceBytes(b []byte) int {
	n := 0
	for n < len(b) && isSpace(b[n]) {
		n++
	}
	return n
}

// class is the meaning of a tag at the beginning of a line.
type class int

const (
	inlineTag  class = iota // left to goldmark
	wrapperTag              // stands around Markdown: JSX components, <div>
	headingTag              // <h1> to <h6>
	tableTag
	listTag
	preTag
	blockTag // any other block of HTML
)

// classOf is the class of the tag with this name. A JSX component begins with a capital
// letter and has a small one; <YOUR_TOKEN> and <PRE> are not components.
func classOf(name string) class {
	if name == "" {
		return wrapperTag // a JSX fragment
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		if strings.IndexByte(name, '_') < 0 && strings.ToUpper(name) != name {
			return wrapperTag
		}
		name = strings.ToLower(name)
	}
	switch name {
	case "div", "center", "section", "article", "main", "aside", "header", "footer", "nav", "details", "summary", "figure", "picture":
		return wrapperTag
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return headingTag
	case "table":
		return tableTag
	case "ul", "ol", "dl":
		return listTag
	case "pre", "script", "style", "textarea":
		return preTag
	case "p", "blockquote", "form", "fieldset", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot",
		"colgroup", "caption", "figcaption", "iframe", "address", "html", "head", "body", "title", "link", "meta", "base", "noscript",
		"video", "audio":
		return blockTag
	}
	return inlineTag
}

// admonition reports whether a component, shortcode or container of this name is
// an admonition, and whether it warns. kind is its type attribute, if any.
func admonition(name, kind string) (is, warns bool) {
	switch name = strings.ToLower(name); name {
	case "callout", "alert", "admonition", "aside":
		return true, warningWord(strings.ToLower(kind))
	case "note", "tip", "info", "hint", "check", "success", "abstract", "seealso", "notice", "remember", "question":
		return true, name == "notice" && warningWord(strings.ToLower(kind))
	}
	w := warningWord(name)
	return w, w
}

func warningWord(s string) bool {
	switch s {
	case "warning", "warn", "caution", "danger", "important", "attention", "error", "critical",
		"警告", "危险", "重要", "注意", "小心", "危險":
		return true
	}
	return false
}

func noteWord(s string) bool {
	switch s {
	case "note", "notes", "tip", "info", "hint", "提示", "说明", "備註", "备注", "說明":
		return true
	}
	return false
}

// titleOf is the text of a tag's attributes: title, label, caption and the like.
func titleOf(t tag) string {
	switch t.name {
	case "Icon", "Image", "Script", "Frame", "Head":
		return t.attribute("title", "caption", "alt")
	}
	var parts []string
	for _, k := range [...]string{"title", "label", "text", "tab", "number", "name", "path", "query", "body", "header", "type", "caption",
		"summary", "description", "file-name", "alt"} {
		v := t.attribute(k)
		if v == "" || (k == "type" && t.attribute("name", "path", "query", "body", "header") == "") {
			continue
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, " ")
}
