package rst

import (
	"path"
	"strings"

	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/ingest/parse/rst/sphinx"
)

// mostAbove is how many folders above the doc set are looked at for a conf.py: the folder that
// was added may be one of a Sphinx project's.
const mostAbove = 3

// configuration is the nearest conf.py of a Sphinx project, read when a page first needs it.
func (p *page) configuration() sphinx.Project {
	if p.project != nil || p.opt.Open == nil {
		if p.project == nil {
			p.project = &sphinx.Project{}
		}
		return *p.project
	}
	p.project = &sphinx.Project{}
	above := 0
	for dir := path.Dir(p.opt.Path); above <= mostAbove; dir = path.Join(dir, "..") {
		if src, err := p.opt.Open(path.Join(dir, "conf.py")); err == nil {
			read := sphinx.ReadProject(toUTF8(src), func(name string) ([]byte, error) { return p.opt.Open(path.Join(dir, name)) })
			p.project = &read
			break
		}
		if dir == "." || dir == "/" || strings.HasPrefix(dir, "..") {
			above++
		}
		if dir == "/" {
			break
		}
	}
	return *p.project
}

// Setting is the version or the release that the project has.
func (p *page) Setting(name string) (string, bool) {
	if name != "version" && name != "release" {
		return "", false
	}
	return p.configuration().Value(name)
}

// DefaultRole is the role that the project gives text in backticks alone.
func (p *page) DefaultRole() string {
	role, _ := p.configuration().Value("default_role")
	return role
}

// defaultDomain is the domain of directives that name none, by the page or by the project; "" where
// neither says one.
func (p *page) defaultDomain() string {
	if p.domain != "" {
		return p.domain
	}
	domain, _ := p.configuration().Value("primary_domain")
	return domain
}

// ReadAround reads the text that the project puts before and behind each page, whose names the
// page may use. It does nothing the second time.
func (p *page) ReadAround() {
	if p.aroundRead {
		return
	}
	p.aroundRead = true
	text := p.configuration().Around()
	if text == "" {
		return
	}
	warnings, about := len(p.warnings), len(p.about)
	r := &reader{page: p, files: []string{p.opt.Path}}
	r.blocks(view{lines: splitLines(text)}, true)
	p.warnings, p.about = p.warnings[:warnings], p.about[:about] // they name lines of conf.py
}

// LinkRole is the link that a role of the project's own makes of a text.
func (p *page) LinkRole(role, text string) (shown, address string, ok bool) {
	link, ok := p.configuration().Link(role)
	if !ok {
		return "", "", false
	}
	shown, to, explicit := inline.ExplicitTarget(text)
	if !explicit {
		to = strings.TrimSpace(text)
	}
	to = inline.Unescape(to)
	address = strings.ReplaceAll(strings.Replace(link.Address, "%s", to, 1), "%%", "%")
	switch {
	case explicit && shown != "":
		shown = inline.Unescape(shown)
	case link.Caption != "":
		shown = strings.ReplaceAll(strings.Replace(link.Caption, "%s", to, 1), "%%", "%")
	default:
		shown = address
	}
	return shown, address, true
}
