package legible

import (
	"strings"

	"docent/pipeline/text/pattern"
)

const (
	// attributes are those of a tag, in HTML and in MDX: style="…", style={{…}}.
	attributes = `\s(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^<>"'{}])*`
	// dressed are elements within text that say nothing but how it looks.
	dressed = `span|font|small|big|center|tt`
)

var (
	// lookTag is a tag of such an element.
	lookTag = pattern.Lazy(`</?(?:` + dressed + `)(?:` + attributes + `)?>`)
	// styledTag is another tag within text that also says how it looks: it keeps its name.
	styledTag = pattern.Lazy(`<(b|i|u|s|em|strong|mark|sub|sup|kbd|code|del|ins|q)` + attributes + `>`)
)

// withoutLooks is a line without the tags that say how its text looks, but for those in code.
func withoutLooks(line string) string {
	if !strings.Contains(line, "<") || !lookTag().MatchString(line) && !styledTag().MatchString(line) {
		return line
	}
	parts := strings.Split(line, "`") // every second one is code
	if len(parts)%2 == 0 {
		return line
	}
	for i := 0; i < len(parts); i += 2 {
		parts[i] = styledTag().ReplaceAllString(lookTag().ReplaceAllString(parts[i], ""), "<$1>")
	}
	return strings.Join(parts, "`")
}
