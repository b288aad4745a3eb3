package project

import (
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/text/pattern"
)

// pyproject is what pyproject.toml says of dependencies: as the standards have it, and
// poetry's, uv's and PDM's own tables.
type pyproject struct {
	Project struct {
		Name         string
		Dependencies []string
		Optional     map[string][]string `toml:"optional-dependencies"`
	}
	Groups map[string][]any `toml:"dependency-groups"`
	Tool   struct {
		Poetry struct {
			Name         string
			Dependencies map[string]any
			Dev          map[string]any `toml:"dev-dependencies"`
			Group        map[string]struct{ Dependencies map[string]any }
		}
		UV struct {
			Dev       []string `toml:"dev-dependencies"`
			Sources   map[string]any
			Workspace struct{ Members, Exclude []string }
		}
		PDM struct {
			Dev map[string][]string `toml:"dev-dependencies"`
		}
	}
}

func (p pyproject) name() string {
	if p.Project.Name != "" {
		return p.Project.Name
	}
	return p.Tool.Poetry.Name
}

// developing are the names of extras that no user of the package installs.
var developing = []string{"dev", "develop", "development", "test", "tests", "testing", "doc", "docs", "documentation",
	"lint", "typing", "types", "ci", "release"}

// isDevelopment reports whether the name of a group or a file is one for development.
func isDevelopment(name string) bool {
	apart := func(r rune) bool { return strings.ContainsRune("-_./", r) }
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), apart),
		func(part string) bool { return slices.Contains(developing, part) })
}

// pythonReader reads the dependencies of one pyproject.toml.
type pythonReader struct {
	c       *collector
	file    string
	places  tomlPlaces
	sources map[string]any
	locked  map[string][]lockedPackage
}

func readPyproject(f *folder, c *collector, dir string) {
	file := path.Join(dir, "pyproject.toml")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	var m pyproject
	if err := decodeTOML(src, &m); err != nil {
		c.found(damaged, file, 0, "it is no pyproject.toml: %s", firstLine(err.Error()))
		return
	}
	before := len(c.dependencies)
	r := pythonReader{c: c, file: file, places: findTOMLPlaces(src), sources: m.Tool.UV.Sources}
	lock := ""
	names := []string{"uv.lock", "poetry.lock", "pdm.lock"}
	if len(m.Tool.Poetry.Dependencies) > 0 {
		names = []string{"poetry.lock", "uv.lock"}
	}
	for _, base := range names {
		if name, ok := f.upward(dir, base); ok && lock == "" {
			lock = name
			r.locked = f.lockedPackages(c, name)
		}
	}
	r.requirements(m.Project.Dependencies, false, "project", "dependencies")
	for _, extra := range slices.Sorted(maps.Keys(m.Project.Optional)) {
		r.requirements(m.Project.Optional[extra], isDevelopment(extra), "project\x00optional-dependencies", extra)
	}
	for _, group := range slices.Sorted(maps.Keys(m.Groups)) {
		var list []string
		for _, item := range m.Groups[group] {
			if text, ok := item.(string); ok { // a table includes another group
				list = append(list, text)
			}
		}
		r.requirements(list, true, "dependency-groups", group)
	}
	r.requirements(m.Tool.UV.Dev, true, "tool\x00uv", "dev-dependencies")
	for _, group := range slices.Sorted(maps.Keys(m.Tool.PDM.Dev)) {
		r.requirements(m.Tool.PDM.Dev[group], true, "tool\x00pdm\x00dev-dependencies", group)
	}
	r.poetry(m.Tool.Poetry.Dependencies, false, "tool\x00poetry\x00dependencies")
	r.poetry(m.Tool.Poetry.Dev, true, "tool\x00poetry\x00dev-dependencies")
	for _, group := range slices.Sorted(maps.Keys(m.Tool.Poetry.Group)) {
		r.poetry(m.Tool.Poetry.Group[group].Dependencies, group != "main", "tool\x00poetry\x00group\x00"+group+"\x00dependencies")
	}
	if lock == "" && len(c.dependencies) > before {
		c.found(noLock, file, 0, "no lock file of uv, poetry or PDM is there: only exact versions are known")
	}
	if len(c.dependencies) == before {
		readRequirementFolder(f, c, dir) // it configures tools alone
	}
}

// requirements adds a list of requirements as PEP 508 has them.
func (r pythonReader) requirements(list []string, dev bool, table, key string) {
	for _, text := range list {
		d, ok := parseRequirement(text)
		if !ok {
			continue
		}
		d.File, d.Dev = r.file, dev
		d.Line = r.places.lineOfKey(append(strings.Split(table, "\x00"), key, text)...)
		r.add(d)
	}
}

// poetry adds the dependencies of a table of poetry: a range, a table with one, or a
// list of such tables.
func (r pythonReader) poetry(table map[string]any, dev bool, key string) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if strings.EqualFold(name, "python") {
			continue
		}
		d := Dependency{Ecosystem: ecosystem.PyPI, Name: name, File: r.file, Dev: dev,
			Line: r.places.lineOfKey(append(strings.Split(key, "\x00"), name)...)}
		switch value := table[name].(type) {
		case string:
			d.Wanted = value
		case map[string]any:
			if _, local := value["path"]; local {
				continue
			}
			d.Wanted, _ = value["version"].(string)
			d.Repository, _ = value["git"].(string)
		}
		if exactVersion().MatchString(d.Wanted) {
			d.Version = strings.TrimLeft(d.Wanted, "=v ")
		}
		r.add(d)
	}
}

// add adds a dependency at its locked version, if it is no folder of the project.
func (r pythonReader) add(d Dependency) {
	name := ecosystem.Canonical(ecosystem.PyPI, d.Name)
	for key, value := range r.sources {
		table, ok := value.(map[string]any)
		if !ok || ecosystem.Canonical(ecosystem.PyPI, key) != name {
			continue
		}
		if table["path"] != nil || table["workspace"] != nil {
			return
		}
		d.Repository, _ = table["git"].(string)
	}
	if list := r.locked[name]; len(list) > 0 {
		if list[len(list)-1].local {
			return
		}
		d.Version = list[len(list)-1].version
	}
	r.c.add(d)
}

// lockedPackage is a package in a lock that is TOML with a table for each.
type lockedPackage struct {
	version string
	local   bool // a folder of the project
}

// lockedPackages reads the lock of uv, poetry, PDM or Cargo: the versions of each package
// in the lock's order. The members of a workspace share one reading.
func (f *folder) lockedPackages(c *collector, file string) map[string][]lockedPackage {
	if known, ok := f.tables[file]; ok {
		return known
	}
	f.tables[file] = nil
	src, ok := f.lock(file)
	if !ok {
		return nil
	}
	var lock struct {
		Package []struct {
			Name, Version string
			Source        any
		}
	}
	if err := decodeTOML(src, &lock); err != nil {
		c.found(damaged, file, 0, "it is no lock file: %s", firstLine(err.Error()))
		return nil
	}
	if len(lock.Package) == 0 && strings.TrimSpace(string(src)) != "" && !strings.Contains(string(src), "version") {
		c.found(unknownLock, file, 0, "it has no packages as the known locks have them")
	}
	out := map[string][]lockedPackage{}
	for _, p := range lock.Package {
		name := ecosystem.Canonical(ecosystem.PyPI, p.Name)
		source, _ := p.Source.(map[string]any)
		local := source["editable"] != nil || source["virtual"] != nil || source["directory"] != nil || source["type"] == "directory"
		out[name] = append(out[name], lockedPackage{p.Version, local})
	}
	f.tables[file] = out
	return out
}

// requirement matches a requirement of PEP 508: its name, extras, and the rest up to a
// marker.
var requirement = pattern.Lazy(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^\]]*\])?\s*([^;#]*)`)

// pinned matches the range of one version.
var pinned = pattern.Lazy(`^\(?\s*={2,3}\s*([A-Za-z0-9.!+_-]+)\s*\)?$`)

// parseRequirement reads a requirement: "requests[socks]>=2.31 ; python_version > '3.9'".
func parseRequirement(text string) (Dependency, bool) {
	found := requirement().FindStringSubmatch(text)
	if found == nil {
		// What begins with no letter is kept: the name's rules refuse it with a reason.
		name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		return Dependency{Ecosystem: ecosystem.PyPI, Name: name}, name != ""
	}
	d := Dependency{Ecosystem: ecosystem.PyPI, Name: found[1], Wanted: strings.TrimSpace(found[3])}
	if address, ok := strings.CutPrefix(d.Wanted, "@"); ok {
		d.Wanted = strings.TrimSpace(address)
		if repository, ok := strings.CutPrefix(d.Wanted, "git+"); ok {
			d.Repository = repository
			if at := strings.LastIndex(repository, "@"); at > strings.Index(repository, "://")+3 {
				d.Repository = repository[:at]
			}
		}
	}
	if exact := pinned().FindStringSubmatch(d.Wanted); exact != nil {
		d.Version = exact[1]
	}
	return d, true
}
