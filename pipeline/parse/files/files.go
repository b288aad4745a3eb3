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

	"docent/pipeline/parse"
	"docent/store/doc"
)

// Folder is the folder of a doc set. It implements parse.Files, and is safe for
// concurrent use.
type Folder struct {
	root  string
	pages func() []string
	memo  *Memo // nil: none

	mu    sync.Mutex
	lists map[string][]string // by their endings
}

// In is the folder at root. pages gives the paths of the doc set's pages, in order; it is
// called where they are asked for. nil: there are none.
func In(root string, pages func() []string) *Folder { return &Folder{root: root, pages: pages} }

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
	full := filepath.Join(f.root, filepath.FromSlash(name))
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
	use := parse.Look(f, name)
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

// Open reads a file.
func (f *Folder) Open(name string) (parse.Opened, error) {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return parse.Opened{}, fmt.Errorf("%s is hidden or outside of the doc set", name)
		}
	}
	file, st, err := Open(f.root, name)
	if err != nil {
		return parse.Opened{}, fmt.Errorf("%s: %w", name, plain(err))
	}
	defer file.Close()
	data, err := ReadAll(file, st)
	if err != nil {
		return parse.Opened{}, fmt.Errorf("%s: %w", name, plain(err))
	}
	return parse.Opened{Data: data, ModTime: st.ModTime().UnixNano()}, nil
}

// plain is an error without the path on this machine.
func plain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
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

// Open opens a file inside a folder. The error wraps fs.ErrNotExist for a symbolic
// link and for anything else that is not a regular file.
func Open(folder, name string) (*os.File, fs.FileInfo, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	st, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("it is no regular file: %w", fs.ErrNotExist)
	}
	if st.Size() > parse.MaxFile {
		return nil, nil, fmt.Errorf("it has %d MB, a page may have %d MB", st.Size()>>20, parse.MaxFile>>20)
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return file, st, nil
}

// ReadAll reads a file, at most parse.MaxFile bytes of it.
func ReadAll(file io.Reader, st fs.FileInfo) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, st.Size()+bytes.MinRead))
	_, err := b.ReadFrom(io.LimitReader(file, parse.MaxFile))
	return b.Bytes(), err
}

// Head gives the beginning of a file, at most parse.HeadBytes of it.
func Head(folder, name string) func() ([]byte, error) {
	return func() ([]byte, error) {
		file, _, err := Open(folder, name)
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
}

// Same says whether all that a page used has the size and the time that it had.
func (l *Looks) Same(uses []doc.Use) bool {
	for _, u := range uses {
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
		if there != (u.SHA256 != "") || there && (st.Size() != u.Bytes || st.ModTime().UnixNano() != u.ModTime) {
			return false
		}
	}
	return true
}
