package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// entry is a key of an object with a text as its value, and its line.
type entry struct {
	key, value string
	line       int
}

// objectsOf reads objects of a JSON file that have texts as their values, such as the
// dependencies of package.json: the entries by the object's key at the top, in their
// order. Values that are no texts have the value "".
func objectsOf(src []byte, keys ...string) (map[string][]entry, error) {
	out := map[string][]entry{}
	lines := newLineCounter(src)
	d := json.NewDecoder(bytes.NewReader(src))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, damagedJSON(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, damagedJSON(err)
		}
		key, _ := name.(string)
		wanted := false
		for _, k := range keys {
			wanted = wanted || k == key
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, damagedJSON(err)
		}
		if wanted {
			// The value ends where the decoder is, so this is where it begins.
			from := d.InputOffset() - int64(len(raw))
			out[key], err = entriesOf(raw, from, lines)
			if err != nil {
				return nil, err
			}
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, damagedJSON(err)
	}
	return out, nil
}

// entriesOf reads the entries of one object, which begins at an offset of its file.
func entriesOf(raw json.RawMessage, from int64, lines *lineCounter) ([]entry, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil // null, or a list: no dependencies
	}
	var out []entry
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, damagedJSON(err)
		}
		name, _ := key.(string)
		line := lines.lineAtOffset(from + d.InputOffset())
		var value any
		if err := d.Decode(&value); err != nil {
			return nil, damagedJSON(err)
		}
		text, _ := value.(string)
		out = append(out, entry{key: name, value: text, line: line})
	}
	return out, nil
}

func damagedJSON(err error) error {
	if err == nil {
		return errors.New("it is no JSON object")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends early")
	}
	return err
}

// lineCounter tells lines of offsets that only grow.
type lineCounter struct {
	src  []byte
	done int64
	line int
}

func newLineCounter(src []byte) *lineCounter { return &lineCounter{src: src, line: 1} }

func (l *lineCounter) lineAtOffset(offset int64) int {
	offset = min(max(offset, l.done), int64(len(l.src)))
	l.line += bytes.Count(l.src[l.done:offset], []byte{'\n'})
	l.done = offset
	return l.line
}

// plainJSON makes JSON of what bun writes: comments and commas before a closing bracket
// become blanks, so that all else stays at its place.
func plainJSON(src []byte) []byte {
	out := bytes.Clone(src)
	comma := -1 // a comma with nothing but blanks behind it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			i = blankComment(out, i)
		case c == ',':
			comma = i
		case c == ']' || c == '}':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\n' && c != '\t' && c != '\r':
			comma = -1
		}
	}
	return out
}

// blankComment overwrites the comment at a place with blanks and returns its last place.
func blankComment(out []byte, at int) int {
	end := []byte("\n")
	if out[at+1] == '*' {
		end = []byte("*/")
	}
	length := bytes.Index(out[at:], end)
	if length < 0 {
		length = len(out) - at
	} else if len(end) == 2 {
		length += 2
	}
	for i := at; i < at+length; i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return at + length - 1
}

// decodeJSON reads JSON into a value, and says where it is damaged. A field of another
// type than expected is left empty: Composer writes an empty object as [].
func decodeJSON(src []byte, into any) error {
	err := json.Unmarshal(src, into)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
		return nil
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("line %d: %w", newLineCounter(src).lineAtOffset(e.Offset), err)
	}
	return err
}
