package texinfo

import (
	"cmp"
	"maps"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// Bounds of looking for the files that include others.
const (
	mostSurveyed = 64 << 20 // bytes of all files
	mostAround   = 5        // files around a file
)

// surroundings are what a file that includes a page has defined before it: pages of a manual
// of many files use the macros and values of its main file.
type surroundings struct {
	file   string // the file that includes the page
	macros map[string]macro
	values map[string]string
}

// takeSurroundings takes the macros and values of the file that includes a page.
func (s *source) takeSurroundings() {
	if s.opt.Survey == nil || s.opt.Open == nil {
		return
	}
	all, _ := s.opt.Survey("files around pages of Texinfo", surveyIncludes).(map[string]surroundings)
	around, ok := all[path.Clean(s.opt.Path)]
	if !ok {
		return
	}
	if _, err := s.opt.Open(around.file); err != nil { // the page is read again where it changes
		return
	}
	s.macros, s.values = maps.Clone(around.macros), maps.Clone(around.values)
}

// mostNodes is how many nodes of a doc set are known.
const mostNodes = 200_000

// nodeName is the line that begins a node, and its name.
var nodeName = pattern.Lazy(`(?m)^@node[ \t]+([^,\r\n]+)`)

// surveyNodes finds the files that have the nodes of a doc set. Of several with one name none is known:
// they are nodes of different manuals.
func surveyNodes(files parse.Files) any {
	nodes := map[string]string{}
	size := 0
	for _, file := range files.List(".texi", ".texinfo", ".txi") {
		o, err := files.Open(file)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(o.Data); size > mostSurveyed || len(nodes) > mostNodes {
			break
		}
		for _, m := range nodeName().FindAllSubmatch(o.Data, -1) {
			name := spacing.Single(string(m[1]))
			if have, ok := nodes[name]; ok && have != file {
				nodes[name] = ""
			} else {
				nodes[name] = file
			}
		}
	}
	return nodes
}

// placeOfNode is a link to a node of another page of the doc set, "" where that is not known.
func (p *page) placeOfNode(name string) string {
	if p.opt.Survey == nil {
		return ""
	}
	nodes, _ := p.opt.Survey("nodes of Texinfo", surveyNodes).(map[string]string)
	file := nodes[spacing.Single(name)]
	if file == "" || file == p.opt.Path {
		return ""
	}
	return build.RelativePath(p.opt.Path, file) + "#" + nodeID(name)
}

// includes looks through the files of a doc set that include pages. Where several manuals include a
// page, the one that has defined the most shows the most of it.
type includes struct {
	files parse.Files
	texts map[string]string
	by    map[string][]string // the files that include another
	found map[string]surroundings
}

// surveyIncludes finds the surroundings of all pages that others include.
func surveyIncludes(files parse.Files) any {
	in := includes{files: files, texts: map[string]string{}, by: map[string][]string{}, found: map[string]surroundings{}}
	size := 0
	names := files.List(".texi", ".texinfo", ".txi")
	for _, name := range names {
		o, err := files.Open(name)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(o.Data); size > mostSurveyed {
			break
		}
		text := string(o.Data)
		if !strings.Contains(text, "@include") {
			continue
		}
		in.texts[name] = text
		for l := range strings.Lines(text) {
			if command, rest := commandOf(l); command == "include" {
				if file := in.included(name, rest); file != name {
					in.by[file] = append(in.by[file], name)
				}
			}
		}
	}
	read := map[string]bool{}
	for _, name := range names {
		in.readAround(name, read, 0)
	}
	return in.found
}

// readAround reads the files around a file, the outermost first, and then the file itself if it
// includes pages.
func (in *includes) readAround(name string, read map[string]bool, depth int) {
	text, ok := in.texts[name]
	if !ok || read[name] {
		return
	}
	read[name] = true
	if depth < mostAround {
		for _, outer := range in.by[name] {
			in.readAround(outer, read, depth+1)
		}
	}
	s := newSource(build.New(), parse.Options{Path: name, Open: in.open, Files: in.files.List}, len(text))
	if around, ok := in.found[name]; ok {
		s.macros, s.values = maps.Clone(around.macros), maps.Clone(around.values)
	}
	s.onPage = func(file string) {
		have := in.found[file]
		if len(s.macros)+len(s.values) > len(have.macros)+len(have.values) {
			in.found[file] = surroundings{file: name, macros: maps.Clone(s.macros), values: maps.Clone(s.values)}
		}
	}
	s.readFile(text, 0, 0)
}

// included is the file that another one includes by a name: next to it, or the only one of the name.
func (in *includes) included(by, name string) string {
	file := path.Join(path.Dir(by), name)
	if _, err := in.files.Open(file); err == nil {
		return file
	}
	s := source{opt: parse.Options{Files: in.files.List}}
	return cmp.Or(s.elsewhere(name), file)
}

func (in *includes) open(name string) ([]byte, error) {
	o, err := in.files.Open(name)
	return o.Data, err
}
