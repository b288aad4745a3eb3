package mediawiki

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
)

// fileOf is the address of a page: its file in the doc set, relative to this page's; "" where the
// doc set has no such page.
func (p *page) fileOf(target string) string {
	name, section, _ := strings.Cut(target, "#")
	if section != "" {
		section = "#" + strings.Join(strings.Fields(section), "_")
	}
	name = strings.TrimSpace(name)
	if name == "" {
		return section
	}
	if !p.surveyed && p.opt.Survey != nil {
		p.names, _ = p.opt.Survey("pages of a wiki", filesOfPages).(map[string]string)
	}
	p.surveyed = true
	tries := []string{path.Join(path.Dir(p.opt.Path), name), name}
	if strings.HasPrefix(name, "/") { // a page below this one
		tries = []string{path.Join(strings.TrimSuffix(p.opt.Path, path.Ext(p.opt.Path)), name)}
	}
	for _, n := range tries {
		if file := p.names[pageKey(n)]; file != "" {
			return build.RelativePath(p.opt.Path, file) + section
		}
	}
	return ""
}

// filesOfPages are the files of a wiki by the names of their pages.
func filesOfPages(files parse.Files) any {
	all := map[string]string{}
	for _, ending := range []string{".wiki", ".wikitext", ".mediawiki"} {
		for _, f := range files.List(ending) {
			name := strings.TrimSuffix(f, path.Ext(f))
			for _, key := range []string{pageKey(path.Base(name)), pageKey(name)} {
				all[key] = f
			}
			all[pageKey(f)] = f
		}
	}
	return all
}

// pageKey is a page's name as all its spellings have it.
func pageKey(name string) string {
	return strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(strings.Trim(name, "/ ")))
}
