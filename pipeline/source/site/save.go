package site

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"docent/pipeline/source"
	"docent/pipeline/text/pattern"
)

// workFolder is the folder in which a fetch keeps what it needs to go on after it was
// interrupted: pages that were not put in their place, and the journal.
const (
	workFolder = ".docent-fetch"
	journal    = workFolder + "/journal"
)

// entry is a line of the journal: a page that was put in its place, or is as it was, or an
// address that is left out.
type entry struct {
	Asked  string      `json:"asked"`
	Page   *record     `json:"page,omitempty"`
	Same   bool        `json:"same,omitempty"` // as in the last fetch: its file was not written
	Left   *leftRecord `json:"left,omitempty"`
	Header *header     `json:"header,omitempty"`
}

// header is the first line of the journal. What another fetch wrote is not used.
type header struct {
	Format  int    `json:"format"`
	Start   string `json:"start"`
	Wanted  string `json:"wanted"`
	Before  string `json:"before"`
	Pattern string `json:"pattern"`
}

// saver writes pages below a folder, and nowhere else.
type saver struct {
	root    *os.Root
	folder  string
	before  string // the folder of the last fetch, "" without one
	journal *os.File
	known   map[string]entry // what the journal of an interrupted fetch says, by address
}

// openSaver opens the folder of a fetch, and reads the journal of an interrupted one.
func openSaver(into string, before *source.Before, h header) (*saver, error) {
	root, err := os.OpenRoot(into)
	if err != nil {
		return nil, fmt.Errorf("the folder for the pages: %w", err)
	}
	s := &saver{root: root, folder: into, known: map[string]entry{}}
	if before != nil {
		s.before = before.Folder
	}
	if err := s.openJournal(h); err != nil {
		_ = root.Close()
		return nil, err
	}
	return s, nil
}

func (s *saver) openJournal(h header) error {
	good := s.readJournal(h)
	if good == 0 { // of another fetch, or none: the files here are not known
		if err := s.clear(); err != nil {
			return fmt.Errorf("what an interrupted fetch left: %w", err)
		}
	}
	if err := s.root.MkdirAll(workFolder, 0o755); err != nil {
		return fmt.Errorf("the folder for the pages: %w", err)
	}
	f, err := s.root.OpenFile(journal, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("the journal of the fetch: %w", err)
	}
	s.journal = f
	if err = f.Truncate(good); err == nil {
		_, err = f.Seek(good, io.SeekStart)
	}
	if err == nil && good == 0 {
		err = s.writeJournal(entry{Header: &h})
	}
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("the journal of the fetch: %w", err)
	}
	return nil
}

// readJournal reads the journal of an interrupted fetch, and returns the length of its whole
// lines; 0 where it is of another fetch.
func (s *saver) readJournal(h header) (good int64) {
	f, err := s.root.Open(journal)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil { // the last line may be half
			return good
		}
		var e entry
		if json.Unmarshal(line, &e) != nil {
			return good
		}
		if good == 0 && (e.Header == nil || *e.Header != h) {
			return 0
		}
		good += int64(len(line))
		if e.Header == nil {
			s.known[e.Asked] = e
		}
	}
}

// clear removes all below the folder.
func (s *saver) clear() error {
	all, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := s.root.RemoveAll(e.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (s *saver) writeJournal(e entry) error {
	line, err := json.Marshal(e)
	if err == nil {
		_, err = s.journal.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("the journal of the fetch: %w", err)
	}
	return nil
}

// close ends the work on the folder. done removes what only an interrupted fetch needs.
func (s *saver) close(done bool) error {
	err := s.journal.Close()
	if done {
		err = errors.Join(err, s.root.RemoveAll(workFolder))
	}
	return errors.Join(err, s.root.Close())
}

// resumed is what an interrupted fetch did about an address; false where it must be read.
func (s *saver) resumed(asked string) (entry, []byte, bool) {
	e, ok := s.known[asked]
	if !ok || e.Page == nil || e.Same {
		return e, nil, ok
	}
	content, err := s.root.ReadFile(filepath.FromSlash(e.Page.File))
	if err != nil || digestOf(content) != e.Page.Digest {
		return entry{}, nil, false
	}
	return e, content, true
}

func stageName(i int) string { return workFolder + "/" + strconv.Itoa(i) }

// stage writes a page that has no place yet.
func (s *saver) stage(i int, content []byte) error {
	if err := s.root.WriteFile(stageName(i), content, 0o644); err != nil {
		return fmt.Errorf("a page could not be written: %w", err)
	}
	return nil
}

// unstage removes a page that gets no place.
func (s *saver) unstage(i int) { _ = s.root.Remove(stageName(i)) }

// place puts a page in its place.
func (s *saver) place(i int, file string) error {
	err := s.root.MkdirAll(filepath.FromSlash(path.Dir(file)), 0o755)
	if err == nil {
		err = s.root.Rename(stageName(i), filepath.FromSlash(file))
	}
	if err != nil {
		return fmt.Errorf("the page %s could not be written: %w", file, err)
	}
	return nil
}

// remove removes a page, and its folders where they are empty.
func (s *saver) remove(file string) {
	_ = s.root.Remove(filepath.FromSlash(file))
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if s.root.Remove(filepath.FromSlash(dir)) != nil {
			return
		}
	}
}

// has reports whether the last fetch's file of a page is there.
func (s *saver) has(r *record) bool {
	if !filepath.IsLocal(filepath.FromSlash(r.File)) {
		return false
	}
	st, err := os.Lstat(filepath.Join(s.before, filepath.FromSlash(r.File)))
	return err == nil && st.Mode().IsRegular() && st.Size() == r.Bytes
}

// linkUnchanged brings a page of the last fetch into this one's folder: the same file by a second
// name, or a copy where a system has no such names.
func (s *saver) linkUnchanged(r *record) error {
	if _, err := s.root.Lstat(filepath.FromSlash(r.File)); err == nil {
		return nil
	}
	from := filepath.Join(s.before, filepath.FromSlash(r.File))
	to := filepath.Join(s.folder, filepath.FromSlash(r.File))
	if err := s.root.MkdirAll(filepath.FromSlash(path.Dir(r.File)), 0o755); err != nil {
		return fmt.Errorf("the page %s: %w", r.File, err)
	}
	if os.Link(from, to) == nil {
		return nil
	}
	content, err := os.ReadFile(from)
	if err == nil {
		err = s.root.WriteFile(filepath.FromSlash(r.File), content, 0o644)
	}
	if err != nil {
		return fmt.Errorf("the page %s of the last fetch: %w", r.File, err)
	}
	return nil
}

// contentOf is a page as it is saved. It says where it lies on the web, in the way of its
// format: the address is not that of the file for all pages, and what a page calls its
// canonical address may be that of another version.
func contentOf(body []byte, k kind, contentType, address string) []byte {
	switch k {
	case kindHTML:
		body = toUTF8(body, contentType)
		mark, rest := "", body
		if r, ok := bytes.CutPrefix(body, []byte("\xef\xbb\xbf")); ok {
			mark, rest = "\xef\xbb\xbf", r
		}
		return append([]byte(mark+addressLine(address)), rest...)
	case kindMarkdown:
		return withAddress(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), address)
	}
	return body
}

// addressLine is the text before a page of HTML, on its first line.
func addressLine(address string) string {
	return `<link rel="canonical" href="` + html.EscapeString(address) + `">`
}

// withoutAddress is a saved page of HTML without its address.
func withoutAddress(content []byte, k kind) []byte {
	if k != kindHTML {
		return content
	}
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(content, []byte(`<link rel="canonical" href="`)) {
		if i := bytes.IndexByte(content, '>'); i > 0 {
			return content[i+1:]
		}
	}
	return content
}

// withAddress gives a page of Markdown front matter with its address, in the place of the one
// that it says itself.
func withAddress(body []byte, address string) []byte {
	line := "url: " + strconv.Quote(address)
	for _, end := range []string{"\n", "\r\n"} {
		rest, ok := bytes.CutPrefix(body, []byte("---"+end))
		head, after, closed := bytes.Cut(rest, []byte("\n---"))
		if ok && closed {
			head = ownAddress().ReplaceAll(append(head, '\n'), nil)
			return slices.Concat([]byte("---"+end+line+end), head, []byte("---"), after)
		}
	}
	for _, other := range []string{"---", "+++", "<!--"} { // metadata in another form
		if bytes.HasPrefix(body, []byte(other)) {
			return body
		}
	}
	return append([]byte("---\n"+line+"\n---\n\n"), body...)
}

// ownAddress is a line of metadata by which a page says where it lies: that of another site,
// or of a host that the source was written for.
var ownAddress = pattern.Lazy(`(?m)^(?:url|permalink):[ \t]*[^\s>|&][^\n]*\n`)
