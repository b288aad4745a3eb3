package docbook

import (
	"bytes"
	"encoding/xml"
	"fmt"
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
	maxEntityDepth = 8       // entities within the values of others, files that take in others
	mostEntityFile = 40      // files with declarations
	mostPartFile   = 1000    // files that are entities of a page: a part of it each
)

var (
	entityDeclaration = pattern.Lazy(`<!ENTITY\s+([\w.:-]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')`)
	entityUse         = pattern.Lazy(`&([A-Za-z_][\w.:-]*);`)
	buildFolder       = pattern.Lazy(`^@[\w.-]+@/`)
	externalEntity    = pattern.Lazy(`<!ENTITY\s+([\w.:-]+)\s+(?:SYSTEM|PUBLIC\s+["'][^"']*["'])\s+["']([^"'<>]{1,300})["']\s*>`)
	entityFile        = pattern.Lazy(`<!ENTITY\s+%\s+([\w.:-]+)\s+(?:SYSTEM|PUBLIC\s+["'][^"']*["'])\s+["']([^"'<>]{1,300})["']`)
)

// declarations are entities of a file, by their names.
type declarations struct {
	texts map[string]string // what they stand for, as it is written; "" for external ones
	files map[string]string // of external ones, the paths in the doc set
	takes []string          // the files with more declarations that it takes in
}

// declarationsOf reads the declarations of a file, by its path in the doc set.
func declarationsOf(text []byte, file string) declarations {
	all := declarations{texts: map[string]string{}, files: map[string]string{}, takes: entityFilesOf(text, file)}
	for _, m := range entityDeclaration().FindAllSubmatch(text, maxEntities) {
		if _, twice := all.texts[string(m[1])]; !twice {
			all.texts[string(m[1])] = string(m[3]) + string(m[4])
		}
	}
	for _, m := range externalEntity().FindAllSubmatch(text, maxEntities) {
		name := string(m[2])
		if strings.HasSuffix(file, templateEnding) { // "@builddir@/oil.sgml" is made of oil.sgml.in
			name = buildFolder().ReplaceAllString(name, "") + templateEnding
		}
		if at := path.Join(path.Dir(file), name); !bytes.Contains(m[2], []byte("://")) && !strings.HasPrefix(at, "../") {
			all.files[string(m[1])] = at
		}
	}
	return all
}

// templateEnding is the ending of files from which a build makes others of the same name.
const templateEnding = ".in"

// entities are the entities of a page while it is read.
type entities struct {
	declared []declarations // the first that has a name counts
	shared   func(name string) (string, bool)
	known    map[string]string
}

// entitiesOf are the entities that a file uses: those of HTML, those that it declares as text
// or that files of the doc set declare, and the names of all others. shared knows
// entities that the file does not declare; it may be nil.
func entitiesOf(text []byte, declared []declarations, shared func(string) (string, bool)) map[string]string {
	e := entities{declared: declared, shared: shared, known: maps.Clone(xml.HTMLEntity)}
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
		v := e.valueOf(inner, depth+1)
		if len(e.known) < 3*maxEntities {
			e.known[inner] = v // else each use within each use would be made again
		}
		return v
	})
	if len(value) > maxEntity {
		return name
	}
	return strings.ReplaceAll(value, "\n", " ")
}

func (e *entities) lookUp(name string) (string, bool) {
	for _, d := range e.declared {
		if value, ok := d.texts[name]; ok {
			return value, true
		}
	}
	if e.shared == nil {
		return "", false
	}
	return e.shared(name)
}

// entityFiles reads the files of the doc set that declare entities for a page.
type entityFiles struct {
	opt   parse.Options
	known map[string]declarations // by their files, where there is no survey to keep them; may be nil
}

// declaredFor are the declarations of a file, and of the files that its document type takes in:
// <!ENTITY % names SYSTEM "names.ent"> and %names;.
func (p entityFiles) declaredFor(text []byte, file string) []declarations {
	out := []declarations{declarationsOf(text, file)}
	if p.opt.Open == nil {
		return out
	}
	taken := map[string]bool{}
	for i := 0; i < len(out); i++ {
		for _, name := range out[i].takes {
			if taken[name] || len(taken) >= mostEntityFile {
				continue
			}
			taken[name] = true
			if d, ok := p.declaredIn(name); ok {
				out = append(out, d)
			}
		}
	}
	return out
}

// withFiles is a text with inclusions in place of the external entities that lie in the doc set.
func (p entityFiles) withFiles(text []byte, file string, declared []declarations) []byte {
	if p.opt.Open == nil {
		return text
	}
	there := map[string]bool{}
	return entityUse().ReplaceAllFunc(text, func(use []byte) []byte {
		name := use[1 : len(use)-1]
		for _, d := range declared {
			at, external := d.files[string(name)]
			if _, known := d.texts[string(name)]; !external {
				if known {
					return use
				}
				continue
			}
			is, asked := there[at]
			if !asked && len(there) < mostPartFile {
				_, err := p.opt.Open(at)
				is = err == nil
				there[at] = is
			}
			if is && at != file {
				return fmt.Appendf(nil, "<xi:include href=%q/>", relativeTo(path.Dir(file), at))
			}
			return use
		}
		return use
	})
}

// relativeTo is a path of the doc set as it is written in a file of a folder.
func relativeTo(folder, file string) string {
	if folder == "." {
		return file
	}
	return strings.Repeat("../", strings.Count(folder, "/")+1) + file
}

// declaredIn are the declarations of a file of the doc set; false where it is not there.
func (p entityFiles) declaredIn(file string) (declarations, bool) {
	if d, ok := p.known[file]; ok {
		return d, true
	}
	src, err := p.opt.Open(file)
	if err != nil {
		return declarations{}, false
	}
	read := func(parse.Files) any {
		text, _ := toUTF8(src)
		return declarationsOf(comments().ReplaceAll(text, nil), file)
	}
	if p.opt.Survey == nil {
		d, ok := read(nil).(declarations)
		if p.known != nil && ok {
			p.known[file] = d
		}
		return d, ok
	}
	d, ok := p.opt.Survey("docbook entities of "+file, read).(declarations)
	return d, ok
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

// sharedText is what an entity stands for that a page does not declare: by the first file of the
// doc set that does, a page or what its document type takes in.
func (p entityFiles) sharedText(name string) (string, bool) {
	if p.opt.Survey == nil || p.opt.Open == nil {
		return "", false
	}
	index, _ := p.opt.Survey("docbook files of entities", surveyEntities).(map[string]string)
	if index[name] == "" {
		return "", false
	}
	d, _ := p.declaredIn(index[name])
	value, ok := d.texts[name]
	return value, ok
}

// surveyEntities are the files of a doc set that declare entities as text, by the names of these.
func surveyEntities(files parse.Files) any {
	index := map[string]string{}
	read := func(file string) []byte {
		o, err := files.Open(file)
		if err != nil {
			return nil
		}
		text, _ := toUTF8(o.Data)
		text = comments().ReplaceAll(text, nil)
		for name, value := range declarationsOf(text, file).texts {
			if _, twice := index[name]; !twice && value != "" && len(index) < mostLabels {
				index[name] = file
			}
		}
		return text
	}
	taken := map[string]bool{}
	for i, file := range files.List(".xml", ".sgml", ".docbook", ".dbk", templateEnding) {
		if i >= mostSurveyed || len(taken) >= mostEntityFile {
			break
		}
		o, err := files.Open(file)
		if err != nil || !docType().Match(o.Data[:min(len(o.Data), parse.HeadBytes)]) {
			continue
		}
		queue := entityFilesOf(read(file), file)
		for len(queue) > 0 {
			name := queue[0]
			queue = queue[1:]
			if !taken[name] && len(taken) < mostEntityFile {
				taken[name] = true
				queue = append(queue, entityFilesOf(read(name), name)...)
			}
		}
	}
	return index
}
