package packages

import (
	"path"
	"slices"
	"strings"
)

// leading are the files that every reader of a package looks for, by the beginning of
// their names.
var leading = []string{"readme", "changelog", "changes", "history", "news", "licence", "license",
	"copying", "copyright", "notice", "upgrad", "migrat"}

// docFolders are folders with documentation.
var docFolders = []string{"doc", "docs", "documentation", "man", "manual", "manuals", "guide", "guides"}

// pageEndings are the endings of texts that are written to be read.
var pageEndings = []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".texi", ".info", ".pod"}

// otherFolders hold packages of others, tests, and what tools need.
var otherFolders = []string{"node_modules", "bower_components", "vendor", "test", "tests", "__tests__", "spec",
	"testdata", "fixtures", "third_party"}

// notPages are the endings of files in documentation folders that are no pages.
var notPages = []string{".js", ".mjs", ".cjs", ".css", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico",
	".woff", ".woff2", ".ttf", ".eot",
	".mp4", ".webm", ".zip", ".jar", ".so", ".dll", ".exe", ".class", ".pyc"}

// isPage reports whether a file of a package is documentation, by its path.
func isPage(name string) bool {
	folders := strings.Split(strings.ToLower(path.Dir(name)), "/")
	base := strings.ToLower(path.Base(name))
	if slices.ContainsFunc(folders, func(f string) bool {
		return slices.Contains(otherFolders, f) || strings.HasPrefix(f, ".") && f != "."
	}) || strings.HasPrefix(base, ".") {
		return false
	}
	ending := path.Ext(base)
	if slices.Contains(pageEndings, ending) {
		return true
	}
	if slices.Contains(notPages, ending) {
		return false
	}
	if slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(docFolders, f) }) {
		return true
	}
	plain := ending == "" || ending == ".txt" || ending == ".html" || ending == ".gz"
	return plain && len(folders) <= 2 && slices.ContainsFunc(leading, func(l string) bool { return strings.HasPrefix(base, l) })
}

// isGoDoc reports whether a file of a Go module has comments that document public names:
// those of tests, of internal packages and of commands' generated parts have not.
func isGoDoc(name string) bool {
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(f string) bool {
		return f == "internal" || f == "testdata" || f == "vendor" || strings.HasPrefix(f, "_") || strings.HasPrefix(f, ".") && f != "."
	})
}

// isRustDoc reports whether a file of a crate has comments that document public names.
func isRustDoc(name string) bool {
	return strings.HasSuffix(name, ".rs") && strings.HasPrefix(name, "src/")
}

// isTypeDoc reports whether a file of an npm package declares types. Those for modules of
// the other kind say the same again.
func isTypeDoc(name string) bool {
	return strings.HasSuffix(name, ".d.ts") && !slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(f string) bool {
		return slices.Contains(otherFolders, f) || f == "cjs"
	})
}
