package json

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

// Bounds of custom resource definitions of Kubernetes.
const (
	maxDocuments = 200 // of a file in YAML
	deepestField = 24  // objects in objects
)

var (
	kindOfDefinition = pattern.Lazy(`(?m)^["']?kind["']?:[ \t]*["']?CustomResourceDefinition["']?[ \t\r]*$`)
	schemaInYAML     = pattern.Lazy(`(?m)^["']?\$schema["']?:[ \t]*\S`)
	templateInYAML   = pattern.Lazy(`(?s)\{\{.*?\}\}`)
)

// isDefinition reports whether a document is a custom resource definition.
func isDefinition(v *value) bool {
	return v.textMember("kind") == "CustomResourceDefinition" && v.getMember("spec").isObject()
}

// definitionsIn are the custom resource definitions of a document in JSON: itself, or the items of a list.
func definitionsIn(root *value) []*value {
	if isDefinition(root) {
		return []*value{root}
	}
	var all []*value
	if strings.HasSuffix(root.textMember("kind"), "List") {
		for _, item := range root.getMember("items").listItems() {
			if isDefinition(item) {
				all = append(all, item)
			}
		}
	}
	return all
}

// readDefinitions reads the custom resource definitions of a file, which may have several
// documents; nil where it has none or cannot be read.
func readDefinitions(src []byte) (all []*value, warnings []string) {
	if !kindOfDefinition().Match(src) || len(src) > maxYAML {
		return nil, nil
	}
	all, warnings, err := decodeDefinitions(src)
	if err != nil && bytes.Contains(src, []byte("{{")) {
		all, warnings, err = decodeDefinitions(withoutTemplates(src))
	}
	if err != nil {
		return nil, nil
	}
	return all, warnings
}

func decodeDefinitions(src []byte) (all []*value, warnings []string, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	y := yamlReader{}
	for range maxDocuments {
		var n yaml.Node
		if err := dec.Decode(&n); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return nil, nil, err
		}
		if n.Kind == 0 || len(n.Content) == 0 {
			continue
		}
		v, err := y.value(n.Content[0], 0)
		if err != nil {
			return nil, nil, err
		}
		if isDefinition(v) {
			all = append(all, v)
		}
	}
	return all, y.warnings, nil
}

// withoutTemplates is a file of Helm without the instructions of its templates; lines stay where
// they are.
func withoutTemplates(src []byte) []byte {
	return templateInYAML().ReplaceAllFunc(src, func(in []byte) []byte {
		out := bytes.Repeat([]byte("\n"), bytes.Count(in, []byte("\n")))
		if len(out) == 0 && len(in) < 200 && !bytes.HasPrefix(in, []byte("{{-")) && !isControl(in) {
			return []byte("x") // a value
		}
		return out
	})
}

// isControl reports whether an instruction of a template stands for no value.
func isControl(in []byte) bool {
	word, _, _ := strings.Cut(strings.Trim(string(in), "{}- \t"), " ")
	switch word {
	case "if", "else", "end", "range", "with", "define", "template", "block", "/*", "include":
		return true
	}
	return false
}

// definitions writes custom resource definitions into a page.
type definitions struct{ *page }

// writeAll writes definitions: each field is a section with its path. A file with several kinds is
// not called like the first: a reader would take the fields of another kind for those of that one.
func (p definitions) writeAll(all []*value) {
	p.deepest = deepestField
	level := 1
	if len(all) > 1 {
		title := titleOfSeveral(all)
		p.w.Title(title)
		p.setPlace(all[0], "")
		p.w.Heading(1, build.TextInline(title), "")
		level = 2
	}
	for i, v := range all {
		spec := v.getMember("spec")
		names := spec.getMember("names")
		kind := names.textMember("kind")
		if kind == "" {
			kind = v.getMember("metadata").textMember("name")
		}
		if i == 0 && level == 1 {
			p.w.Title(kind)
		}
		p.setPlace(v, "")
		p.w.Heading(level, build.TextInline(kind), "")
		p.writeNames(spec, names)
		for _, version := range versionsOf(spec) {
			if !p.isAlive() {
				return
			}
			p.writeVersion(spec, version, level+1)
		}
	}
}

// titleOfSeveral names the definitions of a file by the group that all of them belong to.
func titleOfSeveral(all []*value) string {
	const title = "Custom resources"
	group := all[0].getMember("spec").textMember("group")
	for _, v := range all {
		if v.getMember("spec").textMember("group") != group {
			return title
		}
	}
	return joinTexts(title, group)
}

// writeNames writes by which names a resource is known.
func (p definitions) writeNames(spec, names *value) {
	for _, n := range [...]struct {
		label string
		of    *value
	}{
		{"Group", spec.getMember("group")}, {"Scope", spec.getMember("scope")}, {"Plural", names.getMember("plural")},
		{"Singular", names.getMember("singular")}, {"Short names", names.getMember("shortNames")},
		{"Categories", names.getMember("categories")},
	} {
		text := ""
		if n.of.textValue() != "" {
			text = build.CodeInline(n.of.text)
		}
		for k, item := range n.of.listItems() {
			if k > 0 {
				text += ", "
			}
			text += build.CodeInline(item.textValue())
		}
		if text != "" {
			p.setPlace(n.of, "")
			p.w.Open(build.Bullet)
			p.w.Paragraph(n.label + ": " + text)
			p.w.Close()
		}
	}
}

// version is a version of a resource with its schema.
type version struct {
	name    string
	value   *value
	schema  *value
	pointer string
}

// versionsOf are the versions of a resource, with the schema of all where they have none of their
// own.
func versionsOf(spec *value) (all []version) {
	shared := spec.getMember("validation").getMember("openAPIV3Schema")
	for i, v := range spec.getMember("versions").listItems() {
		at := "/spec/versions/" + strconv.Itoa(i) + "/schema/openAPIV3Schema"
		schema := v.getMember("schema").getMember("openAPIV3Schema")
		if schema == nil {
			schema, at = shared, "/spec/validation/openAPIV3Schema"
		}
		all = append(all, version{v.textMember("name"), v, schema, at})
	}
	if len(all) == 0 && shared != nil {
		all = append(all, version{spec.textMember("version"), shared, shared, "/spec/validation/openAPIV3Schema"})
	}
	return all
}

func (p definitions) writeVersion(spec *value, v version, level int) {
	p.setPlace(v.value, v.pointer)
	p.w.Heading(level, build.TextInline(v.name), v.name)
	if group := spec.textMember("group"); group != "" && v.name != "" {
		p.w.Paragraph("API version: " + build.CodeInline(group+"/"+v.name))
	}
	if v.value.getMember("deprecated").isTrue() {
		p.w.Paragraph(joinTexts("Deprecated.", tableCell(v.value.textMember("deprecationWarning"))))
	}
	if served := v.value.getMember("served"); served != nil && !served.isTrue() {
		p.w.Paragraph("It is not served.")
	}
	p.writeProse(v.schema.getMember("description"), level, v.pointer+"/description")
	for _, column := range v.value.getMember("additionalPrinterColumns").listItems() {
		if text := column.textMember("description"); text != "" {
			p.setPlace(column, "")
			p.w.Open(build.Bullet)
			p.w.Paragraph("Column " + build.CodeInline(column.textMember("name")) + ": " + tableCell(text))
			p.w.Close()
		}
	}
	p.writeSettings(v.schema, "", v.pointer, level+1, nil)
}
