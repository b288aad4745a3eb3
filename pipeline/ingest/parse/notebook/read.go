package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// book is a notebook as it was read.
type book struct {
	cells  []cell
	lang   string // of the code, as the metadata say
	kernel string // its language, as the kernel says
	title  string
}

// cell is a cell of a notebook.
type cell struct {
	kind        string
	level       int // of a heading
	source      []line
	outputs     [][]line
	hidden      bool
	inputHidden bool
}

// line is a line of a cell's text, and the line of the file on which it stands.
type line struct {
	text string
	at   int
}

// maxCells is how many cells of a notebook are read.
const maxCells = 50_000

// reader reads the JSON of a notebook as a stream, value by value.
type reader struct {
	src     []byte
	dec     *json.Decoder
	counted int // line is the line of this offset
	line    int
}

var errNoNotebook = errors.New("it has no cells")

func readNotebook(src []byte) (*book, error) {
	r := &reader{src: src, dec: json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))), line: 1}
	r.dec.UseNumber()
	b, seen := &book{}, false
	err := r.readObject(func(key string) error {
		switch key {
		case "cells":
			seen = true
			return r.readCells(b)
		case "worksheets": // of notebooks before version 4
			seen = true
			return r.readList(func() error {
				return r.readObject(func(key string) error {
					if key == "cells" {
						return r.readCells(b)
					}
					return r.skip()
				})
			})
		case "metadata":
			return r.readMetadata(b)
		}
		return r.skip()
	})
	if err == nil && !seen {
		err = errNoNotebook
	}
	if err == nil {
		if _, more := r.dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows it")
		}
	}
	return b, err
}

// token is the next token and its line.
func (r *reader) token() (json.Token, int, error) {
	t, err := r.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, 0, err
	}
	at := min(int(r.dec.InputOffset()), len(r.src))
	r.line += bytes.Count(r.src[r.counted:at], []byte{'\n'})
	r.counted = at
	return t, r.line, nil
}

// readObject reads an object; of is called before each value and reads it. Another value is
// passed over.
func (r *reader) readObject(of func(key string) error) error {
	t, _, err := r.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return r.skipRest(t)
	}
	for r.dec.More() {
		key, _, err := r.token()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return fmt.Errorf("line %d: a name is missing", r.line)
		}
		if err := of(name); err != nil {
			return err
		}
	}
	_, _, err = r.token()
	return err
}

// readList reads a list; of reads each of its values.
func (r *reader) readList(of func() error) error {
	t, _, err := r.token()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return r.skipRest(t)
	}
	for r.dec.More() {
		if err := of(); err != nil {
			return err
		}
	}
	_, _, err = r.token()
	return err
}

// skip passes over a value.
func (r *reader) skip() error {
	t, _, err := r.token()
	if err != nil {
		return err
	}
	return r.skipRest(t)
}

// skipRest passes over what follows the first token of a value.
func (r *reader) skipRest(t json.Token) error {
	if d, ok := t.(json.Delim); !ok || d != '{' && d != '[' {
		return nil
	}
	for depth := 1; depth > 0; {
		t, _, err := r.token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// readWord reads a value that is a text or a number; others are passed over.
func (r *reader) readWord() (string, error) {
	t, _, err := r.token()
	if err != nil {
		return "", err
	}
	switch v := t.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", r.skipRest(t)
}

// readLines reads a text, or a list of texts that follow each other, as lines.
func (r *reader) readLines() ([]line, error) {
	t, at, err := r.token()
	if err != nil {
		return nil, err
	}
	var lines []line
	open := false // the last line has no end yet
	add := func(text string, at int) {
		for part := range strings.Lines(text) {
			body, ended := strings.CutSuffix(part, "\n")
			if open {
				lines[len(lines)-1].text += body
			} else {
				lines = append(lines, line{body, at})
			}
			open = !ended
		}
	}
	switch v := t.(type) {
	case string:
		add(v, at)
		return lines, nil
	case json.Delim:
		if v != '[' {
			return nil, r.skipRest(t)
		}
	default:
		return nil, nil
	}
	for r.dec.More() {
		t, at, err := r.token()
		if err != nil {
			return nil, err
		}
		if s, ok := t.(string); ok {
			add(s, at)
		} else if err := r.skipRest(t); err != nil {
			return nil, err
		}
	}
	_, _, err = r.token()
	return lines, err
}

func (r *reader) readMetadata(b *book) error {
	word := func(to *string) error {
		s, err := r.readWord()
		*to = s
		return err
	}
	return r.readObject(func(key string) error {
		switch key {
		case "language_info":
			return r.readObject(func(key string) error {
				if key == "name" {
					return word(&b.lang)
				}
				return r.skip()
			})
		case "kernelspec":
			return r.readObject(func(key string) error {
				if key == "language" {
					return word(&b.kernel)
				}
				return r.skip()
			})
		case "title":
			return word(&b.title)
		}
		return r.skip()
	})
}

func (r *reader) readCells(b *book) error {
	return r.readList(func() error {
		if len(b.cells) >= maxCells {
			return r.skip()
		}
		var c cell
		err := r.readObject(func(key string) error {
			var err error
			switch key {
			case "cell_type":
				c.kind, err = r.readWord()
			case "level":
				var n string
				n, err = r.readWord()
				c.level, _ = strconv.Atoi(n)
			case "source", "input":
				c.source, err = r.readLines()
			case "outputs":
				err = r.readOutputs(&c)
			case "metadata":
				err = r.readTags(&c)
			default:
				err = r.skip()
			}
			return err
		})
		b.cells = append(b.cells, c)
		return err
	})
}

// readTags reads what hides a cell, or its code.
func (r *reader) readTags(c *cell) error {
	return r.readObject(func(key string) error {
		switch key {
		case "tags":
			tags, err := r.readLinesEach()
			for _, t := range tags {
				switch t {
				case "remove-cell", "remove_cell":
					c.hidden = true
				case "remove-input", "remove_input", "hide-input", "hide_input":
					c.inputHidden = true
				}
			}
			return err
		case "nbsphinx":
			word, err := r.readWord()
			c.hidden = c.hidden || word == "hidden"
			return err
		}
		return r.skip()
	})
}

// readLinesEach reads a list of texts, each by itself.
func (r *reader) readLinesEach() (all []string, err error) {
	err = r.readList(func() error {
		word, err := r.readWord()
		all = append(all, word)
		return err
	})
	return all, err
}

// readOutputs reads the short texts among what a cell printed and returned.
func (r *reader) readOutputs(c *cell) error {
	take := func(lines []line, err error) error {
		if short := shortOutput(lines); len(short) > 0 && len(c.outputs) < 20 {
			c.outputs = append(c.outputs, short)
		}
		return err
	}
	return r.readList(func() error {
		name, value, at := "", "", 0
		err := r.readObject(func(key string) error {
			var err error
			switch key {
			case "text":
				return take(r.readLines())
			case "data":
				return r.readObject(func(key string) error {
					if key == "text/plain" {
						return take(r.readLines())
					}
					return r.skip()
				})
			case "ename":
				name, err = r.readWord()
			case "evalue":
				value, err = r.readWord()
				at = r.line
			default:
				err = r.skip()
			}
			return err
		})
		if name != "" && value != "" && err == nil {
			value, _, _ = strings.Cut(value, "\n")
			return take([]line{{name + ": " + value, at}}, nil)
		}
		return err
	})
}
