package site

import (
	"docent/pipeline/text/pattern"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

// Bounds of addresses.
const (
	mostAddress  = 2000 // bytes
	mostSegments = 20   // of a path, below the site's folder
)

// parseAddress reads an address that a page gives, against the address of that page. It is
// in the one form in which addresses are compared: without its fragment, without a session
// in it, and without a query unless query is set or the path is that of a program.
func parseAddress(against *url.URL, text string, query bool) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if len(text) > mostAddress {
		return nil, fmt.Errorf("an address of %d letters", len(text))
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if against != nil {
		u = against.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("%.100q is no address of a page", text)
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	u.Host = strings.ToLower(u.Host)
	if u.Scheme == "http" && u.Port() == "80" || u.Scheme == "https" && u.Port() == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	setPath(u)
	u.RawQuery = keptQuery(u, query)
	return u, nil
}

var (
	manySlashes = pattern.Lazy(`//+`)
	sessionPath = pattern.Lazy(`(?i);(?:jsessionid|phpsessid|sid)=[^/?;]*`)
)

func setPath(u *url.URL) {
	clean := func(p string) string {
		return manySlashes().ReplaceAllString(sessionPath().ReplaceAllString(p, ""), "/")
	}
	escaped := strings.ToLower(u.RawPath)
	u.Path = clean(u.Path)
	if u.Path == "" {
		u.Path = "/"
	}
	if strings.Contains(escaped, "%2f") { // a slash that parts no folders
		u.RawPath = clean(u.RawPath)
		return
	}
	u.RawPath = ""
}

// programs are the endings of paths whose query says which page it is.
var programs = []string{".php", ".asp", ".aspx", ".cgi", ".pl", ".jsp", ".do", ".fcgi"}

// aside are parameters of a query by which no page differs from another: sessions, and where
// a reader came from.
var aside = pattern.Lazy(`(?i)^(?:utm_.*|.*sess(?:ion)?_?(?:id)?|sid|jsessionid|cfid|cftoken|token|ref|` +
	`referr?er|source|from|fbclid|gclid|mc_cid|mc_eid|highlight|print|printable|share|replytocom|action|` +
	`returnto|return_to|redirect|next|_ga)$`)

func keptQuery(u *url.URL, query bool) string {
	if u.RawQuery == "" || !query && !slices.Contains(programs, strings.ToLower(path.Ext(u.Path))) {
		return ""
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return ""
	}
	for name := range values {
		if aside().MatchString(name) {
			delete(values, name)
		}
	}
	return values.Encode()
}

// indexNames are the names of files that a server gives for their folder.
var indexNames = []string{"index.html", "index.htm", "index.xhtml", "index.php", "default.html", "default.htm",
	"default.asp", "index.md"}

// identity is what the addresses of one page have in common: with and without the name of an
// index, with and without a slash at the end.
func identity(u *url.URL) string {
	p := u.EscapedPath()
	if slices.Contains(indexNames, strings.ToLower(path.Base(p))) {
		p = p[:len(p)-len(path.Base(p))]
	}
	p = strings.TrimSuffix(p, "/")
	if u.RawQuery != "" {
		p += "?" + u.RawQuery
	}
	return p
}

// isPDF reports whether an address is that of a PDF by its name.
func isPDF(u *url.URL) bool { return strings.EqualFold(path.Ext(u.Path), ".pdf") }

// notPages are the endings of files that are no pages: pictures, styles, scripts, packed
// files, data.
var notPages = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, ending := range strings.Fields(`png jpg jpeg gif svg webp avif ico bmp tiff css js mjs map json jsonld xml
		rss atom woff woff2 ttf otf eot zip gz tgz bz2 xz zst tar 7z rar jar war whl deb rpm apk dmg exe msi iso bin so dll
		ps eps epub mobi doc docx xls xlsx ppt pptx odt ods odp csv tsv mp3 mp4 m4a ogg ogv webm wav avi mov flac
		wasm py ipynb c h cpp java go rs rb sh bat ps1 yaml yml toml ini sig asc sha256 md5 inv drawio puml ics vcf
		webmanifest`) {
		all["."+ending] = true
	}
	return all
})

// notPageFolders hold copies of sources, listings of source code, and the files that pages use.
var notPageFolders = []string{"_sources", "_static", "_images", "_downloads", "_modules", "src-html", "_next", "cdn-cgi", "wp-json",
	"node_modules"}

// mayBePage reports whether an address can be that of a page by its name.
func mayBePage(u *url.URL) bool {
	if notPages()[strings.ToLower(path.Ext(u.Path))] {
		return false
	}
	if isPDF(u) {
		return true // also among the files that pages use
	}
	for folder := range strings.SplitSeq(path.Dir(u.Path), "/") {
		if slices.Contains(notPageFolders, folder) {
			return false
		}
	}
	return true
}

// pageEndings are the endings of paths that are pages and not folders.
var pageEndings = []string{".html", ".htm", ".xhtml", ".shtml", ".md", ".markdown", ".txt", ".php", ".asp",
	".aspx", ".jsp"}

func hasPageEnding(p string) bool { return slices.Contains(pageEndings, strings.ToLower(path.Ext(p))) }

// scope is the part of the web that is read: a folder of one host.
type scope struct {
	scheme, host string
	folder       string // ends with a slash
}

// scopeOf is the folder of a page. Of a path without an ending and without a slash it is the
// path itself where the page leads below it, and else the folder that it is in.
func scopeOf(page *url.URL, links []*url.URL) scope {
	s := scope{scheme: page.Scheme, host: page.Host}
	p := page.Path
	if !strings.HasSuffix(p, "/") {
		own := p + "/"
		below := func(u *url.URL) bool { return u.Host == page.Host && strings.HasPrefix(u.Path, own) && u.Path != own }
		if !hasPageEnding(p) && slices.ContainsFunc(links, below) {
			p = own
		} else {
			p = strings.TrimSuffix(path.Dir(p), "/") + "/"
		}
	}
	s.folder = p
	return s
}

// holds reports whether an address is in the scope, and gives it the scope's scheme.
func (s scope) holds(u *url.URL) bool {
	if u.Host != s.host {
		return false
	}
	u.Scheme = s.scheme
	return strings.HasPrefix(u.Path, s.folder) || u.Path+"/" == s.folder
}

// folderAddress is the address of the scope's folder.
func (s scope) folderAddress() *url.URL {
	return &url.URL{Scheme: s.scheme, Host: s.host, Path: s.folder}
}

// below is the path of an address below the scope's folder, without a slash at its end.
func (s scope) below(u *url.URL) string {
	return strings.Trim(strings.TrimPrefix(u.Path+"/", s.folder), "/")
}
