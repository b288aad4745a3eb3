package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of file names, which hold on every system.
const (
	mostName = 100 // bytes of a file's or a folder's name
	mostPath = 220 // bytes of a path below the doc set's folder
)

// kind is what a page is saved as.
type kind string

const (
	kindHTML     kind = "html"
	kindMarkdown kind = "markdown"
	kindText     kind = "text"
	kindPDF      kind = "pdf"
)

// endings are those that a file of a kind may keep from its address; the first is given to
// others.
func (k kind) endings() []string {
	switch k {
	case kindMarkdown:
		return []string{".md", ".markdown", ".mdx"}
	case kindText:
		return []string{".txt"}
	case kindPDF:
		return []string{".pdf"}
	}
	return []string{".html", ".htm", ".xhtml", ".shtml"}
}

// names gives each page a file whose path mirrors its address.
type names struct {
	files   map[string]bool // in the form in which systems without cases compare them
	folders map[string]bool
}

func newNames() *names { return &names{files: map[string]bool{}, folders: map[string]bool{}} }

// folded is a path as a system compares it that knows neither cases nor ways to write an
// accent.
func folded(file string) string { return strings.ToLower(norm.NFC.String(file)) }

// reserveFile reserves a file that a page had before; false where it cannot have it.
func (n *names) reserveFile(file string) bool {
	f := folded(file)
	if n.files[f] || n.folders[f] {
		return false
	}
	var above []string
	for dir := path.Dir(f); dir != "."; dir = path.Dir(dir) {
		if n.files[dir] {
			return false
		}
		above = append(above, dir)
	}
	n.files[f] = true
	for _, dir := range above {
		n.folders[dir] = true
	}
	return true
}

// assignFile is the file of a page: by its address, and with a part of its hash where another page
// has that file.
func (n *names) assignFile(s scope, u *url.URL, k kind) string {
	file := fileOf(s, u, k)
	if n.reserveFile(file) {
		return file
	}
	ending := path.Ext(file)
	mark := "-" + hashOf(u.String())
	if stem := strings.TrimSuffix(file, ending); n.reserveFile(stem + mark + ending) {
		return stem + mark + ending
	}
	for i := 0; ; i++ {
		if file = fmt.Sprintf("page%s-%d%s", mark, i, ending); n.reserveFile(file) {
			return file
		}
	}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:5])
}

// fileOf is the path of a page's file by its address alone.
func fileOf(s scope, u *url.URL, k kind) string {
	below := strings.TrimPrefix(u.Path+"/", s.folder)
	folder := strings.HasSuffix(u.Path, "/") || below == ""
	var segments []string
	for segment := range strings.SplitSeq(below, "/") {
		if segment != "" {
			segments = append(segments, segment)
		}
	}
	if folder || len(segments) == 0 {
		segments = append(segments, "index")
	}
	last := segments[len(segments)-1]
	ending := strings.ToLower(path.Ext(last))
	switch {
	case slices.Contains(k.endings(), ending):
		last = last[:len(last)-len(ending)]
	case ending != "" && hasPageEnding(last):
		last, ending = last[:len(last)-len(ending)], k.endings()[0]
	default:
		ending = k.endings()[0]
	}
	if u.RawQuery != "" {
		last += "@" + u.RawQuery
	}
	segments[len(segments)-1] = last
	for i, segment := range segments {
		segments[i] = safeName(segment)
	}
	file := strings.Join(segments, "/") + ending
	if len(file) > mostPath {
		file = safeName(segments[0]) + "/" + hashOf(u.String()) + ending
	}
	return file
}

// reserved are names that Windows gives to devices, without their numbers.
var reserved = []string{"con", "prn", "aux", "nul", "com", "lpt", "conin$", "conout$"}

// safeName is a segment of an address as the name of a file or a folder on any system: never
// "..", hidden, a device, or longer than a name may be.
func safeName(segment string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(segment, "_") {
		switch {
		case strings.ContainsRune(`<>:"/\|?*`, r), r == utf8.RuneError, unicode.IsControl(r),
			unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			b.WriteByte('_')
		default:
			b.WriteRune(r)
		}
	}
	name := b.String()
	if strings.HasPrefix(name, ".") {
		name = "_" + name[1:]
	}
	name = strings.TrimRight(name, ". ")
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	stem = strings.TrimRight(stem, " ")
	device := slices.Contains(reserved, strings.TrimRight(stem, "0123456789"))
	if name == "" || device || name == "node_modules" || name == "_sources" { // the last two are not read in a doc set
		name = "_" + name
	}
	if len(name) > mostName {
		name = strings.ToValidUTF8(name[:mostName-11], "") + "-" + hashOf(segment)
	}
	return name
}
