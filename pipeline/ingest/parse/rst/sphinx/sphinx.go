// Package sphinx reads what the conf.py of a Sphinx project says in plain words: names that
// stand for strings, the text around each page, and roles that are links.
//
// It refuses to run Python. A value that is made by anything but strings, names of strings, "+",
// "%" and format() is not known.
package sphinx

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// Project is what a conf.py says.
type Project struct {
	values map[string]string
	links  map[string]Link

	substitutions map[string]string
}

// Link is a role that makes links (extension extlinks). Both of its texts have a %s in the
// place of the role's text; an empty caption is the address.
type Link struct {
	Address string
	Caption string
}

// Bounds of a conf.py.
const (
	maxSource = 1 << 20 // bytes that are read
	maxValues = 2000
	maxText   = 1 << 20 // bytes of all values
)

var assignment = pattern.Lazy(`(?m)^([A-Za-z_]\w*)[ \t]*(\+?=)[ \t]*`)

// ReadProject reads a conf.py.
func ReadProject(src string) Project {
	src = src[:min(len(src), maxSource)]
	p := Project{values: map[string]string{}, links: map[string]Link{}, substitutions: map[string]string{}}
	size := 0
	for from := 0; len(p.values) < maxValues && size < maxText; {
		m := assignment().FindStringSubmatchIndex(src[from:])
		if m == nil {
			break
		}
		name, adds := src[from+m[2]:from+m[3]], m[5]-m[4] == 2
		x := expression{src: src, at: from + m[1], values: p.values}
		from = x.at
		switch name {
		case "extlinks":
			x.links(p.links)
			continue
		case "myst_substitutions":
			x.texts(p.substitutions)
			continue
		}
		value, ok := x.sum()
		if ok && !x.ends() {
			continue
		}
		if !ok {
			continue
		}
		if adds {
			value = p.values[name] + value
		}
		p.values[name] = value
		size += len(value)
		from = x.at
	}
	return p
}

// Substitution is the text for {{ name }} on pages of MyST.
func (p Project) Substitution(name string) (string, bool) {
	v, ok := p.substitutions[name]
	return v, ok
}

// Value is the string that a name stands for.
func (p Project) Value(name string) (string, bool) {
	v, ok := p.values[name]
	return v, ok
}

// Around is the text that stands before or behind each page: definitions of substitutions and
// targets, most of the time.
func (p Project) Around() string {
	return strings.TrimSpace(p.values["rst_prolog"] + "\n\n" + p.values["rst_epilog"])
}

// Link is the link that a role makes.
func (p Project) Link(role string) (Link, bool) {
	l, ok := p.links[role]
	return l, ok
}
