package docbook

import (
	"encoding/xml"
	"maps"
	"strings"

	"docent/pipeline/text/pattern"
)

// Bounds of what entities stand for.
const (
	maxEntities = 2000
	maxEntity   = 2 << 10 // bytes
	maxGrowth   = 1 << 20 // bytes that all uses may add to a file, in addition to its size
)

var (
	entityDeclaration = pattern.Lazy(`<!ENTITY\s+([\w.:-]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')`)
	entityUse         = pattern.Lazy(`&([A-Za-z_][\w.:-]*);`)
)

// entitiesOf are the entities of a file: those of HTML, those that it declares as text, and
// the names of all others that it uses. An external one stands for nothing.
func entitiesOf(text []byte) map[string]string {
	all := maps.Clone(xml.HTMLEntity)
	declared := 0
	for _, m := range entityDeclaration().FindAllSubmatch(text, maxEntities) {
		name, value := string(m[1]), string(m[3])+string(m[4])
		if _, twice := all[name]; twice || len(value) > maxEntity {
			continue
		}
		value = anyTag().ReplaceAllString(value, "")
		for range 3 { // entities within its value
			value = entityUse().ReplaceAllStringFunc(value, func(use string) string {
				if v, ok := all[use[1:len(use)-1]]; ok {
					return v
				}
				return use
			})
			if len(value) > maxEntity {
				value = name
			}
		}
		all[name] = strings.ReplaceAll(value, "\n", " ")
		declared++
	}
	growth := 0
	for _, m := range entityUse().FindAllSubmatch(text, -1) {
		name := string(m[1])
		switch name {
		case "lt", "gt", "amp", "quot", "apos":
			continue
		}
		value, ok := all[name]
		if growth += len(value); growth > maxGrowth+len(text) && declared > 0 {
			return xml.HTMLEntity
		}
		if !ok && len(all) < 3*maxEntities {
			all[name] = name
		}
	}
	return all
}
