package graph

import (
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/gitignore"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/knowledge/references"
	"docent/store"
	"docent/store/doc"
)

// site is the configuration of the site that is built from the pages, read from its
// files.
type site struct {
	root      string // the doc set's folder
	redirects []redirect
	sphinx    bool // its configuration was found
	projects  bool // and names other projects, whose labels are known too
	code      bool // and takes texts from code, which may have labels
	made      bool // a configuration says which program makes the site
	generator doc.Generator
	ignores   *gitignore.Tree // nil: no file is ignored
	hugo      hugoSite
}

// redirect is an address that leads to another one; all below it where it is a prefix.
type redirect struct {
	from   string
	prefix bool
}

// Limits for reading a site's files.
const (
	mostSite      = 4 << 20
	mostRedirects = 20_000
)

var intersphinx = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^intersphinx_mapping\s*=`) })

// readSite reads the lists of redirects of static hosts (_redirects, vercel.json) and
// generators (docs.json, mint.json), and Sphinx's conf.py, if they are in the folder of
// the doc set. Other files are ignored.
func readSite(set store.Set) site {
	out := site{root: set.Root, made: isMadeByKnown(set.Root), generator: ingest.FindGenerator(set.Root)}
	if filepath.IsAbs(set.Root) {
		out.ignores = gitignore.New(set.Root)
	}
	out.hugo = readHugoSite(set.Root)
	for _, dir := range foldersAbove(set.Root) {
		out.redirectPlugin(dir)
		for _, name := range []string{"_redirects", "static/_redirects", "public/_redirects"} {
			raw, _ := files.ReadLinked(filepath.Join(dir, filepath.FromSlash(name)), mostSite) // a site without one redirects nothing
			for line := range strings.Lines(string(raw)) {
				if f := strings.Fields(line); len(f) > 1 && strings.HasPrefix(f[0], "/") {
					out.redirect(f[0])
				}
			}
		}
	}
	for _, name := range []string{"docs.json", "mint.json", "vercel.json"} {
		var list struct {
			Redirects []struct {
				Source string `json:"source"`
			} `json:"redirects"`
		}
		if json.Unmarshal([]byte(readSmall(set, name)), &list) == nil {
			for _, r := range list.Redirects {
				out.redirect(r.Source)
			}
		}
	}
	for _, name := range []string{"conf.py", "source/conf.py", "docs/conf.py", "docs/source/conf.py", "doc/conf.py"} {
		if conf := readSmall(set, name); conf != "" {
			out.sphinx = true
			out.projects = out.projects || intersphinx().MatchString(conf)
			for _, extension := range []string{"autodoc", "autoapi", "breathe"} {
				out.code = out.code || strings.Contains(conf, extension)
			}
		}
	}
	return out
}

func readSmall(set store.Set, name string) string {
	f, _, err := files.OpenInside(set.Root, name)
	if err != nil {
		return ""
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, mostSite))
	if err != nil {
		return ""
	}
	return string(raw)
}

// redirect notes an address; a placeholder (*, :name) ends it. Behind a slash it stands
// for the files of a folder, so that /old/* is not the address of /older.
func (s *site) redirect(from string) {
	from = strings.TrimLeft(from, "/")
	i := strings.IndexAny(from, "*:(")
	if i >= 0 {
		from = from[:i]
	} else {
		from = strings.TrimRight(from, "/")
	}
	if from != "" && len(s.redirects) < mostRedirects {
		s.redirects = append(s.redirects, redirect{strings.ToLower(from), i >= 0})
	}
}

// redirected reports whether the site sends an address on.
func (s *site) redirected(target string) bool {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	if !strings.HasPrefix(target, "/") {
		return false
	}
	for _, ending := range []string{".html", ".htm", ".md", ".mdx"} { // the site has pages without them
		target = strings.TrimSuffix(target, ending)
	}
	for _, index := range []string{"/index", "/README"} {
		target = strings.TrimSuffix(target, index)
	}
	target = strings.ToLower(strings.Trim(path.Clean(target), "/"))
	for _, r := range s.redirects {
		if target == r.from || r.prefix && strings.HasPrefix(target+"/", r.from) {
			return true
		}
	}
	return false
}

// redirectsFrom reports whether the site sends the address of a broken link on. A relative one starts on the site from
// where the page lies in the folder of the site.
func (s *site) redirectsFrom(b references.Broken) bool {
	if strings.HasPrefix(b.Target, "/") || strings.Contains(plain(b.Target), ":") {
		return s.redirected(b.Target)
	}
	return slices.ContainsFunc(references.LinkedFiles(b.Path, b.Target), func(name string) bool { return s.redirected("/" + name) })
}

// sortBroken puts a link that the graph knows no target of where it belongs.
func (s *site) sortBroken(set store.Set, b references.Broken, counts *LinkCounts, out *BrokenLinks) {
	label := strings.HasPrefix(b.Target, "label:")
	switch {
	case b.Unsure != "" && label && s.sphinx && !s.projects && !s.code:
		b.Unsure = ""
		counts.Unsure--
		counts.Pages++
		out.Broken = append(out.Broken, b)
	case b.Unsure != "":
		out.Unsure = append(out.Unsure, b)
	case b.Missing != references.NoPage.String():
		if b.Unsure = s.undecided(b); b.Unsure != "" {
			counts.Anchors--
			counts.Unsure++
			out.Unsure = append(out.Unsure, b)
			break
		}
		out.Broken = append(out.Broken, b)
	case isFile(set, b) || isLinkedPage(set, b) || doc.GeneratorOf(set.Site) == doc.NoGenerator && isFolder(set, b),
		s.rootPage(set, b), s.isOtherForm(set, b), isStatic(set, b):
		counts.Files++
		counts.Pages--
	case s.redirectsFrom(b):
		counts.Redirected++
		counts.Pages--
	case s.undecided(b) != "":
		b.Unsure = s.undecided(b)
		counts.Pages--
		counts.Unsure++
		out.Unsure = append(out.Unsure, b)
	default:
		out.Broken = append(out.Broken, b)
	}
}

// isFile reports whether a link leads to a file of the doc set's folder that is no page.
func isFile(s store.Set, b references.Broken) bool {
	for _, name := range references.LinkedFiles(b.Path, b.Target) {
		if f, _, err := files.OpenInside(s.Root, name); err == nil {
			_ = f.Close()
			return true
		}
	}
	return false
}

// isLinkedPage reports whether a link leads to a page that is a symbolic link to a file that is there:
// it is no page here, and one on the site that a program makes of the folder.
func isLinkedPage(s store.Set, b references.Broken) bool {
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return false
	}
	defer root.Close()
	for _, name := range references.LinkedFiles(b.Path, b.Target) {
		for _, ending := range []string{"", path.Ext(b.Path)} {
			full := filepath.FromSlash(name + ending)
			if st, err := root.Lstat(full); err != nil || st.Mode()&os.ModeSymlink == 0 {
				continue
			}
			if _, err := os.Stat(filepath.Join(s.Root, full)); err == nil {
				return true
			}
		}
	}
	return false
}

// isFolder reports whether a relative link leads to a folder of the doc set. GitHub and GitLab show its
// files; a program that makes a web site makes no such page.
func isFolder(s store.Set, b references.Broken) bool {
	if strings.HasPrefix(b.Target, "/") {
		return false
	}
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return false
	}
	defer root.Close()
	for _, name := range references.LinkedFiles(b.Path, b.Target) {
		if st, err := root.Stat(filepath.FromSlash(name)); err == nil && st.IsDir() {
			return true
		}
	}
	return false
}
