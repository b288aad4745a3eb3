package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/text/spacing"
	"docent/store"
	"docent/store/doc"
)

// State compares a file with the catalog.
type State int

// The states of a page's file.
const (
	Same State = iota
	Changed
	Gone
)

// State compares a document's file with the catalog: by size and time, and by
// hash if only the time differs. A change that keeps size and time is not noticed
// here, since reading every file of every answer is too slow; Source and Page
// notice it. It is noticed of the home's own copies, which are few and have no other
// original: a bit of one that rots changes no time. The error is for a file that cannot
// be read.
//
// A page whose text a newer parser would make otherwise is Changed too.
func (l *Corpus) State(ctx context.Context, set store.Set, d *store.Document) (State, error) {
	if err := l.fillFolder(ctx, set); err != nil {
		return Gone, err
	}
	state, err := l.sourceFiles().stateNow(set, d)
	if err != nil || state == Same || l.Mend == nil {
		return state, err
	}
	if mended, err := l.Mend(ctx, set, d.Path); err != nil || !mended {
		return state, err
	}
	return l.sourceFiles().stateNow(set, d)
}

// fillFolder brings the files of a doc set to this machine.
func (l *Corpus) fillFolder(ctx context.Context, set store.Set) error {
	if l.Fill == nil {
		return nil
	}
	return l.Fill(ctx, set)
}

// stateNow is State of the file that is here.
func (l sourceFiles) stateNow(set store.Set, d *store.Document) (State, error) {
	f, err := l.sourceFiles().lookAtFile(set, d.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return Gone, nil
	}
	if err != nil {
		return Gone, err
	}
	if f.info.Size() != d.Bytes || l.Parsers.Outdated(d.Format, d.Parser) {
		return Changed, nil
	}
	if !l.sourceFiles().areUsesPresent(set, d.Uses) {
		return Changed, nil
	}
	if ownCopy := set.Layout == doc.LayoutUploads && d.TextSHA256 == ""; f.info.ModTime().UnixNano() == d.ModTime && !ownCopy {
		return Same, nil
	}
	src, err := l.fileContent(set, d.Path, f)
	if err != nil {
		return Gone, err
	}
	if hashBytes(src) != d.SHA256 {
		return Changed, nil
	}
	return Same, nil
}

// sourceFiles opens and reads the files of doc sets, as they are now.
type sourceFiles struct{ *Corpus }

func (x *Corpus) sourceFiles() sourceFiles { return sourceFiles{x} }

// openFile opens a file of a doc set. The error wraps fs.ErrNotExist for a symbolic link
// and for anything else that is not a regular file, as in an update. Links to
// folders are not followed out of the doc set's folder.
func (l sourceFiles) openFile(set store.Set, path string) (*os.File, fs.FileInfo, error) {
	f, st, err := files.OpenInside(set.Root, path)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s of %s: %w", path, set.Ref, err)
	}
	return f, st, nil
}

// folderOfSet is a doc set's folder, for what pages take from other files. Its pages are
// those of the index, which are listed once for many pages.
func (l sourceFiles) folderOfSet(set store.Set) *files.Folder {
	return files.InFolder(set.Root, func() []string {
		l.mu.Lock()
		paths, ok := l.listed[set]
		l.mu.Unlock()
		if ok {
			return paths
		}
		// Without its list a page has another text than was indexed, which is noticed.
		paths, err := l.Catalog.Paths(context.Background(), set.ID)
		if err == nil {
			l.mu.Lock()
			if l.listed == nil || len(l.listed) >= maxListed {
				l.listed = map[store.Set][]string{}
			}
			l.listed[set] = paths
			l.mu.Unlock()
		}
		return paths
	}).Remember(&l.memo)
}

// maxListed is the most doc sets whose pages are remembered.
const maxListed = 100

// areUsesPresent reports whether all that a page took from other files is what it was. Where it is
// not, the doc set's pages may have been listed before an update: they are listed anew.
func (l sourceFiles) areUsesPresent(set store.Set, uses []doc.Use) bool {
	if len(uses) == 0 {
		return true
	}
	if _, ok := parse.Present(uses, l.folderOfSet(set)); ok {
		return true
	}
	l.mu.Lock()
	delete(l.listed, set)
	l.mu.Unlock()
	_, ok := parse.Present(uses, l.folderOfSet(set))
	return ok
}

// parserFile is the description of a page for its parser.
func (l sourceFiles) parserFile(set store.Set, path string) parse.File {
	return parse.File{Path: path, Layout: set.Layout, Files: l.folderOfSet(set), OCR: files.OCRSettings(set.Root, set.Layout, path)}
}

// KeptKey is the key under which the conversion of a page of a doc set is kept.
func KeptKey(set store.Set, page store.FileState) string {
	return parse.DocumentKey(page.Format, page.Parser, page.Path, page.SHA256, files.OCRSettings(set.Root, set.Layout, page.Path))
}

// FilePath is the path of a page's file on this machine, for the editor. The error wraps
// fs.ErrNotExist for a page that the catalog does not know and for a file that
// would not be read: docSet and path may come from an untrusted block.
func (l *Corpus) FilePath(ctx context.Context, docSet, path string) (string, error) {
	set, err := l.lastKnown(ctx, docSet)
	if err != nil {
		return "", err
	}
	known, err := l.hasPage(ctx, set.ID, path)
	if err != nil {
		return "", err
	}
	if !known {
		return "", fmt.Errorf("%s is no page of %s: %w", path, set.Ref, fs.ErrNotExist)
	}
	if err := l.fillFolder(ctx, set); err != nil {
		return "", err
	}
	f, _, err := l.sourceFiles().openFile(set, path)
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return filepath.Join(set.Root, filepath.FromSlash(path)), nil
}

func (l sourceFiles) readFile(set store.Set, path string) ([]byte, error) {
	f, st, err := l.openFile(set, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := files.ReadAll(f, st)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, set.Ref, err)
	}
	return src, nil
}

// Bounds of the cache of files: each phase reads the same pages again, and the
// next question often does.
const (
	maxKept     = 8 << 20 // bytes
	maxKeptFile = 1 << 20 // of one file
)

// recent caches files. It is safe for concurrent use.
type recent struct {
	mu    sync.Mutex
	files map[fileKey]*file
	bytes int
	// large is the last file that is too large for files and whose text was made.
	large    *file
	largeKey fileKey
}

type fileKey struct{ root, path string }

// file is a file as it was when info was taken; src is nil if the file is too large
// for the cache.
type file struct {
	info fs.FileInfo
	src  []byte
	// verbatim is whether src is its page's text in a doc set of a layout: to find that out, all of
	// it is searched for what it includes. nil: not asked yet.
	verbatim atomic.Pointer[verbatim]

	mu   sync.Mutex
	text []byte    // the rendition, if it is not src; nil: not made yet
	uses []doc.Use // other files it was made of than src
}

// verbatim is what isTextTheFile found out.
type verbatim struct {
	layout doc.Layout
	is     bool
}

func (r *recent) getFile(k fileKey) *file {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.large != nil && r.largeKey == k {
		return r.large
	}
	return r.files[k]
}

// keepLarge keeps the text of a large file, in the place of the one before it.
func (r *recent) keepLarge(k fileKey, f *file) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.large, r.largeKey = f, k
}

func (r *recent) putFile(k fileKey, f *file) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.files[k]; old != nil {
		r.bytes -= len(old.src)
	}
	if r.files == nil || r.bytes+len(f.src) > maxKept {
		r.files, r.bytes = map[fileKey]*file{}, 0
	}
	r.files[k] = f
	r.bytes += len(f.src)
}

// lookAtFile gives a file as it is now, from the cache if size and time are the same. A
// cached file passed the checks of open when it was read.
func (l sourceFiles) lookAtFile(set store.Set, path string) (*file, error) {
	k := fileKey{set.Root, path}
	if f := l.recent.getFile(k); f != nil {
		st, err := os.Lstat(filepath.Join(set.Root, filepath.FromSlash(path)))
		if err == nil && os.SameFile(st, f.info) && st.Size() == f.info.Size() && st.ModTime().Equal(f.info.ModTime()) {
			return f, nil
		}
	}
	r, st, err := l.openFile(set, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f := &file{info: st}
	if st.Size() > maxKeptFile {
		return f, nil
	}
	if f.src, err = files.ReadAll(r, st); err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, set.Ref, err)
	}
	l.recent.putFile(k, f)
	return f, nil
}

// fileContent is a file's bytes. The caller must not change them.
func (l *Corpus) fileContent(set store.Set, path string, f *file) ([]byte, error) {
	if f.src != nil {
		return f.src, nil
	}
	return l.sourceFiles().readFile(set, path)
}

// pageText is a page's text: the file itself, or the rendition that its parser makes.
// The caller must not change it.
func (l *Corpus) pageText(ctx context.Context, set store.Set, path string, f *file) ([]byte, error) {
	if l.isTextTheFile(set, path, f) {
		return l.fileContent(set, path, f)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	file := l.sourceFiles().parserFile(set, path)
	if looks := (files.Looks{Folder: l.sourceFiles().folderOfSet(set)}); f.text != nil && looks.Same(f.uses) {
		return f.text, nil
	}
	src, err := l.fileContent(set, path, f)
	if err != nil {
		return nil, err
	}
	text, uses, err := l.Parsers.Text(ctx, src, file)
	if err != nil {
		return nil, fmt.Errorf("page %s of %s: %w", path, set.Ref, err)
	}
	f.text, f.uses = text, uses
	if f.src == nil {
		l.recent.keepLarge(fileKey{set.Root, path}, f)
	}
	return text, nil
}

// isTextTheFile reports whether a file's text is the file itself. Files that are too large to
// be kept are too large to include others.
func (l *Corpus) isTextTheFile(set store.Set, path string, f *file) bool {
	if f.src != nil {
		if v := f.verbatim.Load(); v != nil && v.layout == set.Layout {
			return v.is
		}
		p, err := l.Parsers.ParserFor(path, set.Layout, parse.HeadOf(f.src))
		v := &verbatim{set.Layout, err == nil && parse.IsVerbatim(p, f.src)}
		f.verbatim.Store(v)
		return v.is
	}
	p, err := l.Parsers.ParserFor(path, set.Layout, files.HeadReader(set.Root, path))
	return err == nil && p.Info().Verbatim
}

// Slices reads several spans of one unchanged document's text; what a span has
// beyond the text's end is left out.
func (l *Corpus) Slices(ctx context.Context, set store.Set, path string, spans []doc.Span) ([]string, error) {
	if err := l.fillFolder(ctx, set); err != nil {
		return nil, err
	}
	f, err := l.sourceFiles().lookAtFile(set, path)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(spans))
	if f.src != nil || !l.isTextTheFile(set, path, f) {
		text, err := l.pageText(ctx, set, path, f)
		if err != nil {
			return nil, err
		}
		for i, s := range spans {
			if s.End = min(s.End, len(text)); s.Start >= 0 && s.Start < s.End {
				out[i] = string(text[s.Start:s.End])
			}
		}
		return out, nil
	}
	r, st, err := l.sourceFiles().openFile(set, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for i, s := range spans {
		s.End = min(s.End, int(st.Size()))
		if s.Start < 0 || s.End <= s.Start {
			continue
		}
		b := make([]byte, s.End-s.Start)
		n, err := r.ReadAt(b, int64(s.Start))
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read %s of %s: %w", path, set.Ref, err)
		}
		out[i] = string(b[:n])
	}
	return out, nil
}

// TOC reads a page's table of contents file. The error wraps fs.ErrNotExist if the file
// is missing.
func (l *Corpus) TOC(set store.Set, path string) ([]doc.TOCEntry, error) {
	f, err := l.sourceFiles().lookAtFile(set, path)
	if err != nil {
		return nil, err
	}
	src, err := l.fileContent(set, path, f)
	if err != nil {
		return nil, err
	}
	return markdown.ParseTOC(src), nil
}

// errNoPage means that a doc set has no page of that path.
var errNoPage = errors.New("the doc set has no such page")

// checkPage returns errNoPage where the catalog does not know a page.
func (l *Corpus) checkPage(ctx context.Context, set store.Set, path string) error {
	known, err := l.hasPage(ctx, set.ID, path)
	if err == nil && !known {
		err = errNoPage
	}
	return err
}

// Passages gives the text of each range of lines [from, to] of a page's text, from
// 1, both included; "" for lines that do not exist. Pages that the catalog does not know are
// not read: path may come from outside. A page that is not there is an error, which wraps
// ErrPageGone where its file is gone.
func (l *Corpus) Passages(ctx context.Context, docSet, path string, lines [][2]int) ([]string, error) {
	set, err := l.lastKnown(ctx, docSet)
	if err != nil {
		return nil, err
	}
	if err := l.checkPage(ctx, set, path); err != nil {
		return nil, err
	}
	if err := l.fillFolder(ctx, set); err != nil {
		return nil, err
	}
	f, err := l.sourceFiles().lookAtFile(set, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrPageGone
	}
	if err != nil {
		return nil, err
	}
	src, err := l.pageText(ctx, set, path, f)
	if err != nil {
		return nil, err
	}
	out, starts := make([]string, len(lines)), lineStarts(src)
	for i, r := range lines {
		if r[0] >= 1 && r[1] >= r[0] && r[0] <= len(starts) {
			end := len(src)
			if r[1] < len(starts) {
				end = starts[r[1]]
			}
			out[i] = string(src[starts[r[0]-1]:end])
		}
	}
	return out, nil
}

// lineStarts are the offsets of the lines.
func lineStarts(src []byte) []int {
	var starts []int
	for i := 0; i < len(src); {
		starts = append(starts, i)
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return starts
}

// Headings gives the lines of the first passage under each heading of a page, [0, 0]
// for headings that do not exist. A heading is given as Markdown ("## Care") or bare. A page
// that is not there is an error, as for Passages.
func (l *Corpus) Headings(ctx context.Context, docSet, path string, headings []string) ([][2]int, error) {
	set, err := l.lastKnown(ctx, docSet)
	if err != nil {
		return nil, err
	}
	if err := l.checkPage(ctx, set, path); err != nil {
		return nil, err
	}
	p, err := l.Page(ctx, set, path)
	if err != nil {
		return nil, err
	}
	out := make([][2]int, len(headings))
	fold := func(s string) string {
		return spacing.Folded(strings.TrimLeft(s, "# "))
	}
	for i, h := range headings {
		want := fold(h)
		for _, c := range p.Chunks {
			sec := p.Doc.Sections[c.Section]
			if own := fold(sec.Text); own == want || sec.Level == 0 && fold(p.Doc.Title) == want {
				out[i] = [2]int{c.Span.StartLine, c.Span.EndLine}
				break
			}
		}
	}
	return out, nil
}
