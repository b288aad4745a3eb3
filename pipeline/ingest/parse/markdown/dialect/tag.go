package dialect

import (
	"bytes"
	"strings"
)

// Tag is one tag of HTML or JSX, or one Hugo shortcode.
type Tag struct {
	Name    string
	Closing bool // </x>
	Self    bool // <x/>
	Attrs   []Attribute
}

// Attribute is one attribute; a positional argument of a shortcode has no key.
type Attribute struct{ key, value string }

func (t Tag) Attribute(keys ...string) string {
	for _, k := range keys {
		for _, a := range t.Attrs {
			if a.key == k && a.value != "" {
				return a.value
			}
		}
	}
	return ""
}

// ScanTag parses the tag at b[0] and returns its length, 0 if there is no complete tag.
func ScanTag(b []byte) (Tag, int) {
	var t Tag
	i := 1
	if len(b) < 3 || b[0] != '<' {
		return t, 0
	}
	if b[i] == '/' {
		t.Closing = true
		i++
	}
	if b[i] == '>' { // a JSX fragment, <> or </>
		return t, i + 1
	}
	if !IsLetter(b[i]) {
		return t, 0
	}
	start := i
	for i < len(b) && IsNameByte(b[i]) {
		i++
	}
	t.Name = string(b[start:i])
	for {
		i += SpaceBytes(b[i:])
		if i >= len(b) {
			return t, 0
		}
		switch {
		case b[i] == '>':
			return t, i + 1
		case b[i] == '/':
			i++
			if i < len(b) && b[i] == '>' {
				t.Self = true
				return t, i + 1
			}
			return t, 0
		case b[i] == '{': // {...props}
			n := Braces(b[i:])
			if n == 0 {
				return t, 0
			}
			i += n
		default:
			key, value, n := ScanAttr(b[i:])
			if n == 0 {
				return t, 0
			}
			t.Attrs = append(t.Attrs, Attribute{key, value})
			i += n
		}
	}
}

// ScanAttr parses key, key=value, key="value", key='value' or key={value}.
func ScanAttr(b []byte) (key, value string, n int) {
	for n < len(b) && !isSpace(b[n]) && b[n] != '=' && b[n] != '>' && b[n] != '/' && b[n] != '<' && b[n] != '"' && b[n] != '\'' {
		n++
	}
	if n == 0 {
		return "", "", 0
	}
	key = string(b[:n])
	i := n + SpaceBytes(b[n:])
	if i >= len(b) || b[i] != '=' {
		return key, "", n
	}
	i++
	i += SpaceBytes(b[i:])
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
		end := Braces(b[i:])
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

// Braces is the length of the balanced {…} at b[0], 0 if it is not closed. Braces in
// strings do not count.
func Braces(b []byte) int {
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

// ScanShortcode parses the Hugo shortcode at b[0], {{< … >}} or {{% … %}}, and returns
// its length, 0 if there is no complete one. An escaped one ({{</* … */>}}) does not
// count.
func ScanShortcode(b []byte) (Tag, int) {
	var t Tag
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
	i := SpaceBytes(in)
	if i < len(in) && in[i] == '/' {
		t.Closing = true
		i++
		i += SpaceBytes(in[i:])
	}
	start := i
	for i < len(in) && (IsNameByte(in[i]) || in[i] == '_' || in[i] == '/') {
		i++
	}
	t.Name = strings.TrimSuffix(string(in[start:i]), "/")
	if t.Name == "" {
		return t, 0
	}
	if i > 0 && in[i-1] == '/' {
		t.Self = true
	}
	for {
		i += SpaceBytes(in[i:])
		switch {
		case i >= len(in):
			return t, n
		case in[i] == '/' && IsBlank(in[i+1:]):
			t.Self = true
			return t, n
		case in[i] == '"' || in[i] == '`':
			end := bytes.IndexByte(in[i+1:], in[i])
			if end < 0 {
				return t, n
			}
			t.Attrs = append(t.Attrs, Attribute{"", string(in[i+1 : i+1+end])})
			i += end + 2
		default:
			key, value, used := ScanAttr(in[i:])
			if used == 0 {
				i++
				continue
			}
			if value == "" && bytes.IndexByte(in[i:i+used], '=') < 0 {
				key, value = "", key
			}
			t.Attrs = append(t.Attrs, Attribute{key, value})
			i += used
		}
	}
}

func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func IsNameByte(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '-' || c == '.' || c == ':' || c == '_'
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func SpaceBytes(b []byte) int {
	n := 0
	for n < len(b) && isSpace(b[n]) {
		n++
	}
	return n
}

// Class is the meaning of a tag at the beginning of a line.
type Class int

const (
	InlineTag  Class = iota // left to goldmark
	WrapperTag              // stands around Markdown: JSX components, <div>
	HeadingTag              // <h1> to <h6>
	TableTag
	ListTag
	PreTag
	BlockTag // any other block of HTML
)

// ClassOf is the class of the tag with this name. A JSX component begins with a capital
// letter and has a small one; <YOUR_TOKEN> and <PRE> are not components.
func ClassOf(name string) Class {
	if name == "" {
		return WrapperTag // a JSX fragment
	}
	if name[0] >= 'A' && name[0] <= 'Z' {
		if strings.IndexByte(name, '_') < 0 && strings.ToUpper(name) != name {
			return WrapperTag
		}
		name = strings.ToLower(name)
	}
	switch name {
	case "div", "center", "section", "article", "main", "aside", "header", "footer", "nav", "details", "summary", "figure", "picture":
		return WrapperTag
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return HeadingTag
	case "table":
		return TableTag
	case "ul", "ol", "dl":
		return ListTag
	case "pre", "script", "style", "textarea":
		return PreTag
	case "p", "blockquote", "form", "fieldset", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot",
		"colgroup", "caption", "figcaption", "iframe", "address", "html", "head", "body", "title", "link", "meta", "base", "noscript",
		"video", "audio":
		return BlockTag
	}
	return InlineTag
}

// Admonition reports whether a component, shortcode or container of this name is
// an admonition, and whether it warns. kind is its type attribute, if any.
func Admonition(name, kind string) (is, warns bool) {
	switch name = strings.ToLower(name); name {
	case "callout", "alert", "admonition", "aside":
		return true, WarningWord(strings.ToLower(kind))
	case "note", "tip", "info", "hint", "check", "success", "abstract", "seealso", "notice", "remember", "question":
		return true, name == "notice" && WarningWord(strings.ToLower(kind))
	}
	w := WarningWord(name)
	return w, w
}

func WarningWord(s string) bool {
	switch s {
	case "warning", "warn", "caution", "danger", "important", "attention", "error", "critical",
		"警告", "危险", "重要", "注意", "小心", "危險":
		return true
	}
	return false
}

func NoteWord(s string) bool {
	switch s {
	case "note", "notes", "tip", "info", "hint", "提示", "说明", "備註", "备注", "說明":
		return true
	}
	return false
}

// TitleOf is the text of a tag's attributes: title, label, caption and the like.
func TitleOf(t Tag) string {
	switch t.Name {
	case "Icon", "Image", "Script", "Frame", "Head":
		return t.Attribute("title", "caption", "alt")
	case "tabs": // the name of Hugo's is an id
		return t.Attribute("title", "label")
	}
	var parts []string
	for _, k := range [...]string{"title", "label", "text", "tab", "number", "name", "path", "query", "body", "header", "type", "caption",
		"summary", "description", "file-name", "alt"} {
		v := t.Attribute(k)
		if v == "" || (k == "type" && t.Attribute("name", "path", "query", "body", "header") == "") {
			continue
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, " ")
}
