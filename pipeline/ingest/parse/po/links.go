package po

import (
	"path"
	"strings"

	"docent/pipeline/text/pattern"
)

var (
	definition = pattern.Lazy(`(?m)^ {0,3}\[([^\]\n]{1,200})\]:[ \t]+<?([^\s>]+)>?`)
	// ofDefinition is a link whose target is defined elsewhere: "[text][name]" from its "]", or
	// "[name]".
	ofDefinition = pattern.Lazy(`\]\[[^\[\]\n]{1,200}\]|\[[^\[\]\n]{1,200}\][(:\[]?`)
	inlineLink   = pattern.Lazy(`\]\([^()\s]+`)
)

// expandLinks puts the targets of links that a page of Markdown defines elsewhere into the
// links, as mdBook's catalogs have them. Lines stay lines.
func expandLinks(src string) string {
	targets := map[string]string{}
	for _, m := range definition().FindAllStringSubmatch(src, -1) {
		if name := strings.ToLower(m[1]); targets[name] == "" {
			targets[name] = m[2]
		}
	}
	if len(targets) == 0 {
		return src
	}
	left := 4*len(src) + 1000
	return ofDefinition().ReplaceAllStringFunc(src, func(link string) string {
		text, name := "]", strings.Trim(link, "[]")
		if link[0] == '[' {
			if link[len(link)-1] != ']' {
				return link // it has its target, or it is the definition
			}
			text = link
		}
		target := targets[strings.ToLower(name)]
		if left -= len(target); target == "" || left < 0 {
			return link
		}
		return text + "(" + target + ")"
	})
}

// mover makes links that lead from the folder of an original lead from that of the catalog.
type mover struct{ prefix string }

// moverOf is the mover between two pages; it moves nothing where they lie in one folder.
func moverOf(original, catalog string) mover {
	from, to := path.Dir(catalog), path.Dir(original)
	if from == to {
		return mover{}
	}
	prefix := to + "/"
	if from != "." {
		prefix = strings.Repeat("../", strings.Count(from, "/")+1) + prefix
	}
	return mover{strings.TrimPrefix(path.Clean(prefix)+"/", "./")}
}

// target is where a link leads from the folder of the catalog.
func (m mover) target(to string) string {
	if to == "" || to[0] == '#' || to[0] == '/' || strings.Contains(to, ":") {
		return to
	}
	return m.prefix + to
}

// links moves the links of a text in Markdown.
func (m mover) links(text string) string {
	if m.prefix == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	fence := ""
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " >\t")
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		default:
			lines[i] = inlineLink().ReplaceAllStringFunc(line, func(link string) string {
				return "](" + m.target(link[2:])
			})
		}
	}
	return strings.Join(lines, "\n")
}
