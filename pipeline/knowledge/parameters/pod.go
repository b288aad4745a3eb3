package parameters

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// The heads of items of POD, in which the manual of Perl documents variables and functions.
var (
	perlVariable = pattern.Lazy(`^[$@%](?:\^?[A-Za-z_][\w:]*|\{\^[A-Za-z_]\w*\}|[^\w\s,])$`)
	perlFunction = pattern.Lazy(`^([a-z_][\w:]+)\s+&?[A-Z]{2,}\b`)
	smallWord    = pattern.Lazy(`(?:^|[^\w:])([a-z_][\w:]*)`)
)

// perlNames reads the head of an item of POD: the names of one variable, "$OIL_KIND, $OK, $!", or a
// function with its arguments in capitals, "trim WICK,LENGTH, trim WICK".
func perlNames(head string) (naming, bool) {
	var n naming
	if m := perlFunction().FindStringSubmatch(head); m != nil {
		for _, word := range smallWord().FindAllStringSubmatch(head, -1) {
			if word[1] != m[1] {
				return n, false
			}
		}
		n.name = m[1]
		return n, isParameterName(n.name)
	}
	for name := range strings.SplitSeq(head, ", ") {
		switch {
		case strings.Contains(name, "->"): // the method that sets a variable stands beside it
		case !perlVariable().MatchString(name):
			return naming{}, false
		case n.name == "" && isParameterName(name):
			n.name = name
		default:
			n.aliases = append(n.aliases, name)
		}
	}
	return n, n.name != ""
}
