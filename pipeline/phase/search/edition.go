package search

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/fingerprint"
	"docent/store/doc"
)

// numberedFolder is the name of a folder that is a version: v1, 1.31, 2.x, version-3,
// release-1.4, 2026-02, 2026-02-14. A number alone is none: it may count chapters.
var numberedFolder = regexp.MustCompile(`^(?i:v\d+(?:[._]\d+)*(?:\.x)?|\d+(?:\.(?:\d+|x))+` +
	`|(?:version|release)s?[-_]?v?\d+(?:[._]\d+)*(?:\.x)?|(?:19|20)\d\d-\d\d(?:-\d\d)?)(?:[-.]?(?i:alpha|beta|rc|preview)[-.]?\d*)?$`)

// movingFolders are names of folders that follow releases or a development. They may be a
// subject too: docs/dev tells how to develop.
var movingFolders = []string{"latest", "stable", "current", "lts", "next", "dev", "devel", "main", "master", "nightly",
	"draft", "unreleased"}

// newsWords are words in the path of release notes and the like. Each version has its own.
var newsWords = []string{"release", "changelog", "changes", "whatsnew", "whats-new", "news", "blog", "migrat", "upgrad", "advisor"}

// edition is the path of a page without the folders that are versions.
type edition struct {
	place    string
	folders  []string // as they are called
	numbered bool     // all of them have numbers
	named    bool     // the question names one of them
}

// readEdition reads the path of a page. Docusaurus keeps the older versions of docs in
// versioned_docs.
func readEdition(file string) edition {
	e := edition{numbered: true}
	parts := strings.Split(file, "/")
	var rest []string
	for i, p := range parts {
		last := i == len(parts)-1
		switch numbered := numberedFolder.MatchString(p); {
		case !last && (numbered || slices.Contains(movingFolders, strings.ToLower(p))):
			e.folders = append(e.folders, p)
			e.numbered = e.numbered && numbered
		case !last && strings.HasPrefix(p, "versioned_"):
			rest = append(rest, strings.TrimPrefix(p, "versioned_"))
		default:
			rest = append(rest, p)
		}
	}
	e.place = path.Join(rest...)
	return e
}

// isNewerThan reports whether an edition of a page comes before another one of the same
// place. One without a folder of its version is the newest.
func (e edition) isNewerThan(other edition) bool {
	for i := range max(len(e.folders), len(other.folders)) {
		if c := doc.CompareVersions(folderVersion(e.folders, i), folderVersion(other.folders, i)); c != 0 {
			return c > 0
		}
	}
	return false
}

// folderVersion is the version that the folder at i stands for; "", the newest, behind the
// last folder.
func folderVersion(folders []string, i int) string {
	if i >= len(folders) {
		return ""
	}
	name := strings.ToLower(folders[i])
	for _, lead := range []string{"version", "release"} {
		if rest, ok := strings.CutPrefix(name, lead); ok {
			name = strings.TrimLeft(strings.TrimPrefix(rest, "s"), "-_")
		}
	}
	return name
}

// isBetterThan reports whether a page is shown in the place of another one that is a copy
// of it: the version that the question names, then the newest.
func (e edition) isBetterThan(other edition) bool {
	switch {
	case e.place != other.place:
		return false
	case e.named != other.named:
		return e.named
	}
	return e.isNewerThan(other)
}

// isNamedIn reports whether a text in lower case names the version of one of the folders.
func (e edition) isNamedIn(text string) bool {
	return slices.ContainsFunc(e.folders, func(f string) bool {
		name := strings.ToLower(f)
		bare := strings.TrimLeft(folderVersion([]string{f}, 0), "v")
		return hasWord(text, name) || hasWord(text, "v"+bare) || hasWord(text, "version "+bare) ||
			strings.ContainsAny(bare, ".-") && hasWord(text, bare)
	})
}

// hasWord reports whether a text has a word that no letter, digit or further number of a
// version joins.
func hasWord(text, word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		rest := strings.TrimLeft(text[i+len(word):], ".-")
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		next, _ := utf8.DecodeRuneInString(rest)
		joined := after == '.' || after == '-'
		if !isWordPart(before) && before != '.' && before != '-' && !isWordPart(after) && (!joined || !unicode.IsDigit(next)) {
			return true
		}
		from = i + len(word)
	}
	return false
}

func isWordPart(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// foldCopies leaves one of several pages of one doc set that are nearly the same, and names
// the others with it: of versions that stand as folders the one that the question names,
// else the newest, of copies elsewhere the best.
func (r *run) foldCopies(pages []page) []page {
	question := strings.ToLower(askedText(r.In))
	editions := make([]edition, len(pages))
	group := make([]int, len(pages))
	heads := map[string][]int{} // first pages of groups, by doc set and title
	places := map[string][]int{}
	for i, p := range pages {
		editions[i], group[i] = readEdition(p.d.Path), i
		editions[i].named = editions[i].isNamedIn(question)
		set := p.set.Ref.String() + "\x00"
		for _, j := range append(slices.Clone(places[set+editions[i].place]), heads[set+p.d.Title]...) {
			if isCopy(p, pages[j], editions[i], editions[j]) {
				group[i] = j
				break
			}
		}
		if group[i] == i {
			heads[set+p.d.Title] = append(heads[set+p.d.Title], i)
			places[set+editions[i].place] = append(places[set+editions[i].place], i)
		}
	}
	best := make([]int, len(pages)) // of each group, by its first page
	for i := range pages {
		if g := group[i]; g == i || editions[i].isBetterThan(editions[best[g]]) {
			best[g] = i
		}
	}
	var out []page
	for i, p := range pages {
		if best[group[i]] != i {
			continue
		}
		for k, o := range pages {
			if group[k] == group[i] && k != i {
				p.copies = append(p.copies, o.d.Path)
			}
		}
		slices.Sort(p.copies)
		out = append(out, p)
	}
	return out
}

// isCopy reports whether two pages of one doc set are one page. Reference pages of one
// pattern have most of their text in common, so copies have one title too. Pages of two
// numbered folders with one title are one whatever they say, as they are in two versions
// of a doc set, but for release notes, and for versions that the question compares. Two files
// of one folder are two pages unless nearly every word of them is the same: pages that a
// generator wrote under one title share their options, not what they are about.
func isCopy(a, b page, one, other edition) bool {
	like := fingerprint.Similarity(a.d.Fingerprint, b.d.Fingerprint)
	if one.place == other.place { // one of them has a folder of its version
		if isNews(one.place) || one.named && other.named {
			return false
		}
		if a.d.Title == b.d.Title && (like >= sameTitle || one.numbered && other.numbered && len(one.folders) == len(other.folders)) {
			return true
		}
		return like >= sameText
	}
	if path.Dir(one.place) == path.Dir(other.place) {
		return like >= everyWord
	}
	return a.d.Title == b.d.Title && like >= sameText
}

// isNews reports whether a page is a release note or the like.
func isNews(file string) bool {
	file = strings.ToLower(file)
	return slices.ContainsFunc(newsWords, func(w string) bool { return strings.Contains(file, w) })
}
