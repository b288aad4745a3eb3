package site

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"docent/pipeline/source/web"
	"docent/pipeline/text/pattern"
)

var markdownLink = pattern.Lazy(`\[[^\]\n]{0,300}\]\(\s*<?([^)\s>]+)`)

// markdownLinks are the addresses that a page of Markdown links to.
func markdownLinks(text []byte) []string {
	var out []string
	for _, m := range markdownLink().FindAllSubmatch(text, -1) {
		if !bytes.HasPrefix(m[1], []byte("#")) {
			out = append(out, string(m[1]))
		}
	}
	return out
}

// isMarkdownAnswer reports whether an answer is a text and no page of HTML that a server
// gives for every address.
func isMarkdownAnswer(a *web.Answer) bool {
	switch mediaType(a.Type) {
	case "text/markdown", "text/x-markdown", "text/plain", "application/octet-stream", "":
	default:
		return false
	}
	text := bytes.TrimSpace(a.Body[:min(len(a.Body), 512)])
	text = bytes.ToLower(text)
	return len(text) > 0 && !bytes.HasPrefix(text, []byte("<!")) && !bytes.HasPrefix(text, []byte("<html"))
}

// The ways in which sites name the Markdown of a page.
const (
	twinNone    = ""
	twinAppend  = "append"  // /a/b.md of /a/b and /a/b/, /a/b.html.md of /a/b.html
	twinReplace = "replace" // /a/b.md of /a/b.html
	twinIndex   = "index"   // /a/b/index.md of /a/b/
)

var twinWays = []string{twinAppend, twinReplace, twinIndex}

// twinOf is the address of a page's Markdown, nil where the way has none for it.
func twinOf(page *url.URL, way string) *url.URL {
	u := *page
	u.RawPath, u.RawQuery = "", ""
	ending := strings.ToLower(path.Ext(u.Path))
	folder := strings.HasSuffix(u.Path, "/")
	switch {
	case page.RawQuery != "" || ending == ".md" || ending == ".txt":
		return nil
	case way == twinAppend && u.Path == "/":
		u.Path = "/index.md"
	case way == twinAppend:
		u.Path = strings.TrimSuffix(u.Path, "/") + ".md"
	case way == twinReplace && (ending == ".html" || ending == ".htm"):
		u.Path = u.Path[:len(u.Path)-len(ending)] + ".md"
	case way == twinReplace && folder, way == twinIndex && folder:
		u.Path += "index.md"
	case way == twinIndex && !hasPageEnding(u.Path):
		u.Path += "/index.md"
	default:
		return nil
	}
	return &u
}

// pageOfTwin is the address of the page whose Markdown lies at an address: one of the known
// addresses where there is one.
func pageOfTwin(twin *url.URL, known map[string]*url.URL) *url.URL {
	u := *twin
	u.RawPath = ""
	stem, ok := strings.CutSuffix(u.Path, ".md")
	if !ok {
		return twin
	}
	candidates := []string{stem, stem + ".html"}
	if folder, ok := strings.CutSuffix(stem, "/index"); ok {
		candidates = []string{folder + "/", stem + ".html"}
	}
	for _, c := range candidates {
		u.Path = c
		if page := known[identity(&u)]; page != nil {
			return page
		}
	}
	if hasPageEnding(stem) { // /a/b.html.md
		u.Path = stem
		return &u
	}
	return twin
}

func isMarkdownName(p string) bool {
	name := strings.ToLower(path.Base(p))
	return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown") || name == "llms.txt" ||
		name == "llms-full.txt"
}
