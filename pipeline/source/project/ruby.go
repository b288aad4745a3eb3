package project

import (
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/text/pattern"
)

var (
	// gemLine matches a plain line of a Gemfile: gem "rails", "~> 7.1"
	gemLine = pattern.Lazy(`^\s*gem[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']*)["'])?(.*)$`)
	// groupLine matches the head of a group: group :development, :test do
	groupLine = pattern.Lazy(`^\s*group[\s(]+(.*?)\)?\s+do\b`)
	// blockLine matches other heads that "end" closes.
	blockLine = pattern.Lazy(`^\s*(?:if|unless|case|path|source|platforms?|install_if|git|def|begin)\b|\bdo(?:\s*\|[^|]*\|)?\s*$`)
	// lockedGem matches a gem of the lock: four blanks, the name, and the version in brackets.
	lockedGem = pattern.Lazy(`^    ([^\s(]+) \(([^)]+)\)$`)
	// exactGem matches a range that is one version.
	exactGem = pattern.Lazy(`^[= ]*[0-9]+(\.[0-9A-Za-z]+)+$`)
	// gemspecLine has a Gemfile take the dependencies of the gem itself, and specLine is one of these:
	// s.add_runtime_dependency "addressable", "~> 2.4"
	gemspecLine = pattern.Lazy(`^\s*gemspec\b`)
	specLine    = pattern.Lazy(`^\s*\w+\.add(_runtime|_development)?_dependency[\s(]+["']([^"']+)["'](?:\.freeze)?` +
		`(?:\s*,\s*\[?["']([^"']*)["'])?`)
	endLine = pattern.Lazy(`^\s*end\b`)
)

// readGemfile reads the plain lines of a Gemfile, at the versions of the lock.
func readGemfile(f *folder, c *collector, dir string) {
	file := path.Join(dir, "Gemfile")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	lock, hasLock := readGemLock(f, path.Join(dir, "Gemfile.lock"))
	before := len(c.dependencies)
	n := 0
	var groups []bool // of the open blocks: it is for development
	named, specs := map[string]bool{}, false
	for line := range strings.Lines(string(src)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if code := strings.TrimSpace(line); code == "" || code[0] == '#' {
			continue
		}
		switch {
		case gemspecLine().MatchString(line):
			specs = true
		case gemLine().MatchString(line):
			found := gemLine().FindStringSubmatch(line)
			d := Dependency{Ecosystem: ecosystem.Gem, Name: found[1], Wanted: found[2], File: file, Line: n}
			named[d.Name] = true
			d.Dev = len(groups) > 0 && groups[len(groups)-1] || strings.Contains(found[3], "group") && isDevelopmentGroup(found[3])
			if strings.Contains(found[3], "path:") || strings.Contains(found[3], ":path") || lock.local[d.Name] {
				continue
			}
			d.Version, d.Repository, d.Commit = lock.versions[d.Name], lock.remotes[d.Name], lock.commits[d.Name]
			if !hasLock && exactGem().MatchString(d.Wanted) {
				d.Version = strings.TrimLeft(d.Wanted, "= ")
			}
			c.add(d)
		case groupLine().MatchString(line):
			groups = append(groups, isDevelopmentGroup(groupLine().FindStringSubmatch(line)[1]))
		case endLine().MatchString(line) && len(groups) > 0:
			groups = groups[:len(groups)-1]
		case blockLine().MatchString(line) && len(groups) < mostNesting:
			groups = append(groups, len(groups) > 0 && groups[len(groups)-1])
		}
	}
	if specs {
		readGemspecs(f, c, dir, lock, named)
	}
	if !hasLock && len(c.dependencies) > before {
		c.found(noLock, file, 0, "no Gemfile.lock is there: versions are not known")
	}
	lock.addOthers(c, path.Join(dir, "Gemfile.lock"), named)
}

// readGemspecs reads the plain dependencies in the gemspecs of a folder.
func readGemspecs(f *folder, c *collector, dir string, lock gemLock, named map[string]bool) {
	for _, file := range slices.Sorted(maps.Keys(f.files)) {
		if !strings.HasSuffix(file, ".gemspec") || folderOf(file) != path.Clean(dir) {
			continue
		}
		src, _ := f.manifest(file)
		n := 0
		for line := range strings.Lines(string(src)) {
			n++
			found := specLine().FindStringSubmatch(line)
			if found == nil || named[found[2]] || lock.local[found[2]] {
				continue
			}
			named[found[2]] = true
			d := Dependency{Ecosystem: ecosystem.Gem, Name: found[2], Wanted: found[3], File: file, Line: n,
				Dev: found[1] == "_development", Version: lock.versions[found[2]],
				Repository: lock.remotes[found[2]], Commit: lock.commits[found[2]]}
			if len(lock.versions) == 0 && exactGem().MatchString(d.Wanted) {
				d.Version = strings.TrimLeft(d.Wanted, "= ")
			}
			c.add(d)
		}
	}
}

// isDevelopmentGroup reports whether all groups in a text are for development: ":test".
func isDevelopmentGroup(text string) bool {
	names := strings.FieldsFunc(text, func(r rune) bool { return !(r == '_' || r >= 'a' && r <= 'z') })
	seen := false
	for _, name := range names {
		if name == "group" || name == "groups" || name == "require" || name == "false" {
			continue
		}
		if !isDevelopment(name) {
			return false
		}
		seen = true
	}
	return seen
}

// gemLock is Gemfile.lock.
type gemLock struct {
	versions, remotes, commits map[string]string
	local                      map[string]bool // gems of the project's own folders
	direct                     []entry         // the section DEPENDENCIES
}

// readGemfileLockAlone reads a lock without a Gemfile.
func readGemfileLockAlone(f *folder, c *collector, dir string) {
	if f.has(path.Join(dir, "Gemfile")) {
		return
	}
	file := path.Join(dir, "Gemfile.lock")
	lock, _ := readGemLock(f, file)
	lock.addOthers(c, file, nil)
}

// addOthers adds what the lock's section DEPENDENCIES names and a Gemfile does not, such
// as the dependencies of a gemspec.
func (l gemLock) addOthers(c *collector, file string, named map[string]bool) {
	for _, e := range l.direct {
		if !named[e.key] && !l.local[e.key] {
			c.add(Dependency{Ecosystem: ecosystem.Gem, Name: e.key, Wanted: e.value, Version: l.versions[e.key], File: file, Line: e.line,
				Repository: l.remotes[e.key], Commit: l.commits[e.key]})
		}
	}
}

func readGemLock(f *folder, file string) (gemLock, bool) {
	l := gemLock{versions: map[string]string{}, remotes: map[string]string{}, commits: map[string]string{}, local: map[string]bool{}}
	src, ok := f.lock(file)
	if !ok {
		return l, false
	}
	section, remote, revision, n := "", "", "", 0
	for line := range strings.Lines(string(src)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "":
		case line[0] != ' ':
			section, remote, revision = line, "", ""
		case strings.HasPrefix(line, "  remote: "):
			remote = strings.TrimPrefix(line, "  remote: ")
		case strings.HasPrefix(line, "  revision: "):
			revision = strings.TrimPrefix(line, "  revision: ")
		case section == "DEPENDENCIES":
			name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			l.direct = append(l.direct, entry{key: strings.TrimSuffix(name, "!"), value: strings.Trim(rest, "()!"), line: n})
		default:
			found := lockedGem().FindStringSubmatch(line)
			if found == nil || l.versions[found[1]] != "" {
				continue // a dependency of a gem, or the same gem for another platform
			}
			name, version := found[1], found[2]
			for _, platform := range []string{"-x86", "-arm", "-aarch64", "-java", "-universal", "-x64"} {
				version, _, _ = strings.Cut(version, platform)
			}
			l.versions[name] = version
			switch section {
			case "PATH":
				l.local[name] = true
			case "GIT":
				l.remotes[name], l.commits[name] = remote, revision
			}
		}
	}
	return l, true
}
