package project

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"gopkg.in/yaml.v3"

	"docent/pipeline/source/ecosystem"
)

// place is a manifest of the project: its kind, and the folder that it lies in.
type place struct {
	reader reader
	dir    string
}

// manifestsOf lists the manifests that belong to the project: those in its folder, and
// those of the members that a workspace in it names. In a repository without one, or a folder
// with a docent.toml, those of
// its subfolders count, down to the second; another folder may hold any number of projects.
func manifestsOf(f *folder) []place {
	dirs := []string{"."}
	own := slices.ContainsFunc(readers, func(r reader) bool { return r.manifest != "docent.toml" && f.has(r.manifest) }) || f.has("go.work")
	patterns := workspacePatterns(f)
	_, err := fs.Stat(f.content, ".git")
	repository := err == nil || f.has("docent.toml")
	for _, dir := range foldersWithManifest(f) {
		depth := strings.Count(dir, "/") + 1
		switch {
		case dir == ".":
		case matchesAny(patterns, dir), !own && len(patterns) == 0 && depth <= 2 && repository:
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) > mostMembers {
		f.found(tooLarge, ".", 0, "the workspace has more than %d members: the rest is left out", mostMembers)
		dirs = dirs[:mostMembers]
	}
	var out []place
	for _, dir := range dirs {
		for _, r := range readers {
			switch at := path.Join(dir, r.manifest); {
			case r.manifest == "docent.toml" && dir != ".":
			case f.has(at):
				out = append(out, place{r, dir})
			}
		}
		if catalog := path.Join(dir, "gradle", catalogName); f.has(catalog) {
			out = append(out, place{reader{catalogName, readCatalog}, path.Join(dir, "gradle")})
		}
	}
	return out
}

const catalogName = "libs.versions.toml"

// foldersWithManifest lists the folders that have a manifest, in order.
func foldersWithManifest(f *folder) []string {
	var dirs []string
	for name := range f.files {
		if slices.ContainsFunc(readers, func(r reader) bool { return r.manifest == path.Base(name) && r.manifest != "docent.toml" }) {
			dirs = append(dirs, folderOf(name))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// workspacePatterns are the patterns of members' folders that the workspaces in the
// project's folder name. One with "!" in front takes members out.
func workspacePatterns(f *folder) []string {
	var patterns []string
	if src, ok := f.peek("package.json"); ok {
		patterns = append(patterns, npmWorkspaces(src)...)
	}
	if src, ok := f.peek("pnpm-workspace.yaml"); ok {
		var w struct{ Packages []string }
		if yaml.Unmarshal(src, &w) == nil {
			patterns = append(patterns, w.Packages...)
		}
	}
	if src, ok := f.peek("Cargo.toml"); ok {
		var m cargoManifest
		if decodeTOML(src, &m) == nil {
			patterns = append(patterns, m.Workspace.Members...)
			for _, out := range m.Workspace.Exclude {
				patterns = append(patterns, "!"+out)
			}
		}
	}
	if src, ok := f.peek("pyproject.toml"); ok {
		var m pyproject
		if decodeTOML(src, &m) == nil {
			patterns = append(patterns, m.Tool.UV.Workspace.Members...)
			for _, out := range m.Tool.UV.Workspace.Exclude {
				patterns = append(patterns, "!"+out)
			}
		}
	}
	if src, ok := f.peek("go.work"); ok {
		if w, err := modfile.ParseWork("go.work", src, nil); err == nil {
			for _, use := range w.Use {
				patterns = append(patterns, use.Path)
			}
		}
	}
	patterns = append(patterns, gradleMembers(f)...)
	return append(patterns, mavenModules(f, ".", 0)...)
}

// peek reads a manifest if it is there; readers report faults in it.
func (f *folder) peek(name string) ([]byte, bool) {
	if !f.has(name) {
		return nil, false
	}
	return f.manifest(name)
}

// npmWorkspaces reads "workspaces" of a package.json: a list, or an object with one.
func npmWorkspaces(src []byte) []string {
	var m struct{ Workspaces json.RawMessage }
	if json.Unmarshal(src, &m) != nil {
		return nil
	}
	var list []string
	if json.Unmarshal(m.Workspaces, &list) == nil {
		return list
	}
	var object struct{ Packages []string }
	if json.Unmarshal(m.Workspaces, &object) != nil {
		return nil
	}
	return object.Packages
}

// mostStars bounds the "**" of a pattern: each multiplies the ways to match.
const mostStars = 3

// matchesAny reports whether the last pattern that matches a folder takes it in.
func matchesAny(patterns []string, dir string) bool {
	in := false
	for _, p := range patterns {
		p, out := strings.CutPrefix(p, "!")
		p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
		if strings.Count(p, "**") <= mostStars && matchFolder(strings.Split(p, "/"), strings.Split(dir, "/")) {
			in = !out
		}
	}
	return in
}

// matchFolder matches a folder part by part; "**" stands for any number of parts.
func matchFolder(pattern, parts []string) bool {
	for i, p := range pattern {
		if p == "**" {
			if i == len(pattern)-1 {
				return true
			}
			rest := pattern[i+1:]
			for j := i; j <= len(parts); j++ {
				if matchFolder(rest, parts[min(j, len(parts)):]) {
					return true
				}
			}
			return false
		}
		if i >= len(parts) {
			return false
		}
		if ok, err := path.Match(p, parts[i]); err != nil || !ok {
			return false
		}
	}
	return len(parts) == len(pattern)
}

// noteOwnName notes the name of the project's own package: other members depend on it.
func noteOwnName(f *folder, c *collector, p place) {
	src, ok := f.manifest(path.Join(p.dir, p.reader.manifest))
	if !ok {
		return
	}
	kind, name := "", ""
	switch p.reader.manifest {
	case "package.json":
		var m struct{ Name string }
		_ = json.Unmarshal(src, &m) // the reader reports faults in it
		kind, name = ecosystem.Npm, m.Name
	case "go.mod":
		kind, name = ecosystem.Go, modfile.ModulePath(src)
	case "Cargo.toml":
		var m cargoManifest
		_ = decodeTOML(src, &m)
		kind, name = ecosystem.Cargo, m.Package.Name
	case "pyproject.toml":
		var m pyproject
		_ = decodeTOML(src, &m)
		kind, name = ecosystem.PyPI, m.name()
	case "setup.cfg", "setup.py":
		kind, name = ecosystem.PyPI, setupName(p.reader.manifest, string(src))
	case "pom.xml":
		if m, err := parseMaven(src); err == nil {
			kind, name = ecosystem.Maven, m.group()+":"+m.artifact
		}
	}
	if name != "" {
		c.local[localKey(kind, name)] = true
	}
}
