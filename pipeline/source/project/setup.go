package project

import (
	"path"
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/text/pattern"
)

// readSetupConfig reads the requirements of setup.cfg: the lists in the section options, and those of
// extras.
func readSetupConfig(f *folder, c *collector, dir string) {
	file := path.Join(dir, "setup.cfg")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	section, key, n := "", "", 0
	for line := range strings.Lines(string(src)) {
		n++
		line, _, _ = strings.Cut(strings.TrimRight(line, " \t\r\n"), " #")
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
			continue
		case text[0] == '[' && line[0] == '[':
			section, key = strings.Trim(text, "[]"), ""
			continue
		case line[0] != ' ' && line[0] != '\t':
			var value string
			key, value, _ = strings.Cut(text, "=")
			key, text = strings.TrimSpace(key), strings.TrimSpace(value)
		}
		isList := section == "options" && (key == "install_requires" || key == "tests_require" || key == "setup_requires")
		if text == "" || !isList && section != "options.extras_require" || strings.HasPrefix(text, "file:") {
			continue
		}
		for item := range strings.SplitSeq(text, ";;") {
			c.addRequirement(item, file, n, key == "tests_require" || key == "setup_requires" || isDevelopment(key))
		}
	}
	readRequirementFolder(f, c, dir)
}

// addRequirement adds a requirement of PEP 508 that stands in a file.
func (c *collector) addRequirement(text, file string, line int, dev bool) {
	if d, ok := parseRequirement(strings.TrimSpace(text)); ok {
		d.File, d.Line, d.Dev = file, line, dev
		c.add(d)
	}
}

var (
	// setupList matches the beginning of a list of requirements in setup.py.
	setupList = pattern.Lazy(`\b(install_requires|tests_require|setup_requires|extras_require)\s*=\s*`)
	// pythonText matches a text of Python without another one in it.
	pythonText = pattern.Lazy(`^(?:"([^"\\\n]*)"|'([^'\\\n]*)')`)
	// pythonName is a variable.
	pythonName = pattern.Lazy(`^[A-Za-z_]\w*`)
)

// readSetup reads the plain lists of setup.py, which is not run: those that stand behind the
// arguments of setup, or in variables that they name.
func readSetup(f *folder, c *collector, dir string) {
	file := path.Join(dir, "setup.py")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	text := string(src)
	for _, at := range setupList().FindAllStringSubmatchIndex(text, -1) {
		what, value := text[at[2]:at[3]], at[1]
		if name := pythonName().FindString(text[value:]); name != "" {
			value = assignedTo(text, name)
		}
		if value < 0 || value >= len(text) || !strings.ContainsRune("[{(", rune(text[value])) {
			c.found(notPlain, file, 1+strings.Count(text[:at[0]], "\n"),
				"%s is computed: the requirement files next to it are read in its place", what)
			continue
		}
		for _, item := range pythonTexts(text, value) {
			if item.isKey {
				continue
			}
			dev := what == "tests_require" || what == "setup_requires" || what == "extras_require" && isDevelopment(item.key)
			c.addRequirement(item.value, file, item.line, dev)
		}
	}
	readRequirementFolder(f, c, dir)
}

// assignedTo is where the value begins that a variable gets at the beginning of a line, -1 where there
// is none.
func assignedTo(text, name string) int {
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if rest, ok := strings.CutPrefix(text[at:at+end], name); ok {
			if value, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "="); ok && !strings.HasPrefix(value, "=") {
				return at + end - len(strings.TrimLeft(value, " "))
			}
		}
		at += end + 1
	}
	return -1
}

// pythonItem is a text in a list or a table.
type pythonItem struct {
	entry
	isKey bool
}

// pythonTexts are the texts in a bracket, those of tables with the key before them.
func pythonTexts(text string, at int) []pythonItem {
	var out []pythonItem
	depth, key := 0, ""
	for line := 1 + strings.Count(text[:at], "\n"); at < len(text) && len(out) < mostDependencies; at++ {
		switch c := text[at]; {
		case c == '\n':
			line++
		case c == '#':
			end := strings.IndexByte(text[at:], '\n')
			if end < 0 {
				return out
			}
			at += end - 1
		case strings.IndexByte("[{(", c) >= 0:
			depth++
		case strings.IndexByte("]})", c) >= 0:
			if depth--; depth <= 0 {
				return out
			}
		case c == '"' || c == '\'':
			found := pythonText().FindStringSubmatch(text[at:])
			if found == nil {
				return out // a text of several lines
			}
			item := pythonItem{entry: entry{key: key, value: found[1] + found[2], line: line}}
			at += len(found[0]) - 1
			if strings.HasPrefix(strings.TrimLeft(text[at+1:], " "), ":") {
				item.isKey, key = true, item.value
			}
			out = append(out, item)
		}
	}
	return out
}

// readRequirementFolder reads the requirement files of a project that has no requirements.txt among
// them, such as requirements-ci.txt and requirements/default.txt.
func readRequirementFolder(f *folder, c *collector, dir string) {
	if !f.has(path.Join(dir, "requirements.txt")) {
		readRequirements(f, c, dir)
	}
}

// setupName is the project's own name in setup.cfg or setup.py, "" where it is not plain.
func setupName(manifest, text string) string {
	if manifest == "setup.cfg" {
		_, text, _ = strings.Cut(text, "[metadata]")
	}
	if found := ownName().FindStringSubmatch(text); found != nil && ecosystem.CheckName(ecosystem.PyPI, found[1]) == nil {
		return found[1]
	}
	return ""
}

var ownName = pattern.Lazy(`(?m)^\s*name\s*=\s*["']?([A-Za-z0-9._-]+)["']?\s*,?\s*$`)
