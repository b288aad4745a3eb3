package dita

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds of one file.
const (
	// maxDepth is how deep elements are nested; deeper ones count as their text.
	maxDepth = 200
	// maxAttributes is how many attributes of an element count.
	maxAttributes = 200
	// maxMended is how many errors in the XML of one file are mended before the rest
	// of it is read as plain text.
	maxMended = 100
)

type eventKind uint8

const (
	atEnd eventKind = iota // the file's
	opens
	closes
	says
)

type attr struct{ name, value string }

// event is a tag or text.
type event struct {
	kind  eventKind
	name  string
	attrs []attr
	text  string
	line  int // where it begins
	from  *file
	fixed bool // as in node
	hops  int  // references that led to this element
}

// reader reads the tags and the text of a file in balance: every element that opens
// closes, whatever the file says. External entities, document types and processing
// instructions are never followed.
type reader struct {
	file    *file
	dec     *xml.Decoder
	base    int // offset of the decoder's first byte in the file's text
	counted int // line is the line of this offset
	line    int
	open    []string
	over    int // open elements below maxDepth
	queue   []event
	mended  int
	again   int // bytes that may still be read again after errors
	plain   int // from here on the file is plain text; -1: nowhere
	warn    func(string)
}

// readFrom reads a file from an offset, which stands on a line.
func readFrom(f *file, offset, line int) *reader {
	r := &reader{file: f, base: offset, counted: offset, line: line, plain: -1, again: 2*len(f.text) + 1<<20, warn: func(string) {}}
	r.restartAtOffset(offset)
	return r
}

func (r *reader) restartAtOffset(offset int) {
	r.base = offset
	r.dec = xml.NewDecoder(bytes.NewReader(r.file.text[offset:]))
	r.dec.Strict = false
	if r.dec.Entity = r.file.entities; r.dec.Entity == nil {
		r.dec.Entity = xml.HTMLEntity
	}
}

// nextOffset is the place of the next byte to be read.
func (r *reader) nextOffset() int { return r.base + int(r.dec.InputOffset()) }

// lineAt is the line of an offset at or after the last one asked for.
func (r *reader) lineAt(offset int) int {
	if offset > r.counted {
		r.line += bytes.Count(r.file.text[r.counted:offset], []byte{'\n'})
		r.counted = offset
	}
	return r.line
}

// next is the next event, and its place in the file's text.
func (r *reader) next() (event, int) {
	for {
		if len(r.queue) > 0 {
			e := r.queue[0]
			r.queue = r.queue[1:]
			return e, r.nextOffset()
		}
		if r.plain >= 0 {
			return r.restAsText()
		}
		start := r.nextOffset()
		line := r.lineAt(start)
		token, err := r.dec.RawToken()
		if errors.Is(err, io.EOF) {
			r.closeAtEnd(line)
			continue
		}
		if err != nil {
			if e, ok := r.continueAfter(start, line, err); ok {
				return e, start
			}
			continue
		}
		if e, ok := r.makeEvent(token, line); ok {
			return e, start
		}
	}
}

// makeEvent makes an event of a token; ok is false where there is nothing to say.
func (r *reader) makeEvent(token xml.Token, line int) (e event, ok bool) {
	switch t := token.(type) {
	case xml.StartElement:
		if len(r.open) >= maxDepth {
			if r.over++; r.over == 1 {
				r.note(line, fmt.Sprintf("elements are nested more than %d deep; deeper ones are read as text", maxDepth))
			}
			return e, false
		}
		e = event{kind: opens, name: localName(t.Name), line: line}
		if len(t.Attr) > 0 {
			e.attrs = make([]attr, min(len(t.Attr), maxAttributes))
			for i := range e.attrs {
				e.attrs[i] = attr{localName(t.Attr[i].Name), t.Attr[i].Value}
			}
		}
		r.open = append(r.open, e.name)
		return e, true
	case xml.EndElement:
		if r.over > 0 {
			r.over--
			return e, false
		}
		closed := localName(t.Name)
		if n := len(r.open); n > 0 && r.open[n-1] == closed {
			r.open = r.open[:n-1]
			return event{kind: closes, name: closed, line: line}, true
		}
		r.close(closed, line)
	case xml.CharData:
		return event{kind: says, text: string(t), line: line}, len(t) > 0
	case xml.Directive:
		if r.file.entities == nil && bytes.HasPrefix(t, []byte("DOCTYPE")) {
			var warnings []string
			r.file.entities, warnings = declaredEntities(string(t), r.file.text)
			r.dec.Entity = r.file.entities
			for _, w := range warnings {
				r.warn(w)
			}
		}
	}
	return e, false
}

// close closes the innermost element of a name, and those inside it.
func (r *reader) close(name string, line int) {
	at := len(r.open) - 1
	for at >= 0 && r.open[at] != name {
		at--
	}
	if at < 0 {
		r.note(line, fmt.Sprintf("</%s> closes nothing", name))
		return
	}
	if inner := len(r.open) - 1; inner > at {
		r.note(line, fmt.Sprintf("<%s> is not closed before </%s>", r.open[inner], name))
	}
	for len(r.open) > at {
		r.queue = append(r.queue, event{kind: closes, name: r.open[len(r.open)-1], line: line})
		r.open = r.open[:len(r.open)-1]
	}
}

// closeAtEnd closes all open elements at the end of the file.
func (r *reader) closeAtEnd(line int) {
	if n := len(r.open); n > 0 {
		r.note(line, fmt.Sprintf("the file ends before </%s>", r.open[n-1]))
	}
	r.closeAll(line)
	r.queue = append(r.queue, event{kind: atEnd, line: line})
}

func (r *reader) closeAll(line int) {
	for n := len(r.open); n > 0; n-- {
		r.queue = append(r.queue, event{kind: closes, name: r.open[n-1], line: line})
	}
	r.open, r.over = r.open[:0], 0
}

// continueAfter continues behind an error: the markup there is text. After many errors the rest of
// the file is plain text.
func (r *reader) continueAfter(start, line int, err error) (event, bool) {
	what := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		what = syntax.Msg
	}
	r.mended++
	r.again -= r.nextOffset() - start
	if r.mended > maxMended || r.again < 0 {
		r.note(line, "the XML has too many errors; from here on its text is shown without structure")
		r.closeAll(line)
		r.plain = start
		return event{}, false
	}
	r.note(line, "the XML is not well-formed: "+what)
	if start >= len(r.file.text) {
		r.restartAtOffset(len(r.file.text))
		return event{}, false
	}
	r.restartAtOffset(start + 1)
	return event{kind: says, text: string(r.file.text[start : start+1]), line: line}, true
}

// restAsText gives the next paragraph of a file that is plain text from some place on.
func (r *reader) restAsText() (event, int) {
	text := r.file.text
	at := r.plain
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	line := r.lineAt(at)
	if at >= len(text) {
		r.plain = -1
		r.restartAtOffset(len(text))
		return event{kind: atEnd, line: line}, at
	}
	end := bytes.Index(text[at:], []byte("\n\n"))
	if end < 0 {
		end = len(text) - at
	}
	r.plain = at + end
	said := unescapeEntities(tags().ReplaceAllString(string(text[at:at+end]), " "))
	r.queue = append(r.queue, event{kind: says, text: said, line: line}, event{kind: closes, name: "p", line: line})
	return event{kind: opens, name: "p", line: line}, at
}

// unescapeEntities resolves the five entities of XML.
func unescapeEntities(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}

func (r *reader) note(line int, what string) {
	r.warn(fmt.Sprintf("line %d: %s", line, what))
}

func localName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
