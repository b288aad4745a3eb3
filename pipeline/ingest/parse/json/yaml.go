package json

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse"
)

// maxYAML is the size of the largest document in YAML that is read, in bytes: it takes
// some 30 bytes of memory a byte.
const maxYAML = 16 << 20

// readYAML reads YAML as the values that JSON has.
func readYAML(src []byte) (tree, error) {
	if len(src) > maxYAML {
		return tree{}, parse.LeftOut(fmt.Sprintf("%d MB are more than the %d MB that a document in YAML may have; save it as JSON",
			len(src)>>20, maxYAML>>20))
	}
	var n yaml.Node
	if err := yaml.Unmarshal(src, &n); err != nil {
		return tree{}, fmt.Errorf("it is no valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if n.Kind == 0 || len(n.Content) == 0 {
		return tree{}, parse.LeftOut("it is empty")
	}
	y := yamlReader{}
	v, err := y.value(n.Content[0], 0)
	return tree{v, y.warnings}, err
}

type yamlReader struct {
	values   int
	deep     bool // warned
	warnings []string
}

func (y *yamlReader) value(n *yaml.Node, depth int) (*value, error) {
	if y.values++; y.values > maxValues {
		return nil, parse.LeftOut(fmt.Sprintf("it is data: it has more than %d values", maxValues))
	}
	v := &value{line: n.Line}
	if depth > maxDepth {
		if !y.deep {
			y.deep = true
			y.warnings = append(y.warnings, fmt.Sprintf("line %d: values nest deeper than %d; what is deeper is left out", n.Line,
				maxDepth))
		}
		return v, nil
	}
	switch n.Kind {
	case yaml.AliasNode: // counted each time it is used
		return y.value(n.Alias, depth+1)
	case yaml.MappingNode:
		v.kind = object
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, of := n.Content[i], n.Content[i+1]
			m, err := y.value(of, depth+1)
			if err != nil {
				return nil, err
			}
			if key.Tag == "!!merge" {
				v.members = append(v.members, m.allMembers()...) // those before it count
				continue
			}
			v.members = append(v.members, member{key.Value, key.Line, m})
		}
	case yaml.SequenceNode:
		v.kind = list
		for _, c := range n.Content {
			item, err := y.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, item)
		}
	case yaml.ScalarNode:
		v.text = n.Value
		switch n.Tag {
		case "!!bool":
			v.kind = boolean
		case "!!int", "!!float":
			v.kind = number
		case "!!null":
		default:
			v.kind = text
		}
	}
	return v, nil
}
