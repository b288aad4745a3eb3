package planning

import (
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/source/project"
)

// The names of packages that have the types of another one begin so, by their ecosystem.
var typesOf = map[string]string{ecosystem.Npm: "@types/", ecosystem.PyPI: "types-"}

// typed is the package whose types a package has: @babel/core of @types/babel__core, and
// requests of types-requests. ok is false for other packages.
func typed(d project.Dependency) (name string, ok bool) {
	prefix, has := typesOf[d.Ecosystem]
	if !has {
		return "", false
	}
	if name, ok = strings.CutPrefix(ecosystem.Canonical(d.Ecosystem, d.Name), prefix); !ok {
		return "", false
	}
	if scope, rest, found := strings.Cut(name, "__"); found {
		name = "@" + scope + "/" + rest
	}
	return name, true
}

// majorMinor is the part of a version that a package of types shares with its package.
func majorMinor(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// shareTypes gives the steps of packages of types the documentation of their packages where
// the project uses these too, and puts them last: by then it is there.
func shareTypes(steps []Step) {
	for i, s := range steps {
		name, ok := typed(s.Dependency)
		if !ok {
			continue
		}
		for _, other := range steps {
			d := other.Dependency
			if d.Ecosystem != s.Dependency.Ecosystem || ecosystem.Canonical(d.Ecosystem, d.Name) != name {
				continue
			}
			shares := steps[i].Shares
			if shares == nil || strings.HasPrefix(d.Version+".", majorMinor(s.Dependency.Version)+".") {
				steps[i].Shares = &d
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return order(a) - order(b) })
}

// order is 1 for a step that waits for another one.
func order(s Step) int {
	if s.Shares != nil {
		return 1
	}
	return 0
}
