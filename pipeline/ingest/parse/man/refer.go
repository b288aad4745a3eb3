package man

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
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

// reference is the name of a manual page with its section, in an inline: the name may be marked.
var reference = pattern.Lazy("(`|\\*\\*|\\*)?([A-Za-z_][\\w.:+-]{0,80})(`|\\*\\*|\\*)?\\(([1-9][a-z]{0,4}|n)\\)")

// withReferences is the text of a paragraph in which names of manual pages that the doc set has are
// links to them.
func (p *page) withReferences(inline string) string {
	if p.survey == nil || p.section == "NAME" || p.section == "SYNOPSIS" || !mayRefer(inline) || strings.Contains(inline, "](") {
		return inline
	}
	var b strings.Builder
	done := 0
	for _, m := range reference().FindAllStringSubmatchIndex(inline, -1) {
		mark, end := inline[max(0, m[2]):max(0, m[3])], inline[max(0, m[6]):max(0, m[7])]
		before := byte(' ')
		if m[0] > 0 {
			before = inline[m[0]-1]
		}
		if mark != end || before == '\\' || isNameByte(before) || strings.Count(inline[done:m[0]], "`")%2 == 1 {
			continue // a part of a name, or code around it
		}
		file := p.pageNamed(inline[m[4]:m[5]] + inline[m[8]-1:m[9]+1])
		if file == "" {
			continue
		}
		b.WriteString(inline[done:m[0]])
		b.WriteString(build.LinkInline(inline[m[0]:m[1]], build.RelativePath(p.file, file)))
		done = m[1]
	}
	return b.String() + inline[done:]
}

// mayRefer reports whether a text has the beginning of a section in parentheses: "(8". It spares
// the others the search.
func mayRefer(s string) bool {
	for {
		i := strings.IndexByte(s, '(')
		if i < 0 || i+2 >= len(s) {
			return false
		}
		if c := s[i+1]; c >= '1' && c <= '9' || c == 'n' {
			return true
		}
		s = s[i+1:]
	}
}

// isNameByte reports whether a byte may stand in the name of a page.
func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == '*' || c == '`' ||
		c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
