package project

import (
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
)

// cargoManifest is what Cargo.toml says of dependencies.
type cargoManifest struct {
	Package   struct{ Name string }
	Workspace struct {
		Members, Exclude []string
		Dependencies     map[string]any
	}
	cargoTables
	Target map[string]cargoTables
}

type cargoTables struct {
	Dependencies map[string]any
	Dev          map[string]any `toml:"dev-dependencies"`
	Build        map[string]any `toml:"build-dependencies"`
}

// cargoReader reads the dependencies of one Cargo.toml.
type cargoReader struct {
	c         *collector
	file      string
	places    tomlPlaces
	workspace map[string]any // the dependencies that members inherit
	locked    cargoLock
	own       string // the name of the package
}

func readCargo(f *folder, c *collector, dir string) {
	file := path.Join(dir, "Cargo.toml")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	var m cargoManifest
	if err := decodeTOML(src, &m); err != nil {
		c.found(damaged, file, 0, "it is no Cargo.toml: %s", firstLine(err.Error()))
		return
	}
	before := len(c.dependencies)
	r := cargoReader{c: c, file: file, places: findTOMLPlaces(src), workspace: m.Workspace.Dependencies, own: m.Package.Name}
	if len(r.workspace) == 0 && dir != "." {
		r.workspace = inheritedByCargo(f, dir)
	}
	lock, hasLock := f.upward(dir, "Cargo.lock")
	if hasLock {
		r.locked = f.cargoLock(c, lock)
	}
	r.table(m.Dependencies, false, "dependencies")
	r.table(m.Build, true, "build-dependencies")
	r.table(m.Dev, true, "dev-dependencies")
	for _, target := range slices.Sorted(maps.Keys(m.Target)) {
		t := m.Target[target]
		r.table(t.Dependencies, false, "target", target, "dependencies")
		r.table(t.Build, true, "target", target, "build-dependencies")
		r.table(t.Dev, true, "target", target, "dev-dependencies")
	}
	if !hasLock && len(c.dependencies) > before {
		c.found(noLock, file, 0, "no Cargo.lock is there: only exact versions are known")
	}
}

// inheritedByCargo is the table of dependencies of the workspace above a member.
func inheritedByCargo(f *folder, dir string) map[string]any {
	for dir != "." {
		dir = path.Dir(dir)
		src, ok := f.peek(path.Join(dir, "Cargo.toml"))
		if !ok {
			continue
		}
		var m cargoManifest
		if decodeTOML(src, &m) == nil && len(m.Workspace.Dependencies) > 0 {
			return m.Workspace.Dependencies
		}
	}
	return nil
}

// table adds the dependencies of a table. A value is a range, or a table with one; a key
// may stand for a package of another name.
func (r cargoReader) table(table map[string]any, dev bool, key ...string) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		d := Dependency{Ecosystem: ecosystem.Cargo, Name: name, File: r.file, Dev: dev,
			Line: r.places.lineOfKey(append(slices.Clone(key), name)...)}
		value := table[name]
		if t, ok := value.(map[string]any); ok && t["workspace"] == true {
			value = r.workspace[name]
		}
		switch value := value.(type) {
		case string:
			d.Wanted = value
		case map[string]any:
			if value["path"] != nil {
				continue // a member of the project
			}
			d.Wanted, _ = value["version"].(string)
			d.Repository, _ = value["git"].(string)
			d.Commit, _ = value["rev"].(string)
			if other, ok := value["package"].(string); ok {
				d.Name = other
			}
		}
		d.Version = r.locked.versionOf(r.own, d.Name, d.Wanted)
		if exact, ok := strings.CutPrefix(strings.TrimSpace(d.Wanted), "="); ok && d.Version == "" && exactVersion().MatchString(exact) {
			d.Version = strings.TrimSpace(exact)
		}
		r.c.add(d)
	}
}

// cargoLock is Cargo.lock: the versions of each package, and the dependencies of the
// project's own packages, as "name" or "name version".
type cargoLock struct {
	versions map[string][]string
	uses     map[string][]string
}

func (f *folder) cargoLock(c *collector, file string) cargoLock {
	if known, ok := f.crates[file]; ok {
		return known
	}
	out := cargoLock{versions: map[string][]string{}, uses: map[string][]string{}}
	f.crates[file] = out
	src, ok := f.lock(file)
	if !ok {
		return out
	}
	var lock struct {
		Version int
		Package []struct {
			Name, Version, Source string
			Dependencies          []string
		}
	}
	if err := decodeTOML(src, &lock); err != nil {
		c.found(damaged, file, 0, "it is no Cargo.lock: %s", firstLine(err.Error()))
		return out
	}
	if lock.Version > 4 {
		c.found(unknownLock, file, 0, "version %d of Cargo.lock is not known: 1 to 4 are; it is read as one of version 4", lock.Version)
	}
	for _, p := range lock.Package {
		out.versions[p.Name] = append(out.versions[p.Name], p.Version)
		if p.Source == "" {
			out.uses[p.Name] = p.Dependencies
		}
	}
	return out
}

// versionOf is the version of a crate that a package of the project uses, "" where it is
// not known: the one that the lock names for it, the only one, or the last that the range
// admits by its first number that is not 0.
func (l cargoLock) versionOf(own, name, wanted string) string {
	versions := l.versions[name]
	var used []string
	for _, use := range l.uses[own] {
		if parts := strings.Fields(use); len(parts) > 1 && parts[0] == name {
			used = append(used, parts[1])
		}
	}
	switch {
	case len(used) == 1:
		return used[0]
	case len(versions) == 1:
		return versions[0]
	}
	if len(used) > 1 {
		versions = used
	}
	prefix := compatiblePart(strings.TrimLeft(wanted, "^~= "))
	for _, v := range slices.Backward(versions) {
		if prefix != "" && compatiblePart(v) == prefix {
			return v
		}
	}
	return ""
}

// compatiblePart is the part of a version that compatible ones share: "1" of 1.2.3, "0.2"
// of 0.2.3.
func compatiblePart(version string) string {
	parts := strings.Split(version, ".")
	for i, p := range parts {
		if p != "0" || i == 2 {
			return strings.Join(parts[:i+1], ".")
		}
	}
	return version
}
