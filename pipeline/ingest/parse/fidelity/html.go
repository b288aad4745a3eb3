package fidelity

import (
	"bytes"
	"strings"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// inlineTags are the elements whose ends do not end a word.
var inlineTags = spacing.WordSet("abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s " +
	"samp small span strike strong " +
	"time tt u var wbr")

// voidTags are the elements of HTML without an end.
var voidTags = spacing.WordSet("area base br col embed hr img input link meta param source track wbr")

// rawTags are the elements of HTML whose text is not the page's, up to the tag that ends them.
var rawTags = spacing.WordSet("script style template noscript svg iframe object select button textarea datalist " +
	"canvas audio video head title dialog")

// siteTags are the elements around a page that belong to its site.
var siteTags = spacing.WordSet("nav footer menu form")

// siteNames are the classes, ids and roles of elements that belong to the site.
var siteNames = spacing.WordSet("nav navbar navigation navheader navfooter nav-panel navpanel breadcrumb breadcrumbs " +
	"crumbs sidebar sphinxsidebar " +
	"tsd-navigation tsd-index-panel tsd-generator tsd-page-toolbar " + // of TypeDoc
	"sidenav toc tableofcontents footer page-footer site-footer menu menubar related search searchbox headerlink topbar topnav bottomnav " +
	"subnav skip copyright pagination pager prevnext edit feedback cookie printfooter catlinks navbox mw-editsection banner toolbar " +
	"contentinfo linenos lineno linenodiv skip-nav sr-only visually-hidden table_of_contents short-table-of-contents contents_toc " +
	"shortcontents permalink anchor-link hash-link summary-mw-link header-anchor navrow navpath ttc line-numbers")

// pageOf is the part of HTML that has the page's text: what the site says is the main part
// of it, or all of it.
func pageOf(src []byte) (start int, found bool) {
	for _, mark := range []string{"<main", `role="main"`} {
		if i := bytes.Index(src, []byte(mark)); i >= 0 {
			return bytes.LastIndexByte(src[:i+1], '<'), true
		}
	}
	return 0, false
}

// shortcode is a tag of Hugo's in a page of HTML with front matter.
var shortcode = pattern.Lazy(`\{\{(?:<[^<>]*>|%[^%]*%)\}\}`)

// withoutFront is a page of a site's source without its front matter, and without the tags that come with it.
func withoutFront(src []byte) []byte {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(src, "\r\n "), []byte("---"))
	if !ok {
		return src
	}
	_, page, ok := bytes.Cut(rest, []byte("\n---"))
	if !ok {
		return src
	}
	return shortcode().ReplaceAll(page, []byte(" "))
}

// scanHTML takes the words of a page of HTML, without the parts of its site.
func scanHTML(t *tally, src []byte) {
	main, inMain := hidden{}, false
	src = withoutFront(src)
	if start, found := pageOf(src); found && start >= 0 {
		src, inMain = src[start:], true
	}
	over := false
	var out hidden
	scanTags(src, func(text []byte) {
		if out.depth == 0 && !over {
			t.addText(text)
		}
	}, func(tag tag, rest []byte) int {
		if over {
			return len(rest)
		}
		if !inlineTags[tag.name] {
			t.endWord()
		}
		if inMain {
			if main.depth == 0 {
				main.hide(tag)
				return 0
			}
			if main.isInside(tag); main.depth == 0 {
				over = true
				return len(rest)
			}
		}
		switch {
		case out.isInside(tag), tag.closes, voidTags[tag.name]:
		case rawTags[tag.name]:
			return lengthToEnd(rest, tag.name)
		case isSite(tag):
			out.hide(tag)
		}
		return 0
	})
}

// lengthToEnd is the length of a text up to the tag that ends an element; all of it where
// that is missing.
func lengthToEnd(rest []byte, name string) int {
	for at := 0; ; {
		i := bytes.Index(rest[at:], []byte("</"))
		if i < 0 {
			return len(rest)
		}
		at += i
		if after := at + 2 + len(name); after <= len(rest) && bytes.EqualFold(rest[at+2:after], []byte(name)) {
			return at
		}
		at += 2
	}
}

// isSite reports whether a tag opens an element that is not shown or belongs to the site.
func isSite(t tag) bool {
	if siteTags[t.name] {
		return true
	}
	if len(t.attrs) == 0 {
		return false
	}
	if bytes.HasSuffix(t.attrs, []byte(" hidden")) || t.attribute("aria-hidden") == "true" || t.attribute("hidden") == "hidden" ||
		strings.Contains(strings.ReplaceAll(t.attribute("style"), " ", ""), "display:none") {
		return true
	}
	if t.attribute("class") == "header" && t.name == "div" && t.attribute("id") == "" { // the links above a section of Texinfo
		return true
	}
	for _, name := range []string{"class", "id", "role"} {
		for _, word := range strings.Fields(t.attribute(name)) {
			if siteNames[strings.ToLower(word)] {
				return true
			}
		}
	}
	return false
}
