// Package sphinx reads what the conf.py of a Sphinx project says in plain words: names that
// stand for strings, the text around each page, and roles that are links.
//
// It refuses to run Python. A value is known that is made of strings, of names of strings, also those of other modules
// of the project, and of the text of its files, by "+", "%", indexes and the common methods of strings. Of "if" and
// "except" it reads nothing: which branch runs depends on the machine.
package sphinx

import (
	"io/fs"
	"strings"
	"sync"
)

// Project is what a conf.py says.
type Project struct {
	*module
	// whole reads the module again with the project's files: only pages that need one of its values depend on them.
	whole func() *module
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
	mostOpens = 60      // files that are looked for
)

// ReadProject reads a conf.py. open reads a file of the project by its path from the folder of conf.py, where
// the value that is asked for is made of one; it may be nil.
func ReadProject(src string, open func(name string) ([]byte, error)) Project {
	p := Project{module: newModule(src, "conf.py", 0, nil)}
	p.whole = sync.OnceValue(func() *module {
		opened := 0
		return newModule(src, "conf.py", 0, func(name string) ([]byte, error) {
			if opened++; open == nil || opened > mostOpens {
				return nil, fs.ErrNotExist
			}
			return open(name)
		})
	})
	return p
}

// knowing is the module in which the value of a name is known.
func (p Project) knowing(name string) *module {
	switch {
	case p.module == nil:
		return &module{}
	case p.unread[name]:
		return p.whole()
	}
	return p.module
}

// Substitution is the text for {{ name }} on pages of MyST.
func (p Project) Substitution(name string) (string, bool) {
	v, ok := p.knowing("myst_substitutions").texts[name]
	return v, ok
}

// Value is the string that a name stands for.
func (p Project) Value(name string) (string, bool) {
	v, ok := p.knowing(name).values[name]
	return v.text, ok && v.kind == isText
}

// Around is the text that stands before or behind each page: definitions of substitutions and
// targets, most of the time.
func (p Project) Around() string {
	return strings.TrimSpace(p.text("rst_prolog") + "\n\n" + p.text("rst_epilog"))
}

// Link is the link that a role makes.
func (p Project) Link(role string) (Link, bool) {
	l, ok := p.knowing("extlinks").links[role]
	return l, ok
}

// text is the string that a name stands for, "" without one.
func (p Project) text(name string) string {
	v, _ := p.Value(name)
	return v
}
