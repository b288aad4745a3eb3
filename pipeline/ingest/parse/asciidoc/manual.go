package asciidoc

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

var (
	// manualTitle is the title of a manual page: its name and the number of its chapter.
	manualTitle   = pattern.Lazy(`^[A-Za-z_][\w.:+-]{0,80}\([1-9][a-z]{0,4}\)$`)
	titleOfManual = pattern.Lazy(`(?m)^= ([A-Za-z_][\w.:+-]{0,80}(\([1-9][a-z]{0,4}\)))[ \t]*$`)
	// namesOfManual are the names that a manual page describes, below its title: "lamp, wick - light".
	namesOfManual = pattern.Lazy(`(?i)\n== NAME[ \t]*\n\s*([\w.:+, \n-]+?)\s-\s`)
)

// mostManualHead is how much of a page is read for its names, in bytes.
const mostManualHead = 16 << 10

// withManualPages is an inline of a manual page in which the names of others that the doc set has are links.
func (p *page) withManualPages(inline string) string {
	if !p.manual || p.opt.Survey == nil {
		return inline
	}
	return build.LinkManualPages(inline, func(name string) string {
		known, _ := p.opt.Survey("manual pages in AsciiDoc", findManualPages).(map[string]string)
		if file := known[name]; file != "" && file != path.Clean(p.opt.Path) {
			return build.RelativePath(p.opt.Path, file)
		}
		return ""
	})
}

// findManualPages finds the files of the manual pages of a doc set, by names such as "lamp(8)".
func findManualPages(files parse.Files) any {
	known := map[string]string{}
	size := 0
	for _, file := range files.List(".adoc", ".asciidoc", ".asc", ".txt", ".in") {
		o, err := files.Open(file)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(o.Data); size > mostSurveyed {
			break
		}
		head := strings.ReplaceAll(string(o.Data[:min(len(o.Data), mostManualHead)]), "\r\n", "\n")
		title := titleOfManual().FindStringSubmatchIndex(head)
		if title == nil {
			continue
		}
		names := []string{head[title[2]:title[3]]}
		if m := namesOfManual().FindStringSubmatch(head[title[1]:]); m != nil {
			for name := range strings.SplitSeq(m[1], ",") {
				names = append(names, strings.TrimSpace(name)+head[title[4]:title[5]])
			}
		}
		for _, name := range names {
			if known[name] == "" && manualTitle().MatchString(name) {
				known[name] = file
			}
		}
	}
	return known
}
