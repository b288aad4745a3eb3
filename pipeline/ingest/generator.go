package ingest

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// maker is how a program that makes web sites is known: by its configuration.
type maker struct {
	files []string // in the folder of the site, with slashes
	// of is the generator by the configuration, Unknown where that changes the anchors of headings
	// or the folder is not one of its pages.
	of func(text, inside string) doc.Generator
}

// always is a generator whose configuration says nothing of anchors.
func always(g doc.Generator) func(string, string) doc.Generator {
	return func(string, string) doc.Generator { return g }
}

// ownSlugs are words of a configuration that gives headings other anchors than the program does by itself.
var ownSlugs = pattern.Lazy(`(?i)slugify|autoHeadingID|anchorLineNumbers|rehype-slug|auto_id|permalink_anchor|getHeadingId`)

var makers = []maker{
	{[]string{"mkdocs.yml", "mkdocs.yaml"}, func(text, inside string) doc.Generator {
		_, ok := folderBelow(inside, cmp.Or(yamlValue(text, "docs_dir"), "docs"))
		return known(doc.MkDocs, ok || inside == "")
	}},
	{[]string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs"}, always(doc.Docusaurus)},
	{[]string{".vitepress/config.ts", ".vitepress/config.mts", ".vitepress/config.js", ".vitepress/config.mjs", ".vuepress/config.js",
		".vuepress/config.ts", ".vuepress/config.mjs"}, always(doc.VitePress)},
	{[]string{"book.toml"}, func(text, inside string) doc.Generator {
		src := "src"
		if m := bookSource().FindStringSubmatch(text); m != nil {
			src = m[1]
		}
		_, ok := folderBelow(inside, src)
		return known(doc.MdBook, ok || inside == "")
	}},
	{[]string{"hugo.toml", "hugo.yaml", "hugo.yml", "config/_default/hugo.toml", "config/_default/hugo.yaml"}, always(doc.Hugo)},
	{[]string{"config.toml", "config.yaml", "config.yml", "config/_default/config.toml"}, func(text, _ string) doc.Generator {
		return known(doc.Hugo, strings.Contains(text, "baseURL"))
	}},
	{[]string{"astro.config.mjs", "astro.config.ts", "astro.config.js"}, always(doc.Astro)},
	{[]string{"_quarto.yml", "_bookdown.yml"}, always(doc.Pandoc)},
	{[]string{"conf.py", "source/conf.py"}, always(doc.Sphinx)},
	{[]string{"_config.yml"}, readJekyll},
}

// bookSource is where a book's configuration says that its pages lie.
var bookSource = pattern.Lazy(`(?m)^\s*src\s*=\s*["']([^"']+)["']`)

// known is a generator where a condition holds.
func known(g doc.Generator, holds bool) doc.Generator {
	if holds {
		return g
	}
	return doc.NoGenerator
}

// jekyllMarkdown is another reader of Markdown than the usual one; kramdownInput the usual one with
// kramdown's own rules.
var (
	jekyllMarkdown = pattern.Lazy(`(?m)^markdown\s*:\s*["']?(\w+)`)
	kramdownInput  = pattern.Lazy(`(?m)^\s+input\s*:\s*["']?kramdown\b`)
)

func readJekyll(text, _ string) doc.Generator {
	m := jekyllMarkdown().FindStringSubmatch(text)
	switch {
	case m != nil && !strings.EqualFold(m[1], "kramdown"):
		return doc.NoGenerator
	case kramdownInput().MatchString(text):
		return doc.Kramdown
	}
	return doc.Jekyll
}

// FindGenerator finds the program that makes the web site of a folder of pages, by its configuration
// there or in the folders above: the nearest decides. It is NoGenerator without one, and with one that gives
// headings other anchors than the program does by itself.
func FindGenerator(root string) doc.Generator {
	g, _ := findMaker(root)
	return g
}

// HasSiteConfiguration reports whether a folder of pages, or one above, has the configuration of a program that
// makes web sites.
func HasSiteConfiguration(root string) bool {
	_, ok := findMaker(root)
	return ok
}

func findMaker(root string) (g doc.Generator, found bool) {
	dir, inside := root, ""
	for range mostParents + 1 {
		for _, m := range makers {
			for _, name := range m.files {
				text, ok := readConfig(filepath.Join(dir, filepath.FromSlash(name)))
				if !ok {
					continue
				}
				if g := m.of(text, inside); g != doc.NoGenerator && !ownSlugs().MatchString(text) {
					return g, true
				}
				return doc.NoGenerator, true
			}
		}
		up := filepath.Dir(dir)
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || up == dir {
			break
		}
		dir, inside = up, path.Join(filepath.Base(dir), inside)
	}
	return doc.NoGenerator, false
}
