// Package bundle makes pages of bundles of documentation: docsets of Dash and Zeal, and
// those of DevDocs. Their index of names is written next to the pages, in the form of
// docent/pipeline/text/nameindex.
//
// It refuses to read a page, which is the parsers' business.
package bundle

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
	"docent/pipeline/text/nameindex"
	"docent/store/doc"
)

// OpenDB opens a SQLite file; query has the driver's parameters.
type OpenDB func(path string, query url.Values) (*sql.DB, error)

// Bounds of a bundle.
const (
	mostNames  = 500_000
	mostPages  = 200_000
	mostFailed = 1000      // pages that cannot be written
	mostFile   = 64 << 20  // bytes of a small file of it
	mostPaged  = 512 << 20 // bytes of all pages of DevDocs
)

// Bundle is a bundle that was found and made into pages.
type Bundle struct {
	// Root is the folder of its pages, below the one that was looked in, with slashes.
	Root string
	// Name and Version are its own, "" where it does not say.
	Name, Version string
	// URLBase is the address below which its pages lie on the web, "" where it does not say.
	URLBase string
	Names   int
	// Pages and Bytes count the pages that were made of one file, 0 for a docset.
	Pages int
	Bytes int64
	// Failed are the pages that could not be written.
	Failed []source.Failure
}

// Prepare makes pages and an index of names of the bundle in a folder, which must hold
// nothing else: a docset lies in it as a folder, and the files of DevDocs lie in it or in its
// only folder. ok is false where there is no bundle. The error names its fault.
func Prepare(ctx context.Context, dir string, open OpenDB) (b Bundle, ok bool, err error) {
	for _, inside := range candidates(dir) {
		at := filepath.Join(dir, filepath.FromSlash(inside))
		switch {
		case isDocset(at):
			b, err = prepareDocset(ctx, at, open)
		case isDevDocs(at):
			b, err = prepareDevDocs(ctx, at)
		default:
			continue
		}
		b.Root = path.Join(inside, b.Root)
		return b, true, err
	}
	return b, false, nil
}

// candidates are the folders that a bundle may be: the folder itself, and those in it, with
// slashes.
func candidates(dir string) []string {
	out := []string{"."}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	for _, e := range entries {
		if e.IsDir() && (strings.HasSuffix(e.Name(), ending) || len(entries) == 1) {
			out = append(out, e.Name())
		}
	}
	return out
}

// ending is that of the folder of a docset.
const ending = ".docset"

// IsBundle reports whether a folder is a docset, or holds the files of a bundle of DevDocs.
func IsBundle(dir string) bool { return isDocset(dir) || isDevDocs(dir) }

func isDocset(dir string) bool {
	return isFolder(filepath.Join(dir, "Contents", "Resources", "Documents"))
}

func isDevDocs(dir string) bool {
	return isFile(filepath.Join(dir, "index.json")) && isFile(filepath.Join(dir, "db.json"))
}

func isFolder(name string) bool {
	st, err := os.Lstat(name)
	return err == nil && st.IsDir()
}

func isFile(name string) bool {
	st, err := os.Lstat(name)
	return err == nil && st.Mode().IsRegular()
}

// readSmall reads a file of a bundle that has a bound; it follows no link.
func readSmall(name string) ([]byte, error) {
	st, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", filepath.Base(name))
	case st.Size() > mostFile:
		return nil, fmt.Errorf("%s has more than %d MB", filepath.Base(name), mostFile>>20)
	}
	return os.ReadFile(name)
}

// writeNames writes the index of names into the folder of the pages. Names of pages that
// are not there are left out.
func writeNames(dir string, entries []nameindex.Entry) (int, error) {
	kept := entries[:0]
	for _, e := range entries {
		name, err := unpack.CleanName(e.Path)
		if err != nil || !fs.ValidPath(name) || !isFile(filepath.Join(dir, filepath.FromSlash(name))) {
			continue
		}
		e.Path = name
		kept = append(kept, e)
	}
	if len(kept) == 0 {
		return 0, nil
	}
	return len(kept), os.WriteFile(filepath.Join(dir, nameindex.File), nameindex.Format(kept), 0o600)
}

// setName is a name that a doc set can have, "" where nothing is left of it.
func setName(name string) string {
	name = doc.CleanName(strings.ReplaceAll(name, " ", "_"))
	if doc.CheckName(name) != nil {
		return ""
	}
	return name
}

// firstText is the first of some texts that is not blank.
func firstText(texts ...string) string {
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return cmp.Or(texts...)
}
