// Package files opens the files of a doc set's folder: pages, and what pages take text
// from.
//
// It opens regular files inside the folder alone. It refuses hidden files, symbolic
// links in a file's place, links of folders that lead out, named pipes and devices, and
// files over parse.MaxFile.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/permalink"
	"docent/pipeline/text/cause"
	"docent/store/doc"
)

// Folder is the folder of a doc set. It implements parse.Files, and is safe for
// concurrent use.
type Folder struct {
	root  string
	outer func() whole // see Boundary
	pages func() []string
	memo  *Memo // nil: none

	mu      sync.Mutex
	lists   map[string][]string   // by their endings
	surveys map[string]func() any // see Survey
}

// InFolder is the folder at root. pages returns the paths of the doc set's pages, in order; it
// is called on demand. nil: no pages.
func InFolder(root string, pages func() []string) *Folder {
	return &Folder{root: root, pages: pages, outer: sync.OnceValue(func() whole { return wholeAround(root) })}
}

// Boundary is the name of a file that marks the folder of something that was fetched whole,
// such as a repository: a page in a folder of it may take text from all of it. Of a working
// copy of a repository that somebody has, a page in a folder may take the text of other pages; the
// configuration of Jekyll's site is read there too.
const Boundary = ".docent-source"

// mostAbove is how many folders above a doc set are looked at for a boundary.
const mostAbove = 8

// whole is the folder that a doc set's folder is part of; its zero value is none.
type whole struct {
	dir, inside string // inside is the path of the doc set in it, with slashes
	// prose says that only pages and files such as README are taken: the folder is a working
	// copy on this machine, which has more than its repository.
	prose bool
}

// wholeAround is the marked folder at root or above it, or the repository that root is in.
func wholeAround(root string) whole {
	w := whole{dir: root}
	for range mostAbove {
		if st, err := os.Lstat(filepath.Join(w.dir, Boundary)); err == nil && st.Mode().IsRegular() {
			return w
		}
		if hasAny(w.dir, ".ssh", ".profile", ".bashrc", ".zshrc", "AppData") {
			break // somebody's home: a repository of settings is no project
		}
		if hasAny(w.dir, ".git") {
			w.prose = true
			return w
		}
		up := filepath.Dir(w.dir)
		if up == w.dir {
			break
		}
		w.dir, w.inside = up, path.Join(filepath.Base(w.dir), w.inside)
	}
	return whole{}
}

// hasAny reports whether a folder has one of some files or folders.
func hasAny(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// isProse reports whether a file's name is that of a page, or of a README, CHANGES or the like.
func isProse(name string) bool {
	base := path.Base(name)
	return parse.HasProseEnding(base) || path.Ext(base) == "" && base == strings.ToUpper(base)
}

// Reaches implements what parse asks of files outside of the doc set.
func (f *Folder) Reaches(name string) bool {
	_, _, ok := f.locate(name)
	return ok
}

// locate is the folder that a file is opened in, and its path there: the doc set's own, or for
// a path that begins with ../ that of the whole, if it stays within that.
func (f *Folder) locate(name string) (root, inside string, ok bool) {
	if !strings.HasPrefix(name, "../") {
		return f.root, name, true
	}
	w := f.outer()
	if w.dir == "" || w.prose && !isProse(name) && path.Base(name) != permalink.ConfigFile {
		return "", "", false
	}
	inside = path.Join(w.inside, name)
	return w.dir, inside, fs.ValidPath(inside) && inside != "."
}

// Memo remembers the hashes of files by their sizes and times, for folders that are made
// anew for each page. Its zero value is ready. It is safe for concurrent use.
type Memo struct {
	mu   sync.Mutex
	uses map[string]doc.Use // by path on this machine
}

// maxMemo is the most files of a memo; one that is full begins anew.
const maxMemo = 20_000

// Remember has the folder use a memo; it returns the folder.
func (f *Folder) Remember(m *Memo) *Folder {
	f.memo = m
	return f
}

// Use is what a page that used a file would have used of it now; a file that is not there
// has no hash. A file with the size and the time that it had is not read again.
func (f *Folder) Use(name string) doc.Use {
	root, inside, ok := f.locate(name)
	if !ok {
		return doc.Use{Path: name}
	}
	full := filepath.Join(root, filepath.FromSlash(inside))
	st, err := os.Lstat(full)
	if err != nil || !st.Mode().IsRegular() {
		return doc.Use{Path: name}
	}
	if f.memo != nil {
		f.memo.mu.Lock()
		u, ok := f.memo.uses[full]
		f.memo.mu.Unlock()
		if ok && u.Bytes == st.Size() && u.ModTime == st.ModTime().UnixNano() {
			u.Path = name
			return u
		}
	}
	use := parse.LookAtFile(f, name)
	if f.memo != nil && use.SHA256 != "" {
		f.memo.mu.Lock()
		if f.memo.uses == nil || len(f.memo.uses) >= maxMemo {
			f.memo.uses = map[string]doc.Use{}
		}
		f.memo.uses[full] = use
		f.memo.mu.Unlock()
	}
	return use
}

// openHidden are the names of hidden files that are opened nevertheless: they say for editors how
// pages are read, and hold nothing else.
var openHidden = []string{".asciidoctorconfig", ".asciidoctorconfig.adoc"}

// Open reads a file.
func (f *Folder) Open(name string) (parse.Opened, error) {
	root, inside, ok := f.locate(name)
	for part := range strings.SplitSeq(inside, "/") {
		ok = ok && (!strings.HasPrefix(part, ".") || slices.Contains(openHidden, part))
	}
	if !ok {
		return parse.Opened{}, fmt.Errorf("%s is hidden or outside of the doc set", name)
	}
	file, st, err := OpenInside(root, inside)
	if err != nil {
		return parse.Opened{}, fmt.Errorf("%s: %w", name, cause.WithoutPath(err))
	}
	defer file.Close()
	data, err := ReadAll(file, st)
	if err != nil {
		return parse.Opened{}, fmt.Errorf("%s: %w", name, cause.WithoutPath(err))
	}
	return parse.Opened{Data: data, ModTime: st.ModTime().UnixNano()}, nil
}

// List gives the paths of the pages that have one of some endings. The caller must not
// change the list.
func (f *Folder) List(endings ...string) []string {
	if f.pages == nil {
		return nil
	}
	key := strings.Join(endings, " ")
	f.mu.Lock()
	defer f.mu.Unlock()
	if list, ok := f.lists[key]; ok {
		return list
	}
	var list []string
	for _, p := range f.pages() {
		if slices.Contains(endings, strings.ToLower(path.Ext(p))) {
			list = append(list, p)
		}
	}
	if f.lists == nil {
		f.lists = map[string][]string{}
	}
	f.lists[key] = list
	return list
}

// Survey returns the index of the folder's files with this name: made once, however many
// pages ask for it.
func (f *Folder) Survey(name string, of func(parse.Files) any) any {
	f.mu.Lock()
	s, ok := f.surveys[name]
	if !ok {
		if f.surveys == nil {
			f.surveys = map[string]func() any{}
		}
		s = sync.OnceValue(func() any { return of(f) })
		f.surveys[name] = s
	}
	f.mu.Unlock()
	return s()
}

// Contents is what pages that depend on all pages with some endings would use of them now. They are
// looked at once.
func (f *Folder) Contents(endings ...string) doc.Use {
	use, _ := f.Survey("contents of "+strings.Join(endings, " "), func(parse.Files) any {
		return parse.LookAtContents(f, endings)
	}).(doc.Use)
	return use
}

// isBehindLink reports whether a folder of a path is a link, which may lead out.
func isBehindLink(root *os.Root, name string) bool {
	for dir := filepath.Dir(name); dir != "." && dir != string(filepath.Separator); dir = filepath.Dir(dir) {
		if info, err := root.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// leadsBack is the path inside a folder of a file whose folder is reached by links that lead out of it
// and in again, as "../../docs/parts" of a repository does in docs; "" where it lies outside. The file
// itself may be no link.
func leadsBack(folder, name string) string {
	dir, err := filepath.EvalSymlinks(filepath.Join(folder, filepath.Dir(name)))
	if err != nil {
		return ""
	}
	top, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return ""
	}
	inside, err := filepath.Rel(top, dir)
	hidden := strings.HasPrefix(inside, ".") && inside != "." || strings.Contains(inside, string(filepath.Separator)+".")
	if err != nil || !filepath.IsLocal(inside) || hidden {
		return ""
	}
	return filepath.Join(inside, filepath.Base(name))
}

// OpenInside opens a file inside a folder. The error wraps fs.ErrNotExist for a symbolic link
// and for anything else that is not a regular file. The open file is checked, and not
// only its name: another process may replace the file with a named pipe at any moment,
// and opening or reading that would block.
func OpenInside(folder, name string) (*os.File, fs.FileInfo, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	for range mostReplaced {
		var file *os.File
		var st fs.FileInfo
		if file, st, err = openNamed(root, folder, filepath.FromSlash(name)); !errors.Is(err, errReplaced) {
			return file, st, err
		}
	}
	return nil, nil, err
}

// errReplaced is for a file in whose place another one was put while it was opened.
var errReplaced = fmt.Errorf("another file was put in its place: %w", fs.ErrNotExist)

// mostReplaced is how often a file is opened again that was replaced at that moment: a program that saves a
// page puts another file in its place, and the page is not gone then.
const mostReplaced = 20

func openNamed(root *os.Root, folder, name string) (*os.File, fs.FileInfo, error) {
	named, err := root.Lstat(name)
	if err != nil && isBehindLink(root, name) {
		if back := leadsBack(folder, name); back != "" {
			name = back
			named, err = root.Lstat(name)
		} else {
			err = fmt.Errorf("it escapes from its folder by a link: %w", fs.ErrNotExist)
		}
	}
	if err == nil {
		err = checkSize(named, parse.MaxFile)
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := root.OpenFile(name, readOnly, 0)
	if err != nil {
		return nil, nil, err
	}
	st, err := file.Stat()
	if err == nil && !os.SameFile(named, st) {
		err = errReplaced
	}
	if err == nil {
		err = checkSize(st, parse.MaxFile)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, st, nil
}

// checkSize reports whether a file may be read.
func checkSize(st fs.FileInfo, most int64) error {
	switch {
	case !st.Mode().IsRegular():
		return fmt.Errorf("it is no regular file: %w", fs.ErrNotExist)
	case st.Size() > most:
		return fmt.Errorf("it has %d MB, a page may have %d MB", st.Size()>>20, most>>20)
	}
	return nil
}

// ReadInside opens a file inside a folder, see Open, and reads it.
func ReadInside(folder, name string) ([]byte, error) {
	file, st, err := OpenInside(folder, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(file, st)
}

// ReadLinked reads a regular file by its path on this machine, links followed, of at
// most so many bytes.
func ReadLinked(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, readOnly, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err == nil {
		err = checkSize(st, most)
	}
	if err != nil {
		return nil, err
	}
	return ReadAll(file, st)
}

// ReadAll reads a file. A file that grows past parse.MaxFile while it is read is an
// error.
func ReadAll(file io.Reader, st fs.FileInfo) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, st.Size()+bytes.MinRead))
	n, err := b.ReadFrom(io.LimitReader(file, parse.MaxFile+1))
	if err == nil && n > parse.MaxFile {
		err = fmt.Errorf("it grew to more than the %d MB that a page may have", parse.MaxFile>>20)
	}
	return b.Bytes(), err
}

// HeadReader gives the beginning of a file, at most parse.HeadBytes of it.
func HeadReader(folder, name string) func() ([]byte, error) {
	return func() ([]byte, error) {
		file, _, err := OpenInside(folder, name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		head := make([]byte, parse.HeadBytes)
		n, err := io.ReadFull(file, head)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return head[:n], nil
	}
}

// Looks compares what pages used with the files' sizes and times; nothing is read. It
// remembers each file: many pages use the same. It is not safe for concurrent use.
type Looks struct {
	Folder *Folder
	seen   map[string]fs.FileInfo
	stamps map[string]doc.Use // of all files with some endings
}

// Same reports whether all that a page used has the size and the time that it had.
func (l *Looks) Same(uses []doc.Use) bool {
	for _, u := range uses {
		if u.Contents {
			if now := l.stampOf(u.Endings); now.Bytes != u.Bytes || now.ModTime != u.ModTime {
				return false
			}
			continue
		}
		if len(u.Endings) > 0 {
			if present, _ := parse.Present([]doc.Use{u}, l.Folder); present == nil {
				return false
			}
			continue
		}
		st, ok := l.seen[u.Path]
		if !ok {
			if l.seen == nil {
				l.seen = map[string]fs.FileInfo{}
			}
			if st, _ = os.Lstat(filepath.Join(l.Folder.root, filepath.FromSlash(u.Path))); st != nil && !st.Mode().IsRegular() {
				st = nil
			}
			l.seen[u.Path] = st
		}
		there := st != nil
		if there && u.SHA256 == "" && !strings.HasPrefix(u.Path, "../") { // it may lie outside, behind a link
			file, _, err := OpenInside(l.Folder.root, u.Path)
			if there = err == nil; there {
				_ = file.Close()
				return false
			}
		}
		if there != (u.SHA256 != "") || there && (st.Size() != u.Bytes || st.ModTime().UnixNano() != u.ModTime) {
			return false
		}
	}
	return true
}

// stampOf gives the sizes and times of all files with some endings.
func (l *Looks) stampOf(endings []string) doc.Use {
	key := strings.Join(endings, " ")
	if now, ok := l.stamps[key]; ok {
		return now
	}
	now, stamp := doc.Use{}, parse.NewStamp()
	for _, name := range l.Folder.List(endings...) {
		st, err := os.Lstat(filepath.Join(l.Folder.root, filepath.FromSlash(name)))
		if err != nil || !st.Mode().IsRegular() {
			stamp.Add(0, 0)
			continue
		}
		now.Bytes += st.Size()
		stamp.Add(st.Size(), st.ModTime().UnixNano())
	}
	if now.ModTime = stamp.Sum(); l.stamps == nil {
		l.stamps = map[string]doc.Use{}
	}
	l.stamps[key] = now
	return now
}
