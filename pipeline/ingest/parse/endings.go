package parse

import (
	"path"
	"slices"
	"strings"
)

// proseEndings are the endings of files that are written as text with markup: documentation,
// whatever lies around them.
var proseEndings = []string{".rst", ".rest", ".txt", ".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd", ".adoc",
	".asciidoc", ".asc", ".texi", ".texinfo", ".txi", ".pod", ".org", ".mediawiki", ".wiki", ".tex", ".man", ".mdoc", ".inc", ".include"}

// documentEndings are the other endings of files of documentation. Programs keep data in files that
// have some of them.
var documentEndings = []string{".ipynb", ".xml", ".docbook", ".dbk", ".sgml", ".html", ".htm", ".xhtml", ".dita", ".page",
	".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8"}

// templateEnding is the ending of files that a build fills in, behind that of what it makes: lantern.1.in, lantern.1.md.in.
const templateEnding = ".in"

// templates are the endings of pages that builds fill in. Those of .txt, .html and .xml are seldom pages.
var templates = []string{".rst", ".md", ".markdown", ".mdx", ".adoc", ".asciidoc", ".texi", ".texinfo", ".txi", ".pod", ".org",
	".man", ".mdoc", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".docbook", ".dbk"}

// TemplateOf gives the name of the page that a build makes of a file, for one whose name says that it is a template of a page.
func TemplateOf(file string) (page string, ok bool) {
	page, ok = strings.CutSuffix(file, templateEnding)
	return page, ok && slices.Contains(templates, strings.ToLower(path.Ext(page)))
}

// HasProseEnding reports whether the name of a file has the ending of a text with markup.
func HasProseEnding(name string) bool {
	if page, ok := TemplateOf(name); ok {
		name = page
	}
	return slices.Contains(proseEndings, strings.ToLower(path.Ext(name)))
}

// HasDocumentEnding reports whether the name of a file has an ending of files of documentation, in a
// format that is read or in one that is not.
func HasDocumentEnding(name string) bool {
	return HasProseEnding(name) || slices.Contains(documentEndings, strings.ToLower(path.Ext(name)))
}
