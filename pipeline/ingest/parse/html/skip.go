package html

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// Why pages are left out.
const (
	linksAlone = "it only lists links to other pages"
	notFound   = "it says that another page was not found"
	names      = "it is an index of names, which a search is for"
	searching  = "it is the site's search, which needs its server or scripts"
	listing    = "it shows source code, not documentation"
	allAgain   = "it has the texts of all other pages once more"
)

// useless says why a page is left out, "" for one that has something to read: pages of a
// site that only machines or its scripts use, and lists of links to all of it. file is
// its path.
func useless(t tree, h head, s source, file string) string {
	title := strings.ToLower(pageTitle(h.title, h.site))
	body := t.root.findFirst(func(n *node) bool { return n.tag == atom.Body })
	if body == nil {
		body = t.root
	}
	switch {
	case h.refresh != "" && body.size < 400 && body.head == nil:
		return fmt.Sprintf("it only leads to another page, %s", h.refresh)
	case h.refresh != "" && body.size < 200:
		return fmt.Sprintf("it only leads to another page, %s", h.refresh)
	case t.root.findFirst(func(n *node) bool { return n.tag == atom.Frameset }) != nil:
		return "it only shows other pages, in frames"
	case s.front.title == "" && (template(h, s.text, t) || inTemplates(file) && templateSigns(s.text)):
		return "it is a template from which pages are made, not a page"
	case body.size == 0:
		return "it has no text; a page that scripts write must be saved as the browser shows it"
	}
	if strings.HasPrefix(title, "404") || strings.HasPrefix(title, "page not found") || title == "not found" || title == "error 404" {
		return notFound
	}
	classes := body.attribute("class")
	switch {
	case generated(body, "index-page", "split-index-page", "all-classes-index-page", "all-packages-index-page"):
		return names
	case generated(body, "tree-page", "package-tree-page", "package-use-page", "class-use-page"):
		return linksAlone
	case generated(body, "search-page", "search-results-page", "SRPage"):
		return searching
	case strings.Contains(classes, "rustdoc") && (body.hasClass("src", "source")):
		return listing
	}
	if t.root.findFirst(func(n *node) bool {
		return n.hasClass("indextable", "genindextable", "modindextable", "domainindex-table")
	}) != nil {
		return names
	}
	if strings.HasPrefix(h.generator, "Doxygen") {
		for _, suffix := range [...]string{" class index", " class members", " file members", " namespace members", " member list",
			" data structure index", " data fields", " globals"} {
			if strings.HasSuffix(title, suffix) {
				return names
			}
		}
		if strings.HasSuffix(title, " source file") {
			return listing
		}
	}
	words := body.size < 2500
	switch {
	case words && (title == "search" || strings.HasPrefix(title, "search results") ||
		t.root.findFirst(func(n *node) bool { return n.attribute("id") == "search-results" }) != nil) && searches(t):
		return searching
	case mdBook(t, file, "toc.html"):
		return linksAlone
	case mdBook(t, file, "print.html"), body.attribute("id") == "api-section-all" && body.hasClass("apidoc"): // and of Node.js
		return allAgain
	case strings.HasPrefix(title, "list of all items in this crate"):
		return names
	case strings.HasPrefix(h.title, "Overview: module code") ||
		t.root.findFirst(func(n *node) bool { return n.tag == atom.H1 && strings.HasPrefix(n.firstWords(40), "Source code for ") }) != nil:
		return listing
	}
	return ""
}

// generated reports whether javadoc named the kind of a page.
func generated(body *node, classes ...string) bool { return body.hasClass(classes...) }

// mdBook reports whether a page is one that mdBook writes besides those of a book.
func mdBook(t tree, file, name string) bool {
	return path.Base(file) == name && slices.ContainsFunc(t.comments,
		func(c string) bool { return strings.Contains(c, "generated using mdBook") })
}

// searches reports whether a page has a field to search with.
func searches(t tree) bool {
	return t.root.findFirst(func(n *node) bool {
		return n.tag == atom.Form || n.tag == atom.Input || n.attribute("id") == "search-results"
	}) != nil
}

// inTemplates reports whether a file lies in a folder in which generators of sites look for
// templates, which are whole pages there.
func inTemplates(file string) bool {
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		switch part {
		case "_templates", "_themes", "_theme", "_layouts", "_includes":
			return true
		}
	}
	return false
}

// templateSigns reports whether a text has signs of a template language.
func templateSigns(b []byte) bool {
	for _, sign := range [...]string{"{{", "{%", "<%", "<?php"} {
		if bytes.Contains(b, []byte(sign)) {
			return true
		}
	}
	return false
}

// template reports whether a page is one of a template language: it is a part of a page, or
// its title is computed, and it has the signs of Go's, Jinja's, Liquid's, ERB's or PHP's
// templates.
func template(h head, src []byte, t tree) bool {
	signs := templateSigns
	if signs([]byte(h.title)) || bytes.HasPrefix(bytes.TrimSpace(src), []byte("{{")) ||
		bytes.HasPrefix(bytes.TrimSpace(src), []byte("{%")) {
		return true
	}
	whole := h.title != "" || t.root.findFirst(func(n *node) bool { return n.tag == atom.Body }) != nil
	if whole || !signs(src) {
		return false
	}
	// A part with much text that mentions such a sign is text.
	found := false
	t.root.walkTree(func(n *node) bool {
		if n.isTag(atom.Pre, atom.Code, atom.Script, atom.Style) {
			return false
		}
		found = found || signs([]byte(n.text)) || signs([]byte(n.attribute("href"))) || signs([]byte(n.attribute("class"))) ||
			signs([]byte(n.attribute("src")))
		return !found
	})
	return found && t.root.size < 4000
}
