package ingest

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// Bounds of looking for a site's configuration.
const (
	mostParents = 3       // folders above the doc set that are looked at
	mostConfig  = 1 << 20 // bytes of a configuration that are read
)

// FindSite finds the address below which a folder of pages lies on the web, as
// doc.PageURL takes it: the url_base in [repository] of a docent.toml there, or what
// the configuration of a site generator says. Files of the folders above count where
// they say that this folder holds their pages. A folder that a program which saves web
// sites named after their host is that. "" where nothing is found.
func FindSite(root string) string {
	dir, inside := root, ""
	for range mostParents + 1 {
		for _, g := range generators {
			for _, name := range g.files {
				text, ok := readConfig(filepath.Join(dir, filepath.FromSlash(name)))
				if !ok {
					continue
				}
				base := g.read(text, inside)
				if base != "" && doc.CheckURLBase(base) == nil {
					return base
				}
			}
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return "" // above a repository there is nothing about it
		}
		if savedFrom(dir) {
			return joinAddress("https://"+filepath.Base(dir), inside)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir, inside = up, path.Join(filepath.Base(dir), inside)
	}
	return ""
}

// hostName is a host's name as folders have it: of a general domain, or of a country's
// that is no ending of files (next.js, a.py).
var hostName = pattern.Lazy(`^(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|io|dev|app|cloud|[a-z]{2})$`)

var notHosts = pattern.Lazy(`\.(?:js|ts|py|rs|md|sh|rb|cs|so|ps|pl)$`)

// savedFrom reports whether a folder holds a web site as wget -m and the like save it: it
// is called like a host and has the site's first page or its rules for robots.
func savedFrom(dir string) bool {
	name := filepath.Base(dir)
	if !hostName().MatchString(name) || notHosts().MatchString(name) {
		return false
	}
	for _, file := range []string{"index.html", "robots.txt", "index.htm"} {
		if st, err := os.Stat(filepath.Join(dir, file)); err == nil && st.Mode().IsRegular() {
			return true
		}
	}
	return false
}

func readConfig(file string) (string, bool) {
	raw, err := files.ReadLinked(file, mostConfig)
	return string(raw), err == nil
}

// generator is a program that makes web sites of pages, and its configuration.
type generator struct {
	files []string // in the folder of the site, with slashes
	// read gives the address of a folder of the site, "" for one without pages or
	// without an address; inside is its path, "" for the site's own.
	read func(text, inside string) string
}

// HugoFiles are the names of Hugo's configuration in the folder of a site, with slashes.
func HugoFiles() []string {
	return []string{"hugo.toml", "hugo.yaml", "hugo.yml", "config.toml", "config.yaml", "config.yml", "config/_default/hugo.toml",
		"config/_default/hugo.yaml", "config/_default/config.toml"}
}

var generators = []generator{
	{[]string{"docent.toml"}, readDocent},
	{[]string{"mkdocs.yml", "mkdocs.yaml"}, readMkDocs},
	{[]string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs"}, readDocusaurus},
	{HugoFiles(), readHugo},
	{[]string{"book.toml"}, readBook},
	{[]string{"astro.config.mjs", "astro.config.ts", "astro.config.js"}, readAstro},
	{[]string{".vitepress/config.ts", ".vitepress/config.mts", ".vitepress/config.js", ".vitepress/config.mjs"}, readVitePress},
	{[]string{"conf.py"}, readSphinx},
}

// folderBelow is the path of a folder below the one that holds the pages; false where it
// is another one.
func folderBelow(inside, pages string) (string, bool) {
	pages = strings.Trim(path.Clean("/"+pages), "/")
	if pages == "" || inside == pages {
		return strings.TrimPrefix(inside, pages), true
	}
	return strings.CutPrefix(inside, pages+"/")
}

// joinAddress puts an address together, with a slash between its parts and at its end.
func joinAddress(base string, parts ...string) string {
	for _, p := range parts {
		if p = strings.Trim(p, "/"); p != "" {
			base = strings.TrimRight(base, "/") + "/" + p
		}
	}
	return strings.TrimRight(base, "/") + "/"
}

func readDocent(text, inside string) string {
	var c struct {
		Repository struct {
			URLBase string `toml:"url_base"`
		}
	}
	if !decodeTOML(text, &c) || c.Repository.URLBase == "" {
		return ""
	}
	if base := c.Repository.URLBase; inside == "" {
		return base
	} else if before, after, ok := strings.Cut(base, "{"); ok {
		return before + inside + "/{" + after
	} else {
		return joinAddress(base, inside)
	}
}

// decodeTOML reads a configuration, unless it is not what a person writes: reading a key of
// 80 000 parts takes minutes, in which nothing can interrupt it.
func decodeTOML(text string, into any) bool {
	if domain.CheckBounds([]byte(text)) != nil {
		return false
	}
	_, err := toml.Decode(text, into)
	return err == nil
}

func readMkDocs(text, inside string) string {
	rest, ok := folderBelow(inside, cmp.Or(yamlValue(text, "docs_dir"), "docs"))
	site := yamlValue(text, "site_url")
	switch {
	case !ok || site == "":
		return ""
	case yamlValue(text, "use_directory_urls") == "false":
		return joinAddress(site, rest) + doc.PagePlaceholder + ".html"
	}
	return joinAddress(site, rest)
}

func readDocusaurus(text, inside string) string {
	rest, ok := folderBelow(inside, cmp.Or(scriptValue(text, "path"), "docs"))
	site := scriptValue(text, "url")
	if !ok || site == "" {
		return ""
	}
	route := "docs"
	if m := scriptKey("routeBasePath").FindStringSubmatch(text); m != nil {
		route = m[1]
	}
	base := joinAddress(site, scriptValue(text, "baseUrl"), route, rest)
	if regexp.MustCompile(`\btrailingSlash\s*:\s*true`).MatchString(text) {
		return base
	}
	return base + doc.PagePlaceholder
}

func readHugo(text, inside string) string {
	value := yamlValue
	if regexp.MustCompile(`(?m)^\s*baseURL\s*=`).MatchString(text) {
		value = tomlValue
	}
	site := value(text, "baseURL")
	rest, ok := folderBelow(inside, cmp.Or(value(text, "contentDir"), "content"))
	if !ok || site == "" {
		return ""
	}
	// content/en/docs of a site whose language is English is at /docs.
	language := cmp.Or(value(text, "defaultContentLanguage"), "en")
	if first, after, _ := strings.Cut(rest, "/"); first == language && value(text, "defaultContentLanguageInSubdir") != "true" {
		rest = after
	}
	return joinAddress(site, strings.ToLower(rest)) + doc.SlugPlaceholder + "/"
}

func readBook(text, inside string) string {
	var c struct {
		Book   struct{ Src string }
		Output struct {
			HTML struct {
				SiteURL string `toml:"site-url"`
			}
		}
	}
	if !decodeTOML(text, &c) {
		return ""
	}
	rest, ok := folderBelow(inside, cmp.Or(c.Book.Src, "src"))
	if site := c.Output.HTML.SiteURL; ok && strings.Contains(site, "://") {
		return joinAddress(site, rest) + doc.PagePlaceholder + ".html"
	}
	return "" // most books give a path alone, without the host
}

func readAstro(text, inside string) string {
	rest, ok := folderBelow(inside, "src/content/docs")
	site := scriptValue(text, "site")
	if !ok || site == "" {
		return ""
	}
	return joinAddress(site, scriptValue(text, "base"), rest) + doc.SlugPlaceholder + "/"
}

func readVitePress(text, inside string) string {
	host := scriptValue(text, "hostname")
	if host == "" || strings.HasPrefix(inside, ".vitepress") {
		return ""
	}
	base := joinAddress(host, scriptValue(text, "base"), inside)
	if strings.HasSuffix(strings.TrimRight(host, "/"), strings.TrimRight(scriptValue(text, "base"), "/")) {
		base = joinAddress(host, inside) // the host's address has the base already
	}
	if regexp.MustCompile(`\bcleanUrls\s*:\s*true`).MatchString(text) {
		return base + doc.PagePlaceholder
	}
	return base + doc.PagePlaceholder + ".html"
}

func readSphinx(text, inside string) string {
	m := regexp.MustCompile(`(?m)^html_baseurl\s*=\s*['"]([^'"\n]+)['"]`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return joinAddress(m[1], inside) + doc.PagePlaceholder + ".html"
}

// yamlValue is the plain or quoted value of a key at the margin.
func yamlValue(text, key string) string {
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `\s*:[ \t]+["']?([^"'#\s]+)`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

// tomlValue is the value of a key before the first table.
func tomlValue(text, key string) string {
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `\s*=\s*["']?([^"'#\s]+)`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

func scriptKey(key string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^|[\s{,])` + regexp.QuoteMeta(key) + `\s*:\s*['"` + "`" + `]([^'"` + "`" + `\n]*)['"` + "`" + `]`)
}

// scriptValue is the first string that a script gives to a key.
func scriptValue(text, key string) string {
	if m := scriptKey(key).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
