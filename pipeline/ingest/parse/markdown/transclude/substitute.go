package transclude

import (
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse/rst/sphinx"
	"docent/pipeline/text/pattern"
)

// Bounds of substitutions.
const (
	maxFront       = 64 << 10 // of front matter, in bytes
	maxSubstituted = 4 << 10  // of the text for one name, in bytes
)

// substitution is a name of MyST in the place of a text.
var substitution = pattern.Lazy(`\{\{[ \t]*([A-Za-z_][\w-]{0,80})[ \t]*\}\}`)

// substitutions are the texts of MyST that stand for names on a page: those of its front matter, and of the
// conf.py or docset.yml of the project around it.
type substitutions struct {
	own     map[string]string
	project func(name string) (string, bool)
	places  bool // the project is one of docs-builder, with its marks of places
}

// substitutionsOf reads the front matter of a page, and conf.py or docset.yml in its folder or one above.
func substitutionsOf(src, file string, open func(string) ([]byte, error)) substitutions {
	s := substitutions{own: ofFrontMatter(src), project: func(string) (string, bool) { return "", false }}
	if open == nil {
		return s
	}
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		if conf, err := open(path.Join(folder, "conf.py")); err == nil {
			inProject := func(name string) ([]byte, error) { return open(path.Join(folder, name)) }
			s.project = sphinx.ReadProject(string(conf), inProject).Substitution
			break
		}
		if set, ok := readDocset(folder, open); ok {
			s.places = true
			s.project = func(name string) (string, bool) { text, ok := set.Subs[name]; return text, ok }
			break
		}
		if folder == "." || folder == "/" {
			break
		}
	}
	return s
}

// ofFrontMatter are the substitutions in the front matter of a page, at its top, below "myst", or, for
// docs-builder, as "sub".
func ofFrontMatter(src string) map[string]string {
	rest, ok := strings.CutPrefix(src, "---\n")
	if !ok {
		return nil
	}
	front, _, ok := strings.Cut(rest[:min(len(rest), maxFront)], "\n---")
	if !ok || !strings.Contains(front, "substitutions:") && !strings.Contains("\n"+front, "\nsub:") {
		return nil
	}
	var said struct {
		Substitutions map[string]yaml.Node
		Myst          struct{ Substitutions map[string]yaml.Node }
		Sub           map[string]yaml.Node
	}
	if yaml.Unmarshal([]byte(front), &said) != nil {
		return nil
	}
	out := map[string]string{}
	for _, all := range []map[string]yaml.Node{said.Substitutions, said.Myst.Substitutions, said.Sub} {
		for name, n := range all {
			if n.Kind == yaml.ScalarNode {
				out[name] = n.Value
			}
		}
	}
	return out
}

// valueOf is the text for a name.
func (s substitutions) valueOf(name string) (string, bool) {
	v, ok := s.own[name]
	if !ok {
		v, ok = s.project(name)
	}
	return strings.TrimSpace(v), ok && len(v) <= maxSubstituted
}

// shape is a line of a page outside of code, with the texts for its names and the places of docs-builder. ok is
// false where it stays as it is.
func (s substitutions) shape(line string) (shaped string, ok bool) {
	marked := false
	if s.places {
		line, marked = markPlaces(line)
	}
	shaped, ok = s.fill(line)
	return shaped, ok || marked
}

// fill puts the texts in the places of the names in a line, but for those within code. A text of several
// lines stands where its name is alone on a line. ok is false where nothing was put in.
func (s substitutions) fill(line string) (filled string, ok bool) {
	if !strings.Contains(line, "{{") {
		return line, false
	}
	var b strings.Builder
	end := 0
	for _, m := range substitution().FindAllStringSubmatchIndex(line, -1) {
		text, known := s.valueOf(line[m[2]:m[3]])
		alone := strings.TrimSpace(line[:m[0]]) == "" && strings.TrimSpace(line[m[1]:]) == ""
		if !known || strings.Count(line[:m[0]], "`")%2 == 1 || strings.Contains(text, "\n") && !alone {
			continue
		}
		b.WriteString(line[end:m[0]])
		b.WriteString(strings.ReplaceAll(text, "\n", "\n"+line[:m[0]]))
		end, ok = m[1], true
	}
	b.WriteString(line[end:])
	return b.String(), ok
}
