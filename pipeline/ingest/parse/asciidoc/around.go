package asciidoc

import (
	"bytes"
	"maps"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
)

// given is the value of an attribute at the place where pages include a part, and the file
// that sets it.
type given struct {
	value string
	file  string
}

// around are the attributes that each part of a doc set has from the pages that include it. An
// attribute with different values in different pages is not known.
type around struct {
	parts map[string]map[string]given
}

// Bounds of looking for the attributes around parts.
const (
	mostAround = 100_000 // includes of all pages
	mostGiven  = 2_000   // attributes of a part
)

// inherited is the value that an attribute has in all pages that include this one, else by the
// files of attributes around it. A page that uses it depends on the file that sets it.
func (p *page) inherited(name string) (string, bool) {
	if p.opt.Survey == nil || p.surveyed || p.opt.Open == nil {
		return p.configuredValue(name)
	}
	if p.around == nil {
		known, _ := p.opt.Survey("attributes around parts of AsciiDoc", attributesAround).(*around)
		if known != nil {
			p.around = known.parts[path.Clean(p.opt.Path)]
		}
		if p.around == nil {
			p.around = map[string]given{}
		}
	}
	g, ok := p.around[name]
	if !ok {
		return p.configuredValue(name)
	}
	if _, err := p.opt.Open(g.file); err != nil {
		return "", false
	}
	return g.value, true
}

// attributesAround reads the includes of all pages that no other page includes.
func attributesAround(files parse.Files) any {
	a := &around{parts: map[string]map[string]given{}}
	open := func(name string) ([]byte, error) {
		o, err := files.Open(name)
		return o.Data, err
	}
	pages := files.List(".adoc", ".asciidoc", ".asc", ".txt")
	included := map[string]bool{} // names of files, without their folders
	var outer []string
	size := 0
	for _, name := range pages {
		src, err := open(name)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(src); size > mostSurveyed {
			break
		}
		if bytes.Contains(src, []byte("include::")) {
			outer = append(outer, name)
			noteIncluded(included, src)
		}
	}
	left := mostAround
	for _, name := range outer {
		if included[path.Base(name)] || left <= 0 {
			continue
		}
		src, err := open(name)
		if err != nil {
			continue
		}
		p := newPage(parse.Options{Path: name, Open: open}, src)
		p.surveyed = true
		p.readSource(src, func(file string, r *preprocessor) {
			if left--; left > 0 {
				a.include(file, r)
			}
		})
	}
	return a
}

// noteIncluded notes the names of the files that a page includes.
func noteIncluded(into map[string]bool, src []byte) {
	for l := range bytes.Lines(src) {
		if rest, ok := bytes.CutPrefix(l, []byte("include::")); ok {
			target, _, _ := strings.Cut(string(rest), "[")
			into[path.Base(target)] = true
		}
	}
}

// include notes the attributes that are set where a file is included.
func (a *around) include(file string, r *preprocessor) {
	known, ok := a.parts[file]
	if !ok {
		known = make(map[string]given, len(r.set))
		a.parts[file] = known
		for name, value := range r.set {
			if origin := r.origins[name]; origin != "" && len(known) < mostGiven {
				known[name] = given{value, origin}
			}
		}
		return
	}
	maps.DeleteFunc(known, func(name string, g given) bool {
		value, set := r.set[name]
		return !set || value != g.value
	})
}
