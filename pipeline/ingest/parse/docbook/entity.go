package docbook

import (
	"encoding/xml"
	"maps"
	"path"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/text/pattern"
)

// Bounds of what entities stand for.
const (
	maxEntities    = 2000
	maxEntity      = 2 << 10 // bytes
	maxGrowth      = 1 << 20 // bytes that all uses may add to a file, in addition to its size
	maxEntityDepth = 4       // entities within the values of others, files that take in others
	mostEntityFile = 40      // files with declarations
)

var (
	entityDeclaration = pattern.Lazy(`<!ENTITY\s+([\w.:-]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')`)
	entityUse         = pattern.Lazy(`&([A-Za-z_][\w.:-]*);`)
	entityFile        = pattern.Lazy(`<!ENTITY\s+%\s+([\w.:-]+)\s+(?:SYSTEM|PUBLIC\s+["'][^"']*["'])\s+["']([^"'<>]{1,300})["']`)
)

// declarations are entities of a file and what they stand for, as it is written.
type declarations map[string]string

// declarationsOf reads the declarations of a file. An external entity stands for nothing.
func declarationsOf(text []byte) declarations {
	all := declarations{}
	for _, m := range entityDeclaration().FindAllSubmatch(text, maxEntities) {
		if _, twice := all[string(m[1])]; !twice {
			all[string(m[1])] = string(m[3]) + string(m[4])
		}
	}
	return all
}

// entities are the entities of a page while it is read.
type entities struct {
	declared []declarations // the first that has a name counts
	shared   func() []declarations
	known    map[string]string
}

// entitiesOf are the entities that a file uses: those of HTML, those that it declares as text
// or that files of the doc set declare, and the names of all others. shared gives the
// declarations of the doc set, for entities that the file does not declare; it may be nil.
func entitiesOf(text []byte, declared []declarations, shared func() []declarations) map[string]string {
	e := entities{declared: append([]declarations{declarationsOf(text)}, declared...), shared: shared, known: maps.Clone(xml.HTMLEntity)}
	growth := 0
	for _, m := range entityUse().FindAllSubmatch(text, -1) {
		name := string(m[1])
		switch name {
		case "lt", "gt", "amp", "quot", "apos":
			continue
		}
		value, known := e.known[name]
		if !known && len(e.known) < 3*maxEntities {
			value = e.valueOf(name, 0)
			e.known[name] = value
		}
		if growth += len(value); growth > maxGrowth+len(text) {
			return xml.HTMLEntity
		}
	}
	return e.known
}

// valueOf is what an entity stands for; of one that is declared nowhere, its name.
func (e *entities) valueOf(name string, depth int) string {
	value, ok := e.lookUp(name)
	if !ok || len(value) > maxEntity {
		return name
	}
	value = anyTag().ReplaceAllString(value, "")
	value = entityUse().ReplaceAllStringFunc(value, func(use string) string {
		inner := use[1 : len(use)-1]
		if v, ok := e.known[inner]; ok {
			return v
		}
		if depth+1 >= maxEntityDepth {
			return use
		}
		return e.valueOf(inner, depth+1)
	})
	if len(value) > maxEntity {
		return name
	}
	return strings.ReplaceAll(value, "\n", " ")
}

func (e *entities) lookUp(name string) (string, bool) {
	for {
		for _, d := range e.declared {
			if value, ok := d[name]; ok {
				return value, true
			}
		}
		if e.shared == nil {
			return "", false
		}
		e.declared, e.shared = append(e.declared, e.shared()...), nil
	}
}

// entityFiles reads the files of the doc set that declare entities for a page.
type entityFiles struct{ opt parse.Options }

// declaredFor are the declarations of the files that the document type of a file takes in:
// <!ENTITY % names SYSTEM "names.ent"> and %names;.
func (p entityFiles) declaredFor(text []byte, file string) []declarations {
	if p.opt.Open == nil {
		return nil
	}
	var out []declarations
	for _, name := range entityFilesOf(text, file) {
		if d := p.declaredIn(name); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// declaredIn are the declarations of a file of the doc set, nil where it is not there.
func (p entityFiles) declaredIn(file string) declarations {
	src, err := p.opt.Open(file)
	if err != nil {
		return nil
	}
	read := func(parse.Files) any {
		text, _ := toUTF8(src)
		return declarationsOf(comments().ReplaceAll(text, nil))
	}
	if p.opt.Survey == nil {
		d, _ := read(nil).(declarations)
		return d
	}
	d, _ := p.opt.Survey("docbook entities of "+file, read).(declarations)
	return d
}

// entityFilesOf are the files with declarations that a text takes in, by their paths in the doc set.
func entityFilesOf(text []byte, file string) []string {
	var out []string
	for _, m := range entityFile().FindAllSubmatch(text, mostEntityFile) {
		name := string(m[2])
		at := path.Join(path.Dir(file), name)
		if !strings.Contains(name, "://") && !strings.HasPrefix(at, "../") && strings.Contains(string(text), "%"+string(m[1])+";") &&
			!slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// sharedDeclarations are the declarations of the doc set for a page without its own: those of
// the files that declare entities for other pages, and of these pages.
func (p entityFiles) sharedDeclarations() []declarations {
	if p.opt.Survey == nil || p.opt.Open == nil {
		return nil
	}
	named, _ := p.opt.Survey("docbook files of entities", surveyEntities).([]string)
	var out []declarations
	for _, file := range named {
		if d := p.declaredIn(file); d != nil && file != p.opt.Path {
			out = append(out, d)
		}
	}
	return out
}

// surveyEntities are the files of a doc set that declare entities: pages, and what they take in.
func surveyEntities(files parse.Files) any {
	var out []string
	for i, file := range files.List(".xml", ".sgml", ".docbook", ".dbk") {
		if i >= mostSurveyed || len(out) >= mostEntityFile {
			break
		}
		o, err := files.Open(file)
		if err != nil {
			continue
		}
		head := o.Data[:min(len(o.Data), parse.HeadBytes)]
		if !docType().Match(head) {
			continue
		}
		if entityDeclaration().Match(head) {
			out = append(out, file)
		}
		for _, name := range entityFilesOf(head, file) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}
