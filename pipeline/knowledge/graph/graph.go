// Package graph resolves the links of documentation: to a page of the same doc set,
// to a URL outside of it, or to nothing.
//
// It refuses to read pages and to fetch URLs.
package graph

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Ref is a page of a doc set.
type Ref struct {
	Path  string // inside the doc set, with slashes
	Title string
	URL   string // where it was taken from, "" if unknown
	// Place is what the page says of its place on the site, see doc.PageURL. One that begins with a slash is the
	// page's path there, from which its links start.
	Place string
	// Others are other paths and addresses that lead to it: those of its front matter.
	Others []string
}

// List is the pages of a doc set, in its order. It is immutable.
type List struct {
	refs    []Ref
	endings map[string]bool // of the pages' files, and of pages on the web
	byPath  map[string]int
	byStem  map[string]int
	byURL   map[string]int
	onSite  map[string]bool // the addresses of folders of the site that have pages of the doc set
	byEnd   *ByName         // by the last two parts of the stem, see lastPartsOfStem
	topmost map[string]bool // the first folders of paths
	// numbered are the pages by the stems of their paths without the numbers that order files, and by the
	// last part of those: twice where several have it. nil where few files have such numbers.
	numbered map[string]int
	// folders says that the site is made by Hugo: each of its pages is a folder there, and
	// links without a file's ending start from it.
	folders bool
}

// NewList makes a list of pages to resolve links in. It takes time for each page:
// the app calls it outside of its event loop.
func NewList(refs []Ref) *List {
	l := &List{refs: refs, endings: map[string]bool{".html": true, ".htm": true}, byPath: make(map[string]int, len(refs)),
		byStem: make(map[string]int, len(refs)), byURL: map[string]int{}, onSite: map[string]bool{},
		byEnd: &ByName{}, topmost: map[string]bool{}}
	for _, r := range refs {
		if ext := strings.ToLower(path.Ext(unpacked(r.Path))); strings.IndexAny(ext, "0123456789") != 1 { // no release-1.2, no git.1
			l.endings[ext] = true
		}
	}
	if l.endings[".md"] || l.endings[".mdx"] { // links to pages of either may have the ending of the other
		l.endings[".md"], l.endings[".mdx"] = true, true
	}
	for i, r := range refs {
		l.byPath[r.Path] = i
		l.folders = l.folders || strings.HasPrefix(path.Base(r.Path), "_index.")
		stem := l.pathStem(unpacked(r.Path))
		if first, _, ok := strings.Cut(r.Path, "/"); ok {
			l.topmost[strings.ToLower(first)] = true
		}
		putUnique(l.byStem, stem, i)
		if end := lastPartsOfStem(stem); end != "" {
			l.byEnd.Add(end, i)
		}
		if u, err := url.Parse(r.URL); err == nil && r.URL != "" {
			putUnique(l.byURL, l.comparableAddress(u), i)
			l.onSite[path.Dir(l.comparableAddress(u))] = true
		}
	}
	l.addOthers()
	l.addNumbered()
	return l
}

// twice is the page of a name that several have.
const twice = -1

// addNumbered notes the pages by their paths without numbers, where half of the pages have one. Docusaurus
// and others leave the numbers out of addresses, and some sites the folders too.
func (l *List) addNumbered() {
	with := 0
	for _, r := range l.refs {
		if withoutNumbers(r.Path) != r.Path {
			with++
		}
	}
	if with < 3 || 2*with < len(l.refs) {
		return
	}
	l.numbered = make(map[string]int, 2*len(l.refs))
	for i, r := range l.refs {
		stem := l.pathStem(withoutNumbers(unpacked(r.Path)))
		for _, name := range []string{stem, path.Base(stem)} {
			if old, ok := l.numbered[name]; ok && old != i {
				l.numbered[name] = twice
				continue
			}
			l.numbered[name] = i
		}
	}
}

// withoutNumbers is a path without the numbers by which its folders and file are ordered: 02-wicks/1_trim.md.
func withoutNumbers(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		rest := strings.TrimLeft(part, "0123456789")
		if n := len(part) - len(rest); n > 0 && n <= 3 && len(rest) > 1 && strings.IndexByte("-_.", rest[0]) >= 0 {
			if name := strings.TrimLeft(rest[1:], "-_. "); name != "" && strings.TrimLeft(name, "0123456789.") != "" {
				parts[i] = name
			}
		}
	}
	return strings.Join(parts, "/")
}

// numberedPage is the page that a path without numbers names; a target of one word may lead to the page
// of that name in any folder.
func (l *List) numberedPage(p, target string) (int, bool) {
	if l.numbered == nil {
		return 0, false
	}
	i, ok := l.numbered[l.pathStem(withoutNumbers(p))]
	if !ok && !strings.ContainsAny(target, "/.") {
		i, ok = l.numbered[l.pathStem(target)]
	}
	return i, ok && i != twice
}

// addOthers adds the other ways to pages, behind the pages' own. A folder that was saved
// flat has "__" where the site has a slash.
func (l *List) addOthers() {
	for i, r := range l.refs {
		putUnique(l.byPath, unpacked(r.Path), i)
		if strings.Contains(r.Path, "__") {
			putUnique(l.byStem, l.pathStem(strings.ReplaceAll(r.Path, "__", "/")), i)
		}
		for _, other := range r.Others {
			u, err := url.Parse(other)
			switch {
			case err != nil:
			case u.Host != "":
				putUnique(l.byURL, l.comparableAddress(u), i)
			case strings.HasPrefix(u.Path, "/"):
				putUnique(l.byStem, l.pathStem(u.Path), i)
				l.addOnSite(r.URL, u, i)
			case u.Path != "":
				putUnique(l.byStem, l.pathStem(path.Join(path.Dir(r.Path), u.Path)), i)
				l.addOnSite(strings.TrimSuffix(r.URL, "/"), u, i) // Hugo's page is a folder, and its alias stands next to it
			}
		}
	}
}

// addOnSite adds another path of a page on the web site where the page has its address.
func (l *List) addOnSite(page string, other *url.URL, i int) {
	if base, err := url.Parse(page); err == nil && base.Host != "" {
		putUnique(l.byURL, l.comparableAddress(base.ResolveReference(other)), i)
	}
}

// unpacked is the path that links give a page: packages of Debian pack their larger pages, and
// leave the links to them, and a template is the page that a build makes of it. A page of the router of Next is its folder,
// and folders in parentheses are not in its address: app/(docs)/wicks/page.mdx is app/wicks.mdx.
func unpacked(p string) string {
	dir, file := path.Split(p)
	if dir != "" && (file == "page.mdx" || file == "page.md") {
		parts := slices.DeleteFunc(strings.Split(strings.TrimSuffix(dir, "/"), "/"), func(part string) bool {
			return strings.HasPrefix(part, "(") && strings.HasSuffix(part, ")")
		})
		return strings.Join(parts, "/") + path.Ext(file)
	}
	return strings.TrimSuffix(strings.TrimSuffix(p, ".in"), ".gz")
}

// lastPartsOfStem is the last two parts of a stem, "" of a shorter one.
func lastPartsOfStem(stem string) string {
	i := strings.LastIndexByte(stem, '/')
	if i < 0 {
		return ""
	}
	return stem[strings.LastIndexByte(stem[:i], '/')+1:]
}

func putUnique(m map[string]int, key string, i int) {
	if _, ok := m[key]; !ok {
		m[key] = i
	}
}

// IsHugo reports whether the site is made by Hugo.
func (l *List) IsHugo() bool { return l.folders }

// HasFolderOf reports whether a page of the doc set stands in the folder of the site in which an address is.
// The site may have other folders, which are made of files elsewhere.
func (l *List) HasFolderOf(u *url.URL) bool { return l.onSite[path.Dir(l.comparableAddress(u))] }

// Len is the number of pages.
func (l *List) Len() int { return len(l.refs) }

// At is the i-th page.
func (l *List) At(i int) Ref { return l.refs[i] }

// Index is the index of the page with this path, -1 for an unknown path.
func (l *List) Index(path string) int {
	if i, ok := l.byPath[path]; ok {
		return i
	}
	return -1
}

// pathStem is the form of a path in which pages and links are compared: in lower case,
// without the file's ending and without the name of an index page.
func (l *List) pathStem(p string) string {
	p = strings.ToLower(strings.Trim(p, "/"))
	if ext := path.Ext(p); l.endings[ext] {
		p = strings.TrimSuffix(p, ext)
	}
	switch path.Base(p) {
	case "index", "_index", "readme":
		p = path.Dir(p)
	}
	if p == "." {
		p = ""
	}
	return p
}

// comparableAddress is the form of a URL in which pages and links are compared.
func (l *List) comparableAddress(u *url.URL) string {
	return strings.TrimPrefix(strings.ToLower(u.Host), "www.") + "/" + l.pathStem(u.Path)
}

// Destination is a link's destination: a page, a URL outside of the doc set, or
// nothing.
type Destination struct {
	Found  bool
	Ref    Ref
	Anchor string // of a page
	URL    string // http or https, outside
}

// Resolve finds the destination of a link on the page with the path from. pageURL
// is the URL of that page, "" if unknown. Links name files ("../b.md"), paths of
// the site that is built from them, where a page is a folder ("../b/", "/docs/b"),
// or whole URLs.
func (l *List) Resolve(from, pageURL, target string) Destination {
	target = strings.TrimSpace(target)
	u, err := url.Parse(target)
	if err != nil {
		plain, anchor, _ := strings.Cut(target, "#")
		u = &url.URL{Path: plain, Fragment: anchor}
	}
	to := func(i int) Destination { return Destination{Found: true, Ref: l.refs[i], Anchor: u.Fragment} }
	base, baseErr := url.Parse(pageURL)
	if u.Host != "" || u.Scheme != "" {
		if u.Scheme == "" && baseErr == nil {
			u.Scheme = base.Scheme // //host/path
		}
		if i, ok := l.byURL[l.comparableAddress(u)]; ok && WebURL(u.String()) != "" {
			return to(i)
		}
		return Destination{URL: WebURL(u.String())}
	}
	if u.Path == "" {
		if i := l.Index(from); i >= 0 {
			return to(i)
		}
		return Destination{}
	}
	from = unpacked(from)
	starts := []string{path.Join(path.Dir(from), u.Path), path.Join(l.pathStem(from), u.Path)}
	switch base := path.Base(u.Path); {
	case base != ".." && base != "." && l.endings[strings.ToLower(path.Ext(base))]:
		// The name of a source is that of a file: ../../README.md on a page in a folder is above the doc set,
		// although its address on the site would lead to the doc set's own.
		if strings.HasPrefix(starts[0], "../") && !isAddress(base) {
			starts = starts[:1]
		}
	case l.folders:
		slices.Reverse(starts)
	case l.isFolderPage(from): // Docusaurus gives it the address of the folder without a slash behind it
		starts = append(starts, path.Join(path.Dir(path.Dir(from)), u.Path))
	}
	if i, ok := l.fromPlace(from, u.Path); ok {
		return to(i)
	}
	for _, p := range starts {
		if strings.HasPrefix(u.Path, "/") {
			p = strings.TrimPrefix(path.Clean(u.Path), "/")
		}
		if i, ok := l.byPath[p]; ok {
			return to(i)
		}
		if i, ok := l.indexPage(p); ok {
			return to(i)
		}
		if i, ok := l.translated(from, p); ok {
			return to(i)
		}
		if i, ok := l.byStem[l.pathStem(p)]; ok && !strings.HasPrefix(p, "..") {
			return to(i)
		}
		if i, ok := l.numberedPage(p, u.Path); ok {
			return to(i)
		}
	}
	outside := Destination{}
	if pageURL != "" && baseErr == nil {
		whole := base.ResolveReference(u)
		if i, ok := l.byURL[l.comparableAddress(whole)]; ok {
			return to(i)
		}
		outside.URL = WebURL(whole.String())
	}
	if strings.HasPrefix(u.Path, "/") {
		// The site's folder may stand above that of the doc set, or below it.
		parts := strings.Split(l.pathStem(path.Clean(u.Path)), "/")
		for k := 1; k <= min(2, len(parts)-1); k++ {
			if l.hasOwnFolder(parts[k-1], k-1) {
				break // the doc set has this folder, in which there is no such page
			}
			below := strings.Join(parts[k:], "/")
			if i, ok := l.byStem[below]; ok {
				return to(i)
			}
			if i, ok := l.numberedPage(below, u.Path); ok {
				return to(i)
			}
		}
		if len(parts) < 2 {
			return outside // one word stands under many folders
		}
		if language := languageOf(from); language != "" {
			if i, ok := l.nearestWithEnd(from, strings.Join(parts, "/")+language); ok {
				return to(i)
			}
		}
		if i, ok := l.nearestWithEnd(from, strings.Join(parts, "/")); ok {
			return to(i)
		}
	}
	return outside
}

// isAddress reports whether the name of a file may be that of a page of the site, too.
func isAddress(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".html" || ext == ".htm"
}

// hasOwnFolder reports whether the first part of an address of the site is a folder of the doc set, of which the
// address names a page then. A folder of one language may lack pages that others have.
func (l *List) hasOwnFolder(part string, before int) bool {
	return before == 0 && l.topmost[part] && (len(part) < 2 || languageOf("x."+part+".md") == "")
}

// fromPlace is the page that a relative path of the site leads to from the page at from, where that says its own
// place there. A path with the ending of a source names a file.
func (l *List) fromPlace(from, target string) (int, bool) {
	at := l.Index(from)
	if at < 0 || !strings.HasPrefix(l.refs[at].Place, "/") || strings.HasPrefix(target, "/") {
		return 0, false
	}
	if ext := strings.ToLower(path.Ext(target)); l.endings[ext] && ext != ".html" && ext != ".htm" {
		return 0, false
	}
	place := l.refs[at].Place
	i, ok := l.byStem[l.pathStem(path.Join(place[:strings.LastIndexByte(place, '/')+1], target))]
	return i, ok
}

// isFolderPage reports whether a page is that of its folder: index.md, or x/x.md.
func (l *List) isFolderPage(p string) bool {
	dir := path.Dir(p)
	return dir != "." && (l.pathStem(p) == strings.ToLower(dir) || l.pathStem(path.Base(p)) == strings.ToLower(path.Base(dir)))
}

// ResolveName finds the page that a link names by its path from the site's root, or else the only page whose path
// ends with the name. Hugo's relref finds pages so.
func (l *List) ResolveName(target string) Destination {
	name, anchor, _ := strings.Cut(target, "#")
	want := l.pathStem(path.Clean("/" + name))
	if want == "" {
		return Destination{}
	}
	if i, ok := l.byStem[want]; ok {
		return Destination{Found: true, Ref: l.refs[i], Anchor: anchor}
	}
	var out Destination
	for _, r := range l.refs {
		if !strings.HasSuffix(l.pathStem(unpacked(r.Path)), "/"+want) {
			continue
		}
		if out.Found {
			return Destination{}
		}
		out = Destination{Found: true, Ref: r, Anchor: anchor}
	}
	return out
}

// nearestWithEnd is the page whose stem ends with want; of several the one with which from shares most
// folders: each part of a repository may have a site of its own, and a template has the path of the page that
// is made from it.
func (l *List) nearestWithEnd(from, want string) (found int, ok bool) {
	most := -1
	for i := range l.byEnd.All(lastPartsOfStem(want)) {
		n := SharedFolders(from, l.refs[i].Path)
		if n <= most {
			continue
		}
		above, ends := strings.CutSuffix(l.pathStem(unpacked(l.refs[i].Path)), want)
		if !ends || above != "" && !strings.HasSuffix(above, "/") {
			continue
		}
		found, ok, most = i, true, n
	}
	return found, ok
}

// SharedFolders is how many folders two paths begin with together.
func SharedFolders(a, b string) (n int) {
	for {
		x, restOfA, okA := strings.Cut(a, "/")
		y, restOfB, okB := strings.Cut(b, "/")
		if !okA || !okB || x != y {
			return n
		}
		a, b, n = restOfA, restOfB, n+1
	}
}

// translated is the page that a path without an ending names in the language of the page from, where files
// have their language before the ending: a link on wick.ja.mdx to lamp leads to lamp.ja.mdx.
func (l *List) translated(from, p string) (int, bool) {
	language := languageOf(from)
	if language == "" || l.endings[language] {
		return 0, false
	}
	for _, name := range []string{l.pathStem(p), strings.TrimPrefix(l.pathStem(p)+"/index", "/")} {
		if i, ok := l.byStem[name+language]; ok {
			return i, true
		}
	}
	return 0, false
}

// languageOf is the language that a file's name has before its ending, with its dot and in small letters: .ja of
// wick.ja.mdx. It is "" for a name without one.
func languageOf(name string) string {
	file := path.Base(name)
	language := path.Ext(strings.TrimSuffix(file, path.Ext(file)))
	if n := len(language); n < 3 || n > 8 || strings.Trim(language[1:3], "abcdefghijklmnopqrstuvwxyz") != "" ||
		n > 4 && strings.IndexByte("-_", language[3]) < 0 {
		return ""
	}
	return strings.ToLower(language)
}

// indexPage is the page of a folder that a path names without its ending: of q.rst and q/index.rst
// "q/index" is the second.
func (l *List) indexPage(p string) (int, bool) {
	if base := path.Base(p); base != "index" && base != "_index" {
		return 0, false
	}
	for _, ext := range slices.Sorted(maps.Keys(l.endings)) {
		if i, ok := l.byPath[p+ext]; ok {
			return i, true
		}
	}
	return 0, false
}

// WebURL is the URL itself if it is an http or https URL with a host, else "".
func WebURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// Unescape removes percent-encoding from an anchor.
func Unescape(s string) string {
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}
