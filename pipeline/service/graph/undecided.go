package graph

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/ingest"
	"docent/pipeline/knowledge/references"
	"docent/store"
	"docent/store/doc"
)

// Why a link that leads nowhere in the sources may lead somewhere on the site.
const (
	ofInterface = "the program that shows the interface gives its parts their addresses"
	ignored     = "git leaves this file alone, so a program may make it"
	unknownSite = "no configuration says which program makes the site, and which addresses it gives pages"
	ofTerm      = "the site makes pages of the terms by which its pages are ordered"
	ofTemplate  = "a template of the site makes this page, and may give it more places"
	ofFilter    = "a filter makes parts of this page, and may give it more places"
)

// undecided says why the sources do not decide whether a link leads nowhere, "" where they do.
func (s *site) undecided(b references.Broken) string {
	page := b.Missing == references.NoPage.String()
	switch {
	case isInterface(b.Path):
		return ofInterface
	case s.code && mayNameCode(b), page && s.projects && isDocument(b):
		return references.UnsureLabel.Reason()
	case s.hugo.isTerm(b.Target):
		return ofTerm
	case !page && s.hugo.hasTemplateFor(b):
		return ofTemplate
	case !page && s.generator == doc.Pandoc && s.isFiltered(b):
		return ofFilter
	case page && s.isIgnored(b):
		return ignored
	case page && !s.made && isMarkdown(b.Path) && path.Ext(strings.TrimSuffix(plain(b.Target), "/")) == "":
		return unknownSite
	}
	return ""
}

// foldersAbove are a folder and those above it, up to a repository's.
func foldersAbove(root string) []string {
	out := []string{root}
	for dir := root; len(out) <= mostParents; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			break
		}
		out = append(out, filepath.Dir(dir))
	}
	return out
}

// mostParents is how many folders above a doc set are looked at for the configuration of its site.
const mostParents = 3

// isStatic reports whether a link leads to a file that the site has as it is: programs that make sites take
// those from a folder next to that of the pages.
func isStatic(set store.Set, b references.Broken) bool {
	file := plain(b.Target)
	if ext := path.Ext(file); ext == "" || isMarkdown(file) || ext == ".html" || strings.Contains(file, ":") {
		return false
	}
	for _, dir := range foldersAbove(set.Root) {
		for _, static := range []string{"static", "public"} {
			for _, name := range references.LinkedFiles(b.Path, file) {
				if st, err := os.Stat(filepath.Join(dir, static, filepath.FromSlash(name))); err == nil && st.Mode().IsRegular() {
					return true
				}
			}
		}
	}
	return false
}

// isOtherForm reports whether a link leads to a form of a page that Quarto makes of it: PDF, Word, slides, or the
// preview of a notebook.
func (s *site) isOtherForm(set store.Set, b references.Broken) bool {
	file := plain(b.Target)
	switch path.Ext(file) {
	case ".pdf", ".docx", ".pptx", ".html", ".epub", ".odt", ".ipynb":
	default:
		return false
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), "-preview")
	return s.generator == doc.Pandoc && slices.ContainsFunc([]string{".qmd", ".ipynb", ".md", ".Rmd"}, func(ending string) bool {
		return isFile(set, references.Broken{Path: b.Path, Target: strings.TrimSuffix(stem, ".embed") + ending})
	})
}

// isInterface reports whether a page is the description of an interface: its links start from the page on
// which a program shows that.
func isInterface(file string) bool {
	switch path.Ext(file) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return false
}

func isMarkdown(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".mdx", ".markdown", ".qmd", ".rmd":
		return true
	}
	return false
}

// plain is an address without its anchor and its query.
func plain(target string) string {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	return target
}

// isDocument reports whether a page of Sphinx names a document without its ending, as library/re: it may be one of
// another project.
func isDocument(b references.Broken) bool {
	switch path.Ext(b.Path) {
	case ".rst", ".txt", ".md", ".ipynb":
		return path.Ext(plain(b.Target)) == "" && !strings.HasPrefix(b.Target, ".")
	}
	return false
}

// isIgnored reports whether a link leads to a file that git leaves alone: a program makes it from code or
// fetches it before the site is made.
func (s *site) isIgnored(b references.Broken) bool {
	if s.ignores == nil || strings.HasPrefix(b.Target, "#") {
		return false
	}
	target := plain(b.Target)
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		target = u.Path
	}
	for _, name := range references.LinkedFiles(b.Path, target) {
		stem := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), ".htm")
		files := []string{name, stem}
		for _, ending := range []string{path.Ext(b.Path), ".md"} {
			files = append(files, stem+ending, path.Join(stem, "index"+ending), path.Join(stem, "_index"+ending))
		}
		if slices.ContainsFunc(files, s.ignores.Ignored) {
			return true
		}
	}
	return false
}

// configurations are files of programs that make web sites, and that ingest needs no rules for: pages of their sites
// have the paths of their files.
var configurations = []string{"docs.json", "mint.json", "next.config.js", "next.config.mjs", "next.config.ts", "antora.yml",
	".gitbook.yaml", "SUMMARY.md", "_sidebar.md", ".eleventy.js", "eleventy.config.js"}

// isMadeByKnown reports whether a configuration says which program makes the site of a folder.
func isMadeByKnown(root string) bool {
	return ingest.HasSiteConfiguration(root) || slices.ContainsFunc(configurations, func(name string) bool {
		for _, dir := range foldersAbove(root) {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		return false
	})
}

// codeName is the name of a class, or of what a class or a module has.
var codeName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Z]\w*[a-z]\w*)$`)
})

// mayNameCode reports whether a link may lead to what Sphinx makes of comments in code: MyST refers to an object
// by its name, as in [it](Lamp.wick) and [it](#Lamp.wick), and to a label as if it were a page.
func mayNameCode(b references.Broken) bool {
	if name, ok := strings.CutPrefix(b.Target, "#"); ok {
		return codeName().MatchString(name)
	}
	switch path.Ext(b.Target) {
	case ".md", ".rst", ".ipynb", ".html", ".txt":
		return false
	}
	return b.Missing == references.NoPage.String() && !strings.ContainsAny(b.Target, "/#?:%") && path.Ext(b.Path) == ".md"
}

// rootPage reports whether a link names a file of Markdown by its path from the folder of the pages, as Docusaurus
// takes it: [it](wicks.md) on cli/trim.md.
func (s *site) rootPage(set store.Set, b references.Broken) bool {
	file := plain(b.Target)
	if s.generator != doc.Docusaurus || !isMarkdown(file) || strings.HasPrefix(file, ".") || strings.Contains(file, ":") {
		return false
	}
	return isFile(set, references.Broken{Path: path.Base(b.Path), Target: file})
}
