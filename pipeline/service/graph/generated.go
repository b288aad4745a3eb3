package graph

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/text/pattern"
)

// hugoSite is what the folder of a site of Hugo says of pages that it makes.
type hugoSite struct {
	terms   []string        // the first folders of pages of terms
	layouts map[string]bool // the kinds of pages that have templates of their own
}

// hugoTerm is a taxonomy in a configuration: tag = "tags".
var hugoTerm = pattern.Lazy(`(?m)^\s+["']?[\w-]+["']?\s*[=:]\s*["']?([\w-]+)["']?\s*$`)

// taxonomies is where they stand in a configuration.
var taxonomies = pattern.Lazy(`(?m)^(?:\[taxonomies\]|taxonomies\s*:).*\n((?:[ \t]*["']?[\w-]+["']?[ \t]*[=:].*\n?)*)`)

// readHugoSite reads the taxonomies of a site, tags and categories where the configuration names none, and the
// names of its folders of templates. A folder without a configuration of Hugo's has none.
func readHugoSite(root string) hugoSite {
	out := hugoSite{terms: []string{"tags", "categories"}, layouts: map[string]bool{}}
	found := false
	for _, dir := range foldersAbove(root) {
		for _, name := range ingest.HugoFiles() {
			raw, _ := files.ReadLinked(filepath.Join(dir, filepath.FromSlash(name)), mostSite) // a site without it has the usual ones
			found = found || strings.Contains(string(raw), "baseURL")
			if m := taxonomies().FindSubmatch(raw); m != nil {
				for _, term := range hugoTerm().FindAllSubmatch(append([]byte("\n "), m[1]...), -1) {
					out.terms = append(out.terms, strings.ToLower(string(term[1])))
				}
			}
		}
		entries, _ := os.ReadDir(filepath.Join(dir, "layouts")) // a site without it has the templates of its theme
		for _, e := range entries {
			if e.IsDir() {
				out.layouts[e.Name()] = true
			}
		}
	}
	if !found {
		return hugoSite{}
	}
	return out
}

// isTerm reports whether an address is that of a page which Hugo makes of a term: /tags/wicks/.
func (h hugoSite) isTerm(target string) bool {
	parts := strings.Split(strings.Trim(strings.ToLower(plain(target)), "/"), "/")
	for i, part := range parts[:min(2, len(parts))] { // the language of a page may stand in front
		if slices.Contains(h.terms, part) && strings.HasPrefix(target, "/") && (i == 0 || len(parts[0]) == 2) {
			return true
		}
	}
	return false
}

// hasTemplateFor reports whether a link leads to the first page of a folder, for which the site has templates of
// its own: these show more than the page's source, such as a list of data.
func (h hugoSite) hasTemplateFor(b references.Broken) bool {
	target := strings.Trim(plain(b.Target), "/")
	return strings.HasPrefix(b.Target, "/") && !strings.Contains(target, "/") && h.layouts[target] ||
		strings.HasPrefix(b.Target, "#") && strings.HasPrefix(path.Base(b.Path), "_index.") && h.layouts[path.Base(path.Dir(b.Path))]
}

// mostMetadata is how many folders above a page of Quarto are looked at for metadata of their pages.
const mostMetadata = 8

// isFiltered reports whether a folder of Quarto's pages names a filter for them: a program in Lua that changes the
// pages of this folder when they are made.
func (s *site) isFiltered(b references.Broken) bool {
	for _, name := range append(references.LinkedFiles(b.Path, plain(b.Target)), b.Path) {
		if name == b.Path && !strings.HasPrefix(b.Target, "#") {
			continue
		}
		dir := path.Dir(name)
		for range mostMetadata {
			var about struct{ Filters yaml.Node }
			raw, err := files.ReadLinked(filepath.Join(s.root, filepath.FromSlash(dir), "_metadata.yml"), mostSite)
			if err == nil && yaml.Unmarshal(raw, &about) == nil && about.Filters.Kind != 0 {
				return true
			}
			if dir == "." || dir == "/" {
				break
			}
			dir = path.Dir(dir)
		}
	}
	return false
}

// redirectPlugin notes the pages that MkDocs' plugin of redirects sends on: its map stands in the configuration, or
// in the one that this inherits from.
func (s *site) redirectPlugin(dir string) {
	for _, name := range []string{"mkdocs.yml", "mkdocs.yaml"} {
		for range 2 {
			raw, err := files.ReadLinked(filepath.Join(dir, filepath.FromSlash(name)), mostSite)
			if err != nil {
				break
			}
			var c struct {
				Inherit string `yaml:"INHERIT"`
				Plugins yaml.Node
			}
			_ = yaml.Unmarshal(raw, &c) // a tag of Python alone is not legible, and the rest is
			s.redirectMaps(&c.Plugins)
			if name = c.Inherit; name == "" || path.IsAbs(name) || strings.Contains(name, "..") {
				break
			}
		}
	}
}

// redirectMaps finds the maps of redirects in the plugins of a configuration, a list or a map.
func (s *site) redirectMaps(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == "redirect_maps" {
				var maps map[string]string
				if n.Content[i+1].Decode(&maps) == nil {
					for from := range maps {
						from = strings.TrimSuffix(from, path.Ext(from))
						s.redirect("/" + strings.TrimSuffix(strings.TrimSuffix(from, "/index"), "/README"))
					}
				}
			}
		}
	}
	for _, c := range n.Content {
		s.redirectMaps(c)
	}
}
