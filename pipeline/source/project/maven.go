package project

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/text/pattern"
)

// mavenProject is a pom.xml as far as it is plain: profiles and plugins are left out.
type mavenProject struct {
	groupID, artifact, version string
	parentGroup, parentVersion string
	properties                 map[string]string
	modules                    []string
	dependencies, managed      []mavenDependency
}

type mavenDependency struct {
	group, artifact, version, scope string
	line                            int
}

func (m *mavenProject) group() string {
	if m.groupID != "" {
		return m.groupID
	}
	return m.parentGroup
}

// parseMaven reads a pom.xml.
func parseMaven(src []byte) (*mavenProject, error) {
	m := &mavenProject{properties: map[string]string{}}
	d := xml.NewDecoder(bytes.NewReader(src))
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // names are ASCII
	var open []string
	var current mavenDependency
	var text strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) >= mostNesting {
				return nil, errors.New("its elements are nested too deeply")
			}
			open = append(open, token.Name.Local)
			text.Reset()
			if token.Name.Local == "dependency" {
				line, _ := d.InputPos()
				current = mavenDependency{line: line}
			}
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			m.ended(strings.Join(open, "/"), strings.TrimSpace(text.String()), &current)
			open = open[:max(len(open)-1, 0)]
			text.Reset()
		}
	}
	if m.artifact == "" && len(m.dependencies) == 0 && len(m.modules) == 0 {
		return nil, errors.New("it has no <project> with an <artifactId>")
	}
	return m, nil
}

// ended notes the text of an element by its path.
func (m *mavenProject) ended(at, text string, current *mavenDependency) {
	switch at {
	case "project/groupId":
		m.groupID = text
	case "project/artifactId":
		m.artifact = text
	case "project/version":
		m.version = text
	case "project/parent/groupId":
		m.parentGroup = text
	case "project/parent/version":
		m.parentVersion = text
	case "project/modules/module":
		m.modules = append(m.modules, text)
	case "project/dependencies/dependency":
		m.dependencies = append(m.dependencies, *current)
	case "project/dependencyManagement/dependencies/dependency":
		m.managed = append(m.managed, *current)
	}
	if key, ok := strings.CutPrefix(at, "project/properties/"); ok && !strings.Contains(key, "/") {
		m.properties[key] = text
	}
	field, ok := strings.CutPrefix(at, "project/dependencies/dependency/")
	if !ok {
		field, ok = strings.CutPrefix(at, "project/dependencyManagement/dependencies/dependency/")
	}
	if !ok {
		return
	}
	switch field {
	case "groupId":
		current.group = text
	case "artifactId":
		current.artifact = text
	case "version":
		current.version = text
	case "scope":
		current.scope = text
	}
}

// mavenModules lists the folders of modules, and of theirs.
func mavenModules(f *folder, dir string, depth int) []string {
	src, ok := f.peek(path.Join(dir, "pom.xml"))
	if !ok || depth > mostDepth {
		return nil
	}
	m, err := parseMaven(src)
	if err != nil {
		return nil
	}
	var out []string
	for _, module := range m.modules {
		at := path.Join(dir, module)
		if strings.ContainsAny(module, `*?[\`) || strings.HasPrefix(at, "..") || at == dir || len(out) > mostMembers {
			continue
		}
		out = append(append(out, at), mavenModules(f, at, depth+1)...)
	}
	return out
}

var mavenReference = pattern.Lazy(`\$\{([^}$]*)\}`)

func readMaven(f *folder, c *collector, dir string) {
	file := path.Join(dir, "pom.xml")
	src, ok := f.manifest(file)
	if !ok {
		return
	}
	m, err := parseMaven(src)
	if err != nil {
		c.found(damaged, file, 0, "it is no pom.xml: %s", firstLine(err.Error()))
		return
	}
	properties, managed := inheritedByMaven(f, dir, m)
	for _, d := range m.dependencies {
		version := d.version
		if version == "" {
			version = managed[d.group+":"+d.artifact]
		}
		group, artifact, version := expandMaven(d.group, properties), expandMaven(d.artifact, properties), expandMaven(version, properties)
		if strings.Contains(group+artifact, "${") {
			c.found(notPlain, file, d.line, "%.60s:%.60s has a property that no pom.xml of the project sets: it is left out",
				plainText(group), plainText(artifact))
			continue
		}
		out := Dependency{Ecosystem: ecosystem.Maven, Name: group + ":" + artifact, Wanted: version, File: file, Line: d.line,
			Dev: d.scope == "test"}
		if !strings.ContainsAny(version, "${}[](), ") {
			out.Version = version
		}
		c.add(out)
	}
}

// inheritedByMaven joins the properties and the managed versions of a pom.xml and of those
// in the folders above it.
func inheritedByMaven(f *folder, dir string, m *mavenProject) (properties, managed map[string]string) {
	properties, managed = map[string]string{}, map[string]string{}
	for {
		for _, d := range m.managed {
			if key := d.group + ":" + d.artifact; managed[key] == "" {
				managed[key] = d.version
			}
		}
		version := m.version
		if version == "" {
			version = m.parentVersion
		}
		own := maps.Clone(m.properties)
		own["project.version"], own["project.groupId"], own["project.parent.version"] = version, m.group(), m.parentVersion
		for _, key := range slices.Sorted(maps.Keys(own)) {
			if properties[key] == "" {
				properties[key] = own[key]
			}
		}
		m = nil
		for dir != "." && m == nil {
			dir = path.Dir(dir)
			if src, ok := f.peek(path.Join(dir, "pom.xml")); ok {
				m, _ = parseMaven(src)
			}
		}
		if m == nil {
			return properties, managed
		}
	}
}

// expandMaven puts properties in their places. A property may name another; those that
// are not known stay.
func expandMaven(text string, properties map[string]string) string {
	const most = 1000
	for range 5 {
		next := mavenReference().ReplaceAllStringFunc(text, func(reference string) string {
			if value, ok := properties[reference[2:len(reference)-1]]; ok && value != "" {
				return value
			}
			return reference
		})
		if next == text || len(next) > most {
			return text
		}
		text = next
	}
	return text
}
