package asciidoc

import (
	"strconv"
	"strings"

	"docent/pipeline/text/pattern"
)

// attributeDirective sets an attribute within a text: {set:name:value}, {set:name!},
// {counter:name}, {counter2:name:seed}.
var attributeDirective = pattern.Lazy(`\{(set|counter2?):([\w][\w-]*)(!?)(?::([^{}\n]{0,200}))?\}`)

// runDirectives sets the attributes that a text sets, and puts the numbers of its counters in
// their places. A counter of the second kind is not shown.
func (p *page) runDirectives(s string) string {
	if !strings.Contains(s, "{set:") && !strings.Contains(s, "{counter") {
		return s
	}
	var b strings.Builder
	from := 0
	for _, m := range attributeDirective().FindAllStringSubmatchIndex(s, -1) {
		// The text before may name an attribute as it was.
		b.WriteString(p.expand(s[from:m[0]]))
		from = m[1]
		kind, name, value := s[m[2]:m[3]], s[m[4]:m[5]], ""
		if m[8] >= 0 {
			value = s[m[8]:m[9]]
		}
		switch kind {
		case "set":
			setAttribute(p.attributes, name+s[m[6]:m[7]], value)
		default:
			name = strings.ToLower(name)
			p.attributes[name] = nextCount(p.attributes[name], value)
			if kind == "counter" {
				b.WriteString(p.attributes[name])
			}
		}
	}
	return b.String() + s[from:]
}

// nextCount is what a counter says behind a number or a letter; without one it begins with its
// seed, or with 1.
func nextCount(was, seed string) string {
	if was == "" && seed != "" {
		return seed
	}
	if len(was) == 1 && (was[0] >= 'a' && was[0] < 'z' || was[0] >= 'A' && was[0] < 'Z') {
		return string(was[0] + 1)
	}
	n, err := strconv.Atoi(was)
	if err != nil {
		n = 0
	}
	return strconv.Itoa(n + 1)
}
