package project

import (
	"path"
	"strings"
)

// readOwn reads [[docs]] of the project's docent.toml: documentation that no manifest
// names, or another source for what one names.
func readOwn(f *folder, c *collector, dir string) {
	file := path.Join(dir, "docent.toml")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	var m struct {
		Docs []struct{ Source, Name, Version string }
	}
	if err := decodeTOML(src, &m); err != nil {
		c.found(damaged, file, 0, "it cannot be read: %s", firstLine(err.Error()))
		return
	}
	lines := linesOfDocs(src)
	for i, d := range m.Docs {
		line := 0
		if i < len(lines) {
			line = lines[i]
		}
		source := plainText(strings.TrimSpace(d.Source))
		if source == "" || strings.HasPrefix(source, "-") {
			c.found(badName, file, line, "[[docs]] needs a source: an address, a package, or a name such as react@19")
			continue
		}
		version, name := plainText(d.Version), plainText(d.Name)
		if name == "" {
			name = source
		}
		c.append(Dependency{Name: name, Version: version, Source: source, File: file, Line: line})
	}
}

// linesOfDocs are the lines of the tables [[docs]].
func linesOfDocs(src []byte) (lines []int) {
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		if head, _, _ := strings.Cut(line, "#"); strings.ReplaceAll(strings.TrimSpace(head), " ", "") == "[[docs]]" {
			lines = append(lines, n)
		}
	}
	return lines
}
