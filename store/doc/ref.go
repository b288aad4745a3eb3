package doc

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// DefaultVersion is the version of a doc set that names none.
const DefaultVersion = "latest"

// Ref names a doc set: Name@Version.
type Ref struct {
	Name    string
	Version string
}

// String is the canonical form, Name@Version.
func (r Ref) String() string { return r.Name + "@" + r.Version }

// ColonForm is the form of the AOP-FINAL block, Name:Version.
func (r Ref) ColonForm() string { return r.Name + ":" + r.Version }

// ParseRef reads Name@Version, Name:Version or Name (Version "" then). The error is the
// fault of the name.
func ParseRef(s string) (Ref, error) {
	s = strings.TrimSpace(s)
	name, version := s, ""
	if i := strings.LastIndexAny(s, "@:"); i >= 0 {
		name, version = s[:i], s[i+1:]
		if version == "" {
			return Ref{}, fmt.Errorf("doc set %q has an empty version", s)
		}
	}
	if err := CheckName(name); err != nil {
		return Ref{}, err
	}
	if version != "" {
		if err := CheckName(version); err != nil {
			return Ref{}, fmt.Errorf("version of doc set %q: %w", s, err)
		}
	}
	return Ref{Name: name, Version: version}, nil
}

// CheckName checks the name or version of a doc set. It must not be empty, must
// have at most 200 bytes, must not begin or end with a blank, which ParseRef takes off,
// and must not contain @ : / \ , control characters or line breaks.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) == "" || name == "." || name == "..":
		return fmt.Errorf("%q is no name for a doc set", name)
	case len(name) > 200:
		return fmt.Errorf("the name %.20q… is longer than 200 bytes", name)
	}
	if strings.TrimSpace(name) != name {
		return fmt.Errorf("the name %q begins or ends with a blank", name)
	}
	for _, r := range name {
		if isForbidden(r) {
			return fmt.Errorf("the name %q has the character %q; @ : / \\ , and control characters are not allowed", name, r)
		}
	}
	return nil
}

// isForbidden reports whether a name cannot have a character.
func isForbidden(r rune) bool {
	return strings.ContainsRune("@:/\\,", r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// CleanName has a dash for each character that a name cannot have, and no blank at its ends.
func CleanName(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if isForbidden(r) {
			return '-'
		}
		return r
	}, name))
}

// dateAtEnd is a name with a date behind it: 2024-12, 2024-12-31, 20241231.
var dateAtEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*[^-_ ])[-_ ]+((?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?|` +
		`(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])))$`)
})

// SplitVersion takes the version off the name of a folder where it certainly has one:
// k8s-docs-v1.31 is version 1.31 of k8s-docs, mdn-css-2024-12 version 2024-12 of mdn-css, and
// log4j-2 is none.
func SplitVersion(folder string) (Ref, bool) {
	if m := dateAtEnd().FindStringSubmatch(folder); m != nil {
		return Ref{Name: m[1], Version: m[2]}, true
	}
	i := strings.LastIndexAny(folder, "-_ ")
	if i <= 0 {
		return Ref{}, false
	}
	name, version := strings.TrimRight(folder[:i], "-_ "), folder[i+1:]
	number := strings.TrimPrefix(version, "v")
	if name == "" || number == version && !strings.Contains(number, ".") {
		return Ref{}, false
	}
	for part := range strings.SplitSeq(number, ".") {
		if part == "" || len(part) > 4 || strings.Trim(part, "0123456789") != "" {
			return Ref{}, false
		}
	}
	return Ref{Name: name, Version: number}, true
}
