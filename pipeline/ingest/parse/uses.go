package parse

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/fnv"
	"io/fs"
	"path"
	"slices"
	"strings"

	"docent/store/doc"
)

// Bounds of what a page may take from other files.
const (
	maxUses     = 2000    // files and lists
	maxUseBytes = MaxFile // of all files together
)

// using hands a parser the other files of a doc set and notes which it was handed. It
// serves one Parse, on one goroutine.
type using struct {
	files Files
	uses  map[string]doc.Use
	data  map[string][]byte
	bytes int64
}

// optionsOfPage are those of a page at a path.
func (u *using) optionsOfPage(file string) Options {
	if u.files == nil {
		return Options{Path: file}
	}
	u.uses, u.data = map[string]doc.Use{}, map[string][]byte{}
	return Options{Path: file, Open: u.openFile, Files: u.listFiles, Survey: u.surveyDocSet, UseAll: u.useAll}
}

// surveyed are files of which surveys are kept.
type surveyed interface {
	Survey(name string, of func(Files) any) any
}

func (u *using) surveyDocSet(name string, of func(Files) any) any {
	if s, ok := u.files.(surveyed); ok {
		return s.Survey(name, of)
	}
	return of(u.files)
}

func (u *using) openFile(name string) ([]byte, error) {
	clean := path.Clean(name)
	if path.IsAbs(name) || clean == "." || !fs.ValidPath(clean) && !reaches(u.files, clean) {
		return nil, fmt.Errorf("%s is outside of the doc set", name)
	}
	if was, ok := u.uses[clean]; ok {
		if was.SHA256 == "" {
			return nil, fmt.Errorf("%s: %w", clean, fs.ErrNotExist)
		}
		return u.data[clean], nil
	}
	if len(u.uses) >= maxUses {
		return nil, fmt.Errorf("%s: a page may take text from %d files", clean, maxUses)
	}
	use, data, err := lookAtFile(u.files, clean)
	if u.bytes += use.Bytes; u.bytes > maxUseBytes {
		return nil, fmt.Errorf("%s: with it the page takes text from files of more than %d MB", clean, maxUseBytes>>20)
	}
	u.uses[clean], u.data[clean] = use, data
	return data, err
}

// reaching are files that may lie outside of the doc set.
type reaching interface {
	// Reaches reports whether a path that begins with ../ may be opened.
	Reaches(name string) bool
}

func reaches(files Files, name string) bool {
	r, ok := files.(reaching)
	return ok && strings.HasPrefix(name, "../") && r.Reaches(name)
}

func (u *using) listFiles(endings ...string) []string {
	use, files := listWithEndings(u.files, endings)
	if key := strings.Join(endings, " ") + "/"; len(u.uses) < maxUses { // no path ends so
		u.uses[key] = use
	}
	return files
}

func (u *using) useAll(endings ...string) {
	key := strings.Join(endings, " ") + "//" // no path ends so, and no list's key
	if _, noted := u.uses[key]; !noted && len(u.uses) < maxUses {
		u.uses[key] = contentsWithEndings(u.files, endings)
	}
}

// allUses are the used files, lists last.
func (u *using) allUses() []doc.Use {
	all := make([]doc.Use, 0, len(u.uses))
	for _, use := range u.uses {
		all = append(all, use)
	}
	slices.SortFunc(all, func(a, b doc.Use) int {
		if c := len(a.Endings) - len(b.Endings); c != 0 {
			return c
		}
		if c := strings.Compare(a.Path+strings.Join(a.Endings, " "), b.Path+strings.Join(b.Endings, " ")); c != 0 {
			return c
		}
		switch { // what files hold comes behind their list
		case a.Contents == b.Contents:
			return 0
		case a.Contents:
			return 1
		}
		return -1
	})
	if len(all) == 0 {
		return nil
	}
	return all
}

// lookAtFile reads a file that is used.
func lookAtFile(files Files, name string) (doc.Use, []byte, error) {
	o, err := files.Open(name)
	if err != nil {
		return doc.Use{Path: name}, nil, err
	}
	sum := sha256.Sum256(o.Data)
	return doc.Use{Path: name, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(o.Data)), ModTime: o.ModTime}, o.Data, nil
}

// listWithEndings is the list of files with some endings.
func listWithEndings(files Files, endings []string) (doc.Use, []string) {
	list := files.List(endings...)
	sum := sha256.Sum256([]byte(strings.Join(list, "\x00")))
	return doc.Use{Endings: slices.Clone(endings), SHA256: hex.EncodeToString(sum[:])}, list
}

// gathered are files whose contents are compared once, however many pages depend on them.
type gathered interface {
	Contents(endings ...string) doc.Use
}

// contentsWithEndings is the present state of all files with some endings.
func contentsWithEndings(files Files, endings []string) doc.Use {
	if g, ok := files.(gathered); ok {
		return g.Contents(endings...)
	}
	return LookAtContents(files, endings)
}

// LookAtContents reads all files with some endings and gives them as one use.
func LookAtContents(files Files, endings []string) doc.Use {
	use := doc.Use{Endings: slices.Clone(endings), Contents: true}
	h, stamp := sha256.New(), NewStamp()
	for _, name := range files.List(endings...) {
		one := presentUse(files, name)
		fmt.Fprintf(h, "%s\x00%s\x00", name, one.SHA256)
		use.Bytes += one.Bytes
		stamp.Add(one.Bytes, one.ModTime)
	}
	use.SHA256, use.ModTime = hex.EncodeToString(h.Sum(nil)), stamp.Sum()
	return use
}

// Stamp is a hash of the sizes and times of files, in their order: doc.Use.ModTime of all files with
// some endings.
type Stamp struct{ h hash.Hash64 }

// NewStamp is the stamp of no file.
func NewStamp() Stamp { return Stamp{fnv.New64a()} }

// Add adds a file; one that cannot be read has neither a size nor a time.
func (s Stamp) Add(size, modTime int64) {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(size))
	binary.LittleEndian.PutUint64(b[8:], uint64(modTime))
	_, _ = s.h.Write(b[:]) // a hash takes everything
}

// Sum is the stamp as a number.
func (s Stamp) Sum() int64 { return int64(s.h.Sum64()) }

// hashed are files whose hashes are remembered.
type hashed interface {
	Use(name string) doc.Use
}

// presentUse is the current state of a used file; an unreadable file has no hash.
func presentUse(files Files, name string) doc.Use {
	if h, ok := files.(hashed); ok {
		return h.Use(name)
	}
	return LookAtFile(files, name)
}

// LookAtFile reads a file and returns its hash, size and time; an unreadable file has none of
// them.
func LookAtFile(files Files, name string) doc.Use {
	use, _, _ := lookAtFile(files, name)
	return use
}

// Present compares what a page used with the files as they are, by their contents: ok
// says that all of it is what it was, and present has the files' present times.
func Present(uses []doc.Use, files Files) (present []doc.Use, ok bool) {
	if len(uses) == 0 {
		return uses, true
	}
	if files == nil {
		return nil, false
	}
	present = make([]doc.Use, len(uses))
	for i, was := range uses {
		switch {
		case was.Contents:
			present[i] = contentsWithEndings(files, was.Endings)
		case len(was.Endings) > 0:
			present[i], _ = listWithEndings(files, was.Endings)
		default:
			present[i] = presentUse(files, was.Path)
		}
		if present[i].SHA256 != was.SHA256 {
			return nil, false
		}
	}
	return present, true
}
