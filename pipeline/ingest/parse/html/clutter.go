package html

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// skipped reports whether an element is never read: it is not shown, or it is no text.
func skipped(n *node) bool {
	switch n.tag {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Noembed, atom.Noframes, atom.Svg, atom.Iframe, atom.Object,
		atom.Embed, atom.Canvas,
		atom.Head, atom.Title, atom.Link, atom.Meta, atom.Base, atom.Button, atom.Select, atom.Textarea, atom.Datalist, atom.Rp,
		atom.Audio, atom.Video, atom.Map, atom.Area:
		return true
	case atom.Dialog:
		return !n.hasAttribute("open")
	case atom.A:
		if permalink(n) {
			return true
		}
	}
	if len(n.attrs) == 0 {
		return false
	}
	// The panels of tabs are shown one at a time.
	if n.hasAttribute("hidden") && n.attribute("role") != "tabpanel" && n.attribute("hidden") != "until-found" ||
		n.attribute("aria-hidden") == "true" {
		return true
	}
	if style := n.attribute("style"); style != "" {
		style = strings.ToLower(strings.ReplaceAll(style, " ", ""))
		if (strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")) && n.attribute("role") != "tabpanel" {
			return true
		}
	}
	if n.hasClass("sub-title") && n.findFirst(func(c *node) bool { return headingLevel(c) > 0 }) != nil {
		return false // a part of the help that javadoc writes, and not the title of a package
	}
	return n.hasClass("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "mw-editsection", "noprint", "linenos",
		"lineno", "linenodiv", "headerlink", "out-of-band", "hideme", "rightside", "tooltip", "sub-heading", "sub-title", "ttc", "boring",
		"ingroups", "tsd-navigation", "tsd-index-panel")
}

// permalink reports whether a link is the sign next to a heading that shows its address.
func permalink(n *node) bool {
	if n.hasClass("headerlink", "hash-link", "header-anchor", "anchorjs-link", "permalink", "self-link", "doc-anchor", "heading-anchor",
		"anchor-link", "rule-link") {
		return true
	}
	href := n.attribute("href")
	if !strings.HasPrefix(href, "#") || n.first == nil {
		return false
	}
	switch n.firstWords(16) {
	case "¶", "#", "§", "\U0001f517", "◆", "⚓", "∞", "◆\u00a0", "\u200b":
		return true
	case "":
		return n.findFirst(func(c *node) bool { return c.tag == atom.Img && c.attribute("alt") != "" }) == nil
	}
	return false
}

// measure sets what a tree below each node has, and which parts of it are clutter. The
// deepest nodes come first.
func measure(root *node) {
	at := root
	inLink := 0
	for {
		// Down, to the left.
		for {
			if skipped(at) {
				at.out = true
			}
			if at.isText() {
				at.size = visibleBytes(at.text)
				if inLink > 0 {
					at.linked = at.size
				}
			}
			if at.tag == atom.Img {
				at.size = visibleBytes(at.attribute("alt"))
			}
			if at.tag == atom.A {
				inLink++
			}
			if at.out || at.first == nil {
				break
			}
			at = at.first
		}
		// Up, until there is a way to the right.
		for {
			if at.tag == atom.A {
				inLink--
			}
			sumChildren(at)
			if at == root {
				return
			}
			if at.next != nil {
				at = at.next
				break
			}
			at = at.parent
		}
	}
}

// sumChildren adds up the children of a node.
func sumChildren(n *node) {
	for c := n.first; c != nil && !n.out; c = c.next {
		if c.out {
			continue
		}
		n.size += c.size
		n.linked += c.linked
		n.links += c.links
		n.here += c.here
		n.blocks = n.blocks || c.blocks || isBlock(c)
		n.core = n.core || c.core || c.isTag(atom.Main, atom.Article) || c.attribute("role") == "main"
		n.h1 = n.h1 || c.h1 || c.tag == atom.H1
		if n.head == nil {
			if n.head = c.head; headingLevel(c) > 0 {
				n.head = c
			}
		}
	}
	if href := n.attribute("href"); n.tag == atom.A && href != "" {
		n.links++
		if href[0] == '#' {
			n.here++
		}
	}
	if !n.isText() && !n.out && clutter(n) {
		n.out = true
	}
}

// visibleBytes is the number of bytes of a text that are not white space.
func visibleBytes(s string) int {
	n := 0
	for i := range len(s) {
		if !isSpace(s[i]) {
			n++
		}
	}
	return n
}

// density is the share of an element's text that stands in links.
func (n *node) density() float64 {
	if n.size == 0 {
		return 0
	}
	return float64(n.linked) / float64(n.size)
}

// mostRemark is the length of the longest short remark next to the text, such as "Edit
// this page".
const mostRemark = 160

// mostFooter is the length of the longest footer without a heading, in bytes.
const mostFooter = 1500

// clutter reports whether an element belongs to the site and not to the page: navigation,
// headers and footers, tables of contents, remarks. An element with a heading is content,
// unless nearly all of it is links.
func clutter(n *node) bool {
	if n.core {
		return false
	}
	linky := n.density() > 0.5
	switch n.tag {
	case atom.Nav, atom.Menu:
		return true
	case atom.Footer:
		return n.parent == nil || n.parent.tag != atom.Blockquote
	case atom.Header, atom.Hgroup:
		return n.head == nil
	case atom.Form:
		return n.size < mostRemark || linky
	case atom.Body, atom.Html, atom.Main, atom.Pre, atom.Code:
		return false
	}
	switch n.attribute("role") {
	case "navigation", "contentinfo", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog", "tablist", "directory", "doc-toc",
		"doc-index":
		return true
	case "banner", "complementary":
		return n.head == nil || linky
	}
	if !isBlock(n) && n.name == "" {
		return false
	}
	if linksOnly(n) {
		return true
	}
	if n.head != nil && !linky {
		return false
	}
	if headingLevel(n) > 0 && n.attribute("id") != "" {
		return false // Docusaurus names headings that make way for its navbar after that
	}
	if n.hasClass("footer", "page-footer", "site-footer", "copyright-footer") || n.attribute("id") == "footer" {
		return n.size < mostFooter // the licence of the documentation, as below each page of Qt
	}
	if n.size < mostRemark || linky {
		return clutterWord(n.attribute("class"), linky) || n.size < mostRemark && remark(n)
	}
	return false
}

// clutterWords are parts of the names of elements around a text; true if the word
// suffices even for an element with a few words outside of links.
var clutterWords = map[string]bool{
	"nav": false, "navbar": true, "navigation": false, "navheader": true, "navfooter": true, "navpanel": true, "breadcrumb": true,
	"breadcrumbs": true,
	"crumbs":      true, "toc": false, "tableofcontents": false, "sidebar": false, "sidenav": false, "menu": false, "menubar": true,
	"pagination": true,
	"pager":      true, "prevnext": true, "footer": true, "cookie": true, "cookies": true, "consent": true, "gdpr": true, "skip": true,
	"skiplink": true,
	"search":   true, "searchbox": true, "edit": true, "editlink": true, "feedback": true, "rating": true, "share": true, "social": true,
	"promo": true, "advert": true, "ads": true, "sponsor": true, "newsletter": true, "related": false, "banner": true, "topbar": true,
	"toolbar": true, "copybtn": true, "clipboard": true, "noprint": true, "printfooter": true, "catlinks": true, "navbox": true,
	"permalink": true,
	"lastmod":   true, "backtotop": true, "navigationbar": true, "tagline": true, "masthead": true,
}

// clutterWord reports whether one of an element's classes has a part that names clutter:
// "page-nav", "navLinks", "bd_toc". linky says that it is links above all.
func clutterWord(class string, linky bool) bool {
	start, lower := 0, false
	for i := 0; i <= len(class); i++ {
		c := byte(' ')
		if i < len(class) {
			c = class[i]
		}
		upper := c >= 'A' && c <= 'Z'
		if part := c == ' ' || c == '-' || c == '_' || isSpace(c); part || upper && lower {
			if sure, is := clutterWords[strings.ToLower(class[start:i])]; is && (sure || linky) {
				return true
			}
			start = i
			if part {
				start = i + 1
			}
		}
		lower = c >= 'a' && c <= 'z'
	}
	return false
}

// linksOnly reports whether a list is a table of contents: all of it leads to places of the
// same page.
func linksOnly(n *node) bool {
	if !n.isTag(atom.Ul, atom.Ol, atom.Dl, atom.Div, atom.P, atom.Table, atom.Section, atom.Aside) || n.links < 3 || n.size == 0 ||
		float64(n.linked) < 0.8*float64(n.size) {
		return false
	}
	return n.here*10 >= n.links*9
}

// remark reports whether a short block is one of those that sites put around texts.
func remark(n *node) bool {
	text := strings.ToLower(n.firstWords(mostRemark))
	for _, r := range remarks {
		if strings.HasPrefix(text, r) {
			return true
		}
	}
	if n.links >= 2 && n.density() > 0.5 {
		return neighbours(text)
	}
	return false
}

// neighbours reports whether words are those of links to the pages before and after.
func neighbours(text string) bool {
	for _, first := range [...]string{"next:", "previous:", "up:"} { // as of Texinfo, on one line
		if strings.HasPrefix(text, first) && strings.Contains(text, "[contents") {
			return true
		}
	}
	found := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch w {
		case "next", "prev", "previous", "up", "home":
			found++
		}
	}
	return found >= 2
}

var remarks = [...]string{"edit this page", "edit on github", "edit on gitlab", "view page source", "view source", "show source",
	"improve this page", "suggest an edit",
	"suggest edits", "report an issue with this", "report a bug in this", "was this page helpful", "was this helpful",
	"did you find this page helpful", "last updated",
	"last modified", "last update:", "page last", "back to top", "skip to", "jump to", "on this page", "in this article",
	"table of contents", "you need javascript",
	"javascript is disabled", "please enable javascript", "copyright ©", "© ", "copyright (c)", "generated by doxygen", "built with",
	"made with sphinx", "created using sphinx",
	"scroll to top", "print this page", "loading..."}
