package dita

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// The bounds of what one page takes from other files.
const (
	maxFiles     = 1000
	maxFileBytes = 64 << 20 // of all of them
	maxPath      = 1000     // bytes
)

// file is a DITA file as text.
type file struct {
	path     string // in the doc set; "" where it is not known
	text     []byte
	start    int // behind the XML declaration
	entities map[string]string
	places   map[string]place // by id: "topic", "topic/element", "/element"
	first    string           // id of the first topic or map
}

// place is where an element begins.
type place struct{ offset, line int }

// newFile decodes a file.
func newFile(path string, src []byte) (*file, string) {
	text, warning := toUTF8(src)
	f := &file{path: path, text: text}
	if loc := declaration().FindIndex(text[:min(len(text), 1000)]); loc != nil {
		f.start = loc[1]
	}
	return f, warning
}

// newReaderAtStart reads the file from its beginning.
func (f *file) newReaderAtStart() *reader {
	line := 1 + strings.Count(string(f.text[:f.start]), "\n")
	return readFrom(f, f.start, line)
}

// index finds the elements with ids.
func (f *file) index() {
	if f.places != nil {
		return
	}
	f.places = map[string]place{}
	r := f.newReaderAtStart()
	var topics []int // depths of the open topics
	var ids []string // theirs
	depth := 0
	for {
		e, at := r.next()
		switch e.kind {
		case atEnd:
			return
		case opens:
			depth++
			id := attrOf(e.attrs, "id")
			here := place{at, e.line}
			if isTopic[e.name] || isMap[e.name] && depth == 1 {
				topics, ids = append(topics, depth), append(ids, id)
				if len(topics) == 1 && f.first == "" {
					f.first = id
					f.putElement("", here)
				}
				if id != "" {
					f.putElement(id, here)
				}
			} else if id != "" {
				if n := len(ids); n > 0 {
					f.putElement(ids[n-1]+"/"+id, here)
				}
				f.putElement("/"+id, here)
			}
		case closes:
			if n := len(topics); n > 0 && topics[n-1] == depth {
				topics, ids = topics[:n-1], ids[:n-1]
			}
			depth--
		}
	}
}

func (f *file) putElement(id string, p place) {
	if _, twice := f.places[id]; !twice {
		f.places[id] = p
	}
}

// findElement finds an element by the fragment of a reference, "topic/element" or "topic"; ""
// is the first topic. "." is the topic that the reference stands in.
func (f *file) findElement(fragment, topic string) (place, bool) {
	f.index()
	if rest, ok := strings.CutPrefix(fragment, "./"); ok {
		fragment = topic + "/" + rest
	}
	if p, ok := f.places[fragment]; ok {
		return p, true
	}
	// A common mistake: the element without its topic, or with another one's.
	p, ok := f.places["/"+fragment[strings.LastIndexByte(fragment, '/')+1:]]
	return p, ok && fragment != ""
}

func attrOf(attrs []attr, name string) string {
	for _, a := range attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// library opens the files of a doc set for one page.
type library struct {
	open  func(path string) ([]byte, error)
	files map[string]*opened
	bytes int
}

type opened struct {
	file *file
	err  error
}

var (
	errNoFiles = errors.New("the page is read without its doc set")
	errNotDITA = errors.New("the file is not DITA")
)

// missing is the error of a file that the doc set does not have.
type missing string

func (m missing) Error() string { return "the doc set has no file " + string(m) }

// readRaw opens a file.
func (l *library) readRaw(p string) ([]byte, error) {
	switch {
	case l.open == nil:
		return nil, errNoFiles
	case len(p) > maxPath || p == ".." || strings.HasPrefix(p, "../") || path.IsAbs(p):
		return nil, errors.New("it is outside of the doc set")
	case len(l.files) >= maxFiles:
		return nil, fmt.Errorf("the page refers to more than %d files", maxFiles)
	case l.bytes >= maxFileBytes:
		return nil, fmt.Errorf("the page refers to more than %d MB", maxFileBytes>>20)
	}
	src, err := l.open(p)
	l.bytes += len(src)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(p)
	}
	return src, err
}

// getFile opens and decodes a file, once.
func (l *library) getFile(p string) (*file, error) {
	if o, ok := l.files[p]; ok {
		return o.file, o.err
	}
	src, err := l.readRaw(p)
	o := &opened{err: err}
	if err == nil {
		o.file, _ = newFile(p, src)
	}
	l.files[p] = o
	return o.file, o.err
}

// resolveReference is the path in the doc set of a reference from a file.
func resolveReference(from *file, href string) (p, fragment string) {
	href, fragment, _ = strings.Cut(href, "#")
	if href == "" {
		return from.path, fragment
	}
	return path.Join(path.Dir(from.path), unpercent(href)), fragment
}
