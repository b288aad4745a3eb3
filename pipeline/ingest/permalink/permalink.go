// Package permalink computes the paths that Jekyll gives pages on a web site: from the site's
// configuration, from the keys at the top of a page, and from the path of the page's file. A file of a
// collection is often published elsewhere than it lies, and links name the place where it is published.
//
// It refuses to read files. Where the rules leave a path open, it gives none.
//
// Terms: a template is a path with placeholders, such as /:collection/:path:output_ext. The rules are
// those of https://jekyllrb.com/docs/permalinks/ and https://jekyllrb.com/docs/configuration/front-matter-defaults/.
package permalink

import (
	"bytes"
	"errors"
	"path"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// ConfigFile is the name of Jekyll's configuration, in the folder of the site.
const ConfigFile = "_config.yml"

// mostMatter is how many bytes of a page are read for its keys.
const mostMatter = 64 << 10

// Rules are what a site's configuration says of paths. They are immutable.
type Rules struct {
	template    string // of the site, which is that of posts; "": Jekyll's own
	collections map[string]collection
	folder      string // that collections lie in, with a slash behind it; "": the site's own
	defaults    []scope
}

type collection struct {
	template string // "": the site's
	hidden   bool   // it makes no pages
}

// scope has the template of the pages below a path, or of one type.
type scope struct{ path, kind, template string }

// matter are the keys of a page that decide its path.
type matter struct {
	Permalink, Slug, Category string
	Categories                yaml.Node
}

// ReadRules reads a configuration.
func ReadRules(config []byte) (*Rules, error) {
	var c struct {
		Permalink      string
		Collections    yaml.Node
		CollectionsDir string `yaml:"collections_dir"`
		Defaults       []struct {
			Scope  struct{ Path, Type string }
			Values struct{ Permalink string }
		}
	}
	if err := decode(config, &c); err != nil {
		return nil, err
	}
	r := &Rules{template: c.Permalink, collections: map[string]collection{}}
	if dir := strings.Trim(c.CollectionsDir, "/"); dir != "" {
		r.folder = dir + "/"
	}
	var named map[string]struct {
		Output    bool
		Permalink string
	}
	var listed []string
	switch c.Collections.Kind {
	case yaml.MappingNode:
		if err := ignoreTypes(c.Collections.Decode(&named)); err != nil {
			return nil, err
		}
		for name, k := range named {
			r.collections[name] = collection{k.Permalink, !k.Output && name != "posts"}
		}
	case yaml.SequenceNode:
		if err := ignoreTypes(c.Collections.Decode(&listed)); err != nil {
			return nil, err
		}
		for _, name := range listed {
			r.collections[name] = collection{hidden: true} // without "output" a collection makes no pages
		}
	}
	for _, d := range c.Defaults {
		if d.Values.Permalink != "" {
			r.defaults = append(r.defaults, scope{strings.Trim(d.Scope.Path, "/"), d.Scope.Type, d.Values.Permalink})
		}
	}
	return r, nil
}

// decode decodes YAML. A value of another type than the one that is expected counts as missing.
func decode(raw []byte, to any) error { return ignoreTypes(yaml.Unmarshal(raw, to)) }

func ignoreTypes(err error) error {
	var types *yaml.TypeError
	if errors.As(err, &types) {
		return nil
	}
	return err
}

// file is what a page's file says of its path.
type file struct {
	path       string // in the folder of the site
	kind       string // "pages", "posts" or the name of a collection
	inside     string // the path in the folder of its kind, without its ending
	categories []string
	date       [3]string // of a post: year, month, day
}

var (
	dated   = regexp.MustCompile(`^(\d{4})-(\d\d?)-(\d\d?)-(.+)$`)
	unnamed = regexp.MustCompile(`:[a-z]`)
)

// Place is the path of a page on the site, from a slash on, by the path of its file and its source. It is ""
// for a page that has the path of its file, for a file that makes no page, and where the path is not known.
func (r *Rules) Place(name string, source []byte) string {
	f, ok := r.classify(name)
	if !ok {
		return ""
	}
	m := readMatter(source)
	template := m.Permalink
	if template == "" {
		template = r.defaultOf(f)
	}
	if template == "" {
		template = r.templateOf(f)
	}
	if template == "" {
		return ""
	}
	place := f.fillTemplate(template, m)
	if unnamed.MatchString(place) {
		return ""
	}
	slash := strings.HasSuffix(place, "/")
	if place = path.Clean("/" + place); slash && place != "/" {
		place += "/"
	}
	return place
}

// classify finds the kind of a file; false for one that makes no page.
func (r *Rules) classify(name string) (file, bool) {
	f := file{path: name, kind: "pages", inside: strings.TrimSuffix(name, path.Ext(name))}
	parts := strings.Split(strings.TrimPrefix(f.inside, r.folder), "/")
	for i, part := range parts[:len(parts)-1] {
		label, marked := strings.CutPrefix(part, "_")
		if !marked {
			continue
		}
		f.inside = strings.Join(parts[i+1:], "/")
		if label == "posts" {
			m := dated.FindStringSubmatch(path.Base(f.inside))
			if m == nil {
				return f, false
			}
			f.kind, f.categories, f.date = "posts", parts[:i], [3]string{m[1], m[2], m[3]}
			f.inside = path.Join(path.Dir(f.inside), m[4])
			return f, true
		}
		known, ok := r.collections[label]
		f.kind = label
		return f, ok && i == 0 && !known.hidden
	}
	return f, true
}

// defaultOf is the template that the configuration gives the pages of a folder or type: that of the longest
// path, and of several the last.
func (r *Rules) defaultOf(f file) string {
	best, length := "", -1
	for _, s := range r.defaults {
		if s.kind != "" && s.kind != f.kind || len(s.path) < length {
			continue
		}
		inside := s.path == "" || f.path == s.path || strings.HasPrefix(f.path, s.path+"/") ||
			strings.HasPrefix(f.path, r.folder+s.path+"/")
		if !inside && strings.Contains(s.path, "*") {
			for dir := path.Dir(f.path); dir != "." && !inside; dir = path.Dir(dir) {
				inside, _ = path.Match(s.path, dir)
			}
		}
		if inside {
			best, length = s.template, len(s.path)
		}
	}
	return best
}

// templateOf is the template of a file by its kind alone, "" where it has the path of the file.
func (r *Rules) templateOf(f file) string {
	switch f.kind {
	case "posts":
		if own := r.collections["posts"].template; own != "" {
			return own
		}
		return styles(r.template)
	case "pages":
		if strings.HasSuffix(styles(r.template), "/") && path.Base(f.inside) != "index" {
			return "/:path/:basename/"
		}
		return ""
	}
	if own := r.collections[f.kind].template; own != "" {
		return own
	}
	if strings.HasSuffix(styles(r.template), "/") {
		return "/:collection/:path/"
	}
	return "/:collection/:path:output_ext"
}

// styles puts a template in the place of the name of one.
func styles(name string) string {
	const day = "/:categories/:year/:month/:day/:title"
	switch name {
	case "", "date":
		return day + ":output_ext"
	case "pretty":
		return day + "/"
	case "ordinal":
		return "/:categories/:year/:y_day/:title:output_ext"
	case "weekdate":
		return "/:categories/:year/W:week/:short_day/:title:output_ext"
	case "none":
		return "/:categories/:title:output_ext"
	}
	return name
}

// fillTemplate puts values in the places of a template.
func (f file) fillTemplate(template string, m matter) string {
	base := path.Base(f.inside)
	title := m.Slug
	if title == "" {
		title = base
	}
	inside := f.inside
	if f.kind == "pages" {
		inside = strings.TrimPrefix(path.Dir(f.inside), ".")
	}
	return strings.NewReplacer(
		":categories", strings.Join(m.categories(f.categories), "/"), ":collection", f.kind, ":output_ext", ".html",
		":basename", base, ":title", makeSlug(title, signsOfTitle), ":slug", makeSlug(title, ""),
		":name", makeSlug(base, ""), ":path", inside,
		":short_year", f.date[0][max(0, len(f.date[0])-2):], ":year", f.date[0],
		":i_month", strings.TrimLeft(f.date[1], "0"), ":month", f.date[1],
		":i_day", strings.TrimLeft(f.date[2], "0"), ":day", f.date[2]).Replace(template)
}

// categories are those of a page, behind the folders that a post lies in.
func (m matter) categories(folders []string) []string {
	out := append([]string{}, folders...)
	var many []string
	var one string
	if m.Categories.Decode(&many) != nil && m.Categories.Decode(&one) == nil {
		many = strings.Fields(one)
	}
	if m.Category != "" {
		many = append([]string{m.Category}, many...)
	}
	for _, name := range many {
		out = append(out, makeSlug(name, signsOfTitle))
	}
	return out
}

// signsOfTitle are the signs that stay in the title of a path.
const signsOfTitle = "._~!$&'()+,;=@"

// makeSlug is a text with dashes for the signs that a path does not have; in small letters where it keeps none of them.
func makeSlug(text, keep string) string {
	if keep == "" {
		text = strings.ToLower(text)
	}
	var out strings.Builder
	for _, c := range text {
		switch {
		case c > 127 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.ContainsRune(keep, c):
			out.WriteRune(c)
		case out.Len() > 0 && !strings.HasSuffix(out.String(), "-"):
			out.WriteByte('-')
		}
	}
	return strings.Trim(out.String(), "-")
}

// readMatter reads the keys at the top of a page.
func readMatter(source []byte) (m matter) {
	source = bytes.TrimPrefix(source[:min(len(source), mostMatter)], []byte("\xef\xbb\xbf"))
	first, rest, _ := bytes.Cut(source, []byte("\n"))
	if string(bytes.TrimRight(first, " \r")) != "---" {
		return m
	}
	end := bytes.Index(rest, []byte("\n---"))
	if end < 0 || decode(rest[:end], &m) != nil {
		return matter{} // it is not legible, and says nothing
	}
	return m
}
