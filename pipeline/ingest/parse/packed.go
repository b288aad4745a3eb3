package parse

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"docent/store/doc"
)

// Bounds of what a compressed file expands to, in addition to MaxFile. A text becomes a
// tenth of its size; what becomes a hundredth was made to fill a memory.
const (
	expandRatio = 100
	expandLeast = 1 << 20 // bytes that any file may expand to
)

// packedEnding is the ending of compressed files, behind that of their format.
const packedEnding = ".gz"

// IsCompressed reports whether a file begins as one that gzip wrote.
func IsCompressed(src []byte) bool { return bytes.HasPrefix(src, []byte{0x1f, 0x8b}) }

// ExpandHead gives the beginning of the content of a file by the file's own beginning.
func ExpandHead(head []byte) []byte {
	text, _ := expandUpTo(head, HeadBytes) // it ends early
	return text
}

func expandUpTo(src []byte, most int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, most+1))
	if int64(len(text)) > most {
		return text[:most], fmt.Errorf("it expands to more than %d MB", most>>20)
	}
	return text, err
}

// ExpandPage gives the content of a compressed page: of a damaged one what there is, with a
// warning. The error is LeftOut where nothing can be read or too much comes out.
func ExpandPage(src []byte) (text []byte, warning string, err error) {
	most := min(MaxFile, expandLeast+expandRatio*int64(len(src)))
	text, err = expandUpTo(src, most)
	switch {
	case err == nil:
		return text, "", nil
	case len(text) == 0 || int64(len(text)) == most:
		return nil, "", LeftOut(fmt.Sprintf("it cannot be expanded: %v", err))
	}
	return text, fmt.Sprintf("it is damaged and read as far as it can be expanded: %v", err), nil
}

// packed reads compressed pages of another parser's format. Their lines have no place in
// the file.
type packed struct{ Parser }

// Info describes the format as it is in compressed files: the text is never the source.
func (p packed) Info() Info {
	info := p.Parser.Info()
	info.Verbatim = false
	return info
}

// Parse expands a page and has it read.
func (p packed) Parse(ctx context.Context, src []byte, opt Options) (doc.Document, error) {
	text, warning, err := ExpandPage(src)
	if err != nil {
		return doc.Document{}, err
	}
	opt.Path = strings.TrimSuffix(opt.Path, packedEnding)
	if opt.FallbackTitle == "" {
		opt.FallbackTitle = DefaultTitle(opt.Path, doc.LayoutTree)
	}
	d, err := p.Parser.Parse(ctx, text, opt)
	if err != nil {
		return d, err
	}
	if d.Verbatim() {
		d.Text = bytes.ToValidUTF8(d.Text, []byte("\uFFFD"))
		if len(d.Text) != len(text) { // its places are those of another text
			if d, err = p.Parser.Parse(ctx, d.Text, opt); err != nil {
				return d, err
			}
			d.Warnings = append([]string{"not all of it is UTF-8"}, d.Warnings...)
		}
	}
	if warning != "" {
		d.Warnings = append([]string{warning}, d.Warnings...)
	}
	d.Source, d.Bytes, d.Map = src, len(src), make([]doc.Location, doc.CountLines(d.Text))
	return d, nil
}

// unpackedName is the name of a compressed file without its last ending; ok is false
// where that tells nothing of the content.
func unpackedName(base string) (name string, ok bool) {
	if len(base) > len(packedEnding) && strings.EqualFold(base[len(base)-len(packedEnding):], packedEnding) {
		name = base[:len(base)-len(packedEnding)]
	}
	return name, name != "" && endingOf(name) != ""
}

// NoEnding is the ending, among those of a parser, of files that have none and whose name
// says that they are to be read: README, CHANGELOG, NEWS.Debian.
const NoEnding = "."

// readable are the names of such files. Those of scripts (install) must be in capitals.
var readable = []string{"README", "CHANGELOG", "CHANGES", "NEWS", "INSTALL", "FAQ", "HOWTO", "HACKING", "CONTRIBUTING", "UPGRADING",
	"Readme", "readme", "ChangeLog", "Changelog", "changelog", "Changes", "News"}

// copies are endings of older states of a file.
var copies = []string{"old", "bak", "orig", "rej", "save"}

// isReadmeOfTopic reports whether a file's name is README with a topic behind it, as README.watchdog: it is read where
// its content is prose.
func isReadmeOfTopic(base string) bool {
	topic, ok := strings.CutPrefix(base, "README.")
	return ok && topic != "" && !slices.Contains(copies, strings.ToLower(topic))
}

// endingOf is the ending by which a file is known, in lower case; NoEnding where its name
// says what it is, "" where nothing does.
func endingOf(base string) string {
	if page, ok := TemplateOf(base); ok {
		base = page
	}
	name := strings.TrimSuffix(base, ".Debian")
	if slices.Contains(readable, name) {
		return NoEnding
	}
	if i := strings.LastIndexByte(base, '.'); i >= 0 && i+1 < len(base) {
		return strings.ToLower(base[i:])
	}
	return ""
}

// sectionOf is the ending of the main section that the ending of a manual page names with a
// suffix: ".3" for ".3pm" and ".1" for ".1m". It reports whether an ending is of that form.
func sectionOf(ext string) (section string, ok bool) {
	if len(ext) < 3 || len(ext) > 12 || ext[1] < '0' || ext[1] > '9' {
		return "", false
	}
	for _, c := range []byte(ext[2:]) {
		if c < 'a' || c > 'z' {
			return "", false
		}
	}
	return ext[:2], true
}
