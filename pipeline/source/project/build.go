package project

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/text/pattern"
)

// gradleTools are the configurations of tools that check and build a project.
const gradleTools = `antlr|checkstyle|codenarc|detektPlugins|errorprone|jacocoAgent|jacocoAnt|ktlint|ktlintRuleset|nullaway|pmd|` +
	`spotbugs|spotbugsPlugins`

var (
	// gradleLine matches a line of a build file that names a dependency: the configuration, and
	// what follows.
	gradleLine = pattern.Lazy(`^\s*"?((?:[a-z]\w*)?(?:[iI]mplementation|[aA]pi|[cC]ompile|[cC]ompileOnly|[cC]ompileOnlyApi|[rR]untime|` +
		`[rR]untimeOnly|[aA]nnotationProcessor|[kK]apt|[kK]sp|developmentOnly|providedCompile|providedRuntime|shadow|` +
		`coreLibraryDesugaring|` + gradleTools + `))"?\s*[\s(]\s*(.+)$`)
	// coordinates match group:artifact:version in quotes.
	coordinates = pattern.Lazy(`["']([\w.-]+):([\w.-]+)(?::([^"':@]*))?(?:[:@][^"']*)?["']`)
	// named match group: "…", name: "…", version: "…", of Groovy and of Kotlin.
	named = pattern.Lazy(`\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']` +
		`(?:\s*,\s*version\s*[:=]\s*["']?([^"',)]*)["']?)?`)
	// gradleValue matches a variable with a plain text.
	gradleValue = pattern.Lazy(`\b(?:set\(\s*["'])?([\w.]+)(?:["']\s*,|\s*=|\s+by\s+extra\()\s*["']([^"'$\n]+)["']`)
	// property matches a line of gradle.properties.
	property = pattern.Lazy(`(?m)^\s*([\w.]+)\s*[=:]\s*(\S+)\s*$`)
	// reference matches a variable in a text.
	reference = pattern.Lazy(`\$\{?(?:rootProject\.|project\.|ext\.)*([\w.]+)\}?|^(?:rootProject\.|project\.|ext\.)*([A-Za-z_][\w.]*)$`)
	// included match the members that settings.gradle names.
	included      = pattern.Lazy(`(?m)^\s*include\b([^\n]*(?:,\s*\n[^\n]*)*)`)
	includedNames = pattern.Lazy(`["']:?([\w.:/-]+)["']`)
)

// readGradle reads the plain lines of a build file of Gradle, which is not run.
func readGradle(name string) func(*folder, *collector, string) {
	return func(f *folder, c *collector, dir string) {
		file := path.Join(dir, name)
		src, ok := f.manifest(file)
		if !ok {
			return
		}
		values := gradleValues(f, dir, string(src))
		n := 0
		for line := range strings.Lines(string(src)) {
			n++
			found := gradleLine().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
			if found == nil || strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			all := coordinates().FindAllStringSubmatch(found[2], -1)
			all = append(all, named().FindAllStringSubmatch(found[2], -1)...)
			for _, m := range all {
				d := Dependency{Ecosystem: ecosystem.Maven, Name: m[1] + ":" + m[2], Wanted: expandGradle(m[3], values), File: file,
					Line: n, Dev: strings.HasPrefix(found[1], "test") || strings.Contains(found[1], "Test") ||
						slices.Contains(strings.Split(gradleTools, "|"), found[1])}
				if !strings.ContainsAny(d.Wanted, "${}[](), +") {
					d.Version = d.Wanted
				}
				c.add(d)
			}
		}
	}
}

// gradleValues are the plain variables of a build file, of those above it and of
// gradle.properties.
func gradleValues(f *folder, dir, text string) map[string]string {
	values := map[string]string{}
	note := func(all [][]string) {
		for _, m := range all {
			if _, known := values[m[1]]; !known {
				values[m[1]] = m[2]
			}
		}
	}
	note(gradleValue().FindAllStringSubmatch(text, -1))
	for at := path.Clean(dir); ; at = path.Dir(at) {
		for _, name := range []string{"build.gradle", "build.gradle.kts"} {
			if src, ok := f.peek(path.Join(at, name)); ok {
				note(gradleValue().FindAllStringSubmatch(string(src), -1))
			}
		}
		if src, ok := f.peek(path.Join(at, "gradle.properties")); ok {
			note(property().FindAllStringSubmatch(string(src), -1))
		}
		if at == "." || at == "/" {
			return values
		}
	}
}

// expandGradle puts the variables of a version in their places; those that are not known stay.
func expandGradle(text string, values map[string]string) string {
	return reference().ReplaceAllStringFunc(text, func(ref string) string {
		found := reference().FindStringSubmatch(ref)
		name := found[1] + found[2]
		for _, key := range []string{name, name[strings.LastIndexByte(name, '.')+1:]} {
			if value, ok := values[key]; ok {
				return value
			}
		}
		if found[2] != "" {
			return "${" + ref + "}"
		}
		return ref
	})
}

// gradleMembers lists the folders of the members that settings.gradle names.
func gradleMembers(f *folder) []string {
	var out []string
	for _, name := range []string{"settings.gradle", "settings.gradle.kts"} {
		src, ok := f.peek(name)
		if !ok {
			continue
		}
		for _, line := range included().FindAllStringSubmatch(string(src), -1) {
			for _, m := range includedNames().FindAllStringSubmatch(line[1], mostMembers) {
				dir := path.Clean(strings.ReplaceAll(m[1], ":", "/"))
				if dir != "." && !strings.HasPrefix(dir, "..") && len(out) < mostMembers {
					out = append(out, dir)
				}
			}
		}
	}
	return out
}
