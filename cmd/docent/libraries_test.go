package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What libraries must not know: the command line, which is one door of several, and the
// calls that others make of them, whose contexts they must not keep.

// shellHint is a command of the program, or a flag, in a text.
var shellHint = regexp.MustCompile(`\bdocent [a-z]+\b|(^|[\s("'` + "`" + `])--[a-z][a-z-]+`)

// hintedSubjects follow the program's name in sentences that name no command.
var hintedSubjects = []string{"docent finds", "docent reads", "docent has", "docent is", "docent was",
	"docent reference"} // the last begins a file of a graph

// othersFlags are flags of other programs, which this one starts.
var othersFlags = []string{"--show", "--showformat", "--fsys-tarfile", "--where", "--all", "--ignore-scripts", "--no-audit",
	"--no-install", "--no-scripts", "--no-plugins", "--no-interaction", "--ignore-platform-reqs", "--remove-vcs", "--prefer-dist",
	"--no-progress", "--format", "--platform", "--version", "--batch-mode", "--quiet", "--no-transfer-progress",
	"--no-fund", "--no-update-notifier", "--pack-destination", "--no-deps", "--only-binary", "--no-input", "--disable-pip-version-check", "--dest",
	"--requirement", "--hash", "--format-version", "--dpi", "--full-tree", "--progress", "--depth", "--filter", "--no-tags", "--no-recurse-submodules",
	"--no-write-commit-graph", "--detach", "--symref", "--file", "--git-dir", "--objects", "--missing", "--no-object-names", "--max-count",
	"--no-write-fetch-head", "--recurse-submodules", "--stdin", "--exclude-standard"}

// hintsLeft are the shell hints that stand in packages of libraries still, by package: none. A
// library gives a typed remedy, contract.Remedy, which the doors word.
var hintsLeft = map[string]int{}

// contextsLeft are the structs that keep a context, by package: they only fall too.
var contextsLeft = map[string]int{
	"cmd/internal/app":           2,
	"cmd/internal/cli/console":   1,
	"cmd/internal/httpapi":       2,
	"pipeline/ingest/parse/code": 1,
	"pipeline/ingest/parse/dita": 1,
	"pipeline/ingest/parse/html": 1,
	"pipeline/ingest/parse/json": 1,
	"pipeline/ingest/watch":      1,
	"pipeline/phase/cite":        1,
	"pipeline/service/intake":    1,
	"pipeline/service/uploads":   1,
}

// isLibrary reports whether a file is of a package that serves all doors. Operations say
// what their commands are.
func isLibrary(f goFile) bool {
	name := f.path[strings.LastIndex(f.path, "/")+1:]
	return product(f) && !under(f.pkg, "cmd") && !under(f.pkg, "tui") && !strings.HasPrefix(name, "operations")
}

// shellHints lists the texts of a file that have a command or a flag of the command line.
// The arguments of a remedy are no text: the doors word them.
func shellHints(set *token.FileSet, f goFile) (out []string) {
	ast.Inspect(f.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			if fun, ok := n.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "RunDocent" {
				return false
			}
			if fun, ok := n.Fun.(*ast.Ident); ok && fun.Name == "RunDocent" { // within its package
				return false
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if err != nil || n.Kind != token.STRING {
				return true
			}
			if hint := strings.TrimSpace(shellHint.FindString(text)); hint != "" && !slices.Contains(hintedSubjects, hint) &&
				!slices.Contains(othersFlags, hint) {
				out = append(out, f.path+":"+strconv.Itoa(set.Position(n.Pos()).Line)+": "+hint)
			}
		}
		return true
	})
	return out
}

// keptContexts lists the structs of a file that have a field of the type context.Context.
func keptContexts(set *token.FileSet, f goFile) (out []string) {
	ast.Inspect(f.file, func(n ast.Node) bool {
		fields, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range fields.Fields.List {
			if typ, ok := field.Type.(*ast.SelectorExpr); ok && typ.Sel.Name == "Context" {
				if pkg, ok := typ.X.(*ast.Ident); ok && pkg.Name == "context" {
					out = append(out, f.path+":"+strconv.Itoa(set.Position(field.Pos()).Line)+": a struct keeps a context")
				}
			}
		}
		return true
	})
	return out
}

// onlyFall compares what was found, by package, with the figures that may be left.
func onlyFall(found map[string][]string, left map[string]int) (faults []string) {
	for pkg, places := range found {
		if len(places) > left[pkg] {
			faults = append(faults, pkg+": "+strconv.Itoa(len(places))+", and at most "+strconv.Itoa(left[pkg])+" are allowed:\n\t"+
				strings.Join(places, "\n\t"))
		}
	}
	for pkg, n := range left {
		if n > 0 && len(found[pkg]) == 0 {
			faults = append(faults, pkg+" has none left: take it out of the table")
		}
	}
	slices.Sort(faults)
	return faults
}

func TestLibrariesKnowNoDoorAndKeepNoContext(t *testing.T) {
	t.Parallel()
	set, files := readModule(t)
	hints, contexts := map[string][]string{}, map[string][]string{}
	for _, f := range files {
		if isLibrary(f) {
			hints[f.pkg] = append(hints[f.pkg], shellHints(set, f)...)
		}
		if product(f) && !under(f.pkg, "tui") {
			contexts[f.pkg] = append(contexts[f.pkg], keptContexts(set, f)...)
		}
	}
	for _, fault := range onlyFall(hints, hintsLeft) {
		t.Errorf("hints for a shell: give a contract.Remedy, which the doors word: %s", fault)
	}
	for _, fault := range onlyFall(contexts, contextsLeft) {
		t.Errorf("contexts in structs: pass them: %s", fault)
	}
}

// Both rules can be broken, and a figure without a breach is a fault too.
func TestRulesOfLibrariesCanFail(t *testing.T) {
	t.Parallel()
	src := `package bad

import "context"

type run struct {
	ctx context.Context
	do  func(context.Context)
}

var hints = []string{"add one with: docent add PATH", "give --rebuild", "docent is one binary", "a -- b", "docent-x"}

var remedy = contract.RunDocent("update", "--check", "Lantern@1")
`
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "bad.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	bad := goFile{path: "pipeline/bad/bad.go", pkg: "pipeline/bad", file: f}
	if got := shellHints(set, bad); !slices.Equal(got, []string{"pipeline/bad/bad.go:10: docent add", "pipeline/bad/bad.go:10: --rebuild"}) {
		t.Errorf("hints are %q", got)
	}
	if got := keptContexts(set, bad); !slices.Equal(got, []string{"pipeline/bad/bad.go:6: a struct keeps a context"}) {
		t.Errorf("contexts are %q", got)
	}
	for path, want := range map[string]bool{"pipeline/bad/bad.go": true, "store/bad.go": true, "tui/bad.go": false,
		"cmd/internal/bad/bad.go": false, "pipeline/bad/operations_bad.go": false} {
		if got := isLibrary(goFile{path: path, pkg: path[:strings.LastIndex(path, "/")]}); got != want {
			t.Errorf("%s is a library: %v", path, got)
		}
	}
	found := map[string][]string{"a": {"1", "2"}, "b": {"1"}}
	if faults := onlyFall(found, map[string]int{"a": 1, "b": 1, "c": 1}); len(faults) != 2 {
		t.Errorf("%q", faults)
	}
	if faults := onlyFall(found, map[string]int{"a": 2, "b": 2}); len(faults) > 0 {
		t.Errorf("%q", faults)
	}
}
