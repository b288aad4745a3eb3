// Package docfolder finds the folder of the documentation among the files of a repository or
// an archive, by their names.
//
// It refuses to read a file.
package docfolder

import (
	"path"
	"slices"
	"strings"
)

// written are the endings of files that documentation is written in.
var written = []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".dita", ".html", ".htm", ".texi", ".texinfo", ".ipynb"}

func isWritten(name string) bool { return slices.Contains(written, strings.ToLower(path.Ext(name))) }

// configurations are the files of programs that make sites, and the folder of the pages
// next to each.
var configurations = map[string]string{
	"conf.py": ".", "mkdocs.yml": "docs", "mkdocs.yaml": "docs", "docusaurus.config.js": "docs", "docusaurus.config.ts": "docs",
	"docusaurus.config.mjs": "docs", "docusaurus.config.cjs": "docs", "book.toml": "src", "antora.yml": ".", "hugo.toml": "content",
	"hugo.yaml": "content",
}

// names are the folders that documentation lies in by custom.
var names = []string{"docs", "doc", "documentation", "Documentation", "website", "site", "content", "content/en", "content/en/docs",
	"docs/en", "website/docs", "src/docs", "docs/src", "docs/source", "doc/source", "docs/content", "docs/docs", "src/content/docs",
	"site/content/en/docs", "website/content/docs", "content/docs", "docs/docsite", "guides", "guide", "manual"}

// besides are folders whose pages are about something else.
var besides = []string{"node_modules", "vendor", "third_party", "test", "tests", "testdata", "fixtures", "examples", "example", ".github",
	"archive", "_archive", "i18n", "locales", "translations"}

// fewPages is from how many pages on a folder is taken for the documentation.
const fewPages = 3

// leastShare is one part of how many the folder has of a repository's pages at least: one with
// fewer is about the repository and is not what it documents.
const leastShare = 50

// Likely are the folders that the documentation may be in, the likeliest first. Paths have
// slashes.
func Likely(paths []string) []string {
	pages := map[string]int{} // by folder, of all below
	configured := map[string]bool{}
	all := 0
	for _, file := range paths {
		parts := strings.Split(file, "/")
		if slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool { return slices.Contains(besides, p) }) {
			continue
		}
		if beside, ok := configurations[path.Base(file)]; ok {
			configured[strings.TrimPrefix(path.Join(path.Dir(file), beside), "./")] = true
		}
		if !isWritten(file) {
			continue
		}
		all++
		for i := 1; i < len(parts); i++ {
			pages[strings.Join(parts[:i], "/")]++
		}
	}
	var found []string
	for dir, n := range pages {
		if n >= fewPages && n*leastShare >= all && (configured[dir] || slices.Contains(names, dir)) {
			found = append(found, dir)
		}
	}
	weight := func(dir string) int {
		n := pages[dir]
		if english(dir, pages) {
			n *= 8
			if configured[path.Dir(dir)] {
				n *= 4
			}
		}
		if configured[dir] {
			n *= 4
		}
		return n
	}
	slices.SortFunc(found, func(a, b string) int {
		if d := weight(b) - weight(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return found
}

// english reports whether a folder is the English one of several languages.
func english(dir string, pages map[string]int) bool {
	parts := strings.Split(dir, "/")
	i := slices.IndexFunc(parts, func(p string) bool { return p == "en" || p == "en-US" || p == "en-us" })
	if i < 0 {
		return false
	}
	above := strings.Join(parts[:i], "/")
	for _, other := range []string{"de", "fr", "es", "ja", "zh", "zh-cn", "zh-CN", "ru", "ko", "pt", "pt-br", "it"} {
		if pages[path.Join(above, other)] > 0 {
			return true
		}
	}
	return false
}

// media are the endings of files that no page is made of.
var media = []string{"png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tif", "tiff", "mp4", "webm", "mov", "mp3", "wav", "woff",
	"woff2", "ttf", "otf", "eot", "zip", "gz", "tgz", "xz", "bz2", "7z", "jar", "exe", "dll", "so", "dylib", "wasm", "psd", "sketch", "fig"}

// Written are the endings of files that documentation is written in.
func Written() []string { return slices.Clone(written) }

// Media are the endings of files that no page is made of, without their dots.
func Media() []string { return slices.Clone(media) }

// IsMedia reports whether no page is made of a file, by its name.
func IsMedia(name string) bool {
	return slices.Contains(media, strings.TrimPrefix(strings.ToLower(path.Ext(name)), "."))
}
