package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// finish makes the result of a crawl: pages that are there twice are left out, and pages that
// are as they were come from the last fetch.
func (c *crawl) finish() (source.Fetched, error) {
	if len(c.records) == 0 {
		return source.Fetched{}, c.nothing()
	}
	if err := c.doubt(); err != nil {
		return source.Fetched{}, err
	}
	c.dropAliases()
	c.state.Pages, c.state.Left, c.state.Again = c.records, c.left, c.again
	c.describeSite()
	encoded, err := c.state.encode()
	if err != nil {
		return source.Fetched{}, err
	}
	digest := c.digestOfFiles()
	if c.unchanged() || digest == c.digest {
		return source.Fetched{State: encoded, Failed: c.failed, LeftOut: c.counts}, source.ErrUnchanged
	}
	for i := range c.records {
		r := &c.records[i]
		if c.same[r.Address] {
			if err := c.saved.linkUnchanged(r); err != nil {
				return source.Fetched{}, err
			}
		}
	}
	out := source.Fetched{
		Origin: source.Origin{Source: c.want.Address, Kind: source.KindSite, URL: c.state.Base,
			Version: c.state.Release, Digest: digest, Licence: cmp.Or(c.want.Licence, c.state.Licence), Fetched: c.client.Now().UTC(),
			Files: len(c.records), Bytes: c.bytes},
		Name: cmp.Or(c.want.Name, c.state.Name), Release: c.state.Release, Root: ".",
		URLBase: cmp.Or(c.want.URLBase, c.urlBase()), Failed: c.failed, LeftOut: c.counts, State: encoded}
	for _, r := range c.records {
		if r.Kind != kindHTML { // the others say it themselves
			out.Addresses = append(out.Addresses, source.FileAddress{File: r.File, Address: r.Address})
		}
	}
	for _, v := range c.found {
		if v != c.edition.version {
			out.Others = append(out.Others, c.state.Base+v+"/")
		}
	}
	if c.want.Version != "" {
		out.Source += "@" + c.want.Version
	}
	if c.state.Better != "" {
		out.Better = []string{c.state.Better}
	}
	slices.SortStableFunc(out.LeftOut, func(a, b source.LeftOut) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Reason, b.Reason))
	})
	return out, nil
}

// doubt is the error of an update that brought no pages, but errors: the last fetch stays.
func (c *crawl) doubt() error {
	switch {
	case c.before == nil:
	case c.kept*2 > len(c.records):
		return fmt.Errorf("%d of its %d pages could not be read: %w", c.kept, len(c.records), c.last)
	case c.uniform >= mostSameText:
		return &source.Error{Source: c.want.Address,
			Reason: "it answers with one text at many addresses that had pages of their own",
			Do:     "look at the site in a browser, and try again when it shows its pages"}
	}
	return nil
}

// nothing is the error of a site of which no page could be had.
func (c *crawl) nothing() error {
	e := &source.Error{Source: c.want.Address, Reason: "no page of documentation was found there",
		Do: "check the address in a browser, and give that of the documentation's first page"}
	switch {
	case c.scripts > 0:
		e.Reason = "its pages are made in the browser by scripts; what the server sends has no text"
		e.Do = "look for an archive or a repository of the documentation, and add that"
		if c.home != nil && c.home.repository != "" {
			e.Do = "add its repository, " + c.home.repository
		}
	case len(c.failed) > 0:
		first := c.failed[0]
		e.Reason = fmt.Sprintf("none of its %d pages could be read: %s: %s", len(c.failed), first.What, first.Reason)
	}
	return e
}

// repository is where most pages can be edited, "" where they do not say so. A single link to
// a repository may be one to any project.
func (c *crawl) repository() string {
	for _, address := range slices.Sorted(maps.Keys(c.repos)) {
		if address != "" && c.repos[address]*2 >= c.pages {
			return address
		}
	}
	return ""
}

// dropAliases leaves out the pages whose canonical address is that of another page with the
// same words. A canonical address alone proves nothing: on some sites every page names the
// first one.
func (c *crawl) dropAliases() {
	at := map[string]int{}
	for i, r := range c.records {
		if u, err := url.Parse(r.Address); err == nil {
			at[identity(u)] = i
		}
	}
	dropped := map[int]bool{}
	for i, r := range c.records {
		u, err := url.Parse(r.Canonical)
		if err != nil || r.Canonical == "" || r.Words == 0 || u.Host != c.scope.host {
			continue
		}
		if to, ok := at[identity(u)]; ok && to != i && !dropped[to] && c.records[to].Words == r.Words {
			dropped[i] = true
		}
	}
	kept := c.records[:0:0]
	for i, r := range c.records {
		if !dropped[i] {
			kept = append(kept, r)
			continue
		}
		if !c.same[r.Address] {
			c.saved.remove(r.File)
		}
		delete(c.same, r.Address)
		c.bytes -= r.Bytes
		c.count(leftAlias, r.Address)
		asked := cmp.Or(r.Asked, r.Address)
		c.left = append(c.left, leftRecord{Address: asked, Reason: leftAlias, Modified: r.Modified})
	}
	c.records = kept
}

// unchanged reports whether every page is as it was at the last fetch.
func (c *crawl) unchanged() bool {
	if c.before == nil || len(c.records) != len(c.before.Pages) {
		return false
	}
	for _, r := range c.records {
		if !c.same[r.Address] {
			return false
		}
	}
	return true
}

// digestOfFiles is the digest of all files with their names.
func (c *crawl) digestOfFiles() string {
	lines := make([]string, 0, len(c.records))
	for _, r := range c.records {
		lines = append(lines, r.File+" "+r.Digest+"\n")
	}
	slices.Sort(lines)
	sum := sha256.New()
	for _, l := range lines {
		sum.Write([]byte(l))
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// describeSite finds out what the site is called, and which release it documents.
func (c *crawl) describeSite() {
	name, release := c.siteTitle()
	if c.state.Name == "" {
		c.state.Name = cmp.Or(plainName(name), plainName(c.scope.host+strings.TrimSuffix(c.scope.folder, "/")))
	}
	if c.state.Release == "" {
		of := cmp.Or(c.want.Version, c.edition.version, versionOfPath(c.scope.folder), release)
		c.state.Release = cmp.Or(plainName(of), doc.DefaultVersion)
	}
	c.state.Licence, c.state.Better = cmp.Or(c.state.Licence, c.licence), cmp.Or(c.state.Better, c.repository())
}

// siteTitle is the site's name, and the number of a release behind it: as the site says it, or
// the part at the end of the titles of most pages.
func (c *crawl) siteTitle() (name, release string) {
	if c.home != nil && c.home.site != "" {
		return splitRelease(c.home.site)
	}
	best := ""
	for _, part := range slices.Sorted(maps.Keys(c.titles)) {
		if part != "" && c.titles[part] > c.titles[best] {
			best = part
		}
	}
	if best != "" && c.titles[best] >= 2 && c.titles[best]*2 >= len(c.records) {
		return splitRelease(best)
	}
	if c.home != nil && len(c.records) == 1 {
		return splitRelease(c.home.title)
	}
	return "", ""
}

// titleSigns stand between the title of a page and the name of its site.
var titleSigns = []string{" — ", " – ", " | ", " · ", " :: ", " » ", " • ", " - "}

// lastPart is the part of a title behind the last sign, "" where it has one part.
func lastPart(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	for _, sign := range titleSigns {
		if _, last, ok := cutLast(title, sign); ok {
			return last
		}
	}
	if _, last, ok := cutLast(title, " ("); ok && strings.HasSuffix(last, " API)") { // of javadoc
		return strings.TrimSuffix(last, " API)")
	}
	return ""
}

var releaseAtEnd = pattern.Lazy(`^(.*?)[\s,]+(?:version |v)?(\d+(?:\.\d+)*(?:[a-z.-]*\d*)?)$`)

// splitRelease takes the words "documentation" and the like and the number of a release from a
// title: "Lantern 2.1 documentation" is 2.1 of Lantern.
func splitRelease(title string) (name, release string) {
	name = strings.Join(strings.Fields(title), " ")
	for _, word := range []string{"documentation", "docs", "manual", "reference"} {
		if before, last, ok := cutLast(name, " "); ok && strings.EqualFold(last, word) {
			name = before
		}
	}
	if m := releaseAtEnd().FindStringSubmatch(name); m != nil && strings.Contains(m[2], ".") {
		return m[1], m[2]
	}
	return name, ""
}

func cutLast(text, sign string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sign)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sign):], true
}

// plainName makes a name of a doc set of a text.
func plainName(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:`, r) {
			return '-'
		}
		if r == '@' || r == ',' {
			return -1
		}
		return r
	}, plainText(text))
	if text = strings.Join(strings.Fields(text), " "); len(text) > 80 {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:80], ""))
	}
	if text = strings.Trim(text, "-. "); doc.CheckName(text) != nil {
		return ""
	}
	return text
}

// urlBase is the address below which the pages lie, as doc.PageURL takes it. On a site whose
// addresses have neither a slash nor an ending at their end, a page is {page}.
func (c *crawl) urlBase() string {
	bare, others := 0, 0
	for _, r := range c.records {
		u, err := url.Parse(r.Address)
		if err != nil {
			continue
		}
		switch {
		case u.Path+"/" == c.scope.folder || u.Path == c.scope.folder:
		case strings.HasSuffix(u.Path, "/"), path.Ext(u.Path) != "":
			others++
		default:
			bare++
		}
	}
	if base := c.state.Base; bare <= others || doc.CheckURLBase(base+doc.PagePlaceholder) != nil {
		return base
	} else {
		return base + doc.PagePlaceholder
	}
}

var creativeCommons = pattern.Lazy(`creativecommons\.org/(licenses|publicdomain)/([a-z+-]+)/([0-9.]+)`)

// licenceOf is the licence that a page states: its name where that is short, or its address.
func licenceOf(at *url.URL, href, text string) string {
	if m := creativeCommons().FindStringSubmatch(href); m != nil {
		if m[1] == "publicdomain" {
			return strings.ToUpper("cc0 " + m[3])
		}
		return "CC " + strings.ToUpper(m[2]) + " " + m[3]
	}
	text = strings.Join(strings.Fields(text), " ")
	if text != "" && len(text) <= 80 {
		return plainText(text)
	}
	if u, err := parseAddress(at, href, true); err == nil && href != "" {
		return u.String()
	}
	return ""
}

// plainText is a text without control characters.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= '\u200b' && r <= '\u200f' || r >= '\u2028' && r <= '\u202e' {
			return -1
		}
		return r
	}, text)
}
