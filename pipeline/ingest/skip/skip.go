// Package skip tells which files and folders in the folder of a doc set are no pages of it,
// although a parser may read them: hidden folders, parts that pages include, source code of other
// projects or that git ignores, homes of this program, lists of synonyms, menus of sites.
//
// It refuses to know formats and domains.
package skip

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/ingest/gitignore"
	"docent/pipeline/question/synonym"
)

// The reasons why files of source code are left out that others of a doc set are not.
const (
	ReasonIgnored  = "source code that .gitignore leaves out"
	ReasonVendored = "source code of other projects (vendor and the like)"
)

// ReasonNavigation is that of the lists of pages from which site generators make their menus: they
// have the words of every title and answer nothing.
const ReasonNavigation = "navigation of a site"

// ReasonSynonyms is that of the lists that searches in the doc set use.
const ReasonSynonyms = "list of synonyms, which searches use"

// Folder reports whether a folder is no part of a doc set: hidden folders, node_modules,
// the sources that Sphinx copies next to the pages it builds, and a home of this program,
// whose pages are those of its manual.
func Folder(dir, name string) bool {
	return FolderByName(dir, name) || isHome(dir)
}

// FolderByName is as Folder without looking for a home.
func FolderByName(dir, name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "_sources" && isBuilt(filepath.Dir(dir))
}

// Included reports whether a folder has parts of pages and no pages: the partials and examples of a
// module of Antora, which its site shows only where a page includes them. Their files are watched,
// because pages are read from them.
func Included(dir, name string) bool {
	if name != "partials" && name != "examples" {
		return false
	}
	module := filepath.Dir(dir)
	if filepath.Base(filepath.Dir(module)) != "modules" {
		return false
	}
	pages, err := os.Lstat(filepath.Join(module, "pages"))
	return err == nil && pages.IsDir()
}

// books are configurations of generators that read SUMMARY.md: mdBook's and GitBook's.
var books = [...]string{"book.toml", "book.json", ".gitbook.yaml"}

// IsNavigation reports whether a file below root, with the path rel there, is the menu of a site: nav.adoc
// of a module of Antora, SUMMARY.md next to or below a book's configuration, _sidebar.md and
// _navbar.md of docsify.
func IsNavigation(root, rel string) bool {
	name := path.Base(rel)
	dir := filepath.Join(root, filepath.FromSlash(path.Dir(rel)))
	switch {
	case name == "_sidebar.md" || name == "_navbar.md":
		return true
	case name == "SUMMARY.md":
		return slices.ContainsFunc(books[:], func(book string) bool {
			return isFile(filepath.Join(dir, book)) || isFile(filepath.Join(filepath.Dir(dir), book))
		})
	case strings.HasPrefix(name, "nav") && strings.HasSuffix(name, ".adoc") && path.Base(path.Dir(path.Dir(rel))) == "modules":
		pages, err := os.Lstat(filepath.Join(dir, "pages"))
		return err == nil && pages.IsDir()
	}
	return false
}

func isFile(file string) bool {
	st, err := os.Lstat(file)
	return err == nil && st.Mode().IsRegular()
}

// isBuilt reports whether a folder is a site that Sphinx built: it has the site's index.
func isBuilt(dir string) bool {
	for _, name := range []string{"searchindex.js", "objects.inv"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// homeFiles are the files by which a home is known: a catalog and a list of doc sets.
var homeFiles = [...]string{"catalog.db", "sets.json"}

// IsHome reports whether the entries of a folder are those of a home. Asking the system for the files of
// homes in each of 8 000 folders was a thirtieth of an update.
func IsHome(entries []fs.DirEntry) bool {
	found := 0
	for _, e := range entries {
		if slices.Contains(homeFiles[:], e.Name()) && e.Type().IsRegular() {
			found++
		}
	}
	return found == len(homeFiles)
}

// isHome is as IsHome for a folder whose entries are not known.
func isHome(dir string) bool {
	for _, name := range homeFiles {
		if st, err := os.Lstat(filepath.Join(dir, name)); err != nil || !st.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// foreign are folders of code that other projects wrote.
var foreign = [...]string{"vendor", "third_party", "bower_components", "site-packages", "dist-packages", "venv", "Pods", "Carthage"}

// Code tells which source code below a folder is not its project's own.
type Code struct {
	root string
	git  *gitignore.Tree // nil until code is found
}

// NewCode looks at the code below a folder.
func NewCode(root string) *Code { return &Code{root: root} }

// Reason is the reason why a file of code is left out, "" for the project's own.
func (c *Code) Reason(rel string) string {
	for dir := range strings.SplitSeq(path.Dir(rel), "/") {
		if slices.Contains(foreign[:], dir) {
			return ReasonVendored
		}
	}
	if c.git == nil {
		c.git = gitignore.New(c.root)
	}
	if c.git.Ignored(rel) {
		return ReasonIgnored
	}
	return ""
}

// IsSynonymList reports whether a path in a doc set is that of a list of synonyms.
func IsSynonymList(rel string) bool {
	dir, name, ok := strings.Cut(rel, "/")
	return ok && dir == synonym.Folder && !strings.Contains(name, "/") && synonym.IsList(name)
}
