package planning

import (
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/source/project"
)

// releaseOf is the version whose documentation a dependency gets: the locked one, or the
// part of a version that the range in its manifest fixes. "" is the newest.
func releaseOf(d project.Dependency) string {
	if d.Version != "" || d.Repository != "" {
		return d.Version
	}
	return fixedPart(d.Ecosystem, d.Wanted)
}

// fixedPart is what all versions of a range begin with: "18" of ^18.2.0, "7.1" of ~> 7.1.2.
// Of alternatives the last one counts. "" where the range does not fix a major version.
func fixedPart(kind, wanted string) string {
	alternatives := strings.Split(wanted, "|")
	wanted = strings.TrimSpace(alternatives[len(alternatives)-1])
	for _, form := range []struct {
		operator string
		parts    int // of the written version, those that are fixed; less than 0: all but so many
	}{{"~=", -1}, {"~>", -1}, {"===", 0}, {"==", 0}, {"^", 1}, {"~", 2}, {"=", 0}, {"v", 0}} {
		rest, ok := strings.CutPrefix(wanted, form.operator)
		if !ok {
			continue
		}
		parts := form.parts
		if form.operator == "~" && kind == ecosystem.Composer {
			parts = -1
		}
		return beginning(rest, parts)
	}
	if kind == ecosystem.Cargo {
		return beginning(wanted, 1) // a version alone is ^ there
	}
	return beginning(wanted, 0)
}

// beginning is the first numbers of a version; parts is how many, 0 for all and less than 0
// for all but so many. The zeros before the first other number do not count. It is "" for a
// text that is no version of numbers.
func beginning(text string, parts int) string {
	text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	for _, any := range []string{".*", ".x", ".X"} {
		for strings.HasSuffix(text, any) {
			text, parts = strings.TrimSuffix(text, any), 0
		}
	}
	numbers := strings.Split(text, ".")
	for _, n := range numbers {
		if n == "" || strings.Trim(n, "0123456789") != "" {
			return ""
		}
	}
	switch {
	case parts < 0:
		parts = max(1, len(numbers)+parts)
	case parts == 0:
		parts = len(numbers)
	}
	if parts == 1 {
		for parts < len(numbers) && numbers[parts-1] == "0" {
			parts++
		}
	}
	return strings.Join(numbers[:min(parts, len(numbers))], ".")
}
