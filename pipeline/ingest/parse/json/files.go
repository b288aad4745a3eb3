package json

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// Bounds of the other files of a document.
const (
	// maxOtherBytes is the size of all other files together, in bytes: values of YAML
	// take some 30 bytes of memory a byte.
	maxOtherBytes = maxYAML
	// maxRefusals is the most files that a document's warnings name.
	maxRefusals = 5
)

// others are the files that a document refers to. A large description of an interface is
// often written in thousands of small files.
type others struct {
	open    func(path string) ([]byte, error) // nil: the document is read alone
	self    string                            // the path of the document
	files   map[string]*value                 // by path; nil: cannot be read
	bytes   int
	refused int
	schemas []namedSchema   // of other files, in the order in which they were met
	names   map[string]bool // that schemas have
}

// namedSchema is a schema of another file, which has a section of the document.
type namedSchema struct {
	name  string
	value *value
}

// nameOther gives a schema of another file a name and so a section of its own, where it
// has properties or parts: the same few are the answers of all operations.
func (p *page) nameOther(ref string, to *value) {
	if ref == "" || ref[0] == '#' || p.schemas == nil || p.schemas[to] != "" || strings.Contains(ref, "://") {
		return
	}
	has := func(key string) bool { return to.getMember(key) != nil }
	if !has("properties") && !has("allOf") && !has("oneOf") && !has("anyOf") || to.textMember("$ref") != "" {
		return
	}
	if p.others.names == nil {
		p.others.names = map[string]bool{}
		for _, name := range p.schemas {
			p.others.names[name] = true
		}
	}
	base := path.Base(ref)
	base = strings.TrimSuffix(base, path.Ext(base))
	name := base
	for n := 2; p.others.names[name]; n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	p.others.names[name], p.schemas[to] = true, name
	p.others.schemas = append(p.others.schemas, namedSchema{name, to})
}

// otherSchemas writes the schemas of other files; more may come up on the way.
func (p *page) otherSchemas() {
	for i := 0; i < len(p.others.schemas) && p.isAlive(); i++ {
		s := p.others.schemas[i]
		p.w.At(p.placeOf(s.value, ""))
		p.w.Heading(3, build.TextInline(s.name), anchorOf(s.name))
		p.writeSchema(s.value, 3, "")
	}
}

// otherValue is the value that a reference to another file leads to, "file.yml#/pointer", or nil.
// Its lines are those of the value that leads to it, since places are in the document
// itself.
func (p *page) otherValue(ref string, from *value) *value {
	file, fragment, _ := strings.Cut(ref, "#")
	if p.others.open == nil || file == "" || strings.Contains(file, "://") {
		return nil
	}
	root, known := p.others.files[file]
	if !known {
		root = p.openOther(file, from)
		p.others.files[file] = root
	}
	if root == nil {
		return nil
	}
	if to := valueAt(root, fragment); to != nil {
		return to
	}
	// Programs that put files together read a pointer in any of them as one of the whole.
	return valueAt(p.root, fragment)
}

// openOther reads a file of the doc set; it warns where that fails.
func (p *page) openOther(file string, from *value) *value {
	refuse := func(why string) *value {
		if p.others.refused++; p.others.refused <= maxRefusals {
			p.w.Warn("line %d: it refers to %s: %s", from.line, file, why)
		}
		return nil
	}
	src, err := p.others.open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("no such file")
	case err != nil:
		return refuse(err.Error())
	}
	if p.others.bytes += len(src); p.others.bytes > maxOtherBytes {
		return refuse("the files that it refers to are too large together")
	}
	t, err := readDocument(src)
	if err != nil {
		return refuse(err.Error())
	}
	resolveReferences(t.value, file, p.others.self, from.line)
	return t.value
}

// resolveReferences makes the references of a file to files relative to the doc set, and
// those to itself name it. Of another file than the document, all values stand at a line
// of the document.
func resolveReferences(root *value, file, self string, line int) {
	root.walkValues(func(v *value) {
		if file != self {
			v.line = line
			for i := range v.members {
				v.members[i].line = line
			}
		}
		if i := slices.IndexFunc(v.members, func(m member) bool { return m.name == "$ref" && m.value.kind == text }); i >= 0 {
			ref := *v.members[i].value
			ref.text = resolvedReference(strings.TrimSpace(ref.text), file, self)
			v.members[i].value, v.index = &ref, nil
		}
	})
}

// resolvedReference is a reference as it is looked up: "#/pointer" within the document itself,
// "path/in/docset.yml#/pointer" into another file.
func resolvedReference(ref, file, self string) string {
	to, fragment, pointed := strings.Cut(ref, "#")
	if strings.Contains(to, "://") {
		return ref
	}
	if pointed {
		fragment = "#" + fragment
	}
	if to == "" {
		to = file
	} else {
		if plain, err := url.PathUnescape(to); err == nil {
			to = plain
		}
		to = path.Join(path.Dir(file), to)
	}
	if to == self {
		return fragment
	}
	return to + fragment
}
