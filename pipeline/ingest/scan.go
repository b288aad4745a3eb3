package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/skip"
	"docent/store/doc"
	"docent/store/durable"
)

// MaxFile is the largest page that is read, in bytes.
const MaxFile = parse.MaxFile

// File is one page on disk.
type File struct {
	Path    string // inside the doc set, with slashes
	Format  doc.Format
	Parser  int // version of the format's parser
	Domain  domain.Decision
	Size    int64
	ModTime int64 // nanoseconds since 1970
	// TOCPath is its table of contents, inside the doc set, "" if it has none.
	TOCPath    string
	TOCModTime int64
}

// Found is a doc set on disk.
type Found struct {
	Ref    doc.Ref
	Root   string // absolute, symbolic links resolved
	Layout doc.Layout
}

// Discover says which doc sets a path stands for: a NAME@VERSION folder, a
// folder of those, or any folder of pages, which then has the name that
// doc.RefOfFolder finds.
func Discover(dir string) ([]Found, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, fmt.Errorf("add %s: %w; give a folder of documentation, or files", dir, unwrapPath(err))
	}
	st, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, fmt.Errorf("add %s: it is a file; give the folder that holds it", dir)
	}
	if ref, ok := versioned(filepath.Base(abs)); ok {
		return []Found{{Ref: ref, Root: root, Layout: layoutOf(root)}}, nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, e := range entries {
		if ref, ok := versioned(e.Name()); ok && e.IsDir() {
			sub := filepath.Join(root, e.Name())
			found = append(found, Found{Ref: ref, Root: sub, Layout: layoutOf(sub)})
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	ref := doc.RefOfFolder(filepath.ToSlash(abs))
	ref.Name = doc.CleanName(ref.Name)
	if err := doc.CheckName(ref.Name); err != nil {
		return nil, contract.Remedied(fmt.Errorf("add %s: %w", dir, err), contract.Change("name").To("give it a name with"))
	}
	return []Found{{Ref: ref, Root: root, Layout: layoutOf(root)}}, nil
}

func unwrapPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

func versioned(name string) (doc.Ref, bool) {
	if !strings.Contains(name, "@") {
		return doc.Ref{}, false
	}
	ref, err := doc.ParseRef(name)
	return ref, err == nil && ref.Version != ""
}

// layoutOf looks for a page in the form of doc.LayoutTitled.
func layoutOf(root string) doc.Layout {
	entries, err := os.ReadDir(root)
	if err != nil {
		return doc.LayoutTree
	}
	for _, e := range entries {
		if e.IsDir() {
			if st, err := os.Stat(filepath.Join(root, e.Name(), doc.ContentFile)); err == nil && st.Mode().IsRegular() {
				return doc.LayoutTitled
			}
		}
	}
	return doc.LayoutTree
}

// ScanWarning is a file or folder that could not be looked at, or is left out.
type ScanWarning struct {
	Path    string
	Reason  string
	LeftOut bool // it is no page as it is; else it could not be looked at
}

func (w ScanWarning) String() string {
	if w.LeftOut {
		return w.Path + ": " + w.Reason + ", left out"
	}
	return w.Path + ": " + w.Reason
}

// Scanned is what a scan of a doc set's folder finds.
type Scanned struct {
	Files    []File // the pages, by path
	Warnings []ScanWarning
	Unread   Unread
	// Elsewhere are files that a parser would read in another domain, by path, the first
	// mostUnread.
	Elsewhere []Decided
}

// Paths are the paths of the pages.
func (s Scanned) Paths() []string {
	paths := make([]string, len(s.Files))
	for i, f := range s.Files {
		paths[i] = f.Path
	}
	return paths
}

// ScanPages lists the pages of a doc set. Hidden files and folders, node_modules, homes of
// this program and symbolic links are skipped; a link may lead out of the doc set.
// Files that no parser reads are counted, and warnings name the files and folders that
// were left out for another reason. Of files whose endings do not tell what they are,
// the beginnings are read.
func ScanPages(ctx context.Context, root string, layout doc.Layout, parsers *parse.Registry, rules *domain.Rules) (out Scanned, err error) {
	// WalkDir does not follow a link, not even where it begins.
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return Scanned{}, err
	}
	if st, err := os.Stat(root); err != nil {
		return Scanned{}, err
	} else if !st.IsDir() {
		return Scanned{}, fmt.Errorf("%s: it is no folder", root)
	}
	s := scan{root: root, layout: layout, parsers: parsers, rules: rules, tocs: map[string]File{}, others: skip.NewCode(root),
		hasPartials: FindGenerator(root) == doc.Docusaurus}
	err = s.walkFolders(ctx)
	if err != nil {
		return Scanned{}, err
	}
	s.out.Files = withTOCs(slices.Concat(append(s.full, s.out.Files)...), s.tocs)
	slices.SortFunc(s.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	s.out.Unread.sortEndings()
	return s.out, nil
}

// scan is a scan that is under way.
type scan struct {
	root    string
	layout  doc.Layout
	parsers *parse.Registry
	rules   *domain.Rules
	tocs    map[string]File
	others  *skip.Code
	out     Scanned

	hasPartials bool     // files whose names begin with an underscore are parts of pages
	full        [][]File // pages that came before those of out
}

// pagesAtOnce is how many pages have one piece of memory while a scan finds them: one list
// that grows takes five times the memory of its pages.
const pagesAtOnce = 1024

// addPage takes a page.
func (s *scan) addPage(f File) {
	if len(s.out.Files) == pagesAtOnce {
		s.full = append(s.full, s.out.Files)
		s.out.Files = make([]File, 0, pagesAtOnce)
	}
	s.out.Files = append(s.out.Files, f)
}

// leave notes that a file or folder is not read.
func (s *scan) leave(path, format string, args ...any) {
	s.out.Warnings = append(s.out.Warnings, ScanWarning{Path: path, Reason: fmt.Sprintf(format, args...), LeftOut: true})
}

// seen is what there is to know of an entry of a folder without the entries before it.
type seen struct {
	rel      string // inside the doc set
	kind     fs.FileMode
	noPage   string // why it is no page although a parser may read it; "" for others
	isMade   bool   // the template of a page that lies in the same folder
	parser   *parse.Info
	err      error // of finding the parser
	decision domain.Decision
	size     int64 // of a file that a parser reads in its domain
	modTime  int64
	statErr  error
}

// lookAtFile looks at an entry of a folder. It is called on several goroutines.
func (s *scan) lookAtFile(folder *os.File, rel string, d fs.DirEntry) seen {
	e := seen{rel: rel, kind: d.Type()}
	switch {
	case !d.Type().IsRegular():
	case skip.IsSynonymList(rel):
		e.noPage = skip.ReasonSynonyms
		return e
	case skip.IsNavigation(s.root, rel):
		e.noPage = skip.ReasonNavigation
		return e
	}
	head := func() ([]byte, error) {
		if begins, ok := headOfEntry(folder, d, parse.HeadBytes); ok {
			return begins, nil
		}
		return files.HeadReader(s.root, rel)()
	}
	if !d.Type().IsRegular() {
		head = parse.HeadOf(nil)
	}
	if e.parser, e.err = s.parsers.InfoFor(rel, s.layout, head); e.err != nil {
		return e
	}
	e.decision = s.rules.Decide(rel)
	if d.Type().IsRegular() && e.parser.TakesDomain(e.decision.Domain) {
		e.size, e.modTime, e.statErr = statEntry(folder, d)
	}
	return e
}

// takeFile takes an entry that was looked at, in the order of the walk.
func (s *scan) takeFile(e seen) error {
	regular := e.kind.IsRegular()
	toc := s.layout == doc.LayoutTitled && path.Base(e.rel) == doc.TOCFile
	switch {
	case e.noPage != "":
		s.out.Unread.addFor(e.noPage, e.rel)
		return nil
	case e.isMade:
		s.out.Unread.addFor(reasonMade, e.rel)
		return nil
	case errors.Is(e.err, parse.ErrNoParser):
		if regular && e.rel != domain.FileName && !files.IsNameIndex(e.rel) {
			s.out.Unread.addFile(e.rel)
		}
		return nil
	case errors.Is(e.err, fs.ErrNotExist): // gone since it was listed
		return nil
	case durable.Exhausted(e.err):
		return e.err
	case e.err != nil:
		s.leave(e.rel, "%v", unwrapPath(e.err))
		return nil
	}
	if reason := s.elsewhere(e.parser, e.decision, e.rel); reason != "" {
		if regular {
			s.out.Unread.addFor(reason, e.rel)
		}
		return nil
	}
	switch {
	case !regular:
		if !toc {
			s.leave(e.rel, "not a regular file")
		}
		return nil
	case !utf8.ValidString(e.rel):
		s.leave(strconv.Quote(e.rel), "the name is not UTF-8")
		return nil
	case errors.Is(e.statErr, fs.ErrNotExist):
		return nil
	case durable.Exhausted(e.statErr):
		return e.statErr
	case e.statErr != nil:
		s.leave(e.rel, "%v", unwrapPath(e.statErr))
		return nil
	case e.size > MaxFile:
		s.leave(e.rel, "%d MB are more than the %d MB that a page may have", e.size>>20, MaxFile>>20)
		return nil
	}
	f := File{Path: e.rel, Format: e.parser.Format, Parser: e.parser.Version, Domain: e.decision, Size: e.size, ModTime: e.modTime}
	if toc {
		s.tocs[e.rel] = f
	} else {
		s.addPage(f)
	}
	return nil
}

// elsewhere is the reason why a file that a parser would read is no page of this doc set,
// "" where it is one: it is of another domain, or it is code that is not the project's
// own. A path override for it says that it is.
func (s *scan) elsewhere(about *parse.Info, decision domain.Decision, rel string) string {
	switch {
	case !about.TakesDomain(decision.Domain):
		if len(s.out.Elsewhere) < mostUnread {
			s.out.Elsewhere = append(s.out.Elsewhere, Decided{File: rel, Decision: decision})
		}
		return reasonDomain(about)
	case s.hasPartials && about.Format == doc.FormatMarkdown && decision.Override == "" && isPartial(rel):
		return reasonPartial
	case about.Domain != contract.DomainCode || decision.Override != "":
		return ""
	}
	return s.others.Reason(rel)
}

// reasonPartial is why a part of pages is no page of its own: it is read where a page imports it.
const reasonPartial = "part of other pages, as Docusaurus marks it by an underscore"

// reasonMade is why a template is no page where what a build makes of it is one.
const reasonMade = "template of a page that lies beside it"

// isPartial reports whether a file or a folder around it has a name with an underscore before it, which
// Docusaurus makes no page of.
func isPartial(rel string) bool {
	return strings.HasPrefix(rel, "_") || strings.Contains(rel, "/_")
}

// withTOCs gives the pages their tables of contents. The table stands for a page whose
// file is empty or missing.
func withTOCs(found []File, tocs map[string]File) []File {
	if len(tocs) == 0 {
		return found
	}
	for i := range found {
		name := path.Join(path.Dir(found[i].Path), doc.TOCFile)
		toc, ok := tocs[name]
		if !ok {
			continue
		}
		if found[i].Size == 0 {
			found[i] = toc
		}
		found[i].TOCPath, found[i].TOCModTime = name, toc.ModTime
		delete(tocs, name)
	}
	for name, toc := range tocs {
		toc.TOCPath, toc.TOCModTime = name, toc.ModTime
		found = append(found, toc)
	}
	return found
}
