// Package unpack writes the files of an archive below a folder: zip, and tar as it is or
// packed by gzip, xz, zstd or bzip2. The first bytes of an archive tell its format.
//
// An archive is hostile until it is unpacked. It may hold more than a disk, paths that
// leave the folder, links, devices and names that are one on other systems: those are
// left out with a reason, and an archive that is too large is an error. A bound is kept
// on what is read too, so that an archive of nothing but skipped files ends.
//
// The package refuses to unpack archives inside of archives, to make links, and to keep
// the modes, owners and times of files. Package pipeline/ingest/parse/archive has the
// narrower need of documents that are zip archives; it reads parts and writes nothing.
package unpack

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/text/shorten"
)

// Limits bound the files of an archive. A value of 0 is the default.
type Limits struct {
	Files int   // written
	Bytes int64 // written
	File  int64 // of one file; a larger one is left out
	Read  int64 // unpacked, skipped files with it
}

// The limits that hold unless others are given.
const (
	mostFiles = 100_000
	mostBytes = 2 << 30
	mostFile  = 64 << 20
	mostRead  = 8 << 30
)

func (l Limits) orDefault() Limits {
	if l.Files <= 0 {
		l.Files = mostFiles
	}
	if l.Bytes <= 0 {
		l.Bytes = mostBytes
	}
	if l.File <= 0 {
		l.File = mostFile
	}
	if l.Read <= 0 {
		l.Read = max(mostRead, l.Bytes)
	}
	return l
}

// Options say what of an archive is unpacked, and where.
type Options struct {
	Limits
	// Strip is how many folders are taken off the front of each name; files in fewer
	// folders are skipped.
	Strip int
	// Keep reports whether a file is written; its name is the stripped one. nil: all are.
	Keep func(name string) bool
	// Name gives a file another name than its own, before Keep is asked. nil: its own.
	Name func(name string) string
	// Sum is called after each file that was written, with its SHA-256; its error ends the
	// unpacking. It may be nil.
	Sum func(name string, size int64, sum []byte) error
	// Say is called after each file that was written. It may be nil.
	Say func(files int, bytes int64)
}

// Result counts the files of an archive.
type Result struct {
	Files   int
	Bytes   int64
	LeftOut []LeftOut // at most the first 100
	Skipped int       // files that Keep refused
	Refused int       // all that were left out for a reason
}

// LeftOut is a part of an archive that was not written.
type LeftOut struct{ Name, Reason string }

const mostLeftOut = 100

// Errors of archives. Those of a damaged archive wrap ErrDamaged.
var (
	ErrNotArchive = errors.New("it is no zip or tar archive")
	ErrDamaged    = errors.New("the archive is damaged")
	ErrTooLarge   = errors.New("the archive unpacks to too much")
)

// File unpacks an archive below a folder, which exists. Files that are there already are
// overwritten; nothing outside of the folder is touched.
func File(ctx context.Context, archive, into string, o Options) (Result, error) {
	file, err := os.Open(archive)
	if err != nil {
		return Result{}, err
	}
	defer file.Close()
	var magic [4]byte
	n, err := io.ReadFull(file, magic[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return Result{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Result{}, err
	}
	if isZip(magic[:n]) {
		info, err := file.Stat()
		if err != nil {
			return Result{}, err
		}
		return Zip(ctx, file, info.Size(), into, o)
	}
	return Tar(ctx, file, into, o)
}

// writer writes the files of one archive.
type writer struct {
	Options
	root   *os.Root
	result Result
	folder string            // of the last file, which was made
	inside *os.Root          // folder, opened: each file by its path would open all folders above it again
	names  map[string]string // the taken names, by their lower-case form
	buffer []byte
}

func newWriter(into string, o Options) (*writer, error) {
	root, err := os.OpenRoot(into)
	if err != nil {
		return nil, err
	}
	o.Limits = o.Limits.orDefault()
	return &writer{Options: o, root: root, names: map[string]string{}, buffer: make([]byte, 64<<10)}, nil
}

// refuse notes a file that is left out.
func (w *writer) refuse(name, reason string) {
	w.result.Refused++
	if len(w.result.LeftOut) < mostLeftOut {
		w.result.LeftOut = append(w.result.LeftOut, LeftOut{Name: forTerminal(name), Reason: reason})
	}
}

// forTerminal is a name that controls no terminal.
func forTerminal(name string) string {
	const most = 200
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(shorten.Bytes(name, most), "?"))
}

// place gives the name under which a file of the archive is written, "" where it is not.
func (w *writer) place(raw string) string {
	name, err := CleanName(raw)
	if err != nil {
		w.refuse(raw, err.Error())
		return ""
	}
	for range w.Strip {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			w.result.Skipped++
			return ""
		}
		name = rest
	}
	if w.Name != nil {
		name = w.Name(name)
	}
	if name == "" || w.Keep != nil && !w.Keep(name) {
		w.result.Skipped++
		return ""
	}
	folded := strings.ToLower(name)
	if other, taken := w.names[folded]; taken && other != name {
		w.refuse(raw, "its name differs from that of "+forTerminal(other)+" in the case of letters alone")
		return ""
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		w.refuse(raw, "its name can be no file's on this system")
		return ""
	}
	w.names[folded] = name
	return name
}

// enter makes a folder, and opens it for the files that follow.
func (w *writer) enter(dir string) error {
	if err := w.leave(); err != nil {
		return err
	}
	if err := w.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
		return err
	}
	inside, err := w.root.OpenRoot(filepath.FromSlash(dir))
	if err != nil {
		return err
	}
	w.folder, w.inside = dir, inside
	return nil
}

// leave closes the folder of the last file.
func (w *writer) leave() error {
	if w.inside == nil {
		return nil
	}
	inside := w.inside
	w.inside = nil
	return inside.Close()
}

// close closes the folders.
func (w *writer) close() error { return errors.Join(w.leave(), w.root.Close()) }

// write writes one file. Only errors that end the unpacking are returned.
func (w *writer) write(ctx context.Context, raw, name string, size int64, content io.Reader) error {
	if size > w.File {
		w.refuse(raw, fmt.Sprintf("it has %d MB, more than %d", size>>20, w.File>>20))
		return nil
	}
	if w.result.Files >= w.Files {
		return fmt.Errorf("%w: more than %d files", ErrTooLarge, w.Files)
	}
	if dir := path.Dir(name); w.inside == nil || dir != w.folder {
		if err := w.enter(dir); err != nil {
			w.refuse(raw, "its folder cannot be made: a file has the name")
			return nil
		}
	}
	base := path.Base(name)
	if info, err := w.inside.Lstat(base); err == nil && !info.Mode().IsRegular() {
		w.refuse(raw, "a folder or a link has its name")
		return nil
	}
	file, err := w.inside.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", forTerminal(name), err)
	}
	var sum hash.Hash
	if w.Sum != nil {
		sum = sha256.New()
		content = io.TeeReader(content, sum)
	}
	n, err := w.copy(ctx, file, content)
	err = errors.Join(err, file.Close())
	if err == nil && w.Sum != nil {
		err = w.Sum(name, n, sum.Sum(nil))
	}
	if err != nil {
		return err
	}
	w.result.Files++
	w.result.Bytes += n
	if w.Say != nil {
		w.Say(w.result.Files, w.result.Bytes)
	}
	return nil
}

// copy copies the content of one file within the limits.
func (w *writer) copy(ctx context.Context, to io.Writer, from io.Reader) (n int64, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		got, err := from.Read(w.buffer)
		n += int64(got)
		if n > w.File || w.result.Bytes+n > w.Bytes {
			return n, fmt.Errorf("%w: more than %d MB", ErrTooLarge, w.Bytes>>20)
		}
		if _, err := to.Write(w.buffer[:got]); err != nil {
			return n, err
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, damaged(err)
		}
	}
}

// damaged is an error of reading an archive. The limits' and the context's stay.
func damaged(err error) error {
	if errors.Is(err, ErrTooLarge) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// bounded is the unpacked bytes of an archive up to a limit, for as long as a context lasts.
type bounded struct {
	ctx  func() error
	from io.Reader
	left int64
	most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, fmt.Errorf("%w: more than %d MB", ErrTooLarge, b.most>>20)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

func buffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 64<<10) }
