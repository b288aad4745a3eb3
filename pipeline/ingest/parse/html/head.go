package html

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// head is what a page says of itself.
type head struct {
	title       string // of <title>, site and all
	site        string // the site's name
	description string
	keywords    string
	generator   string
	address     string // where it lies on the web, absolute
	refresh     string // the target of a redirect
}

const maxMeta = 2000 // bytes of a description that are kept

// readHead reads <title>, <meta>, <link rel=canonical>, <base>, and the comments of
// programs that save pages.
func readHead(t tree) head {
	var h head
	var canonical, og, base string
	t.root.walkTree(func(n *node) bool {
		switch n.tag {
		case atom.Title:
			if h.title == "" && (n.parent == nil || n.parent.tag != atom.Svg) {
				h.title = n.firstWords(maxMeta)
			}
			return false
		case atom.Base:
			if base == "" {
				base = n.attribute("href")
			}
		case atom.Link:
			if strings.EqualFold(n.attribute("rel"), "canonical") && canonical == "" {
				canonical = n.attribute("href")
			}
		case atom.Meta:
			h.readMeta(n, &og)
		case atom.Pre, atom.P, atom.Table, atom.Ul, atom.Dl:
			return false // metadata stands in the head; a page has thousands of these
		}
		return true
	})
	if strings.HasSuffix(base, "/") { // a folder, below which pages lie
		canonical, base = against(base, canonical), ""
	}
	for _, a := range [...]string{canonical, og, savedAddress(t.comments), base} {
		if a = absolute(a); a != "" {
			h.address = a
			break
		}
	}
	return h
}

var refreshTarget = pattern.Lazy(`(?i)url=(.*)`)

func (h *head) readMeta(n *node, og *string) {
	name, content := strings.ToLower(n.attribute("name")), spacing.Single(n.attribute("content"))
	if len(content) > maxMeta {
		content = strings.ToValidUTF8(content[:maxMeta], "")
	}
	if strings.EqualFold(n.attribute("http-equiv"), "refresh") {
		if m := refreshTarget().FindStringSubmatch(content); m != nil {
			h.refresh = strings.Trim(m[1], `'" `)
		}
		return
	}
	if name == "" {
		name = strings.ToLower(n.attribute("property"))
	}
	switch name {
	case "description":
		h.description = content
	case "keywords":
		h.keywords = content
	case "generator":
		h.generator = content
	case "og:url":
		*og = content
	case "og:site_name", "application-name":
		h.site = content
	case "og:description":
		if h.description == "" {
			h.description = content
		}
	}
}

var (
	// <!-- saved from url=(0022)https://example.com/ --> of browsers
	savedFrom = regexp.MustCompile(`saved from url=\(\d+\)(\S+)`)
	// <!-- Mirrored from example.com/a.html by HTTrack Website Copier/3.x [XR&CO'2014], … -->
	mirrored = regexp.MustCompile(`Mirrored from (\S+) by HTTrack`)
	// <!-- Page saved with SingleFile url: https://example.com/ saved date: … -->
	singleFile = regexp.MustCompile(`(?s)Page saved with SingleFile\s+url:\s*(\S+)`)
)

// savedAddress is the address that a program which saves pages wrote into a comment.
func savedAddress(comments []string) string {
	for _, c := range comments {
		if m := savedFrom.FindStringSubmatch(c); m != nil {
			return m[1]
		}
		if m := singleFile.FindStringSubmatch(c); m != nil {
			return m[1]
		}
		if m := mirrored.FindStringSubmatch(c); m != nil {
			if strings.Contains(m[1], "://") {
				return m[1]
			}
			return "https://" + m[1]
		}
	}
	return ""
}

// attribution is the address of a page that DevDocs names below its text.
func attribution(page *node) string {
	a := page.findFirst(func(n *node) bool { return n.tag == atom.A && n.hasClass("_attribution-link") })
	if a == nil {
		return ""
	}
	return absolute(a.attribute("href"))
}

// absolute is an address on the web without its fragment, "" for another one.
func absolute(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return ""
	}
	if h := u.Hostname(); h == "localhost" || h == "127.0.0.1" || strings.HasSuffix(h, ".localhost") {
		return ""
	}
	u.Fragment = ""
	return u.String()
}

// against is an address that may be relative to another.
func against(base, address string) string {
	b, err := url.Parse(base)
	if err != nil || address == "" {
		return address
	}
	u, err := b.Parse(address)
	if err != nil {
		return ""
	}
	return u.String()
}

// separators stand between the title of a page and the name of its site.
var separators = [...]string{" — ", " – ", " | ", " · ", " :: ", " » ", " « ", " • ", " - "}

// pageTitle is a title without the site's name. With the page's own heading, it is the
// part of the title that is the heading.
func pageTitle(title, site string) string {
	title = spacing.Single(title)
	for _, sep := range separators {
		first, rest, ok := strings.Cut(title, sep)
		if !ok {
			continue
		}
		if site != "" && strings.EqualFold(strings.TrimSpace(first), site) {
			return pageTitle(rest, site)
		}
		if first = strings.TrimSpace(first); first != "" {
			return first
		}
	}
	return title
}

// titles finds the title of a page: its heading, unless that is the name of the site
// which stands above every page. other is what it is called besides, for search.
func (h head) titles(heading string) (title, other string) {
	own := pageTitle(h.title, h.site)
	switch {
	case heading == "":
		return own, ""
	case own == "" || strings.EqualFold(own, heading):
		return heading, ""
	case h.siteName(heading):
		return own, ""
	}
	return heading, own
}

// siteName reports whether a heading is that of the site: "Lantern", where <title> is
// "Installing | Lantern".
func (h head) siteName(heading string) bool {
	if strings.EqualFold(heading, h.site) {
		return true
	}
	_, rest, ok := strings.Cut(h.title, pageTitle(h.title, h.site))
	return ok && strings.EqualFold(strings.Trim(rest, " —–|·:»«•-"), heading)
}
