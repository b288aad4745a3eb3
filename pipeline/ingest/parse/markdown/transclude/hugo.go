package transclude

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"

	"docent/pipeline/text/pattern"
)

// parameter is Hugo's shortcode param, which shows a value that the page, a section around it or the site sets.
var parameter = pattern.Lazy(`\{\{[<%][ \t]*param[ \t]+["']?([A-Za-z_][\w.-]{0,80})["']?[ \t]*/?[%>]\}\}`)

// maxSite is the most of a site's configuration that is read, in bytes.
const maxSite = 256 << 10

// parameters are the values that the shortcode param shows on a page.
type parameters struct {
	sources []map[string]any // the nearest first
}

// parametersOf reads the front matter of a page, what the sections around it hand down, and the configuration of the site.
func parametersOf(src, file string, open func(string) ([]byte, error)) parameters {
	var p parameters
	own := frontOf(src)
	p.add(own["params"])
	p.add(map[string]any(own))
	if open == nil {
		return p
	}
	sited := false
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		if index := path.Join(folder, "_index.md"); index != file {
			if text, err := open(index); err == nil {
				p.addCascade(frontOf(string(text))["cascade"])
			}
		} else {
			p.addCascade(own["cascade"])
		}
		isRoot := folder == "." || folder == "/"
		if !sited && (isRoot || path.Base(folder) == "content") {
			sited = true
			p.addSite(path.Dir(folder), open)
		}
		if isRoot {
			return p
		}
	}
}

func (p *parameters) add(from any) {
	if values, ok := from.(map[string]any); ok {
		p.sources = append(p.sources, values)
	}
}

// addCascade adds the values that a section hands down to all of its pages; those for some of them are left out.
func (p *parameters) addCascade(cascade any) {
	entries, ok := cascade.([]any)
	if !ok {
		entries = []any{cascade}
	}
	for _, entry := range entries {
		values, ok := entry.(map[string]any)
		if !ok || values["target"] != nil || values["_target"] != nil {
			continue
		}
		p.add(values["params"])
		p.add(values)
	}
}

// addSite adds the params of a site's configuration.
func (p *parameters) addSite(folder string, open func(string) ([]byte, error)) {
	for _, name := range []string{"hugo", "config", "config/_default/params", "config/_default/hugo", "config/_default/config"} {
		for _, ending := range []string{".yaml", ".toml"} {
			text, err := open(path.Join(folder, name+ending))
			if err != nil || len(text) > maxSite {
				continue
			}
			said := decoded(string(text), ending == ".toml")
			if path.Base(name) == "params" {
				p.add(said)
			} else {
				p.add(said["params"])
			}
		}
	}
}

// frontOf is the front matter of a page.
func frontOf(src string) map[string]any {
	for _, fence := range []string{"---", "+++"} {
		rest, ok := strings.CutPrefix(src, fence+"\n")
		if !ok {
			continue
		}
		if front, _, ok := strings.Cut(rest[:min(len(rest), maxFront)], "\n"+fence); ok {
			return decoded(front, fence == "+++")
		}
	}
	return map[string]any{}
}

// decoded are the values of a text in YAML or TOML, none where it is neither.
func decoded(text string, isTOML bool) map[string]any {
	values := map[string]any{}
	var err error
	if isTOML {
		err = toml.Unmarshal([]byte(text), &values)
	} else {
		values, err = decodedYAML(text)
	}
	if err != nil {
		return map[string]any{}
	}
	return values
}

// decodedYAML keeps numbers as they are written: a version 1.10 is not 1.1.
func decodedYAML(text string) (map[string]any, error) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil || len(node.Content) == 0 {
		return nil, err
	}
	left := 20_000
	values, _ := plainYAML(node.Content[0], &left).(map[string]any)
	return values, nil
}

// plainYAML is a node as maps, lists and texts. left is how many more nodes are read.
func plainYAML(n *yaml.Node, left *int) any {
	if *left--; *left < 0 {
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return plainYAML(n.Alias, left)
	case yaml.ScalarNode:
		return n.Value
	case yaml.SequenceNode:
		var out []any
		for _, item := range n.Content {
			out = append(out, plainYAML(item, left))
		}
		return out
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = plainYAML(n.Content[i+1], left)
		}
		return out
	}
	return nil
}

// valueOf is the text that the shortcode shows for a name, whose parts have dots between them. Hugo does not tell
// capitals from small letters there.
func (p parameters) valueOf(name string) (string, bool) {
	for _, source := range p.sources {
		var at any = source
		for part := range strings.SplitSeq(name, ".") {
			at = member(at, part)
		}
		if text, ok := at.(string); ok {
			text = strings.TrimSpace(text)
			return text, len(text) <= maxSubstituted && !strings.Contains(text, "\n")
		}
	}
	return "", false
}

// member is the value of a key, nil without one.
func member(of any, key string) any {
	values, ok := of.(map[string]any)
	if v, there := values[key]; there || !ok {
		return v
	}
	for _, k := range slices.Sorted(maps.Keys(values)) {
		if strings.EqualFold(k, key) {
			return values[k]
		}
	}
	return nil
}

// fill puts values in the places of the shortcodes of a line, also of one of code, as Hugo does. ok is false where
// nothing was put in.
func (p parameters) fill(line string) (filled string, ok bool) {
	filled = parameter().ReplaceAllStringFunc(line, func(tag string) string {
		if text, known := p.valueOf(parameter().FindStringSubmatch(tag)[1]); known {
			ok = true
			return text
		}
		return tag
	})
	return filled, ok
}
