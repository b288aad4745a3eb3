package project

import (
	"encoding/json"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/text/pattern"
)

// exactVersion matches a range that is one version: "1.2.3", "=1.2.3", "v1.2.3-rc.1".
var exactVersion = pattern.Lazy(`^[=v ]*[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$`)

// packageLock is npm's lock. Version 1 has dependencies; 2 and 3 have packages, by the
// folder that each is installed in.
type packageLock struct {
	dir          string
	Version      json.Number `json:"lockfileVersion"`
	Dependencies map[string]struct {
		Version string
	}
	Packages map[string]struct {
		Version string
		Link    bool
	}
}

func readPackageLock(file string, src []byte, c *collector) npmLock {
	lock := &packageLock{dir: folderOf(file)}
	if err := decodeJSON(src, lock); err != nil {
		c.found(damaged, file, 0, "it is no lock of npm: %v", err)
		return nil
	}
	switch lock.Version {
	case "1", "2", "3", "":
		return lock
	}
	c.found(unknownLock, file, 0, "version %.20s of npm's lock is not known: 1 to 3 are", plainText(lock.Version.String()))
	return nil
}

func (l *packageLock) versionOf(dir, name, _ string) (npmVersion, bool) {
	for at := below(l.dir, dir); ; at = path.Dir(at) {
		if p, ok := l.Packages[strings.TrimPrefix(path.Join(at, "node_modules", name), "./")]; ok {
			return npmVersion{p.Version, p.Link}, true
		}
		if at == "." {
			break
		}
	}
	p, ok := l.Dependencies[name]
	return npmVersion{p.Version, strings.HasPrefix(p.Version, "file:")}, ok
}

// below is a folder as seen from one above it.
func below(above, dir string) string {
	if above == "." {
		return dir
	}
	return path.Clean("./" + strings.TrimPrefix(strings.TrimPrefix(dir, above), "/"))
}

// pnpmLock is pnpm's: the direct dependencies of each member, by its folder. Locks before
// version 5.4 of a project without members have them at the top.
type pnpmLock struct {
	dir       string
	importers map[string]map[string]string // version by name, by folder
}

// pnpmImporter is a member. A dependency is a version, or an object with one.
type pnpmImporter struct {
	Dependencies         map[string]yaml.Node
	OptionalDependencies map[string]yaml.Node `yaml:"optionalDependencies"`
	DevDependencies      map[string]yaml.Node `yaml:"devDependencies"`
}

func readPnpmLock(file string, src []byte, c *collector) npmLock {
	var lock struct {
		Version      string                  `yaml:"lockfileVersion"`
		Importers    map[string]pnpmImporter `yaml:"importers"`
		pnpmImporter `yaml:",inline"`
	}
	if err := yaml.Unmarshal(headOfPnpmLock(src), &lock); err != nil {
		c.found(damaged, file, 0, "it is no lock of pnpm: %s", firstLine(err.Error()))
		return nil
	}
	switch major, _, _ := strings.Cut(lock.Version, "."); major {
	case "5", "6", "7", "9":
	default:
		c.found(unknownLock, file, 0, "version %q of pnpm's lock is not known: 5 to 9 are", plainText(lock.Version))
		return nil
	}
	out := &pnpmLock{dir: folderOf(file), importers: map[string]map[string]string{".": lock.versions()}}
	for dir, importer := range lock.Importers {
		out.importers[path.Clean(dir)] = importer.versions()
	}
	return out
}

// headOfPnpmLock is a lock up to the packages, which pnpm writes behind the members and
// which are by far the larger part.
func headOfPnpmLock(src []byte) []byte {
	text := string(src)
	end := len(text)
	for _, key := range []string{"\npackages:", "\nsnapshots:"} {
		if at := strings.Index(text, key); at >= 0 {
			end = min(end, at+1)
		}
	}
	return src[:end]
}

func (i pnpmImporter) versions() map[string]string {
	out := map[string]string{}
	for _, list := range []map[string]yaml.Node{i.Dependencies, i.OptionalDependencies, i.DevDependencies} {
		for name, node := range list {
			version := node.Value
			var object struct{ Version string }
			if node.Kind == yaml.MappingNode && node.Decode(&object) == nil {
				version = object.Version
			}
			out[name] = version
		}
	}
	return out
}

func (l *pnpmLock) versionOf(dir, name, _ string) (npmVersion, bool) {
	version, ok := l.importers[below(l.dir, dir)][name]
	if !ok {
		return npmVersion{}, false
	}
	if strings.HasPrefix(version, "link:") || strings.HasPrefix(version, "file:") {
		return npmVersion{local: true}, true
	}
	// 18.2.0(react@18.2.0) and 18.2.0_react@18.2.0: the peers that it was joined with.
	version, _, _ = strings.Cut(version, "(")
	version, _, _ = strings.Cut(version, "_")
	// /name/1.2.3, name@1.2.3: another package under this name.
	version = version[strings.LastIndexAny(version, "@/")+1:]
	return npmVersion{version: version}, version != ""
}

// yarnLock is yarn's, of version 1 and of later ones.
type yarnLock struct {
	byRange map[string]string   // versions by name and range
	byName  map[string][]string // all versions of a name: "resolutions" of package.json change ranges
}

// readYarnLock reads the heads of the entries and their versions; both forms have them
// alike:
//
//	"react@npm:^19.0.0, react@npm:^19.1.0":
//	  version: 19.1.0
func readYarnLock(file string, src []byte, c *collector) npmLock {
	lock := yarnLock{map[string]string{}, map[string][]string{}}
	var heads []string
	known := false
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "# yarn lockfile v"):
			known = line == "# yarn lockfile v1"
		case line == "__metadata:":
			known, heads = true, nil
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			heads = heads[:0]
			for head := range strings.SplitSeq(strings.TrimSuffix(line, ":"), ",") {
				heads = append(heads, strings.Trim(head, `" `))
			}
		case strings.HasPrefix(line, "  version"):
			version := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(line, "  version"), ":"), `" `)
			for _, head := range heads {
				lock.byRange[head] = version
			}
			if len(heads) > 0 {
				name := heads[0][:max(strings.LastIndex(heads[0], "@"), 0)]
				lock.byName[name] = append(lock.byName[name], version)
			}
		}
	}
	if !known {
		c.found(unknownLock, file, 0, "it does not begin as a lock of yarn that is known")
		return nil
	}
	return lock
}

func (l yarnLock) versionOf(_, name, wanted string) (npmVersion, bool) {
	if _, ok := l.byRange[name+"@workspace:*"]; ok {
		return npmVersion{local: true}, true
	}
	for _, key := range []string{name + "@npm:" + wanted, name + "@" + wanted} {
		if version, ok := l.byRange[key]; ok {
			return npmVersion{version: version, local: version == "0.0.0-use.local"}, true
		}
	}
	if versions := l.byName[name]; len(versions) == 1 {
		return npmVersion{version: versions[0], local: versions[0] == "0.0.0-use.local"}, true
	}
	return npmVersion{}, false
}

// bunLock is bun's: each package is a list that begins with its name and version.
type bunLock struct {
	Version    json.Number `json:"lockfileVersion"`
	Workspaces map[string]struct{ Name string }
	Packages   map[string][]json.RawMessage
	dir        string
}

func readBunLock(file string, src []byte, c *collector) npmLock {
	lock := &bunLock{dir: folderOf(file)}
	if err := decodeJSON(plainJSON(src), lock); err != nil {
		c.found(damaged, file, 0, "it is no lock of bun: %v", err)
		return nil
	}
	switch lock.Version {
	case "0", "1":
		return lock
	}
	c.found(unknownLock, file, 0, "version %.20s of bun's lock is not known: 0 and 1 are", plainText(lock.Version.String()))
	return nil
}

func (l *bunLock) versionOf(dir, name, _ string) (npmVersion, bool) {
	keys := []string{name}
	if member := l.Workspaces[below(l.dir, dir)].Name; member != "" {
		keys = []string{member + "/" + name, name}
	}
	for _, key := range keys {
		var text string
		if list := l.Packages[key]; len(list) == 0 || json.Unmarshal(list[0], &text) != nil {
			continue
		}
		version := text[strings.LastIndex(text, "@")+1:]
		return npmVersion{version: version, local: strings.HasPrefix(version, "workspace:")}, true
	}
	return npmVersion{}, false
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return plainText(first)
}
