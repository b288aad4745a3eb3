package project

import (
	"errors"
	"path"

	"golang.org/x/mod/modfile"

	"docent/pipeline/source/ecosystem"
)

// readGoMod reads the modules that go.mod requires, those marked as indirect left out.
// The versions of go.mod are the lock of a project in Go.
func readGoMod(f *folder, c *collector, dir string) {
	file := path.Join(dir, "go.mod")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	mod, err := modfile.ParseLax(file, src, nil)
	if err != nil {
		c.found(damaged, file, lineOfGoError(err), "it is no go.mod file: %v", goReason(err))
		return
	}
	replaced := replacements(src, file)
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		d := Dependency{Ecosystem: ecosystem.Go, Name: r.Mod.Path, Version: r.Mod.Version, File: file, Line: r.Syntax.Start.Line}
		if other, ok := replaced[r.Mod.Path+"@"+r.Mod.Version]; ok {
			d.Name, d.Version = other[0], other[1]
		} else if other, ok := replaced[r.Mod.Path+"@"]; ok {
			d.Name, d.Version = other[0], other[1]
		}
		if modfile.IsDirectoryPath(d.Name) {
			continue // the project's own
		}
		c.add(d)
	}
}

// replacements reads the replace directives, which ParseLax leaves out: the path and the
// version instead, by what they replace.
func replacements(src []byte, file string) map[string][2]string {
	out := map[string][2]string{}
	mod, err := modfile.Parse(file, src, nil)
	if err != nil {
		return out // a newer go.mod: what ParseLax knows has to do
	}
	for _, r := range mod.Replace {
		out[r.Old.Path+"@"+r.Old.Version] = [2]string{r.New.Path, r.New.Version}
	}
	return out
}

func lineOfGoError(err error) int {
	if list, ok := errors.AsType[modfile.ErrorList](err); ok && len(list) > 0 {
		return list[0].Pos.Line
	}
	return 0
}

// goReason is the first error of a list, without the file's name.
func goReason(err error) error {
	if list, ok := errors.AsType[modfile.ErrorList](err); ok && len(list) > 0 && list[0].Err != nil {
		return list[0].Err
	}
	return err
}
