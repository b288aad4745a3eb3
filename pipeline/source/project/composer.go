package project

import (
	"path"
	"strings"

	"docent/pipeline/source/ecosystem"
)

// composerPackage is a package of composer.lock.
type composerPackage struct {
	Name, Version string
	Source        struct{ URL, Reference string }
	Support       struct{ Docs, Source string }
	Homepage      string
	Dist          struct{ Type string }
}

func readComposer(f *folder, c *collector, dir string) {
	file := path.Join(dir, "composer.json")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	objects, err := objectsOf(src, "require", "require-dev")
	if err != nil {
		c.found(damaged, file, 0, "it is no composer.json: %v", err)
		return
	}
	locked, hasLock := readComposerLock(f, c, path.Join(dir, "composer.lock"))
	some := false
	for _, key := range []string{"require", "require-dev"} {
		for _, e := range objects[key] {
			if isPHPItself(e.key) {
				continue
			}
			some = true
			d := Dependency{Ecosystem: ecosystem.Composer, Name: e.key, Wanted: e.value, File: file, Line: e.line,
				Dev: key == "require-dev"}
			if p, ok := locked[strings.ToLower(e.key)]; ok {
				if p.Dist.Type == "path" {
					continue
				}
				d.Version, d.Repository, d.Commit, d.Site = versionOfComposer(p.Version), p.Source.URL, p.Source.Reference, p.Support.Docs
			} else if exactVersion().MatchString(e.value) {
				d.Version = versionOfComposer(e.value)
			}
			c.add(d)
		}
	}
	if some && !hasLock {
		c.found(noLock, file, 0, "no composer.lock could be read for it: only exact versions are known")
	}
}

// isPHPItself reports whether a name stands for PHP, an extension or Composer.
func isPHPItself(name string) bool {
	for _, prefix := range []string{"ext-", "lib-", "composer-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "php" || strings.HasPrefix(name, "php-") || name == "hhvm" || name == "composer"
}

// versionOfComposer is a version without the letter of tags; "" for branches.
func versionOfComposer(version string) string {
	if strings.HasPrefix(version, "dev-") || strings.HasSuffix(version, "-dev") {
		return ""
	}
	return strings.TrimLeft(version, "=v ")
}

func readComposerLock(f *folder, c *collector, file string) (map[string]composerPackage, bool) {
	src, ok := f.lock(file)
	if !ok {
		return nil, false
	}
	var lock struct {
		Packages []composerPackage
		Dev      []composerPackage `json:"packages-dev"`
	}
	if err := decodeJSON(src, &lock); err != nil {
		c.found(damaged, file, 0, "it is no composer.lock: %v", err)
		return nil, false
	}
	out := map[string]composerPackage{}
	for _, list := range [][]composerPackage{lock.Packages, lock.Dev} {
		for _, p := range list {
			out[strings.ToLower(p.Name)] = p
		}
	}
	return out, true
}
