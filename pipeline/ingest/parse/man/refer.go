package man

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
)

// mostPages is how many manual pages of a doc set references can lead to.
const mostPages = 200_000

// surveyPages finds the manual pages of a doc set by their names: "man8/lamp.8.gz" by "lamp(8)".
// Several pages have one name where a doc set has translations.
func surveyPages(files parse.Files) any {
	pages := map[string][]string{}
	for _, file := range files.List(".0", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".n", ".gz") {
		name := strings.TrimSuffix(path.Base(file), ".gz")
		section := strings.TrimPrefix(path.Ext(name), ".")
		if section == "" || section == "0" || len(pages) >= mostPages {
			continue
		}
		name = strings.TrimSuffix(name, "."+section) + "(" + section + ")"
		pages[name] = append(pages[name], file)
	}
	return pages
}

// pageNamed is the manual page of the doc set with a name such as "lamp(8)": of several the one that has the
// most folders in common with the page that refers to it, so that translations lead to translations,
// and the fewest others. It is "" without one, and for the page itself.
func (p *page) pageNamed(name string) string {
	if p.survey == nil {
		return ""
	}
	pages, _ := p.survey("manual pages", surveyPages).(map[string][]string)
	best, most := "", -1
	for _, file := range pages[name] {
		n := sharedFolders(p.file, file)
		if n > most || n == most && strings.Count(file, "/") < strings.Count(best, "/") {
			best, most = file, n
		}
	}
	if best == p.file {
		return ""
	}
	return best
}

// sharedFolders is how many folders two paths have in common from their beginning.
func sharedFolders(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// withReferences is the text of a paragraph in which names of manual pages that the doc set has are
// links to them.
func (p *page) withReferences(inline string) string {
	if p.survey == nil || p.section == "NAME" || p.section == "SYNOPSIS" {
		return inline
	}
	return build.LinkManualPages(inline, func(name string) string {
		if file := p.pageNamed(name); file != "" {
			return build.RelativePath(p.file, file)
		}
		return ""
	})
}
