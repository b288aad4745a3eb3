package rst

import (
	"path"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/text/spacing"
)

// label is where a label of the doc set leads.
type label struct {
	path   string // of its page
	anchor string
	title  string // of the section that it stands before, with its markup; "": another block
}

// surveyed is what the pages of a doc set say of each other.
type surveyed struct {
	labels map[string]label
	titles map[string]string // with their markup, by the paths of pages
}

// Bounds of looking for the labels of a doc set.
const (
	mostLabelled = 256 << 20 // bytes of all pages
	mostLabels   = 200_000
)

// surveyLabels finds the labels and titles of all pages of a doc set. Of a label that stands on
// several pages the first by path counts.
func surveyLabels(files parse.Files) any {
	labels, titles := map[string]label{}, map[string]string{}
	size := 0
	for _, path := range files.List(".rst", ".rest", ".txt") {
		o, err := files.Open(path)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(o.Data); size > mostLabelled || len(labels) > mostLabels {
			break
		}
		text := toUTF8(o.Data)
		addLabels(labels, path, text)
		if title := firstTitle(text); title != "" {
			titles[path] = title
		}
	}
	return surveyed{labels, titles}
}

// longTitle is the most bytes of a line that is taken for the title of a page.
const longTitle = 300

// firstTitle is the first title of a page: a line at the margin with one below it that underlines
// the whole of it.
func firstTitle(text string) string {
	before := ""
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, " \t\r\n")
		if before != "" && before[0] != ' ' && before[0] != '.' && len(before) <= longTitle && underline(l) &&
			len(l) >= utf8.RuneCountInString(before) && !underline(before) {
			return strings.TrimSpace(before)
		}
		if strings.HasPrefix(l, " ") && underline(before) && len(before) >= utf8.RuneCountInString(l) { // between two lines
			l = strings.TrimLeft(l, " ")
		}
		before = l
	}
	return ""
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
	return strings.TrimSpace(lines[i].text)
}

// underline reports whether a line is one sign, again and again.
func underline(l string) bool {
	l = strings.TrimRight(l, " ")
	return len(l) >= 2 && strings.ContainsRune("=-`:'\"~^_*+#<>.", rune(l[0])) && strings.Trim(l, l[:1]) == ""
}

// survey is what the pages of the doc set say of each other; it is empty where the page is read
// without its doc set.
func (p *page) survey() surveyed {
	if p.opt.Survey == nil {
		return surveyed{}
	}
	s, _ := p.opt.Survey("labels of reStructuredText", surveyLabels).(surveyed)
	return s
}

// LabelledPlace returns the target of a label of another page.
func (p *page) LabelledPlace(name string) (inline.Place, bool) {
	to, ok := p.survey().labels[name]
	if !ok || to.path == p.opt.Path || !p.reads(to.path) { // its title is taken from there
		return inline.Place{}, false
	}
	return inline.Place{Page: strings.TrimSuffix(to.path, path.Ext(to.path)), Anchor: to.anchor, Title: to.title}, true
}

// PageTitle is the title of a page that is named as in a table of contents, "" where it is not known.
func (p *page) PageTitle(name string) string {
	titles := p.survey().titles
	file := path.Join(path.Dir(p.opt.Path), name)
	if rest, ok := strings.CutPrefix(name, "/"); ok {
		file = path.Clean(rest)
	}
	for _, ending := range []string{"", ".rst", ".rest", ".txt"} {
		if title := titles[file+ending]; title != "" && file+ending != p.opt.Path && p.reads(file+ending) {
			return title
		}
	}
	return ""
}

// reads reports whether another page can be read. Reading it makes this page depend on it.
func (p *page) reads(file string) bool {
	if p.opt.Open == nil {
		return true
	}
	_, err := p.opt.Open(file)
	return err == nil
}
