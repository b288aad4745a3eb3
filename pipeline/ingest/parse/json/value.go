package json

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
)

type kind byte

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// value is a value of a document. The methods of nil return the same as those of null.
type value struct {
	kind    kind
	line    int    // from 1
	text    string // of a scalar, as written; of a string, unquoted
	items   []*value
	members []member          // in order; of two with one name the first counts
	index   map[string]*value // of many members, made when one is asked for
}

type member struct {
	name  string
	line  int
	value *value
}

// getMember is the member with a name, or nil.
func (v *value) getMember(name string) *value {
	if v == nil {
		return nil
	}
	if len(v.members) > 16 && v.index == nil {
		v.index = make(map[string]*value, len(v.members))
		for _, m := range v.members {
			if _, ok := v.index[m.name]; !ok {
				v.index[m.name] = m.value
			}
		}
	}
	if v.index != nil {
		return v.index[name]
	}
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// textMember is the text of a member, or "" if it is not a text.
func (v *value) textMember(name string) string { return v.getMember(name).textValue() }

// textValue is the text of a value that is one.
func (v *value) textValue() string {
	if v == nil || v.kind != text {
		return ""
	}
	return strings.TrimSpace(v.text)
}

func (v *value) isTrue() bool { return v != nil && v.kind == boolean && v.text == "true" }

func (v *value) isObject() bool { return v != nil && v.kind == object }

// allMembers are the members of an object, or none.
func (v *value) allMembers() []member {
	if v == nil {
		return nil
	}
	return v.members
}

// listItems are the items of a list, or none.
func (v *value) listItems() []*value {
	if v == nil {
		return nil
	}
	return v.items
}

// walkValues visits a value and all values in it. Values nest at most maxDepth deep.
func (v *value) walkValues(visit func(*value)) {
	if v == nil {
		return
	}
	visit(v)
	for _, i := range v.items {
		i.walkValues(visit)
	}
	for _, m := range v.members {
		m.value.walkValues(visit)
	}
}

// The budget of a document. The largest known OpenAPI documents have 600 000 values.
const (
	maxValues = 1_000_000
	maxDepth  = 100 // deeper values are left out
)

// tree is a document that was read.
type tree struct {
	value    *value
	warnings []string
}

// readDocument reads a document; the error is the reason why it is invalid, or a parse.LeftOut if
// it is only data.
func readDocument(src []byte) (tree, error) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	r := reader{src: src, line: 1}
	if r.skipBlank(); r.at >= len(src) || src[r.at] != '{' && src[r.at] != '[' {
		return readYAML(src)
	}
	v, err := r.value(0)
	if err != nil {
		return tree{}, err
	}
	if r.skipBlank(); r.at < len(src) && err == nil {
		return tree{}, parse.LeftOut("it is data, one value a line")
	}
	return tree{v, r.warnings}, nil
}

// reader reads JSON with comments and commas too many.
//
// Rejected: encoding/json, which does not say on which line a value stands and gives up
// on the comments of settings files.
//
// Rejected: github.com/tailscale/hujson. It nests without a bound: 8 MB of "[" end the
// process with a stack overflow, which nothing can recover from, and files of 64 MB are read
// here. It keeps 128 MB for 600 000 values of a document of 9 MB, this reader 70, and
// allocates 255 MB, this one 103. It refuses two commas in a row, a missing comma, a tab
// in a text and an unknown escape, with which documents are read here.
type reader struct {
	src      []byte
	at, line int
	values   int
	deep     bool // warned
	warnings []string
}

func (r *reader) failRead(format string, args ...any) error {
	return fmt.Errorf("line %d: it is no valid JSON: %s", r.line, fmt.Sprintf(format, args...))
}

// skipBlank goes over white space and comments.
func (r *reader) skipBlank() {
	for r.at < len(r.src) {
		switch c := r.src[r.at]; {
		case c == '\n':
			r.line++
			r.at++
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '/' && bytes.HasPrefix(r.src[r.at:], []byte("//")):
			n := bytes.IndexByte(r.src[r.at:], '\n')
			if n < 0 {
				n = len(r.src) - r.at
			}
			r.at += n
		case c == '/' && bytes.HasPrefix(r.src[r.at:], []byte("/*")):
			n := bytes.Index(r.src[r.at+2:], []byte("*/"))
			if n < 0 {
				r.at = len(r.src)
				return
			}
			r.line += bytes.Count(r.src[r.at:r.at+n+4], []byte{'\n'})
			r.at += n + 4
		default:
			return
		}
	}
}

func (r *reader) value(depth int) (*value, error) {
	r.skipBlank()
	if r.at >= len(r.src) {
		return nil, r.failRead("it ends early")
	}
	if r.values++; r.values > maxValues {
		return nil, parse.LeftOut(fmt.Sprintf("it is data: it has more than %d values", maxValues))
	}
	v := &value{line: r.line}
	switch c := r.src[r.at]; {
	case (c == '{' || c == '[') && depth >= maxDepth:
		if !r.deep {
			r.deep = true
			r.warnings = append(r.warnings, fmt.Sprintf("line %d: values nest deeper than %d; what is deeper is left out", r.line,
				maxDepth))
		}
		return v, r.skipValue()
	case c == '{':
		v.kind = object
		return v, r.readObject(v, depth)
	case c == '[':
		v.kind = list
		return v, r.readList(v, depth)
	case c == '"':
		s, err := r.readText()
		v.kind, v.text = text, s
		return v, err
	}
	start := r.at
	for r.at < len(r.src) && !strings.ContainsRune(",]}:\" \t\r\n/[{", rune(r.src[r.at])) {
		r.at++
	}
	switch v.text = string(r.src[start:r.at]); v.text {
	case "true", "false":
		v.kind = boolean
	case "null":
	default:
		if _, err := strconv.ParseFloat(v.text, 64); err != nil && !errors.Is(err, strconv.ErrRange) || v.text == "" {
			return nil, r.failRead("%.20q is no value", v.text+string(r.src[r.at:min(len(r.src), r.at+1)]))
		}
		v.kind = number
	}
	return v, nil
}

func (r *reader) readObject(v *value, depth int) error {
	r.at++
	for {
		if r.skipBlank(); r.at >= len(r.src) {
			return r.failRead("an object does not end")
		}
		switch r.src[r.at] {
		case '}':
			r.at++
			return nil
		case ',':
			r.at++
			continue
		case '"':
		default:
			return r.failRead("a name in quotes must stand before %.20q", r.src[r.at:min(len(r.src), r.at+20)])
		}
		m := member{line: r.line}
		var err error
		if m.name, err = r.readText(); err != nil {
			return err
		}
		if r.skipBlank(); r.at >= len(r.src) || r.src[r.at] != ':' {
			return r.failRead("%.40q has no value", m.name)
		}
		r.at++
		if m.value, err = r.value(depth + 1); err != nil {
			return err
		}
		v.members = append(v.members, m)
	}
}

func (r *reader) readList(v *value, depth int) error {
	r.at++
	for {
		if r.skipBlank(); r.at >= len(r.src) {
			return r.failRead("a list does not end")
		}
		switch r.src[r.at] {
		case ']':
			r.at++
			return nil
		case ',':
			r.at++
			continue
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
}

// skipValue goes over an object or list.
func (r *reader) skipValue() error {
	depth := 0
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				r.at++
				return nil
			}
		case '"':
			if _, err := r.readText(); err != nil {
				return err
			}
			continue
		case '\n':
			r.line++
		}
		r.at++
	}
	return r.failRead("an object or list does not end")
}

// readText reads a text in quotes.
func (r *reader) readText() (string, error) {
	r.at++
	start := r.at
	for r.at < len(r.src) && r.src[r.at] != '"' && r.src[r.at] != '\\' && r.src[r.at] != '\n' {
		r.at++
	}
	if r.at < len(r.src) && r.src[r.at] == '"' {
		s := strings.ToValidUTF8(string(r.src[start:r.at]), "\uFFFD")
		r.at++
		return s, nil
	}
	out := append([]byte{}, r.src[start:r.at]...)
	for r.at < len(r.src) {
		switch c := r.src[r.at]; c {
		case '"':
			r.at++
			return strings.ToValidUTF8(string(out), "\uFFFD"), nil
		case '\n':
			return "", r.failRead("a text does not end on its line")
		case '\\':
			out = r.readEscape(out)
		default:
			out = append(out, c)
			r.at++
		}
	}
	return "", r.failRead("a text does not end")
}

// readEscape reads what begins with a backslash.
func (r *reader) readEscape(out []byte) []byte {
	r.at++
	if r.at >= len(r.src) {
		return out
	}
	c := r.src[r.at]
	r.at++
	switch c {
	case 'n':
		return append(out, '\n')
	case 't':
		return append(out, '\t')
	case 'r':
		return append(out, '\r')
	case 'b', 'f':
		return append(out, ' ')
	case 'u':
		one := r.readUnit()
		if utf16.IsSurrogate(one) && bytes.HasPrefix(r.src[r.at:], []byte(`\u`)) {
			r.at += 2
			return utf8.AppendRune(out, utf16.DecodeRune(one, r.readUnit()))
		}
		return utf8.AppendRune(out, one)
	case '\n':
		r.line++
	}
	return append(out, c)
}

func (r *reader) readUnit() rune {
	end := min(len(r.src), r.at+4)
	n, err := strconv.ParseUint(string(r.src[r.at:end]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	r.at = end
	return rune(n)
}
