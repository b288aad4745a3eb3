package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The limits of the size of code.
const (
	maxFunctionLines = 100 // with the signature and the braces
	maxFileLines     = 500
	maxMethods       = 5 // of an interface whose comment gives no reason for more
)

// stillTooLarge are the known breaches: a file, "file: function" or "file:
// interface". An entry without a breach fails the test.
var stillTooLarge = []string{}

// product reports whether a file is part of the program, not a test or a development
// tool.
func product(f goFile) bool {
	return !f.test && !under(f.pkg, "cmd/internal/dev") && !strings.HasSuffix(f.pkg, "test")
}

// tooLarge maps the breaches of a file to their descriptions.
func tooLarge(set *token.FileSet, path string, f *ast.File) map[string]string {
	found := map[string]string{}
	lines := func(n ast.Node) int { return set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1 }
	if n := set.Position(f.FileEnd).Line; n > maxFileLines+1 {
		found[path] = fmt.Sprintf("a file of %d lines, more than %d: split it along a seam", n, maxFileLines)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if l := lines(n); l > maxFunctionLines {
				found[path+": "+name(n)] = fmt.Sprintf("a function of %d lines, more than %d", l, maxFunctionLines)
			}
		case *ast.GenDecl:
			for _, s := range n.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				i, ok := t.Type.(*ast.InterfaceType)
				if !ok {
					continue
				}
				methods := 0
				for _, m := range i.Methods.List {
					methods += max(1, len(m.Names))
				}
				if methods > maxMethods && !reasoned(n.Doc, t.Doc) {
					found[path+": "+t.Name.Name] = fmt.Sprintf("an interface of %d methods, more than %d, and its comment gives no reason (say \"because\")", methods, maxMethods)
				}
			}
		}
		return true
	})
	return found
}

// reasoned reports whether a comment gives a reason.
func reasoned(docs ...*ast.CommentGroup) bool {
	return slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool {
		return d != nil && strings.Contains(strings.Join(strings.Fields(d.Text()), " "), "because")
	})
}

// name is the name of a function, with its receiver type.
func name(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

func TestNothingIsTooLarge(t *testing.T) {
	t.Parallel()
	set, files := readModule(t)
	n := 0
	found := map[string]string{}
	for _, f := range files {
		if product(f) {
			n++
			maps.Copy(found, tooLarge(set, f.path, f.file))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(stillTooLarge, what) {
			t.Errorf("%s: %s", what, found[what])
		}
	}
	for _, what := range stillTooLarge {
		if found[what] == "" {
			t.Errorf("%s is no longer too large: take it out of the table", what)
		}
	}
	if n < 150 {
		t.Errorf("only %d files were looked at", n)
	}
}

// The limits can be exceeded.
func TestSizeLimitsCanFail(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("\n", maxFunctionLines)
	src := "package bad\n\n// Six has many methods.\ntype Six interface{ A(); B(); C(); D(); E(); F() }\n\n" +
		"// Reasoned has many,\n// because they are one table.\ntype Reasoned interface{ A(); B(); C(); D(); E(); F() }\n\n" +
		"type Five interface{ A(); B(); C(); D(); E() }\n\nfunc long() {" + many + "}\n\nfunc (x *List[T]) Long() {" + many + "}\n\nfunc short() {" + strings.Repeat("\n", maxFunctionLines-1) + "}\n" +
		strings.Repeat("\n", maxFileLines)
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "bad.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(tooLarge(set, "bad.go", f)))
	if want := []string{"bad.go", "bad.go: List.Long", "bad.go: Six", "bad.go: long"}; !slices.Equal(got, want) {
		t.Errorf("found are %q, want %q", got, want)
	}
}
