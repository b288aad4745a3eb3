package uploads

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"docent/store"
)

// mimeFormats are specification 4's FORMAT_MAP.
var mimeFormats = map[string]string{
	"application/pdf":  PDF,
	"application/json": JSON,
	"text/plain":       Text,
	"text/markdown":    Markdown,
}

// MimeType is the media type of a format.
func MimeType(format string) string {
	for m, f := range mimeFormats {
		if f == format {
			return m
		}
	}
	return "application/octet-stream"
}

// LaneOf is specification 4's getProcessingLane.
func LaneOf(format string) string {
	if format == PDF {
		return store.LaneHeavy
	}
	return store.LaneFast
}

// headBytes is how much of a file's beginning is looked at, in which a PDF must say that
// it is one.
const headBytes = 8 << 10

// detect says what format a file has by its name, the media type that was declared and
// its beginning; text reports whether all of it can be text. The error is a *FormatError.
func detect(name, declared string, head []byte, text bool) (string, error) {
	byName, ending := formatOf(name)
	if byName == "" && ending == "" {
		if m, _, err := mime.ParseMediaType(declared); err == nil {
			byName = mimeFormats[m]
		}
	}
	if byName == "" && len(ending) > 1 && !strings.ContainsAny(ending, " ") && len(ending) <= 10 && ending != "."+strings.ToLower(name) {
		return "", &FormatError{fmt.Sprintf("files %s cannot be handed in, only PDF, JSON, plain text and Markdown (.pdf, .json, .txt, "+
			".md); pages of other formats are read from folders that are added as doc sets", ending)}
	}
	isPDF := bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-"))
	what, binary := kindOf(head)
	switch {
	case len(head) == 0:
		return "", &FormatError{"the file is empty"}
	case byName == PDF && !isPDF:
		return "", &FormatError{"its name says that it is a PDF, and it is none: " + what}
	case byName == PDF, byName == "" && isPDF:
		return PDF, nil
	case isPDF && bytes.HasPrefix(head, []byte("%PDF-")):
		return "", &FormatError{fmt.Sprintf("it is a PDF, and its name says %s; give it the ending .pdf", byName)}
	case binary || !text:
		return "", &FormatError{"it is no text: " + what}
	case byName == JSON && !maybeJSON(head):
		return "", &FormatError{"its name says that it is JSON, and it does not begin as JSON does"}
	case byName != "":
		return byName, nil
	case bytes.ContainsAny(head[:1], "{[") && maybeJSON(head):
		return JSON, nil
	}
	return Text, nil
}

// kindOf words what a file seems to be, and reports whether it cannot be text.
func kindOf(head []byte) (what string, binary bool) {
	for _, k := range []struct{ begins, what string }{
		{"PK\x03\x04", "a ZIP archive or an office document"}, {"\x89PNG", "a PNG picture"}, {"\xff\xd8\xff", "a JPEG picture"},
		{"GIF8", "a GIF picture"},
		{"\x7fELF", "a program"}, {"MZ\x90", "a program"}, {"\x1f\x8b", "a gzip archive"}, {"\xd0\xcf\x11\xe0", "an old office document"},
		{"%PDF-", "a PDF"},
	} {
		if bytes.HasPrefix(head, []byte(k.begins)) {
			return k.what, true
		}
	}
	if !utf16Text(head) && bytes.IndexByte(head, 0) >= 0 {
		return "it has bytes that no text has", true
	}
	return "its content is something else", false
}

// utf16Text reports whether a file begins with the mark of UTF-16.
func utf16Text(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// maybeJSON reports whether a file can begin a JSON value.
func maybeJSON(head []byte) bool {
	if utf16Text(head) {
		return true
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && strings.IndexByte(`{["-0123456789tfn`, head[0]) >= 0
}

// textSeen looks at all bytes of a file for what no text has.
type textSeen struct {
	head  []byte
	zeros int
	bad   int // bytes that are no UTF-8
	all   int
	rest  []byte // of a character that was cut by a write
}

// Write is io.Writer's.
func (t *textSeen) Write(p []byte) (int, error) {
	if room := headBytes - len(t.head); room > 0 {
		t.head = append(t.head, p[:min(room, len(p))]...)
	}
	t.all += len(p)
	t.zeros += bytes.Count(p, []byte{0})
	q := p
	if len(t.rest) > 0 {
		q = append(t.rest, p...)
		t.rest = nil
	}
	for len(q) > 0 {
		if q[0] < utf8.RuneSelf {
			q = q[1:]
			continue
		}
		if !utf8.FullRune(q) && len(q) < utf8.UTFMax {
			t.rest = bytes.Clone(q)
			break
		}
		r, n := utf8.DecodeRune(q)
		if r == utf8.RuneError && n == 1 {
			t.bad++
		}
		q = q[n:]
	}
	return len(p), nil
}

// mostBad is the share of bytes that are no UTF-8 from which a file is no text. A text in
// Latin-1 has up to a tenth of them.
const mostBad = 0.3

func (t *textSeen) isText() bool {
	if utf16Text(t.head) {
		return true
	}
	return t.zeros == 0 && float64(t.bad) <= mostBad*float64(t.all)
}
