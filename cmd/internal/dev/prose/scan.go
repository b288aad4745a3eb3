package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// figure is the count of a package or page.
type figure struct {
	marks int
	lines int // lines with text: of comments, or of a page without its code blocks
	// names and letters count the functions and the letters of their names; short counts
	// the names of at most shortName letters.
	names, letters, short int
	// found lists the marked turns as "file:line: mark: words".
	found []string
}

// shortName is the longest name that counts as short, in letters.
const shortName = 4

// add adds the turns of a text that begins on a line of a file.
func (f *figure) add(file string, line int, text string) {
	for _, h := range find(text) {
		f.marks++
		f.found = append(f.found, fmt.Sprintf("%s:%d: %s: %s", file, line, h.mark, h.match))
	}
}

// per100 returns the marked turns per 100 lines.
func (f *figure) per100() float64 {
	if f.lines == 0 {
		return 0
	}
	return 100 * float64(f.marks) / float64(f.lines)
}

// skipped reports whether a folder has no text of this project: hidden folders, and data
// of tests, which quotes the texts of others.
func skipped(name string) bool {
	return name == "testdata" || name == "vendor" || name == "bin" || strings.HasPrefix(name, ".")
}

// scan counts every package and page below root. The keys are slash-separated paths
// relative to root: the folder of a package, the file of a page.
func scan(root string) (map[string]*figure, error) {
	figures := map[string]*figure{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file != root && skipped(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		key := rel
		count := countPage
		switch {
		case strings.HasSuffix(rel, ".go"):
			key, count = path.Dir(rel), countComments
		case rel == "README.md", strings.HasPrefix(rel, "cmd/docent/manual/") && strings.HasSuffix(rel, ".md"):
		default:
			return nil
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f := figures[key]
		if f == nil {
			f = &figure{}
			figures[key] = f
		}
		return count(f, rel, raw)
	})
	return figures, err
}

// countComments adds the comments and function names of a Go file. Generated files,
// directives such as //go:embed, and the licence at the head of a file do not count.
func countComments(f *figure, file string, raw []byte) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, raw, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if ast.IsGenerated(parsed) {
		return nil
	}
	for _, group := range parsed.Comments {
		text := group.Text() // without directives
		if group.Pos() < parsed.Package && strings.HasPrefix(text, "Copyright") {
			continue
		}
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				f.lines++
			}
		}
		f.add(file, set.Position(group.Pos()).Line, text)
	}
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	for _, decl := range parsed.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Name.Name != "_" {
			f.names++
			f.letters += len(fn.Name.Name)
			if len(fn.Name.Name) <= shortName {
				f.short++
			}
		}
	}
	return nil
}

// fence begins and ends a code block of Markdown.
var fence = regexp.MustCompile("^\\s*(?:```|~~~)")

// countPage adds a page of Markdown, a line at a time as its paragraphs are single lines.
func countPage(f *figure, file string, raw []byte) error {
	code, number := false, 0
	for line := range strings.Lines(string(raw)) {
		number++
		if fence.MatchString(line) {
			code = !code
			continue
		}
		if code || strings.TrimSpace(line) == "" {
			continue
		}
		f.lines++
		f.add(file, number, line)
	}
	return nil
}
