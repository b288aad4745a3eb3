package locate

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/text/spelling"
	"docent/store"
	"docent/store/doc"
)

// pageNames are the names of pages that may be proposed in place of a wrong one: SET/TITLE by title,
// and SET/PATH by the name of the file without its ending.
type pageNames struct{ titles, files map[string]string }

// add adds a page. Where its title has signs that a shell reads, as restic-backup(1), it is proposed
// by its path, so that what is proposed can be pasted.
func (n pageNames) add(set, file, title string) {
	place := set + "/" + file
	if _, ok := n.titles[title]; !ok {
		n.titles[title] = place
		if !strings.ContainsFunc(title, isShellSign) {
			n.titles[title] = set + "/" + title
		}
	}
	if bare, _ := barePath(file); n.files[path.Base(bare)] == "" {
		n.files[path.Base(bare)] = n.titles[title]
		if n.titles[title] != place && n.titles[title] != set+"/"+title { // another page has this title
			n.files[path.Base(bare)] = place
		}
	}
}

func isShellSign(r rune) bool { return strings.ContainsRune("()&|;<>$`\\\"'*?[]{}!#~", r) }

// mostNear is how many pages an error proposes.
const mostNear = 3

// nearest are the names near to a wrong one, by title first. Of a path the last part counts, without
// the ending of a file.
func (n pageNames) nearest(page string) []string {
	bare, _ := barePath(page)
	var near []string
	for _, names := range []map[string]string{n.titles, n.files} {
		sorted := slices.Sorted(maps.Keys(names))
		for _, as := range []string{page, path.Base(bare)} {
			for _, name := range spelling.Nearest(as, sorted) {
				if len(near) < mostNear && !slices.Contains(near, names[name]) {
					near = append(near, names[name])
				}
			}
		}
	}
	return near
}

// nearSets are the doc sets that a word may mean: the newest version of each whose name is near to it,
// or has the word as a part between its signs.
func nearSets(word string, sets []store.Set) []string {
	newest := map[string]string{}
	var names []string
	for _, s := range sets {
		name := strings.ToLower(s.Ref.Name)
		if best, ok := newest[name]; !ok || doc.CompareVersions(s.Ref.Version, best) > 0 {
			newest[name] = s.Ref.Version
		}
		if !slices.Contains(names, s.Ref.Name) {
			names = append(names, s.Ref.Name)
		}
	}
	near := spelling.Nearest(word, names)
	for _, name := range names {
		parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if !slices.Contains(near, name) && slices.ContainsFunc(parts, func(p string) bool { return strings.EqualFold(p, word) }) {
			near = append(near, name)
		}
	}
	for i, name := range near {
		near[i] = doc.Ref{Name: name, Version: newest[strings.ToLower(name)]}.String()
	}
	return near
}
