package optimize

import (
	_ "embed"
	"strings"
	"sync"

	"docent/pipeline/question/lexicon"
)

//go:embed expansions.tsv
var expansionSource string

// concept is an action or a thing with several names.
type concept struct {
	verb      string   // base form, or the thing
	thing     bool     // no action
	noun      string   // its name, the verb where it has none
	templates []string // other names for it, {} standing for the topics
}

// tables are the package's word lists.
type tables struct {
	concepts map[string]*concept // by verb, noun and other forms
	first    map[string][]string // fuller names that come before a lone word
	also     map[string][]string // other names that come after it
	verbs    map[string]bool     // base forms; false: a noun as well
	phrases  map[string]bool     // terms of several words, lower case
}

var load = sync.OnceValue(func() *tables {
	t := &tables{concepts: map[string]*concept{}, first: map[string][]string{}, also: map[string][]string{},
		verbs: map[string]bool{}, phrases: map[string]bool{}}
	for line := range strings.Lines(expansionSource) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case (f[0] == "concept" || f[0] == "thing") && len(f) == 4:
			forms := strings.Split(f[2], ",")
			c := &concept{verb: f[1], thing: f[0] == "thing", noun: forms[0], templates: strings.Split(f[3], "|")}
			for _, form := range append(forms, f[1]) {
				if _, ok := t.concepts[form]; !ok || form == f[1] {
					t.concepts[form] = c
				}
			}
		case f[0] == "first" && len(f) == 3:
			t.first[f[1]] = strings.Split(f[2], "|")
		case f[0] == "also" && len(f) == 3:
			t.also[f[1]] = strings.Split(f[2], "|")
		}
	}
	nouns := map[string]bool{}
	lexicon.English(func(g string, verb bool) {
		switch {
		case strings.Contains(g, " "):
			if !verb {
				t.phrases[strings.ToLower(g)] = true
			}
		case verb:
			t.verbs[g] = true
		default:
			nouns[strings.ToLower(g)] = true
		}
	})
	for v := range t.verbs {
		t.verbs[v] = !nouns[v]
	}
	return t
})

// baseVerb is the base form of a verb, "" if w is no form of a known verb. sure says that
// w is hardly ever a noun.
func (t *tables) baseVerb(w string) (verb string, sure bool) {
	try := func(v string, inflected bool) bool {
		s, ok := t.verbs[v]
		if ok {
			verb, sure = v, s || inflected
		}
		return ok
	}
	if try(w, false) {
		return verb, sure
	}
	if stem, ok := strings.CutSuffix(w, "ing"); ok && len(stem) > 2 {
		if try(stem, true) || try(stem+"e", true) || isDoubleQuoted(stem) && try(stem[:len(stem)-1], true) {
			return verb, sure
		}
	}
	if stem, ok := strings.CutSuffix(w, "ed"); ok && len(stem) > 1 {
		if try(stem, true) || try(stem+"e", true) || isDoubleQuoted(stem) && try(stem[:len(stem)-1], true) {
			return verb, sure
		}
		if s, ok := strings.CutSuffix(stem, "i"); ok && try(s+"y", true) {
			return verb, sure
		}
	}
	if stem, ok := strings.CutSuffix(w, "s"); ok && len(stem) > 2 && t.verbs[stem] {
		return stem, true // creates; but hooks, limits, builds stay nouns
	}
	return "", false
}

func isDoubleQuoted(s string) bool { return len(s) > 2 && s[len(s)-1] == s[len(s)-2] }
