package rst

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/ingest/parse/rst/objects"
	"docent/pipeline/text/pattern"
)

// pythonScope is where names of Python are read: in a module, in classes.
type pythonScope struct {
	moduleName string
	classes    []string
	program    string
}

// objectReader reads the descriptions of objects: modules, functions, classes, options.
type objectReader struct{ *reader }

func (x *reader) objectReader() objectReader { return objectReader{x} }

// endSection forgets what holds up to the next section.
func (r objectReader) endSection(int) {}

// module reads directives that say of which module or program the next ones speak.
func (r objectReader) module(b *run, n *node, c call, all view) bool {
	switch c.name {
	case "module", "currentmodule":
		r.moduleName = c.argument()
		if c.name == "module" {
			if s, ok := c.option("synopsis"); ok {
				r.page.about = append(r.page.about, c.argument()+": "+s)
			}
			n.kind, n.ids = target, []string{"module-" + r.moduleName}
			b.out = append(b.out, n)
			b.out = append(b.out, r.blocks(c.content, false)...)
		}
		if r.moduleName == "None" {
			r.moduleName = ""
		}
	case "program":
		r.program = strings.Join(strings.Fields(c.argument()), "-")
	default:
		return false
	}
	return true
}

// describe reads the description of an object: a function, a setting, an option.
func (r objectReader) describe(b *run, n *node, c call, all view) bool {
	if !isObject(c) || isStyle(c) {
		return false
	}
	n.kind, n.name, n.args = object, c.name, objects.Signatures(c.args)
	if c.name == "setting" || c.name == "templatetag" || c.name == "templatefilter" || c.name == "fieldlookup" || len(n.args) == 0 &&
		c.content.trimBlank().lineCount() > 0 {
		n.args = objects.Signatures([]string{c.argument()})
	}
	if len(n.args) == 0 { // it describes what the page is about
		b.out = append(b.out, r.optionFields(c)...)
		b.out = append(b.out, r.blocks(c.content, false)...)
		return true
	}
	scoped := c.domain == "py" || c.domain == "js" || c.domain == "" && objects.IsPython(c.name)
	name := ""
	for _, s := range n.args {
		full, id := r.objectName(c, s, scoped)
		if name == "" {
			name = full
		}
		n.ids = append(n.ids, id)
	}
	class := scoped && (c.name == "class" || c.name == "exception")
	if class {
		local := name
		if r.moduleName != "" {
			local = strings.TrimPrefix(name, r.moduleName+".")
		}
		r.classes = append(r.classes, local)
	}
	if !crossReference(c) || isOfProject(c) {
		n.kids = append(r.optionFields(c), r.blocks(c.content, false)...)
	}
	if isOfProject(c) {
		r.nameAlone(n)
	}
	if class {
		r.classes = r.classes[:len(r.classes)-1]
	}
	b.out = append(b.out, n)
	return true
}

// optionFields are the options of an object that Sphinx shows with it, as fields: the type and
// the default of a setting, the value of a constant. Those of a project's own domain all say
// something of the object, but for those that every object has.
func (r objectReader) optionFields(c call) []*node {
	if isOfProject(c) {
		return r.ownFields(c)
	}
	var out []*node
	for _, o := range []struct{ option, label string }{{"type", "Type"}, {"default", "Default"}, {"value", "Value"}} {
		if v, ok := c.option(o.option); ok && v != "" {
			says := &node{kind: paragraph, line: c.lines[o.option], still: r.at > 0, text: v}
			out = append(out, &node{kind: field, line: says.line, still: says.still, name: o.label, kids: []*node{says}})
		}
	}
	return out
}

// ownFields are the options of an object of a project's own domain, in the order of the source.
func (r objectReader) ownFields(c call) []*node {
	var out []*node
	for _, name := range slices.SortedFunc(maps.Keys(c.options), func(a, b string) int { return cmp.Compare(c.lines[a], c.lines[b]) }) {
		switch name {
		case "noindex", "no-index", "noindexentry", "no-index-entry", "nocontentsentry", "no-contents-entry", "no-typesetting", "class",
			"name", "module", "canonical", "annotation":
			continue
		}
		says := &node{kind: paragraph, line: c.lines[name], still: r.at > 0, text: cmp.Or(c.options[name], "yes")}
		label := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
		out = append(out, &node{kind: field, line: says.line, still: says.still, name: label, kids: []*node{says}})
	}
	return out
}

// crossReference reports whether a directive only names a place, as those do that Sphinx
// makes with add_crossref_type.
func crossReference(c call) bool {
	return c.content.trimBlank().lineCount() == 0 && !c.hasOption("type", "default", "value")
}

// isObject reports whether a directive describes an object. Names with a domain do unless
// they are known otherwise: "c:function", "js:class", and those of extensions.
func isObject(c call) bool {
	switch c.name {
	case "function", "class", "method", "attribute", "data", "exception", "classmethod", "staticmethod", "property", "decorator",
		"decoratormethod", "abstractmethod", "coroutinefunction", "coroutinemethod", "awaitablefunction", "awaitablemethod",
		"setting", "option", "cmdoption", "django-admin", "django-admin-option", "confval", "templatetag", "templatefilter", "fieldlookup",
		"envvar", "describe", "object", "opcode", "pdbcommand", "2to3fixer", "macro", "struct", "enum", "enumerator", "union", "type",
		"member", "var", "concept", "alias", "cfunction", "cmember", "cmacro", "ctype", "cvar", "directive", "role", "command", "variable",
		"event", "signal", "rst-directive", "globalvar", "token", "field", "enum-class", "namespace-object", "typealias",
		"monitoring-event",
		"autofunction", "autoclass", "automethod", "autodata", "autoattribute", "autoexception", "autoproperty", "ansval", "fixture",
		"hook",
		"hookspec", "interface", "signature", "http:get", "http:post", "get", "post", "put", "delete", "patch", "settings", "reqmeta",
		"skill", "plugin",
		"bro:id", "topic-object", "toctree-object", "console-object", "config", "parameter", "key", "tag", "user", "versionfield",
		"keyword", "genex", "diagnostic":
		if c.name == "role" && c.domain == "" {
			return false
		}
		return true
	}
	return c.domain != "" && !silent(c.name) && c.name != "module" && c.name != "currentmodule"
}

// isOfProject reports whether a directive is of a domain that a project defines itself, and not of
// one that Sphinx or a well-known extension has.
func isOfProject(c call) bool {
	switch c.domain {
	case "", "c", "cpp", "js", "py", "rst", "php", "rb", "go", "http", "std", "ruby", "lua", "dn", "java", "cmake", "chpl", "sh", "yaml":
		return false
	}
	return true
}

// setDefaultDomain gives a directive without a domain the one that the page or the project names
// for such, where that has a directive of the name.
func (r objectReader) setDefaultDomain(c *call) {
	if c.domain != "" {
		return
	}
	switch c.name {
	case "function", "member", "var", "type", "macro", "struct", "union", "enum", "enumerator", "concept", "alias", "class", "method",
		"data", "attribute":
	default:
		return
	}
	domain := r.page.defaultDomain()
	switch c.name {
	case "method", "data", "attribute":
		if domain != "js" {
			return
		}
	case "function":
	case "class": // the directive of docutils gives a class of styles
		if domain == "c" || isStyle(*c) {
			return
		}
	default:
		if domain == "js" {
			return
		}
	}
	if domain == "c" || domain == "cpp" || domain == "js" {
		c.domain = domain
	}
}

var className = pattern.Lazy(`^[\p{L}_][\p{L}\d_.]*\s*(?:[(\[].*)?$`)

// isStyle reports whether a directive is that of docutils which gives a class of styles, and not
// Python's: such names have hyphens, or are several.
func isStyle(c call) bool {
	return c.name == "class" && c.domain == "" && len(c.args) == 1 && !className().MatchString(strings.TrimSpace(c.args[0]))
}

// objectName is the whole name of an object and the id that Sphinx gives it. The names of scoped objects begin with
// their module and class: those of Python and JavaScript.
func (r objectReader) objectName(c call, text string, scoped bool) (name, id string) {
	if scoped {
		name, _, _ = strings.Cut(text, "(")
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		name, _, _ = strings.Cut(strings.TrimSuffix(name, ":"), "[")
		if n := len(r.classes); n > 0 && !strings.HasPrefix(name, r.classes[n-1]+".") {
			name = r.classes[n-1] + "." + name
		}
		if m, ok := c.option("module"); ok {
			name = m + "." + name
		} else if r.moduleName != "" && !strings.HasPrefix(name, r.moduleName+".") {
			name = r.moduleName + "." + name
		}
		return name, inline.ObjectID(name)
	}
	first, _, _ := strings.Cut(text, " ")
	if isOfProject(c) {
		first = objects.OwnName(text)
		return first, inline.ObjectID(c.domain + "-" + c.name + "-" + first)
	}
	switch c.name {
	case "option", "cmdoption", "django-admin-option":
		first, _, _ = strings.Cut(first, "=")
		first, _, _ = strings.Cut(strings.TrimSuffix(first, ","), "[")
		return first, inline.ObjectID("cmdoption-" + strings.TrimPrefix(r.program+"-"+strings.TrimLeft(first, "-/+"), "-"))
	case "setting", "templatetag", "templatefilter", "fieldlookup":
		// Sphinx writes "std-" before it where the project's configuration makes the
		// directive by add_crossref_type, and not by add_object_type.
		return text, inline.ObjectID(c.name + "-" + text)
	case "django-admin":
		r.program = "django-admin-" + first
		return first, inline.ObjectID("django-admin-" + first)
	case "cfunction", "cmacro", "ctype", "cvar", "macro", "struct", "enum", "union", "type", "member", "var":
		return objects.NameInC(text), inline.ObjectID("c." + objects.NameInC(text))
	}
	if c.domain == "c" || c.domain == "cpp" {
		return objects.NameInC(text), inline.ObjectID(c.domain + "." + objects.NameInC(text))
	}
	if i := strings.IndexByte(first, '('); i > 0 {
		first = first[:i]
	}
	if c.name == "describe" || c.name == "object" {
		return first, ""
	}
	if c.domain != "" && c.domain != "std" {
		return first, inline.ObjectID(c.domain + "-" + c.name + "-" + first)
	}
	return first, inline.ObjectID(c.name + "-" + first)
}

// nameAlone leaves the name of an object of a project's own domain where its signature has other
// words around it. The whole signature stands below it, and what follows the name is the type and
// the default where it begins as a type does.
func (r objectReader) nameAlone(n *node) {
	if len(n.args) != 1 {
		return
	}
	whole := n.args[0]
	name := objects.OwnName(whole)
	before, behind, _ := strings.Cut(whole, name)
	if before == "" {
		return
	}
	says := func(text string) *node { return &node{kind: paragraph, line: n.line, still: r.at > 0, text: text} }
	field := func(name, value string) *node {
		return &node{kind: field, line: n.line, still: r.at > 0, name: name, kids: []*node{says("``" + value + "``")}}
	}
	kids := []*node{says("``" + whole + "``")}
	if typ, value, _ := strings.Cut(strings.TrimSpace(behind), " "); objects.IsTypeWord(typ) {
		kids = append(kids, field("Type", typ))
		if value = strings.TrimSpace(value); value != "" {
			kids = append(kids, field("Default", value))
		}
	}
	n.args, n.kids = []string{name}, append(kids, n.kids...)
}
