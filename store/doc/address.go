package doc

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Placeholders of a url_base. Without one, a page's address is url_base/page/, and that
// of a page of HTML, which lies on the web as it does here, url_base/file.
const (
	// PagePlaceholder stands for the page's path without its ending; an index page
	// has that of its folder.
	PagePlaceholder = "{page}"
	// SlugPlaceholder is PagePlaceholder in lower case, with dashes for blanks.
	SlugPlaceholder = "{slug}"
	// FilePlaceholder stands for the page's path.
	FilePlaceholder = "{file}"
)

// CheckURLBase checks a url_base: an http or https URL, with or without a placeholder.
func CheckURLBase(base string) error {
	u, err := url.Parse(strings.NewReplacer("{", "", "}", "").Replace(base))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(base, " \t\r\n<>\""):
		return fmt.Errorf("%q is no http or https URL", base)
	case u.User != nil:
		return fmt.Errorf("%q holds a user name or password, which would stand in every citation", base)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q has a query or an anchor; give the address below which the pages lie", base)
	}
	for rest := base; ; {
		_, after, ok := strings.Cut(rest, "{")
		if !ok {
			return nil
		}
		name, after, ok := strings.Cut(after, "}")
		if p := "{" + name + "}"; !ok || p != PagePlaceholder && p != SlugPlaceholder && p != FilePlaceholder {
			return fmt.Errorf("%q has {%.20s; the placeholders are %s, %s and %s", base, name, PagePlaceholder, SlugPlaceholder,
				FilePlaceholder)
		}
		rest = after
	}
}

// PageURL is the address of a page on its web site, "" where base is "". file is its
// path in the doc set. permalink is what the page says of its place: "" nothing, "/a/b"
// its path on the host, "~/a/b" its path below the base, "b" in place of the last part
// of its path.
func PageURL(base, file, permalink string) string {
	base, _ = SplitSite(base)
	if base == "" {
		return ""
	}
	if strings.HasPrefix(permalink, "/") {
		if u, err := url.Parse(strings.NewReplacer("{", "", "}", "").Replace(base)); err == nil {
			return u.Scheme + "://" + u.Host + escapePath(permalink)
		}
		return ""
	}
	page := strings.TrimSuffix(file, path.Ext(file))
	if !strings.Contains(base, "{") {
		base = strings.TrimRight(base, "/") + "/"
		if isHTML(file) && strings.ToLower(path.Base(page)) != "index" {
			base += FilePlaceholder
		} else {
			base += PagePlaceholder + "/"
		}
	}
	index := false
	switch strings.ToLower(path.Base(page)) {
	case "index", "_index", "readme":
		page, index = strings.TrimPrefix(path.Dir(page), "."), true
	}
	if below, ok := strings.CutPrefix(permalink, "~/"); ok {
		page, index = strings.Trim(below, "/"), strings.Trim(below, "/") == ""
	} else if permalink != "" {
		page = strings.TrimPrefix(path.Join(path.Dir(page), permalink), "./")
	}
	slug := strings.ReplaceAll(strings.ToLower(page), " ", "-")
	if index {
		// page.html is folder/index.html of an index page.
		for _, p := range [...]string{PagePlaceholder, SlugPlaceholder} {
			if strings.HasSuffix(base, p+".html") {
				page, slug = strings.TrimPrefix(page+"/index", "/"), strings.TrimPrefix(slug+"/index", "/")
			}
		}
		if page == "" { // of the doc set's own folder: no empty part between two slashes
			base = strings.NewReplacer(PagePlaceholder+"/", "", SlugPlaceholder+"/", "").Replace(base)
		}
	}
	return strings.NewReplacer(PagePlaceholder, escapePath(page), SlugPlaceholder, escapePath(slug), FilePlaceholder,
		escapePath(file)).Replace(base)
}

// JoinSite is an address with the name of the program that makes the web site there, as a catalog
// keeps both: an address below which pages lie has no anchor.
func JoinSite(base, generator string) string {
	if base == "" || generator == "" {
		return base
	}
	return base + "#" + generator
}

// SplitSite undoes JoinSite.
func SplitSite(site string) (base, generator string) {
	base, generator, _ = strings.Cut(site, "#")
	return base, generator
}

// isHTML reports whether a file is what a browser shows.
func isHTML(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".html", ".htm", ".xhtml", ".shtml", ".xht":
		return true
	}
	return false
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// WithAnchor is a page's address with the anchor of a section; the address itself
// where there is no anchor, or no address.
func WithAnchor(address, anchor string) string {
	if address == "" || anchor == "" {
		return address
	}
	address, _, _ = strings.Cut(address, "#")
	return address + "#" + (&url.URL{Fragment: anchor}).EscapedFragment()
}
