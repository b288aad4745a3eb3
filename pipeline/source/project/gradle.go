package project

import (
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
)

// readCatalog reads the libraries of a version catalog of Gradle. Its plugins are left out.
func readCatalog(f *folder, c *collector, dir string) {
	file := path.Join(dir, catalogName)
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	var m struct {
		Versions  map[string]any
		Libraries map[string]any
	}
	if err := decodeTOML(src, &m); err != nil {
		c.found(damaged, file, 0, "it is no version catalog: %s", firstLine(err.Error()))
		return
	}
	places := findTOMLPlaces(src)
	for _, alias := range slices.Sorted(maps.Keys(m.Libraries)) {
		d := Dependency{Ecosystem: ecosystem.Maven, File: file, Line: places.lineOfKey("libraries", alias), Dev: isDevelopment(alias)}
		switch value := m.Libraries[alias].(type) {
		case string: // group:artifact:version
			parts := strings.SplitN(value, ":", 3)
			d.Name = strings.Join(parts[:min(2, len(parts))], ":")
			if len(parts) == 3 {
				d.Wanted = parts[2]
			}
		case map[string]any:
			d.Name, _ = value["module"].(string)
			if group, ok := value["group"].(string); ok && d.Name == "" {
				artifact, _ := value["name"].(string)
				d.Name = group + ":" + artifact
			}
			d.Wanted = catalogVersion(value["version"], m.Versions)
		}
		if !strings.ContainsAny(d.Wanted, "[](),+ ") {
			d.Version = d.Wanted
		}
		c.add(d)
	}
}

// catalogVersion is a version of a catalog: a text, a reference to one, or a table with
// a requirement.
func catalogVersion(value any, versions map[string]any) string {
	switch value := value.(type) {
	case string:
		return value
	case map[string]any:
		if name, ok := value["ref"].(string); ok {
			return catalogVersion(versions[name], nil)
		}
		for _, key := range []string{"strictly", "require", "prefer"} {
			if text, ok := value[key].(string); ok {
				return text
			}
		}
	}
	return ""
}
