package reading

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// manualSection is the section of a manual after the name of its page: "mount(8)".
var manualSection = pattern.Lazy(`^(.*\S)\s*\([1-9][a-z]{0,4}\)$`)

// isTitled reports whether a title is a name. Capitals, hyphens, a plural and the section of a manual
// page make no difference, nor does the name of the doc set before either of them: the page
// "git-add(1)" of a doc set "git" has the name "add".
func isTitled(title, docSet, name string) bool {
	set, _, _ := strings.Cut(docSet, "@")
	of := plainName(set) + " "
	t, n := strings.TrimPrefix(plainName(title), of), strings.TrimPrefix(plainName(name), of)
	return t != "" && t == n
}

// FitOfTitle is how well a title is a name that a question asks for: 2 where both have the name of the doc set
// before it ("git add", of a page "git-add(1)"), 1 where the title is the name in another way, 0 for
// other titles.
func FitOfTitle(title, docSet, name, question string) int {
	if !isTitled(title, docSet, name) {
		return 0
	}
	set, _, _ := strings.Cut(docSet, "@")
	full := plainName(set) + " " + strings.TrimPrefix(plainName(name), plainName(set)+" ")
	if plainName(title) == full && strings.Contains(" "+plainName(question)+" ", " "+full+" ") {
		return 2
	}
	return 1
}

// HasNames reports whether a heading has all of some names, word for word. Capitals, hyphens and plurals make
// no difference.
func HasNames(heading string, names []string) bool {
	words := func(s string) string {
		list := strings.Fields(plainName(s))
		for i, w := range list {
			list[i] = strings.TrimSuffix(w, "s")
		}
		return " " + strings.Join(list, " ") + " "
	}
	text := words(heading)
	for _, n := range names {
		if !strings.Contains(text, words(n)) {
			return false
		}
	}
	return true
}

// plainName is a text as it is compared with a title.
func plainName(s string) string {
	s = strings.TrimSpace(s)
	if m := manualSection().FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	s = strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" -_?!,;:", r) }), " ")
	return strings.TrimSuffix(s, "s")
}
