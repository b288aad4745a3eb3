package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a store is made of stays in its package: no other names its tables and files, and
// nobody reads the texts of errors to find out what they mean.

// storeWords are words of one engine with the packages that may name them.
var storeWords = map[string]string{
	"river_job":       "store/jobs",
	"-wal":            "store/sqlite",
	"catalog.suspect": "store/catalog",
	".weight.json":    "store/embedded",
}

// deciding are the functions of package strings that choose by a text. Those that change
// one for a person, such as TrimPrefix and ReplaceAll, are allowed.
var deciding = []string{
	"Contains", "ContainsAny", "HasPrefix", "HasSuffix", "Index", "IndexByte", "LastIndex", "Cut", "CutPrefix", "CutSuffix",
	"EqualFold", "Split", "SplitN", "Fields", "Count",
}

// storeBreaches lists the places of a file where an error's text decides, and where the
// words of an engine stand outside of its package.
func storeBreaches(set *token.FileSet, f goFile) (out []string) {
	at := func(n ast.Node) string { return f.path + ":" + strconv.Itoa(set.Position(n.Pos()).Line) }
	ast.Inspect(f.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !under(f.pkg, "store") && decides(n) {
				out = append(out, at(n)+": the text of an error decides; give the error a type or a sentinel, see store.FaultError")
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if err != nil || n.Kind != token.STRING {
				return true
			}
			for word, pkg := range storeWords {
				if strings.Contains(text, word) && f.pkg != pkg {
					out = append(out, at(n)+": only "+pkg+" names "+word)
				}
			}
		}
		return true
	})
	return out
}

// decides reports whether a call chooses by what an Error method gives.
func decides(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(deciding, fun.Sel.Name) {
		return false
	}
	if pkg, ok := fun.X.(*ast.Ident); !ok || pkg.Name != "strings" {
		return false
	}
	found := false
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if sel, ok := c.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Error" && len(c.Args) == 0 {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// stillInWords are the files in which an error's text still decides.
var stillInWords = []string{}

func TestRulesOnStoresHold(t *testing.T) {
	t.Parallel()
	set, files := readModule(t)
	needed := map[string]bool{}
	for _, f := range files {
		if f.test || under(f.pkg, "cmd/internal/dev") {
			continue
		}
		for _, b := range storeBreaches(set, f) {
			if needed[f.path] = true; !slices.Contains(stillInWords, f.path) {
				t.Error(b)
			}
		}
	}
	for _, path := range stillInWords {
		if !needed[path] {
			t.Errorf("%s keeps the rule now: take it out of the list", path)
		}
	}
}

func TestRulesOnStoresCanFail(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{
		`func f(err error) bool { return strings.Contains(err.Error(), "is full") }`:                           1,
		`func f(err error) bool { return strings.HasPrefix(strings.ToLower(err.Error()), "x") }`:               1,
		`func f(err error) string { a, _, _ := strings.Cut(err.Error(), ": "); return a }`:                     1,
		`func f(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }`:                      0,
		"func f() string { return `DELETE FROM river_job` }":                                                   1,
		`func f(path string) []string { return []string{path, path + "-wal"} }`:                                1,
		`func f(err error) bool { return errors.Is(err, store.ErrFull) && strings.Contains("a", err.Name()) }`: 0,
	} {
		set, f := parseSource(t, "pipeline/service/home", src)
		if got := storeBreaches(set, f); len(got) != want {
			t.Errorf("%s: %d breaches, not %d: %v", src, len(got), want, got)
		}
	}
	set, f := parseSource(t, "store/jobs", "func f(err error) bool { return strings.Contains(err.Error()+`DELETE FROM river_job`, `x`) }")
	if got := storeBreaches(set, f); len(got) != 0 {
		t.Errorf("a store may not name its own table: %v", got)
	}
}

// parseSource makes a file of a package from the source of a function.
func parseSource(t *testing.T, pkg, src string) (*token.FileSet, goFile) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "bad.go", "package bad\n\n"+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return set, goFile{path: pkg + "/bad.go", pkg: pkg, file: f}
}
