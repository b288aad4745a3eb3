package ingest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// Unread are the files of a doc set's folder that are no pages: those that no parser
// reads (pictures, programs, formats that are not known), and those that a parser would
// read in another doc set. Hidden files are not counted, and neither are files that pages
// include.
type Unread struct {
	Endings []Ending `json:"endings,omitempty"` // of what no parser reads, most files first
	Files   int      `json:"files"`             // that no parser reads
	// Paths are those of the files that no parser reads, the first mostUnread in the order
	// of the scan.
	Paths []string `json:"-"`
	// Others are the files that a parser would read, by why they are left out.
	Others []Reason `json:"others,omitempty"`

	byName map[string]int  // index in Endings
	unused map[string]bool // Paths, once LeaveUsed was called
}

// Ending counts the files that have an ending.
type Ending struct {
	Ending string `json:"ending"` // with its dot, in lower case; "": none
	Files  int    `json:"files"`
}

// Reason counts the files that are left out for it.
type Reason struct {
	Reason string   `json:"reason"`
	Files  int      `json:"files"`
	Paths  []string `json:"-"` // the first mostUnread
}

// reasonDomain is that of files that are pages in another domain.
func reasonDomain(about *parse.Info) string {
	return about.Name + ", read in doc sets of the domain " + about.Domain
}

// Limits of the report on a folder of any size.
const (
	mostUnread  = 10_000 // paths
	mostEndings = 200    // others are counted together
	otherEnding = ".…"
)

// addFile counts a file.
func (u *Unread) addFile(file string) {
	if strings.HasPrefix(path.Base(file), ".") {
		return
	}
	if u.Files++; len(u.Paths) < mostUnread {
		u.Paths = append(u.Paths, file)
	}
	name := endingOf(file)
	i, ok := u.byName[name]
	if !ok && len(u.Endings) >= mostEndings {
		name = otherEnding
		i, ok = u.byName[name]
	}
	if !ok {
		if u.byName == nil {
			u.byName = map[string]int{}
		}
		i = len(u.Endings)
		u.byName[name] = i
		u.Endings = append(u.Endings, Ending{Ending: name})
	}
	u.Endings[i].Files++
}

// addFor counts a file that is left out for a reason.
func (u *Unread) addFor(reason, file string) {
	i := slices.IndexFunc(u.Others, func(r Reason) bool { return r.Reason == reason })
	if i < 0 {
		i = len(u.Others)
		u.Others = append(u.Others, Reason{Reason: reason})
	}
	r := &u.Others[i]
	if r.Files++; len(r.Paths) < mostUnread {
		r.Paths = append(r.Paths, file)
	}
}

// LeaveUsed takes out the files that a page took text from: their text is read.
func (u *Unread) LeaveUsed(uses []doc.Use) {
	if len(uses) == 0 || len(u.Paths) == 0 {
		return
	}
	if u.unused == nil {
		u.unused = make(map[string]bool, len(u.Paths))
		for _, file := range u.Paths {
			u.unused[file] = true
		}
	}
	before := u.Files
	for _, use := range uses {
		if !u.unused[use.Path] {
			continue
		}
		delete(u.unused, use.Path)
		u.Files--
		counts := func(name string) int {
			return slices.IndexFunc(u.Endings, func(e Ending) bool { return e.Ending == name })
		}
		if i := counts(endingOf(use.Path)); i >= 0 {
			u.Endings[i].Files--
		} else if i := counts(otherEnding); i >= 0 {
			u.Endings[i].Files--
		}
	}
	if u.Files == before {
		return
	}
	u.Paths = slices.DeleteFunc(slices.Clone(u.Paths), func(file string) bool { return !u.unused[file] })
	u.Endings = slices.DeleteFunc(u.Endings, func(e Ending) bool { return e.Files == 0 })
	u.sortEndings()
}

// endingOf is the ending by which a file is counted.
func endingOf(file string) string {
	name := strings.ToLower(path.Ext(file))
	if len(name) > 20 {
		return otherEnding
	}
	return name
}

// sortEndings brings the endings into their order. Nothing is added afterwards.
func (u *Unread) sortEndings() {
	u.byName = nil
	slices.SortFunc(u.Others, func(a, b Reason) int { return strings.Compare(a.Reason, b.Reason) })
	slices.SortFunc(u.Endings, func(a, b Ending) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Ending, b.Ending))
	})
}

// mostNamed is how many endings a summary names.
const mostNamed = 5

// String is a summary for a person, "" where all files are read: "12 .png, 3 .psd and 2
// others (no parser reads them); 120 files: source code, read in doc sets of the domain code".
func (u Unread) String() string {
	var parts []string
	if u.Files > 0 {
		parts = append(parts, u.endings()+" (no parser reads them)")
	}
	for _, r := range u.Others {
		files := "1 file: "
		if r.Files > 1 {
			files = fmt.Sprintf("%d files: ", r.Files)
		}
		parts = append(parts, files+r.Reason)
	}
	return strings.Join(parts, "; ")
}

// endings counts the files that no parser reads by their endings.
func (u Unread) endings() string {
	var parts []string
	others := u.Files
	for _, e := range u.Endings[:min(mostNamed, len(u.Endings))] {
		name := e.Ending
		if name == "" {
			name = "without an ending"
		}
		parts = append(parts, fmt.Sprintf("%d %s", e.Files, name))
		others -= e.Files
	}
	text := oneLine(strings.Join(parts, ", "))
	if others > 0 {
		text += fmt.Sprintf(" and %d others", others)
	}
	return text
}
