// Command platforms checks the types of the program as other systems compile it: a name that
// one system lacks, a call that another system's form of a function does not take.
//
// It compiles nothing: bodies of functions of other modules are not read, so that a system takes
// seconds. Faults that only a compiler or a linker finds are left to make cross.
//
// It refuses to check tests, which run on the system at hand.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// program is the package that is checked, with everything that it imports.
const program = "docent/cmd/docent"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) == 1 {
		fmt.Fprintln(os.Stderr, "usage: platforms GOOS/GOARCH ...")
		os.Exit(2)
	}
	failed := false
	for _, platform := range os.Args[1:] {
		packages, err := listPackages(ctx, platform)
		if err == nil {
			err = check(platform, packages)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", platform, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string // of packages that the standard library brings along
	Module          *struct{ Main bool }
}

// listPackages gives the program's packages on a platform, each behind those that it imports.
func listPackages(ctx context.Context, platform string) (packages []pkg, err error) {
	system, architecture, _ := strings.Cut(platform, "/")
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// importer gives a package the types of those before it.
type importer struct {
	checked map[string]*types.Package
	names   map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if name, ok := i.names[path]; ok {
		path = name
	}
	if p := i.checked[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not among the packages that go list names", path)
}

// check checks packages, each behind those that it imports. The error has the faults of the packages of
// this module.
func check(platform string, packages []pkg) error {
	_, architecture, _ := strings.Cut(platform, "/")
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	var faults []error
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		own := p.Module != nil && p.Module.Main
		set := token.NewFileSet()
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		c := types.Config{
			Importer: importer{checked, p.ImportMap}, Sizes: types.SizesFor("gc", architecture),
			IgnoreFuncBodies: !own, FakeImportC: true,
			Error: func(err error) {
				if own {
					faults = append(faults, err)
				}
			},
		}
		checked[p.ImportPath], _ = c.Check(p.ImportPath, set, files, nil) // Error has the faults
	}
	return errors.Join(faults...)
}
