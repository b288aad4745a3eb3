package sphinx

import (
	"path"
	"regexp"
	"strings"

	"docent/pipeline/text/pattern"
)

// module is a file of Python, as far as its values are strings.
type module struct {
	file    string // its path, from the folder of conf.py
	values  map[string]value
	imports map[string]imported
	// open reads a file, by its path from the folder of conf.py; nil opens nothing.
	open func(name string) ([]byte, error)
	// nesting is how many modules have asked for values of each other, up to this one.
	nesting int
	links   map[string]Link
	texts   map[string]string // myst_substitutions
	// unread are the names whose last value is not known.
	unread   map[string]bool
	searches int // regular expressions that were used
}

// imported is what a name stands for that is imported: a module, or a name in one.
type imported struct{ module, name string }

// isVersion reports whether the function is imported that tells the version of a package.
func (i imported) isVersion() bool {
	return i.name == "version" && (i.module == "importlib.metadata" || i.module == "importlib_metadata")
}

// libraries are the modules of Python whose functions call knows.
var libraries = map[string]bool{"os": true, "os.path": true, "pathlib": true, "re": true, "io": true, "codecs": true, "importlib": true}

// mostModules is how many modules take values from each other.
const mostModules = 3

var (
	statement = pattern.Lazy(`(?m)^(?:(import)[ \t]+([\w., \t]+)|from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^()]*)\)|([^\n(]+))|` +
		`([A-Za-z_]\w*)[ \t]*(?::[ \t]*\w+[ \t]*)?(\+?=)[ \t]*)`)
	opening = pattern.Lazy(`(?m)^(?:try|with[ \t]+(.+?)[ \t]+as[ \t]+(\w+))[ \t]*:[ \t]*(?:#.*)?\n`)
)

// newModule reads the source of a module.
func newModule(src, file string, nesting int, open func(string) ([]byte, error)) *module {
	m := &module{file: file, values: map[string]value{}, imports: map[string]imported{}, unread: map[string]bool{},
		links: map[string]Link{}, texts: map[string]string{}, nesting: nesting, open: open}
	src = withoutFrames(src[:min(len(src), maxSource)])
	size := 0
	for from := 0; len(m.values) < maxValues && size < maxText; {
		at := statement().FindStringSubmatchIndex(src[from:])
		if at == nil {
			break
		}
		part := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return src[from+at[2*n] : from+at[2*n+1]]
		}
		if part(6) == "" {
			m.imported(part(1) != "", part(2)+part(3), part(4)+part(5))
			from += at[1]
			continue
		}
		name, adds := part(6), part(7) == "+="
		x := expression{module: m, src: src, at: from + at[1]}
		from = x.at
		if name == "extlinks" || name == "myst_substitutions" {
			m.unread[name] = !x.dictionary(name)
			continue
		}
		v, ok := x.any()
		if ok = ok && x.ends(); !ok {
			m.unread[name] = true
			if !adds {
				delete(m.values, name)
			}
			continue
		}
		if adds {
			v.text = m.values[name].text + v.text
		} else {
			delete(m.unread, name)
		}
		m.values[name] = v
		size += v.size()
		from = x.at
	}
	return m
}

// withoutFrames is the source of a module in which the lines of its "try:" and "with … as name:" stand without
// their indentation, as if nothing could fail.
func withoutFrames(src string) string {
	var b strings.Builder
	for {
		at := opening().FindStringSubmatchIndex(src)
		if at == nil {
			break
		}
		b.WriteString(src[:at[0]])
		if at[2] >= 0 {
			b.WriteString(src[at[4]:at[5]] + " = " + src[at[2]:at[3]] + "\n")
		}
		src = src[at[1]:]
		indent := src[:len(src)-len(strings.TrimLeft(src, " \t"))]
		for indent != "" && src != "" {
			line, rest, _ := strings.Cut(src, "\n")
			inside, ok := strings.CutPrefix(line, indent)
			if !ok && strings.TrimSpace(line) != "" {
				break
			}
			b.WriteString(inside + "\n")
			src = rest
		}
	}
	return b.String() + src
}

// imported notes the names that an import makes known.
func (m *module) imported(whole bool, from, names string) {
	if whole {
		from, names = "", from
	}
	for entry := range strings.SplitSeq(names, ",") {
		entry, _, _ = strings.Cut(entry, "#")
		words := strings.Fields(entry)
		if len(words) != 1 && (len(words) != 3 || words[1] != "as") || len(m.imports) >= maxValues {
			continue
		}
		known := words[len(words)-1]
		if !whole {
			m.imports[known] = imported{from, words[0]}
		} else if !libraries[words[0]] && !strings.Contains(known, ".") {
			m.imports[known] = imported{words[0], ""}
		}
	}
}

// read is the text of a file.
func (m *module) read(name string) (string, bool) {
	if m.open == nil || path.IsAbs(name) {
		return "", false
	}
	text, err := m.open(path.Clean(name))
	return string(text[:min(len(text), maxSource)]), err == nil
}

// sourceFolders are the folders, from that of conf.py, in which the modules of a project lie.
var sourceFolders = []string{"..", "../src", ".", "../..", "../../src", "../lib"}

// partOf is the value of a name in another module.
func (m *module) partOf(name, part string) (value, bool) {
	if m.nesting >= mostModules || m.open == nil || libraries[name] {
		return value{}, false
	}
	file := strings.ReplaceAll(strings.TrimLeft(name, "."), ".", "/")
	folders := sourceFolders
	if up := len(name) - len(strings.TrimLeft(name, ".")); up > 0 { // from the package that the module is in
		folders = []string{path.Dir(m.file) + strings.Repeat("/..", up-1)}
	}
	for _, folder := range folders {
		for _, at := range []string{path.Join(folder, file, "__init__.py"), path.Join(folder, file+".py")} {
			src, ok := m.read(at)
			if !ok {
				continue
			}
			other := newModule(src, at, m.nesting+1, m.open)
			if v, ok := other.values[part]; ok {
				return v, true
			}
			if from, ok := other.imports[part]; ok {
				return other.partOf(from.module, from.name)
			}
			return value{}, false
		}
	}
	return value{}, false
}

var project = pattern.Lazy(`(?ms)^\[(?:project|tool\.poetry|metadata)\][ \t]*$(.*?)(?:^\[|\z)`)

// setting is a line of a table in TOML or in setup.cfg.
func setting(name string) string {
	return `(?m)^` + regexp.QuoteMeta(name) + `[ \t]*=[ \t]*["']?([^"'\s#]+)`
}

var (
	nameSetting    = pattern.Lazy(setting("name"))
	versionSetting = pattern.Lazy(setting("version"))
	separators     = strings.NewReplacer("_", "-", ".", "-")
)

// packageVersion is the version of a package, by the files from which the project is built.
func (m *module) packageVersion(name string) (string, bool) {
	for _, file := range []string{"../pyproject.toml", "../setup.cfg", "pyproject.toml", "../../pyproject.toml"} {
		src, ok := m.read(file)
		if !ok {
			continue
		}
		table := project().FindStringSubmatch(src)
		if table == nil {
			continue
		}
		named, version := nameSetting().FindStringSubmatch(table[1]), versionSetting().FindStringSubmatch(table[1])
		if named == nil || version == nil || !strings.EqualFold(separators.Replace(named[1]), separators.Replace(name)) {
			continue
		}
		return version[1], true
	}
	return "", false
}
