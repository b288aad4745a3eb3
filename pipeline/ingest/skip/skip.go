// Package skip tells which files and folders in the folder of a doc set are no pages of it,
// although a parser may read them: hidden folders, source code of other projects or that git
// ignores, homes of this program, lists of synonyms.
//
// It refuses to know formats and domains.
package skip

import (
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

// ReasonSynonyms is that of the lists that searches in the doc set use.
const ReasonSynonyms = "list of synonyms, which searches use"

// Folder reports whether a folder is no part of a doc set: hidden folders, node_modules,
// the sources that Sphinx copies next to the pages it builds, and a home of this program,
// whose pages are those of its manual.
func Folder(dir, name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "_sources" && isBuilt(filepath.Dir(dir)) || isHome(dir)
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

// isHome reports whether a folder is a home: it has a catalog and a list of doc sets.
func isHome(dir string) bool {
	for _, name := range []string{"catalog.db", "sets.json"} {
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
