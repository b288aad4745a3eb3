package git

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source"
)

// file is one of a commit's.
type file struct {
	mode string
	path string
}

// list gives all files of the fetched commit.
func (r *repository) list(ctx context.Context) ([]file, error) {
	text, err := r.output(ctx, "ls-tree", "-r", "-z", "--full-tree", "FETCH_HEAD")
	if err != nil {
		return nil, err
	}
	return parseTree(text), nil
}

// parseTree reads what ls-tree -r -z prints.
func parseTree(text string) []file {
	var out []file
	for entry := range strings.SplitSeq(text, "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		if mode, _, found := strings.Cut(about, " "); ok && found {
			out = append(out, file{mode: mode, path: name})
		}
	}
	return out
}

// submodules are the repositories inside a folder, which are not fetched.
func submodules(files []file, folder string) []source.Failure {
	var out []source.Failure
	for _, f := range files {
		if f.mode == "160000" && inFolder(f.path, folder) {
			out = append(out, source.Failure{What: f.path, Reason: "a submodule: add it by its own address"})
		}
	}
	return out
}

// inFolder reports whether a path lies in a folder; "" is the whole repository.
func inFolder(name, folder string) bool { return folder == "" || strings.HasPrefix(name, folder+"/") }

// written are the endings of files that documentation is written in.
var written = []string{".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".dita", ".html", ".htm", ".texi", ".texinfo", ".ipynb"}

func isWritten(name string) bool { return slices.Contains(written, strings.ToLower(path.Ext(name))) }

// configurations are the files of programs that make sites, and the folder of the pages
// next to each.
var configurations = map[string]string{
	"conf.py": ".", "mkdocs.yml": "docs", "mkdocs.yaml": "docs", "docusaurus.config.js": "docs", "docusaurus.config.ts": "docs",
	"docusaurus.config.mjs": "docs", "docusaurus.config.cjs": "docs", "book.toml": "src", "antora.yml": ".", "hugo.toml": "content",
	"hugo.yaml": "content",
}

// names are the folders that documentation lies in by custom.
var names = []string{"docs", "doc", "documentation", "Documentation", "website", "site", "content", "content/en", "content/en/docs",
	"docs/en", "website/docs", "src/docs", "docs/src", "docs/source", "doc/source", "docs/content", "docs/docs", "src/content/docs",
	"site/content/en/docs", "website/content/docs", "content/docs", "docs/docsite", "guides", "guide", "manual"}

// besides are folders whose pages are about something else.
var besides = []string{"node_modules", "vendor", "third_party", "test", "tests", "testdata", "fixtures", "examples", "example", ".github",
	"archive", "_archive", "i18n", "locales", "translations"}

// fewPages is from how many pages on a folder is taken for the documentation.
const fewPages = 3

// leastShare is one part of how many the folder has of a repository's pages at least: one with
// fewer is about the repository and is not what it documents.
const leastShare = 50

// mostOthers is how many other folders are named.
const mostOthers = 4

// chooseFolder is the folder of the documentation: the one that is asked for, or the one that
// a site's configuration or custom names and that has most pages. "" is the whole repository.
func (r *repository) chooseFolder(files []file) (folder string, others []string, err error) {
	if folder = strings.Trim(r.want.Path, "/"); folder != "" && folder != "." {
		if !slices.ContainsFunc(files, func(f file) bool { return inFolder(f.path, folder) }) {
			found := candidates(files)
			do := "name another folder"
			if len(found) > 0 {
				do = "it has " + strings.Join(found[:min(mostOthers, len(found))], ", ")
			}
			return "", nil, r.failure(fmt.Sprintf("it has no folder %s", folder), do, nil)
		}
		return folder, nil, nil
	}
	if folder == "." {
		return "", nil, nil
	}
	found := candidates(files)
	if len(found) == 0 {
		return "", nil, nil
	}
	return found[0], found[1:min(len(found), 1+mostOthers)], nil
}

// candidates are the folders that the documentation may be in, the likeliest first.
func candidates(files []file) []string {
	pages := map[string]int{} // by folder, of all below
	configured := map[string]bool{}
	all := 0
	for _, f := range files {
		parts := strings.Split(f.path, "/")
		if slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool { return slices.Contains(besides, p) }) {
			continue
		}
		if beside, ok := configurations[path.Base(f.path)]; ok {
			configured[strings.TrimPrefix(path.Join(path.Dir(f.path), beside), "./")] = true
		}
		if !isWritten(f.path) {
			continue
		}
		all++
		for i := 1; i < len(parts); i++ {
			pages[strings.Join(parts[:i], "/")]++
		}
	}
	var found []string
	for dir, n := range pages {
		if n >= fewPages && n*leastShare >= all && (configured[dir] || slices.Contains(names, dir)) {
			found = append(found, dir)
		}
	}
	weight := func(dir string) int {
		n := pages[dir]
		if english(dir, pages) {
			n *= 8
			if configured[path.Dir(dir)] {
				n *= 4
			}
		}
		if configured[dir] {
			n *= 4
		}
		return n
	}
	slices.SortFunc(found, func(a, b string) int {
		if d := weight(b) - weight(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return found
}

// english reports whether a folder is the English one of several languages.
func english(dir string, pages map[string]int) bool {
	parts := strings.Split(dir, "/")
	i := slices.IndexFunc(parts, func(p string) bool { return p == "en" || p == "en-US" || p == "en-us" })
	if i < 0 {
		return false
	}
	above := strings.Join(parts[:i], "/")
	for _, other := range []string{"de", "fr", "es", "ja", "zh", "zh-cn", "zh-CN", "ru", "ko", "pt", "pt-br", "it"} {
		if pages[path.Join(above, other)] > 0 {
			return true
		}
	}
	return false
}

// left are files that no page is made of.
var left = []string{"png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tif", "tiff", "mp4", "webm", "mov", "mp3", "wav", "woff",
	"woff2", "ttf", "otf", "eot", "zip", "gz", "tgz", "xz", "bz2", "7z", "jar", "exe", "dll", "so", "dylib", "wasm", "psd", "sketch", "fig"}

// about are the files of the folders above the documentation that say what it is.
var about = []string{"LICENSE*", "LICENCE*", "COPYING*", "docent.toml", "conf.py", "mkdocs.y*ml", "docusaurus.config.*", "book.toml",
	"antora.yml", "hugo.*", "config.toml", "config.y*ml", "config/_default/*", "astro.config.*", ".vitepress/config.*"}

// sparsePatterns say which files are checked out, in the syntax of .gitignore.
func sparsePatterns(folder string, leaveOut []string) string {
	var b strings.Builder
	if folder == "" {
		for _, e := range written {
			fmt.Fprintf(&b, "*%s\n", e)
		}
		b.WriteString("README*\nCHANGELOG*\n*.[1-9]\n")
	} else {
		fmt.Fprintf(&b, "/%s/\n", escapePattern(folder))
	}
	for _, e := range left {
		fmt.Fprintf(&b, "!*.%s\n", e)
	}
	for dir := folder; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		for _, name := range about {
			fmt.Fprintf(&b, "%s\n", path.Join("/", escapePattern(dir), name))
		}
		if dir == "" {
			break
		}
	}
	for _, p := range leaveOut {
		fmt.Fprintf(&b, "!%s\n", path.Join("/", escapePattern(folder), p))
	}
	return b.String()
}

// escapePattern has the signs of a name stand for themselves.
func escapePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
