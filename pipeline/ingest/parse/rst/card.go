package rst

import (
	"strings"

	"docent/pipeline/text/spacing"
)

// card reads the content of a card: what stands above "^^^" is its head, what stands below
// "+++" its foot, and neither line is shown.
func (r *reader) card(n *node, v view) {
	from := 0
	for i := range v.lineCount() {
		rule := strings.TrimSpace(v.lineAt(i))
		if len(rule) < 3 || strings.Trim(rule, "^") != "" && strings.Trim(rule, "+") != "" {
			continue
		}
		if v.lineAt(i)[0] == ' ' {
			continue
		}
		if part := v.linesBetween(from, i); rule[0] == '^' && from == 0 && part.trimBlank().lineCount() > 0 {
			n.kids = append(n.kids, &node{kind: rubric, line: r.lineNumber(part, 0), still: n.still,
				text: spacing.Single(part.commonText())})
		} else {
			r.blocksInto(n, part)
		}
		from = i + 1
	}
	r.blocksInto(n, v.linesBetween(from, v.lineCount()))
}

// buttonText is the text of a button as a link: of one with a reference a role.
func buttonText(c call) string {
	target, text := c.argument(), spacing.Single(c.content.commonText())
	if target == "" {
		return text
	}
	if c.name == "button-link" {
		if text == "" {
			return target
		}
		return "`" + text + " <" + target + ">`__"
	}
	role := "ref"
	if t, ok := c.option("ref-type"); ok && t == "doc" || strings.Contains(target, "/") {
		role = "doc"
	}
	if text == "" {
		return ":" + role + ":`" + target + "`"
	}
	return ":" + role + ":`" + text + " <" + target + ">`"
}
