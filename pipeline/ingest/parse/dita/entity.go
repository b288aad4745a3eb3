package dita

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/plural"
)

// The bounds of what the entities of a page's document type stand for.
const (
	maxEntities = 1000
	maxEntity   = 4 << 10 // bytes of one
	// maxGrowth is how many bytes all uses of entities may add to a file, in addition to
	// the size of the file.
	maxGrowth = 1 << 20
)

// entityDeclaration is an entity in a document type: a name, and a value or the
// identifier of an external one.
var entityDeclaration = pattern.Lazy(`<!ENTITY\s+(%\s+)?([^\s"'%]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')`)

// entityUse is an entity where it is used.
var entityUse = pattern.Lazy(`&([A-Za-z_][A-Za-z0-9._-]*);`)

var tags = pattern.Lazy(`<[^<>]*>`)

// declaredEntities reads the entities that a document type declares, with those of HTML.
// External ones are not read: a page must not make the program open anything by a
// name of its choice.
func declaredEntities(doctype string, data []byte) (all map[string]string, warnings []string) {
	if !strings.Contains(doctype, "<!ENTITY") {
		return xml.HTMLEntity, nil
	}
	raw := map[string]string{}
	external := 0
	for _, m := range entityDeclaration().FindAllStringSubmatch(doctype, -1) {
		_, twice := raw[m[2]]
		switch {
		case m[3] != "":
			external++
		case m[1] == "" && !twice && len(raw) < maxEntities:
			raw[m[2]] = m[4] + m[5]
		}
	}
	if external > 0 {
		warnings = append(warnings, fmt.Sprintf("%s in its document type stand in other files, which are not read",
			plural.Count(external, "entity", "entities")))
	}
	all = maps.Clone(xml.HTMLEntity)
	values := expandEntities(raw)
	if len(values) < len(raw) {
		warnings = append(warnings, fmt.Sprintf("%s of its document type stand for too much text and are left as they are",
			plural.Count(len(raw)-len(values), "entity", "entities")))
	}
	growth := 0
	for i := 0; i < len(data); {
		at := bytes.IndexByte(data[i:], '&')
		if at < 0 {
			break
		}
		i += at + 1
		if end := bytes.IndexByte(data[i:min(len(data), i+100)], ';'); end > 0 {
			growth += len(values[string(data[i:i+end])])
		}
	}
	if growth > maxGrowth+len(data) {
		return all, append(warnings, "the entities of its document type would make it many times longer and are left as they are")
	}
	maps.Copy(all, values)
	return all, warnings
}

// expandEntities resolves the entities in the values of others. Those with a value that is too
// long, or that contain themselves, are left out.
func expandEntities(raw map[string]string) map[string]string {
	done := map[string]string{}
	var value func(name string, depth int) (string, bool)
	value = func(name string, depth int) (string, bool) {
		if v, ok := done[name]; ok {
			return v, v != tooLong
		}
		v, ok := raw[name]
		if !ok || depth > 8 {
			return "", false
		}
		done[name] = tooLong // while it is resolved, and where it cannot be
		fits := true
		v = entityUse().ReplaceAllStringFunc(v, func(use string) string {
			if inner := use[1 : len(use)-1]; raw[inner] != "" {
				text, ok := value(inner, depth+1)
				fits = fits && ok
				return text
			}
			return use
		})
		if !fits || len(v) > maxEntity {
			return "", false
		}
		done[name] = plainEntity(v)
		return done[name], true
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		value(name, 0)
	}
	maps.DeleteFunc(done, func(_, v string) bool { return v == tooLong })
	return done
}

// tooLong is the value of an entity that cannot be resolved.
const tooLong = "\x00"

// plainEntity is the text of an entity's value, which may have markup.
func plainEntity(value string) string {
	d := xml.NewDecoder(strings.NewReader(value))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	var b strings.Builder
	for {
		t, err := d.RawToken()
		if err != nil {
			break
		}
		if text, ok := t.(xml.CharData); ok {
			b.Write(text)
		}
	}
	if b.Len() == 0 {
		return tags().ReplaceAllString(value, "")
	}
	return b.String()
}
