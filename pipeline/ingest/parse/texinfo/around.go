package texinfo

import (
	"maps"
	"path"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
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

// includes looks through the files of a doc set that include pages.
type includes struct {
	files parse.Files
	texts map[string]string
	by    map[string]string // the file that includes another, the first one
	found map[string]surroundings
}

// surveyIncludes finds the surroundings of all pages that others include.
func surveyIncludes(files parse.Files) any {
	in := includes{files: files, texts: map[string]string{}, by: map[string]string{}, found: map[string]surroundings{}}
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
				if file := path.Join(path.Dir(name), rest); in.by[file] == "" && file != name {
					in.by[file] = name
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
	if outer := in.by[name]; outer != "" && depth < mostAround {
		in.readAround(outer, read, depth+1)
	}
	s := newSource(build.New(), parse.Options{Path: name, Open: in.open}, len(text))
	if around, ok := in.found[name]; ok {
		s.macros, s.values = maps.Clone(around.macros), maps.Clone(around.values)
	}
	s.onPage = func(file string) {
		if _, twice := in.found[file]; !twice && in.by[file] == name && len(s.macros)+len(s.values) > 0 {
			in.found[file] = surroundings{file: name, macros: maps.Clone(s.macros), values: maps.Clone(s.values)}
		}
	}
	s.readFile(text, 0, 0)
}

func (in *includes) open(name string) ([]byte, error) {
	o, err := in.files.Open(name)
	return o.Data, err
}
