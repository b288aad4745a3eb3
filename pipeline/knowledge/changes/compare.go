package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/text/pattern"
)

// Compare lists what became of the names of the older version, in the order of the names and
// then of the kinds. after must have been made with NewVersion(before).
func Compare(before, after *Version) []Change {
	c := comparison{before: before, after: after, folded: map[string][]string{}, last: map[string]bool{},
		saidBefore: statementsByName(before.statements), saidAfter: statementsByName(after.statements)}
	for _, n := range after.order {
		c.folded[foldedName(n)] = append(c.folded[foldedName(n)], n)
		if i := strings.LastIndexByte(n, '.'); i > 0 {
			c.last[n[i+1:]] = true
		}
	}
	names := slices.Clone(before.order)
	slices.Sort(names)
	var out []Change
	for _, n := range names {
		places := slices.DeleteFunc(slices.Clone(before.names[n]), func(p Name) bool {
			return p.Form == parameters.Example || p.Name != n
		})
		if len(places) == 0 || !comparableName().MatchString(n) {
			continue
		}
		out = append(out, c.compareName(n, places)...)
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(slices.Index(Kinds(), a.Kind), slices.Index(Kinds(), b.Kind)))
	})
	return out
}

// comparableName are names without placeholders, of at least two letters.
var comparableName = pattern.Lazy(`^[-@$.]*[A-Za-z_][-\w.$:@]*[\w$!?]$`)

func foldedName(n string) string {
	dashes := ""
	if strings.HasPrefix(n, "-") {
		dashes = "-"
	}
	return dashes + parameters.Folded(n)
}

func statementsByName(all []statement) map[string][]statement {
	out := map[string][]statement{}
	for _, s := range all {
		out[s.name] = append(out[s.name], s)
	}
	return out
}

type comparison struct {
	before, after         *Version
	folded                map[string][]string // names of after
	last                  map[string]bool     // last parts of dotted names of after
	saidBefore, saidAfter map[string][]statement
}

// compareName lists what became of one name, which stands at the given places.
func (c *comparison) compareName(name string, places []Name) []Change {
	change := Change{Name: name, Aliases: places[0].Aliases, Before: places[0].Place}
	for _, p := range places {
		change.Call = change.Call || p.Call
		if !slices.ContainsFunc(change.Parents, func(have []string) bool { return slices.Equal(have, p.Parents) }) {
			change.Parents = append(change.Parents, p.Parents)
		}
		if !slices.Contains(change.Pages, p.Place.Path) {
			change.Pages = append(change.Pages, p.Place.Path)
		}
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		change.Shared = c.last[name[i+1:]] || len(c.after.names[name[i+1:]]) > 0
	}
	if now := c.after.names[name]; len(now) > 0 {
		return c.compareDocumented(change, places, now)
	}
	if found, ok := c.compareGone(change, places[0]); ok {
		return []Change{found}
	}
	return nil
}

// compareGone is what became of a name that the newer version does not document.
func (c *comparison) compareGone(change Change, was Name) (Change, bool) {
	if s, ok := c.statementOf(change.Name, was.Place.Path); ok {
		change.Kind, change.Replacement, change.Evidence = s.kind, s.replacement, s.sentence
		place := s.place
		change.After = &place
		return change, true
	}
	if others := c.folded[foldedName(change.Name)]; len(others) > 0 {
		other := others[0]
		now := c.after.names[other][0]
		if strings.EqualFold(other, change.Name) || c.isMentioned(change.Name) || len(c.before.names[other]) > 0 {
			return change, false
		}
		change.Kind, change.Replacement, change.After = Renamed, other, &now.Place
		change.Evidence = "it is documented in another spelling"
		return change, true
	}
	if c.isDocumentedOtherwise(change.Name) {
		return change, false
	}
	if now, ok := c.sameDescription(was); ok {
		change.Kind, change.Replacement, change.After = Renamed, now.Name, &now.Place
		change.Evidence = "the same page has its description under another name"
		return change, true
	}
	change.Kind = Removed
	if c.isMentioned(change.Name) {
		return change, false // its documentation has another form now
	}
	if at, ok := c.after.history[change.Name]; ok {
		change.After = &at
	}
	return change, true
}

func (c *comparison) isMentioned(name string) bool {
	_, ok := c.after.mentions[name]
	return ok
}

// isDocumentedOtherwise reports whether a dotted name is documented by its last part alone, or
// a last part as a part of a dotted name.
func (c *comparison) isDocumentedOtherwise(name string) bool {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return len(c.after.names[name[i+1:]]) > 0
	}
	return c.last[name]
}

// statementOf is what the newer version says of a name, the most telling sentence first. What
// the older version says of it too is nothing new, unless the name is documented no more.
func (c *comparison) statementOf(name, path string) (statement, bool) {
	all := c.saidAfter[name]
	if strings.HasPrefix(name, "-") || !strings.Contains(name, ".") {
		all = slices.Concat(all, c.saidAfter[strings.TrimLeft(name, "-")])
	}
	all = slices.DeleteFunc(slices.Clone(all), func(s statement) bool {
		return !isWrittenAsCode(name) && s.place.Path != path // another thing is called so too
	})
	if len(all) == 0 {
		return statement{}, false
	}
	return slices.MinFunc(all, func(a, b statement) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds(), a.kind)%2, slices.Index(Kinds(), b.kind)%2),
			cmp.Compare(b2i(a.replacement == ""), b2i(b.replacement == "")))
	}), true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// leastWords is the length of a description that tells a parameter from another.
const leastWords = 5

// sameDescription is the one name of the newer version that is new, stands on the same page
// and has the description of a name that is gone.
func (c *comparison) sameDescription(was Name) (Name, bool) {
	want := comparableText(was.Description, was.Name)
	if len(strings.Fields(want)) < leastWords {
		return Name{}, false
	}
	var found []Name
	for _, n := range c.after.order {
		if len(c.before.names[n]) > 0 {
			continue
		}
		for _, p := range c.after.names[n] {
			if p.Name == n && p.Place.Path == was.Place.Path && comparableText(p.Description, n) == want {
				found = append(found, p)
			}
		}
	}
	if len(found) != 1 {
		return Name{}, false
	}
	return found[0], true
}

// comparableText is a description without the name that it describes.
func comparableText(s, name string) string {
	s = strings.ToLower(strings.ReplaceAll(s, strings.TrimLeft(name, "-"), ""))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" `.,:;()\"'-", r) }), " ")
}

// compareDocumented is what became of a name that both versions document.
func (c *comparison) compareDocumented(change Change, was, now []Name) []Change {
	var out []Change
	if found, ok := c.newlyDeprecated(change, was, now); ok {
		out = append(out, found)
	}
	if found, ok := c.goneFromCommands(change, was, now); ok {
		out = append(out, found)
	}
	type values struct {
		kind Kind
		of   func(Name) string
		same func(a, b string) bool
	}
	for _, v := range []values{
		{Default, func(n Name) string { return n.Default }, sameDefault},
		{Type, func(n Name) string { return n.Type }, sameType},
	} {
		differs, others := 0, 0
		var at [2]Name
		for _, p := range pairsOf(was, now) {
			a, b := v.of(p[0]), v.of(p[1])
			switch {
			case a == "" || b == "", isWords(a) && isWords(b):
			case v.same(a, b):
				others++
			default:
				if differs++; differs == 1 {
					at = p
				}
			}
		}
		if differs == 0 {
			continue
		}
		x := change
		x.Kind, x.From, x.To, x.Partial = v.kind, v.of(at[0]), v.of(at[1]), others > 0 || len(was) > differs
		x.Before, x.After = at[0].Place, &at[1].Place
		x.Parents, x.Pages = [][]string{at[0].Parents}, []string{at[0].Place.Path}
		if isWords(x.From) || isWords(x.To) {
			x.Perhaps = "its " + string(v.kind) + " is described in words"
		}
		out = append(out, x)
	}
	return out
}

// newlyDeprecated says that the newer version deprecates a name and the older one does not.
func (c *comparison) newlyDeprecated(change Change, was, now []Name) (Change, bool) {
	deprecated := func(n Name) bool { return n.Deprecated != "" }
	change.Kind = Deprecated
	if slices.ContainsFunc(was, deprecated) || len(c.saidBefore[change.Name]) > 0 {
		return change, false
	}
	var said statement
	for _, s := range c.saidAfter[change.Name] {
		onPage := slices.ContainsFunc(now, func(n Name) bool { return n.Place.Path == s.place.Path })
		if s.kind == Deprecated && (onPage || isWrittenAsCode(change.Name)) && (said.name == "" || said.replacement == "") {
			said = s
		}
	}
	if i := slices.IndexFunc(now, deprecated); i >= 0 {
		n := now[i]
		place := n.Place
		place.Lines = [2]int{n.DeprecatedLine, n.DeprecatedLine}
		change.After, change.Evidence, change.Replacement = &place, n.Deprecated, said.replacement
		if s, ok := replacementIn(n.Deprecated); ok && s == change.Name {
			return change, false // it takes the place of the other
		} else if ok && said.replacement == "" {
			change.Replacement = s
		}
		change.Partial = slices.ContainsFunc(now, func(n Name) bool { return !deprecated(n) && n.Form != parameters.Example })
		return change, true
	}
	if said.name == "" {
		return change, false
	}
	place := said.place
	change.After, change.Evidence, change.Replacement = &place, said.sentence, said.replacement
	change.Partial = len(now) > 1 && !isWrittenAsCode(change.Name)
	return change, true
}

var replacedBy = pattern.Lazy(`(?i)\b(?:use|in\s+favou?r\s+of|replaced\s+(?:by|with)|prefer)\s+` + theNoun + aName)

// replacementIn is the name that a note of deprecation says to use.
func replacementIn(note string) (string, bool) {
	m := replacedBy().FindStringSubmatch(note)
	if m == nil {
		return "", false
	}
	return nameInSentence(m[1])
}

// pairsOf are the places of a name in both versions that are the same: the same page and
// section, the same page, or the only ones.
func pairsOf(was, now []Name) [][2]Name {
	if len(was) == 1 && len(now) == 1 {
		return [][2]Name{{was[0], now[0]}}
	}
	var out [][2]Name
	taken := map[Place]bool{}
	for _, key := range []func(Name) string{
		func(n Name) string { return n.Place.Path + "\n" + n.Place.SectionPath },
		func(n Name) string { return n.Place.Path },
	} {
		index := func(all []Name, side int) map[string][]Name {
			m := map[string][]Name{}
			for _, n := range all {
				if n.Form != parameters.Example && !taken[marked(n, side)] {
					m[key(n)] = append(m[key(n)], n)
				}
			}
			return m
		}
		old, fresh := index(was, 0), index(now, 1)
		for _, n := range was {
			a, b := old[key(n)], fresh[key(n)]
			if len(a) == 1 && len(b) == 1 && !taken[marked(a[0], 0)] {
				out = append(out, [2]Name{a[0], b[0]})
				taken[marked(a[0], 0)], taken[marked(b[0], 1)] = true, true
			}
		}
	}
	return out
}

// marked is the place of a name with the side that it stands on.
func marked(n Name, side int) Place {
	p := n.Place
	p.Title = fmt.Sprint(side)
	return p
}
