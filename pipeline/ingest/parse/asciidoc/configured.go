package asciidoc

import (
	"bytes"
	"encoding/xml"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/text/pattern"
)

// Files next to or above pages that set attributes for all of them, in the order in which
// they are asked. The last two are what editors read instead of a build that lies elsewhere.
var configurations = []struct {
	name string
	read func(src []byte, dir string, set map[string]string)
}{
	{"antora-playbook.yml", readPlaybook}, {"local-antora-playbook.yml", readPlaybook}, {"pom.xml", readMaven},
	{".asciidoctorconfig", readEditorConfig}, {".asciidoctorconfig.adoc", readEditorConfig},
}

// maxConfiguration is the size of the largest file of attributes that is read, in bytes.
const maxConfiguration = 1 << 20

// configuredValue is the value that an attribute has by the files next to and above the page;
// the nearest holds. They are read when a page uses an attribute that it does not know.
func (p *page) configuredValue(name string) (string, bool) {
	if p.opt.Open == nil || p.surveyed {
		return "", false
	}
	if p.configured == nil {
		p.configured = map[string]string{}
		for dir := path.Dir(path.Clean(p.opt.Path)); ; dir = path.Dir(dir) {
			for _, c := range configurations {
				if src, err := p.opt.Open(path.Join(dir, c.name)); err == nil && len(src) <= maxConfiguration {
					c.read(src, dir, p.configured)
				}
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	value, ok := p.configured[name]
	return value, ok
}

// setUnset sets an attribute that no nearer file set.
func setUnset(set map[string]string, name, value string) {
	name = strings.ToLower(strings.TrimSpace(name))
	if _, ok := set[name]; !ok && name != "" && len(set) < mostGiven && len(value) <= mostValue {
		set[name] = value
	}
}

// readPlaybook reads the attributes of a site of Antora.
func readPlaybook(src []byte, _ string, set map[string]string) {
	var about struct {
		AsciiDoc struct {
			Attributes map[string]any `yaml:"attributes"`
		} `yaml:"asciidoc"`
	}
	if yaml.Unmarshal(src, &about) != nil {
		return
	}
	setDescribed(about.AsciiDoc.Attributes, func(name, value string) { setUnset(set, name, value) })
}

// readEditorConfig reads a file of attributes for editors, which is AsciiDoc.
func readEditorConfig(src []byte, dir string, set map[string]string) {
	own := map[string]string{"asciidoctorconfigdir": inDocSet(dir)}
	for l := range strings.Lines(string(src)) {
		m := attributeLine().FindStringSubmatch(strings.TrimRight(l, " \t\r\n"))
		if m == nil || strings.Contains(m[1], "!") {
			continue
		}
		value := attributeRef().ReplaceAllStringFunc(m[2], func(ref string) string {
			if v, ok := own[strings.ToLower(ref[1:len(ref)-1])]; ok {
				return v
			}
			return ref
		})
		own[strings.ToLower(m[1])] = value
		setUnset(set, m[1], value)
	}
}

// inDocSet is a folder of the doc set as the value of an attribute: a path from the doc set's
// folder, which holds in whatever folder a page uses it.
func inDocSet(dir string) string { return "/" + strings.Trim(path.Clean(dir), "./") }

// maven is what a file pom.xml says of a build.
type maven struct {
	dir        string
	properties map[string]string
	attributes [][2]string // of Asciidoctor, not yet resolved
}

// readMaven reads the attributes that a build with Maven passes to Asciidoctor. Those made of
// what other files set are not known.
func readMaven(src []byte, dir string, set map[string]string) {
	if !bytes.Contains(src, []byte("asciidoctor-maven-plugin")) {
		return
	}
	m := maven{dir: dir, properties: map[string]string{"basedir": inDocSet(dir), "project.basedir": inDocSet(dir)}}
	m.read(xml.NewDecoder(bytes.NewReader(src)))
	for _, a := range m.attributes {
		if value, ok := m.resolve(a[1], 0); ok {
			setUnset(set, a[0], strings.ReplaceAll(value, "//", "/"))
		}
	}
}

// read reads the elements of a pom.xml, as far as it is valid.
func (m *maven) read(d *xml.Decoder) {
	var at []string        // the names of the elements that are open
	var plugin [][2]string // the attributes of the plugin that is read
	artifact, text := "", ""
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			at, text = append(at, t.Name.Local), ""
			if t.Name.Local == "plugin" {
				artifact, plugin = "", nil
			}
		case xml.CharData:
			if text += string(t); len(text) > mostValue {
				text = ""
			}
		case xml.EndElement:
			n, name := len(at), t.Name.Local
			value := strings.TrimSpace(text)
			text = ""
			switch parent := at[max(0, n-2)]; {
			case name == "plugin" && artifact == "asciidoctor-maven-plugin":
				m.attributes = append(m.attributes, plugin...)
			case parent == "plugin" && name == "artifactId":
				artifact = value
			case parent == "attributes" && value != "" && slices.Contains(at, "plugin") && !slices.Contains(at, "execution"):
				plugin = append(plugin, [2]string{name, value})
			case n == 3 && parent == "properties":
				m.properties[name] = value
			case n == 2 && name == "version", n == 3 && parent == "parent" && name == "version" && m.properties["project.version"] == "":
				m.properties["project.version"] = value
			}
			at = at[:n-1]
		}
	}
}

// mavenProperty is the use of a property in a pom.xml.
var mavenProperty = pattern.Lazy(`\$\{([^{}$]+)\}`)

// resolve puts properties in; false where one is not known.
func (m *maven) resolve(s string, depth int) (string, bool) {
	ok := depth < maxDepth
	if !ok || !strings.Contains(s, "${") {
		return s, ok
	}
	s = mavenProperty().ReplaceAllStringFunc(s, func(use string) string {
		v, known := m.properties[use[2:len(use)-1]]
		if known {
			v, known = m.resolve(v, depth+1)
		}
		if ok = ok && known && len(v) <= mostValue; !ok {
			return ""
		}
		return v
	})
	return s, ok && len(s) <= mostValue
}
