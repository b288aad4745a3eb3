package docbook

import (
	"bytes"
	"encoding/xml"
	"html"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// label is where an id leads.
type label struct {
	file  string // "" for the page's own
	title string
}

// Bounds of the survey of a doc set's labels.
const (
	mostSurveyed = 30_000 // files
	mostLabels   = 200_000
	mostTitle    = 300 // bytes
)

func attribute(name, value string) []xml.Attr {
	return []xml.Attr{{Name: xml.Name{Local: name}, Value: value}}
}

// titleOf is the title of an element, in plain text.
func titleOf(n *node) string {
	if l := n.attribute("xreflabel"); l != "" {
		return l
	}
	if n.name == "refentry" {
		if name := refentryName(n); name != "" {
			return name
		}
	}
	for _, k := range n.kids {
		switch {
		case k.name == "title" || k.name == "term" || k.name == "refname":
			return k.plainText()
		case k.name == "info" || strings.HasSuffix(k.name, "info") || k.name == "refnamediv" || k.name == "refmeta":
			if t := k.child("title", "refentrytitle", "refname"); t != nil {
				return t.plainText()
			}
		}
	}
	return ""
}

// refentryName is the name and the number of a reference page.
func refentryName(n *node) string {
	meta := n.child("refmeta")
	if meta == nil {
		return ""
	}
	name := meta.child("refentrytitle")
	if name == nil {
		return ""
	}
	if number := meta.child("manvolnum"); number != nil && len(number.plainText()) < 10 {
		return name.plainText() + "(" + number.plainText() + ")"
	}
	return name.plainText()
}

// collectLabels notes the ids of the page.
func (p *page) collectLabels(n *node) {
	if id := n.id(); id != "" && n.from == "" {
		if _, twice := p.labels[id]; !twice {
			p.labels[id] = label{title: titleOf(n)}
		}
	}
	for _, k := range n.kids {
		p.collectLabels(k)
	}
}

// labelOf is the label of an id, on this page or in the doc set.
func (p *page) labelOf(id string) (label, bool) {
	if l, ok := p.labels[id]; ok {
		return l, true
	}
	l, ok := p.docSet().labels[id]
	return l, ok && l.file != p.opt.Path
}

// docSet is what the doc set has; empty where the page is read without it.
func (p *page) docSet() *survey {
	if p.survey == nil {
		p.survey = &survey{}
		if p.opt.Survey != nil {
			if s, ok := p.opt.Survey("docbook labels", surveyLabels).(*survey); ok {
				p.survey = s
			}
		}
	}
	return p.survey
}

// pageOther is the file of the manual page with a name and number, "" where the doc set has none other than the page at a path.
func (s *survey) pageOther(name, than string) string {
	if file := s.pages[name]; file != than {
		return file
	}
	return ""
}

// survey has the labels of a doc set, and the files of its manual pages.
type survey struct {
	labels map[string]label
	pages  map[string]string // by name and number, "lamp(1)"
	names  entityFiles
}

var (
	elementWithID = pattern.Lazy(`<([a-z]\w*)\s(?:[^<>]*\s)?(?:xml:)?id\s*=\s*["']([^"'<>]{1,200})["'][^<>]*>`)
	labelTitle    = pattern.Lazy(`^(?s:.{0,600}?)<(?:title|term|refentrytitle|refname)(?:\s[^<>]*)?>((?s:.{1,600}?))` +
		`</(?:title|term|refentrytitle|refname)>`)
	pageName   = pattern.Lazy(`<refmeta>\s*<refentrytitle>([^<>]{1,100})</refentrytitle>\s*<manvolnum>([^<>]{1,10})</manvolnum>`)
	labelShown = pattern.Lazy(`\sxreflabel\s*=\s*["']([^"'<>]{1,200})["']`)
)

// surveyLabels reads the labels of all files of a doc set.
func surveyLabels(files parse.Files) any {
	s := &survey{labels: map[string]label{}, pages: map[string]string{}, names: entityFiles{known: map[string]declarations{}}}
	s.names.opt.Open = func(file string) ([]byte, error) {
		o, err := files.Open(file)
		return o.Data, err
	}
	for i, file := range files.List(".xml", ".sgml", ".docbook", ".dbk", templateEnding) {
		if i >= mostSurveyed || len(s.labels) >= mostLabels {
			break
		}
		o, err := files.Open(file)
		if err != nil || !looksLikeDocBook(o.Data[:min(len(o.Data), parse.HeadBytes)]) {
			continue
		}
		s.addFile(file, o.Data)
	}
	return s
}

func (s *survey) addFile(file string, data []byte) {
	var declared []declarations // nil until a title has an entity
	expand := func(title string) string {
		if !entityUse().MatchString(title) {
			return title
		}
		if declared == nil {
			declared = s.names.declaredFor(data, file)
		}
		known := entitiesOf([]byte(title), declared, nil)
		return entityUse().ReplaceAllStringFunc(title, func(use string) string {
			if v, ok := known[use[1:len(use)-1]]; ok {
				return v
			}
			return use
		})
	}
	if m := pageName().FindSubmatch(data); m != nil {
		name := strings.TrimSpace(string(m[1])) + "(" + strings.TrimSpace(string(m[2])) + ")"
		if _, twice := s.pages[name]; !twice {
			s.pages[name] = file
		}
	}
	for _, m := range elementWithID().FindAllSubmatchIndex(data, mostLabels-len(s.labels)) {
		id, tag := string(data[m[4]:m[5]]), data[m[0]:m[1]]
		if _, twice := s.labels[id]; twice {
			continue
		}
		l := label{file: file}
		if shown := labelShown().FindSubmatch(tag); shown != nil {
			l.title = string(shown[1])
		} else if name := data[m[2]:m[3]]; isDivision[string(name)] || isTitled[string(name)] {
			if t := labelTitle().FindSubmatch(data[m[1]:min(len(data), m[1]+1500)]); t != nil && !bytes.Contains(t[0], []byte(" id=")) {
				l.title = spacing.Single(html.UnescapeString(expand(anyTag().ReplaceAllString(string(t[1]), ""))))
			}
		}
		l.title = strings.ToValidUTF8(l.title[:min(len(l.title), mostTitle)], "")
		s.labels[id] = l
	}
}
