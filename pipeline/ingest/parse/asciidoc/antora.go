package asciidoc

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse"
)

// component is the component of Antora that a page belongs to: a folder with antora.yml,
// its modules, and in each the families of resources.
type component struct {
	open    func(string) ([]byte, error)
	root    string // its folder
	name    string
	module  string // of the page
	at      string // the folder of the page, relative to the pages of its module
	is      bool
	decides bool              // the page is one of the site, for which all attributes are known
	foreign map[string]string // folders of other components by name, "": there is none
	titles  map[string]string // of other pages, by their paths
}

// families are the folders of the families of resources.
var families = map[string]string{"page": "pages", "partial": "partials", "example": "examples", "attachment": "attachments",
	"image": "images"}

// ownAttributes are the attributes that Antora sets itself. By two of them includes name resources of
// their module: include::{partialsdir}/x.adoc[]. The others say where a page is shown.
var ownAttributes = map[string]string{"partialsdir": "partial$", "examplesdir": "example$",
	"env": "site", "env-site": "", "site-gen": "antora", "site-gen-antora": "", "safe-mode-safe": "",
	"backend": "html5", "backend-html5": "", "basebackend-html": "", "filetype-html": ""}

// maxDescription is the size of the largest antora.yml that is read, in bytes.
const maxDescription = 1 << 20

// componentOf finds the component of a page, and sets the attributes that it gives.
func componentOf(opt parse.Options, set map[string]string) *component {
	c := &component{open: opt.Open}
	if opt.Open == nil {
		return c
	}
	root, parts, src := describedRoot(opt)
	if len(parts) < 2 {
		return c
	}
	c.is, c.root, c.module, c.decides = true, root, parts[0], parts[1] == "pages"
	for name, value := range ownAttributes {
		set[name] = value
	}
	if parts[1] == "pages" && len(parts) > 3 {
		c.at = path.Join(parts[2 : len(parts)-1]...)
	}
	c.name = readDescription(src, set)
	return c
}

// describedRoot is the folder of the component that a page lies in, the parts of its path below the
// folder of modules, and the component's antora.yml. The families of a module may have a folder of
// that name too.
func describedRoot(opt parse.Options) (root string, parts []string, description []byte) {
	file := "/" + path.Clean(opt.Path)
	for at := 0; ; {
		i := strings.Index(file[at:], "/modules/")
		if i < 0 {
			return "", nil, nil
		}
		root = strings.Trim(file[:at+i], "/")
		if src, err := opt.Open(path.Join(root, "antora.yml")); err == nil {
			return root, strings.Split(file[at+i+len("/modules/"):], "/"), src
		}
		at += i + len("/modules")
	}
}

// readDescription reads antora.yml: the name of a component, and its attributes.
func readDescription(src []byte, set map[string]string) string {
	var about struct {
		Name     string `yaml:"name"`
		Title    string `yaml:"title"`
		Version  any    `yaml:"version"`
		Display  any    `yaml:"display_version"`
		AsciiDoc struct {
			Attributes map[string]any `yaml:"attributes"`
		} `yaml:"asciidoc"`
	}
	if len(src) > maxDescription || yaml.Unmarshal(src, &about) != nil {
		return ""
	}
	setDescribed(about.AsciiDoc.Attributes, func(name, value string) { set[name] = value })
	set["page-component-name"] = about.Name
	set["page-component-title"] = cmp.Or(about.Title, about.Name)
	if version := versionText(about.Version); version != "" {
		set["page-version"], set["page-component-version"] = version, version
		set["page-component-display-version"] = cmp.Or(versionText(about.Display), version)
	}
	return about.Name
}

// setDescribed sets attributes of a file of Antora; those that are false are none.
func setDescribed(attributes map[string]any, set func(name, value string)) {
	for name, value := range attributes {
		name = strings.ToLower(strings.TrimSuffix(name, "@"))
		switch v := value.(type) {
		case nil, bool:
			if v == true {
				set(name, "")
			}
		default:
			set(name, strings.TrimSuffix(fmt.Sprint(v), "@"))
		}
	}
}

// versionText is a version of antora.yml, which may be written as a number; "" where it is missing
// or asks for the name of the branch.
func versionText(v any) string {
	switch v.(type) {
	case string, int, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// resource is the path in the doc set of a resource by its id,
// "version@component:module:family$path"; false where the name is no such id. family is
// that of an id that names none; "" is for names that are paths then.
func (c *component) resource(id, family string) (string, bool) {
	if !c.is || id == "" || strings.Contains(id, "://") {
		return "", false
	}
	if _, rest, ok := strings.Cut(id, "@"); ok {
		id = rest
	}
	root, module := c.root, c.module
	parts := strings.SplitN(id, ":", 3)
	rest := parts[len(parts)-1]
	switch len(parts) {
	case 2:
		module = parts[0]
	case 3:
		if parts[0] != c.name && parts[0] != "" {
			other, ok := c.elsewhere(parts[0])
			if !ok {
				return "", false
			}
			root = other
		}
		if module = parts[1]; module == "" {
			module = "ROOT"
		}
	}
	named := len(parts) > 1
	if f, file, ok := strings.Cut(rest, "$"); ok {
		// An included file may have a path before the family, from where it once lay.
		if f = strings.TrimLeft(f, "./"); families[f] != "" {
			family, rest, named = f, file, true
		}
	}
	if family == "" {
		if !named {
			return "", false
		}
		family = "page"
	}
	if strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../") {
		rest = path.Join(c.at, rest)
	}
	return path.Join(root, "modules", module, families[family], rest), true
}

// olderPlace is where Antora 1 and 2 looked for a partial too: among the pages. It is "" for other files.
func olderPlace(file string) string {
	if before, rest, ok := strings.Cut(file, "/partials/"); ok {
		return before + "/pages/_partials/" + rest
	}
	return ""
}

// elsewhere is the folder of another component: next to this one.
func (c *component) elsewhere(name string) (string, bool) {
	if root, ok := c.foreign[name]; ok {
		return root, root != ""
	}
	if c.foreign == nil {
		c.foreign = map[string]string{}
	}
	for _, root := range slices.Compact([]string{path.Join(path.Dir(c.root), name), path.Join(c.root, name)}) {
		src, err := c.open(path.Join(root, "antora.yml"))
		if err == nil && readDescription(src, map[string]string{}) == name && len(c.foreign) < maxParts {
			c.foreign[name] = root
			return root, true
		}
	}
	c.foreign[name] = ""
	return "", false
}

// mostTitles is how many other pages a page may ask for their titles.
const mostTitles = 300

// titleOf is the title of the page that a cross reference without a text leads to, as
// Antora shows it; "" where that page is not in the doc set, or has none.
func (c *component) titleOf(to string) string {
	found, ok := c.resource(to, "page")
	if !ok || !strings.HasSuffix(found, ".adoc") {
		return ""
	}
	if title, ok := c.titles[found]; ok || len(c.titles) >= mostTitles {
		return title
	}
	if c.titles == nil {
		c.titles = map[string]string{}
	}
	src, err := c.open(found)
	if err != nil {
		src = nil
	}
	title := ""
	for l := range strings.Lines(string(src)) {
		if rest, ok := strings.CutPrefix(l, "= "); ok {
			title = strings.TrimSpace(rest)
			break
		}
		if strings.HasPrefix(l, "==") {
			break
		}
	}
	c.titles[found] = title
	return title
}

// pageTarget is where a cross reference to a page leads; of a page that no module has it
// is the target unchanged.
func (c *component) pageTarget(to string) string {
	file, id, anchored := strings.Cut(to, "#")
	found, ok := c.resource(file, "page")
	if !ok || !strings.HasSuffix(found, ".adoc") {
		return to
	}
	if anchored && id != "" {
		return "/" + found + "#" + id
	}
	return "/" + found
}
