package rst

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/text/spacing"
)

// label is where a label of the doc set leads.
type label struct {
	path   string // of its page
	anchor string
	title  string // of the section that it stands before; "": another block
}

// Bounds of looking for the labels of a doc set.
const (
	mostLabelled = 256 << 20 // bytes of all pages
	mostLabels   = 200_000
)

// labelsOf finds the labels of all pages of a doc set. Of a label that stands on several
// pages the first by path counts.
func labelsOf(files parse.Files) any {
	labels := map[string]label{}
	size := 0
	for _, path := range files.List(".rst", ".rest", ".txt") {
		o, err := files.Open(path)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(o.Data); size > mostLabelled || len(labels) > mostLabels {
			break
		}
		addLabels(labels, path, toUTF8(o.Data))
	}
	return labels
}

// addLabels adds the labels of a page. Those that follow each other name the same place,
// whose anchor is the last of them.
func addLabels(labels map[string]label, path, text string) {
	if !strings.Contains(text, ".. _") {
		return
	}
	lines := splitLines(text)
	for i := 0; i < len(lines); i++ {
		var names []string
		for ; i < len(lines); i++ {
			if l := strings.TrimSpace(lines[i].text); l != "" {
				name, ok := labelName(lines[i].text)
				if !ok {
					break
				}
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		to := label{path: path, anchor: inline.MakeID(names[len(names)-1]), title: titleAt(lines, i)}
		for _, name := range names {
			if _, ok := labels[name]; !ok && name != "" {
				labels[name] = to
			}
		}
	}
}

// labelName is the name of a label at the margin: ".. _name:".
func labelName(l string) (string, bool) {
	name, ok := strings.CutPrefix(strings.TrimRight(l, " "), ".. _")
	if !ok {
		return "", false
	}
	if name, ok = cutLast(name, ":"); !ok || strings.HasPrefix(name, "_") {
		return "", false
	}
	return spacing.Folded(inline.Unescape(strings.Trim(name, "`"))), true
}

func cutLast(s, end string) (string, bool) {
	rest, ok := strings.CutSuffix(s, end)
	return rest, ok && !strings.HasSuffix(rest, "\\") && !strings.Contains(rest, ": ")
}

// titleAt is the title on a line: underlined, perhaps with a line above.
func titleAt(lines []line, i int) string {
	if i < len(lines) && underline(lines[i].text) && i+2 < len(lines) && underline(lines[i+2].text) {
		i++
	}
	if i+1 >= len(lines) || strings.TrimSpace(lines[i].text) == "" || !underline(lines[i+1].text) || underline(lines[i].text) {
		return ""
	}
	return newPage(parse.Options{}).PlainText(strings.TrimSpace(lines[i].text))
}

// underline reports whether a line is one sign, again and again.
func underline(l string) bool {
	l = strings.TrimRight(l, " ")
	return len(l) >= 2 && strings.ContainsRune("=-`:'\"~^_*+#<>.", rune(l[0])) && strings.Trim(l, l[:1]) == ""
}

// LabelledPlace returns the target of a label of another page.
func (p *page) LabelledPlace(name string) (inline.Place, bool) {
	if p.opt.Survey == nil {
		return inline.Place{}, false
	}
	labels, ok := p.opt.Survey("labels of reStructuredText", labelsOf).(map[string]label)
	if !ok {
		return inline.Place{}, false
	}
	to, ok := labels[name]
	if ok && to.path != p.opt.Path && p.opt.Open != nil {
		if _, err := p.opt.Open(to.path); err != nil { // its title is taken from there
			return inline.Place{}, false
		}
	}
	return inline.Place{Page: strings.TrimSuffix(to.path, path.Ext(to.path)), Anchor: to.anchor, Title: to.title},
		ok && to.path != p.opt.Path
}
