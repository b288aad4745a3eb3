package site

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"docent/pipeline/text/pattern"
)

// Bounds of reading a page.
const (
	mostPage  = 16 << 20 // bytes
	mostLinks = 5000
	mostText  = 2 << 20 // bytes of text that are compared
	fewWords  = 15      // of a page that scripts fill
)

// page holds where a page leads, and how it describes itself.
type page struct {
	title, site, language string
	canonical, base       string
	refresh               string // the target of a redirect
	links                 []string
	alternates            []string // "de https://…": the page in other languages
	markdown              string   // the page as Markdown
	licence, licenceText  string
	repository            string // where the page can be edited
	scripts               int
	root                  bool // an element in which scripts write a page
	words                 sketch
}

// mediaType is a content type without its parameters, in lower case.
func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// toUTF8 brings a page to UTF-8 where it is in another encoding, which the server or the page
// itself names. A byte order mark then says so, in the place of both.
func toUTF8(body []byte, contentType string) []byte {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["charset"] == "" {
		if utf8.Valid(body) {
			return body
		}
	}
	encoding, name, certain := charset.DetermineEncoding(body, contentType)
	if name == "utf-8" || !certain && utf8.Valid(body) {
		return body
	}
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		return body
	}
	return append([]byte("\xef\xbb\xbf"), bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))...)
}

// reader reads the tokens of a page.
type reader struct {
	page
	text  strings.Builder
	own   strings.Builder // the text outside of links and of the parts around the page's own
	apart int             // open elements of that kind
	tags  []atom.Atom     // open elements whose text is not the page's
	title bool            // inside <title>
	// licence is the link in which the licence's name stands.
	licence bool
}

// readPage reads a page of HTML in UTF-8.
func readPage(src []byte) page {
	var r reader
	z := html.NewTokenizer(bytes.NewReader(src))
	z.SetMaxBuf(1 << 20)
	for {
		switch z.Next() {
		case html.ErrorToken:
			r.words = sketchOf(r.text.String(), r.own.String())
			return r.page
		case html.TextToken:
			r.readText(z.Text())
		case html.StartTagToken:
			name, more := z.TagName()
			r.open(atom.Lookup(name), attributesOf(z, more))
		case html.SelfClosingTagToken:
			name, more := z.TagName()
			if tag := atom.Lookup(name); tag != atom.Svg {
				r.open(tag, attributesOf(z, more))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			r.close(atom.Lookup(name))
		}
	}
}

func attributesOf(z *html.Tokenizer, more bool) map[string]string {
	var all map[string]string
	for more && len(all) < 40 {
		var key, value []byte
		key, value, more = z.TagAttr()
		if all == nil {
			all = map[string]string{}
		}
		if _, twice := all[string(key)]; !twice {
			all[string(key)] = string(value)
		}
	}
	return all
}

// unread are the elements whose text a reader does not see.
func unread(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Iframe:
		return true
	}
	return false
}

func (r *reader) readText(text []byte) {
	switch {
	case r.title:
		if len(r.page.title) < 500 {
			r.page.title += string(text)
		}
	case len(r.tags) == 0 && r.text.Len() < mostText:
		r.text.Write(text)
		r.text.WriteByte(' ')
		if r.apart == 0 {
			r.own.Write(text)
			r.own.WriteByte(' ')
		}
		if r.licence && len(r.licenceText) < 200 {
			r.licenceText += string(text)
		}
	}
}

// isApart reports whether an element is a link, or a part around the text of a page.
func isApart(tag atom.Atom) bool {
	return tag == atom.A || tag == atom.Nav || tag == atom.Footer || tag == atom.Aside
}

func (r *reader) close(tag atom.Atom) {
	if isApart(tag) && r.apart > 0 {
		r.apart--
	}
	switch {
	case tag == atom.Title:
		r.title = false
	case tag == atom.A:
		r.licence = false
	case len(r.tags) > 0 && tag == r.tags[len(r.tags)-1]:
		r.tags = r.tags[:len(r.tags)-1]
	}
}

func (r *reader) open(tag atom.Atom, a map[string]string) {
	if unread(tag) && len(r.tags) < 100 {
		r.tags = append(r.tags, tag)
	}
	if isApart(tag) {
		r.apart++
	}
	switch tag {
	case atom.Title:
		r.title = len(r.tags) == 0 && r.page.title == ""
	case atom.Html:
		r.language = a["lang"]
	case atom.Body:
		r.tags = r.tags[:0] // what the head left open ends here
	case atom.Base:
		if r.base == "" {
			r.base = a["href"]
		}
	case atom.Script:
		r.scripts++
	case atom.Div, atom.Main:
		switch a["id"] {
		case "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "docs-app", "main-app":
			r.root = true
		}
	case atom.A, atom.Area:
		r.openLink(a)
	case atom.Frame, atom.Iframe:
		r.addLink(a["src"])
	case atom.Link:
		r.openRelation(a)
	case atom.Meta:
		r.openMeta(a)
	}
}

func (r *reader) addLink(address string) {
	if address = strings.TrimSpace(address); address != "" && address[0] != '#' && len(r.links) < mostLinks {
		r.links = append(r.links, address)
	}
}

func (r *reader) openLink(a map[string]string) {
	r.addLink(a["href"])
	if hasWord(a["rel"], "license") && r.page.licence == "" {
		r.page.licence, r.licence = a["href"], true
	}
	if r.repository == "" {
		r.repository = repositoryOf(a["href"])
	}
}

func (r *reader) openRelation(a map[string]string) {
	rel, href := a["rel"], strings.TrimSpace(a["href"])
	switch {
	case href == "":
	case hasWord(rel, "canonical"):
		if r.canonical == "" {
			r.canonical = href
		}
	case hasWord(rel, "license"):
		if r.page.licence == "" {
			r.page.licence = href
		}
	case hasWord(rel, "alternate") && mediaType(a["type"]) == "text/markdown":
		r.markdown = href
	case hasWord(rel, "alternate") && a["hreflang"] != "":
		if len(r.alternates) < 200 {
			r.alternates = append(r.alternates, a["hreflang"]+" "+href)
		}
	default:
		for _, word := range []string{"next", "prev", "up", "index", "contents"} {
			if hasWord(rel, word) {
				r.addLink(href)
				return
			}
		}
	}
}

var refreshTarget = pattern.Lazy(`(?i)url\s*=\s*(.+)`)

func (r *reader) openMeta(a map[string]string) {
	content := a["content"]
	if strings.EqualFold(a["http-equiv"], "refresh") && r.refresh == "" && len(r.tags) == 0 {
		if m := refreshTarget().FindStringSubmatch(content); m != nil {
			r.refresh = strings.Trim(m[1], `'" `)
		}
	}
	name := strings.ToLower(a["name"] + a["property"])
	if (name == "og:site_name" || name == "application-name") && r.site == "" && len(content) < 200 {
		r.site = strings.TrimSpace(content)
	}
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(list)) {
		if w == word {
			return true
		}
	}
	return false
}

// madeByScripts reports whether a page has no text of its own, and scripts that write it.
func (p *page) madeByScripts() bool {
	most := fewWords
	if p.root {
		most = 2 * fewWords
	}
	return p.scripts > 0 && p.words.Words < most && len(p.links) < 3
}

// repositoryOf is the repository in which a link "Edit this page" lets a page be changed.
func repositoryOf(href string) string {
	for _, host := range []string{"github.com", "gitlab.com", "codeberg.org", "bitbucket.org"} {
		rest, ok := strings.CutPrefix(href, "https://"+host+"/")
		if !ok {
			continue
		}
		parts := strings.Split(rest, "/")
		for i := 2; i < len(parts) && i < 6; i++ {
			if parts[i] == "edit" || parts[i] == "blob" || parts[i] == "tree" || parts[i] == "_edit" {
				return fmt.Sprintf("https://%s/%s", host, strings.TrimSuffix(strings.Join(parts[:i], "/"), "/-"))
			}
		}
	}
	return ""
}
