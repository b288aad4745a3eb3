package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// changedVariables gives the variables of a package that its functions change. .ci/race relies on it: a
// package without them, locks and goroutines has nothing that its tests could race for.
func changedVariables(files []*ast.File) (out []string) {
	variables := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						variables[name.Name] = true
					}
				}
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				own := ownNames(d)
				for _, name := range changedNames(d.Body) {
					if name != "_" && variables[name] && !own[name] && !slices.Contains(out, name) {
						out = append(out, name)
					}
				}
			}
		}
	}
	return out
}

// ownNames are those that a function declares anywhere in it: receiver, parameters, results, variables.
func ownNames(d *ast.FuncDecl) map[string]bool {
	own := map[string]bool{}
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if name, ok := e.(*ast.Ident); ok {
				own[name.Name] = true
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		}
		return true
	})
	return own
}

// changedNames are the names that assignments, ++, -- and the built-in functions delete and clear change, or
// whose elements and fields they change.
func changedNames(body *ast.BlockStmt) (out []string) {
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			for {
				switch at := e.(type) {
				case *ast.IndexExpr:
					e = at.X
					continue
				case *ast.SelectorExpr:
					e = at.X
					continue
				case *ast.StarExpr:
					e = at.X
					continue
				case *ast.Ident:
					out = append(out, at.Name)
				}
				break
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") {
				add(n.Args[0])
			}
		}
		return true
	})
	return out
}

// No variable of a package changes while the program runs, unless it has a lock of its own.
func TestNoPackageChangesItsVariables(t *testing.T) {
	t.Parallel()
	_, files := readModule(t)
	packages := map[string][]*ast.File{}
	for _, f := range files {
		if product(f) {
			packages[f.pkg] = append(packages[f.pkg], f.file)
		}
	}
	for pkg, files := range packages {
		for _, name := range changedVariables(files) {
			t.Errorf("%s changes its variable %s: make it a field of what uses it", pkg, name)
		}
	}
}

func TestTheRuleOfVariablesCanFail(t *testing.T) {
	t.Parallel()
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
var a, b, c, d, e = 1, map[int]int{}, struct{ n int }{}, map[int]int{}, 2
func f(e int) { a++; b[1] = 2; c.n = 3; delete(d, 1); e = 4 }
func g() { a := 1; a = 2; var b []int; b[0] = a }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := changedVariables([]*ast.File{f}); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("changed are %v", got)
	}
}
