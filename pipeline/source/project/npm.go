package project

import (
	"path"
	"strings"

	"docent/pipeline/source/ecosystem"
)

// npmKinds are the objects of package.json that name direct dependencies. Peers are what
// a package expects of its users: they count, as its code is written against them.
var npmKinds = []struct {
	key string
	dev bool
}{{"dependencies", false}, {"optionalDependencies", false}, {"peerDependencies", false}, {"devDependencies", true}}

// npmLock tells the version of a package that a member of the project uses. wanted is the
// range in its manifest.
type npmLock interface {
	versionOf(dir, name, wanted string) (locked npmVersion, ok bool)
}

// npmVersion is what a lock says of a package.
type npmVersion struct {
	version string
	local   bool // it is a member of the project
}

// readPackageJSON reads the direct dependencies of a package.json with the locks in its
// folder and above.
func readPackageJSON(f *folder, c *collector, dir string) {
	file := path.Join(dir, "package.json")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	keys := make([]string, len(npmKinds))
	for i, kind := range npmKinds {
		keys[i] = kind.key
	}
	objects, err := objectsOf(src, keys...)
	if err != nil {
		c.found(damaged, file, 0, "it is no package.json: %v", err)
		return
	}
	var locks []npmLock
	looked := false
	for _, kind := range npmKinds {
		for _, e := range objects[kind.key] {
			if isLocalSpec(e.value) {
				continue
			}
			if !looked {
				locks, looked = npmLocks(f, c, dir), true
			}
			addNpm(c, locks, dir, e, Dependency{Ecosystem: ecosystem.Npm, Name: e.key, Wanted: e.value, File: file, Line: e.line,
				Dev: kind.dev})
		}
	}
	if looked && len(locks) == 0 {
		c.found(noLock, file, 0, "no lock file of npm, pnpm, yarn or bun could be read for it: only exact versions are known")
	}
}

// isLocalSpec reports whether a range stands for a folder of the project.
func isLocalSpec(wanted string) bool {
	for _, prefix := range []string{"workspace:", "link:", "file:", "portal:", "./", "../", "/", "~/"} {
		if strings.HasPrefix(wanted, prefix) {
			return true
		}
	}
	return false
}

// addNpm adds a dependency at its locked version. A range "npm:NAME@RANGE" names another
// package than its key, and one with an address names a repository.
func addNpm(c *collector, locks []npmLock, dir string, e entry, d Dependency) {
	if alias, ok := strings.CutPrefix(e.value, "npm:"); ok {
		if at := strings.LastIndex(alias, "@"); at > 0 {
			d.Name, d.Wanted = alias[:at], alias[at+1:]
		} else if alias != "" && !strings.ContainsAny(alias[:1], "^~0123456789*") {
			d.Name, d.Wanted = alias, ""
		}
	}
	if address, ok := gitAddress(e.value); ok {
		d.Repository = address
	}
	for _, lock := range locks {
		locked, ok := lock.versionOf(dir, e.key, e.value)
		if locked.local {
			return
		}
		if ok {
			d.Version = locked.version
			break
		}
	}
	if d.Version == "" && exactVersion().MatchString(d.Wanted) {
		d.Version = strings.TrimLeft(d.Wanted, "=v ")
	}
	if d.Repository != "" && ecosystem.CheckVersion(d.Ecosystem, d.Version) != nil {
		d.Version = "" // locks write the address again
	}
	c.add(d)
}

// gitAddress is the repository that a range of package.json names.
func gitAddress(wanted string) (string, bool) {
	address, _, _ := strings.Cut(wanted, "#")
	switch {
	case strings.HasPrefix(address, "git+"):
		return strings.TrimPrefix(address, "git+"), true
	case strings.HasPrefix(address, "git://"), strings.HasPrefix(address, "git@"),
		strings.HasSuffix(address, ".git") && strings.Contains(address, "://"):
		return address, true
	case strings.HasPrefix(address, "github:"):
		return "https://github.com/" + strings.TrimPrefix(address, "github:"), true
	case strings.Count(address, "/") == 1 && !strings.ContainsAny(address, "@: "):
		return "https://github.com/" + address, true // npm's short form
	}
	return "", false
}

// npmLockKinds are the locks of the four clients.
var npmLockKinds = []struct {
	file string
	read func(file string, src []byte, c *collector) npmLock
}{{"npm-shrinkwrap.json", readPackageLock}, {"package-lock.json", readPackageLock}, {"pnpm-lock.yaml", readPnpmLock},
	{"yarn.lock", readYarnLock}, {"bun.lock", readBunLock}}

// npmLocks reads the locks of a member: those in its folder and above it, the nearest
// first. A lock that cannot be read is a finding.
func npmLocks(f *folder, c *collector, dir string) (locks []npmLock) {
	for {
		for _, kind := range npmLockKinds {
			file := path.Join(dir, kind.file)
			if !f.has(file) {
				continue
			}
			lock, known := f.locks[file]
			if !known {
				if src, ok := f.lock(file); ok {
					lock = kind.read(file, src, c)
				}
				f.locks[file] = lock
			}
			if lock != nil {
				locks = append(locks, lock)
			}
		}
		if file := path.Join(dir, "bun.lockb"); f.has(file) && len(locks) == 0 {
			c.found(unknownLock, file, 0, "it is the binary lock of bun before 1.2: let bun write the text form, bun.lock")
		}
		if dir == "." {
			return locks
		}
		dir = path.Dir(dir)
	}
}
