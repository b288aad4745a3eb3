package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse/decode"
	"docent/pipeline/text/pattern"
)

// source is the content of a file: the page and the text before it.
type source struct {
	text     []byte // UTF-8, as many lines as the file
	front    front
	address  string // of a header Content-Location
	warnings []string
}

// front is what YAML, or JSON in a comment, says at the top of a page, as generators of
// sites read it.
type front struct {
	title, description string
	more               []string // titles and descriptions of the page's parts, which its layout shows
}

// readSource finds the encoding of a file and removes the text before the page. Its lines stay
// as empty lines.
func readSource(src []byte) source {
	var s source
	kind := ""
	at := 0
	if bytes.HasPrefix(src, []byte("HTTP/1.")) || bytes.HasPrefix(src, []byte("HTTP/2")) { // wget --save-headers
		at, kind, s.address = headers(src)
	}
	s.text, s.warnings = toUTF8(src[at:], kind)
	if at > 0 {
		s.text = append(bytes.Repeat([]byte{'\n'}, bytes.Count(src[:at], []byte{'\n'})), s.text...)
	}
	s.takeFront()
	return s
}

// headers reads the HTTP headers at the top of a file: their length, the type of the
// page, and where it lies.
func headers(src []byte) (n int, kind, address string) {
	head := src[:min(len(src), 16<<10)]
	for n < len(head) {
		end := bytes.IndexByte(head[n:], '\n')
		if end < 0 {
			return 0, "", ""
		}
		line := strings.TrimSpace(string(head[n : n+end]))
		n += end + 1
		if line == "" {
			return n, kind, address
		}
		key, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(key) {
		case "content-type":
			kind = strings.TrimSpace(value)
		case "content-location":
			address = strings.TrimSpace(value)
		}
	}
	return 0, "", ""
}

var metaCharset = regexp.MustCompile(`(?i)<meta\s[^>]*charset\s*=\s*["']?([a-z0-9_:.-]+)`)

// toUTF8 brings a page to UTF-8: by its byte order mark, the HTTP header, what the page
// says of itself, or its bytes. Stray bytes in UTF-8 are read as windows-1252.
func toUTF8(src []byte, kind string) ([]byte, []string) {
	enc, name, certain := charset.DetermineEncoding(src, kind)
	if !certain {
		if e, n := charset.Lookup(declared(src)); e != nil {
			enc, name, certain = e, n, true
		}
		if m := metaCharset.FindSubmatch(src[:min(len(src), 1024)]); m != nil {
			e, _ := charset.Lookup(string(m[1]))
			certain = certain || e != nil
		}
		if utf8.Valid(src) {
			enc, name = encoding.Nop, "utf-8"
		}
	}
	if name == "utf-8" {
		src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
		if utf8.Valid(src) {
			return src, nil
		}
		text, stray := decode.MendWindows1252(src)
		return text, []string{fmt.Sprintf("%d bytes are not UTF-8; they are read as windows-1252", stray)}
	}
	text, err := enc.NewDecoder().Bytes(src)
	if err != nil {
		text, _ := decode.MendWindows1252(src)
		return text, []string{fmt.Sprintf("it is not in the encoding that it names (%s): %v", name, err)}
	}
	if !certain {
		return text, []string{"it is not UTF-8 and names no encoding; it is read as " + name}
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil
}

// loneReturns reports whether lines end with carriage returns alone, as on old Macs. They
// are ends of lines in HTML, and not where lines of files are counted.
func loneReturns(text []byte) bool {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\r')
		if n < 0 {
			return false
		}
		if at += n + 1; at == len(text) || text[at] != '\n' {
			return true
		}
	}
}

// declared is the encoding in <?xml version="1.0" encoding="…"?>, or "".
func declared(src []byte) string {
	head := src[:min(len(src), 200)]
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	_, after, _ := bytes.Cut(head, []byte("encoding="))
	if len(after) == 0 {
		return ""
	}
	end := bytes.IndexByte(after[1:], after[0])
	if end < 0 {
		return ""
	}
	return string(after[1 : 1+end])
}

// deepestFront is how deep front matter is looked at.
const deepestFront = 6

// appendAbout adds the titles and descriptions of a page's parts, which its layout shows.
func appendAbout(to []string, n *yaml.Node, depth int) []string {
	if depth > deepestFront || len(to) >= mostFront {
		return to
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && c.Kind == yaml.ScalarNode {
			if key := n.Content[i-1].Value; key == "title" || key == "description" {
				to = append(to, c.Value)
			}
			continue
		}
		to = appendAbout(to, c, depth+1)
	}
	return to
}

// shortcode is a tag of Hugo's, which its front matter comes with: {{< blocks/cover height="min" >}}.
var shortcode = pattern.Lazy(`\{\{(?:<[^<>]*>|%[^%]*%)\}\}`)

// madeAddress is the beginning of an address in an attribute, up to a tag of Hugo's that puts a part into it.
var madeAddress = pattern.Lazy(`((?:href|src)\s*=\s*"[^"<>{}\n]*)\{\{(?:<[^<>\n]*>|%[^%\n]*%)\}\}`)

// withoutShortcodes is a page without Hugo's tags; line ends stay. In an address the place of a tag stays
// visible as {{}}: the sources do not say where it leads.
func withoutShortcodes(text []byte) []byte {
	text = madeAddress().ReplaceAll(text, []byte("${1}{{}}"))
	return shortcode().ReplaceAllFunc(text, func(tag []byte) []byte {
		return bytes.Repeat([]byte{'\n'}, bytes.Count(tag, []byte{'\n'}))
	})
}

// takeFront reads YAML between lines "---" at the top of a page, or an object of JSON in
// a comment there, as pages of go.dev have it.
func (s *source) takeFront() {
	body := bytes.TrimLeft(s.text, "\n\r ")
	if rest, ok := bytes.CutPrefix(body, []byte("<!--{")); ok {
		object, _, _ := bytes.Cut(rest[:min(len(rest), 16<<10)], []byte("-->"))
		var front struct{ Title, Description string }
		if json.Unmarshal(append([]byte{'{'}, object...), &front) == nil {
			s.front.title, s.front.description = front.Title, front.Description
		}
		return // a comment is not shown: nothing is taken off
	}
	if !bytes.HasPrefix(body, []byte("---")) {
		return
	}
	from := len(s.text) - len(body)
	end := bytes.Index(body[3:min(len(body), 16<<10)], []byte("\n---"))
	if end < 0 {
		return
	}
	after := from + 3 + end + len("\n---")
	for line := range strings.Lines(string(body[3 : 3+end])) {
		key, value, ok := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch {
		case !ok:
		case key == "title":
			s.front.title = value
		case key == "description":
			s.front.description = value
		}
	}
	var all yaml.Node
	if yaml.Unmarshal(body[3:3+end], &all) == nil && len(all.Content) == 1 {
		for i, n := range all.Content[0].Content {
			if i%2 == 1 { // a value
				s.front.more = appendAbout(s.front.more, n, 0)
			}
		}
	}
	blank := bytes.Repeat([]byte{'\n'}, bytes.Count(s.text[:after], []byte{'\n'}))
	s.text = append(blank, withoutShortcodes(s.text[after:])...)
}
