// Package repositories knows the repositories of well-known packages: lists that people
// write, one of each ecosystem, in the folder lists. They stand in for the ecosystem's own
// client where that is not installed, cannot reach its registry, or fails.
//
// It refuses to say which packages exist and which versions they have: only a registry
// knows that. A package that moved to another repository is in the lists where it was when
// somebody last looked.
package repositories

import (
	"bytes"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/source"
	"docent/pipeline/source/ecosystem"
)

//go:embed lists/*.txt
var lists embed.FS

// ecosystems are those that have a list.
func ecosystems() []string {
	return []string{ecosystem.Cargo, ecosystem.Composer, ecosystem.Gem, ecosystem.Go, ecosystem.Maven, ecosystem.Npm, ecosystem.PyPI}
}

// Repository is where the documentation of a package is.
type Repository struct {
	Address string // as `docent add` takes it
	// Package is the package's folder in a repository of several, "" where the list names none.
	Package string
	// Path is the folder of the documentation where it is not found by itself; "": it is.
	Path string
	// Tag is the template of the tags that hold the package's versions, with {version}, or
	// {major}, {minor} and {patch}; "": the tags have one of the usual forms.
	Tag string
}

// Lists are the lists of all ecosystems. Each is read when it is first asked.
type Lists struct {
	mu   sync.Mutex
	read map[string]list
}

// list is one ecosystem's: by the name of a package, or by the beginning of names.
type list struct {
	exact    map[string]Repository
	prefixes []entry // the longest first
}

// entry is a line of a list.
type entry struct {
	name string // with a * at its end: all that begin so
	Repository
}

// New gives the lists.
func New() *Lists { return &Lists{read: map[string]list{}} }

// Find is the repository of a package.
func (l *Lists) Find(kind, name string) (Repository, bool) {
	if !slices.Contains(ecosystems(), kind) {
		return Repository{}, false
	}
	known := l.listOfEcosystem(kind)
	written := name
	name = plainName(kind, name)
	if r, ok := known.exact[name]; ok {
		return r, true
	}
	if kind == ecosystem.Go { // a package of a module, or a later major version of it
		for above := name; strings.Contains(above, "/"); {
			above = above[:strings.LastIndexByte(above, '/')]
			if r, ok := known.exact[above]; ok {
				return r, true
			}
		}
	}
	for _, e := range known.prefixes {
		if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(e.name, "*")); ok && rest != "" {
			if kind == ecosystem.Cargo { // a folder has the _ of the name
				rest = written[len(written)-len(rest):]
			}
			return e.filled(kind, rest), true
		}
	}
	return Repository{}, false
}

// listOfEcosystem is the list of an ecosystem.
func (l *Lists) listOfEcosystem(kind string) list {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.read[kind]; ok {
		return known
	}
	known := list{exact: map[string]Repository{}}
	text, err := lists.ReadFile("lists/" + kind + ".txt")
	if err == nil { // a test reads all of them
		entries, _ := parse(kind, text)
		for _, e := range entries {
			if strings.HasSuffix(e.name, "*") {
				if kind == ecosystem.Cargo { // its names are compared with - for _
					e.name = plainName(kind, e.name)
				}
				known.prefixes = append(known.prefixes, e)
				continue
			}
			known.exact[plainName(kind, e.name)] = e.Repository
		}
	}
	slices.SortStableFunc(known.prefixes, func(a, b entry) int { return len(b.name) - len(a.name) })
	l.read[kind] = known
	return known
}

// filled puts the end of a name, which the * of the entry's name matched, in the place of the
// entry's other *s. An address takes the first part alone of a Go module's path: the others
// are folders and the major version.
func (e entry) filled(kind, rest string) Repository {
	r := e.Repository
	inAddress := rest
	if kind == ecosystem.Go {
		inAddress, _, _ = strings.Cut(rest, "/")
	}
	r.Address = strings.ReplaceAll(r.Address, "*", inAddress)
	r.Package = strings.ReplaceAll(r.Package, "*", rest)
	r.Path = strings.ReplaceAll(r.Path, "*", rest)
	r.Tag = strings.ReplaceAll(r.Tag, "*", rest)
	return r
}

// plainName is the name of a package as its registry compares names.
func plainName(kind, name string) string {
	if kind == ecosystem.Cargo {
		return strings.ReplaceAll(strings.ToLower(name), "_", "-")
	}
	return ecosystem.Canonical(kind, name)
}

// parse reads the lines of a list. The error names the first line that is no entry.
func parse(kind string, text []byte) (entries []entry, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		fields := strings.Fields(string(line))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		e, reason := parseEntry(kind, fields)
		if reason != "" {
			if err == nil {
				err = fmt.Errorf("%s.txt:%d: %s", kind, number, reason)
			}
			continue
		}
		entries = append(entries, e)
	}
	return entries, err
}

// parseEntry reads the fields of a line; reason says why they are no entry.
func parseEntry(kind string, fields []string) (e entry, reason string) {
	if len(fields) < 2 {
		return e, "a line has a name and an address"
	}
	e.name, e.Address = fields[0], fields[1]
	for _, option := range fields[2:] {
		key, value, _ := strings.Cut(option, "=")
		to := map[string]*string{"in": &e.Package, "path": &e.Path, "tag": &e.Tag}[key]
		if to == nil || value == "" || *to != "" {
			return e, fmt.Sprintf("%q is neither in=FOLDER nor path=FOLDER nor tag=TEMPLATE, each once", option)
		}
		*to = value
	}
	return e, e.fault(kind)
}

// fault says why an entry cannot be used, "" where it can.
func (e entry) fault(kind string) string {
	example := e
	example.name = strings.Replace(e.name, "*", "x", 1)
	example.Repository = e.filled(kind, "x")
	star := strings.HasSuffix(e.name, "*")
	switch {
	case strings.Contains(strings.TrimSuffix(e.name, "*"), "*"):
		return "a * stands at the end of a name alone"
	case !star && strings.Contains(e.Address+e.Package+e.Path+e.Tag, "*"):
		return "the name has no * that could stand in the address"
	case star && kind == ecosystem.Maven && !strings.Contains(e.name, ":"):
		example.name += ":x" // the beginning of groups
	}
	if err := ecosystem.CheckName(kind, example.name); err != nil {
		return err.Error()
	}
	if !isRepository(example.Address) {
		return fmt.Sprintf("%q is no address of a repository", e.Address)
	}
	for _, folder := range []string{example.Package, example.Path} {
		if folder != "" && !folderName.MatchString(folder) || strings.Contains(folder, "..") {
			return fmt.Sprintf("%q is no folder of a repository", folder)
		}
	}
	if e.Tag != "" {
		filled, ok := fillTemplate(example.Tag, "1.2.3")
		if !ok || !tagName.MatchString(filled) || strings.Contains(filled, "..") || filled == example.Tag {
			return fmt.Sprintf("%q is no template of tags; it has {version}, or {major}, {minor} and {patch}", e.Tag)
		}
	}
	return ""
}

var (
	folderName = regexp.MustCompile(`^[A-Za-z0-9_@][A-Za-z0-9_.@+/:-]*$`)
	tagName    = regexp.MustCompile(`^[A-Za-z0-9_@][A-Za-z0-9._/@:=+-]*$`)
)

// isRepository reports whether an address is that of a repository, and of no folder in one.
func isRepository(address string) bool {
	want, ok := source.Parse(address)
	return ok && strings.HasPrefix(address, "https://") && want.Kind == source.KindGit && want.Version == "" && want.Ref == "" &&
		want.Path == ""
}

// TagOf is the tag of a version by the list's template. ok is false without a template, and
// for a version that has fewer numbers than it needs.
func (r Repository) TagOf(version string) (tag string, ok bool) {
	if r.Tag == "" {
		return "", false
	}
	return fillTemplate(r.Tag, version)
}

var numbers = regexp.MustCompile(`^(\d+)(?:\.(\d+))?(?:\.(\d+))?`)

// fillTemplate puts a version into a template.
func fillTemplate(template, version string) (string, bool) {
	m := numbers.FindStringSubmatch(version)
	if m == nil {
		return "", false
	}
	for i, name := range []string{"{major}", "{minor}", "{patch}"} {
		if strings.Contains(template, name) && m[i+1] == "" {
			return "", false
		}
		template = strings.ReplaceAll(template, name, m[i+1])
	}
	return strings.ReplaceAll(template, "{version}", version), true
}
