package references

import (
	"html"
	"net/url"
	"path"
	"strings"

	"docent/pipeline/knowledge/graph"
	"docent/pipeline/knowledge/references/anchors"
	"docent/pipeline/text/pattern"
)

// LinkedFiles are the paths of files of the doc set that a link which leads to no page may
// mean, from a page: a picture, a sample, data.
func LinkedFiles(from, target string) []string {
	name := plainPath(target)
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	if name == "" || strings.Contains(name, ":") {
		return nil
	}
	below := strings.TrimPrefix(path.Clean("/"+name), "/")
	if strings.HasPrefix(name, "/") {
		if _, rest, ok := strings.Cut(below, "/"); ok {
			return []string{below, rest}
		}
		return []string{below}
	}
	var out []string
	for _, dir := range []string{path.Dir(from), strings.TrimSuffix(from, path.Ext(from))} {
		if p := path.Join(dir, name); p != ".." && !strings.HasPrefix(p, "../") && p != "." {
			out = append(out, p)
		}
	}
	return out
}

// entity is a letter that is written by its name or number in HTML: &egrave;
var entity = pattern.Lazy(`&#?[0-9A-Za-z]{2,30};`)

// withoutEntities is an address with letters in the place of their names, as a browser reads it.
func withoutEntities(target string) string {
	if strings.IndexByte(target, '&') < 0 {
		return target
	}
	return entity().ReplaceAllStringFunc(target, html.UnescapeString)
}

func plainPath(target string) string {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	return target
}

// mustBeHere reports whether a link that leads to no page should lead to one of the doc set,
// and not to another part of the site.
func (r *resolver) mustBeHere(p *Page, target string) bool {
	if label, ok := strings.CutPrefix(target, labelScheme); ok {
		// A project's name stands before a label of another one; three lists are made by
		// the program that makes the site.
		return !strings.Contains(label, ":") && label != "genindex" && label != "modindex" && label != "search"
	}
	u, err := url.Parse(target)
	if err != nil {
		if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
			return false // with a sign that no address has
		}
		u = &url.URL{Path: plainPath(target)}
	}
	switch {
	case u.Scheme != "" || u.Host != "":
		return r.site != "" && strings.HasPrefix(u.Scheme+"://"+u.Host+u.Path, r.site) && r.list.HasFolderOf(u)
	case strings.HasPrefix(u.Path, "/"):
		want := strings.ToLower(strings.TrimPrefix(u.Path, "/"))
		for root, n := range r.roots {
			if below, ok := strings.CutPrefix(want, root); ok && n > 2 && r.folders()[strings.Trim(path.Dir(path.Clean("/"+below)), "/")] {
				return true
			}
		}
		return false
	case p.URL != "" && r.site != "":
		base, err := url.Parse(p.URL)
		return err == nil && strings.HasPrefix(base.ResolveReference(u).String(), r.site)
	}
	return !strings.HasPrefix(path.Join(path.Dir(p.Path), u.Path), "..") || r.roots[""] > 2
}

// isMadeByHook reports whether a site may give a target a meaning when it is made: one letter or
// two, as Hugo's own documentation has them in [term](g); and a path without a file's ending that is one from
// the site's root without its slash: templates of Hugo and pages with a base address of their own take it from there.
func (r *resolver) isMadeByHook(target string) bool {
	if len(target) > 0 && len(target) <= 2 && strings.Trim(target, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return true
	}
	hugo := r.list.IsHugo()
	return !strings.HasPrefix(target, ".") && (hugo || path.Ext(plainPath(target)) == "") &&
		(r.list.Resolve("", "", "/"+target).Found || hugo && r.list.ResolveName(target).Found)
}

// mayBeMade reports whether an address is that of a page on the site, and not of a file, in a folder of which the
// doc set has no page: programs make such folders of code.
func (r *resolver) mayBeMade(p *Page, target string) bool {
	file := strings.TrimSuffix(plainPath(target), "/")
	switch path.Ext(file) {
	case ".html", ".htm", "":
	default:
		return false
	}
	if strings.HasPrefix(file, "/") || strings.Contains(file, ":") || !strings.Contains(file, "/") || path.Ext(p.Path) == ".html" {
		return false
	}
	for _, from := range []string{path.Dir(p.Path), strings.TrimSuffix(p.Path, path.Ext(p.Path)), ""} {
		dir := path.Dir(path.Join(from, file))
		if r.folders()[strings.ToLower(strings.TrimPrefix(dir, "."))] {
			return false
		}
	}
	return true
}

// takesFromOutside reports whether a page takes in the text of a file that is not in the doc set.
func (r *resolver) takesFromOutside(p *Page) bool {
	for _, file := range p.Includes {
		if strings.HasPrefix(path.Join(path.Dir(p.Path), file), "../") {
			return true
		}
	}
	return false
}

// isOutside reports whether a relative address leads out of the folder of the doc set, where there
// may be a file or, once the site is made, a page.
func isOutside(p *Page, target string) bool {
	file := plainPath(target)
	return p.URL == "" && !strings.HasPrefix(file, "/") && strings.HasPrefix(path.Join(path.Dir(p.Path), file), "..")
}

const labelScheme = anchors.LabelScheme

// findHome finds the page at the folder of the site in which the doc set lies.
func (r *resolver) findHome(target string) graph.Destination {
	root := strings.Trim(strings.ToLower(plainPath(target)), "/")
	if !strings.HasPrefix(target, "/") || r.roots[root+"/"] <= 2 {
		return graph.Destination{}
	}
	found := r.list.Resolve("", "", "/index")
	_, found.Anchor, _ = strings.Cut(target, "#")
	return found
}
