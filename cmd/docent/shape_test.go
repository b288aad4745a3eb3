package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The limits of the shape of packages and types. A limit that is kept only in letter, by
// lines of 200 columns or by closures that fill a table, is not kept.
const (
	maxTypeMethods   = 40
	maxPackageLines  = 3500 // of code: without tests, blank lines and comments
	maxExportedNames = 120  // of a package, methods of exported types with them
	maxFanOut        = 15   // packages of the module that a package imports
	maxColumns       = 140  // of a line of code; a tab counts as four
	leastLetters     = 9    // of the names of functions, on average
)

// tables are packages whose exported names are one table each.
var tables = []string{"pipeline/contract", "tui/keymap"}

// wiring are the packages that put the program together, and import what they wire; the
// root of the command line lists its groups.
var wiring = []string{"cmd/internal/app", "cmd/internal/cli", "pipeline/service", "pipeline/service/assembly"}

// roots are packages that list what lies below them: the root of the terminal app makes
// each pane and each controller, and a pane that it did not import could not be shown.
// Only their imports from elsewhere count.
var roots = []string{"tui"}

// stillOut are the breaches of the limits of shape, with their figures: a figure only
// falls, and an entry without a breach fails the test.
var stillOut = map[string]int{}

// shape is what is measured of a package.
type shape struct {
	lines, exported, wide int
	methods               map[string]int // by type
	imports               map[string]bool
}

// shapesOf measures the packages of the program.
func shapesOf(t *testing.T) map[string]*shape {
	t.Helper()
	set, files := readModule(t)
	shapes := map[string]*shape{}
	for _, f := range files {
		if !product(f) {
			continue
		}
		s := shapes[f.pkg]
		if s == nil {
			s = &shape{methods: map[string]int{}, imports: map[string]bool{}}
			shapes[f.pkg] = s
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.path)))
		if err != nil {
			t.Fatal(err)
		}
		s.measure(set, f.file, src, f.imports)
	}
	return shapes
}

func (s *shape) measure(set *token.FileSet, f *ast.File, src []byte, imports []string) {
	s.lines += codeLines(src)
	for line := range strings.Lines(string(src)) {
		if columns(line) > maxColumns {
			s.wide++
		}
	}
	for _, imported := range imports {
		s.imports[imported] = true
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			owner, _, method := strings.Cut(name(d), ".")
			if method {
				s.methods[owner]++
			}
			if d.Name.IsExported() && (!method || ast.IsExported(owner)) {
				s.exported++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				s.exported += exportedNames(spec)
			}
		}
	}
}

func exportedNames(spec ast.Spec) int {
	n := 0
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() {
			n++
		}
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			if id.IsExported() {
				n++
			}
		}
	}
	return n
}

func columns(line string) int {
	line = strings.TrimRight(line, "\r\n")
	return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
}

// codeLines counts the lines that have a token other than a comment.
func codeLines(src []byte) int {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		for i := range strings.Count(text, "\n") + 1 {
			lines[set.Position(pos).Line+i] = true
		}
	}
}

// outOfShape maps the breaches of a package to their figures.
func outOfShape(pkg string, s *shape) map[string]int {
	found := map[string]int{}
	over := func(what string, n, limit int) {
		if n > limit {
			found[pkg+": "+what] = n
		}
	}
	over("lines of code", s.lines, maxPackageLines)
	over("lines over "+strconv.Itoa(maxColumns)+" columns", s.wide, 0)
	if !slices.Contains(tables, pkg) {
		over("exported names", s.exported, maxExportedNames)
	}
	if !slices.Contains(wiring, pkg) {
		n := 0
		for imported := range s.imports {
			if !slices.Contains(roots, pkg) || !under(imported, pkg) {
				n++
			}
		}
		over("imports", n, maxFanOut)
	}
	for owner, n := range s.methods {
		over("methods of "+owner, n, maxTypeMethods)
	}
	return found
}

func TestPackagesAndTypesKeepTheirShape(t *testing.T) {
	t.Parallel()
	shapes := shapesOf(t)
	if len(shapes) < 100 {
		t.Errorf("only %d packages were measured", len(shapes))
	}
	found := map[string]int{}
	for pkg, s := range shapes {
		maps.Copy(found, outOfShape(pkg, s))
	}
	for _, what := range slices.Sorted(maps.Keys(found)) {
		if allowed := stillOut[what]; found[what] > allowed {
			t.Errorf("%s: %d, and at most %d are allowed: split along a seam", what, found[what], allowed)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(stillOut)) {
		if found[what] == 0 {
			t.Errorf("%s is within the limit now: take it out of the table", what)
		}
	}
	if t.Failed() && os.Getenv("DOCENT_TEST_SHAPE") != "" {
		for _, what := range slices.Sorted(maps.Keys(found)) {
			fmt.Printf("\t%q: %d,\n", what, found[what])
		}
	}
}

// The limits can be exceeded.
func TestLimitsOfShapeCanFail(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("package bad\n\ntype Many struct{}\n\n")
	for i := range maxTypeMethods + 1 {
		fmt.Fprintf(&b, "func (m *Many) M%d() {}\n", i)
	}
	for i := range maxExportedNames {
		fmt.Fprintf(&b, "const C%d = 0 // a comment\n", i)
	}
	b.WriteString("var wide = \"" + strings.Repeat("x", maxColumns) + "\"\n")
	b.WriteString("\n// A comment is no code.\n" + strings.Repeat("var _ = 0\n", maxPackageLines))
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "bad.go", b.String(), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imports := make([]string, maxFanOut+1)
	for i := range imports {
		imports[i] = fmt.Sprint(i)
	}
	s := &shape{methods: map[string]int{}, imports: map[string]bool{}}
	s.measure(set, f, []byte(b.String()), imports)
	got := slices.Sorted(maps.Keys(outOfShape("bad", s)))
	want := []string{"bad: exported names", "bad: imports", "bad: lines of code", "bad: lines over 140 columns", "bad: methods of Many"}
	if !slices.Equal(got, want) {
		t.Errorf("found are %q, want %q", got, want)
	}
	if n := outOfShape("bad", s)["bad: lines of code"]; n != 4+maxTypeMethods+maxExportedNames+maxPackageLines {
		t.Errorf("%d lines of code", n)
	}
	if out := outOfShape("cmd/internal/app", &shape{imports: s.imports}); len(out) > 0 {
		t.Errorf("what wires is out of shape: %v", out)
	}
	if out := outOfShape("tui", &shape{imports: s.imports}); len(out) != 1 {
		t.Errorf("a root that imports too much from elsewhere is in shape: %v", out)
	}
	panes := map[string]bool{}
	for i := range maxFanOut + 1 {
		panes["tui/pane/"+strconv.Itoa(i)] = true
	}
	if out := outOfShape("tui", &shape{imports: panes}); len(out) > 0 {
		t.Errorf("a root that lists its panes is out of shape: %v", out)
	}
}

// letters counts the functions of a file and the letters of their names.
func letters(f *ast.File) (functions, sum int) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			functions, sum = functions+1, sum+utf8.RuneCountInString(d.Name.Name)
		}
	}
	return functions, sum
}

// A name says what the function does to a reader who does not know the package: names of
// four letters do not.
func TestNamesOfFunctionsSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	_, files := readModule(t)
	functions, sum := 0, 0
	for _, f := range files {
		if product(f) {
			n, of := letters(f.file)
			functions, sum = functions+n, sum+of
		}
	}
	if functions < 1000 {
		t.Fatalf("only %d functions were read", functions)
	}
	if average := float64(sum) / float64(functions); average < leastLetters {
		t.Errorf("the names of functions have %.2f letters on average, less than %d", average, leastLetters)
	}
	short, err := parser.ParseFile(token.NewFileSet(), "bad.go", "package bad\n\nfunc own() {}\n\nfunc (b bad) of() {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if n, of := letters(short); n != 2 || of != 5 {
		t.Errorf("%d functions with %d letters", n, of)
	}
}
