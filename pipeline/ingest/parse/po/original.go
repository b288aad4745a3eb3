package po

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse"
)

// markup is how the text of messages is marked up.
type markup int

const (
	markupOther markup = iota // read as Markdown, which knows tags
	markupMarkdown
	markupRST
	markupAsciiDoc
)

// kindOf is the markup of a file, by its ending.
func kindOf(file string) markup {
	switch strings.ToLower(path.Ext(file)) {
	case ".rst", ".rest", ".txt":
		return markupRST
	case ".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd":
		return markupMarkdown
	case ".adoc", ".asciidoc", ".asc":
		return markupAsciiDoc
	}
	return markupOther
}

// title is a title of a page.
func (k markup) title(text string) string {
	switch k {
	case markupRST:
		return text + "\n" + strings.Repeat("=", max(4, widthOf(text)))
	case markupAsciiDoc:
		return "= " + text
	}
	return "# " + text
}

// ofPrograms are the ends of the names of files that have such an ending and are data of a program.
var ofPrograms = []string{".gschema.xml", ".metainfo.xml", ".appdata.xml", "strings.xml", "cmakelists.txt", ".glade.xml", ".ui.xml"}

// isDocumentation reports whether a file that messages come from is one of documentation: not
// the source of a program, and no template of its pages or mails.
func isDocumentation(file string) bool {
	lower := strings.TrimSuffix(strings.ToLower(file), ".in")
	if !parse.HasDocumentEnding(lower) {
		return false
	}
	for _, end := range ofPrograms {
		if strings.HasSuffix(lower, end) {
			return false
		}
	}
	return !slices.Contains(strings.Split(path.Dir(lower), "/"), "templates")
}

// finder finds originals in the doc set.
type finder struct {
	opt   parse.Options
	above string // the folder in which the last one was found
	found bool
	tries int
}

// mostTries is how many files are looked for in vain. Catalogs that stand without their
// originals have hundreds of references.
const mostTries = 300

// folders are those in which originals stand, below one that is above the catalog.
var folders = []string{"", "source", "docs", "doc", "Doc", "src", "content"}

// findOriginal finds the page that messages of a catalog come from, by the name of the file in
// their references, else by the catalog's own; "" where the doc set does not have it.
func (f *finder) findOriginal(file string) (name, src string) {
	if f.opt.Open == nil {
		return "", ""
	}
	dir := path.Dir(f.opt.Path)
	rel := path.Clean(strings.ReplaceAll(file, `\`, "/"))
	for strings.HasPrefix(rel, "../") {
		rel = rel[len("../"):]
	}
	if isReadable(rel) && !path.IsAbs(rel) {
		if f.found {
			if src := f.open(path.Join(f.above, rel)); src != "" {
				return path.Join(f.above, rel), src
			}
		}
		if name, src := f.search(dir, rel); src != "" {
			return name, src
		}
	}
	_, own, ok := strings.Cut(f.opt.Path, "/LC_MESSAGES/")
	if !ok || f.found || file != "" && nameOf(path.Base(rel)) != nameOf(path.Base(own)) {
		return "", ""
	}
	for _, ending := range []string{".rst", ".md", ".txt"} {
		if name, src := f.search(dir, nameOf(own)+ending); src != "" {
			return name, src
		}
	}
	return "", ""
}

// formerOriginal is the path that the original of a catalog of Sphinx has, or had: the path by which
// its links are read. For other catalogs it is that of the catalog.
func (f *finder) formerOriginal(file string) string {
	above, own, ok := strings.Cut(f.opt.Path, "/LC_MESSAGES/")
	if !ok || file != "" && nameOf(path.Base(strings.ReplaceAll(file, `\`, "/"))) != nameOf(path.Base(own)) {
		return f.opt.Path
	}
	return path.Join(path.Dir(path.Dir(above)), nameOf(own)+".rst")
}

// isReadable reports whether a file may be read as an original.
func isReadable(file string) bool {
	k := kindOf(file)
	return k == markupRST || k == markupMarkdown
}

// search looks for a file from a folder upwards.
func (f *finder) search(dir, rel string) (name, src string) {
	for {
		for _, in := range folders {
			above := path.Join(dir, in)
			if src := f.open(path.Join(above, rel)); src != "" {
				f.above, f.found = above, true
				return path.Join(above, rel), src
			}
		}
		if dir == "." || dir == "/" || dir == "" {
			return "", ""
		}
		dir = path.Dir(dir)
	}
}

// open reads a file of the doc set. It gives "" for one that is missing.
func (f *finder) open(name string) string {
	if f.tries >= mostTries || name == f.opt.Path {
		return ""
	}
	src, err := f.opt.Open(name)
	if err != nil {
		f.tries++
		return ""
	}
	return strings.ToValidUTF8(strings.ReplaceAll(strings.TrimPrefix(string(src), "\ufeff"), "\r\n", "\n"), "\uFFFD")
}
