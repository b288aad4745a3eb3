// Package ecosystem has the ecosystems of packages that docent knows, and the rules for
// the names and versions of each.
//
// A name that passes the rules can be no flag, no path that leaves its folder and no
// address: it may be an argument of the ecosystem's client.
//
// It refuses to ask a registry: whether a package exists is the client's business.
package ecosystem

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"docent/pipeline/text/pattern"
)

// The ecosystems. Their names are the prefixes of sources: npm:react.
const (
	Npm      = "npm"
	Go       = "go"
	PyPI     = "pypi"
	Cargo    = "cargo"
	Gem      = "gem"
	Composer = "composer"
	Maven    = "maven" // Gradle's too
	Deb      = "deb"
	Man      = "man"
	Info     = "info"
)

// Bounds of the names and versions in a project's files.
const (
	mostName    = 214 // npm's bound, the longest of those that state one
	mostVersion = 128
)

// The names of packages, as their registries take them. None begins with "-" or ".".
var names = map[string]func() *regexp.Regexp{
	Npm:      pattern.Lazy(`^(@[A-Za-z0-9~_][A-Za-z0-9._~-]*/)?[A-Za-z0-9~_][A-Za-z0-9._~-]*$`),
	PyPI:     pattern.Lazy(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`),
	Cargo:    pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_-]*$`),
	Gem:      pattern.Lazy(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`),
	Composer: pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*$`),
	Maven:    pattern.Lazy(`^[A-Za-z0-9_][A-Za-z0-9._-]*:[A-Za-z0-9_][A-Za-z0-9._-]*$`),
	Deb:      pattern.Lazy(`^[a-z0-9][a-z0-9+.-]+$`),
	Man:      pattern.Lazy(`^[A-Za-z0-9_\[*?][A-Za-z0-9._+:\[\]*?-]*$`),
	Info:     pattern.Lazy(`^[A-Za-z0-9_][A-Za-z0-9._+-]*$`),
}

// The versions of packages. A ":" stands in those of Debian alone, as the end of an epoch: npm
// would read "npm:other" as another package and "file:folder" as a folder of this machine, and
// Maven would read what follows the ":" as the kind of another file.
var (
	versions       = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9.+_~!-]*$`)
	debianVersions = pattern.Lazy(`^([0-9]+:)?[A-Za-z0-9][A-Za-z0-9.+_~-]*$`)
)

// allEcosystems lists the ecosystems.
func allEcosystems() []string {
	return []string{Npm, Go, PyPI, Cargo, Gem, Composer, Maven, Deb, Man, Info}
}

// ErrUnknown means that there is no such ecosystem.
var ErrUnknown = errors.New("it is no known ecosystem")

// CheckName reports why a name can be no package's, nil where it can be one.
func CheckName(ecosystem, name string) error {
	switch {
	case !slices.Contains(allEcosystems(), ecosystem):
		return fmt.Errorf("%.40q: %w", ecosystem, ErrUnknown)
	case name == "":
		return errors.New("the package has no name")
	case len(name) > mostName:
		return fmt.Errorf("%.40q… has %d letters, more than the %d of a package's name", name, len(name), mostName)
	case ecosystem == Go:
		if module.CheckPath(name) != nil {
			return fmt.Errorf("%q is no path of a Go module", name)
		}
		return nil
	case !names[ecosystem]().MatchString(name) || strings.Contains(name, ".."):
		return fmt.Errorf("%q is no name of a package of %s", name, ecosystem)
	}
	return nil
}

// CheckVersion reports why a text can be no version of a package, nil where it can be one. "" is
// the newest version.
func CheckVersion(ecosystem, version string) error {
	form := versions
	if ecosystem == Deb {
		form = debianVersions
	}
	switch {
	case version == "":
		return nil
	case len(version) > mostVersion:
		return fmt.Errorf("%.40q… has %d letters, more than the %d of a version", version, len(version), mostVersion)
	case !form().MatchString(version) || strings.Contains(version, ".."):
		return fmt.Errorf("%q is no version", version)
	}
	return nil
}

// Address is the source of a package, as source.Parse reads it: npm:@types/node@20.
func Address(ecosystem, name, version string) string {
	address := ecosystem + ":" + name
	if version != "" {
		address += "@" + version
	}
	return address
}

// Canonical is the name under which an ecosystem knows a package: PyPI's names differ
// neither by case nor by "-", "_" and "."; Composer's not by case.
func Canonical(ecosystem, name string) string {
	switch ecosystem {
	case PyPI:
		return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' }), "-")
	case Composer:
		return strings.ToLower(name)
	}
	return name
}
