package graph

import "strings"

// LeadsElsewhere reports whether an address leads to no page of the documentation by its form: that of
// a mail, of another component of Antora, or of a web site with a part that is filled in.
func LeadsElsewhere(target string) bool {
	return isMailAddress(target) || isOfOtherComponent(target) || strings.HasPrefix(target, "http") && strings.Contains(target, "{{")
}

// isMailAddress reports whether a target without a scheme is the address of a mail or the name of a
// message, as in "Message-ID: <20240101@example.org>".
func isMailAddress(target string) bool {
	name, host, ok := strings.Cut(target, "@")
	return ok && name != "" && strings.Contains(host, ".") && !strings.ContainsAny(target, "/#?: ")
}

// isOfOtherComponent reports whether a target is the id of a page of Antora in a version of another
// component, as in 2.0@lamps:care:trim.adoc: the parser finds those of the doc set.
func isOfOtherComponent(target string) bool {
	version, id, ok := strings.Cut(target, "@")
	return ok && version != "" && !strings.ContainsAny(version, "/:#?") && strings.Count(id, ":") >= 2
}

// IsTemplated reports whether an address has a place for what the program that makes the site
// puts in.
func IsTemplated(target string) bool {
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
		return false
	}
	for _, sign := range []string{"{{", "{%", "${", "<%", "%}", "}}"} {
		if strings.Contains(target, sign) {
			return true
		}
	}
	_, attribute, ok := strings.Cut(target, "%7B") // of AsciiDoc
	return ok && strings.Contains(attribute, "%7D")
}
