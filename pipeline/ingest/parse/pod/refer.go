package pod

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

// mostNames is how many names of manual pages of a doc set links can lead to.
const mostNames = 200_000

// mostSurveyed is how many bytes of the pages of a doc set are read for their names.
const mostSurveyed = 256 << 20

// pages are the pages of a doc set by their names.
type pages struct {
	modules map[string]string   // "Lamp::Oil", with all folders that may be part of the name
	manual  map[string][]string // "lamp", by the names of files and those below the heading NAME
}

var (
	pageName   = pattern.Lazy(`^[A-Za-z0-9_:.-]+$`)
	manualName = pattern.Lazy(`^([A-Za-z0-9_:.+-]+)\(([0-9][A-Za-z]{0,8})\)$`)
)

// fileOf is the file of a page, relative to this one's; "" where the doc set has none.
func (p *page) fileOf(name string) string {
	if p.pages == nil {
		p.pages = &pages{}
		if p.opt.Survey != nil {
			if found, ok := p.opt.Survey("pages of POD", findPages).(*pages); ok {
				p.pages = found
			}
		}
	}
	file := ""
	if pageName().MatchString(name) {
		file = p.pages.modules[name]
	} else if m := manualName().FindStringSubmatch(name); m != nil {
		file = p.pages.manualPage(m[1], m[2])
	}
	if file == "" {
		return ""
	}
	return build.RelativePath(p.opt.Path, file)
}

// manualPage is the file of a manual page with a name and the number of its chapter, such as "lamp" and "8".
// POD does not say the chapter of a page, but folders such as "man8" do. Pages may have the name of another one
// below NAME, so that of several the file holds that is called so.
func (s *pages) manualPage(name, chapter string) string {
	best, most := "", -1
	for _, file := range s.manual[name] {
		n := 0
		if strings.HasPrefix(path.Base(file), name+".") {
			n = 1
		}
		of, ok := strings.CutPrefix(path.Base(path.Dir(file)), "man")
		switch {
		case ok && of != "" && (of == chapter || of == chapter[:1]):
			n += 2
		case ok && of != "" && of[0] >= '0' && of[0] <= '9': // another page of this name
			continue
		}
		if n > most {
			best, most = file, n
		}
	}
	return best
}

// findPages finds the pages of a doc set.
func findPages(files parse.Files) any {
	s := &pages{modules: map[string]string{}, manual: map[string][]string{}}
	size := 0
	for _, file := range files.List(".pod", ".pm", ".in") {
		page, template := parse.TemplateOf(file)
		if !template {
			page = file
		}
		ending := path.Ext(page)
		if ending != ".pod" && ending != ".pm" {
			continue
		}
		name := strings.TrimSuffix(page, ending)
		s.addModule(name, file)
		s.addManual(path.Base(name), file)
		if ending == ".pm" || size > mostSurveyed {
			continue
		}
		o, err := files.Open(file)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		size += len(o.Data)
		for _, name := range namesOf(string(o.Data)) {
			s.addManual(name, file)
		}
	}
	return s
}

// addModule adds a file by the names that a module in it may have, from its path without the ending.
func (s *pages) addModule(whole, file string) {
	parts := strings.Split(whole, "/")
	for i := len(parts) - 1; i >= max(0, len(parts)-8); i-- {
		name := strings.Join(parts[i:], "::")
		if s.modules[name] == "" {
			s.modules[name] = file
		}
	}
}

// addManual adds a file by a name that its page has.
func (s *pages) addManual(name, file string) {
	if len(s.manual) < mostNames && !slices.Contains(s.manual[name], file) {
		s.manual[name] = append(s.manual[name], file)
	}
}

// namesOf are the names below the heading NAME: "lamp_light, lamp_trim - light and trim lamps".
func namesOf(text string) []string {
	_, below, ok := strings.Cut("\n"+strings.ReplaceAll(text, "\r\n", "\n"), "\n=head1 NAME\n")
	if !ok {
		return nil
	}
	below, _, _ = strings.Cut(strings.TrimLeft(below, "\n"), "\n\n")
	below, _, ok = strings.Cut(strings.Join(strings.Fields(below), " "), " - ")
	if !ok {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(below, ",") {
		if name = strings.TrimSpace(name); pageName().MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}
