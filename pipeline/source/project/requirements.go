package project

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
)

// mostIncludes bounds the files that requirement files include.
const mostIncludes = 50

// readRequirements reads requirements.txt, the files of its kind in the folder, such as
// requirements-dev.txt and requirements/test.txt, and what they include. A file that a
// tool made of another with the ending .in is the lock of that one.
func readRequirements(f *folder, c *collector, dir string) {
	r := requirementReader{f: f, c: c, done: map[string]bool{}}
	names := []string{path.Join(dir, "requirements.txt")}
	for name := range f.files {
		base, at := path.Base(name), folderOf(name)
		isOne := strings.HasPrefix(base, "requirements") || strings.HasSuffix(base, "requirements.txt")
		if strings.HasSuffix(base, ".txt") && (at == path.Clean(dir) && isOne || at == path.Join(dir, "requirements")) {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])
	for _, name := range names {
		r.read(name, isDevelopment(strings.TrimSuffix(below(path.Clean(dir), name), ".txt")))
	}
	if r.unpinned != "" {
		c.found(noLock, r.unpinned, 0, "it names packages without exact versions, and no lock file is there")
	}
}

type requirementReader struct {
	f        *folder
	c        *collector
	done     map[string]bool
	unpinned string // the first file with a package whose version is not known
}

// read reads one file, once.
func (r *requirementReader) read(file string, dev bool) {
	if r.done[file] || len(r.done) > mostIncludes {
		return
	}
	r.done[file] = true
	var pins map[string]string
	if in := strings.TrimSuffix(file, ".txt") + ".in"; strings.HasSuffix(file, ".txt") && r.f.has(in) {
		if src, ok := r.f.manifest(file); ok {
			pins = pinsOf(src)
		}
		if r.done[in] {
			return
		}
		r.done[in] = true
		file = in
	}
	src, ok := r.f.manifest(file)
	if !ok {
		return
	}
	for _, l := range requirementLines(src) {
		r.readLine(file, l, dev, pins)
	}
}

// readLine reads a line: an option, or a requirement.
func (r *requirementReader) readLine(file string, l entry, dev bool, pins map[string]string) {
	text := l.value
	if strings.HasPrefix(text, "-") {
		option, value := text, ""
		if at := strings.IndexAny(text, " ="); at > 0 {
			option, value = text[:at], strings.TrimSpace(text[at+1:])
		} else if strings.HasPrefix(text, "-r") {
			option, value = "-r", text[2:]
		}
		if option == "-r" || option == "--requirement" {
			included := path.Join(folderOf(file), value)
			if path.IsAbs(value) || strings.HasPrefix(included, "..") {
				r.c.found(notPlain, file, l.line, "%.100q lies outside of the project's folder and is not read", value)
				return
			}
			r.read(included, dev || isDevelopment(strings.TrimSuffix(value, ".txt")))
		}
		return // an index, a constraint, an editable folder
	}
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/") || strings.Contains(text, "://") && !strings.Contains(text, "@ ") {
		if d, ok := repositoryRequirement(text); ok {
			d.File, d.Line, d.Dev = file, l.line, dev
			r.c.add(d)
		} else if strings.Contains(text, "://") {
			r.c.found(notPlain, file, l.line, "%.100q is an address without a name: it is left out", text)
		}
		return
	}
	d, ok := parseRequirement(text)
	if !ok {
		return
	}
	if version, ok := pins[ecosystem.Canonical(ecosystem.PyPI, d.Name)]; ok && d.Version == "" {
		d.Version = version
	}
	d.File, d.Line, d.Dev = file, l.line, dev
	if d.Version == "" && r.unpinned == "" {
		r.unpinned = file
	}
	r.c.add(d)
}

// repositoryRequirement reads the address of a repository without a name in front, which pip
// takes from behind the address or from the repository: git+https://…/oil.git@main#egg=oil
func repositoryRequirement(text string) (Dependency, bool) {
	address, ok := strings.CutPrefix(text, "git+")
	if !ok {
		return Dependency{}, false
	}
	address, _, _ = strings.Cut(address, " ")
	address, fragment, _ := strings.Cut(address, "#")
	if at := strings.LastIndex(address, "@"); at > strings.Index(address, "://")+3 && !strings.Contains(address[at:], ":") {
		address = address[:at]
	}
	name := strings.TrimSuffix(path.Base(address), ".git")
	for part := range strings.SplitSeq(fragment, "&") {
		if egg, ok := strings.CutPrefix(part, "egg="); ok {
			name, _, _ = strings.Cut(egg, "[")
		}
	}
	return Dependency{Ecosystem: ecosystem.PyPI, Name: name, Repository: address}, ecosystem.CheckName(ecosystem.PyPI, name) == nil
}

// pinsOf reads the versions of a file in which each package is pinned.
func pinsOf(src []byte) map[string]string {
	pins := map[string]string{}
	for _, l := range requirementLines(src) {
		if d, ok := parseRequirement(l.value); ok && d.Version != "" {
			pins[ecosystem.Canonical(ecosystem.PyPI, d.Name)] = d.Version
		}
	}
	return pins
}

// requirementLines are the lines of a file without comments, hashes and blank lines;
// those that a backslash continues are joined.
func requirementLines(src []byte) []entry {
	var out []entry
	n, open := 0, false
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		n++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		line, _, _ = strings.Cut(line, " #")
		text, goesOn := strings.CutSuffix(strings.TrimSpace(line), `\`)
		text, _, _ = strings.Cut(text, "--hash")
		text = strings.TrimSpace(text)
		switch {
		case open && text != "":
			out[len(out)-1].value += " " + text
		case !open && (text != "" || goesOn):
			out = append(out, entry{value: text, line: n})
		}
		open = goesOn && (open || len(out) > 0)
	}
	kept := out[:0]
	for _, l := range out {
		if l.value = strings.TrimSpace(l.value); l.value != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
